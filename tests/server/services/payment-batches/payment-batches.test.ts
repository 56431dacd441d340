import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { deleteInvoice, updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import { moveBatchBackOneStage, payBatch } from '../../../../server/services/payment-batches/paying.ts';
import {
  createBatch,
  deleteBatch,
  updateBatch,
} from '../../../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { markBatchSent, permitLine, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { type FullBatch, isHeldLine, payableSumOf } from '../../../../shared/payment-batches.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readPage } from '../../../support/page.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addJob, addSupplier, TODAY } from '../../../support/rows.ts';
import { readLastRow, readRow, readRows } from '../../../support/stored.ts';

type Line = { invoiceId: number; amountCents?: number };

interface People {
  author: Actor;
  approver: Actor;
  second: Actor;
  administrator: Actor;
}

describeEachInLongLane('a payment batch', (fresh) => {
  const people = async (db: Db): Promise<People> => ({
    author: await addActor(db, { roles: [6] }),
    approver: await addActor(db, { roles: [1] }),
    second: await addActor(db, { roles: [2] }),
    administrator: await addActor(db, { roles: [3] }),
  });

  const prepare = async (author: Actor, ...lines: Line[]) =>
    createBatch(fresh.db, author, {
      fecha: TODAY,
      origenderecursoId: await addFundingSource(fresh.db),
      lines,
    });

  /** Creates a signed batch of complete invoices, or of these lines. */
  const prepareSigned = async ({ author, approver }: People, ...lines: (number | Line)[]) => {
    const whole = lines.map((line) => (typeof line === 'number' ? { invoiceId: line } : line));
    const { id } = await prepare(author, ...whole);
    await signBatch(fresh.db, approver, id);
    return id;
  };

  const paidOf = async (id: number) => (await readRow(fresh.db, 'invoices', { id }, ['paidCents'])).paidCents;

  it('pays suppliers together after somebody else has signed it', async () => {
    const { author, approver } = await people(fresh.db);
    const [supplierB, supplierA] = [
      await addSupplier(fresh.db, { suppliername: 'Bloques' }),
      await addSupplier(fresh.db, { suppliername: 'Ácero' }),
    ];
    const b = await addInvoice(fresh.db, { supplierId: supplierB });
    const a1 = await addInvoice(fresh.db, { supplierId: supplierA, subtotalCents: 200_000 });
    const a2 = await addInvoice(fresh.db, { supplierId: supplierA, subtotalCents: 300_000 });
    const batch = await prepare(
      author,
      { invoiceId: b },
      { invoiceId: a1 },
      { invoiceId: a2, amountCents: 5 },
    );
    expect(batch).toMatchObject({ estado: 'borrador', count: 3, suppliers: 2, totalCents: 348_005 });
    await expect(payBatch(fresh.db, approver, batch.id)).rejects.toMatchObject({ code: 'batch_state' });
    const signed = await signBatch(fresh.db, approver, batch.id);
    expect(signed).toMatchObject({ estado: 'autorizada', signatures: [{ username: approver.username }] });
    await markBatchSent(fresh.db, approver, batch.id);
    const { batch: paid, payments } = await payBatch(fresh.db, approver, batch.id, { cheque: 'A-0099' });
    expect(paid).toMatchObject({ estado: 'pagada', paidCents: 348_005, payer: approver.username });
    // One cheque for each supplier, in the order of their names.
    expect(paid.lines.map(({ invoiceId, checknum }) => [invoiceId, checknum])).toEqual([
      [a1, 'A-0099'],
      [a2, 'A-0099'],
      [b, 'A-0100'],
    ]);
    expect(payments.map(({ paymentdate }) => paymentdate)).toEqual([TODAY, TODAY, TODAY]);
    expect([await paidOf(a1), await paidOf(a2), await paidOf(b)]).toEqual([232_000, 5, 116_000]);
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
    const entries = await fresh.db.selectFrom('audit').select(['entity', 'action']).orderBy('id').execute();
    expect(entries.filter(({ entity }) => entity === 'payments')).toHaveLength(3);
    expect(entries.filter(({ entity }) => entity === 'payment-batches')).toHaveLength(4);
  });

  it('is refused if it lacks something, and contains each invoice once', async () => {
    const { author } = await people(fresh.db);
    const invoiceId = await addInvoice(fresh.db);
    await expect(createBatch(fresh.db, author, {})).rejects.toMatchObject({
      kind: 'invalid',
      fields: { fecha: expect.anything(), origenderecursoId: expect.anything(), partidas: expect.anything() },
    });
    await expect(prepare(author, { invoiceId, amountCents: 0 })).rejects.toMatchObject({ kind: 'invalid' });
    await expect(prepare(author, { invoiceId: 999 })).rejects.toThrow('No existe la factura 999.');
    const twice = [{ invoiceId }, { invoiceId }];
    await expect(prepare(author, ...twice)).rejects.toMatchObject({ kind: 'malformed' });
  });

  it('reserves no more than is pending, over all open batches together', async () => {
    const { author, approver } = await people(fresh.db);
    const invoiceId = await addInvoice(fresh.db);
    const first = await prepare(author, { invoiceId, amountCents: 16_000 });
    const second = await prepare(author, { invoiceId });
    expect(second.lines).toMatchObject([{ amountCents: 100_000, pendingCents: 116_000 }]);
    await expect(prepare(author, { invoiceId })).rejects.toMatchObject({ code: 'over_committed' });
    const more = updateBatch(fresh.db, author, first.id, { lines: [{ invoiceId, amountCents: 16_001 }] });
    await expect(more).rejects.toMatchObject({ code: 'over_committed' });
    await deleteBatch(fresh.db, author, second.id);
    await updateBatch(fresh.db, author, first.id, { lines: [{ invoiceId }] });
    expect((await getBatch(fresh.db, first.id)).totalCents).toBe(116_000);
    await signBatch(fresh.db, approver, first.id);
    await payBatch(fresh.db, approver, first.id, { referencia: 'SEM 47' });
    await expect(prepare(author, { invoiceId })).rejects.toMatchObject({ code: 'over_committed' });
  });

  it('is signed by those whom the settings name, and by two above a limit', async () => {
    const { author, approver, second, administrator } = await people(fresh.db);
    const chief = { ...author, roles: [1] };
    const { id } = await prepare(chief, { invoiceId: await addInvoice(fresh.db) });
    await expect(signBatch(fresh.db, chief, id)).rejects.toMatchObject({ code: 'same_author' });
    await expect(signBatch(fresh.db, administrator, id)).rejects.toMatchObject({ kind: 'forbidden' });
    await changeSetting(fresh.db, administrator, 'autorizacion.limite', '$1,000');
    const half = await signBatch(fresh.db, approver, id);
    expect(half.estado).toBe('borrador');
    await expect(signBatch(fresh.db, approver, id)).rejects.toMatchObject({ code: 'already_signed' });
    expect((await signBatch(fresh.db, second, id)).estado).toBe('autorizada');
    // Changing what the batch pays makes the user an author, and removes the signatures.
    const changed = await updateBatch(fresh.db, second, id, { fecha: '2026-11-27' });
    expect(changed).toMatchObject({ estado: 'borrador', signatures: [] });
    await expect(signBatch(fresh.db, second, id)).rejects.toMatchObject({ code: 'same_author' });
    await changeSetting(fresh.db, administrator, 'autorizacion.limite', '');
    await changeSetting(fresh.db, administrator, 'autorizacion', 'misma');
    // The batch began under the stricter setting; later batches may be signed by their authors.
    await expect(signBatch(fresh.db, second, id)).rejects.toMatchObject({ code: 'same_author' });
    const { id: later } = await addBatch(fresh.db, { author: chief });
    expect((await signBatch(fresh.db, chief, later)).estado).toBe('autorizada');
  });

  it('is undone as a whole, without a trace in the sums and with one in the audit trail', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const invoices = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const id = await prepareSigned(all, ...invoices);
    await payBatch(fresh.db, approver, id);
    await expect(moveBatchBackOneStage(fresh.db, author, id)).rejects.toMatchObject({ kind: 'forbidden' });
    const back = await moveBatchBackOneStage(fresh.db, approver, id);
    expect(back).toMatchObject({ estado: 'autorizada', paidCents: 0, payer: null });
    expect(await Promise.all(invoices.map(paidOf))).toEqual([0, 0]);
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
    const deleted = await readRows(fresh.db, 'audit', { entity: 'payments', action: 'delete' }, ['id']);
    expect(deleted).toHaveLength(2);
    expect(await moveBatchBackOneStage(fresh.db, author, id)).toMatchObject({
      estado: 'borrador',
      signatures: [],
    });
    await deleteBatch(fresh.db, author, id);
    await expect(getBatch(fresh.db, id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('is undone as a whole only if no other batch has meanwhile reserved what it would', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const [taken, other] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const id = await prepareSigned(all, taken, other);
    const { payments } = await payBatch(fresh.db, approver, id);
    const first = payments.find(({ facturaproveedorId }) => facturaproveedorId === taken)!;
    await deletePayment(fresh.db, author, first.id);
    const next = await prepare(author, { invoiceId: taken });
    await expect(moveBatchBackOneStage(fresh.db, approver, id)).rejects.toMatchObject({
      code: 'over_committed',
      extra: { facturaproveedorId: taken },
    });
    expect([await paidOf(other), (await getBatch(fresh.db, id)).estado]).toEqual([116_000, 'pagada']);
    await deleteBatch(fresh.db, author, next.id);
    expect(await moveBatchBackOneStage(fresh.db, approver, id)).toMatchObject({
      estado: 'autorizada',
      paidCents: 0,
    });
  });

  it('is undone even if one of its invoices was paid by hand', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const [byHand, other] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const id = await prepareSigned(all, byHand, other);
    await createPayment(fresh.db, author, { facturaproveedorId: byHand, amountCents: 116_000 });
    await payBatch(fresh.db, approver, id);
    expect(await moveBatchBackOneStage(fresh.db, approver, id)).toMatchObject({
      estado: 'autorizada',
      paidCents: 0,
    });
  });

  it('that the bank has, or had, is undone with a reason and by somebody else than its sender', async () => {
    const all = await people(fresh.db);
    const { author, approver, second, administrator } = all;
    const motivo = 'El banco la rechazó';
    const back = (actor: Actor, id: number) => moveBatchBackOneStage(fresh.db, { ...actor, motivo }, id);
    const send = async () => {
      const id = await prepareSigned(all, await addInvoice(fresh.db));
      const sent = await markBatchSent(fresh.db, approver, id);
      expect(sent).toMatchObject({ sentBy: approver.userId, sender: approver.username, sentOn: TODAY });
      return id;
    };
    const id = await send();
    await expect(moveBatchBackOneStage(fresh.db, second, id)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { motivo: 'Indica el motivo.' },
    });
    await expect(back(approver, id)).rejects.toMatchObject({ kind: 'conflict', code: 'same_sender' });
    expect(await back(second, id)).toMatchObject({ estado: 'borrador', sentBy: null, sentOn: null });
    const trail = await readLastRow(fresh.db, 'audit', { entity: 'payment-batches' }, ['after']);
    expect(JSON.parse(trail.after!)).toMatchObject({ motivo, estado: 'borrador' });

    const paid = await send();
    await payBatch(fresh.db, approver, paid);
    await expect(back(approver, paid)).rejects.toMatchObject({ code: 'same_sender' });
    expect(await back(second, paid)).toMatchObject({ estado: 'autorizada', sentOn: null, paidCents: 0 });
    // A batch that was not sent needs no reason.
    expect(await moveBatchBackOneStage(fresh.db, approver, paid)).toMatchObject({ estado: 'borrador' });

    // If the sender is unknown, each signer may be the sender.
    const oldBatchId = await send();
    const unknown = { sentBy: null, sentOn: null };
    await fresh.db.updateTable('payment_batches').set(unknown).where('id', '=', oldBatchId).execute();
    await expect(back(approver, oldBatchId)).rejects.toMatchObject({ code: 'same_sender' });
    expect(await back(author, oldBatchId)).toMatchObject({ estado: 'borrador' });

    await changeSetting(fresh.db, administrator, 'autorizacion', 'misma');
    const own = await send();
    await expect(moveBatchBackOneStage(fresh.db, approver, own)).rejects.toMatchObject({ kind: 'invalid' });
    expect(await back(approver, own)).toMatchObject({ estado: 'borrador' });
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
  });

  it('has a line pending again if its payment is deleted, and paid again if it is restored', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const id = await prepareSigned(all, await addInvoice(fresh.db), await addInvoice(fresh.db));
    const { payments } = await payBatch(fresh.db, approver, id);
    const [refused] = payments;
    await deletePayment(fresh.db, author, refused!.id);
    expect(await getBatch(fresh.db, id)).toMatchObject({ estado: 'pagada', paidCents: 116_000 });
    // A returned line can be paid by another batch, or its payment restored, but not both.
    const other = await prepare(author, { invoiceId: refused!.facturaproveedorId });
    await deleteBatch(fresh.db, author, other.id);
    await restorePayment(fresh.db, author, refused!.id);
    expect(await getBatch(fresh.db, id)).toMatchObject({ paidCents: 232_000 });
    const less = updatePayment(fresh.db, author, refused!.id, { amountCents: 1 });
    await expect(less).rejects.toMatchObject({ code: 'batch_fixed' });
    await updatePayment(fresh.db, author, refused!.id, { checknum: '77' });
    expect(await checkDatabase(fresh.db)).toMatchObject({ ok: true });
  });

  it('holds a line that fails a check, pays the others, and lets it through with a reason', async () => {
    const all = await people(fresh.db);
    const { author, approver, administrator } = all;
    await changeSetting(fresh.db, administrator, 'semaforo.xml', 'ignorar');
    await changeSetting(fresh.db, administrator, 'semaforo.rfc', 'impedir');
    const bad = await addSupplier(fresh.db, { rfc: 'MALO' });
    const [fine, held] = [await addInvoice(fresh.db), await addInvoice(fresh.db, { supplierId: bad })];
    const first = await prepare(author, { invoiceId: fine }, { invoiceId: held, amountCents: 1_000 });
    const line = (batch: FullBatch) => batch.lines.find(({ invoiceId }) => invoiceId === held)!;
    expect(line(first).verdict).toMatchObject({
      step: 'elegir',
      findings: [{ code: 'rfc_mal_formado', level: 'impedir', remedy: `/editsupplierpage/${bad}` }],
    });
    expect([payableSumOf(first), first.heldCents]).toEqual([116_000, 1_000]);
    await signBatch(fresh.db, approver, first.id);
    const permit = (actor: Actor, id: number, reason: string) =>
      permitLine(fresh.db, actor, id, { invoiceId: held, reason });
    await expect(permit(author, first.id, 'urge')).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(permit(approver, first.id, ' ')).rejects.toMatchObject({ kind: 'invalid' });
    const { batch, payments } = await payBatch(fresh.db, approver, first.id);
    expect(payments).toHaveLength(1);
    expect(batch).toMatchObject({ estado: 'pagada', paidCents: 116_000, totalCents: 117_000 });
    expect(await paidOf(held)).toBe(0);

    const second = await prepareSigned(all, { invoiceId: held, amountCents: 1_000 });
    await expect(payBatch(fresh.db, approver, second)).rejects.toMatchObject({ code: 'all_held' });
    const permitted = await permit(approver, second, 'El RFC se corrige mañana');
    expect(line(permitted).permit).toMatchObject({ username: approver.username, codes: ['rfc_mal_formado'] });
    await expect(permit(approver, second, 'otra vez')).rejects.toMatchObject({ code: 'not_held' });
    await payBatch(fresh.db, approver, second);
    expect(await paidOf(held)).toBe(1_000);
    // Permits are valid for their batch only.
    expect(isHeldLine(line(await prepare(author, { invoiceId: held })))).toBe(true);
  });

  it('has no line let through by somebody involved in it, where another person has to sign', async () => {
    const { author, administrator } = await people(fresh.db);
    await changeSetting(fresh.db, administrator, 'semaforo.rfc', 'impedir');
    const chief = { ...author, roles: [1] };
    const invoiceId = await addInvoice(fresh.db, {
      supplierId: await addSupplier(fresh.db, { rfc: 'MALO' }),
    });
    const { id } = await prepare(chief, { invoiceId });
    const permit = () => permitLine(fresh.db, chief, id, { invoiceId, reason: 'urge' });
    await expect(permit()).rejects.toMatchObject({ code: 'same_author' });
    await changeSetting(fresh.db, administrator, 'autorizacion', 'misma');
    await expect(permit()).rejects.toMatchObject({ code: 'same_author' });
    await deleteBatch(fresh.db, chief, id);
    const later = await prepare(chief, { invoiceId });
    const permitted = await permitLine(fresh.db, chief, later.id, { invoiceId, reason: 'urge' });
    expect(permitted.lines).toMatchObject([{ permit: { username: chief.username } }]);
  });

  it('pays what was signed of an invoice that changes afterwards, and never more than is left', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const [lowered, raised] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const id = await prepareSigned(all, lowered, raised);
    await updateInvoice(fresh.db, author, lowered, { subtotalCents: 90_000, ivaCents: 14_400 });
    await updateInvoice(fresh.db, author, raised, { subtotalCents: 200_000, ivaCents: 32_000 });
    const { batch, payments } = await payBatch(fresh.db, approver, id);
    expect(payments).toMatchObject([{ facturaproveedorId: raised, amountCents: 116_000 }]);
    const held = batch.lines.find(({ invoiceId }) => invoiceId === lowered)!;
    expect(held.verdict.findings.map(({ code }) => code)).toContain('excede_pendiente');
    expect([await paidOf(lowered), await paidOf(raised)]).toEqual([0, 116_000]);
  });

  it('warns of cheques that were drawn on its source before', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const bank = await addFundingSource(fresh.db);
    const pay = async (origenderecursoId: number, numbers: Parameters<typeof payBatch>[3]) => {
      const lines = [{ invoiceId: await addInvoice(fresh.db, { supplierId }) }];
      const { id } = await createBatch(fresh.db, author, { fecha: TODAY, origenderecursoId, lines });
      await signBatch(fresh.db, approver, id);
      return payBatch(fresh.db, approver, id, numbers);
    };
    const first = await pay(bank, { cheque: 'a-1' });
    expect(first.warnings).toEqual([]);
    expect((await pay(await addFundingSource(fresh.db), { cheque: 'A-1' })).warnings).toEqual([]);
    expect((await pay(bank, { referencia: 'A-1' })).warnings).toEqual([]);
    // A transfer's reference is no cheque number: several suppliers may share it.
    const id = await prepareSigned(all, await addInvoice(fresh.db), await addInvoice(fresh.db));
    expect((await payBatch(fresh.db, approver, id, { referencia: 'SEM 47' })).warnings).toEqual([]);
    const again = await pay(bank, { cheque: 'A-1' });
    expect(again.warnings).toEqual(['El cheque A-1 ya se usó para Aceros ($1,160.00).']);
    expect(again.about).toHaveLength(1);
  });

  it('holds lines that are no longer pending or belong to another supplier now, and no permit lifts that', async () => {
    const all = await people(fresh.db);
    const { author, approver } = all;
    const paid = await addInvoice(fresh.db);
    const [moved, fine] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const id = await prepareSigned(all, paid, moved, fine);
    await createPayment(fresh.db, author, { facturaproveedorId: paid, amountCents: 1 });
    await updateInvoice(fresh.db, author, moved, { supplierId: await addSupplier(fresh.db) });
    const { batch, payments } = await payBatch(fresh.db, approver, id);
    expect(payments.map(({ facturaproveedorId }) => facturaproveedorId)).toEqual([fine]);
    const codes = new Map(
      batch.lines.map(({ invoiceId, verdict }) => [invoiceId, verdict.findings.map(({ code }) => code)]),
    );
    expect(codes.get(paid)).toContain('excede_pendiente');
    expect(codes.get(moved)).toContain('proveedor_cambiado');

    const next = await prepare(author, { invoiceId: paid });
    await createPayment(fresh.db, author, { facturaproveedorId: paid, amountCents: 1 });
    await signBatch(fresh.db, approver, next.id);
    const firm = permitLine(fresh.db, approver, next.id, { invoiceId: paid, reason: 'sí' });
    await expect(firm).rejects.toMatchObject({ code: 'firm_check' });
  });

  it('warns of what exceeds a budget, would be paid on a closed day, looks like a duplicate or awaits receipts', async () => {
    const { author, approver, administrator } = await people(fresh.db);
    const supplierId = await addSupplier(fresh.db);
    const jobId = await addJob(fresh.db);
    const [paid, over, twin] = [
      await addInvoice(fresh.db, { supplierId, jobId }),
      await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'A-1', fechaemision: '2026-11-01' }),
      await addInvoice(fresh.db, { supplierId, numfactura: 'a 1' }),
    ];
    await fresh.db.updateTable('invoices').set({ metodopago: 'PPD' }).where('id', '=', paid).execute();
    await createPayment(fresh.db, author, {
      facturaproveedorId: paid,
      amountCents: 116_000,
      paymentdate: '2026-10-31',
    });
    const partidas = [{ rubroId: null, presupuestoCents: 150_000 }];
    await saveBudgetOfJob(fresh.db, approver, jobId, { motivo: 'Contrato', partidas });
    const motivo = 'Cierre de noviembre';
    await changeSetting(fresh.db, { ...administrator, motivo }, 'cierre', TODAY);
    const batch = await prepare(author, { invoiceId: over }, { invoiceId: twin });
    const found = (id: number) =>
      new Map(
        batch.lines
          .find(({ invoiceId }) => invoiceId === id)!
          .verdict.findings.map(({ code, level, remedy }) => [code, [level, remedy]]),
      );
    expect([...found(over)]).toEqual([
      ['periodo_cerrado', ['impedir', '/programaciones']],
      ['duplicada', ['avisar', `/editinvoicepage/${twin}`]],
      ['presupuesto_excedido', ['avisar', `/presupuestos?jobId=${jobId}`]],
      ['rep_pendiente', ['avisar', `/pagos-proveedores?supplierId=${supplierId}&rep=sin`]],
      ['xml_faltante', ['avisar', `/editinvoicepage/${over}`]],
    ]);
    expect([...found(twin).keys()]).not.toContain('presupuesto_excedido');
    // The remedy links to the budget's page, which states the figures of the finding.
    const { reason, remedy } = batch.lines
      .flatMap(({ verdict }) => verdict.findings)
      .find(({ code }) => code === 'presupuesto_excedido')!;
    expect(reason).toContain('un presupuesto de $1,500.00 y llevan $2,000.00');
    const page = await (await createTestApp({ db: fresh.db }).as(1)).get(remedy);
    const { rows } = await readPage(page);
    expect(rows[0]).toEqual(expect.arrayContaining(['Sin rubro', '$2,000.00', '-$500.00']));
    expect(payableSumOf(batch)).toBe(0);
  });

  it('is not saved over a newer version, and what it names is not deleted', async () => {
    const { author, approver } = await people(fresh.db);
    const invoiceId = await addInvoice(fresh.db, { numfactura: 'A-7' });
    const { id, version } = await prepare(author, { invoiceId });
    await updateBatch(fresh.db, author, id, { comments: 'uno' }, version);
    const late = updateBatch(fresh.db, author, id, { comments: 'dos' }, version);
    await expect(late).rejects.toMatchObject({ kind: 'stale' });
    await expect(signBatch(fresh.db, approver, id, version)).rejects.toMatchObject({ kind: 'stale' });
    await expect(deleteInvoice(fresh.db, author, invoiceId)).rejects.toThrow(
      `No se puede eliminar la factura A-7: está en la programación ${id}.`,
    );
  });

  it('keeps every rule, whatever is done with it', { timeout: 300_000 }, async () => {
    const { author, approver, administrator } = await people(fresh.db);
    await changeSetting(fresh.db, administrator, 'semaforo.xml', 'ignorar');
    await changeSetting(fresh.db, administrator, 'semaforo.rfc', 'impedir');
    const source = await addFundingSource(fresh.db);
    const bad = await addSupplier(fresh.db, { rfc: 'MALO' });
    const invoices = [
      await addInvoice(fresh.db, { subtotalCents: 100, tasa: 0 }),
      await addInvoice(fresh.db, { subtotalCents: 200, tasa: 0 }),
      await addInvoice(fresh.db, { subtotalCents: 300, tasa: 0, supplierId: bad }),
    ];
    const ids: number[] = [];
    const index = fc.nat(2);
    const lines = fc.uniqueArray(
      fc.record({ at: index, cents: fc.option(fc.integer({ min: 1, max: 350 })) }),
      {
        selector: ({ at }) => at,
        minLength: 1,
      },
    );
    const step = fc.oneof(
      fc.record({ does: fc.constantFrom('create' as const, 'update' as const), at: fc.nat(5), lines }),
      fc.record({
        does: fc.constantFrom(...(['authorize', 'pay', 'return', 'delete', 'permit'] as const)),
        at: fc.nat(5),
      }),
      fc.record({ does: fc.constant('by hand' as const), at: index, cents: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ does: fc.constantFrom('refuse' as const, 'restore' as const), at: fc.nat(20) }),
    );
    const linesOf = (chosen: { at: number; cents: number | null }[]) =>
      chosen.map(({ at, cents }) => ({ invoiceId: invoices[at]!, amountCents: cents ?? undefined }));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (steps) => {
        for (const one of steps) {
          const pick = () => ids[one.at % Math.max(1, ids.length)] ?? 0;
          const work = async () => {
            if (one.does === 'create') {
              const draft = { fecha: TODAY, origenderecursoId: source, lines: linesOf(one.lines) };
              ids.push((await createBatch(fresh.db, author, draft)).id);
            } else if (one.does === 'update')
              await updateBatch(fresh.db, author, pick(), { lines: linesOf(one.lines) });
            else if (one.does === 'authorize') await signBatch(fresh.db, approver, pick());
            else if (one.does === 'return') await moveBatchBackOneStage(fresh.db, approver, pick());
            else if (one.does === 'delete') await deleteBatch(fresh.db, author, pick());
            else if (one.does === 'permit')
              await permitLine(fresh.db, approver, pick(), { invoiceId: invoices[2]!, reason: 'urge' });
            else if (one.does === 'by hand')
              await createPayment(fresh.db, author, {
                facturaproveedorId: invoices[one.at]!,
                amountCents: one.cents,
              });
            else if (one.does === 'refuse') await deletePayment(fresh.db, author, one.at + 1);
            else if (one.does === 'restore') await restorePayment(fresh.db, author, one.at + 1);
            else if (one.does === 'pay') {
              const { batch, payments } = await payBatch(fresh.db, approver, pick());
              const payableCents = payableSumOf(batch);
              const held = batch.lines.filter(isHeldLine).map(({ amountCents }) => amountCents);
              expect(batch.heldCents).toBe(held.reduce((sum, cents) => sum + cents, 0));
              expect(payments.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(payableCents);
              expect(batch.paidCents).toBe(payableCents);
              for (const line of batch.lines) expect(line.paymentId === null).toBe(isHeldLine(line));
            }
          };
          await work().catch((error: unknown) => {
            if (!(error instanceof DomainError)) throw error;
          });
        }
        expect(await findDatabaseProblems(fresh.db)).toEqual([]);
      }),
      { numRuns: chooseRunCount(5, 80, 400) },
    );
  });

  it('is paid once if two users pay it at once', async () => {
    const { author, approver } = await people(fresh.db);
    const other = fresh.database.openAgain().db;
    for (let round = 0; round < 3; round++) {
      const invoiceId = await addInvoice(fresh.db);
      const { id } = await prepare(author, { invoiceId });
      const signed = await Promise.allSettled([fresh.db, other].map((db) => signBatch(db, approver, id)));
      const paid = await Promise.allSettled([fresh.db, other].map((db) => payBatch(db, approver, id)));
      for (const outcomes of [signed, paid]) {
        expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
        expect(outcomes.find((one) => one.status === 'rejected')?.reason).toMatchObject({
          code: expect.stringMatching(/batch_state|already_signed/),
        });
      }
      expect(await paidOf(invoiceId)).toBe(116_000);
    }
  });

  it('reserves the same money once if two are prepared at once', async () => {
    const { author } = await people(fresh.db);
    const other = fresh.database.openAgain().db;
    const origenderecursoId = await addFundingSource(fresh.db);
    for (let round = 0; round < 3; round++) {
      const lines = [{ invoiceId: await addInvoice(fresh.db) }, { invoiceId: await addInvoice(fresh.db) }];
      const outcomes = await Promise.allSettled([
        createBatch(fresh.db, author, { fecha: TODAY, origenderecursoId, lines }),
        createBatch(other, author, { fecha: TODAY, origenderecursoId, lines: lines.toReversed() }),
      ]);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(outcomes.find((one) => one.status === 'rejected')?.reason).toMatchObject({
        code: 'over_committed',
      });
    }
  });

  it('stores the payments of many batches as if each were alone', async () => {
    const { author, approver } = await people(fresh.db);
    const [alone, together] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const batch = await prepare(author, { invoiceId: together });
    await signBatch(fresh.db, approver, batch.id);
    const { payments } = await payBatch(fresh.db, approver, batch.id, { referencia: 'R-1' });
    const { payment } = await createPayment(fresh.db, approver, {
      facturaproveedorId: alone,
      origenderecursoId: batch.origenderecursoId,
      amountCents: 116_000,
      checknum: 'R-1',
      comments: `Programación de pagos ${batch.id}`,
    });
    const rows = await fresh.db.selectFrom('payments').selectAll().orderBy('id').execute();
    const plain = ({ id: _id, facturaproveedorId: _invoice, ...row }: (typeof rows)[number]) => row;
    expect(plain(rows[0]!)).toEqual(plain(rows[1]!));
    const own = ({ id: _id, facturaproveedorId: _i, ...rest }: typeof payment) => ({
      ...rest,
      numfactura: '',
      suppliername: '',
      jobtitle: '',
    });
    expect(own(payments[0]!)).toEqual(own(payment));
  });
});
