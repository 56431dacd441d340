import { expect, it } from 'vitest';
import { countRowsByTable } from '../../db/copies/table-statistics.ts';
import { dialectOf } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { addUpload } from '../../server/services/files.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import { fold } from '../../shared/text.ts';
import { createTestApp } from '../support/app.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { describeEachInLongLane, IS_FULL_PROOF, IS_LONG_LANE } from '../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  createActor,
} from '../support/rows.ts';
import { SQL as ALL } from './payloads.ts';

const SQL = ALL.filter((_, index) => IS_LONG_LANE || index % 9 === 0);

/** A list's parameters: typed ones refuse every payload, text ones accept any. */
interface Searched {
  path: string;
  typed: string[];
  texts: string[];
  nameOf?: (row: Record<string, never>) => string;
}

const DATES = ['fechaemision', 'fechavencimiento', 'vence'].flatMap((day) => [`${day}Desde`, `${day}Hasta`]);
const IDS = ['supplierId', 'jobId', 'rubroId', 'invoiceId'];
const SORT = ['sortfield', 'sorttype'];
const PAYMENT_DATES = ['paymentdateDesde', 'paymentdateHasta'];

const API: Searched[] = [
  ...catalogs.map((catalog) => ({
    path: `${catalog.paths.api}/search/`,
    typed: ['id', ...SORT, 'limit', 'format'],
    texts: [catalog.nameField],
    nameOf: (row: Record<string, never>) => String(row[catalog.nameField]),
  })),
  {
    path: '/api/facturaproveedores/search/',
    typed: [...IDS, 'status', ...DATES, 'corte', ...SORT, 'limit', 'format'],
    texts: ['numfactura'],
    nameOf: (row) => String(row.numfactura),
  },
  {
    path: '/api/payments/search/',
    typed: ['userId', 'facturaproveedorId', 'kind', 'rep', ...PAYMENT_DATES, ...SORT, 'limit', 'format'],
    texts: ['checknum'],
    nameOf: (row) => String(row.checknum),
  },
  {
    path: '/api/users/search/',
    typed: ['id', ...SORT, 'limit', 'cursor', 'format'],
    texts: ['username'],
    nameOf: (row) => String(row.username),
  },
  { path: '/api/roles/search', typed: ['limit', 'cursor'], texts: [] },
  {
    path: '/api/facturaproveedores/reporting/pivot/',
    typed: ['weeknum', 'yr', 'corte', 'supplierId', 'jobId', 'format'],
    texts: [],
  },
  {
    path: '/api/payments/pendingpayment/',
    typed: ['facturaproveedorid', 'facturaproveedorId'],
    texts: [],
  },
];

/** Parameters that are sent one at a time: SQL in any of them is refused. */
const ALONE = [
  ...catalogs.map((catalog) => `${catalog.paths.api}?cursor=`),
  '/api/facturaproveedores?cursor=',
  '/api/facturaproveedores?id=',
  '/api/payments?cursor=',
  '/api/payments?id=',
  '/api/suppliers?confirm=',
];

/** Paths that no route has. */
const PATHS = [
  ...catalogs.flatMap(({ paths }) => [`${paths.api}/`, `${paths.edit}/`]),
  '/api/suppliers/findbyid/',
  '/api/facturaproveedores/',
  '/api/payments/',
  '/api/test/getusers/',
  '/editinvoicepage/',
  '/editpaymentpage/',
  '/pagos-proveedores/',
];

/** Pages and files parse parameters like the API, so their typed parameters are tested together. */
const PAGES: Searched[] = [
  ...catalogs.flatMap(({ paths, nameField }) => [
    { path: paths.list, typed: [...SORT, 'shown'], texts: [nameField] },
    { path: `${paths.list}/export.csv`, typed: SORT, texts: [nameField] },
  ]),
  { path: '/invoices', typed: [...IDS, 'status', ...DATES, 'corte', ...SORT], texts: ['numfactura'] },
  {
    path: '/invoices/export.csv',
    typed: [...IDS, 'status', ...DATES, 'corte', ...SORT],
    texts: ['numfactura'],
  },
  {
    path: '/pagos-proveedores',
    typed: [...PAYMENT_DATES, 'facturaproveedorId', 'kind', 'rep', ...SORT],
    texts: ['checknum'],
  },
  {
    path: '/pagos-proveedores/export.csv',
    typed: [...PAYMENT_DATES, 'kind', 'rep', ...SORT],
    texts: ['checknum'],
  },
  { path: '/admin-users', typed: [...SORT, 'cursor', 'edit'], texts: ['username'] },
  { path: '/admin-users/export.csv', typed: SORT, texts: ['username'] },
  { path: '/', typed: ['desde', 'hasta', 'jobId', 'rubroId'], texts: ['jobtitle', 'nombrerubro'] },
  {
    path: '/reporte-saldos',
    typed: ['weeknum', 'yr', 'corte', 'supplierId', 'jobId'],
    texts: ['suppliername', 'jobtitle'],
  },
];

