import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import type { InvoiceFilter } from '../../../../server/services/invoices/reading.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { moneyText } from '../../../../shared/money.ts';
import { createTestApp } from '../../../support/app.ts';
import { startChild } from '../../../support/children.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addInvoice, addJob, addSupplier, TODAY } from '../../../support/rows.ts';

const DAY = { today: TODAY, timeZone: 'America/Mexico_City' };
const sum = (db: Db, filter: InvoiceFilter = {}) => sumInvoices(db, filter, DAY);

describeEachDatabase('the sums of a list', (fresh) => {
  /** What the rows themselves add up to, read on their own. */
  async function addedUp() {
    const rows = await fresh.db.selectFrom('invoices').selectAll().execute();
    const total = (cents: (row: (typeof rows)[number]) => number) =>
      rows.reduce((all, row) => all + cents(row), 0);
    return {
      count: rows.length,
      totalCents: total((row) => row.totalCents),
      paidCents: total((row) => row.paidCents),
      sinIvaCents: total((row) => row.subtotalCents + row.otrosimpuestosCents),
    };
  }

  it('are exact after each change, in its headers too', async () => {
    const test = createTestApp({ db: fresh.db });
    const ana = await test.as([1, 3]);
    const [supplierId, jobId] = [await addSupplier(fresh.db), await addJob(fresh.db)];
    const expectExact = async () => {
      const answer = await ana.get('/api/facturaproveedores/search/?limit=50');
      const exact = await addedUp();
      const header = (name: string) => answer.headers.get(name);
      expect({
        count: header('x-total-count'),
        total: header('x-sum-total'),
        paid: header('x-sum-paid'),
        pending: header('x-sum-pending'),
        sinIva: header('x-sum-siniva'),
      }).toEqual({
        count: String(exact.count),
        total: moneyText(exact.totalCents),
        paid: moneyText(exact.paidCents),
        pending: moneyText(exact.totalCents - exact.paidCents),
        sinIva: moneyText(exact.sinIvaCents),
      });
    };
    await expectExact();
    await expectExact(); // from the cache
    const made: number[] = [];
    for (const subtotal of [100, 250.5, 0.03]) {
      const draft = { supplierId, jobId, numfactura: `A-${subtotal}`, subtotal, fechaemision: TODAY };
      const answer = await ana.post('/api/facturaproveedores/newfacturaproveedor', draft);
      made.push((await answer.json()).id);
      await expectExact();
    }
    const [first = 0, second = 0, third = 0] = made;
    const change = { supplierId, jobId, numfactura: 'A-1', subtotal: 777.77 };
    expect((await ana.put(`/api/facturaproveedores/${second}`, change)).status).toBe(200);
    await expectExact();
    const payment = { facturaproveedorId: first, paymentamount: 50.25 };
    const { id } = await (await ana.post('/api/payments/newpayment', payment)).json();
    await expectExact();
    const tooMuch = { facturaproveedorId: first, paymentamount: 5000 };
    expect((await ana.post('/api/payments/newpayment', tooMuch)).status).toBe(422);
    await expectExact();
    expect((await ana.delete(`/api/payments/${id}`)).status).toBe(204);
    await expectExact();
    expect((await ana.delete(`/api/facturaproveedores/${third}`)).status).toBe(204);
    await expectExact();
    expect((await addedUp()).count).toBe(2);
  });

  it('are those of another connection’s and of another process’s writes as soon as they are committed', async () => {
    const other = fresh.database.openAgain();
    const child = await startChild();
    for (let round = 1; round <= 5; round++) {
      await addInvoice(other.db);
      expect(await sum(fresh.db)).toEqual(await addedUp());
      await child.run('invoice', fresh.database.url);
      const sums = await sum(fresh.db);
      expect(sums).toEqual(await addedUp());
      expect(sums.count).toBe(2 * round);
      expect(await sum(other.db)).toEqual(sums);
    }
  });

  it('inside a transaction are its own, and leave no trace where it is rolled back', async () => {
    await addInvoice(fresh.db);
    const before = await sum(fresh.db);
    const undone = inTransaction(fresh.db, async (trx) => {
      await addInvoice(trx);
      expect((await sum(trx)).count).toBe(2);
      // Whoever asks meanwhile sees what is committed.
      expect(await sum(fresh.db)).toEqual(before);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await sum(fresh.db)).toEqual(before);
    await inTransaction(fresh.db, async (trx) => {
      await addInvoice(trx);
      expect(await sum(fresh.db)).toEqual(before);
    });
    expect((await sum(fresh.db)).count).toBe(2);
  });

  it('are each filter’s own', async () => {
    const [one, other] = [await addSupplier(fresh.db), await addSupplier(fresh.db)];
    await addInvoice(fresh.db, { supplierId: one });
    await addInvoice(fresh.db, { supplierId: other, fechavencimiento: '2026-11-01' });
    await addInvoice(fresh.db, { supplierId: other });
    for (let round = 0; round < 2; round++) {
      expect((await sum(fresh.db)).count).toBe(3);
      expect((await sum(fresh.db, { supplierId: one })).count).toBe(1);
      expect((await sum(fresh.db, { supplierId: other })).count).toBe(2);
      expect((await sum(fresh.db, { status: 'vencida' })).count).toBe(1);
      const earlier = { ...DAY, today: '2026-10-01' };
      expect((await sumInvoices(fresh.db, { status: 'vencida' }, earlier)).count).toBe(0);
    }
  });

  it('are the truth of their moment while another process writes and writes', async () => {
    const child = await startChild();
    let isOver = false;
    const writing = child.run('invoices', fresh.database.url, 60).then(() => {
      isOver = true;
    });
    let last = 0;
    while (!isOver) {
      const { count: least } = await addedUp();
      const { count } = await sum(fresh.db);
      const { count: most } = await addedUp();
      expect(count).toBeGreaterThanOrEqual(least);
      expect(count).toBeLessThanOrEqual(most);
      last = count;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    expect(last).toBeGreaterThan(0);
    expect((await sum(fresh.db)).count).toBe(60);
  });
});
