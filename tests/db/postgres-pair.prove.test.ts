import { Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { explainDatabaseError } from '../../db/explain-errors.ts';
import { postgresDialect } from '../../db/postgres.ts';
import type { Schema } from '../../db/schema.ts';
import { startPostgresPair } from '../support/postgres-pair.ts';

// tests/drills/failovers.ts shows what happens to writes when one of the two fails.
it('a standby is skipped for the primary, used once it is promoted, and reported if it is the only server', async () => {
  const pair = await startPostgresPair();
  onTestFinished(() => pair.stop());
  const { primary, standby } = pair;
  const open = (...hosts: string[]) => {
    const { dialect } = postgresDialect(`postgres://saldo@${hosts.join()}/postgres`);
    const db = new Kysely<Schema>({ dialect });
    onTestFinished(() => db.destroy());
    return db;
  };
  const portOf = async (db: Kysely<Schema>) => {
    const { rows } = await sql<{ port: string }>`select current_setting('port') as port`.execute(db);
    return Number(rows[0]!.port);
  };
  const both = open(standby.hostAndPort, primary.hostAndPort);
  expect(await portOf(both)).toBe(primary.port);
  const error = await portOf(open(standby.hostAndPort)).catch((error) => error);
  expect(explainDatabaseError(error)?.message).toBe(
    `PostgreSQL en ${standby.hostAndPort} es una réplica, que no recibe cambios: DATABASE_URL debe nombrar el servidor primario, o todos separados por comas.`,
  );
  await primary.signal('SIGQUIT');
  await standby.promote();
  await expect.poll(() => portOf(both).catch(() => 0)).toBe(standby.port);
});