/**
 * A typed parameter is refused before any SQL, by the same code everywhere, so a third suffices outside the API on the
 * first database.
 */
const isThird = (index: number) => IS_FULL_PROOF || index % 3 === 0;

describeEachInLongLane('T13 · SQL in a parameter', (fresh) => {
  it('of the API is refused or searched for literally, and does nothing', async () => {
    const { counts, send, figures } = await prepare(fresh.db);
    for (const [index, payload] of SQL.entries()) {
      const withTyped = fresh.dialect === 'sqlite' || isThird(index);
      for (const { path, typed, texts, nameOf } of API) {
        if (withTyped) {
          const refused = await send(path, Object.fromEntries(typed.map((name) => [name, payload])));
          expect({ path, payload, status: refused.status }).toEqual({ path, payload, status: 400 });
          const { fields } = (await refused.json()) as { fields: object };
          const named = Object.keys(fields).sort();
          expect({ path, payload, named }).toEqual({ path, payload, named: [...typed].sort() });
        }
        for (const name of texts) {
          const found = await send(path, { [name]: payload });
          if (found.status === 400) expect(payload).toMatch(/[\p{Cc}\u202e]/u);
          else {
            expect({ path, payload, status: found.status }).toEqual({ path, payload, status: 200 });
            for (const row of await found.json()) expect(fold(nameOf!(row))).toContain(fold(payload));
          }
        }
      }
      for (const address of withTyped ? ALONE : []) {
        const refused = await send(address.slice(0, address.indexOf('?')), {
          [address.slice(address.indexOf('?') + 1, -1)]: payload,
        });
        expect({ address, payload, status: refused.status }).toEqual({ address, payload, status: 400 });
      }
    }
    expect(await counts()).toEqual(figures('API'));
  }, 200_000);

  it('of a page or an export is refused or searched for literally, and does nothing', async () => {
    const { counts, send, figures } = await prepare(fresh.db);
    for (const [index, payload] of SQL.entries()) {
      for (const [at, { path, typed, texts }] of PAGES.entries()) {
        if (isThird(index + at)) {
          const refused = await send(path, Object.fromEntries(typed.map((name) => [name, payload])));
          expect({ path, payload, status: refused.status }).toEqual({ path, payload, status: 400 });
        }
        const found = await send(path, Object.fromEntries(texts.map((name) => [name, payload])));
        await found.text();
        expect([200, 400, 422], `${path} ${payload}`).toContain(found.status);
      }
    }
    expect(await counts()).toEqual(figures('pages'));
  }, 200_000);

  it("of a file's mapping is refused or searched for literally, and does nothing", async () => {
    const { client, counts, send, figures } = await prepare(fresh.db);
    const bytes = Buffer.from('Rubro,Nota\nAcero,x\n');
    const id = await addUpload(fresh.db, createActor({ userId: client.user.id }), {
      filename: 'a.csv',
      bytes,
    });
    for (const payload of SQL) {
      for (const parameter of ['kind', 'decimal']) {
        const { status } = await send(`/importar/${id}`, { kind: 'rubros', [parameter]: payload });
        expect({ parameter, payload, status }).toEqual({ parameter, payload, status: 400 });
      }
      const texts = ['c1', 'set.descripcionrubro', 'dateFormat', 'createMissing', 'onError', 'otro'];
      const mapping = Object.fromEntries(texts.map((name) => [name, payload]));
      const answer = await send(`/importar/${id}`, { kind: 'rubros', ...mapping });
      await answer.text();
      expect({ payload, isFound: [200, 400, 422].includes(answer.status) }).toMatchObject({ isFound: true });
      const other = await send(`/importar/${encodeURIComponent(payload)}`, { kind: 'rubros' });
      expect({ payload, isRefused: [400, 404].includes(other.status) }).toMatchObject({ isRefused: true });
    }
    expect(await counts()).toEqual(figures('imports'));
  }, 200_000);

  it.each(['%', '_', '%_', '_%'])('is not a pattern: %s is found only where it occurs', async (sign) => {
    const { client } = await prepare(fresh.db);
    let found = 0;
    for (const { path, texts, nameOf } of API) {
      for (const name of texts) {
        const all = (await (await client.get(path)).json()) as Record<string, never>[];
        const rows = (await (
          await client.get(`${path}?${new URLSearchParams({ [name]: sign })}`)
        ).json()) as typeof all;
        const expected = all.map((row) => nameOf!(row)).filter((text) => text.includes(sign));
        expect({ path, names: rows.map((row) => nameOf!(row)) }).toEqual({ path, names: expected });
        expect(expected.length).toBeLessThan(all.length);
        found += expected.length;
      }
    }
    expect(found).toBeGreaterThan(0);
    for (const path of ['/suppliers', '/invoices', '/pagos-proveedores']) {
      const [name = ''] = PAGES.find((one) => one.path === path)?.texts ?? [];
      const address = `${path}?${new URLSearchParams({ [name]: '%' })}`;
      const page = await (await client.get(address, FRAGMENT)).text();
      expect({
        path,
        lists: /A%1_%|100% Acero/.test(page),
        listsOthers: /A11x1|Cementos 1000|C11x2/.test(page),
      }).toEqual({ path, lists: true, listsOthers: false });
    }
  });

  it('in a path leads nowhere', async () => {
    const { client, counts } = await prepare(fresh.db);
    for (const [index, payload] of SQL.entries()) {
      const part = encodeURIComponent(payload);
      for (const [at, path] of PATHS.entries()) {
        if (!isThird(index + at)) continue;
        const { status } = await client.get(path + part);
        expect(status === 404 || status === 400, `${path} ${payload}`).toBe(true);
      }
    }
    expect((await counts()).suppliers).toBe(2);
  }, 200_000);
});

