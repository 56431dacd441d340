import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { foldedContains, foldedSortExpression, isOneOf } from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  orderByIds,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import {
  type Catalog,
  columnNameOf,
  describeCatalogPickerSorts,
  FIGURE_SORTS,
} from '../../../shared/catalogs/catalog.ts';
import type { CatalogValue } from '../../../shared/catalogs/rules.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { fold } from '../../../shared/text.ts';
import { sortRows, takePage } from '../rows-in-memory.ts';
import { readSortFigureLookup } from './figures.ts';

/** A row as it is shown: id, the definition's fields, version; a job also has its client by name. */
export interface CatalogRow {
  id: number;
  version: number;
  [field: string]: CatalogValue | Record<string, CatalogValue>;
}

export interface CatalogQuery extends PagingOptions {
  /** part of the name; case and accents are ignored */
  text?: string;
  /** one of describeCatalogListSorts, or the name field */
  sort?: string;
  today: PlainDate;
}

/** Rows with equal values are sorted by id, so that each row is on exactly one page. */
export async function searchCatalog(
  db: Db,
  catalog: Catalog,
  { text = '', sort = 'id', today, ...page }: CatalogQuery,
): Promise<Page<CatalogRow> & { count: number }> {
  const table = asCatalogTable(catalog);
  const id = `${table}.id`;
  const name = sql<string>`${sql.ref(`${table}.${catalog.foldField}`)}`;
  const matching = asCatalogDb(db)
    .selectFrom(table)
    .$if(fold(text) !== '', (query) => query.where(foldedContains(name, text)));
  const readRows = async (ids: readonly number[]) => {
    const rows = asCatalogDb(db)
      .selectFrom(table)
      .where(isOneOf(db, id, ids));
    return (await selectCatalogColumns(rows, catalog).execute()).map((row) => toRow(catalog, row));
  };
  if (FIGURE_SORTS[catalog.noun]?.[sort]) {
    const found = await matching.select(sql<number>`${sql.ref(id)}`.as('id')).execute();
    const ids = found.map((row) => Number(row.id));
    const figuresOf = await readSortFigureLookup(db, catalog.noun, { ids, today });
    const sorted = sortRows(
      ids.map((one) => ({ id: one })),
      (row) => figuresOf(row.id)[sort],
      page.direction,
    );
    const { rows, total, cursor } = takePage(sorted, page);
    const shown = rows.map((row) => row.id);
    return { rows: orderByIds(shown, await readRows(shown)), count: total, cursor };
  }
  const { count } = await matching.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return { ...(await searchPage(matching, getSortColumn(catalog, sort), page, readRows)), count };
}

function getSortColumn(catalog: Catalog, sort: string): SortColumn {
  const table = asCatalogTable(catalog);
  const id = `${table}.id`;
  if (sort === 'id') return { column: id, id, kind: 'number' };
  const own = describeCatalogPickerSorts(catalog).find(({ name }) => name === sort)?.column;
  const field = catalog.fields.find(({ name }) => name === sort);
  const isName = sort === catalog.nameField || !field;
  if (own || isName) return { column: `${table}.${own ?? catalog.foldField}`, id, kind: 'text' };
  if (field.type === 'date') return { id, ...createUnindexedSort('date', `${table}.${sort}`) };
  return { id, ...createUnindexedSort('text', foldedSortExpression(`${table}.${sort}`)) };
}

/** @returns undefined where there are more than `limit` */
export async function readCatalogOptions(
  db: Db,
  catalog: Catalog,
  limit: number,
): Promise<readonly { value: number; label: string }[] | undefined> {
  const rows = asCatalogDb(db).selectFrom(asCatalogTable(catalog));
  const names = await rows
    .select([
      sql<number>`${sql.ref('id')}`.as('value'),
      sql<string>`${sql.ref(catalog.nameField)}`.as('label'),
    ])
    .orderBy(sql.ref(catalog.foldField))
    .orderBy(sql.ref('id'))
    .limit(limit + 1)
    .execute();
  return names.length > limit ? undefined : names;
}

