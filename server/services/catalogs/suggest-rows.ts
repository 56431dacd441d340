import { type Expression, type SqlBool, sql } from 'kysely';
import { foldedContains, isOneOf, orderPrefixFirst } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { soundsLike } from '../../../shared/text.ts';
import { asCatalogDb, asCatalogTable, type CatalogRow, selectCatalogColumns, toRow } from './reading.ts';

export const MAX_SUGGESTIONS = 8;

/**
 * Finds rows whose names contain `text`, sorted by name, those that begin with it first. Without `text`, these are the
 * first rows of the list. If no name contains the text, finds names that sound like it.
 */
export async function suggestRows(db: Db, catalog: Catalog, text: string): Promise<CatalogRow[]> {
  const table = asCatalogTable(catalog);
  const name = sql<string>`${sql.ref(`${table}.${catalog.foldField}`)}`;
  const selectMatchingRows = (condition: Expression<SqlBool>) =>
    selectCatalogColumns(asCatalogDb(db).selectFrom(table).where(condition), catalog)
      .orderBy(orderPrefixFirst(name, text))
      .orderBy(name)
      .orderBy(sql.ref(`${table}.id`))
      .limit(MAX_SUGGESTIONS)
      .execute();
  const found = await selectMatchingRows(foldedContains(name, text));
  if (found.length > 0) return found.map((row) => toRow(catalog, row));
  const { rows: all } = await sql<{ id: number; name: string }>`
    select id, ${name} as name from ${sql.table(table)}`.execute(db);
  const ids = all.filter((one) => soundsLike(one.name, text)).map(({ id }) => id);
  const similar = ids.length > 0 ? await selectMatchingRows(isOneOf(db, `${table}.id`, ids)) : [];
  return similar.map((row) => toRow(catalog, row));
}
