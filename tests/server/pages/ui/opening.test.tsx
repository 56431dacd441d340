import { expect, it } from 'vitest';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../../support/rows.ts';

/** Today is Friday, 20 November 2026. */
describeOneDatabase('a list whose screen is Spanish', (fresh) => {
  const signedIn = () => createTestApp({ db: fresh.db }).as(2);
  const speakSpanish = async () =>
    changeSetting(fresh.db, await addActor(fresh.db, { roles: [3] }), 'idioma', 'es');

  const addInvoices = async () => {
    const { userId } = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { diascredito: 30 });
    const add = (numfactura: string, dates: object) =>
      addInvoice(fresh.db, { supplierId, numfactura, ...dates });
    await add('PRIMERA', { fechavencimiento: '2026-12-20' });
    // Due on the 10th of December: what it states none of is worked out.
    await add('ESTIMADA', { fechaemision: '2026-11-10' });
    await add('VENCIDA', { fechavencimiento: '2026-11-02' });
    const paid = await add('PAGADA', { fechavencimiento: '2026-01-02' });
    const payments = [];
    for (const paymentdate of ['2026-11-18', '2026-11-19', '2026-11-17'])
      payments.push(
        await addPayment(fresh.db, {
          facturaproveedorId: paid,
          amountCents: 116_000 / 4,
          paymentdate,
          userId,
        }),
      );
    await addPayment(fresh.db, { facturaproveedorId: paid, amountCents: 116_000 / 4, userId });
    return payments;
  };
  const numbers = (rows: string[][]) => rows.map((row) => row[0]);

  it('has of nothing no filter, sum or export, and the first thing to do once', async () => {
    await speakSpanish();
    const browser = await signedIn();
    for (const [address, create] of [
      ['/invoices', 'Nueva factura'],
      ['/pagos-proveedores', 'Nuevo pago'],
      ['/rubros', 'Nuevo rubro'],
    ] as const) {
      const page = await readPage(browser.get(address));
      expect([page.links(create).length, page.links('Exportar')], address).toEqual([1, []]);
      expect(page.html).not.toMatch(/<form[^>]*class="filters|Total pendiente/);
      expect(page.html).toMatch(/<a[^>]*data-new/);
    }
    expect((await readPage(browser.get('/invoices'))).links('Cargar XML')).toHaveLength(1);
    await addInvoices();
    const paid = await readPage(browser.get('/invoices?status=pagada&numfactura=zzz'));
    expect(paid.html).toContain('Ninguna factura con este filtro');
    expect(paid.html).toMatch(/<form[^>]*class="filters/);
  });

  it('opens invoices on what is to be paid, by the day on which it is due; mixed, whole and by id', async () => {
    await addInvoices();
    const browser = await signedIn();
    const mixed = await readPage(browser.get('/invoices'));
    expect(mixed.rows.map((row) => row[1])).toEqual(['PRIMERA', 'ESTIMADA', 'VENCIDA', 'PAGADA']);
    await speakSpanish();
    const page = await readPage(browser.get('/invoices'));
    expect(numbers(page.rows)).toEqual(['VENCIDA', 'ESTIMADA', 'PRIMERA']);
    expect(page.html).toMatch(/aria-current="page"><span>Por pagar/);
    expect(page.links('Vencimiento')).toEqual([
      '/invoices?status=por-pagar&sortfield=fechavencimiento&sorttype=DESC',
    ]);
    const whole = await readPage(browser.get('/invoices?sortfield=id&sorttype=DESC'));
    expect(numbers(whole.rows)).toEqual(['PAGADA', 'VENCIDA', 'ESTIMADA', 'PRIMERA']);
    const found = await readPage(browser.get('/invoices?numfactura=a'));
    expect(numbers(found.rows)).toEqual(['PAGADA', 'VENCIDA', 'ESTIMADA', 'PRIMERA']);
  });

  it('leads from a filter that finds nothing to the whole list', async () => {
    await addInvoices();
    await speakSpanish();
    const browser = await signedIn();
    const page = await readPage(browser.get('/invoices?numfactura=zzz'));
    expect(page.links('Quitar filtros')).toEqual(['/invoices?sortfield=id&sorttype=DESC']);
  });

  it('opens payments newest first, and what is exported from there stays in its order', async () => {
    const [first, second, third] = await addInvoices();
    await speakSpanish();
    const browser = await signedIn();
    const { html } = await readPage(browser.get('/pagos-proveedores'));
    const shown = [...html.matchAll(/<tr data-href="\/editpaymentpage\/(\d+)"/g)].map(([, id]) => Number(id));
    expect(shown.slice(-3)).toEqual([second, first, third]);
    expect(html).toContain('aria-sort="descending"');
    const csv = await (await browser.get('/invoices/export.csv')).text();
    expect(csv.indexOf('PRIMERA')).toBeLessThan(csv.indexOf('PAGADA'));
  });

  it('shows no ids, no amount of the bank where no payment has one, and the way to pay as a word', async () => {
    await addInvoices();
    await speakSpanish();
    const browser = await signedIn();
    const invoices = await readPage(browser.get('/invoices'));
    expect(invoices.html).not.toMatch(/<th[^>]*>(<a[^>]*>)?ID/);
    expect(invoices.rows[0]?.at(-1)).toBe('Pagar');
    const payments = await readPage(browser.get('/pagos-proveedores'));
    expect(payments.html).not.toContain('ID de factura');
    expect(payments.html).not.toContain('Importe del banco');
  });

  it('opens catalogs by name', async () => {
    await addSupplier(fresh.db, { suppliername: 'Zapata' });
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await speakSpanish();
    const browser = await signedIn();
    const { html } = await readPage(browser.get('/suppliers'));
    expect(html.indexOf('Aceros')).toBeLessThan(html.indexOf('Zapata'));
  });
});
