import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../shared/dates.ts';
import { takenBy } from './expressions.ts';
import { dialectOf } from './open.ts';
import { RolledChanges } from './rolling.ts';
import type { Db, Schema, Trx } from './schema.ts';
import type { OpenImportRowsTable } from './tables/imports.ts';

/** The rows that an import will have stored in a table; their ids follow one another. */
interface ImportedRange extends Pick<OpenImportRowsTable, 'firstId' | 'lastId'> {
  table: keyof Schema;
}

export interface OpenImport {
  id: number;
  owner: string;
  beatAt: Instant;
}

/** The import was taken back by somebody who held its owner for dead. */
export class ImportTakenBack extends Error {}

export const findOpenImports = (db: Db): Promise<OpenImport[]> =>
  db.selectFrom('open_imports').select(['id', 'owner', 'beatAt']).orderBy('id').execute();

/**
 * Says that an import is under way. What it stores from now on is its own until it is closed: nobody else changes it
 * or refers to it.
 * @param ranges in the order in which they refer to one another
 * @param isHidden whether nobody sees it either
 */
export async function openImport(
  trx: Trx,
  marker: OpenImport,
  ranges: readonly ImportedRange[],
  isHidden: boolean,
): Promise<void> {
  await trx.insertInto('open_imports').values(marker).execute();
  const { id } = marker;
  const own: ImportedRange = { table: 'imports', firstId: id, lastId: id };
  const rows = [own, ...ranges].map((range, place) => ({
    importId: id,
    place,
    ...range,
    isHidden: Number(isHidden),
    isGuarded: 1,
  }));
  await trx.insertInto('open_import_rows').values(rows).execute();
}

/**
 * Runs what the import itself does to its rows; with the transaction's end they are everybody else's no more. What it
 * changes of invoices and payments `work` tells `rolls`, since nobody notes it.
 * @throws ImportTakenBack where it is not this owner's, or not at all
 */
export async function asImport<T>(
  trx: Trx,
  { id, owner, beatAt }: OpenImport,
  work: (rolls: RolledChanges) => Promise<T>,
): Promise<T> {
  const { numUpdatedRows } = await trx
    .updateTable('open_imports')
    .set({ beatAt, rollsItself: 1 })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ImportTakenBack();
  const guard = (isGuarded: 0 | 1) =>
    trx.updateTable('open_import_rows').set({ isGuarded }).where('importId', '=', id).execute();
  await guard(0);
  const rolls = new RolledChanges(trx);
  const result = await work(rolls);
  await rolls.fold();
  await guard(1);
  await trx.updateTable('open_imports').set({ rollsItself: 0 }).where('id', '=', id).execute();
  return result;
}

/** Its rows are like all others now. */
export async function closeImport(trx: Trx, importId: number): Promise<void> {
  await trx.deleteFrom('open_imports').where('id', '=', importId).execute();
}

/**
 * Somebody else goes on with it: takes it back. Its beat counts at once, or a third one would take this heir for dead.
 * @returns whether it was still of that owner
 */
export async function takeOver(
  trx: Trx,
  { id, owner }: OpenImport,
  heir: Pick<OpenImport, 'owner' | 'beatAt'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('open_imports')
    .set({ owner: heir.owner, beatAt: heir.beatAt })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Rows that are taken back with one statement. */
const TAKEN_AT_ONCE = 500;

/**
 * Takes back what an import has stored, the last first, for as long as `mayGoOn` says; each part leaves every paid sum
 * as it must be. Within `asImport`.
 * @returns whether nothing is left of it, itself included
 */
export async function takeBack(
  trx: Trx,
  importId: number,
  { rolls, mayGoOn }: { rolls: RolledChanges; mayGoOn: () => boolean },
): Promise<boolean> {
  const ranges = await trx
    .selectFrom('open_import_rows')
    .selectAll()
    .where('importId', '=', importId)
    .orderBy('place', 'desc')
    .execute();
  for (const { table, firstId, lastId } of ranges) {
    if (table === 'imports') continue;
    const own = sql.table(table);
    for (;;) {
      const { rows } = await sql<{
        id: number;
      }>`select id from ${own} where id between ${firstId} and ${lastId}
        order by id desc limit ${TAKEN_AT_ONCE}`.execute(trx);
      const from = rows.at(-1)?.id;
      if (from === undefined) break;
      if (table === 'payments') await addPaid(trx, { importId, from, to: lastId }, { sign: sql`-`, rolls });
      await rolls.before(table, sql<SqlBool>`id between ${from} and ${lastId}`);
      await sql`delete from ${own} where id between ${from} and ${lastId}`.execute(trx);
      if (!mayGoOn()) return false;
    }
  }
  // What was kept of its rows for the audit trail goes while the import is known to be under way.
  await trx.deleteFrom('audit_rows').where('importId', '=', importId).execute();
  await closeImport(trx, importId);
  await trx.deleteFrom('imports').where('id', '=', importId).execute();
  return true;
}

/** Those of an import's payments whose ids lie between two. */
export interface StoredPayments {
  importId: number;
  from: number;
  to: number;
}

/**
 * Nobody else pays what these payments pay, nor applies the same credit notes, until the transaction ends: taken as
 * late as can be, and in one order, so that no two wait for each other. SQLite lets nobody anyway.
 */
export async function holdPaid(trx: Trx, { importId, from, to }: StoredPayments): Promise<void> {
  if (dialectOf(trx) !== 'postgres') return;
  for (const [table, column] of [
    ['invoices', 'facturaproveedorId'],
    ['credit_notes', 'creditNoteId'],
  ] as const)
    await sql`select from ${sql.table(table)} where id in (
        select ${sql.ref(column)} from payments where id between ${from} and ${to} and "importId" = ${importId})
      order by id for no key update`.execute(trx);
}

/**
 * Adds payments that are stored to what is paid of their invoices, and applied of their credit notes, or takes them
 * off; each of these is changed once, however often it is paid.
 */
export async function addPaid(
  trx: Trx,
  { importId, from, to }: StoredPayments,
  { sign = sql`+`, rolls }: { sign?: RawBuilder<unknown>; rolls?: RolledChanges } = {},
): Promise<void> {
  const stored = sql`id between ${from} and ${to} and "importId" = ${importId}`;
  const paid = sql<SqlBool>`id in (select "facturaproveedorId" from payments where ${stored})`;
  await rolls?.before('invoices', paid);
  await sql`update invoices set "paidCents" = "paidCents" ${sign} w.cents from (
      select "facturaproveedorId" as id, sum("amountCents") as cents from payments
      where ${stored} group by 1) as w where invoices.id = w.id`.execute(trx);
  await rolls?.after('invoices', paid);
  await sql`update credit_notes set "appliedCents" = "appliedCents" ${sign} w.cents from (
      select "creditNoteId" as id, sum(${takenBy('payments')}) as cents from payments
      where ${stored} and "creditNoteId" is not null group by 1) as w
    where credit_notes.id = w.id`.execute(trx);
}
