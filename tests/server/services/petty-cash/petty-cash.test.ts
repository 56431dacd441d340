import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { isViolation } from '../../../../db/errors.ts';
import { backUpAndDeleteAll } from '../../../../server/services/catalogs/removal.ts';
import { deleteRow } from '../../../../server/services/catalogs/row-changes.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
} from '../../../../server/services/payments/payments.ts';
import { readFundStatement } from '../../../../server/services/petty-cash/fund-statement.ts';
import { createFund, deleteFund, updateFund } from '../../../../server/services/petty-cash/funds.ts';
import {
  acceptWithoutVoucher,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../../../server/services/petty-cash/movements.ts';
import { getFund, getFundRow } from '../../../../server/services/petty-cash/reading.ts';
import { changeSettings } from '../../../../server/services/settings/settings.ts';
import { catalogOf } from '../../../../shared/catalogs/all.ts';
import { addDays } from '../../../../shared/dates.ts';
import {
  type MovementFieldValues,
  type PettyCashFund,
  signedAmountOf,
} from '../../../../shared/petty-cash.ts';
import { damageDatabase } from '../../../support/damage.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { addFund, allowSelfApproval, createExpenseValues } from '../../../support/petty-cash.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  NOW,
  TODAY,
} from '../../../support/rows.ts';

const OPENED = '2026-09-01';
const WHOLE = { from: OPENED, to: TODAY };

