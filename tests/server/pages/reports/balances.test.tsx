import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addSupplier, addUser } from '../../../support/rows.ts';

const page = async (response: Response) => {
  const html = await response.text();
  return {
    html,
    /** what a reader sees, tags aside */
    text: html
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&amp;', '&')
      .replace(/\s+/g, ' '),
  };
};

describeOneDatabase('the page of the balances', (fresh) => {
  let client: TestClient;
  beforeEach(async () => {
    client = await createTestApp({ db: fresh.db }).as(1);
  });

  it('shows weeks with their days, links invoices, marks estimated due dates and agrees with the list', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const supplierId = await addSupplier(db, { suppliername: 'Ñandú & Cía' });
    const id = await addInvoice(db, {
      supplierId,
      numfactura: 'A-1',
      fechaemision: '2026-11-10',
      fechavencimiento: '2026-12-31',
    });
    await addInvoice(db, { supplierId, numfactura: 'A-2', fechaemision: '2026-11-10' });
    await addInvoice(db, { supplierId, numfactura: 'A-3', fechaemision: '2026-11-25' });
    await addPayment(db, { facturaproveedorId: id, amountCents: 1000, userId, paymentdate: '2026-11-21' });
    const response = await client.get('/reporte-saldos');
    expect(response.status).toBe(200);
    const { html, text } = await page(response);
    expect(html).toMatch(/<h1[^>]*>Saldos por proveedor<\/h1>/);
    expect(html).toContain('SEM 53<small> (28 dic – 3 ene)</small>');
    expect(html).toContain(`<a class="own" href="/editinvoicepage/${id}">A-1</a>`);
    // A-2 has no stated due day, so the sums that include it are marked.
    expect(text).toMatch(/A-1 Obra \d+( –)+ \$1,160\.00 \$1,160\.00 \$1,160\.00 A-2/);
    expect(text).toMatch(/A-2 Obra \d+ \$1,160\.00 \*( –)+ \$1,160\.00 \*/);
    // The last but one column is the sum of the last weeks, for narrow windows.
    expect(text).toContain('Total general $1,160.00 * – – – – – – $1,160.00 $1,160.00 $2,320.00 *');
    expect(text).toContain('* Vencimiento estimado');
    expect(html).toContain('class="summary"');
    expect(text).toContain('Total Ñandú & Cía');
    expect(text).toContain(
      'Total general $2,320.00 * = pendiente de la lista de facturas al viernes 20 de noviembre de 2026',
    );
    expect(html).toContain('href="/invoices?corte=2026-11-20"');
    expect(text).toContain('1 pago por $10.00 y 1 factura con saldo de $1,160.00');
    // Everything is overdue, so no second amount is shown.
    expect(text).toContain('Vencido $1,160.00 * .');
  });

  it('says so if nothing is owed', async () => {
    const { text } = await page(await client.get('/reporte-saldos'));
    expect(text).toContain('Nada por pagar');
    expect(text).toContain('Total general $0.00 =');
  });

  it('shows, of many suppliers, those with the largest debts, and the others in one row that leads to the next ones', async () => {
    const { db } = fresh;
    const jobId = await addJob(db);
    for (let n = 0; n < 160; n++) {
      const supplierId = await addSupplier(db, { suppliername: `Proveedor ${String(n).padStart(3, '0')}` });
      const subtotalCents = n % 4 === 1 ? 10_000 : 500_000;
      await addInvoice(db, { supplierId, jobId, subtotalCents, fechaemision: '2026-11-10' });
    }
    const some = await page(await client.get('/reporte-saldos'));
    expect(some.html.match(/id="proveedor-\d+"/g)).toHaveLength(80);
    expect(some.text).toContain('Proveedores a los que más se debe: 1 a 80 de 160.');
    expect(some.text).not.toContain('Total Proveedor 005');
    expect(some.text).toMatch(/▸ Otros 80 proveedores [^▸]*\$236,640\.00/);
    const [, href = ''] = /href="([^"]*parte=2)">▸ Otros/.exec(some.html)!;
    const rest = await page(await client.get(href.replaceAll('&amp;', '&')));
    expect(rest.html.match(/id="proveedor-\d+"/g)).toHaveLength(80);
    expect(rest.text).toContain('Total Proveedor 005');
    const shown = (html: string) => html.match(/id="proveedor-\d+"/g)!;
    expect(new Set([...shown(some.html), ...shown(rest.html)]).size).toBe(160);
    expect(rest.text).toContain('81 a 160 de 160. El resto está junto al final de la tabla. Anteriores');
    expect(rest.html).toMatch(/href="\/reporte-saldos">▸ Otros 80 proveedores/);
    const total = /Total general \$[\d,.]+ (\* )?=/;
    expect(total.exec(rest.text)?.[0]).toBe(total.exec(some.text)?.[0] ?? 'none');
    const beyond = await page(await client.get('/reporte-saldos?parte=99'));
    expect(shown(beyond.html)).toEqual(shown(rest.html));
  });

  it('orders suppliers by what is overdue or by balance, on every part, and exports them by name', async () => {
    const { db } = fresh;
    const jobId = await addJob(db);
    for (let n = 0; n < 82; n++) {
      const supplierId = await addSupplier(db, { suppliername: `Proveedor ${String(n).padStart(3, '0')}` });
      const lateCents = n % 2 === 1 ? 10_000 + n * 100 : 0;
      const add = (subtotalCents: number, fechavencimiento: string) =>
        addInvoice(db, { supplierId, jobId, subtotalCents, fechaemision: '2026-11-10', fechavencimiento });
      if (lateCents) await add(lateCents, '2026-11-19');
      await add(500_000 - n * 1000, '2026-11-20');
    }
    const namesOf = (html: string) =>
      [...html.matchAll(/Total <\/span>Proveedor (\d+)/g)].map(([, name]) => Number(name));
    const shown = async (query: string) => page(await client.get(`/reporte-saldos${query}`));
    expect(namesOf((await shown('')).html).slice(0, 3)).toEqual([0, 1, 2]);
    const late = await shown('?orden=vencido');
    expect(namesOf(late.html).slice(0, 3)).toEqual([81, 79, 77]);
    expect(namesOf(late.html).slice(40, 44)).toEqual([1, 0, 2, 4]);
    expect(late.text).toContain('Más vencido');
    expect(late.html).toContain('<input type="hidden" name="orden" value="vencido"/>');
    expect(late.html).toMatch(
      />Vencido\u00a0<\/span><a href="[^"]*venceHasta=2026-11-19[^"]*"[^>]*>\$209\.96</,
    );
    expect(late.html).toContain('orden=vencido&amp;parte=2');
    expect(late.html).toMatch(/href="\/reporte-saldos\/export\.csv"/);
    expect(namesOf((await shown('?orden=vencido&parte=2')).html)).toEqual([78, 80]);
    expect(namesOf((await shown('?orden=saldo')).html).slice(0, 4)).toEqual([1, 3, 5, 7]);
    const opened = await shown('?orden=vencido&abierto=2');
    expect(namesOf(opened.html)[0]).toBe(81);
    expect(opened.html).toContain('href="/reporte-saldos?orden=saldo&amp;abierto=2"');
    expect((await client.get('/reporte-saldos?orden=nombre')).status).toBe(400);
    // Removing a filter keeps the order.
    const filtered = await shown(`?orden=vencido&weeknum=47&supplierId=${await addSupplier(db)}&parte=2`);
    expect(filtered.html).toMatch(
      /class="chip accent" href="\/reporte-saldos\?supplierId=\d+&amp;orden=vencido"/,
    );
    expect(filtered.html).toContain(
      '<a href="/reporte-saldos?weeknum=47&amp;orden=vencido" class="btn">Quitar filtros</a>',
    );
  });

  it('opens some invoices of a supplier with very many, and says where the others are', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const jobId = await addJob(db);
    for (let n = 0; n < 310; n++)
      await addInvoice(db, { supplierId, jobId, numfactura: `A-${n}`, fechaemision: '2026-11-10' });
    const opened = await page(await client.get(`/reporte-saldos?abierto=${supplierId}`));
    expect(opened.html.match(/class="own"/g)).toHaveLength(80);
    expect(opened.text).toContain('y 230 facturas más');
    const [, href = ''] = /href="([^"]*)">y 230/.exec(opened.html)!;
    const list = await page(await client.get(href.replaceAll('&amp;', '&')));
    expect(list.text).toContain('310 facturas');
  });

  it('passes its filters on to the list, the export and its form', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    await addInvoice(db, { supplierId, fechaemision: '2026-01-10' });
    const query = `corte=2026-06-30&weeknum=20&yr=2026&supplierId=${supplierId}`;
    const { html } = await page(await client.get(`/reporte-saldos?${query}`));
    expect(html).toContain(`href="/invoices?corte=2026-06-30&amp;supplierId=${supplierId}"`);
    expect(html).toContain(`href="/reporte-saldos/export.csv?${query.replaceAll('&', '&amp;')}"`);
    expect(html).toMatch(/value="2026-06-30"/);
    expect(html).toContain('SEM 20<small>');
  });

  it('accepts a supplier’s name without a script', async () => {
    const { db } = fresh;
    await addInvoice(db, {
      supplierId: await addSupplier(db, { suppliername: 'Aceros' }),
      numfactura: 'UNO',
      fechaemision: '2026-01-10',
    });
    await addInvoice(db, { numfactura: 'DOS', fechaemision: '2026-01-10' });
    const found = await page(await client.get('/reporte-saldos?suppliername=aceros'));
    expect(found.text).toContain('UNO');
    expect(found.text).not.toContain('DOS');
    const missing = await client.get('/reporte-saldos?suppliername=nadie');
    expect(missing.status).toBe(400);
    expect((await page(missing)).text).toContain('No existe el proveedor «nadie».');
  });
});

