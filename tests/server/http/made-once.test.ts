import { expect, it } from 'vitest';
import { openDatabase } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { changeSetting } from '../../../server/services/settings/settings.ts';
import { createTestApp } from '../../support/app.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { actor, addInvoice, addPayment, addUser } from '../../support/rows.ts';

/** The same database, and how often rows that name an invoice came out of it. */
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

const pay = async (db: Db, facturaproveedorId: number, amountCents: number) =>
  addPayment(db, { facturaproveedorId, amountCents, userId: (await addUser(db)).id });

const LISTS = ['/invoices', '/pagos-proveedores', '/api/facturaproveedores/search/', '/api/payments/'];

describeEachDatabase('a list that is asked for again', (fresh) => {
  it.each(LISTS)(
    'is read again only once something was written, where that can be told: %s',
    async (path) => {
      const { db, count } = counting(fresh.db);
      const browser = await createTestApp({ db }).as(2);
      const id = await addInvoice(fresh.db, { numfactura: 'A-1', subtotalCents: 10_000 });
      await pay(fresh.db, id, 1234);
      const first = await (await browser.get(path)).text();
      expect(first).toMatch(/12\.34/);
      const { reads } = count;
      expect(await (await browser.get(path)).text()).toBe(first);
      expect(count.reads > reads).toBe(fresh.dialect === 'postgres');
      await pay(fresh.db, id, 4321);
      expect(await (await browser.get(path)).text()).toMatch(/43\.21|55\.55/);
    },
  );

  it.each(LISTS)('holds what another process has written meanwhile: %s', async (path) => {
    const browser = await createTestApp({ db: fresh.db }).as(2);
    await browser.get(path);
    const other = openDatabase(fresh.database.url, { root: '/', create: false });
    const id = await addInvoice(other.db, { numfactura: 'AJENA-7', subtotalCents: 10_000 });
    await pay(other.db, id, 77);
    await other.close();
    expect(await (await browser.get(path)).text()).toContain('AJENA-7');
  });

  it('says to each who it is that asks, what it is filtered by, and when', async () => {
    const { as, clock } = createTestApp({ db: fresh.db });
    await addInvoice(fresh.db, { numfactura: 'A-1' });
    const [ana, luis] = [
      await addUser(fresh.db, { username: 'ana' }),
      await addUser(fresh.db, { username: 'luis' }),
    ];
    const [hers, his] = [await as(ana), await as(luis)];
    const read = async (browser: typeof hers, path: string) => (await browser.get(path)).text();
    expect(await read(hers, '/invoices')).toMatch(/<span>ana<.*20-11-2026, 12:00\. Filtros: ninguno.*A-1/);
    expect(await read(his, '/invoices')).toMatch(/<span>luis<.*20-11-2026, 12:00\. Filtros: ninguno.*A-1/);
    expect(await read(his, '/invoices?numfactura=zz')).toMatch(
      /Filtros: .*zz.*Ninguna factura con este filtro/,
    );
    clock.advance({ minutes: 1 });
    expect(await read(his, '/invoices')).toContain('20-11-2026, 12:01. Filtros: ninguno');
    await changeSetting(fresh.db, actor(), 'empresa', 'Otra Constructora');
    expect(await read(hers, '/invoices')).toContain('Otra Constructora');
  });

  it('shows the message of the last change once, and an alert only to whom it was said', async () => {
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const id = await addInvoice(fresh.db, { subtotalCents: 10_000 });
    const paymentId = await pay(fresh.db, id, 11_600);
    const list = async () => (await browser.get('/pagos-proveedores')).text();
    const before = await list();
    await browser.form(`/pagos-proveedores/${paymentId}/eliminar`, {});
    expect(await list()).toMatch(/Deshacer/);
    await pay(fresh.db, id, 11_600);
    const refused = await browser.form(`/pagos-proveedores/${paymentId}/deshacer`, {});
    expect(refused.status).toBe(422);
    expect(await refused.text()).toMatch(/role="alert"/);
    expect(await list()).not.toMatch(/Deshacer|class="alert/);
    expect(before).not.toMatch(/class="alert/);
  });
});
