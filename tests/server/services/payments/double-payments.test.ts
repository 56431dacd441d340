import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { dismissDoublePayment } from '../../../../server/services/payments/double-payments.ts';
import { deletePayment, restorePayment } from '../../../../server/services/payments/payments.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readCsv } from '../../../support/csv.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { readPage } from '../../../support/page.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { addActor, addFundingSource, addInvoice, addPayment, addSupplier } from '../../../support/rows.ts';

const DOUBLES = '/api/payments/dobles/';

interface Paid {
  /** the invoice's total in cents; 11600 by default */
  total?: number;
  number?: string;
  issued?: string;
  /** the payment's amount; the whole invoice by default */
  amount?: number;
  bank?: number;
  on?: string;
  cheque?: string;
  source?: number;
  supplier?: number;
  /** index of an earlier payment; this one pays the same invoice */
  sameInvoiceAs?: number;
}

/** A monthly rent; the last two months are paid on one day. */
const rent = (...issued: string[]): Paid[] =>
  issued.map((day, index) => ({
    ...{ number: `R-${index}00`, issued: day },
    on: index === issued.length - 1 ? issued.at(-2)! : day,
  }));

const CASES: [string, Paid[], string[]][] = [
  ['two invoices with one total', [{ number: 'A-1' }, { number: 'B-77' }], ['importe 0-1']],
  [
    'numbers that differ in one character',
    [
      { number: 'A-100', total: 50_000, amount: 20_000 },
      { number: 'A0100', total: 60_000, amount: 20_000 },
    ],
    ['importe 0-1'],
  ],
  [
    'numbers that differ in two characters and other totals',
    [
      { number: 'A-100', total: 50_000, amount: 20_000 },
      { number: 'A-211', total: 60_000, amount: 20_000 },
    ],
    [],
  ],
  [
    'invoices without a number and other totals',
    [
      { number: '', total: 50_000, amount: 20_000 },
      { number: '', total: 60_000, amount: 20_000 },
    ],
    [],
  ],
  ['fifteen days between them', [{ on: '2026-11-01' }, { on: '2026-11-16' }], ['importe 0-1']],
  ['sixteen days between them', [{ on: '2026-11-01' }, { on: '2026-11-17' }], []],
  ['the later one captured first', [{ on: '2026-11-10' }, { on: '2026-11-03' }], ['importe 1-0']],
  ['other suppliers', [{ supplier: 1 }, { supplier: 2 }], []],
  ['other amounts', [{ amount: 11_600 }, { amount: 11_599 }], []],
  [
    'amounts that were equal at the bank alone',
    [{ amount: 11_000, bank: 11_500 }, { amount: 11_500 }],
    ['importe 0-1'],
  ],
  ['amounts that were equal but not at the bank', [{ bank: 11_500 }, {}], []],
  [
    'two parts of one invoice',
    [
      { total: 20_000, amount: 5_000 },
      { sameInvoiceAs: 0, amount: 5_000 },
    ],
    [],
  ],
  ['three of one amount', [{}, {}, {}], ['importe 0-1', 'importe 0-2', 'importe 1-2']],
  ['a rent of three months', rent('2026-08-31', '2026-09-30', '2026-10-30'), []],
  ['two months alone', rent('2026-09-30', '2026-10-30'), ['importe 0-1']],
  [
    'two invoices of one month of a rent',
    rent('2026-08-15', '2026-09-14', '2026-10-14', '2026-10-16'),
    ['importe 2-3'],
  ],
  [
    'one cheque for two suppliers',
    [
      { supplier: 1, cheque: 'CH 1021', source: 1, amount: 100 },
      { supplier: 2, cheque: 'ch 1021', source: 1, amount: 200, on: '2026-12-20' },
    ],
    ['cheque 0-1'],
  ],
  [
    'one cheque for one supplier and twice for another',
    [
      { supplier: 1, cheque: '1021', source: 1, amount: 100 },
      { supplier: 2, cheque: '1021', source: 1, amount: 200 },
      { supplier: 2, cheque: '1021', source: 1, amount: 300, on: '2026-11-25' },
    ],
    ['cheque 0-1', 'cheque 0-2'],
  ],
  [
    'one cheque twice for one supplier and then for another, a month after the first',
    [
      { supplier: 1, cheque: '1021', source: 1, amount: 100, on: '2026-11-01' },
      { supplier: 1, cheque: '1021', source: 1, amount: 200, on: '2026-11-30' },
      { supplier: 2, cheque: '1021', source: 1, amount: 300, on: '2026-12-02' },
      { supplier: 1, cheque: '1021', source: 1, amount: 400, on: '2026-12-03' },
    ],
    ['cheque 1-2', 'cheque 2-3'],
  ],
  [
    'one cheque after a month',
    [
      { supplier: 1, cheque: '1021', source: 1 },
      { supplier: 2, cheque: '1021', source: 1, on: '2026-12-21' },
    ],
    [],
  ],
  [
    'one cheque number of two origins',
    [
      { supplier: 1, cheque: '1021', source: 1 },
      { supplier: 2, cheque: '1021', source: 2 },
    ],
    [],
  ],
  [
    'one cheque for two invoices of one supplier',
    [
      { cheque: '1021', source: 1, amount: 100 },
      { cheque: '1021', source: 1, amount: 200 },
    ],
    [],
  ],
  [
    'a word instead of a cheque number',
    [
      { supplier: 1, cheque: 'Transferencia', source: 1 },
      { supplier: 2, cheque: 'Transferencia', source: 1 },
    ],
    [],
  ],
];

