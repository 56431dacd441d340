import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { ListExport } from '../../formats/sheets/list-export.ts';
import type { SheetPart } from '../../formats/sheets/sheet.ts';
import { type CatalogQuery, type CatalogRow, searchCatalog } from '../catalogs/reading.ts';
import { catalogSheet } from './catalogs-sheet.ts';
import { factsOf } from './filter-words.ts';

/** One of the five lists, or what a search finds in it. */
export function catalogExport(
  db: Db,
  catalog: Catalog,
  query: Pick<CatalogQuery, 'text' | 'sort' | 'direction' | 'cursor'> & SheetPart,
  today: PlainDate,
): ListExport<CatalogRow> {
  const { list, one, many, filter } = catalog.texts;
  const { text, limit = Number.POSITIVE_INFINITY } = query;
  return {
    file: `${list} ${today}`,
    title: list,
    filters: factsOf({ [filter]: text }),
    noun: [one.replace(/^(el|la) /, ''), many],
    sheet: catalogSheet(db, catalog, query),
    count: async () => Math.min((await searchCatalog(db, catalog, { text, limit: 1 })).total, limit),
    toRecords: (rows) => rows,
  };
}
