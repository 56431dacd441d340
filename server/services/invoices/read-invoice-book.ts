import { type RawBuilder, sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import { forUpdateInTransaction, isOneOf, isOneOfTexts, lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { splitIntoChunks } from '../stored-rows.ts';
import type { InvoiceBook, InvoiceIdentity, StoredInvoiceIdentity } from './invoice-book.ts';

export interface InvoiceKeys {
  uuid: string | null;
  /** Zero or below for a supplier that is not stored, which has no invoices. */
  supplierId: number | undefined;
  numfacturaKey: string;
  totalCents?: Cents | null;
}

export interface BookRowMapping<Entry extends InvoiceIdentity, Row> {
  columns: RawBuilder<unknown>;
  joins?: RawBuilder<unknown>;
  toEntry: (row: Row) => Entry;
}

export const IDENTITY_COLUMNS = [
  'id',
  'uuid',
  'formerUuid',
  'supplierId',
  'jobId',
  'numfactura',
  'numfacturaKey',
  'fechaemision',
  'totalCents',
] as const satisfies ReadonlyArray<keyof InvoiceIdentity>;

export const identityRowMapping: BookRowMapping<StoredInvoiceIdentity, StoredInvoiceIdentity> = {
  columns: qualifyInvoiceColumns(IDENTITY_COLUMNS),
  toEntry: (row) => row,
};

export function qualifyInvoiceColumns(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(`invoices.${name}`)));
}

/** Until the transaction ends nobody else can store a number, so that numbers that were found free stay free. */
export const lockInvoiceNumbers = (trx: Trx): Promise<void> => lockAdvisoryKey(trx, 'invoice-numbers');

interface FillInvoiceBookOptions {
  lock?: boolean;
  /** Restricts invoices found by total alone to those issued on these days, and undated ones. */
  totalsIssuedBetween?: { from: PlainDate; to: PlainDate };
  /** For these suppliers, also reads the few invoices that replaced another one or were unlinked from a CFDI. */
  supplierIds?: readonly number[];
  pause?: () => Promise<void>;
}

/** Each kind of key has an index, so the time depends on the number of keys rather than on that of invoices. */
export async function fillInvoiceBook<Entry extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Entry>,
  rows: BookRowMapping<Entry, Row>,
  keys: Iterable<InvoiceKeys>,
  {
    lock = false,
    totalsIssuedBetween,
    supplierIds = [],
    pause = async () => {},
  }: FillInvoiceBookOptions = {},
): Promise<void> {
  const wanted = groupKeys(keys);
  const issuedCondition = totalsIssuedBetween
    ? sql`and (invoices.fechaemision is null or invoices.fechaemision between ${totalsIssuedBetween.from} and ${totalsIssuedBetween.to})`
    : sql``;
  const totalCondition = sql`invoices."totalCents" = w.t and invoices."supplierId" = w.s ${issuedCondition}`;
  const lookups = [
    buildIdQueries(db, { u: 'text' }, wanted.uuids, sql`invoices.uuid = w.u`),
    buildIdQueries(db, { u: 'text' }, wanted.uuids, sql`invoices."formerUuid" = w.u`),
    buildIdQueries(
      db,
      { s: 'bigint', k: 'text' },
      wanted.numbers,
      sql`invoices."supplierId" = w.s and invoices."numfacturaKey" = w.k`,
    ),
    buildIdQueries(db, { s: 'bigint', t: 'bigint' }, wanted.totals, totalCondition),
    [...splitIntoChunks(supplierIds)].map(
      (chunk) =>
        sql`select invoices.id from invoices where invoices."formerUuid" is not null
          and ${isOneOf(db, 'invoices.supplierId', chunk)}`,
    ),
    // No index serves a number without its supplier, so all numbers are scanned once for all keys.
    [...splitIntoChunks(wanted.numbersOfAnySupplier)].map(
      (chunk) =>
        sql`select invoices.id from invoices where ${isOneOfTexts(db, 'invoices.numfacturaKey', chunk)}`,
    ),
  ];
  for (let index = 0; index < Math.max(...lookups.map(({ length }) => length)); index++) {
    const ids = sql.join(
      lookups.flatMap((chunk) => chunk[index] ?? []),
      sql` union `,
    );
    await readInvoicesIntoBook(db, book, rows, { where: sql`invoices.id in (${ids})`, lock });
    await pause();
  }
}

const buildIdQueries = <Columns extends Parameters<typeof valuesTable>[1]>(
  db: Db,
  columns: Columns,
  rows: Exclude<Parameters<typeof valuesTable<Columns>>[2], string>,
  on: RawBuilder<unknown>,
) =>
  [...splitIntoChunks(rows)].map(
    (chunk) =>
      sql`select invoices.id from ${valuesTable(db, columns, chunk)} as w cross join invoices where ${on}`,
  );

export async function fillInvoiceBookByIds<Entry extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Entry>,
  rows: BookRowMapping<Entry, Row>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const where = isOneOf(db, 'invoices.id', ids);
  await readInvoicesIntoBook(db, book, rows, { where: sql`${where}`, lock: true });
}

async function readInvoicesIntoBook<Entry extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Entry>,
  { columns, joins = sql``, toEntry }: BookRowMapping<Entry, Row>,
  { where, lock: locksRows }: { where: RawBuilder<unknown>; lock: boolean },
): Promise<void> {
  const lockClause = locksRows ? forUpdateInTransaction(db, 'invoices') : sql``;
  const { rows } = await sql<Row>`
    select ${columns} from invoices ${joins} where ${where} order by invoices.id ${lockClause}`.execute(db);
  for (const row of rows) book.add(toEntry(row));
}

function groupKeys(keys: Iterable<InvoiceKeys>) {
  const uuids = new Set<string>();
  const numbers = new Map<string, { s: number; k: string }>();
  const totals = new Map<string, { s: number; t: Cents }>();
  const numbersOfAnySupplier = new Set<string>();
  for (const { uuid, supplierId, numfacturaKey: key, totalCents } of keys) {
    if (uuid) uuids.add(uuid);
    if (supplierId === undefined) {
      if (key) numbersOfAnySupplier.add(key);
      continue;
    }
    if (supplierId <= 0) continue;
    if (key) numbers.set(`${supplierId}:${key}`, { s: supplierId, k: key });
    if (totalCents !== null && totalCents !== undefined)
      totals.set(`${supplierId}:${totalCents}`, { s: supplierId, t: totalCents });
  }
  return {
    uuids: [...uuids].map((u) => ({ u })),
    numbers: [...numbers.values()],
    totals: [...totals.values()],
    numbersOfAnySupplier: [...numbersOfAnySupplier],
  };
}
