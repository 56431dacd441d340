import { copyFileSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isOutage } from '../../../db/explain-errors.ts';
import { postgresDialect } from '../../../db/postgres.ts';
import type { Schema } from '../../../db/schema.ts';
import { addCommitStep } from '../../../db/transaction.ts';
import { type IdempotencyKey, runOncePerKey } from '../../../server/services/idempotency.ts';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { addActor } from '../../support/rows.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

const LIMITS = { connectMs: 500, answerMs: 500 };

describe('without PostgreSQL', () => {
  const fresh = useFreshDatabase('postgres');

  it('pages and API answer 503 in words, and work again once it is back', async () => {
    const proxy = await startTcpProxy(fresh.database.url);
    const { dialect, pool } = postgresDialect(proxy.url, LIMITS);
    const db = new Kysely<Schema>({ dialect });
    onTestFinished(async () => {
      await proxy.close();
      await db.destroy();
    });
    const test = createTestApp({ db });
    const client = await test.as(1);
    const message = 'La base de datos no responde. Intenta de nuevo en un momento.';

    proxy.stopTraffic();
    const api = await client.get('/api/rubros/search/');
    expect([api.status, api.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await api.json()).toEqual({ message, code: 'database_unavailable' });
    const saved = await client.post('/api/rubros/newrubro', { nombrerubro: 'Norte' });
    expect(saved.status).toBe(503);
    const page = await client.get('/invoices');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await page.text()).toContain(message);
    const signIn = await test.visitor().form('/login', { email: 'ana@saldo.test', password: 'x' });
    expect(signIn.status).toBe(503);
    expect(await signIn.text()).toContain(message);
    expect((await test.request('/readyz')).status).toBe(503);
    expect((await test.request('/healthz')).status).toBe(200);

    proxy.acceptConnections();
    await expect.poll(async () => (await test.request('/readyz')).status).toBe(200);
    expect((await client.get('/api/rubros/search/')).status).toBe(200);
    expect(pool.totalCount).toBeLessThanOrEqual(2);
  });
});

describe('a lost answer of PostgreSQL', () => {
  const fresh = useFreshDatabase('postgres');

  it('to a commit leaves a write with a key stored once, and its answer can be found', async () => {
    const proxy = await startTcpProxy(fresh.database.url);
    const db = new Kysely<Schema>({ dialect: postgresDialect(proxy.url, LIMITS).dialect });
    onTestFinished(async () => {
      await proxy.close();
      await db.destroy();
    });
    const actor = await addActor(fresh.db);
    await sql`create table notas (id serial, n integer)`.execute(fresh.db);
    let runs = 0;
    const add = (once?: IdempotencyKey) =>
      runOncePerKey(db, actor, once, async (trx) => {
        runs++;
        addCommitStep(trx, async () => {
          proxy.dropAnswers();
          return () => {};
        });
        const { rows } = await sql<{
          id: number;
        }>`insert into notas (n) values (${runs}) returning id`.execute(trx);
        return rows[0]!;
      });
    const key = { key: 'una-vez', method: 'POST', path: '/x', body: '{}' };
    expect(await add(key)).toEqual({ answer: { id: 1 }, repeated: true });
    expect(isOutage(await add().catch((error) => error))).toBe(true);
    const { rows } = await sql`select id, n from notas order by id`.execute(fresh.db);
    expect([runs, rows]).toEqual([
      2,
      [
        { id: 1, n: 1 },
        { id: 2, n: 2 },
      ],
    ]);
  });
});

describe('without the folder of the database file', () => {
  const fresh = useFreshDatabase('sqlite');

  it('nothing counts as saved, and the server reports that it is not ready', async () => {
    const test = createTestApp({ db: fresh.db });
    const client = await test.as(1);
    expect((await client.post('/api/rubros/newrubro', { nombrerubro: 'Norte' })).status).toBe(201);
    expect((await test.request('/readyz')).status).toBe(200);

    const folder = dirname(fresh.database.file!);
    renameSync(folder, `${folder}-quitada`);
    const refused = await client.post('/api/rubros/newrubro', { nombrerubro: 'Sur' });
    expect([refused.status, (await refused.json()).code]).toEqual([503, 'database_gone']);
    const form = await client.form('/new-rubro', { nombrerubro: 'Sur' });
    expect(form.status).toBe(503);
    expect(await form.text()).toContain('ya no está en su lugar');
    expect((await test.request('/readyz')).status).toBe(503);

    renameSync(`${folder}-quitada`, folder);
    expect((await test.request('/readyz')).status).toBe(200);
    expect((await client.post('/api/rubros/newrubro', { nombrerubro: 'Este' })).status).toBe(201);
  });

  it.each(['', '-wal', '-shm'])(
    'or with one of its files missing or replaced by a copy, the same holds (%s)',
    async (end) => {
      const test = createTestApp({ db: fresh.db });
      const client = await test.as(1);
      const add = async () => (await client.post('/api/rubros/newrubro', { nombrerubro: 'Norte' })).status;
      const file = fresh.database.file! + end;
      renameSync(file, `${file}-quitada`);
      expect(await add()).toBe(503);
      copyFileSync(`${file}-quitada`, file);
      expect(await add()).toBe(503);
      expect((await test.request('/readyz')).status).toBe(503);
      renameSync(`${file}-quitada`, file);
      expect((await test.request('/readyz')).status).toBe(200);
    },
  );
});
