import fc from 'fast-check';
import { expect, it } from 'vitest';
import { batchExport } from '../../../../server/services/exports/payment-batches.ts';
import { readTasks } from '../../../../server/services/notices/tasks.ts';
import { payBatch } from '../../../../server/services/payment-batches/paying.ts';
import { getBatch, searchBatches, sumBatches } from '../../../../server/services/payment-batches/reading.ts';
import { markBatchSent, permitLine, signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { getUserByNameOrId } from '../../../../server/services/users/reading.ts';
import { formatLeftOutSum, isHeldLine, payableSumOf } from '../../../../shared/payment-batches.ts';
import { createTestApp } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addPayment,
  addSupplier,
  createActor,
  DAY,
  NOW,
} from '../../../support/rows.ts';

/** The batch pays 1,160.00; 232.00 are held because of a supplier's RFC. */
const PAYS = '$1,160.00';
const HELD = '+ $232.00 retenido';
const WHOLE = '$1,392.00';

describeOneDatabase('the sum of a batch, next to what is held,', (fresh) => {
  async function open() {
    const { db } = fresh;
    await changeSetting(db, createActor(), 'semaforo.rfc', 'impedir');
    await changeSetting(db, createActor(), 'semaforo.xml', 'ignorar');
    const supplierId = await addSupplier(db, { rfc: 'MALO' });
    const invoiceIds = [
      await addInvoice(db, { subtotalCents: 100_000 }),
      await addInvoice(db, { supplierId, subtotalCents: 20_000 }),
    ];
    await addInvoice(db); // other invoices make the total debt a different sum
    const [author, approver, other] = [
      await addActor(db, { roles: [2] }),
      await addActor(db, { roles: [1] }),
      await addActor(db, { roles: [2] }),
    ];
    const { id } = await addBatch(db, { author, invoiceIds });
    const tasksOf = async (who: typeof author) => readTasks(db, who, await readSettings(db), DAY);
    return { db, id, payable: invoiceIds[0]!, held: invoiceIds[1]!, approver, other, tasksOf };
  }

  it('is the same on bell, heading and bar, and beside what is scheduled on the list, after each step', async () => {
    const { db, id, approver } = await open();
    const { as } = createTestApp({ db });
    const user = await as((await getUserByNameOrId(db, approver.username)) as never);
    const expectOneSum = async () => {
      const list = await (await user.get('/programaciones')).text();
      expect([list.includes(`Por pagar ${PAYS}`), list.includes(WHOLE)]).toEqual([true, true]);
      for (const path of [`/programaciones/${id}`, '/notificaciones']) {
        const text = await (await user.get(path)).text();
        expect([path, text.includes(PAYS), text.includes(HELD)]).toEqual([path, true, true]);
        expect([path, text.includes(WHOLE)]).toEqual([path, false]);
      }
    };
    await expectOneSum();
    await signBatch(db, approver, id);
    await expectOneSum();
    await markBatchSent(db, approver, id);
    await expectOneSum();
  });

  it('leaves out on button and bar what was paid in part meanwhile, which the next step would hold', async () => {
    const { db, id, held, payable, approver } = await open();
    await addPayment(db, { facturaproveedorId: payable, amountCents: 10_000, userId: approver.userId });
    const user = await createTestApp({ db }).as((await getUserByNameOrId(db, approver.username)) as never);
    const readBar = async () =>
      (await (await user.get(`/programaciones/${id}`)).text())
        .match(/class="step-bar.*?<\/section>|class="step-bar.*$/s)![0]
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');
    const allHeld = await readBar();
    expect(allHeld).toContain(`+ ${WHOLE} retenido`);
    expect(allHeld).toContain(' Autorizar ');
    expect(allHeld).not.toContain(PAYS);
    expect(allHeld).not.toMatch(/Autorizar (?:\d+ facturas? por )?\$/);
    await permitLine(db, approver, id, { invoiceId: held, reason: 'Se corrige mañana' });
    expect(await readBar()).toContain('Autorizar 1 factura por $232.00');
  });

  it('changes with the line that somebody lets through', async () => {
    const { db, id, held, approver } = await open();
    await permitLine(db, approver, id, { invoiceId: held, reason: 'Se corrige mañana' });
    const batch = await getBatch(db, id);
    expect([payableSumOf(batch), batch.heldCents]).toEqual([139_200, 0]);
    expect(await sumBatches(db, {})).toMatchObject({ totalCents: 139_200, paidCents: 0 });
  });

  it('is what was paid once a batch is paid, next to what was not, on list, heading, bar and sheet', async () => {
    const { db, id, approver } = await open();
    await signBatch(db, approver, id);
    await payBatch(db, approver, id);
    const { as } = createTestApp({ db });
    const user = await as((await getUserByNameOrId(db, approver.username)) as never);
    const batch = await getBatch(db, id);
    expect([payableSumOf(batch), formatLeftOutSum(batch)]).toEqual([116_000, '+ $232.00 sin pagar']);
    expect(await sumBatches(db, {})).toMatchObject({ totalCents: 139_200, paidCents: 116_000 });
    const list = await (await user.get('/programaciones')).text();
    expect(list).toContain('Pagado $1,160.00');
    expect(list).toContain(WHOLE);
    const page = await (await user.get(`/programaciones/${id}`)).text();
    expect(page).toMatch(
      />Sin pagar, de lo programado<\/span> <span class="payee-sum"><span class="money">\$232\.00/,
    );
    expect(page).toMatch(/>Pagado<\/span> <span class="payee-sum"><span class="money">\$1,160\.00/);
    expect([page.includes('retenido'), page.includes(WHOLE)]).toEqual([false, false]);
    const facts = batchExport(batch, DAY.timeZone).filters;
    expect(JSON.stringify(facts)).toMatch(/Pagado.*1,160\.00.*Sin pagar.*232\.00/);
  });

  it('is to be signed once, and to be paid until it is paid', async () => {
    const { db, id, approver, other, tasksOf } = await open();
    const waiting = async (who: typeof approver) =>
      (await tasksOf(who)).map(({ kind, cents, heldCents }) => [kind, cents, heldCents]);
    expect(await waiting(approver)).toEqual([['programacion', 116_000, 23_200]]);
    await signBatch(db, approver, id);
    expect(await waiting(approver)).toEqual([['pagar', 116_000, 23_200]]);
    expect(await waiting(other)).toEqual([['pagar', 116_000, 23_200]]);
    await markBatchSent(db, other, id);
    expect([await waiting(approver), await waiting(other)]).toEqual([
      [['pagar', 116_000, 23_200]],
      [['pagar', 116_000, 23_200]],
    ]);
  });

  it('is the same if the database adds it up', async () => {
    const { db, id, approver } = await open();
    const actorId = approver.userId;
    const code = fc.constantFrom('rfc_mal_formado', 'sin_xml', 'xml', 'excede_pendiente');
    const level = fc.constantFrom('avisar', 'impedir', 'ignorar');
    const finding = fc.record({ code, level, reason: fc.constantFrom('"impedir"', 'impedir', 'x') });
    const permit = fc.option(fc.uniqueArray(code, { minLength: 1 }));
    await fc.assert(
      fc.asyncProperty(fc.array(finding, { maxLength: 3 }), permit, async (findings, codes) => {
        const permitted = codes
          ? { permittedBy: actorId, permittedAt: NOW, permittedFor: codes.join(), permitReason: 'x' }
          : { permittedBy: null, permittedAt: null, permittedFor: null, permitReason: null };
        const verdict = JSON.stringify({ step: 'elegir', at: 'x', findings });
        const lines = db.updateTable('payment_batch_lines').set({ verdict, ...permitted } as never);
        await lines.where('batchId', '=', id).execute();
        const batch = await getBatch(db, id);
        const held = batch.lines.filter(isHeldLine).reduce((sum, { amountCents }) => sum + amountCents, 0);
        const { rows } = await searchBatches(db, { limit: 10 } as never);
        expect([batch.heldCents, rows[0]!.heldCents]).toEqual([held, held]);
      }),
      { numRuns: 60 },
    );
  });
});
