import { expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { readRow, readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';

const A = { suppliername: 'Aceros', jobtitle: 'Torre', numfactura: 'A-1' };
const USD = { ...A, moneda: 'USD', tipocambio: '17.1234' };

describeOneDatabase('a row in another currency', (fresh) => {
  const run = async (rows: Record<string, string>[]) => {
    const actor = await addActor(fresh.db);
    return importRows(fresh.db, actor, 'invoices', rows);
  };
  const addLists = async () => {
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addJob(fresh.db, { jobtitle: 'Torre' });
  };
  const stored = async () =>
    (await fresh.db.selectFrom('invoices').selectAll().orderBy('id').execute()).map((one) => [
      one.subtotalCents,
      one.tasa,
      one.ivaCents,
      one.otrosimpuestosCents,
      one.retencionesCents,
      one.totalCents,
    ]);

  it('is converted like a CFDI: total and IVA rounded once each, the subtotal by difference', async () => {
    await addLists();
    const row = { ...USD, subtotal: '209445.33', tasa: '16', iva: '33511.25', total: '242956.58' };
    expect(await run([row])).toMatchObject({
      created: 1,
      warnings: [{ reason: 'Está en USD: se convierte con el tipo de cambio 17.1234.' }],
    });
    expect(await stored()).toEqual([[358_641_616, 160_000, 57_382_654, 0, 0, 416_024_270]]);
    expect(await run([row])).toMatchObject({ created: 0, unchanged: 1, refused: [] });
  });

  it('has the same result with other taxes, withholdings and without its IVA or total', async () => {
    await addLists();
    const row = { ...USD, subtotal: '10.10', tasa: '16', otrosimpuestos: '0.50', retenciones: '1.01' };
    expect(await run([row, { ...row, iva: '1.62', total: '11.21' }])).toMatchObject({
      created: 1,
      unchanged: 1,
    });
    // 11.21 × 17.1234 = 191.953…, 1.62 × = 27.739…, 0.50 × = 8.561…, 1.01 × = 17.294…
    expect(await stored()).toEqual([[17294, 160_000, 2774, 856, 1729, 19195]]);
    // An IVA that is some cents off its rate is no fault.
    const { checks } = await checkDatabase(fresh.db);
    expect(checks.find(({ name }) => name === 'iva')?.problems).toEqual([]);
  });

  it('is refused without a rate, with an impossible one, or with a rate of unknown meaning', async () => {
    await addLists();
    const amounts = { subtotal: '100', tasa: '16', iva: '16', total: '116' };
    const rows = [
      { ...USD, tipocambio: '' },
      { ...USD, tipocambio: '2378590.23' },
      { ...USD, moneda: '' },
      { ...USD, moneda: 'BITCOIN' },
      { ...USD, moneda: 'MXN', tipocambio: '' },
      { ...USD, moneda: '', tipocambio: '1.00', numfactura: 'A-2' },
    ].map((row) => ({ ...row, ...amounts }));
    const { refused } = await run(rows);
    expect(refused.map(({ row, column, reason }) => [row, column, reason])).toEqual([
      [2, 'Moneda', 'Está en USD y no trae tipo de cambio (TipoCambio).'],
      [3, 'Tipo de cambio', 'Está en USD con un tipo de cambio imposible: 2378590.23.'],
      [4, 'Tipo de cambio', 'Trae tipo de cambio y no dice de qué moneda.'],
      [5, 'Tipo de cambio', 'La moneda «BITCOIN» no sirve para una factura.'],
    ]);
  });

  it('is no foreign currency if it equals the base currency', async () => {
    await addLists();
    await changeSetting(fresh.db, await addActor(fresh.db), 'moneda', 'USD');
    await run([{ ...USD, tipocambio: '', subtotal: '100', tasa: '16', iva: '16', total: '116' }]);
    expect(await stored()).toMatchObject([[10_000, 160_000, 1_600, 0, 0, 11_600]]);
  });

  it('is converted in a table of payments too, and refused without a rate', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const paying = { suppliername: 'Aceros', numfactura: 'A-1', moneda: 'USD', paymentamount: '10.05' };
    const actor = await addActor(fresh.db);
    const { refused } = await importRows(fresh.db, actor, 'payments', [paying]);
    expect(refused).toMatchObject([{ column: 'Moneda' }]);
    await importRows(fresh.db, actor, 'payments', [{ ...paying, tipocambio: '18.00' }]);
    const payments = await fresh.db.selectFrom('payments').select('amountCents').execute();
    expect(payments).toEqual([{ amountCents: 18_090 }]);
  });

  it("is kept with the invoice, and a payment in it closes the debt at the invoice's rate, whatever its own", async () => {
    await addLists();
    const amounts = { subtotal: '209445.33', tasa: '0', iva: '0', total: '209445.33' };
    await run([{ ...USD, ...amounts }]);
    const invoice = await readRow(fresh.db, 'invoices', {}, ['id', 'moneda', 'tipocambio', 'totalCents']);
    expect(invoice).toMatchObject({ moneda: 'USD', tipocambio: '17.1234', totalCents: 358_641_616 });
    const actor = await addActor(fresh.db);
    const paying = { suppliername: USD.suppliername, numfactura: USD.numfactura, moneda: 'USD' };
    const half = { ...paying, paymentamount: '100000', tipocambio: '18.00', paymentdate: '2026-11-18' };
    const rest = { ...paying, paymentamount: '109445.33', tipocambio: '16.50', paymentdate: '2026-11-19' };
    expect(await importRows(fresh.db, actor, 'payments', [half, rest])).toMatchObject({ created: 2 });
    const payments = await readRows(fresh.db, 'payments', {}, ['amountCents', 'importebancoCents']);
    expect(payments).toEqual([
      { amountCents: 171_234_000, importebancoCents: 180_000_000 },
      { amountCents: 187_407_616, importebancoCents: 180_584_795 },
    ]);
    expect(await importRows(fresh.db, actor, 'payments', [half, rest])).toMatchObject({ unchanged: 2 });
  });
});
