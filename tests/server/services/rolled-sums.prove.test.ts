import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createInvoice } from '../../../server/services/invoices/invoices.ts';
import { addUpInvoices, sumInvoices } from '../../../server/services/invoices/sums.ts';
import { createPayment } from '../../../server/services/payments/payments.ts';
import { startChild } from '../../support/children.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { howMany } from '../../support/proofs.ts';
import { foldNow, misrolled } from '../../support/rolls.ts';
import { addActor, addInvoice, addJob, addSupplier, TODAY } from '../../support/rows.ts';

const DAY = { today: TODAY, timeZone: 'America/Mexico_City' };

describeEachDatabase('sums that are rolled up', (fresh) => {
  it('are right beside other processes that write and are killed', async () => {
    const { db, database } = fresh;
    const ana = await addActor(db);
    const draft = { supplierId: await addSupplier(db), jobId: await addJob(db), subtotalCents: 700, tasa: 0 };
    for (let round = 0; round < howMany(2, 2, 12); round++) {
      const [first, second] = [await startChild(), await startChild()];
      const ends = [first, second].map((child) =>
        child.run('invoices', database.url, 300).catch(() => 'killed'),
      );
      for (let n = 0; n < 30; n++) {
        const { invoice } = await createInvoice(db, ana, draft);
        const paid = { facturaproveedorId: invoice.id, amountCents: 100 + n };
        await Promise.all([createPayment(db, ana, paid), createPayment(db, ana, paid)]);
        if (n % 5 === 0) await foldNow(db);
        if (n === 20) await first.kill();
      }
      await second.kill();
      await Promise.all(ends);
      expect(await misrolled(db)).toEqual([]);
      expect(await sumInvoices(db, {}, DAY)).toEqual(await addUpInvoices(db, {}, DAY));
    }
  });

  it('are right where many connections fold at once', async () => {
    const first = await addInvoice(fresh.db);
    for (let n = 0; n < 60; n++) await addSupplier(fresh.db);
    for (let n = 0; n < 60; n++) await addJob(fresh.db, { clientId: 1 });
    const pools = [fresh.db, fresh.database.openAgain().db, fresh.database.openAgain().db];
    const insert = (n: number, whose: string) => sql`
      insert into invoices ("supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", "subtotalCents", tasa,
        "ivaCents", "totalCents", comments, fechacaptura, vence, "createdAt", "updatedAt")
      select s.id, j.id, ${sql.lit(whose)}, '', '', ${sql.lit(n + 1)}, 0, 0, ${sql.lit(n + 1)}, '', i.fechacaptura, i.vence, i."createdAt", i."updatedAt"
      from invoices i, suppliers s, jobs j where i.id = ${first} order by j.id, s.id limit ${sql.lit(150 + n)}`;
    const work = pools.flatMap((db, pool) =>
      Array.from({ length: 3 }, async (_, lane) => {
        // Rows of their own, or they would wait for each other's in a ring.
        const whose = `${pool}-${lane}`;
        const own = sql`numfactura = ${whose}`;
        for (let n = 0; n < howMany(10, 10, 40); n++) {
          await insert(n, whose).execute(db);
          if (n % 4 === lane)
            await sql`update invoices set "paidCents" = 1 where "jobId" = ${n} and ${own}`.execute(db);
          if (n % 6 === lane)
            await sql`delete from invoices where "supplierId" = ${n} and ${own}`.execute(db);
          expect(await misrolled(db)).toEqual([]);
        }
      }),
    );
    await Promise.all(work);
    expect(await sumInvoices(fresh.db, {}, DAY)).toEqual(await addUpInvoices(fresh.db, {}, DAY));
    const { rows } = await sql<{
      n: number;
    }>`select count(*) as n from invoice_sums where count > 20`.execute(fresh.db);
    expect(rows[0]!.n).toBeGreaterThan(10);
  });
});
