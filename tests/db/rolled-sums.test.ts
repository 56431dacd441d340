import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { rebuildRolls, rolledRows } from '../../db/rolled-sums.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { misrolled } from '../support/rolls.ts';
import {
  addActor,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
} from '../support/rows.ts';

async function noted(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from invoice_changes`.execute(db);
  return rows[0]!.n;
}

async function allOf(db: Db) {
  const { rows } = await sql<{ count: number; paid: number }>`select coalesce(sum(count), 0) as count,
    coalesce(sum("paidCents"), 0) as paid from ${rolledRows('invoice_sums', { supplierId: undefined, jobId: undefined })} r`.execute(
    db,
  );
  return rows[0];
}

describeEachDatabase('the rolled sums', (fresh) => {
  it('follow whatever statement changes a row', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const [supplierId, jobId, rubroId] = [await addSupplier(db), await addJob(db), await addRubro(db)];
    const source = await addFundingSource(db);
    const one = await addInvoice(db, { supplierId, jobId, rubroId, fechaemision: '2026-10-31' });
    const other = await addInvoice(db, { supplierId });
    await addPayment(db, { facturaproveedorId: one, amountCents: 700, userId, origenderecursoId: source });
    const second = { facturaproveedorId: one, amountCents: 300, importebancoCents: 299, userId };
    const payment = await addPayment(db, second);
    expect(await misrolled(db)).toEqual([]);
    expect(await allOf(db)).toEqual({ count: 2, paid: 1000 });
    for (const statement of [
      `update invoices set "supplierId" = ${await addSupplier(db)} where id = ${other}`,
      `update invoices set "jobId" = ${jobId}, "rubroId" = null, fechaemision = null`,
      `update invoices set comments = 'x', fechaemision = '2025-02-28' where id = ${one}`,
      `update payments set paymentdate = '2024-02-29', "origenderecursoId" = ${source}, "amountCents" = 301`,
      `update payments set "importebancoCents" = null`,
      `update payments set "facturaproveedorId" = ${other} where id = ${payment}`,
      `update invoices set "otrosimpuestosCents" = 7, "totalCents" = "totalCents" + 7`,
      `update invoices set "rubroId" = ${rubroId} where id = ${other}`,
      `delete from payments where id = ${payment}`,
      `update invoices set "subtotalCents" = "subtotalCents" + 5, "totalCents" = "totalCents" + 5`,
      `delete from invoices where id = ${other}`,
    ]) {
      await sql.raw(statement).execute(db);
      expect(await misrolled(db), statement).toEqual([]);
    }
    expect(await allOf(db)).toEqual({ count: 1, paid: 1000 });
  });

  it('are folded now and then, by statements of many rows and of one', async () => {
    const { db } = fresh;
    const first = await addInvoice(db);
    for (let n = 0; n < 50; n++) await addJob(db, { clientId: 1 });
    for (let n = 0; n < 50; n++) await addSupplier(db);
    // Another supplier and obra each: those of the same would be noted as one.
    const many = (count: number) => sql`
      insert into invoices ("supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", fechaemision,
        "subtotalCents", tasa, "ivaCents", "totalCents", comments, fechacaptura, vence, "createdAt", "updatedAt")
      select s.id, j.id, '', '', '', fechaemision, "subtotalCents" + j.id, 0, 0, "subtotalCents" + j.id, '',
        i.fechacaptura, i.vence, i."createdAt", i."updatedAt" from invoices i, suppliers s, jobs j where i.id = ${first}
      order by s.id, j.id limit ${sql.lit(count)}`;
    await many(2500).execute(db);
    const most = [await noted(db)];
    for (let n = 0; n < 60; n++) {
      await inTransaction(db, (trx) => many(25).execute(trx));
      most.push(await noted(db));
    }
    expect(Math.max(...most)).toBeLessThan(1000);
    expect((await allOf(db))?.count).toBe(1 + 2500 + 60 * 25);
    expect(await misrolled(db)).toEqual([]);
    const { rows } = await sql<{ n: number }>`select sum(count) as n from invoice_day_sums`.execute(db);
    expect(rows[0]?.n).toBeGreaterThan(0);
    await inTransaction(db, async (trx) => {
      await sql`delete from invoices where id <> ${first}`.execute(trx);
      expect((await allOf(trx))?.count).toBe(1);
      expect(await misrolled(trx)).toEqual([]);
    });
    expect(await misrolled(db)).toEqual([]);
  });

  it('that somebody has spoilt are named, and right once they are made anew', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const invoice = await addInvoice(db, { fechaemision: '2026-03-05' });
    await addPayment(db, { facturaproveedorId: invoice, amountCents: 500, userId });
    await inTransaction(db, rebuildRolls);
    expect(await misrolled(db)).toEqual([]);
    await sql`update invoice_changes set "totalCents" = "totalCents" + 1`.execute(db);
    await sql`insert into payment_day_sums values ('2020-01-01', 'pago', 1, 1, 1, 1)`.execute(db);
    await sql`update invoice_day_sums set count = 7`.execute(db);
    await sql`insert into invoice_sums ("supplierId", "jobId", count, "totalCents", "paidCents", "sinIvaCents")
      values (99, -1, 0, 0, 0, 100)`.execute(db);
    const named = (await misrolled(db)).map(({ table, id }) => `${table} ${id}`);
    expect(named).toEqual(
      expect.arrayContaining([
        'invoice_sums 99 · -1',
        'invoice_day_sums 2026-03-05',
        'payment_day_sums 2020-01-01 · pago',
      ]),
    );
    await inTransaction(db, rebuildRolls);
    expect(await misrolled(db)).toEqual([]);
  });
});
