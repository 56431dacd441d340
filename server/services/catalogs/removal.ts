import { type RawBuilder, sql } from 'kysely';
import { isViolation } from '../../../db/errors.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { DomainError } from '../../../shared/errors.ts';
import { ADMIN_ROLE, describeMissingPrivileges } from '../../../shared/roles.ts';
import type { Actor } from '../audit/audit.ts';
import { type DatabaseWithFolder, deleteAllRowsWithCopy } from '../delete-all.ts';
import { asCatalogDb, asCatalogTable, type CatalogRow } from './reading.ts';

/**
 * Refuses if the list changes between copy and deletion, so that the copy has exactly what was deleted.
 * @throws DomainError forbidden (role 3 only), conflict in_use or list_changed
 */
export async function backUpAndDeleteAll(
  at: DatabaseWithFolder,
  actor: Actor,
  catalog: Catalog,
): Promise<void> {
  if (!actor.roles.includes(ADMIN_ROLE))
    throw new DomainError('forbidden', describeMissingPrivileges(actor.username));
  await requireNoRowUsed(at.db, catalog);
  const versionsBefore = await readVersionFingerprint(at.db, catalog);
  await deleteAllRowsWithCopy(at, actor, catalog.noun, async (trx) => {
    if ((await readVersionFingerprint(trx, catalog)) !== versionsBefore) {
      const message = 'La lista cambió mientras se respaldaba. Intenta de nuevo.';
      throw new DomainError('conflict', message, { code: 'list_changed' });
    }
    await requireNoRowUsed(trx, catalog);
    return asCatalogDb(trx)
      .deleteFrom(asCatalogTable(catalog))
      .returningAll()
      .execute()
      .catch((error: unknown) => {
        throw isViolation(error, 'reference') ? inUseError('No se puede vaciar la lista.') : error;
      });
  });
}

/** @throws DomainError conflict in_use: "No se puede eliminar el proveedor «X»: 3 facturas lo usan." */
export async function requireUnused(trx: Trx, catalog: Catalog, row: CatalogRow): Promise<void> {
  for (const { table, column, one, many } of catalog.referredBy) {
    const uses = await countRows(
      trx,
      sql`count(*) from ${sql.table(table)} where ${sql.ref(column)} = ${row.id}`,
    );
    if (uses === 0) continue;
    const it = catalog.texts.one.startsWith('la ') ? 'la' : 'lo';
    const users = uses === 1 ? `${one} ${it} usa` : `${uses} ${many} ${it} usan`;
    throw inUseError(`No se puede eliminar ${catalog.texts.one} «${row[catalog.nameField]}»: ${users}.`);
  }
}

export const inUseError = (message: string) => new DomainError('conflict', message, { code: 'in_use' });

async function requireNoRowUsed(db: Db, catalog: Catalog): Promise<void> {
  for (const { table, column, many } of catalog.referredBy) {
    const used = await countRows(db, sql`count(distinct ${sql.ref(column)}) from ${sql.table(table)}`);
    if (used === 0) continue;
    const users = used === 1 ? 'un registro tiene' : `${used} registros tienen`;
    throw inUseError(`No se puede vaciar la lista: ${users} ${many}.`);
  }
}

async function countRows(db: Db, counted: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select (select ${counted}) as count`.execute(db);
  return rows[0]!.count;
}

async function readVersionFingerprint(db: Db, catalog: Catalog): Promise<string> {
  const rows = await asCatalogDb(db)
    .selectFrom(asCatalogTable(catalog))
    .select(['id', 'version'])
    .orderBy('id')
    .execute();
  return rows.map(({ id, version }) => `${id}:${version}`).join();
}
