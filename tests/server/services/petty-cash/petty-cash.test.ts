import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { isViolation } from '../../../../db/errors.ts';
import { deleteRow } from '../../../../server/services/catalogs/catalogs.ts';
import { deleteAll } from '../../../../server/services/catalogs/removal.ts';
import {
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../../../server/services/petty-cash/movements.ts';
import { createFund, deleteFund, updateFund } from '../../../../server/services/petty-cash/petty-cash.ts';
import {
  getFund,
  getMovement,
  listFunds,
  MOST_ENTRIES,
  readStatement,
} from '../../../../server/services/petty-cash/reading.ts';
import { catalogOf } from '../../../../shared/catalogs/all.ts';
import type { MovementDraft, PettyCashFund } from '../../../../shared/petty-cash.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  NOW,
  TODAY,
} from '../../../support/rows.ts';

const OPENED = '2026-09-01';
const WHOLE = { from: OPENED, to: TODAY };

describeEachDatabase('petty cash', (fresh) => {
  async function open(part: { name?: string; openingCents?: number } = {}) {
    const actor = await addActor(fresh.db);
    const fundingSourceId = await addFundingSource(fresh.db, {
      origenderecursonombre: part.name ?? 'Caja obra',
    });
    const { openingCents = 500_000 } = part;
    const draft = { fundingSourceId, responsable: 'Claudia Peña', openedOn: OPENED, openingCents };
    return { actor, fund: await createFund(fresh.db, actor, draft) };
  }
  const spend = (part: MovementDraft = {}): MovementDraft => ({
    movementdate: '2026-11-02',
    concept: 'Gasolina',
    amountCents: 30_000,
    ...part,
  });
  const balance = async (fund: PettyCashFund, on = TODAY) =>
    (await listFunds(fresh.db, on)).find(({ id }) => id === fund.id)!.balanceCents;

  it('a fund has what it was opened with, what came in and less what went out, payments to suppliers too', async () => {
    const { actor, fund } = await open();
    const { db } = fresh;
    await createMovement(db, actor, fund.id, spend({ kind: 'ingreso', amountCents: 200_000 }));
    await createMovement(db, actor, fund.id, spend());
    const facturaproveedorId = await addInvoice(db);
    const payment = { facturaproveedorId, userId: actor.userId, origenderecursoId: fund.fundingSourceId };
    await addPayment(db, { ...payment, amountCents: 10_000, paymentdate: OPENED });
    await addPayment(db, { ...payment, amountCents: 7, paymentdate: '2026-08-31' }); // before the box was opened
    await addPayment(db, { ...payment, amountCents: 9, origenderecursoId: await addFundingSource(db) });
    expect(await balance(fund)).toBe(500_000 + 200_000 - 30_000 - 10_000);
    expect(await balance(fund, OPENED)).toBe(490_000);
    expect(await balance(fund, '2026-08-31')).toBe(0);
    expect((await listFunds(db, TODAY))[0]).toMatchObject({ lastOn: '2026-11-02' });
  });

  it('a list shows the balance beside each movement: by day, ingresos first, then gastos, then payments', async () => {
    const { actor, fund } = await open({ openingCents: 1000 });
    const { db } = fresh;
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    const invoice = await addInvoice(db, { supplierId, jobId, rubroId, numfactura: 'A-1' });
    const origenderecursoId = fund.fundingSourceId;
    const { userId } = actor;
    const paymentId = await addPayment(db, {
      facturaproveedorId: invoice,
      amountCents: 300,
      userId,
      origenderecursoId,
      paymentdate: '2026-11-02',
      checknum: 'CH-7',
    });
    await createMovement(
      db,
      actor,
      fund.id,
      spend({ amountCents: 5000, jobId, rubroId, comprobante: 'T-1' }),
    );
    await createMovement(db, actor, fund.id, spend({ amountCents: 100, movementdate: '2026-10-31' }));
    await createMovement(
      db,
      actor,
      fund.id,
      spend({ kind: 'ingreso', amountCents: 4000, concept: 'Reposición' }),
    );
    const statement = await readStatement(db, fund, WHOLE);
    expect(
      statement.entries.map(
        ({ kind, date, concept, comprobante, jobtitle, nombrerubro, amountCents, balanceCents }) => [
          kind,
          date,
          concept,
          comprobante,
          jobtitle,
          nombrerubro,
          amountCents,
          balanceCents,
        ],
      ),
    ).toEqual([
      ['gasto', '2026-10-31', 'Gasolina', '', null, null, 100, 900],
      ['ingreso', '2026-11-02', 'Reposición', '', null, null, 4000, 4900],
      ['gasto', '2026-11-02', 'Gasolina', 'T-1', 'Torre', 'Acero', 5000, -100],
      ['pago', '2026-11-02', 'Pago a Aceros Tepeyac, factura A-1', 'CH-7', 'Torre', 'Acero', 300, -400],
    ]);
    expect(statement.entries.at(-1)!.id).toBe(paymentId);
    expect(statement).toMatchObject({
      startCents: 1000,
      ingresosCents: 4000,
      gastosCents: 5400,
      endCents: -400,
    });
  });

  it('a period begins with what was left by the one before it, wherever it is cut', async () => {
    const { actor, fund } = await open();
    for (const [movementdate, kind, amountCents] of [
      ['2026-09-01', 'gasto', 100],
      ['2026-10-05', 'gasto', 200],
      ['2026-10-05', 'ingreso', 50],
      ['2026-11-20', 'gasto', 400],
    ] as const) {
      await createMovement(fresh.db, actor, fund.id, spend({ movementdate, kind, amountCents }));
    }
    const days = [
      '2026-08-15',
      '2026-09-01',
      '2026-09-02',
      '2026-10-05',
      '2026-10-06',
      '2026-11-20',
      '2026-12-01',
    ];
    for (const cut of days.slice(1)) {
      const before = await readStatement(fresh.db, fund, { from: days[0]!, to: previous(cut) });
      const after = await readStatement(fresh.db, fund, { from: cut, to: '2026-12-31' });
      if (cut > OPENED) expect(after.startCents, cut).toBe(before.endCents);
      else expect([before.endCents, after.startCents]).toEqual([0, 500_000]); // it is opened on that day
      expect(before.count + after.count, cut).toBe(4);
      expect(after.endCents).toBe(500_000 - 650);
    }
  });

  it('the balance is the sum of what the list shows, whatever happened', async () => {
    const day = fc.integer({ min: 0, max: 80 }).map((days) => addDaysTo(OPENED, days));
    const movement = fc.record({
      movementdate: day,
      kind: fc.constantFrom('gasto' as const, 'ingreso' as const),
      amountCents: fc.integer({ min: 1, max: 999_999_999 }),
    });
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { maxLength: 12 }), day, async (movements, from) => {
        const { actor, fund } = await open({ name: `Caja ${++round}` });
        for (const one of movements) await createMovement(fresh.db, actor, fund.id, spend(one));
        const statement = await readStatement(fresh.db, fund, { from, to: TODAY });
        let running = statement.startCents;
        for (const entry of statement.entries) {
          running += entry.kind === 'ingreso' ? entry.amountCents : -entry.amountCents;
          expect(entry.balanceCents).toBe(running);
        }
        expect(statement.beforeCents).toBe(statement.startCents);
        expect(statement.endCents).toBe(running);
        expect(running).toBe(await balance(fund));
      }),
      { numRuns: 12 },
    );
  });

  it('a period with very many movements shows the last ones, still with the right balances', async () => {
    const { actor, fund } = await open({ openingCents: 0 });
    const rows = Array.from({ length: MOST_ENTRIES + 5 }, () => ({
      fundId: fund.id,
      movementdate: '2026-11-02',
      kind: 'ingreso' as const,
      concept: 'Reposición',
      comprobante: '',
      amountCents: 1,
      jobId: null,
      rubroId: null,
      comments: '',
      userId: actor.userId,
      importId: null,
      createdAt: NOW,
      updatedAt: NOW,
    }));
    for (let from = 0; from < rows.length; from += 500) {
      await fresh.db
        .insertInto('petty_cash_movements')
        .values(rows.slice(from, from + 500))
        .execute();
    }
    const statement = await readStatement(fresh.db, fund, WHOLE);
    expect(statement).toMatchObject({
      count: MOST_ENTRIES + 5,
      startCents: 0,
      beforeCents: 5,
      endCents: MOST_ENTRIES + 5,
    });
    expect(statement.entries).toHaveLength(MOST_ENTRIES);
    expect(statement.entries[0]!.balanceCents).toBe(6);
  });

  it.each<[string, MovementDraft, string, string]>([
    [
      'without a date',
      { movementdate: null },
      'movementdate',
      'Se requieren la fecha, el concepto y la cantidad.',
    ],
    ['without a concept', { concept: '' }, 'concept', 'Se requieren la fecha, el concepto y la cantidad.'],
    ['without an amount', { amountCents: 0 }, 'amount', 'Se requieren la fecha, el concepto y la cantidad.'],
    ['of less than nothing', { amountCents: -1 }, 'amount', 'La cantidad debe ser mayor que cero.'],
    [
      'from before the box was opened',
      { movementdate: '2026-08-31' },
      'movementdate',
      'La caja se abrió el Tue, 01 Sep 2026: la fecha es anterior.',
    ],
    ['for a job that is not there', { jobId: 99 }, 'jobId', 'No existe la obra 99.'],
    ['for a rubro that is not there', { rubroId: 99 }, 'rubroId', 'No existe el rubro 99.'],
    [
      'that came in for a job',
      { kind: 'ingreso', jobId: 1 },
      'jobId',
      'La obra y el rubro son solo de los gastos: quítalos o elige Gasto.',
    ],
  ])('a movement %s is refused, new or edited', async (_what, wrong, field, message) => {
    const { actor, fund } = await open();
    const refused = { kind: 'invalid', message, fields: { [field]: message } };
    await expect(createMovement(fresh.db, actor, fund.id, spend(wrong))).rejects.toMatchObject(refused);
    const { movement } = await createMovement(fresh.db, actor, fund.id, spend());
    await expect(updateMovement(fresh.db, actor, movement.id, wrong)).rejects.toMatchObject(refused);
    expect(await getMovement(fresh.db, movement.id)).toEqual(movement);
  });

  it('a movement of a later day is stored and says when it will count', async () => {
    const { actor, fund } = await open();
    const { warnings } = await createMovement(
      fresh.db,
      actor,
      fund.id,
      spend({ movementdate: '2026-11-21' }),
    );
    expect(warnings).toEqual([
      'La fecha es posterior a hoy: el movimiento cuenta en el saldo a partir de ese día.',
    ]);
    expect(await balance(fund)).toBe(500_000);
    expect(await balance(fund, '2026-11-21')).toBe(470_000);
  });

  it.each([
    ['the source', { fundingSourceId: null }, 'fundingSourceId'],
    ['the one responsible', { responsable: '' }, 'responsable'],
    ['the day', { openedOn: null }, 'openedOn'],
  ])('a fund needs %s', async (_what, wrong, field) => {
    const actor = await addActor(fresh.db);
    const fundingSourceId = await addFundingSource(fresh.db);
    const draft = { fundingSourceId, responsable: 'Ana', openedOn: OPENED, ...wrong };
    const message = 'Se requieren el origen de recurso, el responsable y la fecha de apertura.';
    await expect(createFund(fresh.db, actor, draft)).rejects.toMatchObject({
      message,
      fields: { [field]: message },
    });
  });

  it('a source has one fund, also of two that are opened in the same moment', async () => {
    const actor = await addActor(fresh.db);
    const fundingSourceId = await addFundingSource(fresh.db, { origenderecursonombre: 'Caja obra' });
    const draft = { fundingSourceId, responsable: 'Ana', openedOn: OPENED };
    const twice = await Promise.allSettled([
      createFund(fresh.db, actor, draft),
      createFund(fresh.db, actor, draft),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const message = 'Ya hay una caja chica de «Caja obra».';
    await expect(createFund(fresh.db, actor, draft)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'fund_taken',
      message,
      fields: { fundingSourceId: message },
    });
  });

  it('a fund is not opened later than its movements, nor with less than nothing', async () => {
    const { actor, fund } = await open();
    await createMovement(fresh.db, actor, fund.id, spend());
    const message = 'Hay movimientos desde el Mon, 02 Nov 2026: la caja no puede abrirse después.';
    await expect(updateFund(fresh.db, actor, fund.id, { openedOn: '2026-11-03' })).rejects.toMatchObject({
      message,
      fields: { openedOn: message },
    });
    await expect(updateFund(fresh.db, actor, fund.id, { openingCents: -1 })).rejects.toMatchObject({
      fields: { opening: 'El saldo inicial no puede ser negativo.' },
    });
    const changed = await updateFund(fresh.db, actor, fund.id, { openedOn: '2026-11-02', openingCents: 7 });
    expect(changed).toMatchObject({ openedOn: '2026-11-02', openingCents: 7, version: 2 });
  });

  it('a save over somebody else’s newer one is refused and shows what is stored', async () => {
    const { actor, fund } = await open();
    const { movement } = await createMovement(fresh.db, actor, fund.id, spend());
    await updateMovement(fresh.db, actor, movement.id, { concept: 'Casetas' }, 1);
    await expect(updateMovement(fresh.db, actor, movement.id, { concept: 'Hielo' }, 1)).rejects.toMatchObject(
      {
        kind: 'stale',
        extra: { current: { concept: 'Casetas', version: 2 } },
      },
    );
    await expect(deleteMovement(fresh.db, actor, movement.id, 1)).rejects.toMatchObject({ kind: 'stale' });
    await updateFund(fresh.db, actor, fund.id, { responsable: 'Ana' }, 1);
    for (const late of [
      updateFund(fresh.db, actor, fund.id, { responsable: 'Eva' }, 1),
      deleteFund(fresh.db, actor, fund.id, 1),
    ]) {
      await expect(late).rejects.toMatchObject({ kind: 'stale', extra: { current: { responsable: 'Ana' } } });
    }
  });

  it('a deleted movement can be brought back as it was, once', async () => {
    const { actor, fund } = await open();
    const jobId = await addJob(fresh.db);
    const { movement } = await createMovement(fresh.db, actor, fund.id, spend({ jobId, comprobante: 'T-1' }));
    await deleteMovement(fresh.db, actor, movement.id);
    expect(await balance(fund)).toBe(500_000);
    expect(await restoreMovement(fresh.db, actor, movement.id)).toEqual({ ...movement, version: 2 });
    expect(await balance(fund)).toBe(470_000);
    await expect(restoreMovement(fresh.db, actor, movement.id)).rejects.toMatchObject({
      code: 'not_deleted',
    });
    await expect(restoreMovement(fresh.db, actor, 99)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('a deleted movement is not brought back into a box that was opened later, or that is gone', async () => {
    const { actor, fund } = await open();
    const { movement } = await createMovement(fresh.db, actor, fund.id, spend());
    await deleteMovement(fresh.db, actor, movement.id);
    await updateFund(fresh.db, actor, fund.id, { openedOn: '2026-11-10' });
    await expect(restoreMovement(fresh.db, actor, movement.id)).rejects.toMatchObject({
      fields: { movementdate: 'La caja se abrió el Tue, 10 Nov 2026: la fecha es anterior.' },
    });
    await deleteFund(fresh.db, actor, fund.id);
    await expect(restoreMovement(fresh.db, actor, movement.id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('a fund goes only where it has no movements', async () => {
    const { actor, fund } = await open();
    const first = await createMovement(fresh.db, actor, fund.id, spend());
    const second = await createMovement(fresh.db, actor, fund.id, spend());
    await expect(deleteFund(fresh.db, actor, fund.id)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'in_use',
      message: 'No se puede eliminar la caja chica «Caja obra»: tiene 2 movimientos.',
    });
    await deleteMovement(fresh.db, actor, first.movement.id);
    await expect(deleteFund(fresh.db, actor, fund.id)).rejects.toThrow('tiene un movimiento.');
    await deleteMovement(fresh.db, actor, second.movement.id);
    await deleteFund(fresh.db, actor, fund.id);
    await expect(getFund(fresh.db, fund.id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('each change leaves one entry in the audit trail', async () => {
    const { actor, fund } = await open();
    const { movement } = await createMovement(fresh.db, actor, fund.id, spend());
    await updateMovement(fresh.db, actor, movement.id, { concept: 'Casetas' });
    await deleteMovement(fresh.db, actor, movement.id);
    await updateFund(fresh.db, actor, fund.id, { responsable: 'Ana' });
    await restoreMovement(fresh.db, actor, movement.id);
    await deleteMovement(fresh.db, actor, movement.id);
    await deleteFund(fresh.db, actor, fund.id);
    const entries = await fresh.db.selectFrom('audit').selectAll().orderBy('id').execute();
    expect(entries.map(({ action, entity }) => `${action} ${entity}`)).toEqual([
      'create petty-cash-funds',
      'create petty-cash-movements',
      'update petty-cash-movements',
      'delete petty-cash-movements',
      'update petty-cash-funds',
      'restore petty-cash-movements',
      'delete petty-cash-movements',
      'delete petty-cash-funds',
    ]);
    expect(JSON.parse(entries[2]!.before!)).toMatchObject({ concept: 'Gasolina' });
    expect(JSON.parse(entries[2]!.after!)).toMatchObject({ concept: 'Casetas', version: 2 });
  });

  it('what it refers to is not deleted, alone or with its whole list', async () => {
    const { actor, fund } = await open();
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero' });
    await createMovement(fresh.db, actor, fund.id, spend({ jobId, rubroId }));
    const place = temporaryFolder();
    onTestFinished(place.remove);
    const at = { db: fresh.db, config: { dataFolder: place.folder } };
    for (const [noun, id, name, users, of] of [
      [
        'funding-sources',
        fund.fundingSourceId,
        'el origen de recurso «Caja obra»',
        'una caja chica lo usa',
        'cajas chicas',
      ],
      ['jobs', jobId, 'la obra «Torre»', 'un movimiento de caja chica la usa', 'movimientos de caja chica'],
      [
        'rubros',
        rubroId,
        'el rubro «Acero»',
        'un movimiento de caja chica lo usa',
        'movimientos de caja chica',
      ],
    ] as const) {
      await expect(deleteRow(fresh.db, actor, catalogOf(noun), id)).rejects.toMatchObject({
        kind: 'conflict',
        code: 'in_use',
        message: `No se puede eliminar ${name}: ${users}.`,
      });
      await expect(deleteAll(at, actor, catalogOf(noun))).rejects.toMatchObject({
        code: 'in_use',
        message: `No se puede vaciar la lista: un registro tiene ${of}.`,
      });
    }
  });

  it.each([
    ['an amount of nothing', { amountCents: 0 }],
    ['a kind of its own', { kind: 'otro' as never }],
    ['no concept', { concept: '' }],
    ['an income for a job', { kind: 'ingreso' as const, rubroId: 1 }],
  ])('the database itself refuses a movement with %s', async (_what, wrong) => {
    const { actor, fund } = await open();
    const rubroId = await addRubro(fresh.db);
    const row = {
      fundId: fund.id,
      movementdate: TODAY,
      kind: 'gasto' as const,
      concept: 'Gasolina',
      comprobante: '',
      amountCents: 1,
      jobId: null,
      rubroId: null,
      comments: '',
      userId: actor.userId,
      importId: null,
      createdAt: NOW,
      updatedAt: NOW,
    };
    const values = { ...row, ...wrong, ...('rubroId' in wrong ? { rubroId } : {}) };
    const insert = fresh.db.insertInto('petty_cash_movements').values(values).execute();
    await expect(insert).rejects.toSatisfy((error) => isViolation(error, 'check'));
    await fresh.db.insertInto('petty_cash_movements').values(row).execute();
  });
});

const addDaysTo = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

const previous = (date: string) => addDaysTo(date, -1);
