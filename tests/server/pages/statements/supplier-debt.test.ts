import { expect, it } from 'vitest';
import { addDays } from '../../../../shared/dates.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { recording } from '../../../support/recording.ts';
import {
  addActor,
  addInvoice,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  TODAY,
} from '../../../support/rows.ts';

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
    const places = ['class="aging"', 'name="suppliername"', 'id="cuentas"', 'Qué vence y cuándo'].map(
      (part) => page.html.indexOf(part),
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

  it('is the form alone of one that has never billed, and says of one that is paid that nothing is owed', async () => {
    const { db } = fresh;
    const [none, paid] = [await addSupplier(db), await addSupplier(db)];
    const { id: userId } = await addUser(db);
    const invoice = await addInvoice(db, { supplierId: paid });
    await addPayment(db, { facturaproveedorId: invoice, amountCents: 1160_00, userId, paymentdate: TODAY });
    const { db: watched, queries } = recording(db);
    const client = await createTestApp({ db: watched }).as(1);
    const empty = await readPage(client.get(`/editsupplierpage/${none}`));
    expect([empty.facts, empty.rows]).toEqual([{}, []]);
    expect((await readPage(client.get(`/editsupplierpage/${paid}`))).facts).toEqual({ Saldo: '$0.00' });
    expect(queries.filter(({ sql }) => /as movements/.test(sql))).toEqual([]);
  });

  it('leads administrators to what was done to a row, as invoices, payments and the other lists do', async () => {
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
