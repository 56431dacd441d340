import { expect, it } from 'vitest';
import { listBudget, readHistory } from '../../../../server/services/budgets/reading.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addJob, addRubro } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';
import { importRows } from '../../../support/table-rows.ts';
import { importText } from '../../../support/tables.ts';

const row = (jobtitle: string, nombrerubro: string, presupuesto: string, motivo = '') => ({
  jobtitle,
  nombrerubro,
  presupuesto,
  motivo,
});

describeEachInLongLane('a table of budgets', (fresh) => {
  type Options = Parameters<typeof importRows>[4];
  const run = async (rows: Parameters<typeof importRows>[3], options?: Options) =>
    importRows(fresh.db, await addActor(fresh.db), 'budgets', rows, options);
  const begin = async () => ({
    jobId: await addJob(fresh.db, { jobtitle: 'Torre' }),
    rubroId: await addRubro(fresh.db, { nombrerubro: 'Acero' }),
  });
  const problems = () => findDatabaseProblems(fresh.db);

  it('sets the original amounts, each with its reason, and nothing twice', async () => {
    const { jobId, rubroId } = await begin();
    const rows = [row('Torre', 'Acero', '500000.00', 'Contrato'), row('Torre', 'Sin rubro', '7.50')];
    expect(await run(rows, { dryRun: true })).toMatchObject({ created: 2, stored: false });
    expect(await listBudget(fresh.db, jobId)).toEqual([]);
    expect(await run(rows)).toMatchObject({ created: 2, refused: [], stored: true });
    expect(await listBudget(fresh.db, jobId)).toMatchObject([
      { rubroId, originalCents: 50_000_000, presupuestoCents: 50_000_000, version: 1 },
      { rubroId: null, presupuestoCents: 750 },
    ]);
    const reasons = (await readHistory(fresh.db, jobId)).map(({ motivo }) => motivo).sort();
    expect(reasons).toEqual(['Contrato', 'Importado de una tabla']);
    expect(await run(rows)).toMatchObject({ created: 0, unchanged: 2, refused: [] });
    expect(await problems()).toEqual([]);
  });

  it('is accepted only from those who may change budgets', async () => {
    const { jobId } = await begin();
    for (const roles of [[3], [4, 5, 6]]) {
      const other = await addActor(fresh.db, { roles });
      const importing = importRows(fresh.db, other, 'budgets', [row('Torre', 'Acero', '500000.00')]);
      await expect(importing).rejects.toMatchObject({ kind: 'forbidden' });
    }
    expect(await listBudget(fresh.db, jobId)).toEqual([]);
  });

  it('adds the obras and rubros that are missing if permitted', async () => {
    const rows = Array.from({ length: 250 }, (_, n) =>
      row(`Obra ${n % 50}`, `Rubro ${n % 5}`, `${n + 1}.00`),
    );
    const options = { createMissing: true, onError: 'skip' as const };
    const { created, missingCreated } = await run(rows, options);
    expect([created, missingCreated]).toEqual([50, { jobs: 50, clients: 1, rubros: 5 }]);
    expect(await problems()).toEqual([]);
    const entries = await readRows(fresh.db, 'audit', { action: 'import' }, ['entity']);
    expect(entries.map(({ entity }) => entity).at(-1)).toBe('budgets');
    expect(entries).toHaveLength(4);
  });

  it('is read by the headings that people use, and by those of our own export', async () => {
    const text =
      'Obra,Rubro,Original,Cambios,Presupuesto,Por ejercer,%\nTorre,Acero,1.00,2.00,"$3.00",4.00,5\n';
    const rows = await importText('budgets', text);
    expect(rows[0]?.values).toMatchObject({ jobtitle: 'Torre', nombrerubro: 'Acero', presupuesto: 300 });
    const other = await importText('budgets', 'Proyecto;Partida;Vigente\nTorre;Acero;1,200.00\n');
    expect(other[0]?.values).toMatchObject({ jobtitle: 'Torre', presupuesto: 120_000 });
  });
});
