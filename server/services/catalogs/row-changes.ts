import { isViolation } from '../../../db/errors.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import type { CatalogFieldValues } from '../../../shared/catalogs/rules.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { readLastDeleted, requireCurrentVersion } from '../stored-rows.ts';
import { requireOneWritten, type WriteOutcome } from '../write-drafts.ts';
import { fieldValuesOf, lockAndReadCatalogRows } from './facts.ts';
import { asCatalogDb, asCatalogTable, type CatalogRow, rowNotFoundText } from './reading.ts';
import { inUseError, requireUnused } from './removal.ts';
import { STALE_MESSAGE } from './rules.ts';
import { writeEntries } from './write.ts';

interface RowAndWarnings {
  row: CatalogRow;
  warnings: string[];
}

/** @throws DomainError of the broken rule (rules.ts) */
export const createRow = async (
  db: Db,
  actor: Actor,
  catalog: Catalog,
  draft: CatalogFieldValues,
): Promise<RowAndWarnings> => requireRowAndWarnings(await writeEntries(db, actor, catalog, [{ draft }]));

/** Without `version`, whatever is stored is overwritten. @throws DomainError of the broken rule */
export const updateRow = async (
  db: Db,
  actor: Actor,
  catalog: Catalog,
  id: number,
  draft: CatalogFieldValues,
  version?: number,
): Promise<RowAndWarnings> =>
  requireRowAndWarnings(await writeEntries(db, actor, catalog, [{ draft, id, version }]));

/** @throws DomainError not-found, stale, conflict in_use (the message counts what refers to the row) */
export async function deleteRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  id: number,
  version?: number,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const [before] = await lockAndReadCatalogRows(trx, catalog, [id]);
    if (!before) throw new DomainError('not-found', rowNotFoundText(catalog, id));
    requireCurrentVersion(before, version, STALE_MESSAGE);
    await requireUnused(trx, catalog, before);
    const origin = await asCatalogDb(trx)
      .selectFrom(asCatalogTable(catalog))
      .select(['createdAt', 'importId'])
      .where('id', '=', id)
      .executeTakeFirst();
    await asCatalogDb(trx)
      .deleteFrom(asCatalogTable(catalog))
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        throw isViolation(error, 'reference')
          ? inUseError('No se puede eliminar: hay registros que lo usan.')
          : error;
      });
    queueAuditEntry(trx, actor, {
      action: 'delete',
      entity: catalog.noun,
      entityId: id,
      before: { ...before, ...origin },
    });
  });
}

/** @throws DomainError not-found where no row with this id was deleted; otherwise the error of the broken rule */
export const restoreRow = (db: Db, actor: Actor, catalog: Catalog, id: number): Promise<CatalogRow> =>
  inTransaction(db, async (trx) => {
    const deleted = await readLastDeleted<CatalogRow>(trx, catalog.noun, id);
    if (!deleted)
      throw new DomainError('not-found', `No existe ${catalog.texts.one} ${id} entre lo eliminado.`);
    const draft = fieldValuesOf(catalog, deleted);
    return requireRowAndWarnings(await writeEntries(trx, actor, catalog, [{ draft, id, deleted }])).row;
  });

function requireRowAndWarnings(outcomes: readonly WriteOutcome<unknown, CatalogRow>[]): RowAndWarnings {
  const { row, warnings } = requireOneWritten(outcomes);
  return { row, warnings };
}
