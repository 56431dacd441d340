import { expect, it } from 'vitest';
import { composePaymentAdviceLetter } from '../../../../server/services/mails/letters.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { readPaymentAdvice } from '../../../../server/services/statements/payment-advice.ts';
import { readSupplierStatement } from '../../../../server/services/statements/supplier-statement.ts';
import { createTestApp } from '../../../support/app.ts';
import { readCsv } from '../../../support/csv.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { addActor, addInvoice, addSupplier, TODAY } from '../../../support/rows.ts';

describeEachDatabase('the estado de cuenta of a debt in dollars', (fresh) => {
  /** Stores 1,000.00 USD at 17.1235, paid in three parts at 17.40, 17.1235 and 16.50. */
  async function addPaidDebt() {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const facturaproveedorId = await addInvoice(db, {
      ...{ supplierId, numfactura: 'U-1', fechaemision: '2026-10-01' },
      ...{ moneda: 'USD', tipocambio: '17.1235', tasa: 0, ivaCents: 0 },
      ...{ subtotalCents: 1_712_350, totalCents: 1_712_350 },
    });
    const by = await addActor(db);
    const pay = async (importemonedaCents: number, paymentdate: string, importebancoCents?: number) =>
      (
        await createPayment(db, by, {
          facturaproveedorId,
          importemonedaCents,
          paymentdate,
          importebancoCents,
        })
      ).payment.id;
    await pay(33_333, '2026-10-10', 579_994);
    await pay(33_333, '2026-10-20');
    const last = await pay(33_334, '2026-10-30', 550_011);
    return { supplierId, last, client: await createTestApp({ db }).as([1]) };
  }

  it('says currency, rate and the exchange differences, which change no balance', async () => {
    const { supplierId, client } = await addPaidDebt();
    const day = { today: TODAY, timeZone: 'America/Mexico_City' };
    const statement = await readSupplierStatement(fresh.db, { supplierId }, day);
    expect(
      statement.lines.map(({ kind, chargeCents, creditCents, balanceCents, ...line }) => [
        ...[kind, chargeCents - creditCents, balanceCents],
        ...[line.foreignCents, line.tipocambio, line.exchangeCents],
      ]),
    ).toEqual([
      ['factura', 1_712_350, 1_712_350, 100_000, '17.1235', null],
      ['pago', -570_778, 1_141_572, 33_333, '17.1235', null],
      ['diferencia', 0, 1_141_572, 33_333, '17.4000', 9_216],
      ['pago', -570_778, 570_794, 33_333, '17.1235', null],
      ['pago', -570_794, 0, 33_334, '17.1235', null],
      ['diferencia', 0, 0, 33_334, '16.5000', -20_783],
    ]);
    expect(statement).toMatchObject({ creditCents: 1_712_350, closingCents: 0 });
    const { lines } = await (await client.get(`/api/suppliers/${supplierId}/statement`)).json();
    expect(lines[2]).toMatchObject({
      ...{ kind: 'diferencia', moneda: 'USD', tipocambio: 17.4, importemoneda: 333.33 },
      ...{ diferencia: 92.16, cargo: 0, abono: 0, balance: 11415.72 },
    });
    const short = await readSupplierStatement(fresh.db, { supplierId }, day, 2);
    expect(short.lines.map(({ kind }) => kind)).toEqual(['pago', 'pago', 'diferencia']);
  });

  it('says so on the page and in its files too', async () => {
    const { supplierId, client } = await addPaidDebt();
    const page = await readPage(client.get(`/estado-cuenta/${supplierId}`));
    for (const text of [
      'Diferencia cambiaria de $92.16',
      'Diferencia cambiaria de -$207.83',
      '$333.33 USD a 17.4',
      '$1,000.00 USD a 17.1235',
    ])
      expect(page.decodedHtml).toContain(text);
    const { rows } = await readCsv(client.get(`/estado-cuenta/${supplierId}/export.csv`));
    expect(rows[3]).toMatchObject({
      ...{ Movimiento: 'Diferencia cambiaria', Moneda: 'USD', 'Tipo de cambio': '17.4000' },
      ...{ 'En su moneda': '333.33', 'Diferencia cambiaria': '92.16', Cargo: '', Abono: '' },
    });
    const pdf = await client.get(`/estado-cuenta/${supplierId}/export.pdf`);
    const { pages } = await readPdf(new Uint8Array(await pdf.arrayBuffer()));
    expect(JSON.stringify(pages)).toContain('$333.33 USD a 17.4');
  });

  it('and the aviso de pago state payments in both currencies', async () => {
    const { last, client } = await addPaidDebt();
    const pdf = await client.get(`/editpaymentpage/${last}/aviso.pdf`);
    const { pages } = await readPdf(new Uint8Array(await pdf.arrayBuffer()));
    expect(JSON.stringify(pages)).toContain('$333.34 USD');
    expect(JSON.stringify(pages)).toContain('$5,707.94');
    const { text } = composePaymentAdviceLetter(
      await readPaymentAdvice(fresh.db, { paymentIds: [last] }),
      '',
    );
    expect(text).toContain('U-1: $5,707.94 ($333.34 USD)');
  });
});
