import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readBalances } from '../../../../server/services/balances/balances.ts';
import { type CashFlowQuery, readCashFlow } from '../../../../server/services/balances/cash-flow.ts';
import { sumOpenByDueDay } from '../../../../server/services/invoices/open-sums.ts';
import { sumPayments } from '../../../../server/services/payments/sums.ts';
import { createFund } from '../../../../server/services/petty-cash/funds.ts';
import { authorizeReplenishment } from '../../../../server/services/petty-cash/replenishing.ts';
import { listReplenishments } from '../../../../server/services/petty-cash/requests.ts';
import { addDays, type PlainDate } from '../../../../shared/dates.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addPayment as addPaymentRow,
  addSupplier,
  addUser,
  DAY,
  TODAY,
} from '../../../support/rows.ts';

const addPayment = async (db: Db, part: Omit<Parameters<typeof addPaymentRow>[1], 'userId'>) =>
  addPaymentRow(db, { ...part, userId: (await addUser(db)).id } as Parameters<typeof addPaymentRow>[1]);

const flowOf = (db: Db, query: CashFlowQuery = {}) => readCashFlow(db, query, TODAY);

const sum = (cents: readonly number[]) => cents.reduce((total, one) => total + one, 0);

async function expectToTieOut(db: Db, query: CashFlowQuery = {}) {
  const { columns, disponibleCents, alcanzaHasta, postponedCents, items } = await flowOf(db, query);
  const owed = sum((await sumOpenByDueDay(db)).map(({ sumCents }) => sumCents));
  const total = (name: 'venceCents' | 'programadoCents' | 'fechadoCents') =>
    sum(columns.map((one) => one[name]));
  expect(total('venceCents') + total('programadoCents') + postponedCents).toBe(owed);
  const later = await sumPayments(db, { paymentdateDesde: addDays(TODAY, 1), kind: 'pago' });
  expect(total('fechadoCents')).toBe(later.amountCents);
  expect(sum(items.map(({ cents }) => cents))).toBe(sum(columns.map(({ saleCents }) => saleCents)));
  let left = disponibleCents;
  for (const { saleCents, quedaCents } of columns) {
    left -= saleCents;
    expect(quedaCents).toBe(left);
  }
  const reached = columns.filter(({ quedaCents }) => quedaCents >= 0).at(-1);
  expect(alcanzaHasta).toBe(reached?.column.key ?? null);
  return columns;
}

