import { type RawBuilder, sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import { forUpdateInTransaction, isOneOf, isOneOfTexts, lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { chunks } from '../stored-rows.ts';
import type { InvoiceBook, InvoiceIdentity, InvoiceOnFile } from './book.ts';

export interface InvoiceKeys {
  uuid: string | null;
  /** Zero or below is a supplier that is not on file and so has no invoices. */
  supplierId: number | undefined;
  numfacturaKey: string;
  totalCents?: Cents | null;
}

export interface BookRows<Known extends InvoiceIdentity, Row> {
  columns: RawBuilder<unknown>;
  joins?: RawBuilder<unknown>;
  toKnown: (row: Row) => Known;
}

export const IDENTITY = [
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

export const identityRows: BookRows<InvoiceOnFile, InvoiceOnFile> = {
  columns: ofInvoices(IDENTITY),
  toKnown: (row) => row,
};

export function ofInvoices(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((name) => sql.ref(`invoices.${name}`)));
}

/**
 * Until the transaction ends nobody else can store an invoice by its number, so that numbers read stay free. SQLite has
 * a single writer anyway.
 */
export const holdNumbers = (trx: Trx): Promise<void> => lockKey(trx, 'invoice-numbers');

interface Options {
  /** Locks the rows until the transaction ends. */
  hold?: boolean;
  /** Restricts invoices found by total alone to those issued on these days, and undated ones. */
  issued?: { from: PlainDate; to: PlainDate };
  /** Suppliers of which all invoices are read that replaced another one or were unlinked; there are few. */
  supplierIds?: readonly number[];
  pause?: () => Promise<void>;
}

/**
 * Reads the invoices on file that match these keys, each by its own index: the time depends on the number of keys,
 * hardly on how many invoices there are.
 */
export async function readBook<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  rows: BookRows<Known, Row>,
  keys: Iterable<InvoiceKeys>,
  { hold = false, issued, supplierIds = [], pause = async () => {} }: Options = {},
): Promise<void> {
  const wanted = wantedOf(keys);
  const then = issued
    ? sql`and (invoices.fechaemision is null or invoices.fechaemision between ${issued.from} and ${issued.to})`
    : sql``;
  const totalled = sql`invoices."totalCents" = w.t and invoices."supplierId" = w.s ${then}`;
  const ways = [
    idsOf(db, { u: 'text' }, wanted.uuids, sql`invoices.uuid = w.u`),
    idsOf(db, { u: 'text' }, wanted.uuids, sql`invoices."formerUuid" = w.u`),
    idsOf(
      db,
      { s: 'bigint', k: 'text' },
      wanted.numbers,
      sql`invoices."supplierId" = w.s and invoices."numfacturaKey" = w.k`,
    ),
    idsOf(db, { s: 'bigint', t: 'bigint' }, wanted.totals, totalled),
    [...chunks(supplierIds)].map(
      (some) =>
        sql`select invoices.id from invoices where invoices."formerUuid" is not null
          and ${isOneOf(db, 'invoices.supplierId', some)}`,
    ),
    // No index serves a number without its supplier, so that the numbers are scanned once for all keys.
    [...chunks(wanted.loose)].map(
      (some) =>
        sql`select invoices.id from invoices where ${isOneOfTexts(db, 'invoices.numfacturaKey', some)}`,
    ),
  ];
  for (let part = 0; part < Math.max(...ways.map(({ length }) => length)); part++) {
    const ids = sql.join(
      ways.flatMap((some) => some[part] ?? []),
      sql` union `,
    );
    await readInto(db, book, rows, { where: sql`invoices.id in (${ids})`, hold });
    await pause();
  }
}

/** Returns queries for the ids of the invoices that match these rows, one query per chunk. */
const idsOf = <Columns extends Parameters<typeof valuesTable>[1]>(
  db: Db,
  columns: Columns,
  rows: Parameters<typeof valuesTable<Columns>>[2],
  on: RawBuilder<unknown>,
) =>
  [...chunks(rows)].map(
    (some) =>
      sql`select invoices.id from ${valuesTable(db, columns, some)} as w cross join invoices where ${on}`,
  );

/** Reads and locks these invoices until the transaction ends. */
export async function readByIds<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  rows: BookRows<Known, Row>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const where = isOneOf(db, 'invoices.id', ids);
  await readInto(db, book, rows, { where: sql`${where}`, hold: true });
}

async function readInto<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  { columns, joins = sql``, toKnown }: BookRows<Known, Row>,
  { where, hold }: { where: RawBuilder<unknown>; hold: boolean },
): Promise<void> {
  const lock = hold ? forUpdateInTransaction(db, 'invoices') : sql``;
  const { rows } = await sql<Row>`
    select ${columns} from invoices ${joins} where ${where} order by invoices.id ${lock}`.execute(db);
  for (const row of rows) book.add(toKnown(row));
}

function wantedOf(keys: Iterable<InvoiceKeys>) {
  const uuids = new Set<string>();
  const numbers = new Map<string, { s: number; k: string }>();
  const totals = new Map<string, { s: number; t: Cents }>();
  const loose = new Set<string>();
  for (const { uuid, supplierId, numfacturaKey: key, totalCents } of keys) {
    if (uuid) uuids.add(uuid);
    if (supplierId === undefined) {
      if (key) loose.add(key);
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
    loose: [...loose],
  };
}
