import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatMoney, moneyText } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { ParsedRow, RowValues, TableImport } from '../../formats/tables/table.ts';
import type { ListEntry } from '../catalogs/known.ts';
import { InvoiceBook, type InvoiceOnFile } from '../invoices/book.ts';
import { identityRows, readBook } from '../invoices/book-reading.ts';
import type { Asked, PaymentToWrite } from '../payments/asked.ts';
import { writePayments } from '../payments/write.ts';
import { readSettings } from '../settings/settings.ts';
import {
  type CreditDraft,
  creditOf,
  draftCredit,
  findCredit,
  KnownCredits,
  makeCredits,
  readCredits,
} from './credit-notes.ts';
import { type DraftedRow, importDrafts, unread } from './drafts.ts';
import { findPaidInvoice, type NamedInvoice } from './paid-invoices.ts';
import type { References } from './references.ts';
import {
  centsOf,
  converted,
  dateOf,
  exchangeOf,
  Refused,
  type RowRefusal,
  safely,
  textOf,
} from './row-values.ts';
import { importRace, type MakingContext, type NewRows, type Run, type StoreOnce } from './run.ts';

interface ReadRow {
  draft: PaymentToWrite;
  invoice: NamedInvoice;
  credit: CreditDraft | undefined;
  warnings: Remark[];
}

