import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { runSaldo } from '../../../support/cli.ts';
import { createDocumentedApp } from '../../../support/documented.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addSupplier, TODAY } from '../../../support/rows.ts';

describeOneDatabase('the cash flow', (fresh) => {
  const prepare = async () => {
    const { db } = fresh;
    const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'Cheques' });
    await db
      .updateTable('funding_sources')
      .set({ saldobancoCents: 250_000, saldobancofecha: TODAY })
      .execute();
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const invoice = { supplierId, fechavencimiento: '2026-11-26' };
    const invoiceId = await addInvoice(db, { ...invoice, numfactura: 'A-1' });
    const planned = await addInvoice(db, { ...invoice, numfactura: 'A-2' });
    await addBatch(db, { fecha: '2026-11-27', invoiceIds: [planned], origenderecursoId });
    return { origenderecursoId, supplierId, invoiceId };
  };

  it('is shown with the rows of each figure, and tries what is typed without storing it', async () => {
    const { origenderecursoId, supplierId, invoiceId } = await prepare();
    const app = createTestApp({ db: fresh.db });
    const [director, clerk] = [await app.as(1), await app.as(6)];
    expect((await clerk.get('/flujo')).status).toBe(403);
    const { decodedHtml, facts } = await readPage(director.get('/flujo'));
    for (const text of ['Alcanza hasta SEM 48.', '$2,500.00', '$180.00', 'SEM 48 (23 – 29 nov)'])
      expect(decodedHtml.replaceAll('<!-- -->', '')).toContain(text);
    expect(facts).toEqual({
      'Saldo en bancos': '$2,500.00',
      'Sale al 29 nov': '$2,320.00',
      'Queda al 29 nov': '$180.00',
    });
    const rows = await readPage(director.get('/flujo?columna=SEM+48'));
    expect(rows.decodedHtml).toContain('Lo que sale en SEM 48');
    expect(rows.links('Factura A-1')).toEqual([`/editinvoicepage/${invoiceId}`]);
    expect(rows.links('Programación 1: Factura A-2')).toEqual(['/programaciones/1']);
    expect((await readPage(director.get('/flujo?hasta=ANTERIORES'))).decodedHtml).not.toContain(
      'Factura A-1',
    );
    const reached = (await readPage(director.get('/flujo?hasta=ANTERIORES'))).decodedHtml.replace(
      /<[^>]+>/g,
      '',
    );
    expect(reached).toContain('Queda $2,500.00 = saldo en bancos $2,500.00 − sale $0.00.');

    const typed = await director.get(`/flujo?sin=${supplierId}&factura=${invoiceId}&dia=2026-12-11`);
    expect(typed.headers.get('location')).toBe(`/flujo?sin=${supplierId}&mover=${invoiceId}%3A2026-12-11`);
    const balance = await director.get(
      `/flujo?saldo=${origenderecursoId}:5&origen=${origenderecursoId}&cantidad=-7`,
    );
    expect(balance.headers.get('location')).toBe(`/flujo?saldo=${origenderecursoId}%3A-7`);
    const tried = await readPage(
      director.get(`/flujo?mover=${invoiceId}:2026-12-11&saldo=${origenderecursoId}:0&semanas=2`),
    );
    expect(tried.decodedHtml).toContain('Es una prueba: nada se guarda');
    expect(tried.decodedHtml).toContain('La factura A-1 se paga el');
    expect(tried.decodedHtml.replaceAll('<!-- -->', '')).toContain(
      'faltan $1,160.00; al final, $2,320.00</h2>',
    );
    expect(tried.decodedHtml).toContain('Solo cuenta salidas, no cobros por recibir.');
    expect(tried.decodedHtml).toContain('SEM 49+');
    expect(tried.links('Quitar')[0]).toBe(`/flujo?semanas=2&saldo=${origenderecursoId}%3A0`);
    const wrong = await readPage(director.get('/flujo?mover=x'));
    expect([wrong.status, wrong.decodedHtml]).toEqual([
      400,
      expect.stringContaining('mover: se espera como 12:2026-12-11'),
    ]);
  });

  it('links a postponed sum to its invoices, and refuses a week or account that it has not', async () => {
    const { db } = fresh;
    const suppliers = [await addSupplier(db), await addSupplier(db)];
    for (const supplierId of suppliers) await addInvoice(db, { supplierId });
    await addInvoice(db);
    const director = await createTestApp({ db }).as(1);
    const page = await readPage(director.get(`/flujo?sin=${suppliers[0]}&sin=${suppliers[1]}`));
    const addresses = suppliers.map((id) => `/invoices?status=por-pagar&supplierId=${id}`);
    expect(page.links('$1,160.00').filter((href) => href.includes('supplierId'))).toEqual(addresses);
    for (const place of ['columna=SEM+99', 'hasta=SEM+99', 'caja=99', 'banco=99'])
      expect((await director.get(`/flujo?${place}`)).status, place).toBe(400);
  });

  it('is the same by API, as a file and on the command line', async () => {
    const { invoiceId, supplierId, origenderecursoId } = await prepare();
    const approver = await createDocumentedApp({ db: fresh.db }).withToken(2);
    const flow = await (await approver.get('/api/flujo/?semanas=8')).json();
    const week = {
      desde: '2026-11-23',
      hasta: '2026-11-29',
      vence: 1160,
      programado: 1160,
      fechado: 0,
      sale: 2320,
    };
    expect(flow).toEqual({
      hoy: TODAY,
      origenes: [
        {
          ...{ origenderecursoId, nombre: 'Cheques', saldo: 2500, fecha: TODAY, fuente: 'capturado' },
          ...{ despues: 0, disponible: 2500 },
        },
      ],
      disponible: 2500,
      columnas: [
        expect.objectContaining({ columna: 'ANTERIORES', desde: null, hasta: '2026-11-15', queda: 2500 }),
        expect.objectContaining({ columna: 'SEM 47', sale: 0 }),
        { columna: 'SEM 48', ...week, queda: 180 },
      ],
      alcanzaHasta: 'SEM 48',
      pospuesto: 0,
    });
    const tried = await approver.get(`/api/flujo?mover=${invoiceId}:2026-12-11&mover=99:2026-12-11`);
    expect([tried.status, await tried.json()]).toEqual([
      422,
      {
        code: 'invalid',
        message: expect.stringContaining('La factura 99 no debe nada'),
        fields: { mover: expect.any(String) },
      },
    ]);
    expect(await (await approver.get(`/api/flujo?sin=${supplierId}`)).json()).toMatchObject({
      pospuesto: 2320,
    });
    const file = await (await approver.get('/flujo/export.csv')).text();
    expect(file).toContain('SEM 48,2026-11-23,2026-11-29,1160.00,1160.00,0.00,2320.00,180.00');
    const accountant = await addActor(fresh.db, { roles: [2], origin: 'cli' });
    const saldo = (...args: string[]) => runSaldo(fresh, ['report', 'flujo', ...args], accountant);
    expect(JSON.parse((await saldo('--json')).out)).toEqual(flow);
    const { out } = await saldo('--mover', `${invoiceId}:2026-12-11`, '--saldo', `${origenderecursoId}:1`);
    expect(out).toContain('Es una prueba: La factura A-1 se paga el');
    expect((await saldo('--sin', 'x')).code).toBe(2);
  });
});
