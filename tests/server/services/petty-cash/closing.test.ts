import fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { listCashCounts } from '../../../../server/services/petty-cash/counting.ts';
import { closeFund, handOverFund, updateFund } from '../../../../server/services/petty-cash/funds.ts';
import { createMovement, updateMovement } from '../../../../server/services/petty-cash/movements.ts';
import { getFundRow } from '../../../../server/services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
} from '../../../../server/services/petty-cash/replenishing.ts';
import { sumMovements } from '../../../../server/services/petty-cash/searching.ts';
import { updateUser } from '../../../../server/services/users/users.ts';
import { DENOMINATIONS, denominationCents } from '../../../../shared/petty-cash-counts.ts';
import { setClosingDate } from '../../../support/dated-rows.ts';
import { addFund, allowSelfApproval, createExpenseValues } from '../../../support/petty-cash.ts';
import { chooseRunCount, describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, TODAY } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

/** Finds the fewest notes and coins that make up an amount. */
function piecesFor(cents: number): Record<string, number> {
  let left = cents;
  const pieces: Record<string, number> = {};
  for (const one of DENOMINATIONS) {
    pieces[one] = Math.floor(left / denominationCents(one));
    left -= pieces[one] * denominationCents(one);
  }
  return pieces;
}

describeEachInLongLane('a fund that is counted', (fresh) => {
  async function begin(part: Parameters<typeof addFund>[1] = {}) {
    const { db } = fresh;
    const [ana, bea, carla] = [await addActor(db), await addActor(db, { roles: [2] }), await addActor(db)];
    const fund = await addFund(db, { responsableId: ana.userId, aperturaCents: 100_000, ...part });
    const row = () => getFundRow(db, fund.id, TODAY);
    return { db, ana, bea, carla, fund, row };
  }
  const movements = (fundId: number) =>
    readRows(fresh.db, 'petty_cash_movements', { fundId }, [
      'tipo',
      'importeCents',
      'fecha',
      'origenderecursoId',
    ]);
  const problems = async () =>
    (await checkDatabase(fresh.db, { deep: true })).checks.flatMap(({ name, problems }) =>
      name === 'administrator' ? [] : problems.filter(({ entity }) => entity.startsWith('petty-cash')),
    );
  /** Reads all rows that closing and handing over may write. */
  const stored = async () => [
    await readRows(fresh.db, 'petty_cash_funds'),
    await readRows(fresh.db, 'petty_cash_movements'),
    await readRows(fresh.db, 'petty_cash_counts'),
  ];

  it('is closed in one step: the difference is posted, then the counted cash returns to its source', async () => {
    const { db, ana, bea, fund, row } = await begin({ openedOn: '2026-11-01' });
    await closeFund(db, bea, fund.id, 1, {
      denominaciones: piecesFor(99_950),
      fecha: '2026-11-19',
      motivo: 'Faltó un cambio',
      comments: 'Fin de obra',
    });
    expect(await row()).toMatchObject({ saldoCents: 0, closedOn: TODAY });
    const { origenderecursoId } = fund;
    expect(await movements(fund.id)).toEqual([
      { tipo: 'apertura', importeCents: 100_000, fecha: '2026-11-01', origenderecursoId },
      { tipo: 'ajuste', importeCents: -50, fecha: TODAY, origenderecursoId: null },
      { tipo: 'devolucion', importeCents: 99_950, fecha: '2026-11-19', origenderecursoId },
    ]);
    const [count] = await listCashCounts(db, fund.id);
    expect(count).toMatchObject({ diferenciaCents: -50, comments: 'Fin de obra', responsableId: ana.userId });
    expect(count!.recibeId).toBeNull();
    expect(await updateUser(db, bea, ana.userId, { active: false })).toMatchObject({ active: false });
    expect(await problems()).toEqual([]);
  });

  it('is closed without a return where the count finds nothing, and the reason says why', async () => {
    const { db, bea, fund, row } = await begin();
    await closeFund(db, bea, fund.id, undefined, { denominaciones: { '1': 0 }, motivo: 'Robo' });
    expect(await row()).toMatchObject({ saldoCents: 0, closedOn: TODAY });
    expect((await movements(fund.id)).map(({ tipo }) => tipo)).toEqual(['apertura', 'ajuste']);
  });

  it('is not closed, and nothing is written, where something is wrong with the count or still awaited', async () => {
    const { db, ana, bea, carla, fund } = await begin({ openedOn: '2026-11-01' });
    const whole = piecesFor(100_000);
    const close = (draft: Parameters<typeof closeFund>[4], version?: number, actor = bea) =>
      closeFund(db, actor, fund.id, version, draft);
    const refuses = async (attempt: () => Promise<unknown>, problem: object) => {
      const before = await stored();
      await expect(attempt()).rejects.toMatchObject(problem);
      expect(await stored()).toEqual(before);
    };
    const reader = await addActor(db, { roles: [6] });
    await refuses(() => close({ denominaciones: whole }, undefined, reader), {
      kind: 'forbidden',
    });
    await refuses(() => close({ denominaciones: whole }, 7), { kind: 'stale' });
    await refuses(() => close({}), { fields: { denominaciones: expect.any(String) } });
    await refuses(() => close({ denominaciones: { '3': 1 } }), { message: 'No existe la denominación «3».' });
    await refuses(() => close({ denominaciones: piecesFor(99_000) }), {
      fields: {
        motivo: 'Se contaron $990.00 y debe haber $1,000.00: indica el motivo de la diferencia.',
      },
    });
    await refuses(() => close({ denominaciones: piecesFor(100_100), motivo: 'Sobró' }), {
      code: 'same_author',
      message: 'Sobran $1.00: guarda antes un arqueo, y que otra persona ajuste la diferencia.',
    });
    await refuses(() => close({ denominaciones: whole, fecha: '2026-11-21' }), {
      fields: { fecha: expect.any(String) },
    });
    await refuses(() => close({ denominaciones: whole, fecha: '2026-10-31' }), {
      fields: { fecha: expect.any(String) },
    });
    await refuses(() => close({ denominaciones: whole, esperado: 99_000 }), {
      code: 'fund_moved',
      message:
        'El dinero de la caja se movió mientras la contabas: debía haber $990.00, y ahora $1,000.00. Cuenta otra vez.',
    });
    const { movement } = await createMovement(
      db,
      ana,
      fund.id,
      createExpenseValues({ comprobante: 'ninguno', importeCents: 40_000 }),
    );
    const rest = piecesFor(60_000);
    const unsettled = (what: string) => ({
      code: 'fund_not_settled',
      message: `La caja chica «${fund.nombre}» todavía no se puede cerrar: ${what}.`,
    });
    await refuses(() => close({ denominaciones: rest }), unsettled('faltan comprobantes por $400.00'));
    await updateMovement(db, ana, movement.id, { comprobante: 'nota' });
    await refuses(() => close({ denominaciones: rest }), unsettled('hay $400.00 por reponer'));
    const { replenishment } = await requestReplenishment(db, ana, fund.id, {});
    await refuses(() => close({ denominaciones: rest }), unsettled('hay $400.00 por autorizar'));
    await authorizeReplenishment(db, carla, replenishment.id);
    await setClosingDate(db, TODAY);
    await refuses(() => close({ denominaciones: whole }), { code: 'closed_period' });
    await setClosingDate(db, '');
    await close({ denominaciones: whole, esperado: 100_000 });
    await refuses(() => close({ denominaciones: whole }, 1), { code: 'fund_closed' });
    expect(await problems()).toEqual([]);
  });

  it('is closed without a count as long as it is empty, whatever was never replenished', async () => {
    const { db, ana, bea, fund, row } = await begin();
    await createMovement(db, ana, fund.id, createExpenseValues({ importeCents: 100_000 }));
    await closeFund(db, bea, fund.id);
    expect(await row()).toMatchObject({ saldoCents: 0, porReponerCents: 100_000, closedOn: TODAY });
    const sumOf = async (fundId?: number) =>
      (await sumMovements(db, { estado: 'por-reponer', fundId })).outCents;
    expect([await sumOf(), await sumOf(fund.id)]).toEqual([0, 100_000]);
  });

  it('takes its surplus back to its origin where the firm lets one person post it', async () => {
    const { db, bea, fund, row } = await begin();
    await allowSelfApproval(db);
    const later = { ...bea, at: new Date(Date.parse(bea.at) + 1000).toISOString() };
    await closeFund(db, later, fund.id, 1, {
      denominaciones: piecesFor(100_250),
      motivo: 'Un cambio de más',
    });
    expect(await row()).toMatchObject({ saldoCents: 0, closedOn: TODAY });
    expect((await movements(fund.id)).map(({ importeCents }) => importeCents)).toEqual([
      100_000, 250, 100_250,
    ]);
  });

  it('is closed by one of two people who close it at once, and the other is told', async () => {
    const { db, bea, carla, fund, row } = await begin();
    const denominaciones = piecesFor(100_000);
    const results = await Promise.allSettled(
      [bea, carla].map((actor) => closeFund(db, actor, fund.id, 1, { denominaciones })),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = results.find((one) => one.status === 'rejected');
    expect(lost?.reason).toMatchObject({
      code: 'fund_closed',
      message: `La caja chica «${fund.nombre}» se cerró el viernes 20 de noviembre de 2026.`,
    });
    expect(await row()).toMatchObject({ saldoCents: 0 });
    expect((await movements(fund.id)).map(({ tipo }) => tipo)).toEqual(['apertura', 'devolucion']);
  });

  it('is handed over with both names and the shortage posted, and the former holder may be deactivated', async () => {
    const { db, ana, bea, carla, fund, row } = await begin({ montofijoCents: 100_000 });
    await createMovement(db, ana, fund.id, createExpenseValues({ importeCents: 10_000 }));
    const [responsableId, before] = [carla.userId, await row()];
    const draft = { responsableId, denominaciones: piecesFor(89_000), motivo: 'Faltó un vale' };
    const count = await handOverFund(db, bea, fund.id, draft, 1);
    expect(count).toMatchObject({
      responsableId: ana.userId,
      recibeId: carla.userId,
      recibe: 'Nombre Apellido',
      diferenciaCents: -1_000,
      porReponerCents: 10_000,
    });
    expect(count.adjustmentId).not.toBeNull();
    expect(await row()).toMatchObject({ responsableId, saldoCents: before.saldoCents - 1_000 });
    expect(await updateUser(db, bea, ana.userId, { active: false })).toMatchObject({ active: false });
    expect(await problems()).toEqual([]);
  });

  it('keeps its holder if it is handed over to nobody, to the holder, or to a deactivated user', async () => {
    const { db, ana, bea, carla, fund, row } = await begin();
    await updateUser(db, bea, carla.userId, { active: false });
    const denominaciones = piecesFor(100_000);
    const attempts = [
      [{}, 'Elige a quién se entrega la caja.'],
      [{ responsableId: ana.userId }, 'La caja ya la tiene Nombre Apellido: elige a otra persona.'],
      [{ responsableId: carla.userId }, 'El responsable no es un usuario activo.'],
      [{ responsableId: 9_999 }, 'No existe el usuario 9999.'],
    ] as const;
    const before = await stored();
    for (const [to, message] of attempts)
      await expect(handOverFund(db, bea, fund.id, { ...to, denominaciones })).rejects.toMatchObject({
        fields: { responsableId: message },
      });
    await expect(handOverFund(db, bea, fund.id, { responsableId: bea.userId })).rejects.toMatchObject({
      fields: { denominaciones: expect.any(String) },
    });
    await expect(
      handOverFund(db, bea, fund.id, { responsableId: bea.userId, denominaciones: { '1': 1 } }),
    ).rejects.toMatchObject({ fields: { motivo: expect.any(String) } });
    await expect(
      handOverFund(db, bea, fund.id, { responsableId: bea.userId, denominaciones, esperado: 1 }),
    ).rejects.toMatchObject({ code: 'fund_moved' });
    expect(await stored()).toEqual(before);
    // The holder can still be changed without a count.
    await updateFund(db, bea, fund.id, { responsableId: bea.userId });
    expect(await row()).toMatchObject({ responsableId: bea.userId, saldoCents: 100_000 });
  });

  it('keeps saldo, por comprobar and por reponer together, and leaves nothing behind, whatever happened before', async () => {
    const step = fc.tuple(
      fc.constantFrom('spend', 'awaited', 'replenish', 'hand over', 'short'),
      fc.integer({ min: 1, max: 400 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { db, ana, bea, carla, fund, row } = await begin({ montofijoCents: 100_000 });
        let missingCents = 0;
        const holds = async () => {
          const { saldoCents, porComprobarCents, porReponerCents, montofijoCents } = await row();
          expect(saldoCents + porComprobarCents + porReponerCents + missingCents).toBe(montofijoCents);
        };
        const replenish = async () => {
          const { porReponerCents, solicitadoCents } = await row();
          if (porReponerCents === solicitadoCents) return;
          const { replenishment } = await requestReplenishment(db, bea, fund.id, {});
          const signer = await addActor(db);
          await authorizeReplenishment(db, signer, replenishment.id);
        };
        for (const [what, hundreds] of steps) {
          const { saldoCents, responsableId } = await row();
          const importeCents = hundreds * 100;
          const comprobante = what === 'awaited' ? 'ninguno' : 'nota';
          if (what === 'replenish') await replenish();
          else if (importeCents > saldoCents) continue;
          else if (what === 'spend' || what === 'awaited')
            await createMovement(db, ana, fund.id, createExpenseValues({ importeCents, comprobante }));
          else {
            const lostCents = what === 'short' ? importeCents : 0;
            const taker = responsableId === ana.userId ? carla : ana;
            const denominaciones = piecesFor(saldoCents - lostCents);
            const draft = { responsableId: taker.userId, denominaciones, motivo: 'Faltó' };
            await handOverFund(db, bea, fund.id, draft);
            missingCents += lostCents;
          }
          await holds();
        }
        for (const { id } of await readRows(db, 'petty_cash_movements', { fundId: fund.id, tipo: 'gasto' }, [
          'id',
        ]))
          await updateMovement(db, ana, id, { comprobante: 'nota' }).catch(() => {});
        await replenish();
        const { saldoCents } = await row();
        expect(saldoCents).toBe(100_000 - missingCents);
        await closeFund(db, bea, fund.id, undefined, { denominaciones: piecesFor(saldoCents) });
        expect(await row()).toMatchObject({ saldoCents: 0, porComprobarCents: 0, porReponerCents: 0 });
      }),
      { numRuns: chooseRunCount(4, 25) },
    );
    expect(await problems()).toEqual([]);
  });
});
