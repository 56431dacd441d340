import type { Kysely } from 'kysely';
import { damagedError } from './errors.ts';
import type { Schema } from './schema.ts';
import { fileBehind } from './sqlite.ts';

/** Damage of databases that are no files, by the one object that all their handles share. */
const found = new WeakMap<object, string>();

/** Nothing is written from now on: it would mix with what is damaged. @param what for whoever administers the server */
export function markDamaged(db: Kysely<Schema>, what: string): void {
  const file = fileBehind(db);
  const { adapter } = db.getExecutor();
  if (file) file.damage ??= what;
  else if (!found.has(adapter)) found.set(adapter, what);
}

export const damageFound = (db: Kysely<Schema>): string | undefined =>
  fileBehind(db)?.damage ?? found.get(db.getExecutor().adapter);

/** @throws DomainError busy `database_damaged` */
export function requireUndamaged(db: Kysely<Schema>): void {
  if (damageFound(db) !== undefined) throw damagedError();
}
