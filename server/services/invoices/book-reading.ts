import { type RawBuilder, sql } from 'kysely';
import { listed } from '../../../db/bulk.ts';
import { forUpdateOf, isOneOf, lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { parts } from '../stored-rows.ts';
import type { InvoiceBook, InvoiceIdentity, InvoiceOnFile } from './book.ts';

export interface InvoiceKeys {
  uuid: string | null;
  /** zero or below: not on file, and so has none */
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
 * While the transaction lasts, nobody else stores an invoice by its number: what is read of a number stays so. On
 * SQLite only one writes anyway.
 */
export const holdNumbers = (trx: Trx): Promise<void> => lockKey(trx, 'invoice-numbers');

interface Options {
  /** what is read stays as it is until the transaction ends */
  hold?: boolean;
  /** of those that only a total names, these days' and the undated */
  issued?: { from: PlainDate; to: PlainDate };
  pause?: () => Promise<void>;
}

/**
 * Reads the invoices on file that these may be or look like, each by its index: what this takes depends on the
 * keys, hardly on how much is on file.
 */
export async function readBook<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  rows: BookRows<Known, Row>,
  keys: Iterable<InvoiceKeys>,
  { hold = false, issued, pause = async () => {} }: Options = {},
): Promise<void> {
  const wanted = wantedOf(keys);
  if (Object.values(wanted).every((one) => one.length === 0)) return;
  const { rows: first } = await sql`select 1 from invoices limit 1`.execute(db);
  if (first.length === 0) return;
  const read = async (table: RawBuilder<unknown>, on: RawBuilder<unknown>) => {
    const from = sql`${table} as w cross join invoices`;
    await readInto(db, book, rows, { from, where: on, hold });
    await pause();
  };
  for (const uuids of parts(wanted.uuids)) {
    const table = listed(db, { u: 'text' }, uuids);
    await read(table, sql`invoices.uuid = w.u`);
    await read(table, sql`invoices."formerUuid" = w.u`);
  }
  for (const pairs of parts(wanted.numbers))
    await read(
      listed(db, { s: 'bigint', k: 'text' }, pairs),
      sql`invoices."supplierId" = w.s and invoices."numfacturaKey" = w.k`,
    );
  const then = issued
    ? sql`and (invoices.fechaemision is null or invoices.fechaemision between ${issued.from} and ${issued.to})`
    : sql``;
  for (const pairs of parts(wanted.totals))
    await read(
      listed(db, { s: 'bigint', t: 'bigint' }, pairs),
      sql`invoices."totalCents" = w.t and invoices."supplierId" = w.s ${then}`,
    );
  for (const loose of parts(wanted.loose))
    await read(listed(db, { k: 'text' }, loose), sql`invoices."numfacturaKey" = w.k`);
}

/** The few of these suppliers that came in another's place, or whose document was let go. */
export async function readReplaced<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  rows: BookRows<Known, Row>,
  supplierIds: readonly number[],
): Promise<void> {
  if (supplierIds.length === 0) return;
  const where = sql`invoices."formerUuid" is not null and ${isOneOf(db, 'invoices.supplierId', supplierIds)}`;
  await readInto(db, book, rows, { from: sql`invoices`, where, hold: true });
}

/** These, which stay as they are until the transaction ends. */
export async function readByIds<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  rows: BookRows<Known, Row>,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const where = isOneOf(db, 'invoices.id', ids);
  await readInto(db, book, rows, { from: sql`invoices`, where: sql`${where}`, hold: true });
}

async function readInto<Known extends InvoiceIdentity, Row>(
  db: Db,
  book: InvoiceBook<Known>,
  { columns, joins = sql``, toKnown }: BookRows<Known, Row>,
  { from, where, hold }: { from: RawBuilder<unknown>; where: RawBuilder<unknown>; hold: boolean },
): Promise<void> {
  const lock = hold ? forUpdateOf(db, 'invoices') : sql``;
  const { rows } = await sql<Row>`
    select ${columns} from ${from} ${joins} where ${where} order by invoices.id ${lock}`.execute(db);
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
    loose: [...loose].map((k) => ({ k })),
  };
}
