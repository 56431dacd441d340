import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { parseRate } from '../../../shared/money.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { type LastClosedDay, lockAndReadClosing } from '../closing/closing.ts';
import { Replacements } from '../document-relations.ts';
import { lockAndReadSuppliers } from '../due-day.ts';
import { readExpensesByUuid } from '../petty-cash/voucher-uuids.ts';
import { readSettings } from '../settings/settings.ts';
import { distinctIds, lockRow, mapById, readExistingIds } from '../stored-rows.ts';
import {
  completeDraft,
  hasNewNumber,
  type InvoiceDraft,
  type InvoiceInput,
  needsLookalikeCheck,
} from './draft.ts';
import { InvoiceBook, lookalikePeriod, supplierNumberKey } from './invoice-book.ts';
import {
  type DocumentedInvoice,
  invoiceKeysOfUuid,
  type KnownInvoice,
  knownRowMapping,
  lockAndReadDocumentedInvoices,
} from './known-invoices.ts';
import { fillInvoiceBook, type InvoiceKeys, lockInvoiceNumbers } from './read-invoice-book.ts';
import { readInvoices } from './reading.ts';

export interface InvoiceOptions {
  allowDuplicate?: boolean;
  skipsExisting?: boolean;
  nameOf?: (field: 'supplierId' | 'jobId' | 'rubroId', id: number) => string;
  /** Allows a document to replace the document of an invoice with payments, which is refused otherwise. */
  replace?: boolean;
  allowExcess?: boolean;
  /** needed for drafts with documents: gets the stored invoices that they may match, then the accepted drafts */
  book?: InvoiceBook<DocumentedInvoice>;
  closing?: LastClosedDay;
  pause?: () => Promise<void>;
}

export type InvoiceFacts = Awaited<ReturnType<typeof readDraftsAndFacts>>['facts'];

/** Runs a fixed number of queries for any number of drafts, except that long lists are split into chunks. */
export async function readDraftsAndFacts(
  trx: Trx,
  actor: Actor,
  inputs: readonly InvoiceInput[],
  options: InvoiceOptions,
) {
  const { pause = async () => {} } = options;
  const changed = distinctIds(inputs.map(({ id }) => id));
  for (const id of changed) await lockRow(trx, 'invoices', id);
  const previousById = mapById(await readUnlessEmpty(changed, (ids) => readInvoices(trx, ids)));
  const closing = options.closing ?? (await lockAndReadClosing(trx));
  const isNew = ({ id, deleted }: InvoiceInput) => id === undefined && !deleted;
  const needsDefaultRate = inputs.some((input) => isNew(input) && typeof input.tasa !== 'number');
  const rate = needsDefaultRate ? parseRate((await readSettings(trx)).tasa) : 0;
  const drafts: InvoiceDraft[] = [];
  for (const input of inputs) {
    drafts.push(
      completeDraft(input, previousById.get(input.id ?? 0), { today: actor.today, defaultRate: () => rate }),
    );
    if (drafts.length % DRAFTS_BETWEEN_PAUSES === 0) await pause();
  }
  const [supplierIds, jobIds, rubroIds] = (['supplierId', 'jobId', 'rubroId'] as const).map((name) =>
    distinctIds(drafts.map((one) => one[name])),
  ) as [number[], number[], number[]];
  // The lock on numbers also protects look-ups of rows without a number, and of restored invoices.
  const looksUpNumber = ({ numfacturaKey, deleted }: InvoiceDraft) =>
    numfacturaKey || deleted || options.skipsExisting;
  const uuids = drafts.flatMap(({ uuid, previous, cfdi }) => (previous || cfdi ? [] : (uuid ?? [])));
  const replacements = await Replacements.lockAndRead(trx, uuids);
  if (drafts.some((one) => hasNewNumber(one) && looksUpNumber(one))) await lockInvoiceNumbers(trx);
  const suppliers = await lockAndReadSuppliers(trx, supplierIds);
  const withNewSupplier = drafts.filter(
    ({ previous, supplierId }) => previous && previous.supplierId !== supplierId,
  );
  const restoredIds = drafts.flatMap(({ id, deleted }) => (deleted ? id! : []));
  const replacedUuids = replacements.predecessorsOfAny(uuids);
  const book = await readExistingInvoices(trx, drafts, options, replacedUuids);
  const documents: DocumentedInvoice[] = [];
  // A document may be linked to an invoice of another obra than its draft names.
  const documented = options.book ? [...options.book].map(({ jobId }) => jobId) : [];
  const documentNumbers = drafts.flatMap(({ cfdi, numfacturaKey }) =>
    (cfdi?.supplierIds ?? []).map((supplierId) => supplierNumberKey({ supplierId, numfacturaKey })),
  );
  return {
    drafts,
    facts: {
      actor,
      options,
      closing,
      suppliers,
      jobs: await readExistingIds(trx, 'jobs', jobIds),
      rubros: await readExistingIds(trx, 'rubros', rubroIds),
      book,
      /** Which documents replace which, needed for invoices written without a document: from a table, or restored. */
      replacements,
      expenses: await readExpensesByUuid(trx, [
        ...drafts.flatMap(({ uuid, previous, cfdi }) =>
          [previous ? [] : (uuid ?? []), cfdi?.replaces ?? []].flat(),
        ),
        ...replacedUuids,
      ]),
      budgets: await BudgetBook.readAndLock(trx, distinctIds([...jobIds, ...documented])),
      documentNumberKeys: new Set(documentNumbers),
      documents,
      creditedIds: new Set(
        await readUnlessEmpty(
          withNewSupplier.map(({ previous }) => previous!.id),
          (ids) => readIdsWithCreditNotes(trx, ids),
        ),
      ),
      existingIds: await readExistingIds(trx, 'invoices', restoredIds),
    },
  };
}

