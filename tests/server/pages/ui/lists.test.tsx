import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addPayment, addRubro, addSupplier } from '../../../support/rows.ts';

const FRAGMENT = { headers: { 'x-fragment': 'results' } };

/** A bad parameter, the list it belongs to, and what is said of it. */
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
  const signedIn = () => createTestApp({ db: fresh.db }).as([1, 3]);

  it.each(BAD)(
    '%s?%s is 400, in Spanish, with its filter and the way to the whole list',
    async (path, query, said) => {
      const browser = await signedIn();
      const page = await readPage(browser.get(`${path}?${query}`));
      expect(page.status).toBe(400);
      expect(page.html).toMatch(said);
      expect(page.html).toContain('<form class="filters"');
      expect(page.links('Ver la lista completa')).toEqual([path]);
    },
  );

  it('keeps in the filter what can be read of a bad address', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const browser = await signedIn();
    const page = await readPage(
      browser.get(`/invoices?numfactura=A-1&status=vencida&supplierId=${supplierId}&sorttype=up`),
    );
    expect(page.status).toBe(400);
    expect(page.html).toMatch(
      /<dialog open="" [^>]*>.*Error!.*sorttype: se espera ASC o DESC\..*Cerrar.*<\/dialog>/s,
    );
    expect([page.value('numfactura'), page.value('status'), page.value('supplierId')]).toEqual([
      'A-1',
      'vencida',
      String(supplierId),
    ]);
  });

  it('shows 50 rows at the most, whatever its address says were shown: script adds the others', async () => {
    const [supplierId, jobId] = [await addSupplier(fresh.db), await addJob(fresh.db)];
    for (let n = 1; n <= 130; n++) await addInvoice(fresh.db, { supplierId, jobId, numfactura: `T-${n}` });
    for (let n = 1; n <= 60; n++) await addRubro(fresh.db);
    const browser = await signedIn();
    const rowsOf = async (address: string) => (await readPage(browser.get(address))).rows.length;
    expect(await rowsOf('/invoices')).toBe(50);
    expect(await rowsOf('/invoices?shown=100')).toBe(50);
    expect(await rowsOf('/invoices?shown=999999&limit=1000')).toBe(50);
    expect(await rowsOf('/invoices?limit=20')).toBe(20);
    expect(await rowsOf('/rubros?shown=60')).toBe(50);
    const page = await readPage(browser.get('/invoices?numfactura=T&shown=100'));
    expect(page.html).toContain('50 de 130 facturas');
    let [more = ''] = page.links('Cargar más');
    const rest = await readPage(browser.get(more, FRAGMENT));
    expect([rest.rows.length, rest.html.includes('100 de 130 facturas')]).toEqual([50, true]);
    [more = ''] = rest.links('Cargar más');
    const last = await readPage(browser.get(more, FRAGMENT));
    expect([last.rows.length, last.html.includes('>130 facturas<')]).toEqual([30, true]);
  });

  it('says in words what it is filtered by, for paper and for phones, and leads to the list without it', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros & Cía' });
    const jobId = await addJob(fresh.db);
    await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'A-1' });
    const browser = await signedIn();
    const page = await readPage(
      browser.get(`/invoices?numfactura=a&supplierId=${supplierId}&rubroId=0&corte=2026-11-20`, FRAGMENT),
    );
    expect(page.html).toContain(
      '20-11-2026, 12:00. Filtros: Número de factura: a; Proveedor: Aceros & Cía; Rubro: Sin rubro; Corte: Fri, 20 Nov 2026</p>',
    );
    expect(page.links('Quitar el filtro Rubro: Sin rubro')).toEqual([
      `/invoices?numfactura=a&supplierId=${supplierId}&corte=2026-11-20`,
    ]);
    expect((await readPage(browser.get('/suppliers'))).html).toContain('Filtros: ninguno</p>');
    expect((await readPage(browser.get('/suppliers?suppliername=ace'))).html).toContain(
      'Filtros: Nombre del proveedor: ace</p>',
    );
  });

  it('of one invoice’s payments names the invoice, which no control of the filter shows', async () => {
    const { userId } = await addActor(fresh.db);
    const id = await addInvoice(fresh.db, { numfactura: 'B-7' });
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 100, userId });
    const browser = await signedIn();
    const page = await readPage(browser.get(`/pagos-proveedores?facturaproveedorId=${id}`));
    expect(page.html).toMatch(/<li class="unseen">/);
    expect(page.links('Quitar el filtro Factura: B-7')).toEqual(['/pagos-proveedores']);
  });

  it('keeps the edit link of a row on small screens, where other columns go', async () => {
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const { html } = await readPage((await signedIn()).get('/suppliers'));
    expect(html).toMatch(/<th [^>]*class="hide-sm[^"]*"[^>]*>(<a[^>]*>)?Contacto/);
    expect(html).toMatch(/<td class="row-actions card-side"[^>]*><a aria-label="Editar Aceros"/);
  });
});
