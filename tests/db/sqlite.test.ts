import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { isMainThread, Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import type { Trx } from '../../db/schema.ts';
import { refreshPlannerStatistics } from '../../db/sqlite.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertInvoices } from '../bench/many-invoices.ts';
import { startChild } from '../support/children.ts';
import { newDatabaseUrl, useFreshDatabase } from '../support/databases.ts';
import { addClient, addJob, addUser, NOW } from '../support/rows.ts';

describe('SQLite', () => {
  const fresh = useFreshDatabase('sqlite');

  it('syncs every commit, on each connection, even after a write', async () => {
    await addClient(fresh.db);
    const another = fresh.database.openAgain();
    await addClient(another.db);
    for (const { db } of [fresh.database, another]) {
      expect(await inTransaction(db, (trx) => pragma(trx, 'synchronous'))).toBe(2);
      expect(await pragma(db, 'synchronous')).toBe(2);
      expect(await pragma(db, 'journal_mode')).toBe('wal');
      expect(await inTransaction(db, (trx) => pragma(trx, 'foreign_keys'))).toBe(1);
    }
  });

  it('plans a statement without looking at the values that it is given, so that it is planned once', async () => {
    const planOf = (of: ReturnType<typeof sql>) =>
      sql<{ detail: string }>`explain query plan select id from mails where ${of} order by proximo`
        .execute(fresh.db)
        .then(({ rows }) => rows.map(({ detail }) => detail).join());
    expect(await planOf(sql`estado = 'espera'`)).toContain('mails_due');
    expect(await planOf(sql`estado = ${'espera'}`)).not.toContain('mails_due');
  });

  it('reads while one of our transactions is open, and sees its changes only after the commit', async () => {
    const gate = Promise.withResolvers<void>();
    const writing = inTransaction(fresh.db, async (trx) => {
      await addClient(trx);
      await gate.promise;
    });
    expect(await countClients()).toBe(0);
    gate.resolve();
    await writing;
    expect(await countClients()).toBe(1);
  });

  it('reads while another process writes, and writes once that one has finished', async () => {
    const child = await startChild();
    await child.run('hold', fresh.database.url);
    expect(await countClients()).toBe(0);
    let written = false;
    const writing = addClient(fresh.db).then(() => {
      written = true;
    });
    const inside = inTransaction(fresh.db, (trx) => addUser(trx));
    expect(await countClients()).toBe(0);
    expect(written).toBe(false);
    await child.run('release');
    await Promise.all([writing, inside]);
    expect(await countClients()).toBe(1);
  });

  it('refuses a write that waits too long, and accepts the next one', async () => {
    const child = await startChild();
    await child.run('hold', fresh.database.url);
    vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(60_000);
    await expect(addClient(fresh.db)).rejects.toMatchObject({ kind: 'busy', retryAfter: 5 });
    vi.restoreAllMocks();
    await child.run('release');
    await addClient(fresh.db);
  });

  it('fails a write outside the transaction it is in, instead of hanging, and continues to work', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const mistaken = inTransaction(fresh.db, async (trx) => {
      await addClient(trx);
      await addClient(fresh.db);
    });
    const outcome = expect(mistaken).rejects.toMatchObject({ kind: 'busy' });
    const waiting = inTransaction(fresh.db, (trx) => addClient(trx));
    const late = expect(waiting).rejects.toMatchObject({ kind: 'busy' });
    await vi.advanceTimersByTimeAsync(15_000);
    vi.useRealTimers();
    await Promise.all([outcome, late]);
    await addClient(fresh.db);
    expect(await countClients()).toBe(1);
  });

  it('rolls back a transaction whose commit fails, and no other', async () => {
    const failing = inTransaction(fresh.db, async (trx) => {
      await sql`PRAGMA defer_foreign_keys = ON`.execute(trx);
      await addJob(trx, { clientId: 999 });
    });
    const others = Array.from({ length: 5 }, () => inTransaction(fresh.db, (trx) => addClient(trx)));
    await expect(failing).rejects.toMatchObject({ kind: 'conflict', code: 'reference_changed' });
    await Promise.all(others);
    expect(await countClients()).toBe(5);
    expect(await fresh.db.selectFrom('jobs').select('id').execute()).toEqual([]);
  });

  it('stores nothing of a transaction that fails, and lets the next one run', async () => {
    const failing = inTransaction(fresh.db, async (trx) => {
      await addClient(trx);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await countClients()).toBe(0);
    await inTransaction(fresh.db, (trx) => addClient(trx));
    expect(await countClients()).toBe(1);
  });

  it('reports a full disk, stores nothing partially, continues to read, and recovers by itself', async () => {
    const pages = await inTransaction(fresh.db, (trx) => pragma(trx, 'page_count'));
    await limitPages(Number(pages) + 5);
    const filling = inTransaction(fresh.db, async (trx) => {
      for (;;) await addClient(trx, { clientname: 'x'.repeat(5000) });
    });
    await expect(filling).rejects.toMatchObject({ kind: 'busy', code: 'disk_full' });
    await expect(addClient(fresh.db, { clientname: 'x'.repeat(100_000) })).rejects.toMatchObject({
      code: 'disk_full',
    });
    expect(await countClients()).toBe(0);
    await limitPages(1_000_000);
    await addClient(fresh.db);
    expect(await countClients()).toBe(1);
  });

  it('gives no new row the id of a deleted row', async () => {
    const first = await addClient(fresh.db);
    await fresh.db.deleteFrom('clients').where('id', '=', first).execute();
    expect(await addClient(fresh.db)).toBe(first + 1);
  });

  it('leaves no journal behind when it is closed, whether it was written, read or not used', async () => {
    const url = await newDatabaseUrl('sqlite');
    const read = ({ db }: OpenDatabase) => db.selectFrom('users').select('id').execute();
    for (const use of [migrate, read, () => {}]) {
      const database = openDatabase(url, { root: '/', createIfMissing: true });
      await use(database);
      expect(existsSync(`${database.file}-wal`)).toBe(true);
      await database.close();
      expect(existsSync(`${database.file}-wal`)).toBe(false);
    }
  });

  it.each(['while it is open', 'when it is opened again'])(
    'plans for a history that was imported and paid, %s',
    async (moment) => {
      const url = await newDatabaseUrl('sqlite');
      const open = () => openDatabase(url, { root: '/', createIfMissing: true });
      let database = open();
      await migrate(database);
      const { id: userId } = await addUser(database.db);
      const insert = (trx: Trx, count: number) => insertInvoices(trx, count, { userId, at: NOW });
      const write = async (act: (trx: Trx) => Promise<unknown>) => {
        await inTransaction(database.db, act);
        if (moment === 'while it is open') return refreshPlannerStatistics(database.db);
        await database.close();
        database = open();
      };
      await write((trx) => insert(trx, 40));
      await write((trx) => insert(trx, 2000));
      await write((trx) => sql`update invoices set "paidCents" = 0`.execute(trx));
      await write((trx) => sql`update invoices set "paidCents" = "totalCents" where id > 20`.execute(trx));
      const statement = sql`select "supplierId" + 0, sum("totalCents") from invoices
      where "paidCents" < "totalCents" group by 1`;
      await statement.execute(database.db); // a plan alone does not notice what another connection has changed
      const plan = await sql<{ detail: string }>`explain query plan ${statement}`.execute(database.db);
      expect(plan.rows[0]?.detail).toContain('invoices_open');
      const sizes = await sql<{
        stat: string;
      }>`select stat from sqlite_stat1 where idx = 'invoices_due'`.execute(database.db);
      expect(sizes.rows[0]?.stat).toMatch(/^2040 /);
      await database.close();
    },
  );

  it('sorts in files in a worker thread, where all rows of a large table may have to be sorted', async () => {
    const [FILE, MEMORY] = [1, 2];
    const code = `const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(async ({ openSqliteFile }) => {
        const database = openSqliteFile(workerData.file, { readonly: true });
        parentPort.postMessage(database.pragma('temp_store', { simple: true }));
        database.close();
      });`;
    const module = new URL('../../db/sqlite-file.ts', import.meta.url).href;
    const thread = new Worker(code, { eval: true, workerData: { module, file: fresh.database.file } });
    expect(await once(thread, 'message')).toEqual([FILE]);
    expect(await pragma(fresh.db, 'temp_store')).toBe(isMainThread ? MEMORY : FILE);
  });

  const countClients = async () => (await fresh.db.selectFrom('clients').select('id').execute()).length;
  const limitPages = (pages: number) =>
    inTransaction(fresh.db, (trx) => sql.raw(`PRAGMA max_page_count = ${pages}`).execute(trx));
});

async function pragma(db: Parameters<typeof addClient>[0], name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`${sql.raw(`PRAGMA ${name}`)}`.execute(db);
  return rows[0]?.[name];
}
