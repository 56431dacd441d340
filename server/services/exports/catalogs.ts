import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import {
  type Cell,
  dayCell,
  exportFromSearch,
  type LimitAndCursor,
  moneyCell,
  type PartialListExport,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { catalogShapes } from '../../shapes/catalogs.ts';
import { type CatalogQuery, type CatalogRow, searchCatalog } from '../catalogs/reading.ts';

export function catalogExport(
  db: Db,
  catalog: Catalog,
  query: Pick<CatalogQuery, 'text' | 'sort' | 'direction' | 'cursor' | 'today'> & LimitAndCursor,
): PartialListExport<CatalogRow> {
  const { columns: shown, fields } = catalog;
  const others = fields.map(({ name }) => name).filter((name) => !shown.includes(name));
  return exportFromSearch(query, {
    columns: ['id', ...shown, ...others].map((name) => columnOf(catalog, name)),
    search: (page) => searchCatalog(db, catalog, { ...query, ...page }),
    count: async () =>
      (await searchCatalog(db, catalog, { ...query, sort: 'id', cursor: undefined, limit: 1 })).count,
    toRecords: (rows) => rows.map(catalogShapes[catalog.noun]!.row.toJson),
  });
}

function columnOf(catalog: Catalog, name: string): SheetColumn<CatalogRow> {
  const field = catalog.fields.find((one) => one.name === name);
  if (!field) return { name, heading: 'ID', cell: (row) => row.id };
  const { label: heading, type, ref, cents } = field;
  if (type === 'date') return { name, heading, cell: (row) => dayCell(row[name] as string | null) };
  if (cents)
    return {
      name,
      heading,
      cell: (row) => (row[cents] === null ? null : moneyCell(Number(row[cents]))),
      sum: false,
    };
  if (!ref) return { name, heading, cell: (row) => row[name] as Cell };
  const { nameField } = catalogOf(ref);
  const member = name.replace(/Id$/, '');
  return {
    name: nameField,
    heading,
    cell: (row) => (row[member] as Record<string, Cell>)[nameField] ?? null,
  };
}
