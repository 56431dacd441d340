import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate, migrations } from '../../db/migrate.ts';
import { inTransaction } from '../../db/transaction.ts';
import { audit } from '../../server/services/audit/audit.ts';
import { checkDatabase } from '../../server/services/database/check.ts';
import { createMovement, restoreMovement } from '../../server/services/petty-cash/movements.ts';
import { listFunds } from '../../server/services/petty-cash/reading.ts';
import { DIALECTS, openBare } from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addFormerRow } from '../support/former-rows.ts';
import { letOneBeEnough, spending } from '../support/petty-cash.ts';
import { addActor, addFundingSource, addInvoice, addPayment, NOW, TODAY } from '../support/rows.ts';

const CYCLE = '0020-petty-cash-cycle';

describe.each(DIALECTS)('a box of before it had the whole cycle (%s)', (dialect) => {
  it('holds what it held, and goes on', async () => {
    const database = await openBare(dialect);
    const { db } = database;
    await migrate(
      database,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === CYCLE),
      ),
    );
    const actor = await addActor(db);
    const kept = { comments: '', createdAt: NOW, updatedAt: NOW };
    const sources = [];
    for (const origenderecursonombre of ['Caja Ñandú', 'Caja ñandu', 'Caja vacía'])
      sources.push(await addFundingSource(db, { origenderecursonombre }));
    const funds: number[] = [];
    for (const [index, openingCents] of [500_000, 0, 100].entries())
      funds.push(
        await addFormerRow(db, 'petty_cash_funds', {
          fundingSourceId: sources[index]!,
          responsable: 'Claudia Peña',
          openedOn: '2026-09-01',
          openingCents,
          ...kept,
        }),
      );
    const move = (
      fundId: number,
      movementdate: string,
      kind: string,
      amountCents: number,
      comprobante = '',
    ) =>
      addFormerRow(db, 'petty_cash_movements', {
        ...{ fundId, movementdate, kind, concept: 'Algo', comprobante, amountCents },
        ...{ userId: actor.userId, ...kept },
      });
    const before = [
      await move(funds[0]!, '2026-09-02', 'gasto', 100, 'T-1'),
      await move(funds[0]!, '2026-10-01', 'ingreso', 70),
      await move(funds[0]!, '2026-10-01', 'gasto', 5),
      await move(funds[0]!, '2026-11-01', 'gasto', 1_000),
      await move(funds[1]!, '2026-10-01', 'gasto', 40),
    ];
    const deletedId = before.at(-1)! + 5;
    const facturaproveedorId = await addInvoice(db);
    const payment = { facturaproveedorId, origenderecursoId: sources[0]!, userId: actor.userId };
    await addPayment(db, { ...payment, amountCents: 300, paymentdate: '2026-11-02' });
    const attachment = {
      invoiceId: facturaproveedorId,
      kind: 'pdf',
      filename: 'a.pdf',
      userId: actor.userId,
    };
    const sha256 = 'a'.repeat(64);
    await db
      .insertInto('files')
      .values({ sha256, size: 1, bytes: Buffer.from('a'), createdAt: NOW })
      .execute();
    await addFormerRow(db, 'attachments', { ...attachment, sha256, createdAt: NOW });

    const place = temporaryFolder();
    onTestFinished(place.remove);
    expect(await migrate(database, migrations, { dataFolder: place.folder })).toEqual([
      CYCLE,
      ...names.slice(names.indexOf(CYCLE) + 1),
    ]);
    const after = await listFunds(db, TODAY);
    expect(
      after.map(({ saldoCents, porReponerCents, porComprobarCents }) => [
        saldoCents,
        porReponerCents,
        porComprobarCents,
      ]),
    ).toEqual([
      [500_000 - 100 + 70 - 5 - 1_000 - 300, 1_000, 0],
      [-40, 40, 0],
      [100, 0, 0],
    ]);
    expect(after[0]).toMatchObject({
      id: funds[0],
      nombre: 'Caja Ñandú',
      pagosOrigenId: sources[0],
      responsable: 'Claudia Peña',
    });
    expect(after[1]!.nombre).toBe(`Caja ñandu (${funds[1]})`);
    const rows = await db.selectFrom('petty_cash_movements').selectAll().orderBy('id').execute();
    const [spent, , , late] = before;
    expect(rows.find(({ id }) => id === spent)).toMatchObject({
      tipo: 'gasto',
      comprobante: 'nota',
      folio: 'T-1',
      importeCents: 100,
    });
    expect(rows.find(({ id }) => id === late)!.replenishmentId).toBeNull();
    expect(
      new Set(rows.filter(({ replenishmentId }) => replenishmentId !== null).map(({ id }) => id)),
    ).toEqual(new Set(before.slice(0, 3)));
    expect(await db.selectFrom('attachments').select(['invoiceId', 'filename']).execute()).toEqual([
      { invoiceId: facturaproveedorId, filename: 'a.pdf' },
    ]);

    await addFormerAudit(deletedId, funds[0]!);
    // A box below zero takes money in, and gives none.
    await expect(createMovement(db, actor, funds[1]!, spending({ importeCents: 1 }))).rejects.toMatchObject({
      code: 'fund_short',
    });
    await letOneBeEnough(db);
    const putIn = { tipo: 'apertura', concepto: 'Lo que faltaba', importeCents: 30 } as const;
    await createMovement(db, actor, funds[1]!, putIn);
    const { movement } = await restoreMovement(db, actor, deletedId);
    expect(movement).toMatchObject({ id: deletedId, tipo: 'gasto', folio: 'T-7', importeCents: 7 });
    const { checks } = await checkDatabase(db);
    expect(checks.flatMap(({ name, problems }) => (problems.length > 0 ? [name] : []))).toEqual([]);
    await database.close();

    async function addFormerAudit(id: number, fundId: number) {
      const row = {
        id,
        fundId,
        movementdate: '2026-09-03',
        kind: 'gasto',
        concept: 'Algo',
        comprobante: 'T-7',
      };
      const rest = {
        amountCents: 7,
        jobId: null,
        jobtitle: null,
        rubroId: null,
        nombrerubro: null,
        comments: '',
      };
      const made = { userId: actor.userId, importId: null, createdAt: NOW, version: 1 };
      const before = { ...row, ...rest, ...made };
      const note = { action: 'delete', entity: 'petty-cash-movements', entityId: id, before } as const;
      await inTransaction(db, async (trx) => audit(trx, actor, note));
    }
  });
});

const names = migrations.map(({ name }) => name);
