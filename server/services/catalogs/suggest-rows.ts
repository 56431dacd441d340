import { sql } from 'kysely';
import { foldedContains, orderPrefixFirst } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { asCatalogDb, type CatalogRow, catalogTableOf, selectRows, toRow } from './reading.ts';

export const MAX_SUGGESTIONS = 8;

/** Sorted by name, those that begin with `text` first. Without `text`, the first rows of the list. */
export async function suggestRows(db: Db, catalog: Catalog, text: string): Promise<CatalogRow[]> {
  const table = catalogTableOf(catalog);
  const name = sql<string>`${sql.ref(`${table}.${catalog.foldField}`)}`;
  const matching = asCatalogDb(db).selectFrom(table).where(foldedContains(name, text));
  const rows = await selectRows(matching, catalog)
    .orderBy(orderPrefixFirst(name, text))
    .orderBy(name)
    .orderBy(sql.ref(`${table}.id`))
    .limit(MAX_SUGGESTIONS)
    .execute();
  return rows.map((row) => toRow(catalog, row));
}
