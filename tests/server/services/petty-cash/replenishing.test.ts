import { expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import {
  countCash,
  getCashCount,
  postCountDifference,
} from '../../../../server/services/petty-cash/counting.ts';
import { readFundStatement } from '../../../../server/services/petty-cash/fund-statement.ts';
import {
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../../../server/services/petty-cash/movements.ts';
import { getFundRow } from '../../../../server/services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  withdrawReplenishment,
} from '../../../../server/services/petty-cash/replenishing.ts';
import { listReplenishments } from '../../../../server/services/petty-cash/requests.ts';
import { changeSettings } from '../../../../server/services/settings/settings.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, TODAY } from '../../../support/rows.ts';

describeEachInLongLane('replenishing a fund', (fresh) => {
  async function begin() {
    const { db } = fresh;
    const [direction, holder] = [await addActor(db), await addActor(db, { roles: [1, 6] })];
    const fund = await addFund(db, { responsableId: holder.userId, aperturaCents: 100_000 });
    const spend = async (part = {}) =>
      (await createMovement(db, holder, fund.id, createExpenseValues(part))).movement;
    const figures = async () => {
      const row = await getFundRow(db, fund.id, TODAY);
      return [row.saldoCents, row.porComprobarCents, row.porReponerCents, row.solicitadoCents];
    };
    const states = async () =>
      (await readFundStatement(db, fund, { from: TODAY, to: TODAY })).entries.flatMap(
        ({ state }) => state ?? [],
      );
    return { db, direction, holder, fund, spend, figures, states };
  }

  it('requests what was spent and documented, and is authorised by somebody else than the spender', async () => {
    const { db, direction, holder, fund, spend, figures, states } = await begin();
    await expect(requestReplenishment(db, holder, fund.id, {})).rejects.toMatchObject({
      message: 'No hay gastos comprobados sin pedir.',
    });
    const [first, second] = [await spend({ importeCents: 1_000 }), await spend({ importeCents: 200 })];
    const waiting = await spend({ importeCents: 30, comprobante: 'ninguno' });
    expect(await figures()).toEqual([98_770, 30, 1_200, 0]);
    await expect(
      requestReplenishment(db, holder, fund.id, { movementIds: [first.id, waiting.id] }),
    ).rejects.toMatchObject({
      message: `El movimiento ${waiting.id} no es un gasto por reponer de esta caja.`,
    });
    const requested = await requestReplenishment(db, holder, fund.id, { movementIds: [first.id] });
    expect(requested).toMatchObject({
      replenishment: { estado: 'solicitada', importeCents: 1_000, count: 1, requestedBy: holder.userId },
      movement: null,
    });
    expect(await figures()).toEqual([98_770, 30, 1_200, 1_000]);
    expect(await states()).toEqual(['solicitado', 'por-reponer', 'por-comprobar']);
    const { id } = requested.replenishment;
    await expect(authorizeReplenishment(db, holder, id)).rejects.toMatchObject({ code: 'same_author' });
    const clerk = await addActor(db, { roles: [6] });
    // Withdrawing needs the same right as requesting: raising a fund is for roles 1 and 2.
    const raise = { tipo: 'ajuste', concepto: 'Diferencia', importeCents: 500 } as const;
    const raised = (await requestReplenishment(db, direction, fund.id, raise)).replenishment;
    await expect(withdrawReplenishment(db, clerk, raised.id)).rejects.toMatchObject({ kind: 'forbidden' });
    await withdrawReplenishment(db, direction, raised.id);
    await expect(authorizeReplenishment(db, clerk, id)).rejects.toMatchObject({ kind: 'forbidden' });
    for (const change of [
      () => updateMovement(db, holder, first.id, { importeCents: 5 }),
      () => updateMovement(db, holder, first.id, { comprobante: 'ninguno' }),
      () => deleteMovement(db, holder, first.id),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'movement_fixed' });
    const paid = await authorizeReplenishment(db, direction, id);
    expect(paid.movement).toMatchObject({
      tipo: 'reposicion',
      importeCents: 1_000,
      origenderecursoId: fund.origenderecursoId,
    });
    expect(paid.replenishment).toMatchObject({ estado: 'pagada', authorizedBy: direction.userId });
    expect(await figures()).toEqual([99_770, 30, 200, 0]);
    expect(await states()).toEqual(['repuesto', 'por-reponer', 'por-comprobar']);
    await expect(authorizeReplenishment(db, direction, id)).rejects.toMatchObject({
      code: 'already_replenished',
    });
    await expect(withdrawReplenishment(db, direction, id)).rejects.toMatchObject({
      code: 'already_replenished',
    });
    const whole = await requestReplenishment(db, direction, fund.id, {});
    expect(whole.movement).toBeNull();
    await expect(authorizeReplenishment(db, direction, whole.replenishment.id)).rejects.toMatchObject({
      code: 'same_author',
    });
    const third = await addActor(db, { roles: [2] });
    expect((await authorizeReplenishment(db, third, whole.replenishment.id)).movement).toMatchObject({
      importeCents: 200,
    });
    expect(
      (await listReplenishments(db, fund.id)).map(({ tipo, importeCents }) => [tipo, importeCents]),
    ).toEqual([
      ['reposicion', 200],
      ['reposicion', 1_000],
      ['apertura', 100_000],
    ]);
    expect(second.id).toBeGreaterThan(first.id);
    expect(await problems()).toEqual([]);
  });

  it('is undone in steps, and paid once however many authorise it at once', async () => {
    const { db, direction, holder, fund, spend, figures } = await begin();
    const spent = await spend({ importeCents: 1_000 });
    const { replenishment } = await requestReplenishment(db, holder, fund.id, {});
    const others = await Promise.all([addActor(db), addActor(db), addActor(db)]);
    const done = await Promise.allSettled(
      others.map((other) => authorizeReplenishment(db, other, replenishment.id)),
    );
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await figures()).toEqual([100_000, 0, 0, 0]);
    const movementId = (await listReplenishments(db, fund.id))[0]!.movementId!;
    await expect(updateMovement(db, direction, movementId, { importeCents: 5 })).rejects.toMatchObject({
      code: 'movement_fixed',
    });
    await deleteMovement(db, direction, movementId);
    expect(await figures()).toEqual([99_000, 0, 1_000, 1_000]);
    await expect(restoreMovement(db, direction, movementId)).rejects.toMatchObject({
      code: 'movement_fixed',
    });
    await withdrawReplenishment(db, holder, replenishment.id);
    expect(await figures()).toEqual([99_000, 0, 1_000, 0]);
    await deleteMovement(db, holder, spent.id);
    expect(await figures()).toEqual([100_000, 0, 0, 0]);
    expect(await problems()).toEqual([]);
  });

  it('may be authorised by the spender if the firm allows it', async () => {
    const { db, holder, fund, spend } = await begin();
    await changeSettings(db, await addActor(db), [{ key: 'autorizacion', value: 'misma' }]);
    await spend({ importeCents: 1_000 });
    expect((await requestReplenishment(db, holder, fund.id, {})).movement).toMatchObject({
      importeCents: 1_000,
    });
  });

  it('keeps a count next to the expected amount, and posts the difference once, with a reason', async () => {
    const { db, direction, holder, fund, spend, figures } = await begin();
    await spend({ importeCents: 1_000 });
    const wrongs = [
      [{}, 'Escribe cuántas piezas hay de cada denominación.'],
      [{ '3': 1 }, 'No existe la denominación «3».'],
      [{ '500': 1.5 }, 'De 500: se espera un número entero de 0 a 99,999.'],
      [{ '500': -1 }, 'De 500: se espera un número entero de 0 a 99,999.'],
    ] as const;
    for (const [denominaciones, message] of wrongs)
      await expect(countCash(db, direction, fund.id, { denominaciones })).rejects.toMatchObject({ message });
    const denominaciones = { '500': 1, '200.00': 2, '50': 1, '20': 1, '10': 1, '0.5': 1 };
    await expect(countCash(db, holder, fund.id, { denominaciones, sorpresa: true })).rejects.toMatchObject({
      fields: { sorpresa: expect.any(String) },
    });
    const count = await countCash(db, holder, fund.id, { denominaciones });
    expect(count).toMatchObject({
      contadoCents: 98_050,
      esperadoCents: 99_000,
      porReponerCents: 1_000,
      diferenciaCents: -950,
      pieces: { '200': 2, '0.50': 1 },
      adjustmentId: null,
    });
    await expect(postCountDifference(db, direction, count.id, '')).rejects.toMatchObject({
      fields: { motivo: expect.any(String) },
    });
    const clerk = await addActor(db, { roles: [6] });
    await expect(postCountDifference(db, clerk, count.id, 'Cambio')).rejects.toMatchObject({
      kind: 'forbidden',
    });
    const { movement } = await postCountDifference(db, direction, count.id, 'Faltó cobrar un cambio');
    expect(movement).toMatchObject({
      tipo: 'ajuste',
      importeCents: -950,
      concepto: `Faltante del arqueo ${count.id}: Faltó cobrar un cambio`,
    });
    await expect(postCountDifference(db, direction, count.id, 'Otra vez')).rejects.toMatchObject({
      code: 'movement_fixed',
    });
    await expect(updateMovement(db, direction, movement.id, { importeCents: -1 })).rejects.toMatchObject({
      code: 'movement_fixed',
    });
    expect((await figures())[0]).toBe(98_050);
    const exact = await countCash(db, direction, fund.id, {
      denominaciones: { '500': 1, '200': 2, '50': 1, '20': 1, '10': 1, '0.50': 1 },
      sorpresa: true,
    });
    expect(exact).toMatchObject({ diferenciaCents: 0, sorpresa: true });
    await expect(postCountDifference(db, direction, exact.id, 'Nada')).rejects.toMatchObject({
      code: 'no_difference',
    });
    await expect(
      countCash(db, direction, fund.id, { denominaciones: { '1000': 1 }, motivo: 'Sobró' }),
    ).rejects.toMatchObject({ code: 'same_author' });
    const more = await countCash(db, direction, fund.id, { denominaciones: { '1000': 1 } });
    await postCountDifference(db, await addActor(db, { roles: [2] }), more.id, 'Sobró');
    expect(await getCashCount(db, more.id)).toMatchObject({
      diferenciaCents: 1_950,
      adjustmentId: expect.any(Number),
    });
    expect((await figures())[0]).toBe(100_000);
    expect(await problems()).toEqual([]);
  });

  const problems = async () =>
    (await checkDatabase(fresh.db)).checks.flatMap((check) =>
      check.name === 'administrator' ? [] : check.problems,
    );
});
