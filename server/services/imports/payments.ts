import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatMoney, toDecimalText } from '../../../shared/money.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { createRemark, type Remark } from '../../../shared/remarks.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import type { ParsedRow, RowValues, TableImportResult } from '../../formats/tables/table.ts';
import type { CatalogEntry } from '../catalogs/entry-index.ts';
import { KnownNotes } from '../credit-notes/known-notes.ts';
import { lockCfdiImport } from '../document-relations.ts';
import { InvoiceBook, type StoredInvoiceIdentity } from '../invoices/invoice-book.ts';
import { fillInvoiceBook, identityRowMapping } from '../invoices/read-invoice-book.ts';
import type { PaymentDraft, PaymentInput } from '../payments/draft.ts';
import { writePayments } from '../payments/write.ts';
import { readSettings } from '../settings/settings.ts';
import type { WriteOutcome } from '../write-drafts.ts';
import {
  buildNewNoteRows,
  findOrAddNote,
  readStatedNote,
  type StatedCreditNoteWithAmounts,
} from './credit-notes.ts';
import {
  createUnreadableRow,
  type InputRow,
  importDrafts,
  ROWS_BETWEEN_PAUSES,
  readEachRow,
} from './import-drafts.ts';
import { type ImportContext, importRaceError, type NewRows, type TableImportRun } from './import-run.ts';
import { getInvoiceOfPayment, type InvoiceSearch } from './invoice-of-payment.ts';
import type { References } from './references.ts';
import {
  centsOf,
  convertToBaseCurrency,
  dateOf,
  RowRefusalError,
  readCurrencyAndRate,
  readOrRefusal,
  textOf,
} from './row-values.ts';

interface ParsedPaymentRow {
  payment: PaymentInput;
  invoice: InvoiceSearch;
  credit: StatedCreditNoteWithAmounts | undefined;
}

export function importPayments(run: TableImportRun): Promise<TableImportResult> {
  const { allowDuplicates = false } = run.options;
  const credits = new KnownNotes();
  return importDrafts<PaymentInput, PaymentDraft>(run, {
    entity: 'payments',
    // Only missing funding sources are created. A missing supplier has no invoice that could be paid.
    names: { origenderecursoId: fundingSources },
    columns: { facturaproveedorId: 'numfactura' },
    readInputs: () => readInputs(run, credits),
    async write(trx, actor, drafts, options) {
      const outcomes = await writePayments(trx, actor, drafts, {
        ...options,
        skipsExisting: !allowDuplicates,
        acceptsRounding: true,
        sourceName: run.references.entryIndexOf(fundingSources).nameOf,
        newNotesById: new Map(
          credits.addedNotes.map((note) => [note.id, { ...note, moneda: 'MXN', detail: null }]),
        ),
      });
      return outcomes.map(withFundRemedy);
    },
    createMissing: (context, accepted) => createCreditNotes(context, accepted, credits),
    createRemarks: () => {
      const announced = new Set<number>();
      return ({ creditNoteId }) => {
        const note = creditNoteId ?? 0;
        if (note >= 0 || announced.has(note)) return [];
        announced.add(note);
        return [describeNewCreditNote(credits.addedNotes[-1 - note]!)];
      };
    },
    storedValues: ({ amountCents }) => ({ paymentamount: amountCents }),
  });
}

function withFundRemedy(outcome: WriteOutcome<PaymentDraft, unknown>): WriteOutcome<PaymentDraft, unknown> {
  if (outcome.outcome !== 'refused' || outcome.refused.code !== 'fund_short') return outcome;
  const message = createRemark`${outcome.refused.message} ${pettyCashTexts.movementsFirst}`;
  return { ...outcome, refused: { ...outcome.refused, message } };
}

async function readInputs(run: TableImportRun, credits: KnownNotes): Promise<InputRow<PaymentInput>[]> {
  const { db, references, progress } = run;
  await references.readCatalogsWithoutAdding(db, [suppliers, jobs]);
  const { moneda } = await readSettings(db);
  const rows = await readEachRow(run, (row, warnings) => readRow(row, references, moneda, warnings));
  const read = rows.flatMap(({ input }) => ('refused' in input ? [] : [input]));
  const invoices = new InvoiceBook<StoredInvoiceIdentity>();
  const keys = read.map(({ invoice }) => invoice.keys);
  await fillInvoiceBook(db, invoices, identityRowMapping, keys, { pause: () => progress.pause() });
  const notes = read.flatMap(({ credit }) => credit ?? []);
  if (notes.length > 0)
    await credits.read(
      db,
      notes.flatMap(({ uuid }) => uuid ?? []),
      invoices.supplierIds,
    );
  const inputRows: InputRow<PaymentInput>[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_BETWEEN_PAUSES === 0) await progress.pause();
    inputRows.push(linkRowToInvoice(row, invoices, credits));
  }
  return inputRows;
}

