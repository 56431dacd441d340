import { expect, it } from 'vitest';
import { buildBankOrder } from '../../server/services/bank-files/transfers.ts';
import { importBankStatement } from '../../server/services/bank-statements/import-statement.ts';
import { addAccount } from '../support/accounts.ts';
import { addBatch } from '../support/batches.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import { addActor, addFundingSource, addInvoice } from '../support/rows.ts';
import { readRows } from '../support/stored.ts';

describeEachInLongLane('a bank movement that returns money', (fresh) => {
  it.each([
    ['2026-11-17', 'sin-partida', 1],
    ['2026-11-18', 'devuelto', 0],
    ['2026-11-19', 'devuelto', 0],
  ] as const)('of the %s takes back what was paid on the 18th: %s', async (fecha, outcome, payments) => {
    const { db } = fresh;
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const approver = await addActor(db, { roles: [1], today: '2026-11-10' });
    const { supplierId } = await addAccount(db, { author });
    const origenderecursoId = await addFundingSource(db);
    const invoiceIds = [await addInvoice(db, { supplierId })];
    const batch = await addBatch(db, { approver, origenderecursoId, invoiceIds, estado: 'enviada' });
    const [transfer] = (await buildBankOrder(db, batch)).transfers;
    const { amountCents, referencia } = transfer!;
    const reader = await addActor(db, { roles: [2] });
    const load = (day: string, cents: number) =>
      importBankStatement(db, reader, {
        ...{ origenderecursoId, filename: 'x.csv', sha256: 'a'.repeat(64) },
        movements: [{ line: 2, fecha: day, amountCents: cents, referencia, descripcion: '' }],
      });
    expect((await load('2026-11-18', -amountCents)).counts).toMatchObject({ pagado: 1 });
    expect((await load(fecha, amountCents)).counts).toMatchObject({ [outcome]: 1 });
    expect(await readRows(db, 'payments')).toHaveLength(payments);
  });
});
