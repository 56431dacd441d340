import fc from 'fast-check';
import { expect, it } from 'vitest';
import { listBudget, readHistory } from '../../../../server/services/budgets/reading.ts';
import { saveBudgetOfJob } from '../../../../server/services/budgets/write.ts';
import { deleteRow } from '../../../../server/services/catalogs/row-changes.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { readResults } from '../../../../server/services/results.ts';
import type { BudgetLineInput } from '../../../../shared/budgets.ts';
import { budgetTexts } from '../../../../shared/budgets.ts';
import { rubros as rubroCatalog } from '../../../../shared/catalogs/rubros.ts';
import { HOME_ZONE } from '../../../../shared/dates.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { addActor, addInvoice, addJob, addRubro, TODAY } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

describeEachDatabase('budgets', (fresh) => {
  async function begin() {
    const { db } = fresh;
    const actor = await addActor(db);
    const jobId = await addJob(db, { jobtitle: 'Torre Roble' });
    const acero = await addRubro(db, { nombrerubro: 'Acero' });
    const save = (partidas: BudgetLineInput[], motivo = 'Contrato') =>
      saveBudgetOfJob(db, actor, jobId, { motivo, partidas });
    return { db, actor, jobId, acero, save };
  }

  it('the first amount is the original, and each later one is in the history with its reason', async () => {
    const { db, jobId, acero, save } = await begin();
    expect(await save([{ rubroId: acero, presupuestoCents: 50_000_000 }])).toBe(1);
    expect(await save([{ rubroId: acero, presupuestoCents: 50_000_000 }], 'Sin cambio')).toBe(0);
    const more = [
      { rubroId: acero, presupuestoCents: 62_000_000 },
      { rubroId: null, presupuestoCents: 1 },
    ];
    expect(await save(more, 'Convenio 2')).toBe(2);
    expect(await listBudget(db, jobId)).toMatchObject([
      { nombrerubro: 'Acero', originalCents: 50_000_000, presupuestoCents: 62_000_000, version: 2 },
      { nombrerubro: 'Sin rubro', originalCents: 1, presupuestoCents: 1, version: 1 },
    ]);
    expect(await readHistory(db, jobId)).toMatchObject([
      { rubroId: null, antesCents: null, despuesCents: 1, motivo: 'Convenio 2' },
      { rubroId: acero, antesCents: 50_000_000, despuesCents: 62_000_000, motivo: 'Convenio 2' },
      { rubroId: acero, antesCents: null, despuesCents: 50_000_000, motivo: 'Contrato' },
    ]);
    const audited = await readRows(db, 'audit', { entity: 'budgets' }, ['action', 'after']);
    expect(audited.map(({ action }) => action)).toEqual(['create', 'update', 'create']);
    expect(JSON.parse(audited[1]!.after!)).toMatchObject({ amountCents: 62_000_000, motivo: 'Convenio 2' });
    expect(await findDatabaseProblems(db)).toEqual([]);
  });

  it('nothing is saved if one of the lines is refused, or if there is none', async () => {
    const { db, jobId, acero, save } = await begin();
    const line = { rubroId: acero, presupuestoCents: 100 };
    await expect(save([])).rejects.toMatchObject({ fields: { partidas: budgetTexts.noLines } });
    const beyond = save([line, { rubroId: 999_999, presupuestoCents: 1 }]);
    await expect(beyond).rejects.toMatchObject({ kind: 'invalid' });
    expect(await listBudget(db, jobId)).toEqual([]);
    await save([{ ...line, version: 0 }]);
    const late = save([{ rubroId: acero, presupuestoCents: 300, version: 0 }]);
    await expect(late).rejects.toMatchObject({
      kind: 'stale',
      extra: { current: { rubroId: acero, presupuestoCents: 100, version: 1 } },
    });
    expect(await save([{ ...line, presupuestoCents: 300 }])).toBe(1);
  });

  it('two users who set the same line for the first time at once leave one budget, and both are in its history', async () => {
    const { db, jobId, acero, save } = await begin();
    const amounts = [1_00, 2_00, 3_00];
    await Promise.all(amounts.map((presupuestoCents) => save([{ rubroId: acero, presupuestoCents }])));
    const [line, ...others] = await listBudget(db, jobId);
    expect(others).toEqual([]);
    expect(line).toMatchObject({ version: 3 });
    expect(await readHistory(db, jobId)).toHaveLength(3);
  });

  it('a rubro with a budget is not deleted', async () => {
    const { db, actor, acero, save } = await begin();
    await save([{ rubroId: acero, presupuestoCents: 5 }]);
    await expect(deleteRow(db, actor, rubroCatalog, acero)).rejects.toMatchObject({
      code: 'in_use',
      message: 'No se puede eliminar el rubro «Acero»: un presupuesto lo usa.',
    });
  });

  it('what is spent equals the cost in Resultados and petty cash, to the cent', async () => {
    const { db, actor, jobId, acero } = await begin();
    const other = await addJob(db);
    const rubros = [acero, await addRubro(db), null];
    const fund = await addFund(db, { aperturaCents: 99_999_999_999 });
    const cost = fc.record({
      subtotalCents: fc.integer({ min: 1, max: 10 ** 9 }),
      otrosimpuestosCents: fc.constantFrom(0, 33),
      rubro: fc.integer({ min: 0, max: 2 }),
      isOther: fc.boolean(),
      isPetty: fc.boolean(),
    });
    const [sample = []] = fc.sample(fc.array(cost, { minLength: 12, maxLength: 12 }), 1);
    let petty = 0;
    for (const { rubro, isOther, isPetty, subtotalCents, otrosimpuestosCents } of sample) {
      const place = { jobId: isOther ? other : jobId, rubroId: rubros[rubro]! };
      if (isPetty) {
        const movement = { ...place, comprobante: 'cfdi', subtotalCents, ivaCents: 16 } as const;
        const importeCents = subtotalCents + 16;
        await createMovement(db, actor, fund.id, createExpenseValues({ ...movement, importeCents }));
        if (!isOther) petty += subtotalCents;
      } else await addInvoice(db, { ...place, subtotalCents, otrosimpuestosCents, fechaemision: TODAY });
    }
    const sum = (await listBudget(db, jobId)).reduce((all, { gastadoCents }) => all + gastadoCents, 0);
    const { costCents } = await readResults(db, { from: '2026-01-01', to: TODAY, jobId }, HOME_ZONE);
    expect(sum).toBe(costCents + petty);
  });
});
