import { type Kysely, sql } from 'kysely';
import { isViolation } from '../../db/errors.ts';
import { foldedContains, forUpdate } from '../../db/expressions.ts';
import { afterCursor, type Direction, decodeCursor, encodeCursor } from '../../db/paging.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { catalogOf } from '../../shared/catalogs/all.ts';
import type { Catalog, CatalogTable } from '../../shared/catalogs/catalog.ts';
import {
  type CatalogDraft,
  type CatalogValue,
  catalogWarnings,
  checkCatalogRow,
  cleanCatalogDraft,
} from '../../shared/catalogs/rules.ts';
import { DomainError } from '../../shared/errors.ts';
import { isGenericRfc } from '../../shared/rfc.ts';
import { fold } from '../../shared/text.ts';
import { type Actor, audit } from './audit.ts';
import { requireUnused } from './catalog-references.ts';
import { readSettings, type SettingKey } from './settings.ts';

/** A row as everybody sees it: id, the definition's fields, version; a job's client stands in it by name. */
export interface CatalogRow {
  id: number;
  version: number;
  [field: string]: CatalogValue | Record<string, CatalogValue>;
}

export interface SavedRow {
  row: CatalogRow;
  warnings: string[];
}

export interface CatalogQuery {
  /** part of the name, case and accents aside */
  text?: string;
  /** a key of the definition's sortFields, or the name field */
  sort?: string;
  direction?: Direction;
  limit: number;
  cursor?: string;
}

export interface CatalogPage {
  rows: CatalogRow[];
  /** of the whole search */
  total: number;
  nextCursor?: string;
}

/** One page of a search; ties are broken by id, so the pages of a search make up the whole of it. */
export async function searchCatalog(
  db: Db,
  catalog: Catalog,
  { text = '', sort = 'id', direction = 'asc', limit, cursor }: CatalogQuery,
): Promise<CatalogPage> {
  const column = sortColumn(catalog, sort);
  const id = `${catalog.table}.id`;
  let matching = anyTable(db).selectFrom(catalog.table);
  if (fold(text)) matching = matching.where(foldedContains(sql.ref<string>(catalog.foldField), text));
  const { total } = await matching.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  let page = selectRow(matching, catalog).select(sql<CatalogValue>`${sql.ref(column)}`.as('sortedBy'));
  if (cursor) page = page.where(afterCursor(column, id, direction, decodeCursor(cursor)));
  const found = await page
    .orderBy(sql.ref(column), direction)
    .$if(column !== id, (query) => query.orderBy(sql.ref(id), direction))
    .limit(limit + 1)
    .execute();
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    rows: found.slice(0, limit).map((row) => toRow(catalog, row)),
    total,
    nextCursor: last && encodeCursor({ value: last.sortedBy as CatalogValue, id: last.id as number }),
  };
}

/** @throws DomainError not-found */
export async function getRow(db: Db, catalog: Catalog, id: number): Promise<CatalogRow> {
  const row = await selectRow(anyTable(db).selectFrom(catalog.table), catalog)
    .where(sql.ref(`${catalog.table}.id`), '=', id)
    .executeTakeFirst();
  if (!row) throw new DomainError('not-found', missingText(catalog, id));
  return toRow(catalog, row);
}

/**
 * The row that a person names, on a form without script or on the command line: by its exact name, the one
 * name that is equal case and accents aside, or its id.
 * @throws DomainError not-found (no such row), conflict (several of that name)
 */
export async function findRow(db: Db, catalog: Catalog, who: string): Promise<CatalogRow> {
  const alike = await selectRow(anyTable(db).selectFrom(catalog.table), catalog)
    .where(sql.ref(catalog.foldField), '=', fold(who))
    .orderBy(sql.ref(`${catalog.table}.id`))
    .limit(20)
    .execute();
  const exact = alike.filter((row) => row[catalog.nameField] === who.trim());
  const found = exact.length > 0 ? exact : alike;
  if (found.length > 1) {
    const ids = found.map((row) => row.id).join(', ');
    const message = `Hay varios registros que se llaman «${who.trim()}»: ${ids}.`;
    throw new DomainError('conflict', message, { code: 'ambiguous_name' });
  }
  if (found[0]) return toRow(catalog, found[0]);
  if (/^\d{1,15}$/.test(who.trim())) return getRow(db, catalog, Number(who));
  throw new DomainError('not-found', missingText(catalog, `«${who.trim()}»`));
}

