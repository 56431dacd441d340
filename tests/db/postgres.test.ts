import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutage } from '../../db/explain.ts';
import { postgresDialect, serversOf } from '../../db/postgres.ts';
import type { Schema } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { useFresh } from '../support/databases.ts';
import { type TcpProxy, tcpProxy } from '../support/tcp-proxy.ts';

/** Long enough for a busy machine to say something in. */
const LIMITS = { connectMs: 700, answerMs: 700 };

describe('the servers of an address', () => {
  it.each([
    ['postgres://saldo@uno/saldo', ['postgres://saldo@uno/saldo']],
    [
      'postgresql://saldo:a@b@uno:5432,dos:6432/saldo?sslmode=require',
      [
        'postgresql://saldo:a@b@uno:5432/saldo?sslmode=require',
        'postgresql://saldo:a@b@dos:6432/saldo?sslmode=require',
      ],
    ],
    ['postgres://[::1]:5432,10.0.0.7/x', ['postgres://[::1]:5432/x', 'postgres://10.0.0.7/x']],
    ['postgres:///saldo', ['postgres:///saldo']],
  ])('%s', (url, servers) => {
    expect(serversOf(url)).toEqual(servers);
  });

  it.each([
    'postgres://uno,/saldo',
    'postgres://uno:x,dos/saldo',
    'postgres://uno dos/saldo',
    'postgres://uno:99999/saldo',
    'mysql://uno/saldo',
  ])('%s is none', (url) => {
    expect(() => serversOf(url)).toThrow('varios servidores separados por comas');
  });
});

describe('a connection to PostgreSQL', () => {
  const fresh = useFresh('postgres');
  let proxy: TcpProxy;
  let db: Kysely<Schema>;
  const open = (url: string) => new Kysely<Schema>({ dialect: postgresDialect(url, LIMITS).dialect });

  beforeEach(async () => {
    proxy = await tcpProxy(fresh.database.url);
    db = open(proxy.url);
  });
  afterEach(async () => {
    await proxy.close();
    await db.destroy();
  });

  const sleep = (seconds: number, on: Kysely<Schema> = db) => sql`select pg_sleep(${seconds})`.execute(on);
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error) => error,
    );

  it('that the server ends between two queries fails its own transaction alone, which is run again', async () => {
    let runs = 0;
    const other = db.transaction().execute(async (trx) => {
      await sleep(0, trx);
      await sleep(0.5, trx);
    });
    await inTransaction(db, async (trx) => {
      runs++;
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      if (runs === 1) await end(fresh.database.url, rows[0]!.pid);
      await sleep(0, trx);
    });
    await other;
    expect(runs).toBe(2);
  });

  it('that leads nowhere is given up, and the next one serves', async () => {
    await Promise.all([sleep(0), sleep(0), sleep(0)]);
    proxy.swallow();
    const failed = await Promise.all([1, 2, 3].map(() => failure(sleep(0))));
    expect(failed.map(isOutage)).toEqual([true, true, true]);
    proxy.heal();
    await sleep(0);
  });

  it('leads to the first of several servers that can be reached, and to the next one where that is gone', async () => {
    const { hostname, port } = new URL(fresh.database.url);
    const several = open(
      fresh.database.url.replace(/@[^/]+/, `@127.0.0.1:1,${new URL(proxy.url).host},${hostname}:${port}`),
    );
    await sleep(0, several);
    proxy.swallow();
    expect(isOutage(await failure(sleep(0, several)))).toBe(true);
    await sleep(0, several);
    await several.destroy();
  });

  it('may take its time over what takes as long as there are rows', async () => {
    await sql`create table siestas as select pg_sleep(${sql.lit((LIMITS.answerMs * 2) / 1000)})::text`.execute(
      db,
    );
  });
});

async function end(url: string, pid: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query('select pg_terminate_backend($1)', [pid]);
  await client.end();
}