/** @throws DomainError not-found */
export async function getRow(db: Db, catalog: Catalog, id: number): Promise<CatalogRow> {
  const row = await selectCatalogColumns(asCatalogDb(db).selectFrom(asCatalogTable(catalog)), catalog)
    .where(sql.ref(`${catalog.table}.id`), '=', id)
    .executeTakeFirst();
  if (!row) throw new DomainError('not-found', rowNotFoundText(catalog, id));
  return toRow(catalog, row);
}

/**
 * Finds a row by its exact name, by its name without case and accents if no other row has that, or by its id.
 * @throws DomainError not-found (no such row), conflict ambiguous_name
 */
export async function getRowByNameOrId(db: Db, catalog: Catalog, nameOrId: string): Promise<CatalogRow> {
  const namesakes = await selectCatalogColumns(asCatalogDb(db).selectFrom(asCatalogTable(catalog)), catalog)
    .where(sql.ref(`${catalog.table}.${catalog.foldField}`), '=', fold(nameOrId))
    .orderBy(sql.ref(`${catalog.table}.id`))
    .limit(20)
    .execute();
  const exact = namesakes.filter((row) => row[catalog.nameField] === nameOrId.trim());
  const found = exact.length > 0 ? exact : namesakes;
  if (found.length > 1) {
    throw new DomainError('conflict', ambiguousNameText(nameOrId.trim(), found), { code: 'ambiguous_name' });
  }
  if (found[0]) return toRow(catalog, found[0]);
  if (/^\d{1,15}$/.test(nameOrId.trim())) return getRow(db, catalog, Number(nameOrId));
  throw new DomainError('not-found', rowNotFoundText(catalog, `«${nameOrId.trim()}»`));
}

export const rowNotFoundText = (catalog: Catalog, nameOrId: CatalogValue): string =>
  `No existe ${catalog.texts.one} ${nameOrId}.`;

/** @param rowsOfThatName the rows of this name; those with ids below zero are not stored yet */
export const ambiguousNameText = (name: string, rowsOfThatName: readonly { id?: CatalogValue }[]): string =>
  `Hay varios registros que se llaman «${name}»: ${rowsOfThatName.map(({ id }) => (Number(id) > 0 ? id : 'uno nuevo')).join(', ')}.`;

interface ColumnValues {
  [column: string]: CatalogValue;
}

/** The casts let the compiler treat the five tables as one table with unknown columns. */
export const asCatalogDb = (db: Db) => db as unknown as Kysely<{ catalog: ColumnValues }>;
export const asCatalogTable = (catalog: Catalog) => catalog.table as 'catalog';
export const tableNameOf = (catalog: Catalog) => catalog.table as keyof Schema;

type CatalogQueryBuilder = SelectQueryBuilder<{ catalog: ColumnValues }, 'catalog', object>;

export function selectCatalogColumns(
  query: CatalogQueryBuilder,
  catalog: Catalog,
): SelectQueryBuilder<{ catalog: ColumnValues }, 'catalog', ColumnValues> {
  const names = ['id', 'version', ...catalog.fields.map(columnNameOf)];
  const columns = names.map((name) => sql<CatalogValue>`${sql.ref(`${catalog.table}.${name}`)}`.as(name));
  let rows = query.select(columns);
  for (const { name, target } of listReferenceFields(catalog)) {
    const nameExpression = sql<CatalogValue>`(select ${sql.ref(`r.${target.nameField}`)} from ${sql.table(target.table)} r where r.id = ${sql.ref(`${catalog.table}.${name}`)})`;
    rows = rows.select(nameExpression.as(target.nameField));
  }
  return rows;
}

/** Replaces references by rows: clientId becomes client: { id, clientname }. */
export function toRow(catalog: Catalog, columns: ColumnValues): CatalogRow {
  const row: CatalogRow = { id: Number(columns.id), version: Number(columns.version) };
  for (const member of catalog.fields.map(columnNameOf)) row[member] = columns[member] ?? null;
  for (const { name, target } of listReferenceFields(catalog)) {
    row[name.replace(/Id$/, '')] = {
      id: row[name] as number,
      [target.nameField]: columns[target.nameField]!,
    };
  }
  return row;
}

const listReferenceFields = (catalog: Catalog) =>
  catalog.fields.flatMap(({ name, ref }) => (ref ? [{ name, target: catalogOf(ref) }] : []));
