import type { Kysely } from 'kysely';
import { databaseDamagedError } from './errors.ts';
import type { Schema } from './schema.ts';
import { databaseFileOf } from './sqlite.ts';

/** Describes the damage of databases without a file (PostgreSQL). All handles of a database share its adapter. */
const damageByAdapter = new WeakMap<object, string>();

/** Stops all further writes, which would mix with the damaged data. @param description for the administrator */
export function markDamaged(db: Kysely<Schema>, description: string): void {
  const file = databaseFileOf(db);
  const { adapter } = db.getExecutor();
  if (file) file.damageText ??= description;
  else if (!damageByAdapter.has(adapter)) damageByAdapter.set(adapter, description);
}

export const findMarkedDamage = (db: Kysely<Schema>): string | undefined =>
  databaseFileOf(db)?.damageText ?? damageByAdapter.get(db.getExecutor().adapter);

/** @throws DomainError busy `database_damaged` */
export function requireUndamaged(db: Kysely<Schema>): void {
  if (findMarkedDamage(db) !== undefined) throw databaseDamagedError();
}
