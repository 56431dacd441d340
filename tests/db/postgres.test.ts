import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutage } from '../../db/explain.ts';
import { postgresDialect } from '../../db/postgres.ts';
import type { Schema } from '../../db/schema.ts';
import { useFresh } from '../support/databases.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

/** Long enough for a busy machine to say something in. */
const SILENCE_MS = 700;

describe('a connection to PostgreSQL', () => {
  const fresh = useFresh('postgres');
  let proxy: TcpProxy;
  let db: Kysely<Schema>;

  beforeEach(async () => {
    proxy = await tcpProxy(fresh.database.url);
    db = new Kysely<Schema>({ dialect: postgresDialect(proxy.url, SILENCE_MS).dialect });
  });
  afterEach(async () => {
    await proxy.close();
    await db.destroy();
  });

  const sleep = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(db);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );

  it('that the server ends while in use fails its own transaction alone, and what only reads is asked again', async () => {
    const reading = sleep(1);
    const inTransaction = failure(
      db.transaction().execute(async (trx) => sql`select pg_sleep(30)`.execute(trx)),
    );
    await endOthers(fresh.database.url, 2);
    expect(isOutage(await inTransaction)).toBe(true);
    await reading;
  });

  it('that is ended between two queries of a transaction fails the transaction', async () => {
    const failed = await failure(
      db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        await endOthers(fresh.database.url, 1);
        await sql`select 1`.execute(trx);
      }),
    );
    expect(isOutage(failed)).toBe(true);
    await sleep(0);
  });

  it('that leads nowhere is given up, and the next one serves', async () => {
    await Promise.all([sleep(0), sleep(0), sleep(0)]);
    proxy.swallow();
    const failed = await Promise.all([1, 2, 3].map(() => failure(sleep(0))));
    expect(failed.map(isOutage)).toEqual([true, true, true]);
    proxy.heal();
    await sleep(0);
  });

  it('may take its time while the server is at work', async () => {
    await sleep((SILENCE_MS * 4) / 1000);
  });
});

/** Ends every other connection to that database, once so many are at work or in a transaction. */
async function endOthers(url: string, count: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
    and state <> 'idle' and query ~ 'pg_sleep|select 1'`;
  while ((await client.query(`select 1 ${others}`)).rows.length < count);
  await client.query(`select pg_terminate_backend(pid) ${others}`);
  await client.end();
}
