import { expect, it } from 'vitest';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { importMetadata } from '../../../../server/services/fiscal/import-metadata.ts';
import {
  readBalanceMismatches,
  readLatePue,
  readReceiptsDue,
  sumBySupplier,
} from '../../../../server/services/fiscal/receipts-due.ts';
import { searchPayments } from '../../../../server/services/payments/reading.ts';
import {
  buildReceipt,
  buildReplacements,
  bytesOf,
  type ReceiptParts,
  uuidOfNumber,
} from '../../../support/cfdi.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { buildMetadataFile } from '../../../support/metadata.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  type InvoiceOverrides,
} from '../../../support/rows.ts';

const RFC = 'EKU9003173C9';

describeEachDatabase('receipts that suppliers owe', (fresh) => {
  async function prepare(part: InvoiceOverrides = {}) {
    const { db } = fresh;
    const actor = await addActor(db, { origin: 'cli' });
    const jobId = await addJob(db);
    const supplierId = await addSupplier(db, { suppliername: 'Aceros', rfc: RFC });
    const invoice = await addInvoice(db, {
      ...{ supplierId, jobId, uuid: uuidOfNumber(1), numfactura: 'A-1', fechaemision: '2024-03-10' },
      ...{ metodopago: 'PPD', ...part },
    });
    return {
      ...{ actor, supplierId, invoice },
      pay: (amountCents: number, paymentdate: string, more: object = {}) =>
        addPayment(db, {
          facturaproveedorId: invoice,
          amountCents,
          paymentdate,
          userId: actor.userId,
          ...more,
        }),
      applyNote: async (amountCents: number, paymentdate: string) => {
        const note = { supplierId, userId: actor.userId, fecha: paymentdate, appliedCents: amountCents };
        const creditNoteId = await addCreditNote(db, note);
        const more = { kind: 'credito', creditNoteId, paymentdate } as const;
        await addPayment(db, { facturaproveedorId: invoice, amountCents, userId: actor.userId, ...more });
      },
      receive: async (
        n: number,
        amounts: string[],
        fecha: string,
        { replaces, ...parts }: Partial<ReceiptParts> & { replaces?: number } = {},
      ) => {
        const doctos = amounts.map((amount) => ({ amount, of: uuidOfNumber(1) }));
        const relation = replaces ? buildReplacements(uuidOfNumber(replaces)).replaceAll('{p}', 'cfdi:') : '';
        const xml = buildReceipt({ uuid: uuidOfNumber(n), doctos, fecha, ...parts });
        const bytes = bytesOf(xml.replace('<cfdi:Emisor', `${relation}<cfdi:Emisor`));
        return importCfdi(db, actor, [{ name: 'r.xml', bytes }], { jobId });
      },
      cancel: (n: number) =>
        importMetadata(
          db,
          actor,
          buildMetadataFile([
            { uuid: uuidOfNumber(n), rfc: RFC, efecto: 'P', monto: '0', cancelado: '2024-04-20' },
          ]),
        ),
    };
  }
  const due = async (corte = '2024-05-10') => readReceiptsDue(fresh.db, corte);
  const missing = async (corte?: string) => (await due(corte)).rows.map(({ faltaCents }) => faltaCents);

  it('are due on the fifth of the month after the payment, with the IVA of that part', async () => {
    const { pay, invoice, supplierId } = await prepare();
    const id = await pay(58_000, '2024-04-05');
    await pay(20_000, '2024-05-02');
    const { rows, ...sums } = await due();
    expect(rows[0]).toEqual({
      ...{
        id,
        supplierId,
        suppliername: 'Aceros',
        suppliercontactemail: 'a@b.mx',
        rfc: RFC,
        facturaproveedorId: invoice,
      },
      ...{ numfactura: 'A-1', uuid: uuidOfNumber(1), fecha: '2024-04-05', importeCents: 58_000 },
      ...{ faltaCents: 58_000, enSuMoneda: null, ivaCents: 8_000, vence: '2024-05-05', atraso: 5 },
    });
    expect(rows[1]).toMatchObject({ faltaCents: 20_000, ivaCents: 2_759, vence: '2024-06-05', atraso: 0 });
    expect(sums).toEqual({
      ...{ corte: '2024-05-10', cuenta: 2, faltaCents: 78_000, vencidoCents: 58_000, ivaCents: 10_759 },
    });
    expect(sumBySupplier(rows)).toEqual([
      expect.objectContaining({ supplierId, cuenta: 2, faltaCents: 78_000, vence: '2024-05-05' }),
    ]);
    expect((await due('2024-05-01')).cuenta).toBe(1);
    expect((await readReceiptsDue(fresh.db, '2024-05-10', supplierId + 1)).cuenta).toBe(0);
  });

  it('are none for invoices paid at once, and for what credit notes cover', async () => {
    const { actor, supplierId, applyNote } = await prepare();
    const pue = await addInvoice(fresh.db, { supplierId, metodopago: 'PUE' });
    await addPayment(fresh.db, { facturaproveedorId: pue, amountCents: 100, userId: actor.userId });
    await applyNote(10_000, '2024-04-01');
    expect(await missing('2026-12-31')).toEqual([]);
  });

  it('are covered in parts by several receipts, in any order, and as of a day', async () => {
    const { pay, receive } = await prepare();
    await pay(50_000, '2024-04-05');
    await receive(91, ['200.00'], '2024-04-07');
    expect(await missing()).toEqual([30_000]);
    expect(await missing('2024-04-05')).toEqual([50_000]);
    await receive(90, ['300.00'], '2024-04-05');
    expect(await missing()).toEqual([]);
  });

  it('are not covered by a payment of another day, nor twice by one receipt', async () => {
    const { pay, receive } = await prepare();
    await pay(50_000, '2024-04-05');
    await pay(50_000, '2024-04-06');
    await receive(90, ['500.00'], '2024-04-05');
    await receive(91, ['400.00'], '2024-04-20');
    expect(await missing()).toEqual([50_000]);
  });

  it('are owed again once the SAT has the receipt as cancelled, until another comes', async () => {
    const { pay, receive, cancel } = await prepare();
    await pay(50_000, '2024-04-05');
    await receive(90, ['500.00'], '2024-04-05');
    expect(await missing()).toEqual([]);
    await cancel(90);
    expect(await missing()).toEqual([50_000]);
    const without = async () => (await searchPayments(fresh.db, { rep: 'sin', limit: 9 })).rows.length;
    expect(await without()).toBe(1);
    await receive(91, ['500.00'], '2024-04-05');
    expect(await missing()).toEqual([]);
    expect(await without()).toBe(0);
    const problems = await findDatabaseProblems(fresh.db);
    expect(problems.filter(({ rule }) => rule.startsWith('receipt'))).toEqual([]);
  });

  it('count once where a receipt replaces another', async () => {
    const { pay, receive } = await prepare();
    await pay(50_000, '2024-04-05');
    await pay(50_000, '2024-04-06');
    await receive(90, ['500.00'], '2024-04-05');
    await receive(91, ['500.00'], '2024-04-05', { replaces: 90 });
    expect(await missing()).toEqual([50_000]);
  });

  it('are stated in the currency of the invoice too', async () => {
    const { pay, receive } = await prepare({ moneda: 'USD', tipocambio: '20' });
    await pay(40_000, '2024-04-05', { importebancoCents: 42_000, importemonedaCents: 2_000 });
    const [row] = (await due()).rows;
    expect(row).toMatchObject({ faltaCents: 40_000, enSuMoneda: '$20.00 USD' });
    const usd = { amount: '20.00', of: uuidOfNumber(1), moneda: 'USD' };
    await receive(90, [], '2024-04-05', { moneda: 'USD', tipoCambio: '21', doctos: [usd] });
    expect(await missing()).toEqual([]);
  });

  it('are asked for where an invoice to be paid at once was owed when its month ended', async () => {
    const { pay, invoice } = await prepare({ metodopago: 'PUE' });
    await pay(16_000, '2024-03-31');
    const late = async (corte: string) => (await readLatePue(fresh.db, corte)).rows;
    expect(await late('2024-03-30')).toEqual([]);
    expect(await late('2024-04-03')).toEqual([
      expect.objectContaining({ id: invoice, faltaCents: 100_000, vence: '2024-03-31', atraso: 3 }),
    ]);
    const further = await readLatePue(fresh.db, '2024-04-03', null, { first: 1, count: 1 });
    expect(further).toMatchObject({ cuenta: 1, faltaCents: 100_000, vencidoCents: 100_000, rows: [] });
    await pay(100_000, '2024-04-02');
    expect(await late('2024-04-03')).toEqual([expect.objectContaining({ faltaCents: 100_000, atraso: 0 })]);
    expect(await late('2025-01-31')).toEqual([]);
  });

  it('may state another balance, before which credit notes count', async () => {
    const { pay, receive, supplierId, applyNote } = await prepare();
    await applyNote(10_000, '2024-04-02');
    const id = await pay(50_000, '2024-04-05');
    const saldos: [string, string] = ['1160.00', '660.00'];
    await receive(90, [], '2024-04-05', { doctos: [{ amount: '500.00', of: uuidOfNumber(1), saldos }] });
    const stated = expect.objectContaining({ id, saldoRepCents: 66_000, saldoCents: 56_000 });
    expect(await readBalanceMismatches(fresh.db, '2024-05-10')).toEqual([stated]);
    expect(await readBalanceMismatches(fresh.db, '2024-12-31')).toEqual([]);
    expect(await readBalanceMismatches(fresh.db, '2024-12-31', supplierId)).toEqual([stated]);
  });
});
