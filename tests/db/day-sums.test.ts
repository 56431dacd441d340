import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { findWrongDaySums } from '../../db/day-sums.ts';
import { inTransaction } from '../../db/transaction.ts';
import { sumOpenByDueDay } from '../../server/services/invoices/open-sums.ts';
import { sumInvoices } from '../../server/services/invoices/sums.ts';
import { sumPayments } from '../../server/services/payments/sums.ts';
import { describeEachDatabase } from '../support/databases.ts';
import { chooseRunCount } from '../support/proofs.ts';
import { addInvoice, addPayment, addUser, TODAY } from '../support/rows.ts';

const DAY = { today: TODAY, timeZone: 'America/Mexico_City' };
const day = fc.constantFrom('2025-12-31', '2026-11-20', '2026-12-01');
const row = fc.record({
  fechaemision: fc.option(day),
  fechavencimiento: fc.option(day),
  vence: day,
  subtotalCents: fc.integer({ min: 10, max: 30 }),
  paidCents: fc.integer({ min: 0, max: 10 }),
});
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;
const amountsOf = ({ subtotalCents, ...rest }: Row) => ({
  ...rest,
  subtotalCents,
  ivaCents: 0,
  totalCents: subtotalCents,
  paidCents: rest.paidCents,
});
const at = fc.nat(4);
const payment = fc.record({
  paymentdate: day,
  amountCents: fc.integer({ min: 1, max: 9 }),
  importebancoCents: fc.option(fc.integer({ min: 10, max: 19 })),
});

describeEachDatabase('the sums by day', (fresh) => {
  it('equal those of the rows after any statements, on one row or on many', async () => {
    const { db } = fresh;
    const first = await addInvoice(db, {});
    const { id: userId } = await addUser(db);
    await addPayment(db, { facturaproveedorId: first, amountCents: 5, userId });
    const idsOf = async (table: 'invoices' | 'payments') =>
      (await db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
    const place = async (table: 'invoices' | 'payments', n: number) => {
      const ids = await idsOf(table);
      return ids[n % ids.length]!;
    };
    const copy = (table: 'invoices' | 'payments', columns: string) =>
      sql.raw(`insert into ${table} (${columns}) select ${columns} from ${table}
        where id in (select id from ${table} order by id limit 3)`);
    const steps = fc.oneof(
      fc.record({ at, invoice: row }),
      fc.record({ at, payment }),
      fc.record({ copied: fc.constantFrom('invoices' as const, 'payments' as const) }),
      fc.record({ removed: fc.constantFrom('invoices' as const, 'payments' as const), at }),
      fc.record({ undone: row }),
      fc.record({ allOn: day }),
    );
    const take = async (step: typeof steps extends fc.Arbitrary<infer T> ? T : never) => {
      if ('invoice' in step) {
        const id = await place('invoices', step.at);
        await db.updateTable('invoices').set(amountsOf(step.invoice)).where('id', '=', id).execute();
      } else if ('payment' in step) {
        const id = await place('payments', step.at);
        await db.updateTable('payments').set(step.payment).where('id', '=', id).execute();
      } else if ('copied' in step) await copy(step.copied, COLUMNS[step.copied]).execute(db);
      else if ('removed' in step) {
        const id = await place(step.removed, step.at);
        if (id === first || (await idsOf(step.removed)).length < 2) return;
        await db.deleteFrom(step.removed).where('id', '=', id).execute();
      } else if ('undone' in step)
        await inTransaction(db, async (trx) => {
          await trx.updateTable('invoices').set(amountsOf(step.undone)).execute();
          throw new Error('undone');
        }).catch(() => {});
      else await db.updateTable('invoices').set({ vence: step.allOn }).execute();
    };
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 12 }), async (list) => {
        for (const step of list) await take(step);
        expect(await findWrongDaySums(db)).toEqual([]);
        const { rows } = await sql`select count(*) as count, sum("totalCents") as "totalCents",
          sum("paidCents") as "paidCents", sum("subtotalCents" + "otrosimpuestosCents") as "sinIvaCents"
          from invoices`.execute(db);
        expect(await sumInvoices(db, {}, DAY)).toEqual(numbers(rows[0]));
        const open =
          await sql`select vence, case when fechavencimiento is null then 1 else 0 end as estimated,
          count(*) as count, sum("totalCents" - "paidCents") as "sumCents" from invoices
          where "paidCents" < "totalCents" group by 1, 2 order by 1, 2`.execute(db);
        const found = await sumOpenByDueDay(db);
        expect(found.map(numbers).sort(byText)).toEqual(open.rows.map(numbers).sort(byText));
        const paid =
          await sql`select count(*) as count, sum(coalesce("importebancoCents", "amountCents")) as "amountCents",
          sum(coalesce("importebancoCents", "amountCents") - "amountCents") as "exchangeCents", 0 as "creditCents", 0 as "creditCount"
          from payments`.execute(db);
        expect(await sumPayments(db, {})).toEqual(numbers(paid.rows[0]));
      }),
      { numRuns: chooseRunCount(15, 60, 300) },
    );
  });
});

const COLUMNS = {
  invoices: `"supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", fechaemision, fechavencimiento, vence,
    fechacaptura, "subtotalCents", "ivaCents", "totalCents", "paidCents", comments, "createdAt", "updatedAt"`,
  payments: `"facturaproveedorId", checknum, "checknumFold", paymentdate, "amountCents", "importebancoCents", comments,
    "userId", "createdAt", "updatedAt"`,
};

/** PostgreSQL returns sums as text. */
const numbers = (one: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(one as object).map(([name, value]) => [name, name === 'vence' ? value : Number(value)]),
  );

const byText = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));
