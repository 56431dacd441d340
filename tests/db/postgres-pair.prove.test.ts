import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainDatabase } from '../../db/explain.ts';
import { postgresDialect } from '../../db/postgres.ts';
import type { Schema } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type PostgresPair, startPair } from '../support/postgres-pair.ts';

/** Long enough for a busy machine to say something in. */
const LIMITS = { connectMs: 1000, answerMs: 2000 };

describe('two servers of PostgreSQL', () => {
  let pair: PostgresPair;
  let db: Kysely<Schema>;
  const open = (url: string) => new Kysely<Schema>({ dialect: postgresDialect(url, LIMITS).dialect });
  const add = (n: number, wait = 0) =>
    inTransaction(db, async (trx) => {
      await sql`insert into notas values (${n})`.execute(trx);
      await sql`select pg_sleep(${wait})`.execute(trx);
    });
  const isAdded = (n: number) =>
    add(n).then(
      () => true,
      () => false,
    );
  const notes = async () => {
    const { rows } = await sql<{ n: number }>`select n from notas order by n`.execute(db);
    return rows.map(({ n }) => n);
  };

  beforeAll(async () => {
    pair = await startPair();
    // The standby first, so that every connection has to pass it over.
    db = open(`postgres://saldo@${pair.standby.host},${pair.primary.host}/postgres`);
    await sql`create table notas (n int primary key)`.execute(db);
  });
  afterAll(async () => {
    await db?.destroy();
    await pair?.stop();
  });

  it('a standby alone is said at once', async () => {
    const alone = open(`postgres://saldo@${pair.standby.host}/postgres`);
    const error = await sql`select 1`.execute(alone).catch((error) => error);
    expect(explainDatabase(error)?.message).toBe(
      `PostgreSQL en ${pair.standby.host} es una réplica, que no recibe cambios: DATABASE_URL debe nombrar el servidor primario, o todos separados por comas.`,
    );
    await alone.destroy();
  });

  it('a restart of the primary is waited for by what was under way, which is stored once', async () => {
    const under = add(1, 1);
    await delay(400);
    await pair.primary.signal('SIGQUIT');
    const restarted = pair.primary.start({ synchronous_standby_names: '*' });
    await under;
    await restarted;
    expect(await notes()).toEqual([1]);
  });

  it('a primary that hangs is left for the one that was promoted', async () => {
    await add(2);
    await pair.primary.signal('SIGSTOP');
    const stuck = isAdded(3);
    await pair.standby.promote();
    while (!(await isAdded(4)));
    const third = await stuck;
    expect(await notes()).toEqual(third ? [1, 2, 3, 4] : [1, 2, 4]);
    expect(await pair.standby.query('select count(*)::int as n from notas where n = 4')).toEqual([{ n: 1 }]);
  });
});
