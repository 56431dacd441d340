import { beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addPayment, addRubro, addSupplier } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

const FRAGMENT = { headers: { 'x-fragment': 'results' } };

/** A list, a bad parameter and its error. */
const BAD = [
  ['/invoices', 'sortfield=x', /sortfield: se espera id/],
  ['/invoices', 'cursor=basura', 'cursor: no es una página de esta lista.'],
  ['/invoices', 'limit=0', 'limit: debe estar entre 1 y 1000.'],
  ['/invoices', 'corte=2024-02-30', /Corte/],
  ['/pagos-proveedores', 'sorttype=up', 'sorttype: se espera ASC o DESC.'],
  ['/pagos-proveedores', 'cursor=basura', 'cursor: no es una página de esta lista.'],
  ['/suppliers', 'sorttype=up', 'sorttype: se espera ASC o DESC.'],
  ['/jobs', 'limit=x', 'limit: no es un número entero.'],
  ['/rubros', 'nombrerubro=a&nombrerubro=b', 'El parámetro «nombrerubro» viene más de una vez.'],
  ['/admin-users', 'sortfield=x', /sortfield: se espera id/],
  ['/', 'desde=2024-02-30', />Desde: no es una fecha/],
  ['/reporte-saldos', 'corte=2024-02-30', /Corte/],
  ['/reporte-saldos', 'weeknum=60&yr=2026', /semana/],
] as const;

describeOneDatabase('a list', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as([1, 3]);
  });

  it.each(BAD)(
    '%s?%s is 400, in Spanish, with its filter and the way to the whole list',
    async (path, query, message) => {
      const page = await readPage(browser.get(`${path}?${query}`));
      expect(page.status).toBe(400);
      expect(page.decodedHtml).toMatch(message);
      expect(page.decodedHtml).toContain('<form class="filters"');
      expect(page.links('Ver la lista completa')).toEqual([path]);
    },
  );

  it('keeps in its filter the readable part of a bad address', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const page = await readPage(
      browser.get(`/invoices?numfactura=A-1&status=vencida&supplierId=${supplierId}&sorttype=up`),
    );
    expect(page.status).toBe(400);
    expect(page.decodedHtml).toMatch(
      /<dialog open="" [^>]*>.*Error!.*sorttype: se espera ASC o DESC\..*Cerrar.*<\/dialog>/s,
    );
    expect([page.value('numfactura'), page.value('status'), page.value('supplierId')]).toEqual([
      'A-1',
      'vencida',
      String(supplierId),
    ]);
  });

  it('shows 50 rows at most, however many its address says were shown: the script adds the others', async () => {
    const [supplierId, jobId] = [await addSupplier(fresh.db), await addJob(fresh.db)];
    for (let n = 1; n <= 130; n++) await addInvoice(fresh.db, { supplierId, jobId, numfactura: `T-${n}` });
    for (let n = 1; n <= 60; n++) await addRubro(fresh.db);
    const rowsOf = async (address: string) => (await readPage(browser.get(address))).rows.length;
    expect(await rowsOf('/invoices')).toBe(50);
    expect(await rowsOf('/invoices?shown=100')).toBe(50);
    expect(await rowsOf('/invoices?shown=999999&limit=1000')).toBe(50);
    expect(await rowsOf('/invoices?limit=20')).toBe(20);
    expect(await rowsOf('/rubros?shown=60')).toBe(50);
    const page = await readPage(browser.get('/invoices?numfactura=T&shown=100'));
    expect(page.decodedHtml).toContain('50 de 130 facturas');
    let [more = ''] = page.links('Cargar más');
    const rest = await readPage(browser.get(more, FRAGMENT));
    expect([rest.rows.length, rest.decodedHtml.includes('100 de 130 facturas')]).toEqual([50, true]);
    [more = ''] = rest.links('Cargar más');
    const last = await readPage(browser.get(more, FRAGMENT));
    expect([last.rows.length, last.decodedHtml.includes('>130 facturas<')]).toEqual([30, true]);
  });

  it('states its filter in words, for paper and phones, and leads to the unfiltered list', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros & Cía' });
    const jobId = await addJob(fresh.db);
    await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'A-1' });
    const page = await readPage(
      browser.get(`/invoices?numfactura=a&supplierId=${supplierId}&rubroId=0&corte=2026-11-20`, FRAGMENT),
    );
    expect(page.decodedHtml).toContain(
      '20-11-2026, 12:00. Filtros: Número de factura: a; Proveedor: Aceros & Cía; Rubro: Sin rubro; Corte: Fri, 20 Nov 2026</p>',
    );
    expect(page.links('Quitar el filtro Rubro: Sin rubro')).toEqual([
      `/invoices?numfactura=a&supplierId=${supplierId}&corte=2026-11-20`,
    ]);
    expect((await readPage(browser.get('/suppliers'))).decodedHtml).toContain('Filtros: ninguno</p>');
    expect((await readPage(browser.get('/suppliers?suppliername=ace'))).decodedHtml).toContain(
      'Filtros: Nombre del proveedor: ace</p>',
    );
  });

  it('of one invoice’s payments names the invoice, which no filter control shows', async () => {
    const { userId } = await addActor(fresh.db);
    const id = await addInvoice(fresh.db, { numfactura: 'B-7' });
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 100, userId });
    const page = await readPage(browser.get(`/pagos-proveedores?facturaproveedorId=${id}`));
    expect(page.decodedHtml).toMatch(/<li class="unseen">/);
    expect(page.links('Quitar el filtro Factura: B-7')).toEqual(['/pagos-proveedores']);
  });

  it('calls an invoice without a number the same wherever it is shown', async () => {
    const supplierId = await addSupplier(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId, numfactura: '' });
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 100, userId: browser.user.id });
    for (const address of ['/invoices', '/pagos-proveedores', `/estado-cuenta/${supplierId}`]) {
      const { decodedHtml } = await readPage(browser.get(address));
      expect(decodedHtml, address).toContain('(sin número)');
      expect(decodedHtml, address).not.toContain('Sin número');
    }
  });

  it('keeps the edit link of a row on small screens, where other columns disappear', async () => {
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const { decodedHtml } = await readPage(browser.get('/suppliers'));
    expect(decodedHtml).toMatch(/<th [^>]*class="hide-sm[^"]*"[^>]*>(<a[^>]*>)?Contacto/);
    expect(decodedHtml).toMatch(/<td class="row-actions card-side"[^>]*><a aria-label="Editar Aceros"/);
  });
});

