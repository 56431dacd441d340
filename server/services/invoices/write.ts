import { insertRows } from '../../../db/bulk.ts';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { holdSuppliers } from '../due-day.ts';
import {
  addNew,
  auditEach,
  type Bulk,
  type BulkOptions,
  type StoredDraft,
  type UnreadDraft,
  type Written,
  write,
} from '../writing.ts';
import type { Asked, InvoiceToWrite } from './asked.ts';
import { identify } from './documents.ts';
import { type InvoiceFacts, type InvoiceOptions, readFacts } from './facts.ts';
import { getInvoice, invoicesOf } from './reading.ts';
import { readDocument, restoreKept } from './restoring.ts';
import { documentColumns, type InvoiceValues, invoiceColumns, invoiceRow } from './rows.ts';
import { rules, take, warnings } from './rules.ts';

export type WrittenInvoice = Written<Asked, Invoice>;

type WriteInvoices = InvoiceOptions & BulkOptions<Asked>;

export const writeInvoices = (
  db: Db,
  actor: Actor,
  drafts: readonly (InvoiceToWrite | UnreadDraft)[],
  options: WriteInvoices = {},
): Promise<WrittenInvoice[]> =>
  write(
    db,
    drafts,
    {
      read: (trx, read) => readFacts(trx, actor, read, options),
      complete: identify,
      rules,
      warn: (asked, facts) => warnings.flatMap((warn) => warn(asked, facts)),
      accept: take,
      // For a known document, as far as it was read.
      former: ({ former, identity }) => former ?? (identity?.unchanged as Invoice | undefined),
      idOf: ({ id, entry }) => id ?? entry?.id,
      store,
    },
    options,
  );

type StoredInvoice = StoredDraft<Asked, Invoice>;

async function store(
  trx: Trx,
  stored: readonly StoredInvoice[],
  facts: InvoiceFacts,
  { importId, onStored }: Bulk<Asked>,
): Promise<void> {
  const { actor } = facts;
  const creditDays = await creditDaysOf(trx, stored, facts);
  const rowOf = (asked: Asked) =>
    invoiceRow(asked as InvoiceValues & Asked, creditDays(asked), { ...actor, importId });
  await addNew(trx, 'invoices', stored, rowOf, onStored);
  for (const written of stored) {
    const { asked } = written;
    const { cfdi, former, entry } = asked;
    if (entry) Object.assign(entry, { id: written.id, supplierId: asked.supplierId });
    if (cfdi && former) await relink(trx, actor, written, { creditDays: creditDays(asked), importId });
    else if (former) await change(trx, actor, asked, former, creditDays(asked));
    if (asked.deleted) await bringBack(trx, actor, written, creditDays(asked));
  }
  await storeDocuments(trx, stored);
  if (importId !== null) return;
  const rows = await invoicesOf(
    trx,
    stored.map(({ id }) => id),
  );
  // Some files of a restored invoice may be gone for good.
  const alsoOf = ({ deleted }: Asked) =>
    deleted && { attachments: (deleted.attachments ?? []).map(({ id }) => id) };
  auditEach(trx, actor, 'invoices', stored, rows, alsoOf);
}

/** A supplier's credit days; those of suppliers that came with the drafts are read only now. */
async function creditDaysOf(trx: Trx, stored: readonly StoredInvoice[], { suppliers }: InvoiceFacts) {
  const ids = new Set(stored.map(({ asked }) => asked.supplierId!));
  const missing = [...ids].filter((id) => !suppliers.has(id));
  const brought = missing.length > 0 ? await holdSuppliers(trx, missing) : new Map<never, never>();
  return ({ supplierId: id }: Asked) => (suppliers.get(id!) ?? brought.get(id!))!.diascredito;
}

/** Stores that the invoice has a document now, or another one; an import's audit trail names each. */
async function relink(
  trx: Trx,
  actor: Actor,
  written: StoredInvoice,
  { creditDays, importId }: { creditDays: number; importId: number | null },
): Promise<void> {
  // The invoice may have come with the same run.
  written.id = written.asked.former!.id;
  const former = await getInvoice(trx, written.id);
  const document = await readDocument(trx, written.id);
  await change(trx, actor, written.asked, former, creditDays);
  audit(trx, actor, {
    action: 'update',
    entity: 'invoices',
    entityId: written.id,
    before: document ? { ...former, document } : former,
    after: { ...(await getInvoice(trx, written.id)), importId },
    also: importId === null ? undefined : { imports: [importId] },
  });
}

/** An invoice may get a document and then the one that replaces it, which is kept. */
async function storeDocuments(trx: Trx, stored: readonly StoredInvoice[]): Promise<void> {
  const documents = new Map(stored.flatMap(({ id, asked: { cfdi } }) => (cfdi ? [[id, cfdi]] : [])));
  if (documents.size === 0) return;
  const changed = stored.flatMap(({ id, asked: { cfdi, former } }) => (cfdi && former ? id : []));
  if (changed.length > 0)
    await trx
      .deleteFrom('cfdi_documents')
      .where(isOneOf(trx, 'invoiceId', changed))
      .execute();
  const rows = [...documents].map(([invoiceId, { version, moneda, tipoCambio, detail }]) => ({
    invoiceId,
    version,
    moneda,
    tipocambio: tipoCambio || null,
    detail: JSON.stringify(detail),
  }));
  await insertRows(trx, 'cfdi_documents', rows);
}

async function change(
  trx: Trx,
  actor: Actor,
  asked: Asked,
  { id, version }: Invoice,
  creditDays: number,
): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({
      ...invoiceColumns(asked as InvoiceValues & Asked, creditDays),
      ...(asked.cfdi ? documentColumns(asked) : {}),
      updatedAt: actor.at,
      version: version + 1,
    })
    .where('id', '=', id)
    .execute();
}

async function bringBack(trx: Trx, actor: Actor, written: StoredInvoice, creditDays: number): Promise<void> {
  const { asked } = written;
  const { id, createdAt: at, version, userId = null, importId = null } = asked.deleted!;
  const stamp = { at, today: asked.fechacaptura, userId, importId };
  await trx
    .insertInto('invoices')
    .values({
      ...invoiceRow(asked as InvoiceValues & Asked, creditDays, stamp as Parameters<typeof invoiceRow>[2]),
      id,
      updatedAt: actor.at,
      version: version + 1,
    })
    .execute();
  const lost = await restoreKept(trx, actor, id, asked.deleted!);
  written.warnings = [...written.warnings, ...lost.map((says) => ({ says }))];
}
