import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { addDays } from '../../../../shared/dates.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { createDocumentedApp } from '../../../support/documented.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { recordQueries } from '../../../support/recording.ts';
import {
  addActor,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  TODAY,
} from '../../../support/rows.ts';

const ZERO = '3F2504E0-4F89-41D3-9A0C-0305E82C3301';

describeOneDatabase('a supplier’s statement', (fresh) => {
  let client: TestClient;
  beforeEach(async () => {
    client = await createTestApp({ db: fresh.db }).as(1);
  });

  it('gives programs movements whose sums are its balances', async () => {
    const { supplierId, first, second, payment } = await addMovements(fresh.db);
    const client = await createDocumentedApp({ db: fresh.db }).as(4);
    const response = await client.get(`/api/suppliers/${supplierId}/statement/?desde=2026-10-10`);
    expect(response.status).toBe(200);
    const inPesos = { moneda: null, tipocambio: null, importemoneda: null, diferencia: null };
    const line = { jobtitle: 'Torre', uuid: null, ...inPesos };
    expect(await response.json()).toEqual({
      supplier: { id: supplierId, suppliername: 'Aceros', rfc: null },
      desde: '2026-10-10',
      hasta: '2026-11-20',
      opening: 1160,
      lines: [
        {
          ...line,
          ...{ date: '2026-10-15', kind: 'factura', id: second, facturaproveedorId: second },
          ...{ numfactura: 'A-2', cargo: 1160, abono: 0, balance: 2320, referencia: '', rep: null },
        },
        {
          ...line,
          ...{ date: '2026-10-20', kind: 'pago', id: payment, facturaproveedorId: first },
          ...{ numfactura: 'A-1', cargo: 0, abono: 160.5, balance: 2159.5, referencia: '77', rep: null },
        },
      ],
      closing: 2159.5,
      aging: { porVencer: 1160, d30: 0, d60: 999.5, d90: 0, mas90: 0 },
      saldoafavor: 0,
    });
  });

  it('refuses a period that ends before it begins, an unknown supplier and an unknown parameter', async () => {
    const { supplierId } = await addMovements(fresh.db);
    const client = await createDocumentedApp({ db: fresh.db }).as(4);
    const ask = (path: string) => client.get(`/api/suppliers/${path}`);
    expect((await ask(`${supplierId}/statement?desde=2026-11-02&hasta=2026-11-01`)).status).toBe(400);
    expect((await ask('99/statement')).status).toBe(404);
    expect((await ask(`${supplierId}/statement?from=2026-01-01`)).status).toBe(400);
  });

  it('shows balance, ageing, movements and what is due, each figure with its rows', async () => {
    const { supplierId, second } = await addMovements(fresh.db);
    const page = await readPage(client.get(`/estado-cuenta/${supplierId}`));
    expect(page.decodedHtml).toContain('<title>Aceros · Estado de cuenta · Saldo</title>');
    expect(page.status).toBe(200);
    expect(page.links('Aceros')).toContain(`/editsupplierpage/${supplierId}`);
    expect(page.facts).toMatchObject({
      'Saldo anterior': '$0.00',
      'Pagos y notas de crédito': '$160.50',
      'Saldo al Fri, 20 Nov 2026': '$2,159.50',
      'Por vencer': '$1,160.00',
      '31–60 días': '$999.50',
    });
    expect(page.rows.map((row) => row.slice(1, 3))).toEqual([
      ['A-1', 'Torre'],
      ['A-2', 'Torre'],
    ]);
    expect(page.links('Factura A-1')).toHaveLength(1);
    expect(page.links('Pago 77, factura A-1')).toHaveLength(1);
    expect(page.links('Factura A-2')).toEqual([`/editinvoicepage/${second}`]);
    const parts = ['class="aging"', 'Qué vence y cuándo', 'Movimientos de Aceros'];
    const places = parts.map((part) => page.decodedHtml.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const [overdue] = page.links('$999.50');
    const list = await client.get(`/api/facturaproveedores${overdue!.slice(overdue!.indexOf('?'))}`);
    expect(list.headers.get('x-sum-total')).toBe('1160.00');
    expect(list.headers.get('x-total-count')).toBe('1');
  });

  it('opens on the last movements, after the balance of the earlier ones, which a link shows', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    const jobId = await addJob(db);
    for (let month = 1; month <= 8; month++)
      for (const year of [2024, 2025]) {
        const fechaemision = `${year}-0${month}-10`;
        await addInvoice(db, { supplierId, jobId, fechaemision, numfactura: `${year}-${month}` });
      }
    const recent = await readPage(client.get(`/estado-cuenta/${supplierId}`));
    expect(recent.facts).toMatchObject({ 'Saldo anterior': '$0.00', Facturado: '$18,560.00' });
    expect(recent.links(/^Factura 202\d-\d$/)).toHaveLength(15);
    expect(recent.decodedHtml).toContain('Últimos movimientos');
    const [earlier] = recent.links('Saldo después de 1 movimiento');
    expect(earlier).toBe(`/estado-cuenta/${supplierId}?desde=2024-01-10&hasta=${TODAY}`);
    const whole = await readPage(client.get(earlier!));
    expect(whole.links(/^Factura 202\d-\d$/)).toHaveLength(16);
    expect(whole.links(/^Saldo después de/)).toEqual([]);
    expect(whole.facts).toMatchObject({ 'Saldo anterior': '$0.00', Facturado: '$18,560.00' });
    const csv = await (await client.get(`/estado-cuenta/${supplierId}/export.csv`)).text();
    expect(csv).toContain('Factura,2024-1,');
  });

  it('also shows an invoice that charges nothing', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    await addInvoice(db, { supplierId, jobId: await addJob(db), subtotalCents: 0, uuid: ZERO });
    const { rows } = await readPage(client.get(`/estado-cuenta/${supplierId}`));
    expect(rows.map((row) => row.slice(-3))).toEqual([
      ['', '', '$0.00'],
      ['$0.00', '', '$0.00'],
    ]);
  });

  it('says why a period is invalid, and that a supplier does not exist', async () => {
    const { supplierId } = await addMovements(fresh.db);
    const refused = await readPage(
      client.get(`/estado-cuenta/${supplierId}?desde=2026-11-02&hasta=2026-11-01`),
    );
    expect(refused.status).toBe(400);
    expect(refused.links('Invertir las fechas')).toEqual([
      `/estado-cuenta/${supplierId}?desde=2026-11-01&hasta=2026-11-02`,
    ]);
    const gone = await readPage(client.get('/estado-cuenta/99'));
    expect([gone.status, gone.decodedHtml.includes('Ver la lista completa')]).toEqual([404, true]);
    const toScript = await client.get('/estado-cuenta/99', { headers: { 'x-fragment': 'results' } });
    expect([toScript.status, await toScript.json()]).toEqual([
      404,
      { message: 'No existe el proveedor 99.', code: 'not_found' },
    ]);
  });

  it('is available as a file, from page and API alike', async () => {
    const { supplierId } = await addMovements(fresh.db);
    const csv = await (await client.get(`/estado-cuenta/${supplierId}/export.csv?desde=2026-10-10`)).text();
    expect(csv.split('\r\n').slice(1, 3).join()).toContain('Saldo anterior');
    expect(csv).toContain('Factura,A-2');
    const fromApi = await client.get(`/api/suppliers/${supplierId}/statement/?desde=2026-10-10&format=csv`);
    expect(await fromApi.text()).toBe(csv);
    const pdf = await client.get(`/estado-cuenta/${supplierId}/export.pdf`);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
  });
});

