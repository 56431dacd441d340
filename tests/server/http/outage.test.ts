import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { Kysely } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { postgresDialect } from '../../../db/postgres.ts';
import type { Schema } from '../../../db/schema.ts';
import { createTestApp } from '../../support/app.ts';
import { useFresh } from '../../support/databases.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

const SILENCE_MS = 150;

describe('without PostgreSQL', () => {
  const fresh = useFresh('postgres');

  it('pages and API answer 503 in words, and serve again once it is back', async () => {
    const proxy = await tcpProxy(fresh.database.url);
    const { dialect, pool } = postgresDialect(proxy.url, SILENCE_MS);
    const db = new Kysely<Schema>({ dialect });
    onTestFinished(async () => {
      await proxy.close();
      await db.destroy();
    });
    const test = createTestApp({ db });
    const client = await test.as(1);
    const said = 'La base de datos no responde. Intenta de nuevo en un momento.';

    proxy.swallow();
    const api = await client.get('/api/rubros/search/');
    expect([api.status, api.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await api.json()).toEqual({ message: said, code: 'database_unavailable' });
    const saved = await client.post('/api/rubros/newrubro', { nombrerubro: 'Norte' });
    expect(saved.status).toBe(503);
    const page = await client.get('/invoices');
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await page.text()).toContain(said);
    const signIn = await test.visitor().form('/login', { email: 'ana@saldo.test', password: 'x' });
    expect(signIn.status).toBe(503);
    expect(await signIn.text()).toContain(said);
    expect((await test.request('/readyz')).status).toBe(503);
    expect((await test.request('/healthz')).status).toBe(200);

    proxy.heal();
    await expect.poll(async () => (await test.request('/readyz')).status).toBe(200);
    expect((await client.get('/api/rubros/search/')).status).toBe(200);
    expect(pool.totalCount).toBeLessThanOrEqual(2);
  });
});

describe('without the folder of the database file', () => {
  const fresh = useFresh('sqlite');

  it('nothing counts as saved, and the server says that it is not ready', async () => {
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
});
