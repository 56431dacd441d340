import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { describeEntry } from '../../../../server/services/audit/entry-descriptions.ts';
import { readCashFlow } from '../../../../server/services/balances/cash-flow.ts';
import { markMovementReturned } from '../../../../server/services/bank-statements/import-statement.ts';
import {
  getBankStatement,
  getMovement,
  sumBankStatement,
} from '../../../../server/services/bank-statements/reading.ts';
import {
  reopenMovement,
  resolveMovement,
  undoCapture,
} from '../../../../server/services/bank-statements/resolving.ts';
import { backUpAndDeleteAllPayments } from '../../../../server/services/delete-all.ts';
import { moveBatchBackOneStage } from '../../../../server/services/payment-batches/paying.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import {
  createPayment,
  deletePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import {
  createMovement,
  deleteMovement,
  updateMovement,
} from '../../../../server/services/petty-cash/movements.ts';
import { listReplenishments } from '../../../../server/services/petty-cash/requests.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { bankStatementTexts, type ResolutionInput } from '../../../../shared/bank-statements.ts';
import { addBankMovements } from '../../../support/bank-movements.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachDatabase, type TestDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { addFund } from '../../../support/petty-cash.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment, addSupplier, TODAY } from '../../../support/rows.ts';

function toolsOf(fresh: TestDatabase) {
  const approver = () => addActor(fresh.db, { roles: [2] });
  const resolve = async (id: number, draft: ResolutionInput, version?: number) =>
    resolveMovement(fresh.db, await approver(), id, draft, { version });
  const pay = async (db: Db, origenderecursoId: number | null, amountCents: number) =>
    addPayment(db, {
      facturaproveedorId: await addInvoice(db),
      ...{ amountCents, origenderecursoId, userId: (await approver()).userId },
    });
  /** Fixtures other than movements have no audit entries. */
  const expectSound = async () => {
    const problems = await findDatabaseProblems(fresh.db, { deep: true });
    const isKnown = ({ entity, rule }: (typeof problems)[number]) =>
      entity === 'users' || (rule === 'replay' && !entity.startsWith('bank'));
    expect(problems.filter((one) => !isKnown(one))).toEqual([]);
  };
  const invoiceOf = async (id: number) =>
    fresh.db
      .selectFrom('invoices')
      .select(['paidCents', 'totalCents'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  return { approver, resolve, pay, expectSound, invoiceOf };
}

describeEachInLongLane('a movement of the bank', (fresh) => {
  const temporary = temporaryFolder();
  const { approver, resolve, pay, expectSound, invoiceOf } = toolsOf(fresh);

  it('is linked to payments of its account that add up to it, which then stay as they are', async () => {
    const { db } = fresh;
    const { ids, origenderecursoId } = await addBankMovements(db, [
      { amountCents: -1500 },
      { amountCents: -1000 },
    ]);
    const [id, other] = ids;
    const payments = [await pay(db, origenderecursoId, 1000), await pay(db, origenderecursoId, 500)];
    const stray = await pay(db, await addBankMovements(db, [{}]).then((one) => one.origenderecursoId), 1500);
    await expect(resolve(id!, { paymentIds: [payments[0]!] })).rejects.toMatchObject({
      code: 'sum_differs',
      extra: { importe: 15, suma: 10 },
    });
    await expect(resolve(id!, { paymentIds: [stray] })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(resolve(id!, { paymentIds: [payments[0]!, payments[0]!] })).rejects.toMatchObject({
      kind: 'invalid',
    });
    await expect(resolve(id!, { paymentIds: [99_999] })).rejects.toMatchObject({ kind: 'invalid' });
    const { movement } = await resolve(id!, { paymentIds: payments }, 1);
    expect(movement).toMatchObject({ outcome: 'ligado', paymentIds: payments, version: 2 });
    await expect(resolve(id!, { clase: 'ajeno' })).rejects.toMatchObject({ code: 'movement_settled' });
    await expect(resolve(other!, { paymentIds: [payments[0]!] })).rejects.toMatchObject({
      code: 'bank_matched',
    });
    const actor = await approver();
    const change = (draft: object) => updatePayment(db, actor, payments[0]!, draft);
    for (const draft of [{ amountCents: 900 }, { paymentdate: '2026-11-19' }, { origenderecursoId: null }])
      await expect(change(draft)).rejects.toMatchObject({ code: 'bank_matched' });
    await expect(deletePayment(db, actor, payments[0]!)).rejects.toMatchObject({
      code: 'bank_matched',
      message: expect.stringContaining('suelta su movimiento'),
    });
    const admin = await addActor(db, { roles: [3] });
    const at = { db, config: { dataFolder: temporary.folder } };
    await expect(backUpAndDeleteAllPayments(at, admin)).rejects.toMatchObject({ code: 'bank_matched' });
    expect((await change({ comments: 'revisado' })).payment.comments).toBe('revisado');
    await expectSound();
    await reopenMovement(db, actor, id!, 2);
    await deletePayment(db, actor, payments[0]!);
    expect(await getMovement(db, id!)).toMatchObject({ outcome: 'sin-partida', paymentIds: [], version: 3 });
    await expect(reopenMovement(db, actor, id!)).rejects.toMatchObject({ code: 'movement_open' });
    await expect(resolve(id!, { clase: 'ajeno' }, 2)).rejects.toMatchObject({ kind: 'stale' });
  });

  it('becomes payments of its day by the rules of payments, which stay when it is let go', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    const invoices = [await addInvoice(db, { supplierId }), await addInvoice(db, { supplierId })];
    const total = 116_000;
    const { ids, origenderecursoId } = await addBankMovements(db, [
      { amountCents: -(total + 1000), fecha: '2026-11-18', referencia: '0042' },
      { amountCents: 1000 },
    ]);
    const [id, incoming] = ids;
    await expect(resolve(incoming!, { invoices: [{ invoiceId: invoices[0]! }] })).rejects.toMatchObject({
      kind: 'invalid',
    });
    const whole = { invoiceId: invoices[0]! };
    await expect(resolve(id!, { invoices: [whole] })).rejects.toMatchObject({
      code: 'sum_differs',
      extra: { importe: 1170, suma: 1160 },
    });
    await expect(resolve(id!, { invoices: [{ ...whole, amountCents: total + 1000 }] })).rejects.toMatchObject(
      {
        code: 'overpayment',
      },
    );
    expect(await invoiceOf(invoices[0]!)).toMatchObject({ paidCents: 0 });
    const part = { invoiceId: invoices[1]!, amountCents: 1000 };
    const { movement } = await resolve(id!, { invoices: [whole, part] });
    expect(movement).toMatchObject({ outcome: 'capturado' });
    const made = await db.selectFrom('payments').selectAll().orderBy('id').execute();
    expect(made.map((one) => one.id)).toEqual(movement.paymentIds);
    expect(made).toMatchObject([
      {
        facturaproveedorId: invoices[0],
        amountCents: total,
        paymentdate: '2026-11-18',
        checknum: '0042',
        origenderecursoId,
      },
      { facturaproveedorId: invoices[1], amountCents: 1000, paymentdate: '2026-11-18' },
    ]);
    expect(await invoiceOf(invoices[0]!)).toMatchObject({ paidCents: total });
    await expectSound();
    const released = await reopenMovement(db, await approver(), id!);
    expect(released).toMatchObject({
      keptPaymentIds: movement.paymentIds,
      movement: { outcome: 'sin-partida' },
    });
    expect((await resolve(id!, { paymentIds: movement.paymentIds })).movement.outcome).toBe('ligado');
  });

  it('captures nothing in a closed period, nor invoices of a batch at the bank without a reason', async () => {
    const { db } = fresh;
    const invoiceId = await addInvoice(db);
    await addBatch(db, { estado: 'enviada', invoiceIds: [invoiceId] });
    const { ids } = await addBankMovements(db, [{ amountCents: -116_000 }]);
    const draft = { invoices: [{ invoiceId }] };
    await expect(resolve(ids[0]!, draft)).rejects.toMatchObject({ code: 'in_open_batch' });
    await changeSetting(db, await addActor(db, { roles: [3] }), 'cierre', TODAY);
    await expect(resolve(ids[0]!, draft)).rejects.toMatchObject({ code: 'closed_period' });
    const director = { ...(await addActor(db, { roles: [1, 3] })), motivo: 'Ya salió del banco' };
    const options = { allowProgrammed: true };
    const { movement } = await resolveMovement(db, director, ids[0]!, draft, options);
    expect(movement.outcome).toBe('capturado');
  });

  it('pays the line of a batch sent from its account, and is undone with its payment', async () => {
    const { db } = fresh;
    const invoiceIds = [await addInvoice(db), await addInvoice(db)];
    const batch = await addBatch(db, { estado: 'enviada', invoiceIds });
    const movements = [{ amountCents: -116_000 }, { amountCents: -116_000, descripcion: 'OTRO' }];
    const { ids } = await addBankMovements(db, movements, { origenderecursoId: batch.origenderecursoId! });
    const batchNow = async () => {
      const { estado, lines } = await getBatch(db, batch.id);
      return [estado, ...lines.map(({ paymentId }) => paymentId)];
    };
    const paid: number[] = [];
    for (const [at, invoiceId] of invoiceIds.entries()) {
      const { movement, warnings } = await resolve(ids[at]!, { invoices: [{ invoiceId }] });
      expect([movement.outcome, warnings]).toEqual(['capturado', []]);
      paid.push(...movement.paymentIds);
      expect(await batchNow()).toEqual([at === 0 ? 'enviada' : 'pagada', paid[0], paid[1] ?? null]);
    }
    await expectSound();
    expect(await undoCapture(db, await approver(), ids[1]!)).toBe(1);
    expect(await batchNow()).toEqual(['enviada', paid[0], null]);
    expect(await invoiceOf(invoiceIds[1]!)).toMatchObject({ paidCents: 0 });
    expect(await getMovement(db, ids[1]!)).toMatchObject({ outcome: 'ambiguo', paymentIds: [] });
    await expectSound();
    await expect(undoCapture(db, await approver(), ids[1]!)).rejects.toMatchObject({ code: 'movement_open' });
    const { movement } = await resolve(ids[1]!, { invoices: [{ invoiceId: invoiceIds[1]! }] });
    expect(await batchNow()).toEqual(['pagada', paid[0], movement.paymentIds[0]]);
  });

  it('keeps a linked payment, even if its link is mistaken for a capture', async () => {
    const { ids, origenderecursoId } = await addBankMovements(fresh.db, [{ amountCents: -500 }]);
    const paymentId = await pay(fresh.db, origenderecursoId, 500);
    await resolve(ids[0]!, { paymentIds: [paymentId] });
    expect(await undoCapture(fresh.db, await approver(), ids[0]!)).toBe(0);
    const kept = fresh.db.selectFrom('payments').select('id').where('id', '=', paymentId);
    expect(await kept.execute()).toHaveLength(1);
  });

  it('asks for the bank amount of a debt in another currency', async () => {
    const { db } = fresh;
    const invoiceId = await addInvoice(db, { moneda: 'USD', tipocambio: '17.5', numfactura: 'U-1' });
    const { ids } = await addBankMovements(db, [{ amountCents: -120_000 }]);
    await expect(resolve(ids[0]!, { invoices: [{ invoiceId, amountCents: 116_000 }] })).rejects.toMatchObject(
      {
        message: expect.stringContaining('U-1'),
      },
    );
    const { movement } = await resolve(ids[0]!, { invoices: [{ invoiceId, importebancoCents: 120_000 }] });
    const [id] = movement.paymentIds;
    const row = db.selectFrom('payments').select(['amountCents', 'importebancoCents']).where('id', '=', id!);
    expect(await row.executeTakeFirst()).toEqual({ amountCents: 116_000, importebancoCents: 120_000 });
    await expectSound();
  });

  it('fixes whom its payment paid, but not for which invoice of that supplier', async () => {
    const { db } = fresh;
    const supplierId = await addSupplier(db);
    const [paid, same] = [await addInvoice(db, { supplierId }), await addInvoice(db, { supplierId })];
    const other = await addInvoice(db);
    const { ids } = await addBankMovements(db, [{ amountCents: -116_000 }]);
    const { movement } = await resolve(ids[0]!, { invoices: [{ invoiceId: paid }] });
    const moveTo = async (facturaproveedorId: number) =>
      updatePayment(db, await approver(), movement.paymentIds[0]!, { facturaproveedorId });
    await expect(moveTo(other)).rejects.toMatchObject({ code: 'bank_matched' });
    expect((await moveTo(same)).payment).toMatchObject({ facturaproveedorId: same });
    await reopenMovement(db, await approver(), ids[0]!);
    expect((await moveTo(other)).payment).toMatchObject({ facturaproveedorId: other });
  });

  it('fixes the amount in the currency of a payment that it is linked to', async () => {
    const { db } = fresh;
    const facturaproveedorId = await addInvoice(db, { moneda: 'USD', tipocambio: '20' });
    const { ids, origenderecursoId } = await addBankMovements(db, [{ amountCents: -21_000 }]);
    const terms = { facturaproveedorId, origenderecursoId, importebancoCents: 21_000 };
    const { payment } = await createPayment(db, await approver(), { ...terms, importemonedaCents: 1_000 });
    await resolve(ids[0]!, { paymentIds: [payment.id] });
    await expect(
      updatePayment(db, await approver(), payment.id, { importemonedaCents: null }),
    ).rejects.toMatchObject({ code: 'bank_matched' });
  });

  it('takes no other bank amount for a debt in pesos, and no amount below zero', async () => {
    const { db } = fresh;
    const invoiceId = await addInvoice(db, { numfactura: 'P-1', subtotalCents: 30_000, tasa: 0 });
    const { ids } = await addBankMovements(db, [{ amountCents: -20_000 }]);
    await expect(
      resolve(ids[0]!, { invoices: [{ invoiceId, importebancoCents: 20_000 }] }),
    ).rejects.toMatchObject({ message: bankStatementTexts.inPesos('P-1') });
    await expect(resolve(ids[0]!, { invoices: [{ invoiceId, amountCents: -20_000 }] })).rejects.toMatchObject(
      { code: 'sum_differs', extra: { importe: 200, suma: -200 } },
    );
    expect(await invoiceOf(invoiceId)).toMatchObject({ paidCents: 0 });
  });

  it('pays a request of petty cash, or brings back what a fund returned, which then stay', async () => {
    const { db } = fresh;
    const { ids, origenderecursoId } = await addBankMovements(db, [
      { amountCents: -500_000 },
      { amountCents: 20_000 },
      { amountCents: -500_000, descripcion: 'otro' },
    ]);
    const fund = await addFund(db, { origenderecursoId });
    const [request] = await listReplenishments(db, fund.id);
    const { movement: returned } = await createMovement(db, await addActor(db), fund.id, {
      ...{ tipo: 'devolucion', fecha: TODAY, concepto: 'Sobrante', importeCents: 20_000, origenderecursoId },
      comprobante: 'ninguno',
    });
    await expect(resolve(ids[0]!, { reposicionId: 999 })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(resolve(ids[1]!, { reposicionId: request!.id })).rejects.toMatchObject({
      code: 'sum_differs',
    });
    expect((await resolve(ids[0]!, { reposicionId: request!.id })).movement).toMatchObject({
      ...{ outcome: 'reposicion', reposicionId: request!.id, movimientocajaId: null },
    });
    await expect(resolve(ids[2]!, { reposicionId: request!.id })).rejects.toMatchObject({
      code: 'bank_matched',
    });
    expect((await resolve(ids[1]!, { movimientocajaId: returned.id })).movement).toMatchObject({
      ...{ outcome: 'reposicion', reposicionId: null, movimientocajaId: returned.id },
    });
    const actor = await addActor(db);
    for (const id of [returned.id, request!.movementId!])
      await expect(deleteMovement(db, actor, id)).rejects.toMatchObject({ code: 'bank_matched' });
    await expect(updateMovement(db, actor, returned.id, { fecha: '2026-11-21' })).rejects.toMatchObject({
      code: 'bank_matched',
    });
    await expectSound();
  });

  it('is named, and counted by the account and day from which somebody asks', async () => {
    const { db } = fresh;
    const { ids, origenderecursoId, outcome } = await addBankMovements(db, [
      { amountCents: -500, fecha: '2026-11-10' },
      { amountCents: -700, fecha: '2026-11-12' },
      { amountCents: 9000, fecha: '2026-11-13' },
      { amountCents: -40, fecha: '2026-11-14' },
    ]);
    await resolve(ids[0]!, { clase: 'comision' });
    await resolve(ids[1]!, { clase: 'impuesto' });
    await resolve(ids[2]!, { clase: 'deposito' });
    const sum = async (saldobancofecha: string, until = TODAY) => {
      await db.updateTable('funding_sources').set({ saldobancoCents: 0, saldobancofecha }).execute();
      const { sources } = await readCashFlow(db, {}, until);
      return sources.find(({ id }) => id === origenderecursoId)!.otherMovementsCents;
    };
    // what left the account
    expect([await sum('2026-11-09'), await sum('2026-11-10'), await sum('2026-11-10', '2026-11-12')]).toEqual(
      [-7800, -8300, 700],
    );
    expect(await sum('2026-11-14')).toBe(0);
    await db.updateTable('funding_sources').set({ saldobancoCents: null, saldobancofecha: null }).execute();
    expect(await sumBankStatement(db, outcome.statementId)).toMatchObject({
      ...{ count: 4, inCents: 9000, outCents: 1240 },
      ...{ openIn: 0, openInCents: 0, openOut: 1, openOutCents: 40, firstOpenId: ids[3] },
    });
    await expect(resolve(ids[3]!, {})).rejects.toMatchObject({ kind: 'invalid' });
    await expect(resolve(ids[3]!, { clase: 'ajeno', reposicionId: 1 })).rejects.toMatchObject({
      kind: 'invalid',
    });
    await expect(
      resolveMovement(db, await addActor(db, { roles: [3, 4, 5, 6] }), ids[3]!, { clase: 'ajeno' }),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('is described in words in the audit trail', async () => {
    const { db } = fresh;
    const { ids } = await addBankMovements(db, [{ amountCents: -500, descripcion: 'COMISION MENSUAL' }]);
    await resolve(ids[0]!, { clase: 'comision' });
    const row = await db
      .selectFrom('audit')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    const entry = { ...row, before: JSON.parse(row.before!), after: JSON.parse(row.after!) };
    expect(describeEntry(entry)).toMatchObject({
      changes: [
        {
          label: `Movimiento ${ids[0]} del viernes 20 de noviembre de 2026 por -$5.00 (COMISION MENSUAL)`,
          ...{ before: 'Sin programación', after: 'Comisión' },
        },
      ],
    });
  });

  it('that a user resolved stays resolved when its file is loaded again, and is in both statements', async () => {
    const { db } = fresh;
    const first = [{ amountCents: -500, descripcion: 'UNO' }];
    const { ids, origenderecursoId } = await addBankMovements(db, first);
    await resolve(ids[0]!, { clase: 'comision' });
    const again = await addBankMovements(db, [...first, { amountCents: -900 }], { origenderecursoId });
    expect(again.outcome).toMatchObject({ known: 1, counts: { 'sin-partida': 1 } });
    const { movements } = await getBankStatement(db, again.outcome.statementId);
    expect(movements.map(({ id, outcome }) => [id, outcome])).toEqual([
      [ids[0], 'nombrado'],
      [again.ids[0], 'sin-partida'],
    ]);
    expect(await sumBankStatement(db, again.outcome.statementId)).toMatchObject({ count: 2, outCents: 1400 });
  });

  it('settles payments of a batch that was paid by hand, which is then undone at its movement alone', async () => {
    const { db } = fresh;
    const { ids, origenderecursoId } = await addBankMovements(db, [{ amountCents: -116_000 }]);
    const batch = await addBatch(db, { estado: 'pagada', origenderecursoId });
    const { paymentId } = batch.lines[0]!;
    await resolve(ids[0]!, { paymentIds: [paymentId!] });
    const actor = { ...(await approver()), motivo: 'Otra fecha' };
    await expect(moveBatchBackOneStage(db, actor, batch.id)).rejects.toMatchObject({ code: 'bank_matched' });
    await expect(markMovementReturned(db, actor, ids[0]!)).rejects.toMatchObject({
      code: 'movement_not_paid',
    });
    await reopenMovement(db, actor, ids[0]!);
    expect((await moveBatchBackOneStage(db, actor, batch.id)).estado).toBe('autorizada');
  });
});

describeEachDatabase('a movement of the bank that several settle at once', (fresh) => {
  const { approver, resolve, pay, expectSound } = toolsOf(fresh);

  it('is resolved only once, by the first user', async () => {
    const { db } = fresh;
    const { ids, origenderecursoId } = await addBankMovements(db, [
      { amountCents: -1000 },
      { amountCents: -1000, descripcion: 'otro' },
    ]);
    const payment = await pay(db, origenderecursoId, 1000);
    const invoiceId = await addInvoice(db, { subtotalCents: 2000 });
    const tries = await Promise.allSettled([
      resolve(ids[0]!, { paymentIds: [payment] }),
      resolve(ids[1]!, { paymentIds: [payment] }),
      resolve(ids[0]!, { invoices: [{ invoiceId, amountCents: 1000 }] }),
      resolve(ids[1]!, { invoices: [{ invoiceId, amountCents: 1000 }] }),
      resolve(ids[0]!, { clase: 'ajeno' }),
      approver().then((actor) => deletePayment(db, actor, payment)),
      approver().then((actor) => updatePayment(db, actor, payment, { amountCents: 900 })),
      approver().then((actor) =>
        createPayment(db, actor, { facturaproveedorId: invoiceId, amountCents: 1000 }),
      ),
    ]);
    const count = (...places: number[]) =>
      places.filter((place) => tries[place]!.status === 'fulfilled').length;
    expect([count(0, 2, 4), count(1, 3) <= 1, count(0, 1) <= 1]).toEqual([1, true, true]);
    const codes = tries.flatMap((one) =>
      one.status === 'rejected' ? [one.reason.code ?? one.reason.kind] : [],
    );
    for (const code of codes)
      expect([
        'movement_settled',
        'bank_matched',
        'sum_differs',
        'overpayment',
        'not_found',
        'invalid',
      ]).toContain(code);
    await expectSound();
  });
});