describeEachDatabase('possible double payments', (fresh) => {
  it.each(CASES)('%s', async (_what, payments, expected) => {
    const ids = await addAll(fresh.db, payments);
    const found = await read();
    const names = found.map(({ pagos, razon }) => `${razon} ${pagos.map((id) => ids.indexOf(id)).join('-')}`);
    expect(names.sort()).toEqual(expected);
    expect(found.every(({ id, pagos }) => id === pagos.join('-'))).toBe(true);
  });

  it('are none where one batch paid two suppliers with one reference', async () => {
    const invoiceIds = [await addInvoice(fresh.db), await addInvoice(fresh.db, { subtotalCents: 500 })];
    const batch = await addBatch(fresh.db, { invoiceIds, estado: 'autorizada' });
    await payBatch(fresh.db, await addActor(fresh.db, { roles: [1] }), batch.id, { referencia: 'Folio 77' });
    expect(await read()).toEqual([]);
  });

  it('are no more numerous than the payments if very many share a number', async () => {
    const cheque = { cheque: 'SPEI 1', source: 1 };
    const many = Array.from({ length: 60 }, (_, n) => ({ ...cheque, supplier: n % 3, amount: n + 1 }));
    const ids = await addAll(fresh.db, many);
    const found = await read();
    expect(found.map(({ pagos }) => pagos)).toEqual(
      ids
        .slice(1)
        .map((id, index) => [ids[index], id])
        .toReversed(),
    );
  });

  it('are settled once, with a reason that the audit trail has, also after one was deleted and restored', async () => {
    const [first, second] = await addAll(fresh.db, [{}, {}]);
    const client = await createTestApp({ db: fresh.db }).as(4);
    const settle = (motivo: string, pair = `${first}-${second}`) =>
      client.post(`${DOUBLES}${pair}`, { motivo });
    const refused = await settle(' ');
    expect([refused.status, (await refused.json()).fields]).toEqual([
      422,
      { motivo: 'Escribe por qué son dos pagos distintos.' },
    ]);
    expect((await settle('x', `${second}-${first! + 50}`)).status).toBe(404);
    const settled = await settle('Son dos entregas');
    expect(settled.status).toBe(200);
    expect(await settled.json()).toEqual({
      id: `${first}-${second}`,
      pagos: [first, second],
      importes: [116, 116],
      razon: 'importe',
    });
    expect(await read()).toEqual([]);
    const again = await settle('Otra vez');
    expect([again.status, (await again.json()).code]).toEqual([409, 'double_settled']);
    const admin = await addActor(fresh.db, { roles: [1, 3] });
    await deletePayment(fresh.db, admin, second!);
    expect((await settle('x')).status).toBe(404);
    await restorePayment(fresh.db, admin, second!, {});
    expect(await read()).toEqual([]);
    const trail = await (await createTestApp({ db: fresh.db }).as(3)).get('/bitacora?entity=double-payments');
    expect(await trail.text()).toContain(
      `capturó que no son uno doble los pagos ${first} y ${second}. Motivo: Son dos entregas`,
    );
    const problems = await findDatabaseProblems(fresh.db, { deep: true });
    expect(problems.filter(({ entity }) => entity === 'double-payments')).toEqual([]);
  });

  it('are settled by their own name alone, and stay so where a payment is moved past the other', async () => {
    const [first, second, third] = await addAll(fresh.db, [
      { on: '2026-11-10' },
      { on: '2026-11-11' },
      { on: '2026-11-12' },
    ]);
    const client = await createTestApp({ db: fresh.db }).as(4);
    for (const pair of [`${first}-${second}-${third}`, `99999999999999999999-${first}`, `${first}`, '-'])
      expect((await client.post(`${DOUBLES}${pair}`, { motivo: 'x' })).status, pair).toBe(404);
    await client.post(`${DOUBLES}${first}-${second}`, { motivo: 'Dos entregas' });
    const moved = { paymentdate: '2026-11-13' };
    await fresh.db.updateTable('payments').set(moved).where('id', '=', first!).execute();
    expect((await read()).map(({ id }) => id)).toEqual([`${third}-${first}`, `${second}-${third}`]);
  });

  it('are dismissed by only one of two concurrent users', async () => {
    const [first, second] = await addAll(fresh.db, [{}, {}]);
    const by = await addActor(fresh.db);
    const settled = await Promise.allSettled(
      ['Uno', 'Otro'].map((motivo) =>
        dismissDoublePayment(fresh.db, { ...by, motivo }, `${first}-${second}`),
      ),
    );
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect(refused).toEqual(['double_settled']);
  });

  it('are notified until somebody settles them on their page, which lists them with the reason', async () => {
    await addAll(fresh.db, [{ number: 'A-1' }, { number: 'A-01' }]);
    const browser = await createTestApp({ db: fresh.db }).as(2);
    const bell = async () => (await readPage(browser.get('/notificaciones'))).decodedHtml;
    expect(await bell()).toContain('1 posible pago doble');
    const linked = async (filter = '') =>
      (await readPage(browser.get(`/pagos-proveedores${filter}`))).links('1 posible pago doble');
    expect(await linked()).toEqual(['/pagos-dobles']);
    expect(await linked('?rep=sin')).toEqual([]);
    // Evening in Mexico, already the next day in UTC.
    await sql`update payments set "createdAt" = '2026-11-22T03:00:00.000Z'`.execute(fresh.db);
    const list = await readPage(browser.get('/pagos-dobles'));
    const [address] = list.links('No es doble');
    expect(list.links(/^Es doble: eliminar el pago \d+$/)).toHaveLength(2);
    expect(list.rows[1]![4]).toMatch(/^Obra \d+/);
    const pair = await readPage(browser.get(address!));
    expect(pair.decodedHtml).toContain('A-01');
    expect(pair.decodedHtml).toContain('Igual en los dos: proveedor, ');
    expect(pair.links(/^Pago \d+ a Aceros/)).toHaveLength(2);
    expect(pair.decodedHtml).toContain('dateTime="2026-11-21"');
    const wrong = await readPage(browser.form(address!, { motivo: '' }));
    expect(wrong.decodedHtml).toContain('Escribe por qué son dos pagos distintos.');
    await browser.form(address!, { motivo: 'Dos viajes' });
    expect(await bell()).not.toContain('posible pago doble');
    expect(await linked()).toEqual([]);
    expect((await readPage(browser.get('/pagos-dobles'))).decodedHtml).toContain('No parece que algo');
    expect((await readPage(browser.get('/pagos-dobles?estado=revisados'))).decodedHtml).toContain(
      'Dos viajes',
    );
    const csv = await browser.get('/pagos-dobles/export.csv?estado=revisados');
    expect(await csv.text()).toContain('Dos viajes');
  });

  it('show both amounts where these differ', async () => {
    const cheque = { cheque: '1021', source: 1 };
    await addAll(fresh.db, [
      { ...cheque, supplier: 1, amount: 5_000, bank: 5_050 },
      { ...cheque, supplier: 2, amount: 10_000 },
    ]);
    const client = await createTestApp({ db: fresh.db }).as(2);
    expect(await read()).toMatchObject([{ importes: [50.5, 100] }]);
    const page = await readPage(client.get('/pagos-dobles'));
    expect(page.rows.map((cells) => [cells[0], cells[5]])).toEqual([
      ['Mismo cheque 1021, otro proveedorel mismo día', ''],
      [expect.any(String), '$50.50'],
      [expect.any(String), '$100.00'],
    ]);
    expect(page.decodedHtml).toContain('1 posible pago doble');
    expect(page.decodedHtml.match(/<a href="\/editpaymentpage\/\d+"/g)).toHaveLength(2);
    const csv = await readCsv(client.get('/pagos-dobles/export.csv'));
    expect(csv.rows).toMatchObject([{ 'Importe 1': '50.50', 'Importe 2': '100.00' }]);
  });

  it('sum the later payments of open pairs, each once', async () => {
    await addAll(fresh.db, [{}, {}, {}]);
    const client = await createTestApp({ db: fresh.db }).as(2);
    const page = await readPage(client.get('/pagos-dobles'));
    expect(page.decodedHtml).toMatch(/En duda: <[^>]*>\$232\.00</);
    expect(page.links('‹ Pagos')).toEqual(['/pagos-proveedores']);
    expect(page.links('No es doble')).toHaveLength(3);
    expect((await readPage(client.get('/pagos-dobles?estado=revisados'))).decodedHtml).not.toContain(
      'En duda',
    );
  });

  const read = async (): Promise<{ id: string; pagos: number[]; razon: string }[]> =>
    (await (await createTestApp({ db: fresh.db }).as(2)).get(DOUBLES)).json();
});

