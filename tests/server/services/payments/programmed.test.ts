import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { createBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { markBatchSent, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import type { BatchState } from '../../../../shared/payment-batches.ts';
import { paymentTexts } from '../../../../shared/payments.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, TODAY } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

const SENT = (id: number) =>
  `La factura A-1 está en la programación ${id}, enviada al banco el viernes 20 de noviembre de 2026.`;

describeEachInLongLane('a payment next to an open batch', (fresh) => {
  /** Stores an invoice of $1,160.00, of which a batch in this state pays $1,000.00. */
  const prepare = async (estado: BatchState, amountCents = 100_000) => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6] });
    const approver = await addActor(db, { roles: [1] });
    const facturaproveedorId = await addInvoice(db, { numfactura: 'A-1' });
    const { id } = await createBatch(db, author, {
      fecha: TODAY,
      origenderecursoId: await addFundingSource(db),
      lines: [{ invoiceId: facturaproveedorId, amountCents }],
    });
    if (estado !== 'borrador') await signBatch(db, approver, id);
    if (estado === 'enviada') await markBatchSent(db, approver, id);
    const pay = (cents: number, actor: Actor = author, allowProgrammed?: boolean) =>
      createPayment(db, actor, { facturaproveedorId, amountCents: cents }, { allowProgrammed });
    const refused = { kind: 'conflict', code: 'in_open_batch', message: SENT(id) };
    return { author, approver, facturaproveedorId, id, pay, refused };
  };

  const trailOf = async (id: number) =>
    (
      await readRows(fresh.db, 'audit', { entity: 'payments', entityId: String(id) }, ['action', 'after'])
    ).map(({ action, after }) => [action, after && JSON.parse(after)] as const);

  it('is refused if a batch at the bank needs the amount, to the cent, and stored with a reason', async () => {
    const { author, id, pay, refused } = await prepare('enviada');
    await expect(pay(16_001)).rejects.toMatchObject({
      ...refused,
      fields: { motivo: 'Indica el motivo.' },
      extra: { programacionId: id },
    });
    expect(await pay(16_000)).toMatchObject({ warnings: [] });
    await expect(pay(1)).rejects.toMatchObject(refused);
    await expect(pay(1, author, true)).rejects.toMatchObject(refused);
    const reasoned = {
      ...author,
      motivo: 'Lo pidió el proveedor',
      overriddenRules: new Set<never>(),
    } as Actor;
    await expect(pay(1, reasoned)).rejects.toMatchObject(refused);
    const { payment } = await pay(1, reasoned, true);
    expect(await trailOf(payment.id)).toMatchObject([
      ['create', { motivo: 'Lo pidió el proveedor', permite: ['programacion'] }],
    ]);
  });

  it.each([
    ['borrador', 'en borrador'],
    ['autorizada', 'autorizada'],
  ] as const)('is stored with a warning if the batch is %s and too little is left', async (estado, says) => {
    const { id, pay } = await prepare(estado);
    expect(await pay(16_000)).toMatchObject({ warnings: [] });
    expect((await pay(1)).warnings).toEqual([
      `La factura A-1 está en la programación ${id}, ${says}, y lo que queda pendiente ya no le alcanza.`,
    ]);
  });

  it('needs a reason for an additional amount on an edit, and for another invoice', async () => {
    const { db } = fresh;
    const { author, facturaproveedorId, pay, refused } = await prepare('enviada');
    const { payment } = await pay(10_000);
    const edit = (amountCents: number, actor = author, allowProgrammed?: boolean) =>
      updatePayment(db, actor, payment.id, { amountCents }, { allowProgrammed });
    await expect(edit(16_001)).rejects.toMatchObject(refused);
    const reasoned = { ...author, motivo: 'Pago doble' };
    await edit(20_000, reasoned, true);
    // A change that does not raise the amount needs no reason.
    await updatePayment(db, author, payment.id, { comments: 'Corregido' });
    await edit(19_999);
    await expect(edit(20_000)).rejects.toMatchObject(refused);
    const other = await createPayment(db, author, {
      facturaproveedorId: await addInvoice(db),
      amountCents: 5,
    });
    const move = updatePayment(db, author, other.payment.id, { facturaproveedorId });
    await expect(move).rejects.toMatchObject(refused);
  });

  it('is restored only with a reason, except the batch’s own, which needs none', async () => {
    const { db } = fresh;
    const { author, approver, facturaproveedorId, id, pay } = await prepare('autorizada');
    const { payment } = await pay(50_000);
    await deletePayment(db, author, payment.id);
    await markBatchSent(db, approver, id);
    const restore = (actor: Actor, allowProgrammed?: boolean) =>
      restorePayment(db, actor, payment.id, { allowProgrammed });
    await expect(restore(author)).rejects.toMatchObject({ code: 'in_open_batch' });
    expect((await restore({ ...author, motivo: 'Sí se hizo' }, true)).payment).toMatchObject({
      facturaproveedorId,
    });
    await deletePayment(db, author, payment.id);

    const batch = await addBatch(db, { estado: 'enviada' });
    const { payments } = await payBatch(db, approver, batch.id);
    await db
      .updateTable('payment_batches')
      .set({ estado: 'enviada', paidBy: null, paidAt: null })
      .where('id', '=', batch.id)
      .execute();
    await deletePayment(db, author, payments[0]!.id);
    await restorePayment(db, author, payments[0]!.id);
  });

  it('of the batch itself is made, and no longer reserves what was paid or returned by the bank', async () => {
    const { approver, facturaproveedorId, id, pay } = await prepare('enviada');
    await fresh.db
      .updateTable('payment_batch_lines')
      .set({ refusedAt: approver.at })
      .where('batchId', '=', id)
      .execute();
    const { payment } = await pay(116_000);
    await deletePayment(fresh.db, approver, payment.id);
    await fresh.db
      .updateTable('payment_batch_lines')
      .set({ refusedAt: null })
      .where('batchId', '=', id)
      .execute();
    const { payments } = await payBatch(fresh.db, approver, id);
    expect(payments).toMatchObject([{ facturaproveedorId, amountCents: 100_000 }]);
    expect(await pay(16_000)).toMatchObject({ warnings: [] });
  });
});

describeEachInLongLane('an unusual payment', (fresh) => {
  it('causes a warning if it equals another one of its invoice in day, amount and check number', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    const draft = { facturaproveedorId, amountCents: 100, checknum: 'Ch-1', paymentdate: TODAY };
    const pay = (part: object = {}) => createPayment(fresh.db, actor, { ...draft, ...part });
    const { payment } = await pay();
    for (const part of [
      { amountCents: 101 },
      { checknum: 'Ch-2' },
      { paymentdate: '2026-11-19' },
      { facturaproveedorId: await addInvoice(fresh.db) },
    ])
      expect((await pay(part)).warnings).toEqual([]);
    expect(await pay({ checknum: 'CH-1' })).toMatchObject({
      warnings: [paymentTexts.twin(payment.id)],
      about: [payment.id],
    });
  });

  it('causes a warning if no exchange rate explains the bank amount', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, { moneda: 'USD', tipocambio: '17.1234' });
    const warned = async (amountCents: number, importebancoCents: number) =>
      (await createPayment(fresh.db, actor, { facturaproveedorId, amountCents, importebancoCents })).warnings;
    expect([await warned(100, 150), await warned(150, 100)]).toEqual([[], []]);
    expect(await warned(200, 301)).toEqual([
      'Los $3.01 del banco suponen un tipo de cambio de 25.7707 pesos por USD; el de la factura es 17.1234.',
    ]);
    expect(await warned(301, 200)).toHaveLength(1);
  });
});