describeOneDatabase('the movements of a supplier’s statement', (fresh) => {
  it('leave the UUID of an invoice to files and API, where programs read it', async () => {
    const { supplierId, first } = await addMovements(fresh.db);
    const client = await createTestApp({ db: fresh.db }).as(1);
    const uuid = 'AAAAAAAA-1111-4222-8333-000000000001';
    await fresh.db.updateTable('invoices').set({ uuid }).where('id', '=', first).execute();
    const page = await readPage(client.get(`/estado-cuenta/${supplierId}`));
    expect(page.decodedHtml).not.toContain(uuid);
    const { lines } = await (await client.get(`/api/suppliers/${supplierId}/statement`)).json();
    expect(lines.map((line: { uuid: string | null }) => line.uuid)).toEqual([uuid, null, null]);
  });
});

async function addMovements(db: Db) {
  const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
  const jobId = await addJob(db, { jobtitle: 'Torre' });
  const { id: userId } = await addUser(db);
  const invoice = { supplierId, jobId };
  const first = await addInvoice(db, { ...invoice, numfactura: 'A-1', fechaemision: '2026-10-01' });
  const dates = { fechaemision: '2026-10-15', fechavencimiento: '2026-11-30' };
  const second = await addInvoice(db, { ...invoice, ...dates, numfactura: 'A-2' });
  const paid = { facturaproveedorId: first, amountCents: 160_50, userId };
  const payment = await addPayment(db, { ...paid, paymentdate: '2026-10-20', checknum: '77' });
  return { supplierId, first, second, payment };
}