export function importPayments(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport> {
  const { allowDuplicates = false } = run.options;
  const credits = new KnownCredits();
  return importDrafts<PaymentToWrite, Asked>(db, run, storeOnce, {
    table: 'payments',
    entity: 'payments',
    // Only sources are ever added: a payment to an unknown supplier pays nothing.
    names: { origenderecursoId: fundingSources },
    columns: { facturaproveedorId: 'numfactura' },
    draftRows: () => draftRows(db, run, credits),
    write: (trx, actor, drafts, options) =>
      writePayments(trx, actor, drafts, {
        ...options,
        isKnownOnce: !allowDuplicates,
        sourceName: run.references.list(fundingSources).nameOf,
        newNotes: new Map(credits.added.map((note) => [note.id, { ...note, moneda: 'MXN', detail: null }])),
      }),
    bring: (context, accepted) => bringNotes(context, accepted, credits),
    sayOf: () => {
      const said = new Set<number>();
      return ({ creditNoteId }) => {
        const note = creditNoteId ?? 0;
        if (note >= 0 || said.has(note)) return [];
        said.add(note);
        return [sayNew(credits.added[-1 - note]!)];
      };
    },
    storedValues: ({ amountCents }) => ({ paymentamount: amountCents }),
  });
}

const CHUNK = 4000;
const ROWS_BETWEEN_PAUSES = 1000;

async function draftRows(
  db: Db,
  { rows, references, progress }: Run,
  credits: KnownCredits,
): Promise<DraftedRow<PaymentToWrite>[]> {
  await references.readOnly(db, [suppliers, jobs]);
  const { moneda } = await readSettings(db);
  const drafted: DraftedRow<PaymentToWrite>[] = [];
  let chunk: { row: ParsedRow; read: ReadRow | RowRefusal | undefined }[] = [];
  const draftChunk = async () => {
    const all = chunk.flatMap(({ read }) => (read && 'draft' in read ? [read] : []));
    const invoices = new InvoiceBook<InvoiceOnFile>();
    const pause = () => progress.pause();
    await readBook(
      db,
      invoices,
      identityRows,
      all.map(({ invoice }) => invoice.keys),
      { pause },
    );
    const uuids = all.flatMap(({ credit }) => credit?.uuid ?? []);
    if (all.some(({ credit }) => credit))
      await readCredits(db, credits, { uuids, supplierIds: invoices.supplierIds });
    for (const { row, read } of chunk) drafted.push(draftOf(row, read, invoices, credits));
    chunk = [];
  };
  for (const row of rows) {
    const done = drafted.length + chunk.length;
    if (done % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', done / rows.length);
    chunk.push({
      row,
      read: row.problems.length > 0 ? undefined : safely(() => readRow(row, references, moneda)),
    });
    if (chunk.length === CHUNK) await draftChunk();
  }
  await draftChunk();
  return drafted;
}

/** @param base the currency of a row that says none */
function readRow({ line, values }: ParsedRow, references: References, base: string): ReadRow {
  const own = centsOf(values, 'paymentamount');
  const exchange = exchangeOf(values, base);
  const amountCents = exchange && own !== null ? converted(own, exchange) : (own ?? undefined);
  const credit = textOf(values, 'kind') === 'credito' ? draftCredit(values) : undefined;
  const importebancoCents = centsOf(values, credit ? 'creditaplicado' : 'importebanco');
  const warnings: string[] = exchange ? [exchange.warning] : [];
  const invoice = nameInvoice(values, references, warnings, exchange !== undefined);
  const draft: PaymentToWrite = {
    line,
    origenderecursoId: references.named(fundingSources, values)?.id ?? null,
    amountCents,
    importebancoCents,
    paid: exchange && {
      moneda: exchange.moneda,
      pagado: moneyText(own ?? 0),
      amountCents: importebancoCents ?? amountCents ?? 0,
    },
    paymentdate: dateOf(values, 'paymentdate'),
    checknum: textOf(values, 'checknum'),
    comments: textOf(values, 'comments'),
  };
  return { draft, invoice, credit, warnings };
}

/** @param isForeign the invoice's total is in another currency, converted at another rate than the payment */
function nameInvoice(
  values: RowValues,
  references: References,
  warnings: string[],
  isForeign: boolean,
): NamedInvoice {
  const uuid = textOf(values, 'uuid').toUpperCase() || null;
  const supplier = uuid ? supplierIfKnown(values, references) : references.supplier(values, warnings);
  const numfactura = textOf(values, 'numfactura');
  const totalCents = isForeign ? null : centsOf(values, 'total');
  const numfacturaKey = numberKey(numfactura);
  return {
    // A search by total takes longer than one by number.
    keys: uuid
      ? { uuid, supplierId: undefined, numfacturaKey: '' }
      : { uuid, supplierId: supplier?.id, numfacturaKey, totalCents: numfacturaKey ? null : totalCents },
    numfactura,
    totalCents,
    supplier,
    job: uuid || !textOf(values, 'jobtitle') ? undefined : references.named(jobs, values),
  };
}

/** A UUID says which invoice it is; then an odd name of the supplier does no harm. */
function supplierIfKnown(values: RowValues, references: References): ListEntry | undefined {
  try {
    return references.supplier(values, []);
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

function draftOf(
  row: ParsedRow,
  read: ReadRow | RowRefusal | undefined,
  invoices: InvoiceBook<InvoiceOnFile>,
  credits: KnownCredits,
): DraftedRow<PaymentToWrite> {
  if (!read || 'field' in read) return unread(row, read);
  const { draft, invoice: named, credit } = read;
  const { keys, supplier, numfactura } = named;
  const made = safely(() => {
    // The payments' own rules refuse a row that names no invoice at all.
    if (!keys.uuid && !numfactura && !supplier) return draft;
    const invoice = findPaidInvoice(invoices, named, row.values);
    const facturaproveedorId = invoice.id;
    if (!credit) return { ...draft, facturaproveedorId };
    const { note, isNew } = creditOf(credits, credit, invoice);
    if (isNew) credits.addNew(note);
    return { ...draft, facturaproveedorId, creditNoteId: note.id };
  });
  if ('field' in made) return unread(row, made);
  return { line: row.line, draft: made, warnings: [...row.warnings, ...read.warnings] };
}

/**
 * Makes the credit notes that come with accepted payments, whose invoices are held by now.
 * @throws DomainError conflict import_race, of one without a UUID that is on file since it was looked for
 */
async function bringNotes(
  context: MakingContext,
  accepted: readonly Asked[],
  { added }: KnownCredits,
): Promise<NewRows> {
  const ids = new Set(accepted.map(({ creditNoteId }) => creditNoteId ?? 0).filter((id) => id < 0));
  const notes = new Map([...ids].map((id) => [id, { ...added[-1 - id]! }]));
  const onFile = new KnownCredits();
  const supplierIds = [...new Set([...notes.values()].map(({ supplierId }) => supplierId))];
  if (notes.size > 0) await readCredits(context.trx, onFile, { uuids: [], supplierIds });
  for (const note of notes.values()) if (findCredit(onFile, note, note.supplierId)) throw importRace();
  const rows = await makeCredits(context, [...notes.values()]);
  for (const asked of accepted) asked.creditNoteId = notes.get(asked.creditNoteId!)?.id ?? asked.creditNoteId;
  return rows;
}

const sayNew = ({ numero, totalCents }: { numero: string; totalCents: number }): string =>
  `Se da de alta la nota de crédito ${numero || 'sin número'} por ${formatMoney(totalCents)}.`;
