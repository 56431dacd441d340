import { isViolation } from '../../../db/errors.ts';
import { forUpdate } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import {
  type CatalogDraft,
  type CatalogValue,
  catalogWarnings,
  checkCatalogRow,
  cleanCatalogDraft,
} from '../../../shared/catalogs/rules.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { DomainError } from '../../../shared/errors.ts';
import { refuse } from '../../../shared/refusal.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { followCreditDays } from '../invoices/due-day.ts';
import type { SettingKey } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { lastDeleted, requireSeen } from '../stored-rows.ts';
import { anyTable, type CatalogRow, getRow, missingText, tableOf } from './reading.ts';
import { inUse, requireUnused } from './removal.ts';

interface SavedRow {
  row: CatalogRow;
  warnings: string[];
}

/** @throws DomainError invalid (the specification's messages; a reference to nothing), conflict rfc_taken */
export async function createRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  draft: CatalogDraft,
): Promise<SavedRow> {
  const clean = cleanCatalogDraft(catalog, draft);
  refuse(checkCatalogRow(catalog, clean, 'create'));
  return inTransaction(db, async (trx) => {
    const id = await insertRow(trx, catalog, clean, { at: actor.at });
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
  { at, importId = null }: { at: string; importId?: number | null },
): Promise<number> {
  const clean = cleanCatalogDraft(catalog, { ...(await defaultsOf(trx, catalog, draft)), ...draft });
  await requireFreeRfc(trx, catalog, clean);
  const { id } = await anyTable(trx)
    .insertInto(tableOf(catalog))
    .values({ ...clean, importId, createdAt: at, updatedAt: at })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => explainRefusal(error, catalog, clean));
  return Number(id);
}

/**
 * Changes the fields that the draft names. Without `version` it overwrites whatever is stored; values that
 * are stored already change nothing and leave no trace.
 * @throws DomainError not-found, stale (with `current` and `sent`), invalid, conflict rfc_taken
 */
export async function updateRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  id: number,
  draft: CatalogDraft,
  version?: number,
): Promise<SavedRow> {
  const clean = cleanCatalogDraft(catalog, draft);
  return inTransaction(db, async (trx) => {
    const before = await lockRow(trx, catalog, id);
    const stored = storedValues(catalog, before);
    const changes = catalog.fields.some(
      ({ name }) => clean[name] !== undefined && clean[name] !== stored[name],
    );
    if (changes) requireSeen(before, version, STALE, { sent: draft });
    refuse(checkCatalogRow(catalog, clean, 'edit', stored));
    const warnings = catalogWarnings(catalog, { ...stored, ...clean });
    if (!changes) return { row: before, warnings };
    await requireFreeRfc(trx, catalog, clean, id);
    await anyTable(trx)
      .updateTable(tableOf(catalog))
      .set({ ...clean, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => explainRefusal(error, catalog, clean));
    const row = await getRow(trx, catalog, id);
    if (catalog === suppliers && row.diascredito !== before.diascredito) await followCreditDays(trx, id);
    audit(trx, actor, { action: 'update', entity: catalog.noun, entityId: id, before, after: row });
    return { row, warnings };
  });
}

/** @throws DomainError not-found, stale, conflict in_use (the message counts what refers to the row) */
export async function deleteRow(
  db: Db,
  actor: Actor,
  catalog: Catalog,
  id: number,
  version?: number,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockRow(trx, catalog, id);
    requireSeen(before, version, STALE);
    await requireUnused(trx, catalog, before);
    const origin = await anyTable(trx)
      .selectFrom(tableOf(catalog))
      .select(['createdAt', 'importId'])
      .where('id', '=', id)
      .executeTakeFirst();
    await anyTable(trx)
      .deleteFrom(tableOf(catalog))
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => explainRefusal(error, catalog, {}));
    audit(trx, actor, {
      action: 'delete',
      entity: catalog.noun,
      entityId: id,
      before: { ...before, ...origin },
    });
  });
}

/**
 * Brings a deleted row back under its id, from what the audit trail kept of it.
 * @throws DomainError not-found (never deleted), conflict (not_deleted, rfc_taken), invalid (what it refers to is gone)
 */
