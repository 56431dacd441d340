import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explainDatabase } from '../../db/explain.ts';
import { postgresDialect } from '../../db/postgres.ts';
import type { Schema } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { type PostgresPair, startPair } from '../support/postgres-pair.ts';

/** Long enough for a busy machine to say something in. */
const SILENCE_MS = 1000;

describe('two servers of PostgreSQL', () => {
  let pair: PostgresPair;
  let db: Kysely<Schema>;
  const open = (url: string) => new Kysely<Schema>({ dialect: postgresDialect(url, SILENCE_MS).dialect });
  const add = (n: number, wait = 0) =>
    inTransaction(db, async (trx) => {
      await sql`insert into notas values (${n})`.execute(trx);
      await sql`select pg_sleep(${wait})`.execute(trx);
    });
  const notes = async () => {
    const { rows } = await sql<{ n: number }>`select n from notas order by n`.execute(db);
    return rows.map(({ n }) => n);
  };

  beforeAll(async () => {
    pair = await startPair();
    db = open(pair.url);
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

  it('a primary that hangs is left for the one that was promoted, and not gone back to', async () => {
    await add(2);
    await pair.primary.signal('SIGSTOP');
    const stuck = add(3).then(
      () => 'stored',
      () => 'refused',
    );
    await pair.standby.promote();
    const from = performance.now();
    for (;;) {
      const isDone = await add(4).then(
        () => true,
        () => false,
      );
      if (isDone) break;
    }
    const outage = performance.now() - from;
    const third = await stuck;
    await pair.primary.signal('SIGCONT');
    await add(5);
    expect(await notes()).toEqual(third === 'stored' ? [1, 2, 3, 4, 5] : [1, 2, 4, 5]);
    expect(await pair.standby.query('select count(*)::int as n from notas where n > 3')).toEqual([{ n: 2 }]);
    console.info(`writes were back ${Math.round(outage)} ms after the promotion`);
    expect(outage).toBeLessThan(10 * SILENCE_MS);

    // The new one gone, the old one is there, and would take what nobody would ever see again.
    await pair.standby.signal('SIGQUIT');
    const error = await add(6).catch((error) => error);
    expect(explainDatabase(error)?.code).toBe('database_unreachable');
    expect(await pair.primary.query('select count(*)::int as n from notas where n > 3')).toEqual([{ n: 0 }]);
  });
});
