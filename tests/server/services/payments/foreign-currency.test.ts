import { expect, it } from 'vitest';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { deletePayments } from '../../../../server/services/payments/write.ts';
import { paymentTexts } from '../../../../shared/payments.ts';
import { createTestApp } from '../../../support/app.ts';
import { readCsv } from '../../../support/csv.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addSupplier } from '../../../support/rows.ts';
import { readRow, readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';
import { importText } from '../../../support/tables.ts';

/** 1,000.00 USD at 17.1235: three thirds settle 5,707.83 twice, and then 5,707.84. */
const DEBT = { moneda: 'USD', tipocambio: '17.1235', totalCents: 1_712_350, subtotalCents: 1_712_350 };

describeOneDatabase('a payment stated in the currency of its invoice', (fresh) => {
  const addDebt = async (part: object = {}) =>
    addInvoice(fresh.db, {
      supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros' }),
      numfactura: 'U-1',
      tasa: 0,
      ivaCents: 0,
      ...DEBT,
      ...part,
    });
  const amounts = (facturaproveedorId: number) =>
    readRows(fresh.db, 'payments', { facturaproveedorId }, ['amountCents', 'importemonedaCents']);
  const paidOf = async (id: number) => (await readRow(fresh.db, 'invoices', { id }, ['paidCents'])).paidCents;

  it('settles at the invoice’s rate, and three parts at three rates of the day end at 0', async () => {
    const client = await createTestApp({ db: fresh.db }).as([1, 3]);
    const facturaproveedorId = await addDebt();
    const pay = async (importemoneda: number, more: object = {}) => {
      const sent = { facturaproveedorId, importemoneda, ...more };
      const response = await client.post('/api/payments/newpayment', sent);
      return { status: response.status, ...(await response.json()) };
    };
    const read = async () => (await client.get(`/api/facturaproveedores/${facturaproveedorId}`)).json();
    expect((await read()).pendientemoneda).toBe(1000);
    expect(await pay(333.33, { importebanco: 5800 })).toMatchObject({
      status: 201,
      importemoneda: 333.33,
      paymentamount: 5707.78,
      importebanco: 5800,
    });
    expect(await pay(333.33, { importebanco: 6000, paymentamount: 5707.77 })).toMatchObject({
      status: 422,
      message: paymentTexts.otherThanForeign('$333.33 USD', '$5,707.78'),
      fields: { paymentamount: expect.any(String) },
    });
    expect(await pay(333.33, { importebanco: 6000, paymentamount: 5707.78 })).toMatchObject({ status: 201 });
    expect((await read()).pendientemoneda).toBe(333.34);
    expect(await pay(333.35)).toMatchObject({
      status: 422,
      code: 'overpayment',
      message: paymentTexts.beyondTotal,
      fields: { importemoneda: paymentTexts.beyondTotal },
    });
    const last = await pay(333.34, { importebanco: 5500 });
    expect(last, 'the rest in dollars is the rest in pesos').toMatchObject({ paymentamount: 5707.94 });
    expect(await read()).toMatchObject({
      status: 'pagada',
      totalamountpaid: 17123.5,
      pendientemoneda: 0,
      payment: [{ importemoneda: 333.33 }, { importemoneda: 333.33 }, { importemoneda: 333.34 }],
    });
    expect(await pay(0.01)).toMatchObject({ status: 422, code: 'overpayment' });
    expect(await findDatabaseProblems(fresh.db)).toEqual([]);
  });

  it('counts what was stated in pesos before at the invoice’s rate, and closes both', async () => {
    const by = await addActor(fresh.db);
    const facturaproveedorId = await addDebt();
    await createPayment(fresh.db, by, { facturaproveedorId, amountCents: 500_003 });
    await createPayment(fresh.db, by, { facturaproveedorId, importemonedaCents: 10_001 });
    const client = await createTestApp({ db: fresh.db }).as([1]);
    const { pendientemoneda } = await (
      await client.get(`/api/facturaproveedores/${facturaproveedorId}`)
    ).json();
    expect(pendientemoneda, '1,000.00 − 292.00 − 100.01').toBe(607.99);
    await createPayment(fresh.db, by, { facturaproveedorId, importemonedaCents: 60_799 });
    expect(await paidOf(facturaproveedorId)).toBe(DEBT.totalCents);
  });

  it('stays as it is until its amount changes, and follows then', async () => {
    const { db } = fresh;
    const by = await addActor(db);
    const facturaproveedorId = await addDebt();
    const { payment } = await createPayment(db, by, { facturaproveedorId, importemonedaCents: 50_000 });
    expect(payment).toMatchObject({ amountCents: 856_175, importemonedaCents: 50_000 });
    const change = async (draft: object) => (await updatePayment(db, by, payment.id, draft)).payment;
    expect(await change({ comments: 'x' })).toMatchObject({ amountCents: 856_175 });
    expect(await change({ importemonedaCents: 100_000 })).toMatchObject({ amountCents: DEBT.totalCents });
    await expect(change({ amountCents: 1 })).rejects.toThrow('deja vacía la cantidad pagada');
    expect(await change({ amountCents: 100, importemonedaCents: null })).toMatchObject({
      amountCents: 100,
      importemonedaCents: null,
    });
    await expect(change({ importemonedaCents: 100_001 })).rejects.toThrow(paymentTexts.beyondTotal);
    expect(await change({ importemonedaCents: 1 })).toMatchObject({ amountCents: 17 });
    const inPesos = await addDebt({ moneda: null, tipocambio: null, numfactura: 'P-1' });
    await expect(change({ facturaproveedorId: inPesos })).rejects.toThrow(paymentTexts.notForeign);
    const inEuros = await addDebt({ moneda: 'EUR', tipocambio: '20', numfactura: 'E-1' });
    await expect(change({ facturaproveedorId: inEuros })).rejects.toThrow(
      paymentTexts.otherCurrency('EUR', 'USD'),
    );
    const asked = { facturaproveedorId: inEuros, importemonedaCents: 1 };
    await expect(change({ ...asked, formCurrency: 'USD' })).rejects.toThrow(
      paymentTexts.otherCurrency('EUR', 'USD'),
    );
    expect(await change(asked)).toMatchObject({
      amountCents: 20,
      moneda: 'EUR',
    });
  });

  it('that moves to an invoice at another rate keeps the bank amount', async () => {
    const { db } = fresh;
    const by = await addActor(db);
    const { payment } = await createPayment(db, by, {
      facturaproveedorId: await addDebt(),
      importemonedaCents: 10_000,
    });
    const other = await addDebt({ tipocambio: '18', totalCents: 1_800_000, subtotalCents: 1_800_000 });
    const moved = await updatePayment(db, by, payment.id, { facturaproveedorId: other });
    expect(moved.payment).toMatchObject({ amountCents: 180_000, importebancoCents: 171_235 });
  });

  it('has a rate on the statement even if it is less than a cent of the currency', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    const facturaproveedorId = await addDebt({ supplierId });
    const amounts = { amountCents: 5, importebancoCents: 6 };
    await createPayment(db, await addActor(db), { facturaproveedorId, ...amounts });
    const client = await createTestApp({ db }).as([1]);
    const { rows } = await readCsv(client.get(`/api/suppliers/${supplierId}/statement?format=csv`));
    const rates = rows.map((row) => row['Tipo de cambio']).filter(Boolean);
    expect(rates).toEqual(['17.1235', '17.1235', '17.1235']);
  });

  it('that is deleted and comes back has both amounts', async () => {
    const { db } = fresh;
    const by = await addActor(db);
    const facturaproveedorId = await addDebt();
    for (const importemonedaCents of [33_333, 33_333, 33_334])
      await createPayment(db, by, { facturaproveedorId, importemonedaCents });
    const before = await amounts(facturaproveedorId);
    const [{ id }] = (await readRows(db, 'payments', { importemonedaCents: 33_334 }, ['id'])) as [
      { id: number },
    ];
    await deletePayment(db, by, id);
    expect((await restorePayment(db, by, id)).payment).toMatchObject({
      amountCents: 570_794,
      importemonedaCents: 33_334,
    });
    expect(await amounts(facturaproveedorId)).toEqual(before);
    const [entry] = await readRows(db, 'audit', { entity: 'payments', action: 'create' }, ['after']);
    expect(JSON.parse((entry as { after: string }).after)).toMatchObject({ importemonedaCents: 33_333 });
  });

  it('is in no payment of less than a centavo', async () => {
    const facturaproveedorId = await addDebt({ moneda: 'JPY', tipocambio: '0.11' });
    const pay = createPayment(fresh.db, await addActor(fresh.db), {
      facturaproveedorId,
      importemonedaCents: 4,
    });
    await expect(pay).rejects.toThrow(paymentTexts.belowCent);
  });

  it('is exported, and imported again in any order with the same amounts', async () => {
    const { db } = fresh;
    const by = await addActor(db);
    const facturaproveedorId = await addDebt();
    for (const [index, importemonedaCents] of [11_111, 22_223, 33_333, 33_333].entries())
      await createPayment(db, by, { facturaproveedorId, importemonedaCents, checknum: `T-${index}` });
    const before = await amounts(facturaproveedorId);
    expect(await paidOf(facturaproveedorId)).toBe(DEBT.totalCents);
    const client = await createTestApp({ db }).as([1]);
    const answer = await client.get('/api/payments/search/?format=csv&sortfield=id&sorttype=DESC');
    const file = await answer.clone().text();
    expect((await readCsv(answer)).rows[0]).toMatchObject({ 'Importe en su moneda': '333.33' });
    const rows = await importText('payments', file);
    const importFile = async () =>
      importRows(
        db,
        by,
        'payments',
        rows.map(({ values }) =>
          Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              typeof value === 'number' ? (value / 100).toFixed(2) : (value ?? undefined),
            ]),
          ),
        ) as Record<string, string>[],
      );
    expect(await importFile()).toMatchObject({ created: 0, unchanged: 4 });
    const ids = (await readRows(db, 'payments', {}, ['id'])) as { id: number }[];
    await deletePayments(
      db,
      by,
      ids.map(({ id }) => id),
    );
    expect(await importFile()).toMatchObject({ created: 4, refused: [] });
    expect(await amounts(facturaproveedorId)).toEqual(before.toReversed());
    expect(await paidOf(facturaproveedorId)).toBe(DEBT.totalCents);
  });

  it('is what a row in the invoice’s currency says, and is found again as the last part', async () => {
    const { db } = fresh;
    const by = await addActor(db);
    const facturaproveedorId = await addDebt();
    const row = { suppliername: 'Aceros', numfactura: 'U-1', moneda: 'USD', tipocambio: '18' };
    const parts = ['333.33', '333.33', '333.34'].map((paymentamount, index) => ({
      ...row,
      ...{ paymentamount, paymentdate: `2026-11-1${index}` },
    }));
    expect(await importRows(db, by, 'payments', parts)).toMatchObject({ created: 3 });
    expect(await amounts(facturaproveedorId)).toEqual([
      { amountCents: 570_778, importemonedaCents: 33_333 },
      { amountCents: 570_778, importemonedaCents: 33_333 },
      { amountCents: 570_794, importemonedaCents: 33_334 },
    ]);
    expect(await importRows(db, by, 'payments', parts)).toMatchObject({ unchanged: 3 });
    const other = { ...parts[0]!, importemoneda: '1.00', paymentdate: '2026-11-19' };
    expect((await importRows(db, by, 'payments', [other])).refused).toMatchObject([
      { reason: expect.stringContaining('Es otro que la cantidad pagada') },
    ]);
  });
});
