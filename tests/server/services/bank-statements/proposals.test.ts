import { describe, expect, it } from 'vitest';
import { proposeSettlements } from '../../../../server/services/bank-statements/proposals.ts';
import { readMovements, searchMovements } from '../../../../server/services/bank-statements/reading.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { listReplenishments } from '../../../../server/services/petty-cash/requests.ts';
import { addDays } from '../../../../shared/dates.ts';
import { addAccount } from '../../../support/accounts.ts';
import { addBankMovements } from '../../../support/bank-movements.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachDatabase, useFreshDatabase } from '../../../support/databases.ts';
import { timeLimitFactor } from '../../../support/patience.ts';
import { addFund } from '../../../support/petty-cash.ts';
import { IS_LONG_LANE } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addPayment,
  addSupplier,
  TODAY,
} from '../../../support/rows.ts';

describeEachDatabase('the proposals for a movement of the bank', (fresh) => {
  const propose = async (ids: readonly number[]) => {
    const found = await proposeSettlements(fresh.db, await readMovements(fresh.db, ids));
    return ids.map((id) => found.get(id)!.map(({ draft }) => draft));
  };

  it('have the movement’s amount, and best fit its text; two equal candidates are not proposed', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const origenderecursoId = await addFundingSource(db);
    const [steel, cement] = [
      await addSupplier(db, { suppliername: 'Aceros del Norte, S.A. de C.V.', rfc: 'ANO010203AB1' }),
      await addSupplier(db, { suppliername: 'Cementos Río' }),
    ];
    const invoice = (supplierId: number, numfactura: string, subtotalCents: number) =>
      addInvoice(db, { supplierId, numfactura, subtotalCents, tasa: 0 });
    const pay = async (supplierId: number, amountCents: number, checknum: string) =>
      addPayment(db, {
        facturaproveedorId: await addInvoice(db, { supplierId, subtotalCents: amountCents, tasa: 0 }),
        ...{ amountCents, checknum, origenderecursoId, userId },
      });
    const [one, two, three, four] = [
      await invoice(steel, 'A-1045', 11_100),
      await invoice(cement, 'B-77', 11_100),
      await invoice(cement, 'B-8', 20_300),
      await invoice(cement, 'B-9', 31_500),
    ];
    const cheque = await pay(cement, 44_400, '00721');
    const twins = [await pay(steel, 55_500, ''), await pay(cement, 55_500, '')];
    const { ids } = await addBankMovements(
      db,
      [
        { amountCents: -11_100 },
        { amountCents: -11_100, descripcion: 'SPEI ACEROS DEL NORTE SA' },
        { amountCents: -11_100, descripcion: 'PAGO RFC ANO010203AB1 GRACIAS' },
        { amountCents: -11_100, descripcion: 'FACT B-77 1' },
        { amountCents: -51_800, descripcion: 'cementos rio' },
        { amountCents: -31_400 },
        { amountCents: -44_400, descripcion: 'CHEQUE 721' },
        { amountCents: -55_500 },
        { amountCents: -55_500, descripcion: 'SPEI A CEMENTOS RIO' },
        { amountCents: -11_100, descripcion: 'COMISION POR SPEI' },
        { amountCents: -99, descripcion: 'IVA COMISION' },
        { amountCents: 20_300, descripcion: 'DEPOSITO EN EFECTIVO' },
      ],
      { origenderecursoId },
    );
    const whole = (invoiceId: number, amountCents: number) => ({ invoices: [{ invoiceId, amountCents }] });
    expect(await propose(ids)).toEqual([
      [],
      [whole(one!, 11_100)],
      [whole(one!, 11_100)],
      [whole(two!, 11_100), whole(one!, 11_100)],
      [
        {
          invoices: [
            { invoiceId: three, amountCents: 20_300 },
            { invoiceId: four, amountCents: 31_500 },
          ],
        },
      ],
      [
        {
          invoices: [
            { invoiceId: two, amountCents: 11_100 },
            { invoiceId: three, amountCents: 20_300 },
          ],
        },
      ],
      [{ paymentIds: [cheque] }],
      [],
      [{ paymentIds: [twins[1]] }],
      [{ clase: 'comision' }],
      [],
      [{ clase: 'deposito' }],
    ]);
  });

  it('begin with transfers of sent batches, and name other candidates and batches with the invoice', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    const add = (numfactura: string, subtotalCents: number) =>
      addInvoice(db, { supplierId, numfactura, subtotalCents, tasa: 0 });
    const [sent, also, planned, elsewhere] = [
      await add('A-1', 11_100),
      await add('A-2', 22_200),
      await add('A-3', 33_300),
      await add('A-4', 44_400),
    ];
    const origenderecursoId = await addFundingSource(db);
    const batch = await addBatch(db, { estado: 'enviada', invoiceIds: [sent!, also!], origenderecursoId });
    const authorized = await addBatch(db, {
      estado: 'autorizada',
      invoiceIds: [planned!],
      origenderecursoId,
    });
    await addBatch(db, { estado: 'enviada', invoiceIds: [elsewhere!] });
    const { ids } = await addBankMovements(
      db,
      [
        { amountCents: -33_300, referencia: '7781234', descripcion: 'TRASPASO A ACEROS TEPEYAC' },
        { amountCents: -11_100, referencia: '7781235' },
        { amountCents: -22_200, fecha: addDays(TODAY, -1) },
        { amountCents: -44_400 },
        { amountCents: -33_301, descripcion: 'COMISION' },
        { amountCents: -22_200, descripcion: 'COMISION' },
      ],
      { origenderecursoId },
    );
    const found = await proposeSettlements(db, await readMovements(db, ids));
    const [both, one, early, other, fee, likeFee] = ids.map((id) => found.get(id)!);
    expect(both).toMatchObject([
      {
        draft: { invoices: [{ invoiceId: sent }, { invoiceId: also }] },
        razon: `Mismo importe, y dice el nombre; la referencia del banco es otra: facturas A-1, A-2 de Aceros Tepeyac, de la programación ${batch.id}`,
        step: `Pagar de la programación ${batch.id} las facturas A-1, A-2 de Aceros Tepeyac`,
      },
      {
        draft: { invoices: [{ invoiceId: planned }] },
        warning: `La factura A-3 está en la programación ${authorized.id}, autorizada.`,
      },
      { draft: { clase: 'traspaso' }, warning: 'También hay pagos o facturas de este importe.' },
    ]);
    expect(one).toMatchObject([{ draft: { invoices: [{ invoiceId: sent, amountCents: 11_100 }] } }]);
    expect([early, other]).toEqual([[], []]);
    expect(fee).toMatchObject([{ draft: { clase: 'comision' } }]);
    expect([both![0]!.warning, fee![0]!.warning]).toEqual([undefined, undefined]);
    expect(likeFee!.map(({ tipo, warning }) => [tipo, warning === undefined])).toEqual([
      ['nombrado', false],
      ['capturado', true],
    ]);
  });

  it('know accounts of suppliers and of the firm, several payments of one day, and petty cash', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const origenderecursoId = await addFundingSource(db);
    const other = db.updateTable('funding_sources').set({ clabe: '014180655099900015' });
    await other.where('id', '=', await addFundingSource(db)).execute();
    const { supplierId, clabe } = await addAccount(db, { author: await addActor(db, { roles: [6] }) });
    await addInvoice(db, { subtotalCents: 7000, tasa: 0 });
    const own = await addInvoice(db, { supplierId, subtotalCents: 7000, tasa: 0 });
    const payments = [];
    for (const amountCents of [300, 500])
      payments.push(
        await addPayment(db, {
          facturaproveedorId: await addInvoice(db, { supplierId, subtotalCents: amountCents, tasa: 0 }),
          ...{ amountCents, origenderecursoId, userId },
        }),
      );
    const fund = await addFund(db, { origenderecursoId, aperturaCents: 90_000 });
    const [request] = await listReplenishments(db, fund.id);
    const { movement: returned } = await createMovement(db, await addActor(db), fund.id, {
      ...{ tipo: 'devolucion', fecha: TODAY, concepto: 'Sobrante', importeCents: 4400, origenderecursoId },
      comprobante: 'ninguno',
    });
    const { ids } = await addBankMovements(
      db,
      [
        { amountCents: -7000, descripcion: `SPEI ${clabe}` },
        { amountCents: -800 },
        { amountCents: -90_000 },
        { amountCents: 4400 },
        { amountCents: -12_345, descripcion: 'SPEI 014180655099900015' },
      ],
      { origenderecursoId },
    );
    expect(await propose(ids)).toEqual([
      [{ invoices: [{ invoiceId: own, amountCents: 7000 }] }],
      [{ paymentIds: payments }],
      [{ reposicionId: request!.id }],
      [{ movimientocajaId: returned.id }],
      [{ clase: 'traspaso' }],
    ]);
  });
});