describeEachDatabase('petty cash', (fresh) => {
  const open = async (part: Parameters<typeof addFund>[1] = {}) => {
    const actor = await addActor(fresh.db);
    await allowSelfApproval(fresh.db);
    return { actor, fund: await addFund(fresh.db, { openedOn: OPENED, actor, ...part }) };
  };
  const cash = async ({ id }: PettyCashFund, on = TODAY) => (await getFundRow(fresh.db, id, on)).saldoCents;

  it('a fund contains what was put in, less what went out, and less payments to suppliers from its source', async () => {
    const { db } = fresh;
    const pagosOrigenId = await addFundingSource(db);
    const { actor, fund } = await open({ pagosOrigenId });
    const movements: MovementFieldValues[] = [
      createExpenseValues({ fecha: '2026-11-02' }),
      { tipo: 'apertura', concepto: 'Más', importeCents: 200_000 },
      { tipo: 'devolucion', concepto: 'Resto', importeCents: 500 },
      { tipo: 'ajuste', concepto: 'Falta', importeCents: -7 },
    ];
    for (const draft of movements) await createMovement(db, actor, fund.id, draft);
    const facturaproveedorId = await addInvoice(db);
    const payment = { facturaproveedorId, origenderecursoId: pagosOrigenId };
    await createPayment(db, actor, { ...payment, amountCents: 10_000, paymentdate: OPENED });
    await createPayment(db, actor, { ...payment, amountCents: 7, paymentdate: '2026-08-31' }); // before it was opened
    const elsewhere = { facturaproveedorId, origenderecursoId: await addFundingSource(db) };
    await createPayment(db, actor, { ...elsewhere, amountCents: 9 });
    expect(await cash(fund)).toBe(500_000 + 200_000 - 30_000 - 500 - 7 - 10_000);
    expect(await cash(fund, OPENED)).toBe(490_000);
    expect(await cash(fund, '2026-08-31')).toBe(0);
  });

  it('a fund never holds less than nothing: what is not in it does not leave it, whichever way', async () => {
    const { db } = fresh;
    const pagosOrigenId = await addFundingSource(db);
    const { actor, fund } = await open({ pagosOrigenId, aperturaCents: 1_000 });
    const [opening] = await readAll(fund);
    const short = { kind: 'invalid', code: 'fund_short', extra: { saldo: 10 } };
    await expect(
      createMovement(db, actor, fund.id, createExpenseValues({ importeCents: 1_001 })),
    ).rejects.toMatchObject(short);
    const { movement } = await createMovement(db, actor, fund.id, createExpenseValues({ importeCents: 900 }));
    const now = { ...short, extra: { saldo: 1 } };
    const less = { tipo: 'ajuste', concepto: 'Falta', importeCents: -101 } as const;
    for (const late of [
      () => updateMovement(db, actor, movement.id, { importeCents: 1_001 }),
      () => updateMovement(db, actor, opening!.id, { importeCents: 899 }),
      () => deleteMovement(db, actor, opening!.id),
      () => createMovement(db, actor, fund.id, less),
    ])
      await expect(late()).rejects.toMatchObject(now);
    const payment = { facturaproveedorId: await addInvoice(db), origenderecursoId: pagosOrigenId };
    const message = `En la caja «${fund.nombre}» solo hay $1.00.`;
    await expect(createPayment(db, actor, { ...payment, amountCents: 101 })).rejects.toMatchObject({
      ...now,
      fields: { paymentamount: message },
    });
    const { payment: paid } = await createPayment(db, actor, { ...payment, amountCents: 100 });
    await deletePayment(db, actor, paid.id);
    await deleteMovement(db, actor, movement.id);
    await createMovement(db, actor, fund.id, createExpenseValues({ importeCents: 950 }));
    await expect(restorePayment(db, actor, paid.id)).rejects.toMatchObject({ code: 'fund_short' });
    await expect(restoreMovement(db, actor, movement.id)).rejects.toMatchObject({ code: 'fund_short' });
    expect(await cash(fund)).toBe(50);
  });

  it('many users who spend at once take only what is in the fund, and the saldo is the sum of its movements', async () => {
    const { actor, fund } = await open({ aperturaCents: 1_000 });
    const amounts = Array.from({ length: 12 }, (_, index) => 150 + index);
    const done = await Promise.allSettled(
      amounts.map((importeCents) =>
        createMovement(fresh.db, actor, fund.id, createExpenseValues({ importeCents })),
      ),
    );
    for (const one of done)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'fund_short' });
    const all = await readAll(fund);
    const sum = all.reduce((total, one) => total + signedAmountOf(one), 0);
    expect(await cash(fund)).toBe(sum);
    expect([sum >= 0, sum < 150 + amounts.length]).toEqual([true, true]);
  });

  it('the balance is the sum of the listed movements, whatever happened', async () => {
    const day = fc.integer({ min: 0, max: 80 }).map((days) => addDays(OPENED, days));
    const movement = fc.record({
      fecha: day,
      tipo: fc.constantFrom('gasto' as const, 'apertura' as const, 'devolucion' as const, 'ajuste' as const),
      importeCents: fc.integer({ min: 1, max: 9_999_999 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(movement, { maxLength: 12 }), day, async (movements, from) => {
        const { actor, fund } = await open({ aperturaCents: 9_999_999 });
        let expected = 9_999_999;
        for (const one of movements) {
          const stored = createMovement(fresh.db, actor, fund.id, { ...one, concepto: 'Algo' });
          if (expected + signedAmountOf(one) < 0)
            await expect(stored).rejects.toMatchObject({ code: 'fund_short' });
          else {
            await stored;
            expected += signedAmountOf(one);
          }
        }
        const statement = await readFundStatement(fresh.db, fund, { from, to: TODAY });
        let running = statement.beforeCents;
        for (const entry of statement.entries) {
          running += entry.effectCents;
          expect(entry.balanceCents).toBe(running);
        }
        expect([running, statement.endCents, await cash(fund)]).toEqual([expected, expected, expected]);
      }),
      { numRuns: chooseRunCount(4, 30) },
    );
  });

  it('a list shows the balance next to each movement: by day income, then expenses, then payments', async () => {
    const { db } = fresh;
    const pagosOrigenId = await addFundingSource(db);
    const { actor, fund } = await open({ aperturaCents: 10_000, pagosOrigenId });
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    const supplierId = await addSupplier(db, { suppliername: 'Aceros Tepeyac' });
    const invoice = await addInvoice(db, { supplierId, jobId, rubroId, numfactura: 'A-1' });
    const fecha = '2026-11-02';
    const paid = { facturaproveedorId: invoice, amountCents: 300, origenderecursoId: pagosOrigenId };
    await createPayment(db, actor, { ...paid, paymentdate: fecha, checknum: 'CH-7' });
    const own = { fecha, jobId, rubroId, folio: 'T-1', beneficiario: 'La Palma' };
    await createMovement(db, actor, fund.id, createExpenseValues({ ...own, importeCents: 5000 }));
    const more = { tipo: 'apertura', fecha, concepto: 'Más', importeCents: 4000 } as const;
    await createMovement(db, actor, fund.id, more);
    const { entries, ...sums } = await readFundStatement(db, fund, WHOLE);
    expect(
      entries.map(({ tipo, concepto, beneficiario, folio, state, effectCents, balanceCents }) =>
        [tipo, concepto, beneficiario, folio, state, effectCents, balanceCents].join('|'),
      ),
    ).toEqual([
      'apertura|Apertura de la caja||||10000|10000',
      'apertura|Más||||4000|14000',
      'gasto|Gasolina|La Palma|T-1|por-reponer|-5000|9000',
      'pago|Pago de la factura A-1|Aceros Tepeyac|CH-7||-300|8700',
    ]);
    expect(entries.map(({ jobtitle }) => jobtitle)).toEqual([null, null, 'Torre', 'Torre']);
    expect(sums).toMatchObject({
      beforeCents: 0,
      ingresosCents: 14_000,
      gastosCents: 5_300,
      endCents: 8_700,
    });
    const later = await readFundStatement(db, fund, { from: '2026-11-03', to: TODAY });
    expect([later.beforeCents, later.count]).toEqual([8_700, 0]);
  });

  it('a payment names its invoice as far as that is known', async () => {
    const { db } = fresh;
    const origenderecursoId = await addFundingSource(db);
    const { actor, fund } = await open({ pagosOrigenId: origenderecursoId });
    const lost = await addInvoice(db, { numfactura: 'B-2' });
    for (const facturaproveedorId of [
      await addInvoice(db, { numfactura: 'A-1' }),
      await addInvoice(db, { numfactura: '' }),
      lost,
    ])
      await createPayment(db, actor, { facturaproveedorId, origenderecursoId, amountCents: 100 });
    await damageDatabase(fresh, `delete from invoices where id = ${lost}`);
    const { entries } = await readFundStatement(db, fund, WHOLE);
    expect(entries.filter(({ tipo }) => tipo === 'pago').map(({ concepto }) => concepto)).toEqual([
      'Pago de la factura A-1',
      'Pago de una factura sin número',
      'Pago de una factura sin número',
    ]);
  });

  it('a page of very many movements shows the last ones, each next page those before, with the right balances', async () => {
    const { actor, fund } = await open({ aperturaCents: 0 });
    const rows = Array.from({ length: 250 }, () => rowOf(fund, actor.userId));
    await fresh.db.insertInto('petty_cash_movements').values(rows).execute();
    const seen = [];
    let cursor: string | undefined;
    do {
      const page = await readFundStatement(fresh.db, fund, WHOLE, { limit: 100, cursor });
      expect(page).toMatchObject({ count: 250, endCents: 250 });
      expect(page.beforeCents).toBe(page.entries[0]!.balanceCents - 1);
      seen.unshift(...page.entries);
      cursor = page.cursor;
    } while (cursor);
    expect(seen).toEqual((await readFundStatement(fresh.db, fund, WHOLE)).entries);
    expect(seen.map(({ balanceCents }) => balanceCents)).toEqual(rows.map((_, index) => index + 1));
    await expect(readFundStatement(fresh.db, fund, WHOLE, { limit: 9, cursor: 'x' })).rejects.toMatchObject({
      code: 'bad_cursor',
    });
  });

  it('subtotal, IVA and importe are derived from each other', async () => {
    const { actor, fund } = await open();
    const stored = async (draft: MovementFieldValues) => {
      const { importeCents: _none, ...rest } = createExpenseValues();
      const { movement } = await createMovement(fresh.db, actor, fund.id, { ...rest, ...draft });
      return [movement.subtotalCents, movement.ivaCents, movement.importeCents];
    };
    expect(await stored({ importeCents: 116 })).toEqual([116, 0, 116]);
    expect(await stored({ importeCents: 116, ivaCents: 16 })).toEqual([100, 16, 116]);
    expect(await stored({ importeCents: 116, subtotalCents: 100 })).toEqual([100, 16, 116]);
    expect(await stored({ subtotalCents: 100, ivaCents: 16 })).toEqual([100, 16, 116]);
  });

  it('money given without a receipt has to be documented by a day, and is late after it', async () => {
    const { db } = fresh;
    const { actor, fund } = await open();
    const resident = await addActor(db, { roles: [5] });
    const given = (part: MovementFieldValues = {}) =>
      createMovement(db, resident, fund.id, createExpenseValues({ comprobante: 'ninguno', ...part }));
    const figures = async (on = TODAY) => {
      const { porComprobarCents, vencidoCents, porReponerCents } = await getFundRow(db, fund.id, on);
      return [porComprobarCents, vencidoCents, porReponerCents];
    };
    const { movement } = await given({ fecha: '2026-11-10', importeCents: 700 });
    expect(movement.comprobarAntes).toBe('2026-11-17');
    await changeSettings(db, actor, [{ key: 'caja.plazo', value: '2' }]);
    expect((await given({ importeCents: 30 })).movement.comprobarAntes).toBe('2026-11-22');
    const { movement: term } = await given({ importeCents: 5, comprobarAntes: TODAY });
    expect(await figures()).toEqual([735, 700, 0]);
    expect(await figures('2026-11-23')).toEqual([735, 735, 0]);
    await updateMovement(db, resident, movement.id, { comprobante: 'nota', folio: 'T-9' });
    expect(await figures()).toEqual([35, 0, 700]);
    await expect(acceptWithoutVoucher(db, resident, term.id)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await acceptWithoutVoucher(db, actor, term.id)).toMatchObject({
      comprobarAntes: null,
      version: 2,
    });
    await updateMovement(db, resident, term.id, { comments: 'Propina' });
    expect(await figures()).toEqual([30, 0, 705]);
    await expect(acceptWithoutVoucher(db, actor, term.id)).rejects.toMatchObject({ code: 'movement_fixed' });
  });

  it('an expense is limited by its fund before the firm, and may exceed a limit that was set later', async () => {
    const { db } = fresh;
    const { actor, fund } = await open();
    await changeSettings(db, actor, [{ key: 'caja.tope', value: '200' }]);
    const { movement } = await createMovement(
      db,
      actor,
      fund.id,
      createExpenseValues({ importeCents: 20_000 }),
    );
    await updateFund(db, actor, fund.id, { topeCents: 10_000 });
    const more = createMovement(db, actor, fund.id, createExpenseValues({ importeCents: 10_001 }));
    await expect(more).rejects.toMatchObject({ code: 'over_cap' });
    const change = (importeCents: number) => updateMovement(db, actor, movement.id, { importeCents });
    await change(15_000);
    await expect(change(15_001)).rejects.toMatchObject({ code: 'over_cap' });
  });

  it('a fund has a unique name, however it is written and however many users open one at once', async () => {
    const { db } = fresh;
    const { actor, fund } = await open({ nombre: 'Caja Ñandú', pagosOrigenId: await addFundingSource(db) });
    const { responsableId, origenderecursoId } = fund;
    const draft = { nombre: 'Otra', responsableId, origenderecursoId };
    const taken = { kind: 'conflict', code: 'fund_taken', extra: { existingId: fund.id } };
    await expect(createFund(db, actor, { ...draft, nombre: 'caja nandu' })).rejects.toMatchObject(taken);
    const twice = await Promise.allSettled([createFund(db, actor, draft), createFund(db, actor, draft)]);
    expect(twice.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('a fund with movements is not deleted', async () => {
    const { actor, fund } = await open({ aperturaCents: 0 });
    const movement = { tipo: 'apertura', fecha: '2026-11-02', concepto: 'Más', importeCents: 5 } as const;
    const { movement: first } = await createMovement(fresh.db, actor, fund.id, movement);
    await updateFund(fresh.db, actor, fund.id, { openedOn: '2026-11-02', montofijoCents: 500 });
    await expect(deleteFund(fresh.db, actor, fund.id)).rejects.toThrow('tiene un movimiento.');
    await deleteMovement(fresh.db, actor, first.id);
    await deleteFund(fresh.db, actor, fund.id);
    await expect(getFund(fresh.db, fund.id)).rejects.toMatchObject({ kind: 'not-found' });
    await expect(restoreMovement(fresh.db, actor, first.id)).rejects.toMatchObject({ kind: 'not-found' });
  });

  it('what a movement refers to is not deleted, alone or with its whole list', async () => {
    const { db } = fresh;
    const { actor, fund } = await open();
    const jobId = await addJob(db, { jobtitle: 'Torre' });
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    await createMovement(db, actor, fund.id, createExpenseValues({ jobId, rubroId }));
    const place = temporaryFolder();
    onTestFinished(place.remove);
    const at = { db, config: { dataFolder: place.folder } };
    for (const [noun, id, of] of [
      ['funding-sources', fund.origenderecursoId!, 'cajas chicas'],
      ['jobs', jobId, 'movimientos de caja chica'],
      ['rubros', rubroId, 'movimientos de caja chica'],
    ] as const) {
      const inUse = { kind: 'conflict', code: 'in_use' };
      await expect(deleteRow(db, actor, catalogOf(noun), id)).rejects.toMatchObject(inUse);
      await expect(backUpAndDeleteAll(at, actor, catalogOf(noun))).rejects.toMatchObject({
        code: 'in_use',
        message: `No se puede vaciar la lista: un registro tiene ${of}.`,
      });
    }
  });

  it('the database itself refuses invalid movements', async () => {
    const { actor, fund } = await open();
    const rubroId = await addRubro(fresh.db);
    const row = rowOf(fund, actor.userId);
    for (const wrong of [
      { importeCents: 0, subtotalCents: 0 },
      { importeCents: -5, subtotalCents: -5 },
      { subtotalCents: 2 },
      { tipo: 'otro' as never },
      { concepto: '' },
      { rubroId },
      { comprobante: 'nota' as const },
      { comprobarAntes: TODAY },
    ]) {
      const insert = fresh.db
        .insertInto('petty_cash_movements')
        .values({ ...row, ...wrong })
        .execute();
      await expect(insert, JSON.stringify(wrong)).rejects.toSatisfy((error) => isViolation(error, 'check'));
    }
    await fresh.db.insertInto('petty_cash_movements').values(row).execute();
  });

  const readAll = ({ id }: PettyCashFund) =>
    fresh.db.selectFrom('petty_cash_movements').selectAll().where('fundId', '=', id).orderBy('id').execute();
});

/** A deposit of one centavo. */
const rowOf = ({ id }: PettyCashFund, userId: number) => ({
  fundId: id,
  fecha: '2026-11-02',
  tipo: 'apertura' as const,
  beneficiario: '',
  concepto: 'Más',
  comprobante: 'ninguno' as const,
  folio: '',
  uuid: null,
  subtotalCents: 1,
  ivaCents: 0,
  importeCents: 1,
  jobId: null,
  rubroId: null,
  comprobarAntes: null,
  replenishmentId: null,
  countId: null,
  origenderecursoId: null,
  comments: '',
  userId,
  importId: null,
  createdAt: NOW,
  updatedAt: NOW,
});