export async function restoreRow(db: Db, actor: Actor, catalog: Catalog, id: number): Promise<CatalogRow> {
  const { one } = catalog.texts;
  return inTransaction(db, async (trx) => {
    const deleted = await lastDeleted<CatalogRow & Origin>(trx, catalog.noun, id);
    if (!deleted) throw new DomainError('not-found', `No existe ${one} ${id} entre lo eliminado.`);
    const exists = await anyTable(trx)
      .selectFrom(tableOf(catalog))
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (exists) {
      const message = `No está eliminad${one.startsWith('la ') ? 'a' : 'o'} ${one} ${id}.`;
      throw new DomainError('conflict', message, { code: 'not_deleted' });
    }
    // One deleted before a field was there has no such member.
    const stored = storedValues(catalog, deleted);
    const clean = cleanCatalogDraft(catalog, { ...(await defaultsOf(trx, catalog, stored)), ...stored });
    await requireFreeRfc(trx, catalog, clean);
    const { createdAt = actor.at, importId = null } = deleted;
    await anyTable(trx)
      .insertInto(tableOf(catalog))
      .values({ ...clean, id, importId, createdAt, updatedAt: actor.at, version: deleted.version + 1 })
      .execute()
      .catch((error: unknown) => explainRefusal(error, catalog, clean));
    const row = await getRow(trx, catalog, id);
    audit(trx, actor, { action: 'restore', entity: catalog.noun, entityId: id, after: row });
    return row;
  });
}

/** Where a row comes from, which no screen shows. */
interface Origin {
  createdAt?: string;
  importId?: number | null;
}

/** The row, held until the transaction ends: meanwhile nothing new can come to refer to it. */
async function lockRow(trx: Trx, catalog: Catalog, id: number): Promise<CatalogRow> {
  await anyTable(trx)
    .selectFrom(tableOf(catalog))
    .select('id')
    .where('id', '=', id)
    .modifyEnd(forUpdate(trx))
    .execute();
  return getRow(trx, catalog, id);
}

const STALE = 'Otra persona guardó este registro mientras lo editabas.';

const storedValues = (catalog: Catalog, row: CatalogRow): Record<string, CatalogValue> =>
  Object.fromEntries(catalog.fields.map(({ name }) => [name, row[name] as CatalogValue]));

/** What a new row has where nothing is sent: its setting, 0, no date, no text. */
async function defaultsOf(trx: Trx, catalog: Catalog, draft: CatalogDraft): Promise<CatalogDraft> {
  const defaults: Record<string, CatalogValue> = {};
  for (const { name, type, setting } of catalog.fields) {
    if (draft[name] !== undefined) continue;
    if (setting) defaults[name] = Number((await readSettings(trx))[setting as SettingKey]);
    else defaults[name] = type === 'whole' ? 0 : null;
  }
  return defaults;
}

/** @throws DomainError conflict rfc_taken, with the row that has it */
async function requireFreeRfc(trx: Trx, catalog: Catalog, clean: CatalogDraft, self = 0): Promise<void> {
  const field = catalog.fields.find(({ type }) => type === 'rfc');
  const rfc = field && clean[field.name];
  if (!field || !rfc || isGenericRfc(String(rfc))) return;
  const taken = await anyTable(trx)
    .selectFrom(tableOf(catalog))
    .select(['id', catalog.nameField])
    .where(field.name, '=', rfc)
    .where('id', '<>', self)
    .executeTakeFirst();
  if (taken) {
    throw rfcTaken(`El RFC ${rfc} ya es de «${taken[catalog.nameField]}».`, { existingId: taken.id });
  }
}

const rfcTaken = (message: string, extra?: Record<string, unknown>) =>
  new DomainError('conflict', message, { code: 'rfc_taken', fields: { rfc: message }, extra });

/** What the database itself refused: another one was faster, or the row referred to is not there. */
function explainRefusal(error: unknown, catalog: Catalog, clean: CatalogDraft): never {
  if (isViolation(error, 'unique')) throw rfcTaken(`El RFC ${clean.rfc} ya está registrado.`);
  const reference = catalog.fields.find(({ name, ref }) => ref && clean[name] !== undefined);
  if (!isViolation(error, 'reference')) throw error;
  if (!reference?.ref) throw inUse('No se puede eliminar: hay registros que lo usan.');
  const message = missingText(catalogOf(reference.ref), clean[reference.name] ?? null);
  throw new DomainError('invalid', message, { fields: { [reference.name]: message } });
}