async function prepare(db: Db) {
  const { as } = createTestApp({ db, config: { logLevel: 'error' } });
  const user = await addUser(db, { username: 'per%cent_ana', roles: [1, 3] });
  await addUser(db, { username: 'percent.ana' });
  const client = await as(user);
  await fill(db, user.id);
  const before = await counts(db);
  const took: number[] = [];
  return {
    client,
    counts: () => counts(db),
    async send(path: string, parameters: Record<string, string>) {
      const started = performance.now();
      const answer = await client.get(`${path}?${new URLSearchParams(parameters)}`, FRAGMENT);
      took.push(performance.now() - started);
      return answer;
    },
    figures(what: string) {
      const slowest = Math.max(...took);
      expect(slowest).toBeLessThan(1000 * timeLimitFactor());
      console.info(
        `T13 ${what}, ${dialectOf(db)}: ${took.length} requests of ${SQL.length} payloads, slowest ${slowest.toFixed(0)} ms, mean ${(took.reduce((a, b) => a + b) / took.length).toFixed(2)}`,
      );
      return before;
    },
  };
}

/** Lists as scripts request them, without the page around. */
const FRAGMENT = { headers: { 'x-fragment': 'results' } };

/** Stores names with wildcard characters, and names that these would match. */
async function fill(db: Db, userId: number) {
  const supplierId = await addSupplier(db, { suppliername: '100% Acero_Norte \\ "S" \'A\'' });
  await addSupplier(db, { suppliername: 'Cementos 1000' });
  const jobId = await addJob(db, { jobtitle: 'Torre 100%_Roble' });
  await addJob(db, { jobtitle: 'Torre 1000 Roble' });
  await addRubro(db, { nombrerubro: 'Obra_negra 5%' });
  await addRubro(db, { nombrerubro: 'Obra negra 50' });
  await addFundingSource(db, { origenderecursonombre: 'Banco_uno 5%' });
  await addFundingSource(db, { origenderecursonombre: 'Banco uno 50' });
  const facturaproveedorId = await addInvoice(db, { supplierId, jobId, numfactura: 'A%1_%' });
  await addInvoice(db, { supplierId, jobId, numfactura: 'A11x1' });
  await addPayment(db, { facturaproveedorId, amountCents: 100, userId, checknum: 'C%1_2' });
  await addPayment(db, { facturaproveedorId, amountCents: 100, userId, checknum: 'C11x2' });
}

/** Counts the rows of all tables except preferences and uploads. */
async function counts(db: Db): Promise<Record<string, number>> {
  const { files: _, uploads: __, user_preferences: ___, ...rows } = await countRowsByTable(db);
  return rows;
}