const WORDS = ['Norte', 'Sur', 'Oriente', 'Poniente', 'Centro', 'Bajío', 'Golfo', 'Sierra'];

const amountOf = (n: number) => 100_000 + ((n * 7919) % 900_000);

describe.runIf(IS_LONG_LANE)('a large office', () => {
  const fresh = useFreshDatabase('sqlite');

  it('2,000 movements are compared with 5,000 open invoices in two seconds, and others are answered meanwhile', async () => {
    const { db } = fresh;
    const origenderecursoId = await addFundingSource(db);
    const suppliers: number[] = [];
    for (let n = 0; n < 80; n++)
      suppliers.push(await addSupplier(db, { suppliername: `Proveedor ${WORDS[n % 8]} ${n}` }));
    await db.transaction().execute(async (trx) => {
      for (let n = 0; n < 5000; n++)
        await addInvoice(trx, {
          supplierId: suppliers[n % 80]!,
          subtotalCents: amountOf(n),
          tasa: 0,
        });
    });
    await addBankMovements(
      db,
      Array.from({ length: 2000 }, (_, n) => ({
        amountCents:
          n % 2 === 0 ? -amountOf((n % 80) + 80 * (n % 60)) : -(150_000 + ((n * 104_729) % 1_700_000)),
        referencia: String(100_000 + n),
        descripcion:
          n % 2 === 0 ? `SPEI ENVIADO PROVEEDOR ${WORDS[(n % 80) % 8]} ${n % 80}` : `SPEI ENVIADO ${n}`,
      })),
      { origenderecursoId },
    );
    const { rows } = await searchMovements(db, { origenderecursoId, limit: 3000 });
    let [last, longest] = [performance.now(), 0];
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const began = performance.now();
    const found = await proposeSettlements(db, rows);
    const took = performance.now() - began;
    clearInterval(timer);
    expect(found.size).toBe(2000);
    expect([...found.values()].filter(({ length }) => length > 0).length).toBeGreaterThan(50);
    console.info(`2,000 × 5,000: ${Math.round(took)} ms, longest wait ${Math.round(longest)} ms`);
    expect(took).toBeLessThan(2000 * timeLimitFactor());
    expect(longest).toBeLessThan(250 * timeLimitFactor());
  });
});