/**
 * @throws DomainError invalid (the specification's messages; a reference to nothing), conflict rfc_taken
 */
export async function createRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  draft: CatalogDraft,
): Promise<SavedRow> {
  const clean = cleanCatalogDraft(catalog, draft);
  refuse(checkCatalogRow(catalog, clean, 'create'));
  return inTransaction(db, async (trx) => {
    const id = await insertRow(trx, catalog, clean, actor.at);
    const row = await getRow(trx, catalog, id);
    audit(trx, actor, { action: 'create', entity: catalog.noun, entityId: id, after: row });
    return { row, warnings: catalogWarnings(catalog, clean) };
  });
}

/**
 * Stores a row as it is: neither judged nor audited, for imports, which do both in their own way.
 * @returns its id
 * @throws DomainError invalid (a reference to nothing), conflict rfc_taken
 */
export async function insertRow(
  trx: Trx,
  catalog: Catalog,
  draft: CatalogDraft,
  at: string,
  importId: number | null = null,
): Promise<number> {
  const values = await withDefaults(trx, catalog, cleanCatalogDraft(catalog, draft));
  await requireFreeRfc(trx, catalog, values, 0);
  const { id } = await anyTable(trx)
    .insertInto(catalog.table)
    .values({ ...values, importId, createdAt: at, updatedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explainRefusal(error, catalog, values));
  return id as number;
}

/**
 * Changes the fields that the draft names. Without `version` it overwrites whatever is stored; values that
 * are stored already make no change and leave no trace.
 * @throws DomainError not-found, stale (with `current` and `sent`), invalid, conflict rfc_taken
 */
export async function updateRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  id: number,
  { version, ...draft }: CatalogDraft & { version?: number },
): Promise<SavedRow> {
  const clean = cleanCatalogDraft(catalog, draft);
  return inTransaction(db, async (trx) => {
    const before = await lockRow(trx, catalog, id);
    const stored = storedValues(catalog, before);
    const changes = catalog.fields.some(({ name }) => clean[name] !== undefined && clean[name] !== stored[name]);
    if (changes && version !== undefined && version !== before.version) {
      const message = 'Otra persona guardó este registro mientras lo editabas. Revisa ambos valores.';
      throw new DomainError('stale', message, { extra: { current: before, sent: draft } });
    }
    refuse(checkCatalogRow(catalog, clean, 'edit', stored));
    const warnings = catalogWarnings(catalog, { ...stored, ...clean });
    if (!changes) return { row: before, warnings };
    await requireFreeRfc(trx, catalog, clean, id);
    await anyTable(trx)
      .updateTable(catalog.table)
      .set({ ...clean, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => explainRefusal(error, catalog, clean));
    const row = await getRow(trx, catalog, id);
    audit(trx, actor, { action: 'update', entity: catalog.noun, entityId: id, before, after: row });
    return { row, warnings };
  });
}

/** @throws DomainError not-found, stale, conflict in_use (saying what refers to it) */
export async function deleteRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  id: number,
  version?: number,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockRow(trx, catalog, id);
    if (version !== undefined && version !== before.version) {
      const message = 'Otra persona guardó este registro mientras lo editabas. Revisa antes de eliminarlo.';
      throw new DomainError('stale', message, { extra: { current: before } });
    }
    await requireUnused(trx, catalog, before);
    await anyTable(trx).deleteFrom(catalog.table).where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: catalog.noun, entityId: id, before });
  });
}

/**
 * The five tables as one type: which columns a table has, its definition says, so the types know only what
 * all of them share. The one cast of this file.
 */
export const anyTable = (db: Db) => db as unknown as Kysely<Record<CatalogTable, Columns>>;

interface Columns {
  id: CatalogValue;
  [column: string]: CatalogValue;
}

type Rows = ReturnType<ReturnType<typeof anyTable>['selectFrom']>;

function selectRow(query: Rows, catalog: Catalog) {
  const column = (name: string) => sql.ref<CatalogValue>(`${catalog.table}.${name}`).as(name);
  return query.select(['id', 'version', ...catalog.fields.map((field) => field.name)].map(column));
}

export const missingText = (catalog: Catalog, who: number | string): string =>
  `No existe ${catalog.texts.one} ${who}.`;
