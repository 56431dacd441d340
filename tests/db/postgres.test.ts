import { Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOutage } from '../../db/explain-errors.ts';
import { postgresDialect, splitServerUrls } from '../../db/postgres.ts';
import type { Schema } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

/** Long enough for an answer on a busy machine. */
const LIMITS = { connectMs: 700, answerMs: 700 };

describe('the list of servers in an address', () => {
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
    expect(splitServerUrls(url)).toEqual(servers);
  });

  it.each([
    'postgres://uno,/saldo',
    'postgres://uno:x,dos/saldo',
    'postgres://uno dos/saldo',
    'postgres://uno:99999/saldo',
    'mysql://uno/saldo',
  ])('is refused in %s', (url) => {
    expect(() => splitServerUrls(url)).toThrow('varios servidores separados por comas');
  });
});

describe('a connection to PostgreSQL', () => {
  const fresh = useFreshDatabase('postgres');
  let proxy: TcpProxy;
  let db: Kysely<Schema>;
  const open = (url: string) => new Kysely<Schema>({ dialect: postgresDialect(url, LIMITS).dialect });

  beforeEach(async () => {
    proxy = await startTcpProxy(fresh.database.url);
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

  it('keeps what it has read once, and reads a column that is added after that', async () => {
    await db.connection().execute(async (one) => {
      const read = async () => {
        await sql`select key from settings`.execute(one);
        await sql`select * from (select value from settings) named`.execute(one);
        return (await sql<object>`select * from settings`.execute(one)).rows.map(Object.keys);
      };
      await sql`insert into settings (key, value) values ('nota', 'una')`.execute(one);
      await read();
      await sql`alter table settings add column nota text`.execute(one);
      expect(await read()).toEqual([expect.arrayContaining(['key', 'nota'])]);
      const kept = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
        one,
      );
      expect(kept.rows.map(({ statement }) => statement)).toEqual(
        expect.arrayContaining([
          'select key from settings',
          'select * from (select value from settings) named',
        ]),
      );
      expect(
        kept.rows.filter(({ statement }) => /select \* from settings|alter|insert/.test(statement)),
      ).toEqual([]);
    });
  });

  it('is shared by the reads of one tick, of which each fails alone, and by no transaction', async () => {
    const backend = (on: Kysely<Schema> = db) =>
      sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on).then(({ rows }) => rows[0]!.pid);
    await db.transaction().execute(async (trx) => {
      const [own, one, refused, other] = await Promise.all([
        backend(trx),
        backend(),
        failure(sql`select 1 / (random() * 0)::int`.execute(db)),
        backend(),
      ]);
      expect(refused?.message).toBe('division by zero');
      expect(other).toBe(one);
      expect(own).not.toBe(one);
      expect(await backend(trx)).toBe(own);
    });
  });

  it('fails only its own transaction, which is run again, if the server closes it between two queries', async () => {
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

  it('is abandoned if nothing answers, and the next one works', async () => {
    await Promise.all([sleep(0), sleep(0), sleep(0)]);
    proxy.stopTraffic();
    const failed = await Promise.all([1, 2, 3].map(() => failure(sleep(0))));
    expect(failed.map(isOutage)).toEqual([true, true, true]);
    proxy.acceptConnections();
    await sleep(0);
  });

  it('uses the first reachable one of several servers, and the next one if that fails', async () => {
    const { hostname, port } = new URL(fresh.database.url);
    const several = open(
      fresh.database.url.replace(/@[^/]+/, `@127.0.0.1:1,${new URL(proxy.url).host},${hostname}:${port}`),
    );
    await sleep(0, several);
    proxy.stopTraffic();
    expect(isOutage(await failure(sleep(0, several)))).toBe(true);
    await sleep(0, several);
    await several.destroy();
  });

  it('waits for a long query as long as rows keep coming', async () => {
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