/** @returns the payments' ids, in the order of the cases */
async function addAll(db: Db, payments: readonly Paid[]): Promise<number[]> {
  const { userId } = await addActor(db);
  const suppliers = [
    await addSupplier(db, { suppliername: 'Aceros' }),
    await addSupplier(db),
    await addSupplier(db),
  ];
  const sources = [null, await addFundingSource(db), await addFundingSource(db)];
  const invoices: number[] = [];
  const ids: number[] = [];
  for (const [
    index,
    { total = 11_600, number = `F${index}`, issued, supplier = 0, ...paid },
  ] of payments.entries()) {
    const amounts = { subtotalCents: total, tasa: 0, ivaCents: 0, totalCents: total };
    const { amount = total, bank = null, on = '2026-11-20', cheque = '', source = 0, sameInvoiceAs } = paid;
    const invoiceId =
      sameInvoiceAs === undefined
        ? await addInvoice(db, {
            ...{ supplierId: suppliers[supplier]!, numfactura: number, fechaemision: issued ?? null },
            ...amounts,
          })
        : invoices[sameInvoiceAs]!;
    invoices.push(invoiceId);
    ids.push(
      await addPayment(db, {
        ...{ facturaproveedorId: invoiceId, amountCents: amount, importebancoCents: bank, userId },
        ...{ paymentdate: on, checknum: cheque, origenderecursoId: sources[source]! },
      }),
    );
  }
  return ids;
}
