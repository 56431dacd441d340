import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readSupplierCredit } from '../../../../server/services/credit-notes/reading.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import type { PlainDate } from '../../../../shared/dates.ts';
import { toDecimal } from '../../../../shared/money.ts';
import { buildCfdi, buildReceipt, bytesOf, related, traslado, traslados } from '../../../support/cfdi.ts';
import { problemsOf } from '../../../support/problems.ts';
import { describeEachInLong, howMany } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addJob, addSupplier } from '../../../support/rows.ts';

/**
 * The SAT's own worked case of a public works contract (Guía de llenado del CFDI 4.0, apéndice 9): an advance, the
 * contract that it is taken from, a discount, an addition of 25 %, and the payments of both. Nobody here made it up.
 */
const CASE: readonly Document[] = [
  { n: 1, kind: 'I', on: '2022-08-10', total: 348_000, metodo: 'PUE' },
  { n: 2, kind: 'I', on: '2022-09-01', total: 1_160_000, relation: ['07', 1] },
  { n: 3, kind: 'E', on: '2022-09-01', total: 348_000, relation: ['07', 2] },
  { n: 4, kind: 'P', on: '2022-10-01', pays: [[2, 100_000]] },
  { n: 5, kind: 'E', on: '2022-10-03', total: 116_000, relation: ['01', 2] },
  { n: 6, kind: 'P', on: '2022-11-01', pays: [[2, 78_000]] },
  { n: 7, kind: 'I', on: '2022-11-08', total: 290_000, relation: ['02', 2] },
  { n: 8, kind: 'P', on: '2022-11-15', pays: [[2, 200_000]] },
  { n: 9, kind: 'P', on: '2022-11-22', pays: [[2, 200_000]] },
  {
    n: 10,
    kind: 'P',
    on: '2022-11-29',
    pays: [
      [2, 118_000],
      [7, 82_000],
    ],
  },
  { n: 11, kind: 'P', on: '2022-12-06', pays: [[7, 208_000]] },
];

/** What is owed at the end of these days; on the first the advance has been paid. */
const BALANCES: [PlainDate, number][] = [
  ['2022-08-10', 0],
  ['2022-09-01', 812_000],
  ['2022-10-01', 712_000],
  ['2022-10-03', 596_000],
  ['2022-11-01', 518_000],
  ['2022-11-08', 808_000],
  ['2022-11-15', 608_000],
  ['2022-11-22', 408_000],
  ['2022-11-29', 208_000],
  ['2022-12-06', 0],
];

/** The same in dollars, with cents that no rate turns into whole ones; each document at the rate of its day. */
const RATES = '20.1 20.123456 19.512345 18.90 20.4 21.07 19.87 16.5 22 20.5 18'.split(' ');
const CENTS: Record<string, number> = { 2: 7, 3: 3, 4: 1, 5: 1, 6: 1, 7: 5, '10:2': 1, '10:7': 3, 11: 2 };
const IN_DOLLARS = CASE.map((document) => ({
  ...document,
  rate: RATES[document.n - 1],
  total: document.total && document.total + (CENTS[document.n] ?? 0) / 100,
  pays: document.pays?.map(([of, amount]): [number, number] => [
    of,
    amount + (CENTS[`${document.n}:${of}`] ?? CENTS[document.n] ?? 0) / 100,
  ]),
}));

interface Document {
  n: number;
  kind: 'I' | 'E' | 'P';
  on: PlainDate;
  total?: number;
  metodo?: string;
  relation?: [tipo: string, of: number];
  /** which document, and how much of it */
  pays?: [of: number, amount: number][];
  /** pesos for a dollar; none: in pesos */
  rate?: string;
}