describeOneDatabase('a supplier’s page', (fresh) => {
  it('opens with saldo and ageing, each with its list, then the form, and the open invoices last', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const { id: userId } = await addUser(db);
    const of = { supplierId, fechaemision: addDays(TODAY, -60) };
    const late = await addInvoice(db, { ...of, numfactura: 'A-1', fechavencimiento: addDays(TODAY, -40) });
    await addInvoice(db, { ...of, numfactura: 'A-2', fechavencimiento: addDays(TODAY, 10) });
    await addPayment(db, { facturaproveedorId: late, amountCents: 160_50, userId, paymentdate: TODAY });
    await addInvoice(db, { numfactura: 'Ajena', fechavencimiento: TODAY });
    const client = await createTestApp({ db }).as(1);
    const page = await readPage(client.get(`/editsupplierpage/${supplierId}`));
    expect(page.facts).toMatchObject({
      Saldo: '$2,159.50',
      'Por vencer': '$1,160.00',
      '31–60 días': '$999.50',
    });
    expect(page.rows.map((row) => row[1])).toEqual(['A-1', 'A-2']);
    const overdue = page.rows.map(([due]) => /venció hace \d+ días?$/.exec(due!)?.[0]);
    expect(overdue).toEqual(['venció hace 40 días', undefined]);
    const past = await readPage(client.get(`/estado-cuenta/${supplierId}?hasta=${addDays(TODAY, -38)}`));
    expect(past.rows[0]![0]).toMatch(/2 días vencida$/);
    const places = ['class="aging"', 'name="suppliername"', 'id="cuentas"', 'Qué vence y cuándo'].map(
      (part) => page.decodedHtml.indexOf(part),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const [statement, all, band] = ['Estado de cuenta', '$2,159.50', '$999.50'].map((name) =>
      page.links(name),
    );
    expect(statement).toEqual([`/estado-cuenta/${supplierId}`]);
    for (const [address, count] of [
      [all![0]!, '2'],
      [band![0]!, '1'],
    ] as const) {
      const list = await client.get(`/api/facturaproveedores${address.slice(address.indexOf('?'))}`);
      expect(list.headers.get('x-total-count')).toBe(count);
    }
    const refused = await client.form(`/editsupplierpage/${supplierId}`, { suppliername: '' });
    expect(await refused.text()).not.toContain('class="aging"');
  });

  it.each([
    ['today', 0, false],
    ['since yesterday', 1, true],
    ['for a week', 7, true],
    ['for longer than a week', 8, false],
  ])('shows a due day in red only if it is newly past: due %s', async (_, days, isRed) => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    await addInvoice(db, { supplierId, fechavencimiento: addDays(TODAY, -days) });
    const page = await readPage((await createTestApp({ db }).as(1)).get(`/editsupplierpage/${supplierId}`));
    expect(page.decodedHtml.includes('class="late"')).toBe(isRed);
  });

  it('is only the form for a supplier that has never billed, and says if nothing is owed', async () => {
    const { db } = fresh;
    const [none, paid] = [await addSupplier(db), await addSupplier(db)];
    const { id: userId } = await addUser(db);
    const invoice = await addInvoice(db, { supplierId: paid });
    await addPayment(db, { facturaproveedorId: invoice, amountCents: 1160_00, userId, paymentdate: TODAY });
    const { db: watched, queries } = recordQueries(db);
    const client = await createTestApp({ db: watched }).as(1);
    const empty = await readPage(client.get(`/editsupplierpage/${none}`));
    expect([empty.facts, empty.rows]).toEqual([{}, []]);
    expect((await readPage(client.get(`/editsupplierpage/${paid}`))).facts).toEqual({ Saldo: '$0.00' });
    expect(queries.filter(({ sql }) => /as movements/.test(sql))).toEqual([]);
  });

  it('leads administrators to the history of a row, like invoices, payments and the other lists', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const [supplier, rubro] = [await addSupplier(db), await addRubro(db)];
    const invoice = await addInvoice(db, { supplierId: supplier });
    const payment = await addPayment(db, { facturaproveedorId: invoice, amountCents: 100, userId });
    const app = createTestApp({ db });
    const [admin, other] = [await app.as(3), await app.as(2)];
    for (const [path, entity, id] of [
      [`/editsupplierpage/${supplier}`, 'suppliers', supplier],
      [`/editrubropage/${rubro}`, 'rubros', rubro],
      [`/editinvoicepage/${invoice}`, 'invoices', invoice],
      [`/editpaymentpage/${payment}`, 'payments', payment],
    ] as const) {
      const links = (await readPage(admin.get(path))).links('Historial');
      expect(links, path).toEqual([`/bitacora?entity=${entity}&entityId=${id}`]);
      expect((await admin.get(links[0]!)).status).toBe(200);
      expect((await readPage(other.get(path))).links('Historial'), path).toEqual([]);
    }
    const page = await readPage(other.get(`/editpaymentpage/${payment}`));
    expect(page.links('Aviso de pago')).toEqual([`/editpaymentpage/${payment}/aviso.pdf`]);
  });
});
