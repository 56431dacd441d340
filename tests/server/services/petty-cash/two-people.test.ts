import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import {
  countCash,
  listCashCounts,
  postCountDifference,
} from '../../../../server/services/petty-cash/counting.ts';
import {
  closeFund,
  createFund,
  deleteFund,
  updateFund,
} from '../../../../server/services/petty-cash/funds.ts';
import {
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../../../server/services/petty-cash/movements.ts';
import { getFund, getFundRow, listFunds } from '../../../../server/services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  undoReplenishment,
  withdrawReplenishment,
} from '../../../../server/services/petty-cash/replenishing.ts';
import {
  listReplenishments,
  readRequestedExpenses,
} from '../../../../server/services/petty-cash/requests.ts';
import { updateUser } from '../../../../server/services/users/users.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { signedAmountOf } from '../../../../shared/petty-cash.ts';
import { addFund, allowSelfApproval, createExpenseValues } from '../../../support/petty-cash.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, TODAY } from '../../../support/rows.ts';
import { readRow, readRows } from '../../../support/stored.ts';

const SAME = { code: 'same_author' };

describeEachInLongLane('money that goes into a fund', (fresh) => {
  const row = async (id: number) => getFundRow(fresh.db, id, TODAY);
  async function begin(part: Parameters<typeof addFund>[1] = {}) {
    const { db } = fresh;
    const [ana, bea, carla] = [await addActor(db), await addActor(db, { roles: [2] }), await addActor(db)];
    const fund = await addFund(db, { responsableId: ana.userId, aperturaCents: 100_000, ...part });
    return { db, ana, bea, carla, fund };
  }
  const problems = async () =>
    (await checkDatabase(fresh.db, { deep: true })).checks.flatMap(({ name, problems }) =>
      name === 'administrator' ? [] : problems.filter(({ entity }) => entity.startsWith('petty-cash')),
    );

  it('is requested by whoever opens the fund, and is not in it before somebody else agrees', async () => {
    const { db, ana, bea, carla } = await begin();
    const draft = {
      nombre: 'Obra',
      responsableId: ana.userId,
      origenderecursoId: await addFundingSource(db),
    };
    for (const roles of [[6], [5], [4], [3]])
      await expect(createFund(db, await addActor(db, { roles }), draft)).rejects.toMatchObject({
        kind: 'forbidden',
      });
    const fund = await createFund(db, bea, draft, 500_000_000);
    expect(await row(fund.id)).toMatchObject({ saldoCents: 0, porAutorizarCents: 500_000_000 });
    const [requested] = await listReplenishments(db, fund.id);
    expect(requested).toMatchObject({ tipo: 'apertura', estado: 'solicitada', requestedBy: bea.userId });
    for (const own of [ana, bea])
      await expect(authorizeReplenishment(db, own, requested!.id)).rejects.toMatchObject(SAME);
    await expect(deleteFund(db, bea, fund.id)).rejects.toMatchObject({ code: 'in_use' });
    const paid = await authorizeReplenishment(db, carla, requested!.id);
    expect(paid.movement).toMatchObject({ tipo: 'apertura', origenderecursoId: draft.origenderecursoId });
    expect(await row(fund.id)).toMatchObject({ saldoCents: 500_000_000, porAutorizarCents: 0 });
    expect(await problems()).toEqual([]);
  });

  it('is not paid to somebody who hands over the fund, requests it, and takes the fund back', async () => {
    const { db, ana, bea, carla, fund } = await begin();
    await createMovement(db, ana, fund.id, createExpenseValues({ importeCents: 40_000 }));
    await updateFund(db, ana, fund.id, { responsableId: bea.userId });
    const { replenishment, movement } = await requestReplenishment(db, ana, fund.id, {});
    expect(movement).toBeNull();
    await expect(authorizeReplenishment(db, ana, replenishment.id)).rejects.toMatchObject(SAME);
    await withdrawReplenishment(db, bea, replenishment.id);
    const again = await requestReplenishment(db, bea, fund.id, {});
    await expect(authorizeReplenishment(db, ana, again.replenishment.id)).rejects.toMatchObject(SAME);
    await updateFund(db, ana, fund.id, { responsableId: ana.userId });
    await authorizeReplenishment(db, carla, again.replenishment.id);
    expect(await row(fund.id)).toMatchObject({ saldoCents: 100_000, porReponerCents: 0 });
  });

  it('is not authorised by a present or former holder, even for expenses captured by another user', async () => {
    const { db, ana, bea, carla, fund } = await begin();
    const clerk = await addActor(db, { roles: [6] });
    await createMovement(db, clerk, fund.id, createExpenseValues());
    await updateFund(db, carla, fund.id, { responsableId: bea.userId });
    const { replenishment } = await requestReplenishment(db, clerk, fund.id, {});
    for (const holder of [ana, bea])
      await expect(authorizeReplenishment(db, holder, replenishment.id)).rejects.toMatchObject(SAME);
    await authorizeReplenishment(db, carla, replenishment.id);
  });

  it('is not authorised by whoever captured an expense, even if another user has saved it since', async () => {
    const { db, bea, carla, fund } = await begin();
    const { movement } = await createMovement(db, bea, fund.id, createExpenseValues({ importeCents: 1_000 }));
    await updateMovement(db, carla, movement.id, { comments: 'Revisado' });
    const clerk = await addActor(db, { roles: [6] });
    const { replenishment } = await requestReplenishment(db, clerk, fund.id, {});
    await expect(authorizeReplenishment(db, bea, replenishment.id)).rejects.toMatchObject(SAME);
    expect((await authorizeReplenishment(db, carla, replenishment.id)).movement).not.toBeNull();
  });

  it('is not authorised by whoever increased an expense, while a save that changes nothing is no edit', async () => {
    const { db, bea, carla, fund } = await begin();
    const clerk = await addActor(db, { roles: [6] });
    const { movement } = await createMovement(
      db,
      clerk,
      fund.id,
      createExpenseValues({ importeCents: 1_000 }),
    );
    await updateMovement(db, bea, movement.id, { importeCents: 90_000 });
    const same = await updateMovement(db, carla, movement.id, { importeCents: 90_000, concepto: 'Gasolina' });
    expect(same.movement.version).toBe(2);
    const { replenishment } = await requestReplenishment(db, clerk, fund.id, {});
    await expect(authorizeReplenishment(db, bea, replenishment.id)).rejects.toMatchObject(SAME);
    await authorizeReplenishment(db, carla, replenishment.id);
  });

  it('is not authorised by whoever spent from the fund, even if that expense is not part of the request', async () => {
    const { db, bea, carla, fund } = await begin();
    const clerk = await addActor(db, { roles: [6] });
    const { movement } = await createMovement(db, clerk, fund.id, createExpenseValues());
    await createMovement(db, bea, fund.id, createExpenseValues({ comprobante: 'ninguno' }));
    const requested = await requestReplenishment(db, clerk, fund.id, { movementIds: [movement.id] });
    await expect(authorizeReplenishment(db, bea, requested.replenishment.id)).rejects.toMatchObject(SAME);
    await authorizeReplenishment(db, carla, requested.replenishment.id);
  });

  it('cannot be added by one person alone: by capture, increase, restoration or a surplus in a count', async () => {
    const { db, ana, bea, carla, fund } = await begin();
    for (const tipo of ['apertura', 'ajuste'] as const)
      await expect(
        createMovement(db, bea, fund.id, { tipo, concepto: 'Más', importeCents: 500_000_000 }),
      ).rejects.toMatchObject(SAME);
    const less = { tipo: 'ajuste', concepto: 'Falta', importeCents: -100 } as const;
    const { movement } = await createMovement(db, bea, fund.id, less);
    await expect(updateMovement(db, bea, movement.id, { importeCents: 9_000 })).rejects.toMatchObject(SAME);
    await updateMovement(db, bea, movement.id, { importeCents: -50 });
    const more = { tipo: 'ajuste', concepto: 'Más', importeCents: 700 } as const;
    const clerk = await addActor(db, { roles: [6] });
    await expect(requestReplenishment(db, clerk, fund.id, more)).rejects.toMatchObject({ kind: 'forbidden' });
    const requested = await requestReplenishment(db, bea, fund.id, more);
    const { movement: paid } = await authorizeReplenishment(db, carla, requested.replenishment.id);
    expect((await row(fund.id)).saldoCents).toBe(100_650);
    await expect(updateMovement(db, bea, paid!.id, { importeCents: 600 })).rejects.toMatchObject({
      code: 'movement_fixed',
    });
    await deleteMovement(db, bea, paid!.id);
    await expect(restoreMovement(db, bea, paid!.id)).rejects.toMatchObject({ code: 'movement_fixed' });
    expect(await row(fund.id)).toMatchObject({ saldoCents: 99_950, porAutorizarCents: 700 });
    const count = await countCash(db, bea, fund.id, { denominaciones: { '1000': 5 } });
    for (const own of [ana, bea])
      await expect(postCountDifference(db, own, count.id, 'Sobró')).rejects.toMatchObject(SAME);
    await postCountDifference(db, carla, count.id, 'Sobró');
    expect((await row(fund.id)).saldoCents).toBe(500_000);
    expect(await problems()).toEqual([]);
  });

  it('that was requested and deleted is requested again, and not restored as well', async () => {
    const { db, bea, fund } = await begin();
    await allowSelfApproval(db);
    const more = { tipo: 'apertura', concepto: 'Más', importeCents: 700 } as const;
    const { movement, replenishment } = await requestReplenishment(db, bea, fund.id, more);
    await deleteMovement(db, bea, movement!.id);
    await expect(restoreMovement(db, bea, movement!.id)).rejects.toMatchObject({ code: 'movement_fixed' });
    await authorizeReplenishment(db, bea, replenishment.id);
    expect((await row(fund.id)).saldoCents).toBe(100_700);
    expect(await problems()).toEqual([]);
  });

  it('raises the fixed amount once it is in the fund, and saldo, por comprobar and por reponer add up to that', async () => {
    const { db, ana, bea, carla, fund } = await begin({ montofijoCents: 100_000 });
    await createMovement(db, ana, fund.id, createExpenseValues({ importeCents: 30_000 }));
    await createMovement(
      db,
      ana,
      fund.id,
      createExpenseValues({ importeCents: 5_000, comprobante: 'ninguno' }),
    );
    await requestReplenishment(db, ana, fund.id, {});
    const holds = async () => {
      const { saldoCents, porComprobarCents, porReponerCents, montofijoCents } = await row(fund.id);
      expect(saldoCents + porComprobarCents + porReponerCents).toBe(montofijoCents);
      return montofijoCents;
    };
    expect(await holds()).toBe(100_000);
    const clerk = await addActor(db, { roles: [5] });
    await expect(updateFund(db, clerk, fund.id, { montofijoCents: 9_000_000 })).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await updateFund(db, bea, fund.id, { montofijoCents: 150_000, comments: 'Crece' });
    expect(await getFund(db, fund.id)).toMatchObject({ montofijoCents: 100_000, comments: 'Crece' });
    expect(await holds()).toBe(100_000);
    const [requested] = await listReplenishments(db, fund.id);
    await expect(authorizeReplenishment(db, bea, requested!.id)).rejects.toMatchObject(SAME);
    await authorizeReplenishment(db, carla, requested!.id);
    expect(await holds()).toBe(150_000);
    await undoReplenishment(db, bea, requested!.id);
    expect(await holds()).toBe(100_000);
    expect(await problems()).toEqual([]);
    await allowSelfApproval(db);
    expect(await updateFund(db, bea, fund.id, { montofijoCents: 110_000 })).toMatchObject({
      montofijoCents: 110_000,
    });
    expect(await holds()).toBe(110_000);
  });

  it('is not requested beyond the total, however often the same amount is requested', async () => {
    const { db, bea, carla, fund } = await begin({ montofijoCents: 100_000 });
    for (const montofijoCents of [150_000, 150_000, 200_000, 120_000])
      await updateFund(db, bea, fund.id, { montofijoCents });
    const requested = await listReplenishments(db, fund.id);
    expect(requested.flatMap(({ amplia, importeCents }) => (amplia ? [importeCents] : []))).toEqual([
      50_000, 50_000,
    ]);
    for (const { id, estado } of requested)
      if (estado === 'solicitada') await authorizeReplenishment(db, carla, id);
    expect(await row(fund.id)).toMatchObject({ montofijoCents: 200_000, saldoCents: 200_000 });
    expect(await problems()).toEqual([]);
  });

  it('cannot enter a closed fund, and a fund is closed only when it is empty and nothing is expected', async () => {
    const { db, ana, bea, carla, fund } = await begin();
    const clerk = await addActor(db, { roles: [6] });
    await expect(closeFund(db, clerk, fund.id)).rejects.toMatchObject({ kind: 'forbidden' });
    const { movement } = await createMovement(
      db,
      ana,
      fund.id,
      createExpenseValues({ comprobante: 'ninguno', importeCents: 40_000 }),
    );
    await requestReplenishment(db, bea, fund.id, { tipo: 'apertura', concepto: 'Más', importeCents: 10 });
    await expect(closeFund(db, bea, fund.id)).rejects.toMatchObject({
      code: 'fund_not_settled',
      message: `La caja chica «${fund.nombre}» todavía no se puede cerrar: hay $600.00 en ella, faltan comprobantes por $400.00, hay $0.10 por autorizar.`,
    });
    await withdrawReplenishment(db, carla, (await listReplenishments(db, fund.id))[0]!.id);
    await updateMovement(db, ana, movement.id, { comprobante: 'nota' });
    await createMovement(db, ana, fund.id, { tipo: 'devolucion', concepto: 'Resto', importeCents: 60_000 });
    await expect(updateUser(db, bea, ana.userId, { active: false })).rejects.toMatchObject({
      code: 'holds_fund',
      message: `${ana.username} tiene la caja chica «${fund.nombre}»: antes se entrega a otra persona, o se cierra.`,
    });
    await closeFund(db, bea, fund.id);
    const closed = { code: 'fund_closed' };
    for (const late of [
      () => createMovement(db, ana, fund.id, createExpenseValues()),
      () => updateMovement(db, ana, movement.id, { comments: 'x' }),
      () => deleteMovement(db, ana, movement.id),
      () => requestReplenishment(db, ana, fund.id, {}),
      () => updateFund(db, bea, fund.id, { comments: 'x' }),
      () => countCash(db, bea, fund.id, { denominaciones: { '1': 1 } }),
      () => closeFund(db, bea, fund.id),
    ])
      await expect(late()).rejects.toMatchObject(closed);
    expect((await listFunds(db, TODAY, 'abiertas')).map(({ id }) => id)).not.toContain(fund.id);
    expect((await listFunds(db, TODAY, 'cerradas')).map(({ id }) => id)).toEqual([fund.id]);
    expect(await updateUser(db, bea, ana.userId, { active: false })).toMatchObject({ active: false });
    const { origenderecursoId } = fund;
    const draft = { nombre: 'Otra', responsableId: ana.userId, origenderecursoId };
    await expect(createFund(db, bea, draft)).rejects.toMatchObject({
      fields: { responsableId: 'El responsable no es un usuario activo.' },
    });
  });

  it('needs an active holder: a fund is not handed to a user who is being deactivated at that moment', async () => {
    const { db, bea, carla, fund } = await begin();
    const taker = await addActor(db, { roles: [6] });
    await Promise.allSettled([
      updateUser(db, carla, taker.userId, { active: false }),
      updateFund(db, bea, fund.id, { responsableId: taker.userId }),
    ]);
    const { responsableId } = await getFund(db, fund.id);
    const { active } = await readRow(db, 'users', { id: taker.userId }, ['active']);
    expect([responsableId === taker.userId, active]).toEqual([
      active === 1,
      responsableId === taker.userId ? 1 : 0,
    ]);
  });

  type Step = readonly [what: (typeof STEPS)[number], who: number, whom: number, cents: number];
  const STEPS = [
    ...(['hand over', 'spend', 'change the amount', 'change the words', 'ask', 'ask for some'] as const),
    ...(['ask by itself', 'widen', 'authorise', 'authorise', 'authorise', 'withdraw', 'undo'] as const),
    ...(['delete', 'restore', 'capture', 'count', 'settle'] as const),
  ];

  const COUNTED_AND_REWORDED: Step[] = [
    ['count', 1, 0, 100],
    ['settle', 2, 0, 1],
    ['change the words', 1, 0, 7],
  ];

  it('never depends on one person alone, whatever three people do in whatever order', async () => {
    const { db } = fresh;
    const people = [await addActor(db), await addActor(db), await addActor(db, { roles: [2] })];
    const origenderecursoId = await addFundingSource(db);
    let funds = 0;
    const step = fc.tuple(
      fc.constantFrom(...STEPS),
      fc.nat(2),
      fc.nat(2),
      fc.integer({ min: 1, max: 50_000 }),
    );
    const sequences = fc.array(step, { minLength: 10, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(sequences, async (steps: Step[]) => {
        const nombre = `Caja de tres ${++funds}`;
        const holder = people[0]!;
        const draft = { nombre, responsableId: holder.userId, origenderecursoId, montofijoCents: 1_000 };
        const { id } = await createFund(db, people[1]!, draft, 100_000);
        // The test's own record of who did what, independent of the database.
        let holds = holder.userId;
        const spenders = new Map<number, Set<number>>();
        const askers = new Map<number, number[]>();
        const [first] = await listReplenishments(db, id);
        askers.set(first!.id, [people[1]!.userId, holds]);
        const last = async (tipo?: string) =>
          db
            .selectFrom('petty_cash_movements')
            .selectAll()
            .where('fundId', '=', id)
            .$if(tipo !== undefined, (query) => query.where('tipo', '=', tipo as 'gasto'))
            .orderBy('id', 'desc')
            .executeTakeFirst();
        const waiting = async () =>
          (await listReplenishments(db, id)).find(({ estado }) => estado === 'solicitada');
        let deletedId = 0;
        const take = async ([what, who, whom, cents]: Step) => {
          const actor: Actor = people[who]!;
          const noteRequested = async () => {
            for (const { id: request, requestedBy } of await listReplenishments(db, id))
              if (!askers.has(request)) askers.set(request, [requestedBy, holds]);
          };
          if (what === 'hand over') {
            await updateFund(db, actor, id, { responsableId: people[whom]!.userId });
            holds = people[whom]!.userId;
          } else if (what === 'spend') {
            const { movement } = await createMovement(
              db,
              actor,
              id,
              createExpenseValues({ importeCents: cents }),
            );
            spenders.set(movement.id, new Set([actor.userId, holds]));
          } else if (what === 'change the amount') {
            const gasto = await last('gasto');
            if (!gasto) return;
            await updateMovement(db, actor, gasto.id, { importeCents: cents });
            if (gasto.importeCents !== cents) spenders.get(gasto.id)!.add(actor.userId);
          } else if (what === 'change the words') {
            const any = await last();
            if (any) await updateMovement(db, actor, any.id, { comments: `${cents}` });
          } else if (what === 'ask') {
            await requestReplenishment(db, actor, id, {});
            await noteRequested();
          } else if (what === 'ask for some') {
            const gasto = await last('gasto');
            if (gasto) await requestReplenishment(db, actor, id, { movementIds: [gasto.id] });
            await noteRequested();
          } else if (what === 'ask by itself') {
            const tipo = cents % 2 === 0 ? 'apertura' : 'ajuste';
            await requestReplenishment(db, actor, id, { tipo, concepto: 'Más', importeCents: cents });
            await noteRequested();
          } else if (what === 'widen') {
            const { montofijoCents } = await getFund(db, id);
            await updateFund(db, actor, id, { montofijoCents: (montofijoCents ?? 0) + cents });
            await noteRequested();
          } else if (what === 'authorise') {
            const request = await waiting();
            if (!request) return;
            const unreplenished = new Set<number>();
            for (const [movementId, involved] of spenders) {
              const gasto = await db
                .selectFrom('petty_cash_movements')
                .select('replenishmentId')
                .where('id', '=', movementId)
                .executeTakeFirst();
              if (!gasto) continue;
              const paid = (await listReplenishments(db, id)).find(
                (one) => one.id === gasto.replenishmentId && one.estado === 'pagada',
              );
              if (!paid) for (const hand of involved) unreplenished.add(hand);
            }
            await authorizeReplenishment(db, actor, request.id);
            const behind = new Set([...askers.get(request.id)!, holds, ...unreplenished]);
            for (const expense of await readRequestedExpenses(db, request.id))
              for (const hand of spenders.get(expense.id)!) behind.add(hand);
            expect(behind, `${actor.userId} authorised what ${[...behind]} wanted`).not.toContain(
              actor.userId,
            );
          } else if (what === 'withdraw') {
            const request = await waiting();
            if (request) await withdrawReplenishment(db, actor, request.id);
          } else if (what === 'undo') {
            const paid = (await listReplenishments(db, id)).find(({ estado }) => estado === 'pagada');
            if (paid) await undoReplenishment(db, actor, paid.id);
          } else if (what === 'delete') {
            const any = await last();
            if (any) await deleteMovement(db, actor, any.id);
            deletedId = any?.id ?? 0;
          } else if (what === 'restore') {
            if (deletedId) await restoreMovement(db, actor, deletedId);
          } else if (what === 'capture') {
            const tipo = (['apertura', 'ajuste', 'devolucion'] as const)[cents % 3]!;
            await createMovement(db, actor, id, { tipo, concepto: 'Más', importeCents: cents });
          } else if (what === 'count') {
            await countCash(db, actor, id, { denominaciones: { '0.10': cents } });
          } else {
            const [count] = await listCashCounts(db, id);
            if (count) await postCountDifference(db, actor, count.id, 'Diferencia');
          }
        };
        for (const one of steps)
          await take(one).catch((error) => {
            if (!(error instanceof DomainError)) throw error;
          });
        // The row states who changed its texts last.
        const authorOf = async (movementId: number) =>
          (
            await db
              .selectFrom('audit')
              .select('userId')
              .where('entity', '=', 'petty-cash-movements')
              .where('entityId', '=', String(movementId))
              .where('action', '=', 'create')
              .executeTakeFirst()
          )?.userId;
        // All money in the fund came by a request or a count that somebody else approved.
        const requests = await listReplenishments(db, id);
        const counts = await listCashCounts(db, id);
        const movements = await readRows(db, 'petty_cash_movements', { fundId: id });
        for (const movement of movements.filter((one) => signedAmountOf(one) > 0)) {
          const request = requests.find(({ movementId }) => movementId === movement.id);
          const count = counts.find(({ adjustmentId }) => adjustmentId === movement.id);
          const [requested, signed] = request
            ? [request.requestedBy, request.authorizedBy]
            : [count?.userId, await authorOf(movement.id)];
          expect([requested, signed]).toEqual([expect.any(Number), expect.any(Number)]);
          expect(signed).not.toBe(requested);
          if (request) expect(movement.importeCents).toBe(request.importeCents);
        }
      }),
      {
        numRuns: fresh.dialect === 'sqlite' ? chooseRunCount(10, 100) : chooseRunCount(2, 40),
        examples: [[COUNTED_AND_REWORDED]],
      },
    );
    expect(await problems()).toEqual([]);
  }, 600_000);
});