const DRAFTS_BETWEEN_PAUSES = 1000;

const readUnlessEmpty = async <Row>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> => (ids.length > 0 ? read(ids) : []);

async function readIdsWithCreditNotes(trx: Trx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select distinct "facturaproveedorId" as id from payments
    where ${isOneOf(trx, 'facturaproveedorId', ids)} and "creditNoteId" is not null`.execute(trx);
  return rows.map(({ id }) => id);
}

async function readExistingInvoices(
  trx: Trx,
  drafts: readonly InvoiceDraft[],
  { skipsExisting = false, allowDuplicate = false, book: documented, pause }: InvoiceOptions,
  replacedUuids: readonly string[],
): Promise<InvoiceBook<KnownInvoice>> {
  const keys = drafts.map((one): InvoiceKeys => {
    const { uuid, supplierId, numfacturaKey, fechaemision, totalCents } = one;
    const looksUpNumber = skipsExisting || (hasNewNumber(one) && !allowDuplicate);
    const looksUpTotal = fechaemision === null ? skipsExisting && !numfacturaKey : needsLookalikeCheck(one);
    return {
      uuid: one.previous ? null : uuid,
      supplierId: supplierId ?? 0,
      numfacturaKey: looksUpNumber ? numfacturaKey : '',
      totalCents: looksUpTotal ? totalCents : null,
    };
  });
  const issueDays = drafts.flatMap(({ fechaemision }) => fechaemision ?? []);
  const totalsIssuedBetween = issueDays.length > 0 ? lookalikePeriod(issueDays) : undefined;
  if (documented) {
    const supplierIds = distinctIds(
      drafts.flatMap(({ cfdi }) => cfdi?.supplierIds ?? []).filter((id) => id > 0),
    );
    const documentKeys = [...keys, ...drafts.flatMap(invoiceKeysOfDocument)];
    await lockAndReadDocumentedInvoices(trx, documented, documentKeys, { totalsIssuedBetween, supplierIds });
    return documented as InvoiceBook<KnownInvoice>;
  }
  const book = new InvoiceBook<KnownInvoice>();
  await fillInvoiceBook(trx, book, knownRowMapping, [...keys, ...replacedUuids.map(invoiceKeysOfUuid)], {
    totalsIssuedBetween,
    pause,
  });
  return book;
}

/** The invoice of a document may have been captured with serie and folio as its number, or with the folio alone. */
function invoiceKeysOfDocument({ cfdi, numfacturaKey, totalCents }: InvoiceDraft): InvoiceKeys[] {
  if (!cfdi) return [];
  const folio = documentNumberKey(cfdi.detail.folio);
  return [
    ...cfdi.replaces.map(invoiceKeysOfUuid),
    ...cfdi.supplierIds.flatMap((supplierId) =>
      [numfacturaKey, folio].map((key) => ({ uuid: null, supplierId, numfacturaKey: key, totalCents })),
    ),
  ];
}
