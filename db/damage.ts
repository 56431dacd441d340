import type { Kysely } from 'kysely';
import { damagedError } from './errors.ts';
import type { Schema } from './schema.ts';
import { TwoConnectionAdapter } from './sqlite.ts';

/** Databases that are no files, by the one object that all their handles share. */
const found = new WeakMap<object, string>();

/**
 * From now on nothing is written to it: what is damaged would only be mixed with what is not.
 * @param what in a few words, for who administers the server
 */
export function markDamaged(db: Kysely<Schema>, what: string): void {
  const { adapter } = db.getExecutor();
  if (adapter instanceof TwoConnectionAdapter) adapter.file.damage ??= what;
  else if (!found.has(adapter)) found.set(adapter, what);
}

export function damageFound(db: Kysely<Schema>): string | undefined {
  const { adapter } = db.getExecutor();
  return adapter instanceof TwoConnectionAdapter ? adapter.file.damage : found.get(adapter);
}

/** @throws DomainError busy `database_damaged` */
export function requireUndamaged(db: Kysely<Schema>): void {
  if (damageFound(db) !== undefined) throw damagedError();
}
