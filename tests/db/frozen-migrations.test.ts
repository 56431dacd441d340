import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { migrations } from '../../db/migrate.ts';
import type { Migration } from '../../db/migrations/migration.ts';
import { DIALECTS } from '../support/databases.ts';
import frozen from './frozen-migrations.json' with { type: 'json' };

/** Hashes the statements of a migration on each kind of database. */
async function fingerprintsOf({ up }: Migration): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const dialect of DIALECTS) {
    const hash = createHash('sha256');
    await up(async (statement) => void hash.update(`${statement}\0`), dialect);
    found[dialect] = hash.digest('hex').slice(0, 16);
  }
  return found;
}

// Schema checks and restores compare a database's schema with these statements character by character: one changed
// space makes every existing database "no es como debe".
it('every migration runs exactly what it ran when it was released', async () => {
  const found: Record<string, Record<string, string>> = {};
  for (const migration of migrations) found[migration.name] = await fingerprintsOf(migration);
  // A new migration adds a line; existing lines never change.
  expect(found).toEqual(frozen);
});
