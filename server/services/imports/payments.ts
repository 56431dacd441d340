import { insertRows, reserveIds } from '../../../db/bulk.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inDryRun } from '../../../db/transaction.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatMoney, moneyText } from '../../../shared/money.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { numberKey } from '../../../shared/text.ts';
import type {
  ParsedRow,
  RefusedRow,
  RowValues,
  RowWarning,
  TableImport,
} from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import { InvoiceBook, type InvoiceOnFile } from '../invoices/book.ts';
import { identityRows, readBook } from '../invoices/book-reading.ts';
import type { Asked, PaymentToWrite } from '../payments/asked.ts';
import { type UnreadDraft, type WrittenPayment, writePayments } from '../payments/write.ts';
import { readSettings } from '../settings/settings.ts';
import { type CreditDraft, creditOf, draftCredit } from './credit-notes-rows.ts';
import { converted, exchangeOf } from './currency.ts';
import { centsOf, dateOf, judgeSafely, Refused, type RowRefusal, textOf } from './judging.ts';
import { type ListEntry, readList } from './known-catalogs.ts';
import { KnownCredits, readCredits } from './known-credit-notes.ts';
import { addRecord, auditRun } from './made-rows.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import { findPaidInvoice, type NamedInvoice } from './paid-invoices.ts';
import { References } from './references.ts';
import { NameRefusals } from './refusals.ts';
import { mayStore, type Run, type StoreOnce } from './run.ts';
import { makeCredits, makeEntries } from './writing.ts';

/** A row as a payment, before its invoice and its credit note are looked for. */
interface ReadRow {
  draft: PaymentToWrite;
  invoice: NamedInvoice;
  /** of kind `credito` */
  credit: CreditDraft | undefined;
  warnings: Remark[];
}

/** What becomes of a row: a draft for the writer, or why it is none; with what is said of it anyway. */
interface DraftedRow {
  line: number;
  draft: PaymentToWrite | (UnreadDraft & { cell?: RowRefusal });
  warnings: readonly Remark[];
}

/** What the rows of a file name, as far as it is on file or comes with them. */
interface Named {
  references: References;
  credits: KnownCredits;
}

/**
 * Payments of a table: each row becomes a draft, which says which invoice, source and credit note it names, and the
 * writer of payments does the rest. Drafts are made while nobody waits; they are judged and stored in one transaction.
 */
