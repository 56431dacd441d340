import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { inTransaction } from '../../../../db/transaction.ts';
import { BUILT_IN_LAYOUTS, formatLayout } from '../../../../server/formats/bank-files/layout.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { confirmLayout, getLayout, saveLayout } from '../../../../server/services/bank-files/layouts.ts';
import { readAwaitedSignatures, readTasks } from '../../../../server/services/notices/tasks.ts';
import { signBatch } from '../../../../server/services/payment-batches/stages.ts';
import { createFund, updateFund } from '../../../../server/services/petty-cash/funds.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../../../server/services/petty-cash/replenishing.ts';
import { listReplenishments } from '../../../../server/services/petty-cash/requests.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { updateAccount } from '../../../../server/services/supplier-accounts/accounts.ts';
import { getAccount } from '../../../../server/services/supplier-accounts/reading.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { mayEnter } from '../../../../shared/roles.ts';
import { addAccount } from '../../../support/accounts.ts';
import { addBatch } from '../../../support/batches.ts';
import { createDocumentedApp } from '../../../support/documented.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addPayment,
  createActor,
  DAY,
  NOW,
  TODAY,
} from '../../../support/rows.ts';

describeOneDatabase('the task of a user', (fresh) => {
  const tasksOf = async (who: Actor) =>
    (await readTasks(fresh.db, who, await readSettings(fresh.db), DAY)).map(({ label, href }) => [
      label,
      href,
    ]);

  it('is a batch to sign, for users who may sign it and have neither made nor signed it', async () => {
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
    await changeSetting(db, createActor(), 'autorizacion', 'misma');
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
    expect(await tasksOf(approver)).toEqual([
      [`Pagar la programación ${signed.id}`, `/programaciones/${signed.id}`],
      [`Programación ${sent.id}: falta que el banco la pague`, `/programaciones/${sent.id}`],
    ]);
  });

  it('is what a batch has still to pay, once the bank has paid some of it', async () => {
    const { db } = fresh;
    const approver = await addActor(db, { roles: [2] });
    const invoiceIds = [await addInvoice(db), await addInvoice(db, { subtotalCents: 20_000 })];
    const { id } = await addBatch(db, { approver, invoiceIds, estado: 'enviada' });
    const sumOf = async () =>
      (await readTasks(db, approver, await readSettings(db), DAY)).map(({ cents }) => cents);
    expect(await sumOf()).toEqual([116_000 + 23_200]);
    const paymentId = await addPayment(db, {
      facturaproveedorId: invoiceIds[0]!,
      amountCents: 116_000,
      userId: approver.userId,
    });
    const lines = db.updateTable('payment_batch_lines').set({ paymentId });
    await lines.where('batchId', '=', id).where('invoiceId', '=', invoiceIds[0]!).execute();
    expect(await sumOf()).toEqual([23_200]);
  });

  it('is petty cash to be replenished, for nobody who was involved in spending it', async () => {
    const { db } = fresh;
    const people = { holder: [1], spender: [1], asker: [2], approver: [1, 2] };
    const [holder, spender, asker, approver] = (await Promise.all(
      Object.values(people).map((roles) => addActor(db, { roles })),
    )) as [Actor, Actor, Actor, Actor];
    const { id: fundId } = await addFund(db, { nombre: 'Caja Norte', responsableId: holder.userId });
    await createMovement(db, spender, fundId, createExpenseValues());
    const { replenishment } = await requestReplenishment(db, asker, fundId, {});
    expect(await tasksOf(approver)).toEqual([
      ['Reponer Caja Norte', `/caja-chica/reposiciones/${replenishment.id}`],
    ]);
    for (const own of [holder, spender, asker]) expect(await tasksOf(own)).toEqual([]);
    await authorizeReplenishment(db, approver, replenishment.id);
    expect(await tasksOf(approver)).toEqual([]);
  });

  it('is every document that the user may sign, of each kind, and none that is refused', async () => {
    const { db } = fresh;
    const [maker, approver, director] = [
      await addActor(db, { roles: [1] }),
      await addActor(db, { roles: [2] }),
      await addActor(db, { roles: [1] }),
    ];
    const admin = await addActor(db, { roles: [3] });
    const clerk = await addActor(db, { roles: [4, 5, 6] });
    const batch = await addBatch(db, { author: maker });
    const openFund = (nombre: string, responsableId: number) => addFund(db, { nombre, responsableId });
    const raised = await openFund('Norte', director.userId);
    await updateFund(db, maker, raised.id, { montofijoCents: 700_000 });
    await updateFund(db, maker, raised.id, { montofijoCents: 900_000 });
    const origenderecursoId = await addFundingSource(db);
    const newFund = { nombre: 'Sur', responsableId: approver.userId, origenderecursoId, openedOn: TODAY };
    const { id: newFundId } = await createFund(db, maker, newFund, 100_000);
    const account = await addAccount(db, { author: maker, truster: false });
    const byAdmin = await addAccount(db, { author: admin, truster: false });
    const layout = formatLayout({ ...BUILT_IN_LAYOUTS[0]!, plantilla: 'propia', nombre: 'Propia' });
    await saveLayout(db, { ...maker, roles: [1, 3] }, layout);
    const requestsOf = async (id: number) => (await listReplenishments(db, id)).map((one) => one.id);
    const cash = [...(await requestsOf(raised.id)), ...(await requestsOf(newFundId))];
    const trust = async (trx: Db, who: Actor, { id, supplierId }: typeof account) => {
      const { version } = await getAccount(trx, supplierId, id);
      if (!mayEnter('trust', who.roles)) throw new DomainError('forbidden', 'as the page says');
      return updateAccount(trx, who, { supplierId, id, version }, { trusted: true });
    };
    type Sign = (trx: Db, who: Actor) => Promise<unknown>;
    const signs = new Map<number | string, Sign>([
      [`programacion ${batch.id}`, (trx, who) => signBatch(trx, who, batch.id)],
      ...cash.map(
        (id) => [`caja ${id}`, (trx, who) => authorizeReplenishment(trx, who, id)] as [string, Sign],
      ),
      ...[account, byAdmin].map(
        (one) => [`cuenta ${one.id}`, (trx, who) => trust(trx, who, one)] as [string, Sign],
      ),
      [
        'plantilla propia',
        async (trx, who) =>
          confirmLayout(trx, who, {
            code: 'propia',
            version: (await getLayout(trx, 'propia')).customization?.version,
          }),
      ],
    ]);
    const undo = new Error('signed');
    const maySign = async (who: Actor, sign: Sign) => {
      const outcome = await inTransaction(db, async (trx) => {
        await sign(trx, who);
        throw undo;
      }).catch((error: unknown) => error);
      if (outcome !== undo && !(outcome instanceof DomainError)) throw outcome;
      return outcome === undo;
    };
    const settings = await readSettings(db);
    const seen = new Set<string>();
    for (const who of [maker, approver, director, admin, clerk]) {
      const allowed: unknown[] = [];
      for (const [name, sign] of signs) if (await maySign(who, sign)) allowed.push(name);
      const awaited = await readAwaitedSignatures(db, who, settings, new Date(NOW));
      const names = awaited.map(
        ({ kind, id }) => `${kind.replace(/reposicion|apertura|aumento/, 'caja')} ${id}`,
      );
      expect([who.username, names.sort()]).toEqual([who.username, allowed.sort()]);
      for (const { kind } of awaited) seen.add(kind);
    }
    expect([...seen].sort()).toEqual(['apertura', 'aumento', 'cuenta', 'plantilla', 'programacion']);
    await changeSetting(db, createActor(), 'semaforo.cuenta', 'ignorar');
    const withoutAccounts = await readAwaitedSignatures(db, director, await readSettings(db));
    expect(withoutAccounts.map(({ kind }) => kind)).not.toContain('cuenta');
  });

  it('is returned by the API, longest waiting first, and counted by the bell', async () => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6] });
    const batch = await addBatch(db, { author: { ...author, at: '2026-11-20T15:00:00.000Z' } });
    const account = await addAccount(db, {
      author: { ...author, at: '2026-11-18T15:00:00.000Z' },
      truster: false,
    });
    await addBatch(db, { estado: 'autorizada' });
    const { withToken, as } = createDocumentedApp({ db });
    const signer = await withToken(1);
    const answer = await signer.get('/api/firmas/');
    const { suppliername: titulo, supplierId } = account;
    expect(await answer.json()).toEqual([
      {
        ...{ tipo: 'cuenta', id: account.id, titulo, importe: null, desde: '2026-11-18T15:00:00.000Z' },
        href: `/editsupplierpage/${supplierId}#cuentas`,
      },
      {
        ...{ tipo: 'programacion', id: batch.id, titulo: `Programación ${batch.id}`, importe: 1160 },
        ...{ desde: '2026-11-20T15:00:00.000Z', href: `/programaciones/${batch.id}` },
      },
    ]);
    expect(await (await (await withToken(4)).get('/api/firmas/')).json()).toEqual([]);
    const bell = await (await (await as([1])).get('/notificaciones/campana')).text();
    expect(bell).toContain('Ver tus notificaciones, 2 pendientes');
    expect(bell).toContain('Pagar la programación');
    for (let more = 0; more < 5; more++) await addAccount(db, { author, truster: false });
    const folded = await (await (await as([1])).get('/notificaciones/campana')).text();
    expect(folded).toContain('Ver tus notificaciones, 7 pendientes');
    expect(folded).toContain(
      'href="/cuentas-bancarias?estado=por-confirmar">Confirmar 6 cuentas de proveedores',
    );
    expect(folded).not.toContain('Confirmar la cuenta');
  });
});
