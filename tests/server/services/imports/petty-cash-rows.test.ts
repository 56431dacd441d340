import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { writeCsv } from '../../../../server/formats/sheets/csv.ts';
import { parseRows } from '../../../../server/formats/tables/parse-rows.ts';
import { parseTable } from '../../../../server/formats/tables/parse-table.ts';
import { planTable } from '../../../../server/formats/tables/plan.ts';
import type { TableKind } from '../../../../server/formats/tables/table.ts';
import { fundList } from '../../../../server/lists/petty-cash.ts';
import { movementList } from '../../../../server/lists/petty-cash-movements.ts';
import { readExport } from '../../../../server/lists/read-export.ts';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importTable } from '../../../../server/services/imports/import.ts';
import { acceptWithoutVoucher, createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { listFunds } from '../../../../server/services/petty-cash/reading.ts';
import { requestReplenishment } from '../../../../server/services/petty-cash/replenishing.ts';
import { openFreshDatabase } from '../../../support/databases.ts';
import { addFund, allowSelfApproval, createExpenseValues } from '../../../support/petty-cash.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addJob, addRubro, NOW, TODAY } from '../../../support/rows.ts';
import { importRows } from '../../../support/table-rows.ts';

const DAY = '2026-11-02';
const UUID = '6F1C2D3E-0000-4000-8000-000000000001';
const KINDS: TableKind[] = ['cajas', 'movimientos-caja'];

const around = (db: Db) => ({ db, today: TODAY, timeZone: 'UTC', now: new Date(NOW) });
const exportOf = async (db: Db, kind: TableKind) =>
  writeCsv(
    (kind === 'cajas'
      ? await readExport(fundList, {}, around(db))
      : await readExport(movementList, {}, around(db))
    ).sheet,
  );

describeEachInLongLane('tables of petty cash', (fresh) => {
  type Options = Parameters<typeof importRows>[4];
  const run = async (rows: Parameters<typeof importRows>[3], options?: Options, roles = [2]) =>
    importRows(fresh.db, await addActor(fresh.db, { roles }), 'movimientos-caja', rows, options);
  const reasons = ({ refused }: Awaited<ReturnType<typeof run>>) =>
    refused.map(({ reason }) => String(reason));
  const spent = (concepto: string, importe: string, more: Record<string, string> = {}) => ({
    caja: 'Obra',
    fecha: DAY,
    concepto,
    importe,
    comprobante: 'Nota',
    ...more,
  });
  const addCashFund = (part: Parameters<typeof addFund>[1] = {}) =>
    addFund(fresh.db, { nombre: 'Obra', openedOn: '2026-11-01', aperturaCents: 100_000, ...part });

  it('report a row without a day among rows that have one', async () => {
    await addCashFund();
    const result = await run([
      spent('Cable', '10.00', { fecha: '' }),
      spent('Taxi', '10.00', { fecha: '', comprobante: '' }),
      spent('Clavos', '10.00'),
    ]);
    expect(result.refused.map(({ row, column }) => [row, column])).toEqual([
      [2, 'Fecha'],
      [3, 'Fecha'],
    ]);
  });

  it('are restored from an export into an empty database unchanged', async () => {
    const { db } = fresh;
    await allowSelfApproval(db);
    const ana = await addHolder(db);
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const fund = await addCashFund({
      aperturaCents: 200_000,
      responsableId: ana.userId,
      jobId,
      montofijoCents: 100_000,
      topeCents: 60_000,
    });
    const spend = async (part: Parameters<typeof createExpenseValues>[0]) =>
      (await createMovement(db, ana, fund.id, createExpenseValues({ fecha: DAY, ...part }))).movement.id;
    await spend({
      jobId,
      rubroId: await addRubro(db),
      subtotalCents: 10_000,
      ivaCents: 1_600,
      importeCents: undefined,
    });
    await spend({ uuid: UUID, comprobante: 'cfdi', folio: 'A-1' });
    const group = [await spend({ importeCents: 5_000 }), await spend({ importeCents: 5_000 })];
    await requestReplenishment(db, ana, fund.id, { fecha: '2026-11-03', movementIds: group });
    await acceptWithoutVoucher(db, ana, await spend({ comprobante: 'ninguno', concepto: 'Propina' }));
    await spend({ comprobante: 'ninguno', concepto: 'Flete', beneficiario: 'Luis' });
    await createMovement(db, ana, fund.id, {
      tipo: 'ajuste',
      fecha: DAY,
      concepto: 'Faltante',
      importeCents: -100,
    });

    const other = await openFreshDatabase(fresh.dialect);
    try {
      const bea = await addHolder(other.db);
      const importAll = async (options: Options = {}) => {
        const results = [];
        for (const kind of KINDS) {
          const bytes = Buffer.from(await exportOf(db, kind));
          const table = await parseTable({ bytes, filename: `${kind}.csv`, kind });
          const plan = planTable(table, kind);
          expect([kind, plan.questions, plan.missingFields]).toEqual([kind, [], []]);
          const given = { source: kind, sha256: table.sha256, columns: plan.columns, createMissing: true };
          const result = await importTable(other.db, bea, kind, parseRows(table, plan), {
            ...given,
            ...options,
          });
          expect([kind, [...result.refused]]).toEqual([kind, []]);
          results.push([result.created, result.unchanged]);
        }
        return results;
      };
      expect(await importAll()).toEqual([
        [1, 0],
        [9, 0],
      ]);
      expect(await importAll()).toEqual([
        [0, 1],
        [0, 9],
      ]);
      for (const kind of KINDS) expect(await exportOf(other.db, kind)).toBe(await exportOf(db, kind));
      const readFacts = async (from: Db) => {
        const [{ saldoCents, porComprobarCents, porReponerCents, solicitadoCents } = never()] =
          await listFunds(from, TODAY);
        return { saldoCents, porComprobarCents, porReponerCents, solicitadoCents };
      };
      expect(await readFacts(other.db)).toEqual(await readFacts(db));
      const { checks } = await checkDatabase(other.db, { deep: true });
      const problems = checks.flatMap((check) => check.problems);
      // The users are fixtures without audit entries.
      expect(problems.filter(({ entity }) => entity !== 'users')).toEqual([]);
    } finally {
      await other.close();
    }
  });

  it('take no more out of a fund than is in it with all that they add, or nothing at all', async () => {
    await addCashFund({ aperturaCents: 0 });
    const rows = [
      spent('Cemento', '900'),
      spent('Arena', '200'),
      { ...spent('Más', '50', { comprobante: '' }), tipo: 'Ajuste' },
      { ...spent('Apertura', '1000', { comprobante: '' }), tipo: 'Apertura' },
    ];
    const refusedRun = await run(rows);
    expect([refusedRun.stored, reasons(refusedRun)]).toEqual([
      false,
      ['En la caja «Obra» solo hay $150.00.'],
    ]);
    expect((await listFunds(fresh.db, TODAY))[0]!.saldoCents).toBe(0);
    const rest = await run(rows, { onError: 'skip' });
    expect(rest).toMatchObject({ created: 3, stored: true });
    expect((await listFunds(fresh.db, TODAY))[0]!.saldoCents).toBe(15_000);
  });

  it('recognise rows that are on file or earlier in the file, and report similar ones', async () => {
    await addCashFund();
    const row = spent('Cemento', '100');
    expect(await run([row])).toMatchObject({ created: 1, warnings: [] });
    const again = await run([row, row, spent('Arena', '100')]);
    expect(again).toMatchObject({ created: 1, unchanged: 2 });
    expect(again.warnings.map(({ row: at, reason }) => [at, String(reason)])).toEqual([
      [3, expect.stringContaining('Es igual al renglón 2')],
      [4, 'Se parece a «Cemento», que ya está en la caja el mismo día por lo mismo.'],
    ]);
  });

  it('name a fund that does not exist', async () => {
    const reason = expect.stringContaining('No existe la caja chica «Nadie»');
    expect(reasons(await run([spent('Otra', '1', { caja: 'Nadie' })]))).toEqual([reason]);
  });

  it('replenish what was spent, and no other sum', async () => {
    await addCashFund({ aperturaCents: 0 });
    const opening = { caja: 'Obra', fecha: DAY, concepto: 'Apertura', tipo: 'Apertura', importe: '1000' };
    const given = { caja: 'Obra', fecha: DAY, concepto: 'Reposición', tipo: 'Reposición', reposicion: '7' };
    const rows = [spent('Cemento', '300', { reposicion: '7' }), { ...given, importe: '200' }, opening];
    expect(reasons(await run(rows))).toEqual([
      'La reposición 7 es de $200.00, y los gastos del archivo que repone suman $300.00.',
    ]);
    const [first] = rows;
    const right = [first!, { ...given, importe: '300' }, opening];
    expect(await run(right)).toMatchObject({ created: 3, refused: [] });
    const [fund] = await listFunds(fresh.db, TODAY);
    expect(fund).toMatchObject({ saldoCents: 100_000, porReponerCents: 0, solicitadoCents: 0 });
    expect((await checkDatabase(fresh.db)).ok).toBe(true);
  });

  it('open funds held by users, once each', async () => {
    const actor = await addHolder(fresh.db, 'luis.paz');
    const own = { nombre: 'Obra', responsable: 'luis.paz', origenderecursonombre: 'Banco', openedOn: DAY };
    const importFunds = (rows: Record<string, string>[]) =>
      importRows(fresh.db, actor, 'cajas', rows, { createMissing: true });
    expect(await importFunds([own, { ...own, montofijo: '500' }])).toMatchObject({ stored: false });
    expect(await importFunds([own])).toMatchObject({ created: 1, missingCreated: { origenes: 1 } });
    expect(await importFunds([{ ...own, nombre: 'OBRA' }])).toMatchObject({ created: 0, unchanged: 1 });
  });
});

async function addHolder(db: Db, username = 'ana.ruiz') {
  const actor = await addActor(db, { roles: [1] });
  await db.updateTable('users').set({ username }).where('id', '=', actor.userId).execute();
  return { ...actor, username };
}

function never(): never {
  throw new Error('no box');
}
