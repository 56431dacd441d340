import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { readTasks } from '../../../../server/services/notices/tasks.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../../../server/services/petty-cash/replenishing.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { addBatch } from '../../../support/batches.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addFund, spending } from '../../../support/petty-cash.ts';
import { actor, addActor } from '../../../support/rows.ts';

describeEachDatabase('the task of a user', (fresh) => {
  const tasksOf = async (who: Actor) =>
    (await readTasks(fresh.db, who, await readSettings(fresh.db))).map(({ label, href }) => [label, href]);

  it('is a batch to sign, for whoever may sign it and has neither made nor signed it', async () => {
    const { db } = fresh;
    const [author, other, clerk] = [
      await addActor(db, { roles: [1] }),
      await addActor(db, { roles: [2] }),
      await addActor(db, { roles: [4] }),
    ];
    const { id } = await addBatch(db, { author });
    const sign = [[`Autorizar la programación ${id}`, `/programaciones/${id}`]];
    expect(await tasksOf(other)).toEqual(sign);
    expect([await tasksOf(author), await tasksOf(clerk)]).toEqual([[], []]);
    await changeSetting(db, actor(), 'autorizacion', 'misma');
    expect(await tasksOf(author)).toEqual([]);
    const later = await addBatch(db, { author });
    expect(await tasksOf(author)).toEqual([
      [`Autorizar la programación ${later.id}`, `/programaciones/${later.id}`],
    ]);
  });

  it('is a batch to pay, until it is paid', async () => {
    const { db } = fresh;
    const approver = await addActor(db, { roles: [2] });
    const signed = await addBatch(db, { approver, estado: 'autorizada' });
    const sent = await addBatch(db, { approver, estado: 'enviada' });
    await addBatch(db, { approver, estado: 'pagada' });
    const pay = (id: number) => [`Pagar la programación ${id}`, `/programaciones/${id}`];
    expect(await tasksOf(approver)).toEqual([pay(signed.id), pay(sent.id)]);
  });

  it('is petty cash to be replenished, for nobody who was involved in spending it', async () => {
    const { db } = fresh;
    const people = { holder: [1], spender: [1], asker: [2], approver: [1, 2] };
    const [holder, spender, asker, approver] = (await Promise.all(
      Object.values(people).map((roles) => addActor(db, { roles })),
    )) as [Actor, Actor, Actor, Actor];
    const { id: fundId } = await addFund(db, { nombre: 'Caja Norte', responsableId: holder.userId });
    await createMovement(db, spender, fundId, spending());
    const { replenishment } = await requestReplenishment(db, asker, fundId, {});
    expect(await tasksOf(approver)).toEqual([
      ['Reponer Caja Norte', `/caja-chica/reposiciones/${replenishment.id}`],
    ]);
    for (const own of [holder, spender, asker]) expect(await tasksOf(own)).toEqual([]);
    await authorizeReplenishment(db, approver, replenishment.id);
    expect(await tasksOf(approver)).toEqual([]);
  });
});
