import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { FilterFact, ListExport } from '../../formats/sheets/list-export.ts';
import type { SheetPart } from '../../formats/sheets/sheet.ts';
import { type CatalogQuery, type CatalogRow, searchCatalog } from '../catalogs/reading.ts';
import { catalogSheet } from './catalogs-sheet.ts';

/** One of the five lists, or what a search finds in it. */
export function catalogExport(
  db: Db,
  catalog: Catalog,
  query: Pick<CatalogQuery, 'text' | 'sort' | 'direction' | 'cursor'> & SheetPart,
  { today, facts }: { today: PlainDate; facts: readonly FilterFact[] },
): ListExport<CatalogRow> {
  const { list, one, many } = catalog.texts;
  const { text, limit = Number.POSITIVE_INFINITY } = query;
  return {
    file: `${list} ${today}`,
    title: list,
    filters: facts,
    noun: [one.replace(/^(el|la) /, ''), many],
    sheet: catalogSheet(db, catalog, query),
    count: async () => Math.min((await searchCatalog(db, catalog, { text, limit: 1 })).total, limit),
    toRecords: (rows) => rows,
  };
}