describe('a long report', () => {
  const fresh = useFreshDatabase('sqlite');

  it('shows the totals of suppliers, each of which opens by a link', async () => {
    const { db } = fresh;
    const jobId = await addJob(db);
    const [one, other] = [
      await addSupplier(db, { suppliername: 'Uno' }),
      await addSupplier(db, { suppliername: 'Zeta' }),
    ];
    for (let index = 0; index < 300; index++) {
      const supplierId = index < 298 ? one : other;
      await addInvoice(db, { supplierId, jobId, numfactura: `F-${index}`, fechaemision: '2026-11-10' });
    }
    const client = await createTestApp({ db }).as(1);
    const closed = await page(await client.get('/reporte-saldos?corte=2026-11-20'));
    expect(closed.text).toContain('Son 300 facturas con saldo');
    expect(closed.html.match(/<tr[^>]*class="summary"/g)).toHaveLength(2);
    expect(closed.html).not.toContain('F-299');
    const address = `/reporte-saldos?corte=2026-11-20&amp;abierto=${other}#proveedor-${other}`;
    expect(closed.html).toContain(`href="${address}"`);
    const opened = await page(await client.get(`/reporte-saldos?corte=2026-11-20&abierto=${other}`));
    expect(opened.html).toContain('F-299');
    expect(opened.html).not.toContain('F-297');
    expect(opened.html).toContain(`href="/reporte-saldos?corte=2026-11-20#proveedor-${other}"`);
  });
});
