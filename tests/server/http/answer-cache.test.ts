import { describe, expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { denseRowsPreference } from '../../../server/services/preferences/list-views.ts';
import { setPreference } from '../../../server/services/preferences/preferences.ts';
import { changeSetting } from '../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../support/app.ts';
import { startChild } from '../../support/children.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  createActor,
} from '../../support/rows.ts';

const textOf = async (browser: TestClient, path: string, init?: RequestInit) =>
  (await browser.get(path, init)).text();

/** Counts how often rows that name an invoice are read. */
function counting(db: Db) {
  const count = { reads: 0 };
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.rows.some((row) => 'numfactura' in row)) count.reads++;
      return result;
    },
  });
  return { db: counted, count };
}

describeEachInLongLane('a cached answer', (fresh) => {
  it.each(['/invoices', '/pagos-proveedores', '/api/facturaproveedores/search/', '/api/payments/'])(
    'is made once while nothing is written: %s',
    async (path) => {
      const { db, count } = counting(fresh.db);
      const browser = await createTestApp({ db }).as(2);
      const facturaproveedorId = await addInvoice(fresh.db, { subtotalCents: 10_000 });
      await addPayment(fresh.db, { facturaproveedorId, amountCents: 1234, userId: browser.user.id });
      const readAgain = async () => {
        const before = count.reads;
        await browser.get(path);
        return count.reads - before;
      };
      expect(await readAgain()).toBeGreaterThan(0);
      // Writes of other tests in the same PostgreSQL also invalidate the cache.
      await expect.poll(readAgain).toBe(0);
      await addInvoice(fresh.db);
      expect(await readAgain()).toBeGreaterThan(0);
    },
  );

  it('equals the answer that would be made now, after any write, audited or not', async () => {
    const user = await addUser(fresh.db, { roles: [1, 2, 3] });
    const own = createTestApp({ db: fresh.db });
    const browser = await own.as(user);
    const paths = ['/invoices', '/pagos-proveedores', '/', '/suppliers', '/api/facturaproveedores'];
    const other = fresh.database.openAgain();
    const child = await startChild();
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const invoiceId = await addInvoice(fresh.db, { supplierId, subtotalCents: 50_000 });
    const pay = { facturaproveedorId: invoiceId, userId: user.id, amountCents: 1234 };
    const writes: [what: string, write: () => Promise<unknown>][] = [
      ['nothing', async () => {}],
      ['a payment', () => addPayment(fresh.db, pay)],
      ['a payment over another connection', () => addPayment(other.db, pay)],
      ['an invoice of another process', () => child.run('invoice', fresh.database.url)],
      ['a name', () => other.db.updateTable('suppliers').set({ suppliername: 'Otros' }).execute()],
      ['a choice of the user', () => setPreference(other.db, user.id, denseRowsPreference, true)],
      ['a setting', () => changeSetting(other.db, createActor(), 'empresa', 'Otra Constructora')],
      ['the language', () => changeSetting(fresh.db, createActor(), 'idioma', 'es')],
      ['the screen itself', () => browser.form('/userprofile/filas', { densas: '' })],
      ['a row of a catalog', () => addRubro(other.db)],
      ['a source', () => addFundingSource(fresh.db)],
      ['another user', () => addUser(other.db)],
      ['a role', () => other.db.deleteFrom('user_roles').where('roleId', '=', 3).execute()],
    ];
    for (const [what, write] of writes) {
      await write();
      const unkept = await createTestApp({ db: fresh.db }).as(user);
      for (const path of paths)
        expect(await textOf(browser, path), `${path} after ${what}`).toBe(await textOf(unkept, path));
    }
  });

  it('is given to nobody else, whatever tag they send', async () => {
    const { as, withToken } = createTestApp({ db: fresh.db });
    const [ana, luis] = [
      await as(await addUser(fresh.db, { username: 'ana', roles: [1, 2, 3] })),
      await as(await addUser(fresh.db, { username: 'luis', roles: [1, 2, 3] })),
    ];
    const hers = await ana.get('/invoices');
    const tag = hers.headers.get('etag')!;
    const his = await luis.get('/invoices', { headers: { 'if-none-match': tag } });
    expect([his.status, his.headers.get('etag') === tag]).toEqual([200, false]);
    expect(await his.text()).toMatch(/<span>luis</);
    const clerk = await withToken(1);
    expect((await clerk.get('/bitacora')).status).toBe(403);
    await fresh.db.deleteFrom('sessions').where('userId', '=', ana.user.id).execute();
    expect((await ana.get('/invoices')).status).toBe(303);
  });

  it('states by its tag that nothing has changed, to whoever was sent it', async () => {
    const { as, clock } = createTestApp({ db: fresh.db });
    const browser = await as([1, 2, 3]);
    const path = '/api/facturaproveedores';
    const again = async (init: Record<string, string> = {}) => {
      const tag = (await browser.get(path)).headers.get('etag')!;
      const answer = await browser.get(path, { headers: { 'if-none-match': `"other", ${tag}`, ...init } });
      return { tag, answer };
    };
    const unchanged = async () => (await again()).answer.status;
    await expect.poll(unchanged).toBe(304);
    const { answer } = await again();
    if (answer.status === 304) expect(await answer.text()).toBe('');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await again({ 'accept-encoding': 'gzip' })).answer.status).toBe(200);
    expect((await again({ 'x-fragment': 'results' })).answer.status).toBe(200);
    const { tag } = await again();
    await addInvoice(fresh.db);
    const changed = await browser.get(path, { headers: { 'if-none-match': tag } });
    expect([changed.status, changed.headers.get('x-total-count')]).toEqual([200, '1']);
    clock.advance({ minutes: 1 });
    expect((await browser.get(path, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('names the user, the filter and the time of printing', async () => {
    const { as, clock } = createTestApp({ db: fresh.db });
    await addInvoice(fresh.db, { numfactura: 'A-1' });
    const browser = await as(await addUser(fresh.db, { username: 'ana' }));
    expect(await textOf(browser, '/invoices')).toMatch(
      /<span>ana<.*20-11-2026, 12:00\. Filtros: ninguno.*A-1/,
    );
    expect(await textOf(browser, '/invoices?numfactura=zz')).toMatch(
      /Filtros: .*zz.*Ninguna factura con este filtro/,
    );
    clock.advance({ minutes: 1 });
    expect(await textOf(browser, '/invoices')).toContain('20-11-2026, 12:01. Filtros: ninguno');
  });

  it('never contains the message of the last change', async () => {
    const browser = await createTestApp({ db: fresh.db }).as([1, 2, 3]);
    const id = await addInvoice(fresh.db, { subtotalCents: 10_000 });
    const payment = { facturaproveedorId: id, amountCents: 11_600, userId: browser.user.id };
    const paymentId = await addPayment(fresh.db, payment);
    const list = () => textOf(browser, '/pagos-proveedores');
    expect(await list()).not.toMatch(/class="alert/);
    await browser.form(`/pagos-proveedores/${paymentId}/eliminar`, {});
    expect(await list()).toMatch(/Deshacer/);
    await addPayment(fresh.db, payment);
    const refused = await browser.form(`/pagos-proveedores/${paymentId}/deshacer`, {});
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/role="alert"/);
    expect(await list()).not.toMatch(/Deshacer|class="alert/);
  });

  it('depends on how its user signed in, which says whether it contains the token', async () => {
    const app = createTestApp({ db: fresh.db });
    const browser = await app.as([1]);
    const headers = { authorization: `Bearer ${browser.token}` };
    expect(await (await app.request('/api/test/user', { headers })).text()).toContain(browser.token);
    expect(await textOf(browser, '/api/test/user')).not.toContain(browser.token);
  });

  it('is replaced if something was written while it was made', async () => {
    let isWriting = true;
    const db = fresh.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (isWriting && result.rows.some((row) => 'numfactura' in row)) {
          isWriting = false;
          await addInvoice(fresh.db, { numfactura: 'ENTRE-1' });
        }
        return result;
      },
    });
    const browser = await createTestApp({ db }).as(2);
    await addInvoice(fresh.db, { numfactura: 'ANTES-1' });
    expect(await textOf(browser, '/invoices')).not.toContain('ENTRE-1');
    expect(await textOf(browser, '/invoices')).toContain('ENTRE-1');
  });
});

describe('the answers that are cached', () => {
  const fresh = useFreshDatabase('sqlite');
  it('take a few megabytes: the oldest is dropped', async () => {
    const { db, count } = counting(fresh.db);
    const browser = await createTestApp({ db }).as(2);
    await addInvoice(fresh.db, { numfactura: 'A-1' });
    const isRead = async (path: string) => {
      const before = count.reads;
      await browser.get(path);
      return count.reads > before;
    };
    const path = (n: number) => `/api/facturaproveedores?numfactura=A&limit=${n}`;
    for (let n = 1; n <= 50; n++)
      await addInvoice(fresh.db, { comments: 'x'.repeat(2000), numfactura: `A-${n}` });
    for (let n = 1; n <= 100; n++) expect(await isRead(path(n))).toBe(true);
    expect(await isRead(path(100))).toBe(false);
    expect(await isRead(path(1))).toBe(true);
  });
});
