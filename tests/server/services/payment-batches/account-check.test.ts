import { expect, it } from 'vitest';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { updateBatch } from '../../../../server/services/payment-batches/payment-batches.ts';
import { getBatch } from '../../../../server/services/payment-batches/reading.ts';
import { markBatchSent, permitLine, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { deleteAccount, updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { addWorkdays } from '../../../../shared/dates.ts';
import { isHeldLine, listBlockingFindings } from '../../../../shared/payment-batches.ts';
import { addAccount, clabeOf } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addSupplier, TODAY } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

/** A week earlier, so that the account is no longer new. */
const EARLIER = '2026-11-13';
const CODE = 'clabe_no_confiable';

describeEachInLongLane('the check of supplier accounts', (fresh) => {
  const prepare = async () => {
    const [author, approver, second] = [
      await addActor(fresh.db, { roles: [6] }),
      await addActor(fresh.db, { roles: [1] }),
      await addActor(fresh.db, { roles: [2] }),
    ];
    await changeSetting(fresh.db, await addActor(fresh.db), 'semaforo.xml', 'ignorar');
    return { author, approver, second };
  };

  it('holds payments to an unconfirmed or new account, at every step', async () => {
    const { author, approver, second } = await prepare();
    const before = { ...author, today: EARLIER };
    const invoiceOf = (supplierId: number) => addInvoice(fresh.db, { supplierId });
    const [none, sound, waiting, recent] = [
      await addSupplier(fresh.db),
      (await addAccount(fresh.db, { author: before })).supplierId,
      (await addAccount(fresh.db, { author: before, truster: false })).supplierId,
      (await addAccount(fresh.db)).supplierId,
    ];
    const suppliers = [none, sound, waiting, recent];
    const invoiceIds = [];
    for (const supplierId of suppliers) invoiceIds.push(await invoiceOf(supplierId));
    const { id } = await addBatch(fresh.db, { author, approver, invoiceIds });
    const findings = async () => {
      const { lines } = await getBatch(fresh.db, id);
      return suppliers.map((one) => lines.find(({ supplierId }) => supplierId === one)!);
    };
    const codes = async () =>
      (await findings()).map(({ verdict }) => [verdict.step, ...verdict.findings.map(({ code }) => code)]);
    expect(await codes()).toEqual([['elegir'], ['elegir'], ['elegir', CODE], ['elegir', CODE]]);
    const [, , unconfirmed, fresher] = await findings();
    expect(unconfirmed!.verdict.findings).toMatchObject([
      {
        level: 'impedir',
        reason: expect.stringMatching(/^La cuenta Ixe ··· \d{4}, capturada el .*, está sin confirmar\.$/),
        source: 'Cuentas bancarias',
        date: EARLIER,
        remedy: `/editsupplierpage/${waiting}#cuentas`,
      },
    ]);
    expect(fresher!.verdict.findings[0]!.reason).toMatch(/es nueva: .* lunes 23 de noviembre de 2026\.$/);

    // A confirmation counts from the next signature on; a change is noticed at the payment.
    const account = (supplierId: number) => readRow(fresh.db, 'supplier_accounts', { supplierId }, ['id']);
    const place = async (supplierId: number) => ({ supplierId, id: (await account(supplierId)).id });
    await updateAccount(fresh.db, second, await place(waiting), { trusted: true });
    await signBatch(fresh.db, approver, id);
    expect(await codes()).toEqual([['autorizar'], ['autorizar'], ['autorizar'], ['autorizar', CODE]]);
    await updateAccount(fresh.db, second, await place(sound), { clabe: clabeOf('072', 99) });
    const reason = 'Se confirmó por teléfono';
    const recentInvoice = invoiceIds[3]!;
    await permitLine(fresh.db, approver, id, { invoiceId: recentInvoice, reason });
    const { batch } = await payBatch(fresh.db, approver, id);
    expect(await codes()).toEqual([['pagar'], ['pagar', CODE], ['pagar'], ['pagar', CODE]]);
    expect(
      batch.lines.filter(({ paymentId }) => paymentId === null).map(({ supplierId }) => supplierId),
    ).toEqual([sound]);
    expect(batch.lines.filter((line) => listBlockingFindings(line).length > 0)).toHaveLength(1);
  });

  /** TODAY is a Friday: an account of today may be paid from Monday 23 on, one of the 13th since the 16th. */
  it.each([
    // day of the account, day of the batch; held when chosen, signed, sent and paid on TODAY
    [TODAY, '2026-11-13', true, true],
    [TODAY, TODAY, true, true],
    [TODAY, '2026-11-22', true, true],
    [TODAY, '2026-11-23', false, true],
    [TODAY, '2026-12-04', false, true],
    [EARLIER, '2026-11-13', false, false],
    [EARLIER, TODAY, false, false],
    [EARLIER, '2026-12-04', false, false],
  ])(
    'of %s in a batch of %s holds it: prepared %s, leaving today %s',
    async (captured, fecha, prepared, leaving) => {
      const { author, approver } = await prepare();
      const { supplierId } = await addAccount(fresh.db, { author: { ...author, today: captured } });
      const invoiceIds = [await addInvoice(fresh.db, { supplierId }), await addInvoice(fresh.db)];
      const { id, lines } = await addBatch(fresh.db, { author, approver, invoiceIds, fecha });
      const isHeldIn = (list: typeof lines) => isHeldLine(list.find((one) => one.supplierId === supplierId)!);
      const isHeld = async () => isHeldIn((await getBatch(fresh.db, id)).lines);
      expect([isHeldIn(lines), await isHeld()]).toEqual([prepared, prepared]);
      await signBatch(fresh.db, approver, id);
      expect(await isHeld()).toBe(prepared);
      await markBatchSent(fresh.db, approver, id);
      expect(await isHeld()).toBe(leaving);
      const { payments } = await payBatch(fresh.db, approver, id);
      expect([await isHeld(), payments.length]).toEqual([leaving, leaving ? 1 : 2]);
    },
  );

  it('releases lines held for a new account if the batch is moved to a later day, and holds them if moved back', async () => {
    const { author } = await prepare();
    const { supplierId } = await addAccount(fresh.db);
    const { id } = await addBatch(fresh.db, {
      author,
      invoiceIds: [await addInvoice(fresh.db, { supplierId })],
    });
    const held = [];
    for (const fecha of ['2026-11-23', TODAY, '2026-11-27'])
      held.push(isHeldLine((await updateBatch(fresh.db, author, id, { fecha })).lines[0]!));
    expect(held).toEqual([false, true, false]);
  });

  it('holds a line for its account even if that is deleted, until somebody lets it through', async () => {
    const { author, approver, second } = await prepare();
    const { supplierId, id: account } = await addAccount(fresh.db, { author, truster: false });
    const invoiceId = await addInvoice(fresh.db, { supplierId });
    const { id } = await addBatch(fresh.db, { author, approver, invoiceIds: [invoiceId] });
    const held = async () => {
      const { lines } = await getBatch(fresh.db, id);
      return lines.flatMap((line) => listBlockingFindings(line).map(({ code, reason }) => [code, reason]));
    };
    await deleteAccount(fresh.db, author, { supplierId, id: account });
    const kept = [[CODE, 'Se eliminó la cuenta por la que estaba retenida.']];
    // Neither a signature nor a changed amount or day changes that.
    await signBatch(fresh.db, approver, id);
    expect(await held()).toEqual(kept);
    await updateBatch(fresh.db, author, id, { lines: [{ invoiceId, amountCents: 1_000 }] });
    expect(await held()).toEqual(kept);
    await updateBatch(fresh.db, author, id, { fecha: '2026-11-27' });
    expect(await held()).toEqual(kept);
    await signBatch(fresh.db, approver, id);
    await expect(payBatch(fresh.db, approver, id)).rejects.toMatchObject({ code: 'all_held' });
    await permitLine(fresh.db, second, id, { invoiceId, reason: 'Se le paga con cheque' });
    expect((await payBatch(fresh.db, approver, id)).payments).toHaveLength(1);
  });

  it('follows the settings, and a new account counts as new for that long', async () => {
    const { author } = await prepare();
    const administrator = await addActor(fresh.db);
    const { supplierId } = await addAccount(fresh.db);
    const invoiceId = await addInvoice(fresh.db, { supplierId });
    const levels = async () => {
      const { lines } = await addBatch(fresh.db, { author, invoiceIds: [invoiceId] });
      await fresh.db.deleteFrom('payment_batches').execute();
      return lines[0]!.verdict.findings.map(({ level }) => level);
    };
    expect(await levels()).toEqual(['impedir']);
    await changeSetting(fresh.db, administrator, 'semaforo.cuenta', 'avisar');
    expect(await levels()).toEqual(['avisar']);
    await changeSetting(fresh.db, administrator, 'cuenta.espera', '0');
    expect(await levels()).toEqual([]);
    await changeSetting(fresh.db, administrator, 'cuenta.espera', '30');
    await changeSetting(fresh.db, administrator, 'semaforo.cuenta', 'ignorar');
    expect(await levels()).toEqual([]);
  });
});

it('leaves out Saturdays and Sundays when it counts working days', () => {
  // From a Friday, and from the Saturday after it.
  expect([0, 1, 5, 6].map((days) => addWorkdays(TODAY, days))).toEqual([
    '2026-11-20',
    '2026-11-23',
    '2026-11-27',
    '2026-11-30',
  ]);
  expect(addWorkdays('2026-11-21', 1)).toBe('2026-11-23');
});
