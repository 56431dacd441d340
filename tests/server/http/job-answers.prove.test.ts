import { mkdirSync, readdirSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../../db/open.ts';
import type { JobRunner } from '../../../server/http/jobs.ts';
import { exportPath, pages } from '../../../shared/urls.ts';
import { createTestApp, TEST_CONFIG } from '../../support/app.ts';
import { statusMegabytesOf } from '../../support/availability.ts';
import { newDatabaseUrl, openFreshDatabase } from '../../support/databases.ts';
import { fillLedger } from '../../support/ledger.ts';
import { chooseRunCount } from '../../support/proofs.ts';
import { addInvoice, addToken } from '../../support/rows.ts';
import { type OwnServer, startOwnServer, startServer } from '../../support/server.ts';

const INVOICES = chooseRunCount(3_000, 100_000);
const PIVOT = '/api/facturaproveedores/reporting/pivot/';

describe('requests that a worker thread of the built server answers', () => {
  let server: OwnServer;
  let tokens: string[];

  beforeAll(async () => {
    const prepare = async ({ db }: OpenDatabase) => {
      await fillLedger(db, { invoiceCount: INVOICES });
      tokens = [await addToken(db, [1, 6]), await addToken(db, [1, 6])];
    };
    server = await startOwnServer(prepare, (folder) => {
      mkdirSync(`${folder}/tmp`);
      return { TMPDIR: `${folder}/tmp`, NODE_OPTIONS: '--max-old-space-size=512' };
    });
  }, 600_000);
  afterAll(() => server?.stop());

  const ask = (path: string, who = 0, init: RequestInit = {}) =>
    fetch(server.url + path, { ...init, headers: { 'x-access-token': tokens[who]!, ...init.headers } });

  it('get the same answer as from the main thread', async () => {
    const database = openDatabase(`file:${server.folder}/saldo.db`, { root: '/', createIfMissing: false });
    const { app } = createTestApp({ db: database.db, now: new Date() });
    for (const path of [
      PIVOT,
      `${PIVOT}?corte=2025-01-31&supplierId=3`,
      '/api/facturaproveedores/search/?corte=2025-01-31&limit=20',
      '/reporte-saldos/export.csv',
      '/invoices/export.csv?supplierId=3',
    ]) {
      const here = await app.request(`${server.url}${path}`, { headers: { 'x-access-token': tokens[0]! } });
      const there = await ask(path);
      expect([path, there.status, await there.text()]).toEqual([path, 200, await here.text()]);
      for (const name of ['content-type', 'content-disposition', 'x-total-count', 'x-sum-total', 'link'])
        expect(there.headers.get(name), name).toBe(here.headers.get(name));
      expect(there.headers.get('content-security-policy')).toBeTruthy();
    }
    await database.close();
  });

  it('report what is wrong with them, under the id in the log', async () => {
    const answer = await ask('/api/facturaproveedores/reporting/pivot/?weeknum=99');
    expect([answer.status, (await answer.json()).code]).toEqual([400, expect.any(String)]);
    const page = await ask('/reporte-saldos?corte=2026-13-01');
    expect([page.status, await page.text()]).toEqual([400, expect.stringContaining('Saldos por proveedor')]);
    const gone = await ask('/importar/no-es-de-nadie?kind=invoices');
    expect(gone.status).toBe(404);
    await expect.poll(() => server.output()).toContain(`"id":"${gone.headers.get('x-request-id')}"`);
  });

  it('take neither the process nor the time of others if nobody reads the answer', async () => {
    const text = await (await ask(PIVOT)).text();
    const before = statusMegabytesOf(server.process.pid!);
    const unread = Array.from({ length: 16 }, () => {
      const headers = { 'x-access-token': tokens[0]! };
      const call = request(server.url + PIVOT, { agent: false, headers });
      call.on('error', () => {});
      const begun = new Promise<void>((resolve) =>
        call.once('response', (answer) => {
          answer.pause();
          resolve();
        }),
      );
      call.end();
      return { call, begun };
    });
    const times: number[] = [];
    let begun = 0;
    for (const one of unread)
      void one.begun.then(() => {
        begun++;
      });
    // Only this many answers of one user are stored in files; further jobs wait until one is read.
    while (begun < 8 || times.length < 40) {
      const began = performance.now();
      expect((await ask('/api/test/user', 1)).status).toBe(200);
      times.push(performance.now() - began);
      await delay(10);
    }
    expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(250);
    // Held in memory there would be eight answers, each with its text and its rows.
    const grown = statusMegabytesOf(server.process.pid!) - before;
    console.info(`16 unread pivots of ${(text.length / 1e6).toFixed(1)} MB: ${grown.toFixed(0)} MB more`);
    expect(grown).toBeLessThan(250);
    // One or two answers may fit into the connection's buffers, which frees their files.
    expect(begun).toBeLessThan(16);
    for (const { call } of unread) call.destroy();
    expect((await ask(PIVOT, 1)).status).toBe(200);
    expect(server.process.exitCode).toBeNull();
  });

  it('of one user wait for one another, and not for those of others', async () => {
    const ended: string[] = [];
    const get = async (path: string, who: number) => {
      await (await ask(path, who)).text();
      ended.push(`${who} ${path}`);
    };
    await Promise.all([
      ...Array.from({ length: 8 }, () => get('/invoices/export.json', 0)),
      get('/dashboard', 1),
    ]);
    expect(ended.indexOf('1 /dashboard')).toBeLessThan(4);
  });

  it('leave no file behind, even if the server is killed meanwhile', async () => {
    const answers = Promise.allSettled(Array.from({ length: 4 }, () => ask('/invoices/export.xlsx')));
    await (await ask(PIVOT, 1)).text();
    server.process.kill('SIGKILL');
    await answers;
    expect(readdirSync(`${server.folder}/tmp`)).toEqual([]);
  });
});

describe('requests that a worker thread of a server on PostgreSQL answers', () => {
  it('are answered from one moment by workers that end when the server ends', async () => {
    const url = await newDatabaseUrl('postgres');
    const database = openDatabase(url, { root: '/', createIfMissing: true });
    await migrate(database);
    await addInvoice(database.db, { numfactura: 'A-1' });
    const token = await addToken(database.db, [1, 6]);
    await database.close();
    const server = await startServer({ DATABASE_URL: url, SALDO_SECRET: TEST_CONFIG.secret });
    const ask = (path: string) => fetch(server.url + path, { headers: { 'x-access-token': token } });
    const rows = (await (await ask(PIVOT)).json()) as { numfactura: string }[];
    expect(rows.map((row) => row.numfactura)).toEqual(['A-1', '', '']);
    for (const path of ['/', '/dashboard', '/invoices/export.csv', '/invoices?corte=2026-12-31'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    expect((await server.stop()).code).toBe(0);
  });
});

describe('a report that adds up several statements', () => {
  it('is read by a worker in one snapshot', async () => {
    const { db, close } = await openFreshDatabase('sqlite');
    const jobs: string[] = [];
    const answer: JobRunner['runRequest'] = async (kind, { url }) => {
      jobs.push(`${kind} ${new URL(url).pathname}`);
      return { status: 200, headers: [], bytes: 0, body: null };
    };
    const { request } = createTestApp({ db, jobs: { runRequest: answer } as JobRunner, now: new Date() });
    const headers = { 'x-access-token': await addToken(db, [1, 6]) };
    const reports = [pages.results, pages.dashboard, pages.balances, pages.notices];
    const file = exportPath(pages.results, 'csv');
    for (const path of [...reports, file]) await request(path, { headers });
    expect(jobs).toEqual([...reports.map((path) => `report ${path}`), `export ${file}`]);
    await close();
  });
});