function readRow(
  { line, values }: ParsedRow,
  references: References,
  baseCurrency: string,
  warnings: Remark[],
): ParsedPaymentRow {
  const paidCents = centsOf(values, 'paymentamount');
  const exchange = readCurrencyAndRate(values, baseCurrency);
  const amountCents =
    exchange && paidCents !== null ? convertToBaseCurrency(paidCents, exchange) : (paidCents ?? undefined);
  const credit = textOf(values, 'kind') === 'credito' ? readStatedNote(values) : undefined;
  const importebancoCents = centsOf(values, credit ? 'creditaplicado' : 'importebanco');
  const importemonedaCents = credit ? null : centsOf(values, 'importemoneda');
  if (exchange && importemonedaCents !== null && importemonedaCents !== paidCents)
    throw new RowRefusalError(
      'importemoneda',
      'Es otro que la cantidad pagada, que también está en su moneda.',
    );
  if (exchange) warnings.push(exchange.warning);
  const invoice = readInvoiceSearch(values, references, warnings, exchange !== undefined);
  const payment: PaymentInput = {
    line,
    origenderecursoId: references.findOrAddEntry(fundingSources, values)?.id ?? null,
    amountCents,
    importebancoCents,
    importemonedaCents,
    paid: exchange && {
      moneda: exchange.moneda,
      pagado: toDecimalText(paidCents ?? 0),
      amountCents: importebancoCents ?? amountCents ?? 0,
    },
    paymentdate: dateOf(values, 'paymentdate'),
    checknum: textOf(values, 'checknum'),
    comments: textOf(values, 'comments'),
  };
  return { payment, invoice, credit };
}

/** @param isForeign the invoice's total is in another currency, converted at another rate than the payment */
function readInvoiceSearch(
  values: RowValues,
  references: References,
  warnings: Remark[],
  isForeign: boolean,
): InvoiceSearch {
  const uuid = textOf(values, 'uuid').toUpperCase() || null;
  const supplier = uuid
    ? findSupplierIfKnown(values, references)
    : references.findOrAddSupplier(values, warnings);
  const numfactura = textOf(values, 'numfactura');
  const totalCents = isForeign ? null : centsOf(values, 'total');
  const numfacturaKey = documentNumberKey(numfactura);
  return {
    // A search by total takes longer than one by number, so the total is used only where there is no number.
    keys: uuid
      ? { uuid, supplierId: undefined, numfacturaKey: '' }
      : { uuid, supplierId: supplier?.id, numfacturaKey, totalCents: numfacturaKey ? null : totalCents },
    numfactura,
    fechaemision: dateOf(values, 'fechaemision'),
    totalCents,
    supplier,
    job: uuid || !textOf(values, 'jobtitle') ? undefined : references.findOrAddEntry(jobs, values),
  };
}

/** A supplier that cannot be read does not matter where a UUID identifies the invoice. */
function findSupplierIfKnown(values: RowValues, references: References): CatalogEntry | undefined {
  try {
    return references.findOrAddSupplier(values, []);
  } catch (error) {
    if (error instanceof RowRefusalError) return undefined;
    throw error;
  }
}

function linkRowToInvoice(
  { line, input, warnings }: InputRow<ParsedPaymentRow>,
  invoices: InvoiceBook<StoredInvoiceIdentity>,
  credits: KnownNotes,
): InputRow<PaymentInput> {
  if ('refused' in input) return { line, input, warnings };
  const { payment, invoice: search, credit } = input;
  const { keys, supplier, numfactura } = search;
  const linked = readOrRefusal(() => {
    // The rules of payments refuse a row that names no invoice.
    if (!keys.uuid && !numfactura && !supplier) return payment;
    const invoice = getInvoiceOfPayment(invoices, search);
    const facturaproveedorId = invoice.id;
    if (!credit) return { ...payment, facturaproveedorId };
    return { ...payment, facturaproveedorId, creditNoteId: findOrAddNote(credits, credit, invoice).id };
  });
  return 'field' in linked ? createUnreadableRow(line, linked) : { line, input: linked, warnings };
}

/** @throws DomainError conflict import_race, where somebody else stored the note since it was looked up */
async function createCreditNotes(
  context: ImportContext,
  acceptedDrafts: readonly PaymentDraft[],
  { addedNotes }: KnownNotes,
): Promise<NewRows> {
  const ids = new Set(acceptedDrafts.map(({ creditNoteId }) => creditNoteId ?? 0).filter((id) => id < 0));
  const notes = new Map([...ids].map((id) => [id, { ...addedNotes[-1 - id]! }]));
  const onFile = new KnownNotes();
  const supplierIds = [...new Set([...notes.values()].map(({ supplierId }) => supplierId))];
  const uuids = [...notes.values()].flatMap(({ uuid }) => uuid ?? []);
  if (uuids.length > 0) await lockCfdiImport(context.trx);
  if (notes.size > 0) await onFile.read(context.trx, uuids, supplierIds);
  for (const note of notes.values())
    if (
      onFile.find(note, note.supplierId) ||
      onFile.findNoteOfSameNumber(note) ||
      onFile.replacedRefusal(note)
    )
      throw importRaceError();
  const rows = await buildNewNoteRows(context, [...notes.values()]);
  for (const draft of acceptedDrafts)
    draft.creditNoteId = notes.get(draft.creditNoteId!)?.id ?? draft.creditNoteId;
  return rows;
}

const describeNewCreditNote = ({ numero, totalCents }: { numero: string; totalCents: number }): string =>
  `Se da de alta la nota de crédito ${numero || 'sin número'} por ${formatMoney(totalCents)}.`;
