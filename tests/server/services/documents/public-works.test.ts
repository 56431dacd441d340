import { describe, expect, it } from 'vitest';
import { readBalances } from '../../../../server/services/balances/balances.ts';
import { computeCostAfterCredits, readCosts } from '../../../../server/services/costs.ts';
import { readDiot } from '../../../../server/services/fiscal/diot.ts';
import { readReceiptsDue } from '../../../../server/services/fiscal/receipts-due.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { HOME_ZONE } from '../../../../shared/dates.ts';
import { monthPeriodOf } from '../../../../shared/periods.ts';
import { keysOf } from '../../../../shared/record-fields.ts';
import {
  buildConcepto,
  buildConceptos,
  buildImpuestos,
  buildRelations,
  uuidOfNumber,
} from '../../../support/cfdi.ts';
import {
  buildCreditNoteFile,
  buildInvoiceFile,
  buildReceiptFile,
  createCfdiImporter,
} from '../../../support/cfdi-office.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { TODAY } from '../../../support/rows.ts';

/** Amounts of a document with 16 % of IVA. @param subtotal in pesos */
const amounts = (subtotal: number, root: Record<string, string>) => ({
  conceptos: buildConceptos(buildConcepto(`${subtotal}.00`)),
  impuestos: buildImpuestos(
    `<{p}Traslado Base="${subtotal}.00" Impuesto="002" TipoFactor="Tasa" TasaOCuota="0.160000" Importe="${(subtotal * 0.16).toFixed(2)}"/>`,
  ),
  root: { SubTotal: `${subtotal}.00`, Total: (subtotal * 1.16).toFixed(2), ...root },
});

const [CONTRACT, EXTRA] = [2, 7];

const invoice = (n: number, fecha: string, subtotal: number, metodo: string, relacionados = '') =>
  buildInvoiceFile(n, {
    relacionados,
    ...amounts(subtotal, { Fecha: `${fecha}T09:00:00`, MetodoPago: metodo }),
  });
const note = (n: number, fecha: string, subtotal: number, relation: string) =>
  buildCreditNoteFile(n, [CONTRACT], {
    relacionados: buildRelations(relation, uuidOfNumber(CONTRACT)),
    ...amounts(subtotal, { Fecha: `${fecha}T09:00:00` }),
  });
const receipt = (n: number, fecha: string, of: number, amount: number, before: number) =>
  buildReceiptFile(n, {
    fecha,
    doctos: [
      { of: uuidOfNumber(of), amount: `${amount}.00`, saldos: [`${before}.00`, `${before - amount}.00`] },
    ],
  });

/** The SAT's example of a public works contract: what is owed in pesos after each step, 0 at the end. */
const STEPS = [
  { day: '2022-08-10', file: invoice(1, '2022-08-10', 300_000, 'PUE'), owed: 348_000 },
  { day: '2022-08-10', paysAdvance: true, owed: 0 },
  {
    day: '2022-09-01',
    file: invoice(CONTRACT, '2022-09-01', 1_000_000, 'PPD', buildRelations('07', uuidOfNumber(1))),
    owed: 1_160_000,
  },
  { day: '2022-09-02', file: note(3, '2022-09-02', 300_000, '07'), owed: 812_000 },
  { day: '2022-10-01', file: receipt(4, '2022-10-01', CONTRACT, 100_000, 812_000), owed: 712_000 },
  { day: '2022-10-03', file: note(5, '2022-10-03', 100_000, '01'), owed: 596_000 },
  { day: '2022-11-01', file: receipt(6, '2022-11-01', CONTRACT, 78_000, 596_000), owed: 518_000 },
  {
    day: '2022-11-08',
    file: invoice(EXTRA, '2022-11-08', 250_000, 'PPD', buildRelations('02', uuidOfNumber(CONTRACT))),
    owed: 808_000,
  },
  { day: '2022-12-01', file: receipt(8, '2022-12-01', CONTRACT, 200_000, 518_000), owed: 608_000 },
  { day: '2023-01-02', file: receipt(9, '2023-01-02', CONTRACT, 200_000, 318_000), owed: 408_000 },
  { day: '2023-02-01', file: receipt(10, '2023-02-01', CONTRACT, 118_000, 118_000), owed: 290_000 },
  { day: '2023-02-01', file: receipt(11, '2023-02-01', EXTRA, 82_000, 290_000), owed: 208_000 },
  { day: '2023-03-01', file: receipt(12, '2023-03-01', EXTRA, 208_000, 208_000), owed: 0 },
];

describe('the SAT’s case of a contract of public works', () => {
  const fresh = useFreshDatabase('sqlite');

  it('leaves at each step the debt that the SAT’s guide states, and reports the advance once', async () => {
    const {
      run,
      actor,
      fundingSourceId: origenderecursoId,
      sound,
      payments,
    } = await createCfdiImporter(fresh.db);
    const day = { today: TODAY, timeZone: HOME_ZONE };
    const owedAt = async (corte: string) => (await readBalances(fresh.db, { corte }, day)).total.totalCents;
    for (const { day: paymentdate, file, paysAdvance, owed } of STEPS) {
      if (file)
        expect(await run([file], { fundingSourceId: origenderecursoId })).toMatchObject({
          files: [{ outcome: 'created' }],
        });
      if (paysAdvance)
        await createPayment(fresh.db, actor, {
          ...{ facturaproveedorId: 1, amountCents: 34_800_000, paymentdate, origenderecursoId },
        });
      expect([paymentdate, await owedAt(TODAY)]).toEqual([paymentdate, owed * 100]);
    }
    // A later report as of each day gives the same debt.
    for (const [n, { day: corte, owed }] of STEPS.entries())
      if (STEPS[n + 1]?.day !== corte) expect([corte, await owedAt(corte)]).toEqual([corte, owed * 100]);
    const paid = (await payments())
      .filter(({ creditNoteId }) => creditNoteId === null)
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(paid).toBe(133_400_000);
    const costs = await readCosts(fresh.db, {}, ['jobId']);
    expect(
      costs.map((cost) => [computeCostAfterCredits(cost), computeCostAfterCredits(cost, 'con')]),
    ).toEqual([[115_000_000, 133_400_000]]);
    const months = [...new Set(STEPS.map(({ day: one }) => one.slice(0, 7)))];
    const reported = [];
    const net = { tasa16: 0, iva16: 0 };
    for (const mes of months) {
      const diot = await readDiot(fresh.db, monthPeriodOf(`${mes}-01`), { rfc: 'IVD920810GU2' });
      for (const { pagado, devuelto } of diot.rows)
        for (const part of keysOf(net)) net[part] += pagado[part] - devuelto[part];
      reported.push([mes, diot.archivoCents / 100, diot.notasCents / 100, diot.noReportado.cuenta]);
    }
    expect(reported).toEqual([
      ['2022-08', 348_000, 0, 0],
      ['2022-09', 0, 348_000, 0],
      ['2022-10', 100_000, 116_000, 0],
      ['2022-11', 78_000, 0, 0],
      ['2022-12', 200_000, 0, 0],
      ['2023-01', 200_000, 0, 0],
      ['2023-02', 200_000, 0, 0],
      ['2023-03', 208_000, 0, 0],
    ]);
    expect(net).toEqual({ tasa16: 115_000_000, iva16: 18_400_000 });
    expect(await readReceiptsDue(fresh.db, TODAY)).toMatchObject({ cuenta: 0, rows: [] });
    await sound();
  });
});