describeEachDatabase('the cash flow', (fresh) => {
  const setBalance = (id: number, saldobancoCents: number, saldobancofecha: PlainDate) =>
    fresh.db
      .updateTable('funding_sources')
      .set({ saldobancoCents, saldobancofecha })
      .where('id', '=', id)
      .execute();
  const addStatement = async (origenderecursoId: number, saldofecha: PlainDate, saldofinalCents: number) => {
    const { userId, at } = await addActor(fresh.db);
    const row = { origenderecursoId, layout: 'x', filename: 'x.csv', sha256: 'x', userId, createdAt: at };
    const balance = { saldoinicialCents: 0, saldofinalCents, saldofecha, saldorenglon: null };
    await fresh.db
      .insertInto('bank_statements')
      .values({ ...row, ...balance })
      .execute();
  };
  const amountsOf = async (query: CashFlowQuery = {}) =>
    Object.fromEntries(
      (await expectToTieOut(fresh.db, query)).map(({ column, ...one }) => [
        column.key,
        [one.venceCents, one.programadoCents, one.fechadoCents],
      ]),
    );

  it('of an empty firm has the columns of its report, and reaches as far as they do', async () => {
    const { columns, alcanzaHasta, sources } = await flowOf(fresh.db);
    expect(columns.map(({ column }) => column.key)).toEqual(['ANTERIORES', 'SEM 47']);
    expect([alcanzaHasta, sources]).toEqual(['SEM 47', []]);
  });

  it('begins with each account’s newest balance, less later outflows, each counted once', async () => {
    const { db } = fresh;
    const [stated, typed, none] = [
      await addFundingSource(db, { origenderecursonombre: 'A' }),
      await addFundingSource(db, { origenderecursonombre: 'B' }),
      await addFundingSource(db, { origenderecursonombre: 'C' }),
    ];
    await addStatement(stated, '2026-11-15', 900);
    await addStatement(stated, '2026-11-10', 1);
    await setBalance(stated, 2, '2026-11-15');
    await addStatement(typed, '2026-11-10', 3);
    await setBalance(typed, -500, '2026-11-11');
    const pay = async (
      origenderecursoId: number,
      paymentdate: PlainDate,
      importebancoCents: number | null = null,
    ) =>
      addPayment(db, {
        facturaproveedorId: await addInvoice(db),
        origenderecursoId,
        paymentdate,
        amountCents: 100,
        importebancoCents,
      });
    await pay(stated, '2026-11-15');
    await pay(stated, '2026-11-16');
    await pay(stated, TODAY, 130);
    await pay(stated, '2026-11-21');
    await pay(none, TODAY);
    const sourcesOf = async (query?: CashFlowQuery) =>
      (await flowOf(db, query)).sources.map(
        ({ saldoCents, fecha, fuente, despuesCents, disponibleCents }) => [
          ...[saldoCents, fecha, fuente, despuesCents, disponibleCents],
        ],
      );
    expect(await sourcesOf()).toEqual([
      [900, '2026-11-15', 'estado', 230, 670],
      [-500, '2026-11-11', 'capturado', 0, -500],
      [0, null, null, 0, 0],
    ]);
    expect(
      (await sourcesOf({ saldo: [`${stated}:-1.00`, `${none}:12.00`] })).map((one) => one.at(-1)),
    ).toEqual([...[-100, -500, 1200]]);
    expect((await flowOf(db)).disponibleCents).toBe(170);
    await expectToTieOut(db);
  });

  it('counts cash put into funds and other bank movements', async () => {
    const { db } = fresh;
    const origenderecursoId = await addFundingSource(db);
    await setBalance(origenderecursoId, 1_000_000, '2026-11-10');
    const [by, chief] = [await addActor(db, { roles: [2] }), await addActor(db, { roles: [1] })];
    const { userId } = await addActor(db, { roles: [6] });
    const parts = { nombre: 'Obra', responsableId: userId, origenderecursoId, openedOn: '2026-11-12' };
    const fund = await createFund(db, by, parts, 50_000);
    const [request] = await listReplenishments(db, fund.id);
    if (request?.estado === 'solicitada') await authorizeReplenishment(db, chief, request.id);
    expect((await flowOf(db)).sources[0]).toMatchObject({ toFundsCents: 50_000, disponibleCents: 950_000 });
    // Other bank movements count once they are classified.
    await addStatement(origenderecursoId, '2026-11-10', 1_000_000);
    const { id: statementId } = await db.selectFrom('bank_statements').select('id').executeTakeFirstOrThrow();
    const add = (fecha: PlainDate, amountCents: number, clase: 'comision' | 'deposito' | null) =>
      db
        .insertInto('bank_movements')
        .values({
          ...{ statementId, origenderecursoId, fecha, amountCents, referencia: '', descripcion: 'x', clase },
          ...{ identity: `${fecha} ${amountCents}`, outcome: 'sin-partida', batchId: null, supplierId: null },
          resolution: clase && 'nombrado',
        })
        .execute();
    for (const [fecha, cents, clase] of [
      ['2026-11-10', -7, 'comision'],
      ['2026-11-11', -11, 'comision'],
      [TODAY, 3_000, 'deposito'],
      [TODAY, -13, null],
    ] as const)
      await add(fecha, cents, clase);
    expect((await flowOf(db)).sources[0]).toMatchObject({
      otherMovementsCents: -2_989,
      disponibleCents: 952_989,
    });
    // The bank paid the fund before the movement was captured.
    const { id: cashMovementId } = await db
      .selectFrom('petty_cash_movements')
      .select('id')
      .executeTakeFirstOrThrow();
    const tied = { amountCents: -50_000, clase: null, resolution: 'reposicion' as const, cashMovementId };
    const tie = (fecha: PlainDate) =>
      db
        .updateTable('bank_movements')
        .set({ ...tied, fecha })
        .where('amountCents', 'in', [-7, -50_000])
        .execute();
    await tie('2026-11-10');
    expect((await flowOf(db)).sources[0]).toMatchObject({ toFundsCents: 0, disponibleCents: 1_002_989 });
    await tie('2026-11-11');
    expect((await flowOf(db)).sources[0]).toMatchObject({ toFundsCents: 50_000, disponibleCents: 952_989 });
  });

  it.each(['a person', 'its batch'])(
    'counts what the bank has paid on its day there, once: tied by %s',
    async (by) => {
      const { db } = fresh;
      const origenderecursoId = await addFundingSource(db);
      await addStatement(origenderecursoId, '2026-11-15', 900_000);
      const { id: statementId } = await db
        .selectFrom('bank_statements')
        .select('id')
        .executeTakeFirstOrThrow();
      const tie = async (paymentdate: PlainDate, fecha: PlainDate, amountCents: number) => {
        const amounts = { subtotalCents: amountCents, totalCents: amountCents, ivaCents: 0, tasa: 0 };
        const facturaproveedorId = await addInvoice(db, amounts);
        const parts = { origenderecursoId, fecha: paymentdate, invoiceIds: [facturaproveedorId] };
        const batch = by === 'its batch' ? await addBatch(db, { estado: 'pagada', ...parts }) : undefined;
        const paymentId =
          batch?.lines[0]?.paymentId ??
          (await addPayment(db, { facturaproveedorId, origenderecursoId, paymentdate, amountCents }));
        const { id: movementId } = await db
          .insertInto('bank_movements')
          .values({
            ...{
              statementId,
              origenderecursoId,
              fecha,
              amountCents: -amountCents,
              referencia: '',
              descripcion: 'x',
            },
            ...{ identity: `${fecha} ${amountCents}`, clase: null, batchId: batch?.id ?? null },
            ...{ outcome: batch ? 'pagado' : 'sin-partida', supplierId: batch?.lines[0]?.supplierId ?? null },
            resolution: batch ? null : 'ligado',
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (batch)
          await db
            .updateTable('payment_batch_lines')
            .set({ movementId })
            .where('paymentId', '=', paymentId)
            .execute();
        else await db.insertInto('bank_movement_payments').values({ paymentId, movementId }).execute();
      };
      await tie(TODAY, '2026-11-14', 1_000);
      await tie('2026-11-14', '2026-11-17', 20);
      await tie('2026-12-01', '2026-11-14', 300);
      await tie('2026-12-01', '2026-11-18', 4);
      const { sources, columns } = await flowOf(db);
      expect(sources[0]).toMatchObject({ despuesCents: 24, disponibleCents: 899_976 });
      expect(columns.map(({ fechadoCents }) => fechadoCents).filter(Boolean)).toEqual([]);
    },
  );

  it('counts unpaid batch lines in the week of the batch, without held lines, and the rest when it is due', async () => {
    const { db } = fresh;
    const invoice = () => addInvoice(db, { fechavencimiento: '2026-12-03' });
    const [late, coming, held, twice, alone] = [
      await invoice(),
      await invoice(),
      await invoice(),
      await invoice(),
      await invoice(),
    ];
    await addBatch(db, { fecha: '2026-11-02', invoiceIds: [late] });
    await addBatch(db, { fecha: '2026-11-27', invoiceIds: [coming, held] });
    const first = await addBatch(db, { fecha: '2026-12-10', invoiceIds: [twice] });
    const halve = { amountCents: 40_000 };
    await db.updateTable('payment_batch_lines').set(halve).where('batchId', '=', first.id).execute();
    await addBatch(db, { fecha: '2026-12-17', invoiceIds: [twice] });
    const verdict = JSON.stringify({ findings: [{ code: 'cuenta', level: 'impedir', reason: 'x' }] });
    await db.updateTable('payment_batch_lines').set({ verdict }).where('invoiceId', '=', held).execute();
    expect(await amountsOf()).toEqual({
      ANTERIORES: [0, 0, 0],
      'SEM 47': [0, 116_000, 0],
      'SEM 48': [0, 116_000, 0],
      'SEM 49': [232_000, 0, 0],
      'SEM 50': [0, 40_000, 0],
      'SEM 51': [0, 76_000, 0],
    });
    // A payment outside the batch reduces what its last batch pays.
    await addPayment(db, { facturaproveedorId: twice, amountCents: 100_000 });
    expect(await amountsOf()).toMatchObject({ 'SEM 49': [232_000, 0, 0], 'SEM 50': [0, 16_000, 0] });
    expect(await amountsOf({ mover: [`${alone}:2026-11-05`, `${held}:2027-02-01`], semanas: 3 })).toEqual({
      ANTERIORES: [116_000, 0, 0],
      'SEM 47': [0, 116_000, 0],
      'SEM 48': [0, 116_000, 0],
      'SEM 49': [0, 0, 0],
      'SEM 50+': [116_000, 16_000, 0],
    });
    const { supplierId } = await db
      .selectFrom('invoices')
      .select('supplierId')
      .where('id', '=', coming)
      .executeTakeFirstOrThrow();
    expect((await flowOf(db, { sin: [`${supplierId}`] })).postponedCents).toBe(116_000);
    expect(await amountsOf({ sin: [`${supplierId}`] })).toMatchObject({ 'SEM 48': [0, 0, 0] });
    await expect(flowOf(db, { mover: [`${coming}:2026-12-11`] })).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('has payments that are dated later in their week, in pesos of the bank, and debts of another currency by their own rate', async () => {
    const { db } = fresh;
    const facturaproveedorId = await addInvoice(db, {
      moneda: 'USD',
      tipocambio: '20',
      fechavencimiento: '2026-11-23',
    });
    await addPayment(db, {
      facturaproveedorId,
      paymentdate: '2026-11-24',
      amountCents: 16_000,
      importebancoCents: 17_500,
    });
    expect(await amountsOf()).toEqual({
      ANTERIORES: [0, 0, 0],
      'SEM 47': [0, 0, 0],
      'SEM 48': [100_000, 0, 17_500],
    });
  });

  it('refuses a trial that it does not understand, naming its parameter', async () => {
    for (const [query, kind] of [
      [{ mover: ['1'] }, 'malformed'],
      [{ mover: ['1:2026-02-30'] }, 'malformed'],
      [{ mover: ['1:2026-12-01', '1:2026-12-02'] }, 'malformed'],
      [{ mover: ['1:2026-12-01'] }, 'invalid'],
      [{ sin: ['x'] }, 'malformed'],
      [{ sin: ['9'] }, 'invalid'],
      [{ saldo: ['9:1'] }, 'invalid'],
      [{ saldo: ['9:1.001'] }, 'invalid'],
      [{ saldo: ['9:mil'] }, 'malformed'],
      [{ semanas: 54 }, 'malformed'],
    ] as const) {
      const [field] = Object.keys(query);
      await expect(flowOf(fresh.db, query), JSON.stringify(query)).rejects.toMatchObject({
        ...{ kind, fields: { [field!]: expect.any(String) } },
      });
    }
  });

  it('agrees with the debt, and has the columns of the weekly balances', async () => {
    const { db } = fresh;
    const suppliers = [await addSupplier(db), await addSupplier(db)];
    const around = fc.integer({ min: -20, max: 120 }).map((days) => addDays(TODAY, days));
    const one = fc.record({
      supplier: fc.integer({ min: 0, max: 1 }),
      fechavencimiento: fc.option(around),
      paid: fc.option(fc.integer({ min: 1, max: 116_000 })),
      paidOn: around,
      batch: fc.option(around),
      isHeld: fc.boolean(),
      tried: fc.option(around),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 6 }), fc.boolean(), async (all, isPostponed) => {
        for (const table of [
          'payment_batch_lines',
          'payment_batch_editors',
          'payment_batches',
          'payments',
          'invoices',
        ] as const)
          await db.deleteFrom(table).execute();
        const mover: string[] = [];
        for (const { supplier, fechavencimiento, paid, paidOn, batch, isHeld, tried } of all) {
          const supplierId = suppliers[supplier]!;
          const id = await addInvoice(db, { supplierId, fechavencimiento, fechaemision: '2026-10-01' });
          if (batch) await addBatch(db, { fecha: batch, invoiceIds: [id] });
          if (paid) await addPayment(db, { facturaproveedorId: id, amountCents: paid, paymentdate: paidOn });
          const verdict = JSON.stringify({ findings: [{ code: 'cuenta', level: 'impedir', reason: 'x' }] });
          if (isHeld)
            await db
              .updateTable('payment_batch_lines')
              .set({ verdict })
              .where('invoiceId', '=', id)
              .execute();
          if (tried && (!batch || isHeld) && paid !== 116_000) mover.push(`${id}:${tried}`);
        }
        await expectToTieOut(db, { mover, sin: isPostponed ? [String(suppliers[0])] : [] });
        if (all.some(({ batch, paid }) => batch || paid)) return;
        const { columns } = await readBalances(db, {}, DAY);
        expect((await flowOf(db)).columns.map(({ column }) => column)).toEqual(columns);
      }),
      { numRuns: chooseRunCount(12, 150) },
    );
  });
});