describeEachInLong("the SAT's case of a public works contract", (fresh) => {
  it('is balanced after each document, and on every day', async () => {
    const { run, payAdvance, owed } = await prepare(fresh.db, 0);
    const seen: number[] = [];
    for (const document of CASE) {
      await run([document]);
      if (document.n === 1) await payAdvance();
      seen.push(await owed());
    }
    expect(seen).toEqual([
      0, 1_160_000, 812_000, 712_000, 596_000, 518_000, 808_000, 608_000, 408_000, 208_000, 0,
    ]);
    for (const [day, balance] of BALANCES) expect([day, await owed(day)]).toEqual([day, balance]);
  });

  it.each([
    ['in pesos', CASE],
    ['in dollars, at as many rates as documents', IN_DOLLARS],
  ])('is closed at 0 in any order of arrival, %s', { timeout: 600_000 }, async (_, documents) => {
    let base = 0;
    const order = fc.shuffledSubarray([...documents], { minLength: documents.length });
    const property = fc.asyncProperty(order, fc.boolean(), async (shuffled, atOnce) => {
      base += 1;
      const { run, payAdvance, invoices, supplierId } = await prepare(fresh.db, base);
      if (atOnce) await run(shuffled);
      else for (const document of shuffled) await run([document]);
      await payAdvance();
      const left = (await invoices()).map(({ totalCents, paidCents }) => totalCents - paidCents);
      expect(left).toEqual([0, 0, 0]);
      expect((await readSupplierCredit(fresh.db, supplierId)).remainingCents).toBe(0);
    });
    await fc.assert(property, { numRuns: howMany(4, 10, 60) });
    expect(await problemsOf(fresh.db)).toEqual([]);
  });
});

/** A supplier and documents of its own for each time that the case is played. */
async function prepare(db: Db, base: number) {
  const rfc = `PMA1001${String(base % 28).padStart(2, '0')}A${String(base).padStart(2, '0')}`.slice(0, 12);
  const actor = await addActor(db, { origin: 'cli' });
  const supplierId = await addSupplier(db, { rfc });
  const options = { jobId: await addJob(db), fundingSourceId: await addFundingSource(db) };
  const uuid = (n: number) => `AAAAAAAA-1111-4222-8333-${String(base * 100 + n).padStart(12, '0')}`;
  const invoices = () =>
    db.selectFrom('invoices').selectAll().where('supplierId', '=', supplierId).orderBy('uuid').execute();
  return {
    supplierId,
    invoices,
    async run(documents: readonly Document[]) {
      const files = documents.map((one) => ({
        name: `${one.n}.xml`,
        bytes: bytesOf(xmlOf(one, uuid, { Rfc: rfc, Nombre: 'Constructora' })),
      }));
      const result = await importCfdi(db, actor, files, options);
      expect(result.files.filter(({ outcome }) => outcome === 'refused')).toEqual([]);
    },
    async payAdvance() {
      const { id, totalCents, fechaemision } = (await invoices()).find((one) => one.uuid === uuid(1))!;
      const payment = { facturaproveedorId: id, amountCents: totalCents, paymentdate: fechaemision };
      await createPayment(db, actor, payment);
    },
    async owed(corte: PlainDate = '2022-12-31') {
      const day = { today: '2022-12-31', timeZone: 'America/Mexico_City' };
      const { totalCents, paidCents } = await sumInvoices(db, { supplierId, corte }, day);
      return toDecimal(totalCents - paidCents);
    },
  };
}

function xmlOf(document: Document, uuid: (n: number) => string, emisor: Record<string, string>): string {
  const { n, kind, on, total = 0, metodo = 'PPD', relation, rate, pays = [] } = document;
  const currency = rate ? { Moneda: 'USD', TipoCambio: rate } : { Moneda: 'MXN' };
  if (kind === 'P') {
    const moneda = currency.Moneda;
    const doctos = pays.map(([of, amount]) => ({ of: uuid(of), amount: amount.toFixed(2), moneda }));
    const monto = pays.reduce((sum, [, amount]) => sum + amount, 0).toFixed(2);
    return buildReceipt({ uuid: uuid(n), emisor, fecha: on, moneda, tipoCambio: rate ?? '1', monto, doctos });
  }
  const subtotal = (total / 1.16).toFixed(2);
  const iva = (total - Number(subtotal)).toFixed(2);
  return buildCfdi({
    uuid: uuid(n),
    emisor,
    relacionados: relation ? related(relation[0], uuid(relation[1])) : '',
    impuestos: traslados(traslado('002', '0.160000', iva)),
    root: {
      ...currency,
      Folio: String(n),
      Fecha: `${on}T10:00:00`,
      SubTotal: subtotal,
      Total: total.toFixed(2),
      TipoDeComprobante: kind,
      MetodoPago: kind === 'E' ? 'PUE' : metodo,
    },
  });
}
