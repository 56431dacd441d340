import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { inTransaction } from '../../../db/transaction.ts';
import { serveMetrics } from '../../../server/http/metrics.ts';
import { queueAuditEntry } from '../../../server/services/audit/audit.ts';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import { createTestApp } from '../../support/app.ts';
import { describeEachDatabase, newDatabaseUrl } from '../../support/databases.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import { addUser, createActor } from '../../support/rows.ts';
import { startServer } from '../../support/server.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);

/** Name and labels → value. */
async function scrape(port: number): Promise<Map<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  const lines = (await answer.text()).split('\n').filter((line) => line && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

describeEachDatabase('the metrics', (fresh) => {
  let stop = async () => {};
  afterEach(() => stop());

  async function watched() {
    const metrics = await serveMetrics(fresh.database, 0);
    stop = metrics.close;
    return { test: createTestApp({ db: fresh.db, metrics }), metrics };
  }

  it('count requests by method, route pattern and class of status, with one pattern for all others', async () => {
    const { test, metrics } = await watched();
    const ana = await test.as([1, 3]);
    for (const id of [1, 2, 3]) await ana.get(`/api/suppliers/${id}`);
    for (const path of ['/nada', '/nada/mas', '/wp-login.php']) await ana.get(path);
    await ana.get('/userprofile');
    const values = await scrape(metrics.port);
    const count = (labels: string) => values.get(`saldo_http_request_duration_seconds_count{${labels}}`);
    const routes = [...values.keys()].filter((key) =>
      key.startsWith('saldo_http_request_duration_seconds_count'),
    );
    expect(routes).toHaveLength(3);
    expect(routes.join()).toContain('route="/api/suppliers/:id{[0-9]+}",status="4xx"');
    expect(count('method="GET",route="unmatched",status="4xx"')).toBe(3);
    expect(count('method="GET",route="/userprofile",status="2xx"')).toBe(1);
    expect(values.get('saldo_http_requests_aborted_total')).toBe(0);
    expect(values.get('process_resident_memory_bytes')).toBeGreaterThan(1e6);
  });

  it('count sign-ins by outcome, and rows that were created, not those that were rolled back', async () => {
    const { test, metrics } = await watched();
    await addUser(fresh.db, { username: 'ana', roles: [1], password: HASH });
    const before = await scrape(metrics.port);
    const guest = test.visitor();
    await guest.post('/api/auth/signin', { email: 'ana', password: 'otra cosa' });
    await guest.post('/api/auth/signin', { email: 'ana', password: PASSWORD });
    const created = await guest.post('/api/rubros/newrubro', { nombrerubro: 'Acero' });
    expect(created.status).toBe(201);
    await inTransaction(fresh.db, async (trx) => {
      queueAuditEntry(trx, createActor(), {
        action: 'import',
        entity: 'invoices',
        after: { created: 7, ids: [] },
      });
    });
    const rolledBack = inTransaction(fresh.db, async (trx) => {
      queueAuditEntry(trx, createActor(), { action: 'create', entity: 'rubros', entityId: 9 });
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    const after = await scrape(metrics.port);
    const grown = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0);
    expect(grown('saldo_sign_in_attempts_total{outcome="failed"}')).toBe(1);
    expect(grown('saldo_sign_in_attempts_total{outcome="succeeded"}')).toBe(1);
    expect(after.get('saldo_sign_in_attempts_total{outcome="locked"}')).toBe(0);
    expect(grown('saldo_rows_created_total{entity="rubros"}')).toBe(1);
    expect(grown('saldo_rows_created_total{entity="invoices"}')).toBe(7);
  });

  it('show passwords being hashed and waiting', async () => {
    const { metrics } = await watched();
    const hashes = Array.from({ length: 20 }, () => hashPassword(PASSWORD));
    const values = await scrape(metrics.port);
    expect(values.get('saldo_password_hashes{state="running"}')).toBe(2);
    expect(values.get('saldo_password_hashes{state="waiting"}')).toBeGreaterThan(0);
    await Promise.all(hashes);
    expect((await scrape(metrics.port)).get('saldo_password_hashes{state="running"}')).toBe(0);
  });

  it('say whether the database answers, and how large it is', async () => {
    const { metrics } = await watched();
    await addUser(fresh.db);
    const values = await scrape(metrics.port);
    expect(values.get('saldo_database_up')).toBe(1);
    expect(values.get('saldo_database_bytes')).toBeGreaterThan(10_000);
    expect(values.get('saldo_database_wal_bytes')).toBeGreaterThan(0);
    await fresh.database.close();
    expect((await scrape(metrics.port)).get('saldo_database_up')).toBe(0);
  });

  it('are all that their port answers, and an occupied port is reported clearly', async () => {
    const { metrics } = await watched();
    const url = `http://127.0.0.1:${metrics.port}`;
    for (const path of ['/', '/invoices', '/metrics/x', '/healthz'])
      expect((await fetch(url + path)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    await expect(serveMetrics(fresh.database, metrics.port)).rejects.toThrow(
      `METRICS_PORT: El puerto ${metrics.port} ya está ocupado.`,
    );
  });
});

describe('the server', () => {
  it('serves metrics where METRICS_PORT says, not on its own port, and closes both when it stops', async () => {
    const url = await newDatabaseUrl('sqlite');
    const server = await startServer({ DATABASE_URL: url, METRICS_PORT: '0' });
    onTestFinished(() => server.stop().then(() => {}));
    const [, port] = /metrics on http:\/\/127\.0\.0\.1:(\d+)\/metrics/.exec(server.output()) ?? [];
    const values = await scrape(Number(port));
    expect(values.get('saldo_database_up')).toBe(1);
    expect((await fetch(`${server.url}/metrics`, { redirect: 'manual' })).status).toBe(404);
    const { code } = await server.stop();
    expect(code).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/metrics`)).rejects.toThrow();
  });
});