describeOneDatabase('the filter of a list', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });

  it.each([
    ['/invoices', 'fechaemision', 'Emisión'],
    ['/invoices', 'vence', 'Vence'],
    ['/pagos-proveedores', 'paymentdate', 'Fecha de pago'],
  ])(
    'of %s says that a period (%s) ends before it begins, and offers to reverse it',
    async (list, name, label) => {
      await addInvoice(fresh.db);
      const inverted = `${name}Desde=2026-11-30&${name}Hasta=2026-11-01`;
      const page = await readPage(browser.get(`${list}?${inverted}`));
      expect(page.status).toBe(200);
      expect(page.decodedHtml).toContain('El periodo termina antes de empezar');
      expect(page.decodedHtml).toContain(`${label}: Mon, 30 Nov 2026 – Sun, 01 Nov 2026`);
      expect([page.value(`${name}Desde`), page.value(`${name}Hasta`)]).toEqual(['2026-11-30', '2026-11-01']);
      const turned = `${list}?${name}Desde=2026-11-01&${name}Hasta=2026-11-30`;
      expect(page.links('Invertir las fechas')).toEqual([turned]);
      const file = await browser.get(`${list}/export.csv?${inverted}`);
      expect(file.status).toBe(400);
      expect(await file.text()).toContain('El periodo termina antes de empezar');
    },
  );

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
  ])('of %s leads to files of all its rows', async (address, file, query) => {
    const browser = await createTestApp({ db: fresh.db }).as(3);
    const { decodedHtml } = await readPage(browser.get(`${address}?${query}&limit=20`));
    expect(decodedHtml.replaceAll('&amp;', '&')).toContain(`href="${file}.csv?${query}"`);
  });

  it('is stated in files in the words and dates of the page', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addInvoice(fresh.db, { supplierId });
    const query = `?supplierId=${supplierId}&venceDesde=2026-11-01&corte=2026-11-20`;
    const { decodedHtml } = await readPage(browser.get(`/invoices${query}`));
    const chips = [...decodedHtml.matchAll(/<span>([^<]*): <b>([^<]*)<\/b>/g)].map((found) => found.slice(1));
    expect(chips).toEqual([
      ['Proveedor', 'Aceros'],
      ['Vence', 'desde Sun, 01 Nov 2026'],
      ['Corte', 'Fri, 20 Nov 2026'],
    ]);
    const pdf = await readPdf(await browser.get(`/invoices/export.pdf${query}`));
    const { texts } = pdf.pages[0]!;
    for (const [label, value] of chips) expect(texts[texts.indexOf(label!) + 1]).toBe(value);
  });

  it('keeps what was just saved tinted, above the rows if it is not among them', async () => {
    const id = await addInvoice(fresh.db, { numfactura: 'A-1' });
    await addInvoice(fresh.db);
    const save = async (returnTo: string) => {
      const { version } = await readRow(fresh.db, 'invoices', { id }, ['version']);
      const form = { comments: `de ${returnTo}`, version, returnTo };
      return readPage(browser.follow(await browser.form(`/editinvoicepage/${id}`, form)));
    };
    const seen = await save('/invoices?sortfield=total');
    expect(seen.decodedHtml.match(/<tr class="saved" data-href="([^"]*)"/)?.[1]).toBe(
      `/editinvoicepage/${id}`,
    );
    expect(seen.alerts).toEqual(['success: Se guardó la factura A-1.']);
    const hidden = await save('/invoices?numfactura=zzz');
    expect(hidden.decodedHtml).toContain(`<tr class="saved apart" data-href="/editinvoicepage/${id}"`);
    expect(hidden.rows).toHaveLength(1);
    expect(hidden.decodedHtml).toContain('Ninguna factura con este filtro');
    expect(hidden.alerts).toEqual(['success: Se guardó la factura A-1.']);
  });

  it('keeps a changed row of a catalog and a changed payment tinted as well, above the others if need be', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const { userId } = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    const payment = await addPayment(fresh.db, { facturaproveedorId, amountCents: 10_00, userId });
    const tinted = async (address: string, form: Record<string, string>) => {
      const answer = await browser.form(address, form);
      const { decodedHtml } = await readPage(browser.follow(answer));
      return decodedHtml.match(/<tr class="(saved[^"]*)" data-href="([^"]*)"/)?.slice(1);
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
