import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier } from '../../../support/rows.ts';
import { rowOf } from '../../../support/stored.ts';

describeOneDatabase('the filter of a list', (fresh) => {
  it.each([
    ['/invoices', 'fechaemision', 'Emisión'],
    ['/invoices', 'vence', 'Vence'],
    ['/pagos-proveedores', 'paymentdate', 'Fecha de pago'],
  ])('of %s says that a period (%s) ends before it begins, and turns it round', async (list, name, label) => {
    await addInvoice(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const inverted = `${name}Desde=2026-11-30&${name}Hasta=2026-11-01`;
    const page = await readPage(browser.get(`${list}?${inverted}`));
    expect(page.status).toBe(200);
    expect(page.html).toContain('El periodo termina antes de empezar');
    expect(page.html).toContain(`${label}: Mon, 30 Nov 2026 – Sun, 01 Nov 2026`);
    expect([page.value(`${name}Desde`), page.value(`${name}Hasta`)]).toEqual(['2026-11-30', '2026-11-01']);
    const turned = `${list}?${name}Desde=2026-11-01&${name}Hasta=2026-11-30`;
    expect(page.links('Invertir las fechas')).toEqual([turned]);
    const file = await browser.get(`${list}/export.csv?${inverted}`);
    expect(file.status).toBe(400);
    expect(await file.text()).toContain('El periodo termina antes de empezar');
  });

  it.each([
    ['facturaproveedores', 'fechaemisionDesde', 'fechaemisionHasta'],
    ['facturaproveedores', 'venceDesde', 'venceHasta'],
    ['payments', 'paymentdateDesde', 'paymentdateHasta'],
    ['programaciones', 'fechaDesde', 'fechaHasta'],
    ['audit', 'from', 'to'],
  ])('is refused by the API, which names both ends, in %s from %s to %s', async (list, from, to) => {
    const client = await createTestApp({ db: fresh.db }).as(3);
    const answer = await client.get(`/api/${list}/?${from}=2026-11-30&${to}=2026-11-01`);
    const { code, fields } = (await answer.json()) as { code: string; fields: Record<string, string> };
    expect([answer.status, code, Object.keys(fields)]).toEqual([400, 'bad_period', [from, to]]);
    expect((await client.get(`/api/${list}/?${from}=2026-11-01&${to}=2026-11-01`)).status).toBe(200);
  });

  it.each([
    ['/', '/export', 'desde=2026-01-01&hasta=2026-03-31'],
    ['/bitacora', '/bitacora/export', 'from=2026-01-01&to=2026-03-31'],
    ['/admin-users', '/admin-users/export', 'username=a'],
  ])('of %s leads to files of the whole of it', async (address, file, asked) => {
    const browser = await createTestApp({ db: fresh.db }).as(3);
    const { html } = await readPage(browser.get(`${address}?${asked}&limit=20`));
    expect(html.replaceAll('&amp;', '&')).toContain(`href="${file}.csv?${asked}"`);
  });

  it('is said in files in the words and the dates of the page', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addInvoice(fresh.db, { supplierId });
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const asked = `?supplierId=${supplierId}&venceDesde=2026-11-01&corte=2026-11-20`;
    const { html } = await readPage(browser.get(`/invoices${asked}`));
    const chips = [...html.matchAll(/<span>([^<]*): <b>([^<]*)<\/b>/g)].map((found) => found.slice(1));
    expect(chips).toEqual([
      ['Proveedor', 'Aceros'],
      ['Vence', 'desde Sun, 01 Nov 2026'],
      ['Corte', 'Fri, 20 Nov 2026'],
    ]);
    const pdf = await readPdf(await browser.get(`/invoices/export.pdf${asked}`));
    const { texts } = pdf.pages[0]!;
    for (const [label, value] of chips) expect(texts[texts.indexOf(label!) + 1]).toBe(value);
  });

  it('leaves what was just saved tinted, above the rows where it is not among them', async () => {
    const id = await addInvoice(fresh.db, { numfactura: 'A-1' });
    await addInvoice(fresh.db);
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const save = async (returnTo: string) => {
      const { version } = await rowOf(fresh.db, 'invoices', { id }, ['version']);
      const form = { comments: `de ${returnTo}`, version, returnTo };
      return readPage(browser.follow(await browser.form(`/editinvoicepage/${id}`, form)));
    };
    const seen = await save('/invoices?sortfield=total');
    expect(seen.html.match(/<tr class="saved" data-href="([^"]*)"/)?.[1]).toBe(`/editinvoicepage/${id}`);
    expect(seen.alerts).toEqual(['success: Se guardó la factura A-1.']);
    const hidden = await save('/invoices?numfactura=zzz');
    expect(hidden.html).toContain(`<tr class="saved apart" data-href="/editinvoicepage/${id}"`);
    expect(hidden.rows).toHaveLength(1);
    expect(hidden.html).toContain('Ninguna factura con este filtro');
    expect(hidden.alerts).toEqual(['success: Se guardó la factura A-1.']);
  });

  it('leaves a changed row of a catalog and a changed payment tinted as well, also above the others', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const { userId } = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    const payment = await addPayment(fresh.db, { facturaproveedorId, amountCents: 10_00, userId });
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const tinted = async (address: string, form: Record<string, string>) => {
      const answer = await browser.form(address, form);
      const { html } = await readPage(browser.follow(answer));
      return html.match(/<tr class="(saved[^"]*)" data-href="([^"]*)"/)?.slice(1);
    };
    const supplier = `/editsupplierpage/${supplierId}`;
    const changed = { suppliername: 'Aceros y más', suppliercontactperson: 'Ana' };
    expect(await tinted(supplier, changed)).toEqual(['saved', supplier]);
    const unlisted = { suppliercontactperson: 'Eva', returnTo: '/suppliers?suppliername=zzz' };
    expect(await tinted(supplier, { ...changed, ...unlisted })).toEqual(['saved apart', supplier]);
    const edit = `/editpaymentpage/${payment}`;
    expect(await tinted(edit, { checknum: 'CH-9' })).toEqual(['saved', edit]);
    const hidden = { checknum: 'CH-8', returnTo: '/pagos-proveedores?checknum=zzz' };
    expect(await tinted(edit, hidden)).toEqual(['saved apart', edit]);
  });
});