export async function importPayments(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport> {
  const { createMissing = false, set, allowDuplicates = false, onError, dryRun } = run.options;
  const named = { references: new References(createMissing, set), credits: new KnownCredits() };
  const rows = await draftRows(db, run, named);
  // A row cannot say why a rule should let it pass: imports override nothing, whoever asks.
  const roles = run.actor.roles.filter((role) => role !== ADMIN_ROLE);
  const actor: Actor = { ...run.actor, roles, motivo: undefined };
  const write = async (trx: Trx): Promise<TableImport> => {
    const made: { importId: number; lists: NewRows[] } = { importId: 0, lists: [] };
    const written = await writePayments(
      trx,
      actor,
      rows.map(({ draft }) => draft),
      {
        dryRun,
        onRefusal: onError ?? 'stop',
        isKnownOnce: !allowDuplicates,
        sourceName: (id) => named.references.list(fundingSources).nameOf(id),
        newNotes: new Map(
          named.credits.added.map((note) => [note.id, { ...note, moneda: 'MXN', detail: null }]),
        ),
        pause: () => run.progress.pause(),
        onStored: (fraction) => run.progress.show('guardar', fraction),
        bring: async (_trx, accepted) => {
          Object.assign(made, await bring(trx, run, accepted, named));
          return made.importId;
        },
      },
    );
    const result = resultOf(run, rows, written, named);
    if (made.importId > 0) {
      const ids = written.flatMap((one) => (one.outcome === 'stored' ? one.id : []));
      const own = { entity: 'payments', table: 'payments', ids, make: () => [] } as const;
      auditRun(trx, run, result, { importId: made.importId, lists: [...made.lists, own] });
    }
    await run.progress.pause();
    return { ...result, stored: !dryRun && mayStore(run, result) };
  };
  return dryRun ? inDryRun(db, write) : storeOnce(write);
}

/** So many rows are looked up on file at a time. */
const CHUNK = 4000;
const ROWS_BETWEEN_PAUSES = 1000;

async function draftRows(db: Db, { rows, progress }: Run, named: Named): Promise<DraftedRow[]> {
  const { references } = named;
  // Only sources are ever added: a payment to an unknown supplier pays nothing.
  await references.read(db, [fundingSources]);
  await references.readOnly(db, [suppliers, jobs]);
  const { moneda } = await readSettings(db);
  const drafted: DraftedRow[] = [];
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
      await readCredits(db, named.credits, { uuids, supplierIds: invoices.supplierIds });
    for (const { row, read } of chunk) drafted.push(draftOf(row, read, invoices, named));
    chunk = [];
  };
  for (const row of rows) {
    const done = drafted.length + chunk.length;
    if (done % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', done / rows.length);
    chunk.push({
      row,
      read: row.problems.length > 0 ? undefined : safely(row, () => readRow(row, references, moneda)),
    });
    if (chunk.length === CHUNK) await draftChunk();
  }
  await draftChunk();
  return drafted;
}

/** What cannot be made out of a row refuses it. */
function safely<T>(row: ParsedRow, read: () => T): T | RowRefusal {
  const verdict = judgeSafely(row, () => ({ accepted: read(), warnings: [] }));
  return 'refused' in verdict ? verdict.refused : (verdict as { accepted: T }).accepted;
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
    origenderecursoId: references.named(fundingSources, values, 'origenderecursonombre')?.id ?? null,
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
    // Only what the invoice is looked for by: a search by total takes longer than one by number.
    keys: uuid
      ? { uuid, supplierId: undefined, numfacturaKey: '' }
      : { uuid, supplierId: supplier?.id, numfacturaKey, totalCents: numfacturaKey ? null : totalCents },
    numfactura,
    totalCents,
    supplier,
    job: uuid || !textOf(values, 'jobtitle') ? undefined : references.named(jobs, values, 'jobtitle'),
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

/** Of a row whose cells could be read, the draft, with the invoice and the note that it names. */
function draftOf(
  row: ParsedRow,
  read: ReadRow | RowRefusal | undefined,
  invoices: InvoiceBook<InvoiceOnFile>,
  { credits }: Named,
): DraftedRow {
  const unread = (cell?: RowRefusal): DraftedRow => ({
    line: row.line,
    draft: { refused: { message: cell?.reason ?? '' }, cell },
    warnings: [],
  });
  if (!read || 'field' in read) return unread(read);
  const { draft, invoice: named, credit } = read;
  const { keys, supplier, numfactura } = named;
  const made = safely(row, () => {
    // Of a row that names none at all, the payments' own rules say so.
    if (!keys.uuid && !numfactura && !supplier) return draft;
    const invoice = findPaidInvoice(invoices, named, row.values);
    const facturaproveedorId = invoice.id;
    if (!credit) return { ...draft, facturaproveedorId };
    const { note, isNew } = creditOf(credits, credit, invoice);
    if (isNew) credits.addNew(note);
    return { ...draft, facturaproveedorId, creditNoteId: note.id };
  });
  if ('field' in made) return unread(made);
  return { line: row.line, draft: made, warnings: [...row.warnings, ...read.warnings] };
}

/**
 * What accepted payments refer to and is not there, and the import's own record; each learns the ids of what it names.
 * What was read before the transaction stays as it is: that may be run again.
 */
async function bring(trx: Trx, run: Run, accepted: readonly Asked[], { references, credits }: Named) {
  const [importId = 0] = await reserveIds(trx, 'imports', 1);
  await addRecord(trx, run, importId);
  const context: MakingContext = { db: trx, actor: run.actor, importId };
  const { withId } = references.list(fundingSources);
  const sources = copiesOf(accepted, 'origenderecursoId', (id) => withId(id)!);
  const notes = copiesOf(accepted, 'creditNoteId', (id) => credits.added[-1 - id]!);
  const added = sources.size > 0 ? await addedMeanwhile(trx, [...sources.values()]) : [];
  const lists: NewRows[] = [
    await makeEntries(context, fundingSources, added),
    await makeCredits(context, [...notes.values()]),
  ].filter(({ ids }) => ids.length > 0);
  for (const { table, ids, make } of lists) await insertRows(trx, table, make(0, ids.length) as never);
  for (const asked of accepted) {
    asked.origenderecursoId = sources.get(asked.origenderecursoId!)?.id ?? asked.origenderecursoId;
    asked.creditNoteId = notes.get(asked.creditNoteId!)?.id ?? asked.creditNoteId;
  }
  return { importId, lists };
}

/** Of what payments name by ids below zero a copy each, by those. */
function copiesOf<Row extends object>(
  accepted: readonly Asked[],
  column: 'origenderecursoId' | 'creditNoteId',
  withId: (id: number) => Row,
): Map<number, Row> {
  const ids = accepted.map((asked) => asked[column] ?? 0).filter((id) => id < 0);
  return new Map([...new Set(ids)].map((id) => [id, { ...withId(id) }]));
}

/** Those that nobody has added since they were looked for; the others get their ids. */
async function addedMeanwhile(trx: Trx, entries: readonly ListEntry[]): Promise<ListEntry[]> {
  const list = await readList(trx, fundingSources, { lock: true });
  for (const entry of entries) entry.id = list.named(entry.name)[0]?.id ?? entry.id;
  return entries.filter(({ id }) => id < 0);
}

/** What became of the rows, in the words of their file. */
function resultOf(
  { kind, rows: parsed, options: { columns, onJudged } }: Run,
  rows: readonly DraftedRow[],
  written: readonly WrittenPayment[],
  { credits }: Named,
): TableImport {
  const refused: RefusedRow[] = [];
  const warnings: RowWarning[] = [];
  const sources = new Set<number>();
  const said = new Set<number>();
  const name = new NameRefusals(kind, columns);
  for (const [index, { line, draft, warnings: own }] of rows.entries()) {
    const one = written[index]!;
    if (one.outcome === 'refused') continue;
    const all = [...own];
    if (one.outcome === 'stored' && !('refused' in draft)) {
      const [source, note] = [draft.origenderecursoId ?? 0, draft.creditNoteId ?? 0];
      if (source < 0) sources.add(source);
      if (note < 0 && !said.has(note)) all.push(sayNew(credits.added[-1 - note]!));
      said.add(note);
    }
    for (const reason of [...all, ...one.warnings.map(({ says }) => says)])
      warnings.push({ row: line, reason });
  }
  const outcomes = Map.groupBy(written, ({ outcome }) => outcome);
  const count = (outcome: WrittenPayment['outcome']) => outcomes.get(outcome)?.length ?? 0;
  // The cells are needed only where they are shown.
  if (onJudged || count('refused') > 0) {
    let index = 0;
    for (const row of parsed) {
      const one = written[index]!;
      const { draft } = rows[index++]!;
      if (one.outcome === 'refused') refused.push(refusedRow(row, one.refused, draft, name));
      onJudged?.(one.outcome === 'stored' ? asStored(row, one.asked) : row, one.outcome);
    }
  }
  return {
    rows: rows.length,
    created: count('stored'),
    unchanged: count('unchanged'),
    refused,
    warnings,
    missingCreated: sources.size > 0 ? { [fundingSources.command]: sources.size } : {},
    stored: false,
  };
}

/** A row in another currency as it is stored: in the base one. */
function asStored(row: ParsedRow, { amountCents: paymentamount }: Asked): ParsedRow {
  const { line, raw, values, problems, warnings } = row;
  return values.moneda ? { line, raw, values: { ...values, paymentamount }, problems, warnings } : row;
}

const sayNew = ({ numero, totalCents }: { numero: string; totalCents: number }): string =>
  `Se da de alta la nota de crédito ${numero || 'sin número'} por ${formatMoney(totalCents)}.`;

/** In which column of a table stands what a rule is about. */
const COLUMN_OF: Readonly<Record<string, string>> = {
  facturaproveedorId: 'numfactura',
  origenderecursoId: 'origenderecursonombre',
};

function refusedRow(
  row: ParsedRow,
  { message, code, kind = 'invalid', field, fields = {} }: BrokenRule,
  draft: DraftedRow['draft'],
  name: NameRefusals,
): RefusedRow {
  if (row.problems.length > 0) return name.ofCells(row);
  const cell = 'refused' in draft ? draft.cell : undefined;
  if (cell) return name.ofRow(row, cell);
  const at = field ?? Object.keys(fields)[0] ?? '';
  const reason = message;
  return name.ofRow(row, { field: COLUMN_OF[at] ?? at, reason, code: code ?? kind.replaceAll('-', '_') });
}
