import { insertRows } from '../../../db/bulk.ts';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { lockAndReadSuppliers } from '../due-day.ts';
import { idsOf } from '../stored-rows.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  type ImportIdAndProgress,
  insertNewRows,
  type StoredDraft,
  type UnreadableInput,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import { matchDocument } from './document-matching.ts';
import type { InvoiceDraft, InvoiceInput } from './draft.ts';
import { type InvoiceFacts, type InvoiceOptions, readDraftsAndFacts } from './facts.ts';
import { getInvoice, readInvoices } from './reading.ts';
import { readCfdiDocument, restoreDocumentAndAttachments } from './restoring.ts';
import { type InvoiceValues, toDocumentColumns, toInvoiceColumns, toInvoiceRow } from './rows.ts';
import { addAcceptedDraftToFacts, rules, warningRules } from './rules.ts';

export type InvoiceOutcome = WriteOutcome<InvoiceDraft, Invoice>;

type WriteInvoicesOptions = InvoiceOptions & BulkOptions<InvoiceDraft>;

export const writeInvoices = (
  db: Db,
  actor: Actor,
  inputs: readonly (InvoiceInput | UnreadableInput)[],
  options: WriteInvoicesOptions = {},
): Promise<InvoiceOutcome[]> =>
  writeDrafts(
    db,
    inputs,
    {
      read: (trx, read) => readDraftsAndFacts(trx, actor, read, options),
      complete: matchDocument,
      rules,
      warn: (draft, facts) => warningRules.flatMap((warn) => warn(draft, facts)),
      accept: addAcceptedDraftToFacts,
      previous: ({ previous, documentMatch }) =>
        previous ?? (documentMatch?.unchanged as Invoice | undefined),
      idOf: ({ id, bookEntry }) => id ?? bookEntry?.id,
      store: storeInvoices,
    },
    options,
  );

type StoredInvoiceDraft = StoredDraft<InvoiceDraft, Invoice>;

async function storeInvoices(
  trx: Trx,
  storedDrafts: readonly StoredInvoiceDraft[],
  facts: InvoiceFacts,
  { importId, onStored }: ImportIdAndProgress<InvoiceDraft>,
): Promise<void> {
  const { actor } = facts;
  const creditDays = await createCreditDaysLookup(trx, storedDrafts, facts);
  const rowOf = (draft: InvoiceDraft) =>
    toInvoiceRow(draft as InvoiceValues & InvoiceDraft, creditDays(draft), { ...actor, importId });
  await insertNewRows(trx, 'invoices', storedDrafts, rowOf, onStored);
  for (const storedDraft of storedDrafts) {
    const { draft } = storedDraft;
    const { cfdi, previous, bookEntry } = draft;
    if (bookEntry) Object.assign(bookEntry, { id: storedDraft.id, supplierId: draft.supplierId });
    if (cfdi && previous)
      await updateLinkedInvoice(trx, actor, storedDraft, { creditDays: creditDays(draft), importId });
    else if (previous) await updateInvoiceRow(trx, actor, draft, previous, creditDays(draft));
    if (draft.deleted) await restoreInvoiceRow(trx, actor, storedDraft, creditDays(draft));
  }
  await storeDocuments(trx, storedDrafts);
  if (importId !== null) return;
  const rows = await readInvoices(trx, idsOf(storedDrafts));
  const attachmentsOf = ({ deleted }: InvoiceDraft) =>
    deleted && { attachments: (deleted.attachments ?? []).map(({ id }) => id) };
  auditStoredDrafts(trx, actor, 'invoices', storedDrafts, rows, attachmentsOf);
}

/** Suppliers that were created with the drafts are not among the facts, and are read here. */
async function createCreditDaysLookup(
  trx: Trx,
  storedDrafts: readonly StoredInvoiceDraft[],
  { suppliers }: InvoiceFacts,
) {
  const ids = new Set(storedDrafts.map(({ draft }) => draft.supplierId!));
  const missing = [...ids].filter((id) => !suppliers.has(id));
  const addedSuppliers =
    missing.length > 0 ? await lockAndReadSuppliers(trx, missing) : new Map<never, never>();
  return ({ supplierId: id }: InvoiceDraft) => (suppliers.get(id!) ?? addedSuppliers.get(id!))!.diascredito;
}

/** Updates the invoice that a document was linked to. The change gets an audit entry of its own, even in an import. */
async function updateLinkedInvoice(
  trx: Trx,
  actor: Actor,
  storedDraft: StoredInvoiceDraft,
  { creditDays, importId }: { creditDays: number; importId: number | null },
): Promise<void> {
  // The invoice may have been created in the same run.
  storedDraft.id = storedDraft.draft.previous!.id;
  const previous = await getInvoice(trx, storedDraft.id);
  const document = await readCfdiDocument(trx, storedDraft.id);
  await updateInvoiceRow(trx, actor, storedDraft.draft, previous, creditDays);
  queueAuditEntry(trx, actor, {
    action: 'update',
    entity: 'invoices',
    entityId: storedDraft.id,
    before: document ? { ...previous, document } : previous,
    after: { ...(await getInvoice(trx, storedDraft.id)), importId },
    affected: importId === null ? undefined : { imports: [importId] },
  });
}

/** Where an invoice gets a document and then the one that replaces it, the last one is stored. */
async function storeDocuments(trx: Trx, storedDrafts: readonly StoredInvoiceDraft[]): Promise<void> {
  const documents = new Map(storedDrafts.flatMap(({ id, draft: { cfdi } }) => (cfdi ? [[id, cfdi]] : [])));
  if (documents.size === 0) return;
  const changed = storedDrafts.flatMap(({ id, draft: { cfdi, previous } }) => (cfdi && previous ? id : []));
  if (changed.length > 0)
    await trx
      .deleteFrom('cfdi_documents')
      .where(isOneOf(trx, 'invoiceId', changed))
      .execute();
  const rows = [...documents].map(([invoiceId, { version, moneda, tipoCambio, sello, detail }]) => ({
    invoiceId,
    version,
    moneda,
    tipocambio: tipoCambio || null,
    sello: sello === 'alterado' ? null : sello,
    detail: JSON.stringify(detail),
  }));
  await insertRows(trx, 'cfdi_documents', rows);
}

async function updateInvoiceRow(
  trx: Trx,
  actor: Actor,
  draft: InvoiceDraft,
  { id, version }: Invoice,
  creditDays: number,
): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({
      ...toInvoiceColumns(draft as InvoiceValues & InvoiceDraft, creditDays),
      ...(draft.cfdi ? toDocumentColumns(draft) : {}),
      updatedAt: actor.at,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute();
}

async function restoreInvoiceRow(
  trx: Trx,
  actor: Actor,
  storedDraft: StoredInvoiceDraft,
  creditDays: number,
): Promise<void> {
  const { draft } = storedDraft;
  const { id, createdAt: at, version, userId = null, importId = null } = draft.deleted!;
  const stamp = { at, today: draft.fechacaptura, userId, importId };
  await trx
    .insertInto('invoices')
    .values({
      ...toInvoiceRow(
        draft as InvoiceValues & InvoiceDraft,
        creditDays,
        stamp as Parameters<typeof toInvoiceRow>[2],
      ),
      id,
      updatedAt: actor.at,
      version: version + 1,
    })
    .execute();
  const lostFiles = await restoreDocumentAndAttachments(trx, actor, id, draft.deleted!);
  storedDraft.warnings = [...storedDraft.warnings, ...lostFiles.map((message) => ({ message }))];
}
