import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  findWrongPaymentsWithoutReceipt,
  mayLackReceiptCondition,
} from '../../db/payments-without-receipt.ts';
import { inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase, useFreshDatabase } from '../support/databases.ts';
import { chooseRunCount } from '../support/proofs.ts';
import { addInvoice, addPayment, addUser, NOW } from '../support/rows.ts';

const at = fc.nat(5);
const cents = fc.integer({ min: 1, max: 4 });
const day = fc.constantFrom('2026-10-31', '2026-11-20', '2026-12-01');
const method = fc.constantFrom('PPD', 'PPD', 'PUE', null);
const steps = fc.oneof(
  fc.record({ invoice: at, metodopago: method }),
  fc.record({ allInvoices: method }),
  fc.record({ paidOf: at, amountCents: cents, paymentdate: day }),
  fc.record({ payment: at, of: at, amountCents: cents, importebancoCents: fc.option(fc.constantFrom(5, 6)) }),
  fc.record({
    receiptOn: day,
    lines: fc.array(fc.record({ linked: fc.option(at), cents }), { maxLength: 3 }),
  }),
  fc.record({ line: at, linked: fc.option(at), cents }),
  fc.record({ cancelled: at, isCancelled: fc.boolean() }),
  fc.record({ gone: fc.constantFrom('payments', 'payment_receipts', 'payment_receipt_lines'), at }),
  fc.record({ undone: method }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

describeEachDatabase('the payments that may lack a receipt', (fresh) => {
  it('are all that lack one on any day, after any statements', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const invoices = [await addInvoice(db), await addInvoice(db), await addInvoice(db)];
    const { supplierId } = (await db.selectFrom('invoices').select('supplierId').executeTakeFirst())!;
    const run = (text: RawBuilder<unknown>) => text.execute(db);
    const place = async (table: string, n: number | null): Promise<number | null> => {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} order by id`.execute(db);
      return n === null ? null : (rows[n % (rows.length || 1)]?.id ?? null);
    };
    let receipts = 0;
    const take = async (step: Step) => {
      if ('invoice' in step)
        await run(
          sql`update invoices set metodopago = ${step.metodopago} where id = ${await place('invoices', step.invoice)}`,
        );
      else if ('allInvoices' in step) await run(sql`update invoices set metodopago = ${step.allInvoices}`);
      else if ('paidOf' in step) {
        const { paidOf, ...paid } = step;
        await addPayment(db, { ...paid, facturaproveedorId: invoices[paidOf % 3]!, userId });
      } else if ('payment' in step) {
        const { payment, of, ...amounts } = step;
        const facturaproveedorId = invoices[of % 3]!;
        const id = await place('payments', payment);
        if (id !== null)
          await db
            .updateTable('payments')
            .set({ ...amounts, facturaproveedorId })
            .where('id', '=', id)
            .execute();
      } else if ('lines' in step) {
        const uuid = `RECEIPT-${++receipts}`;
        const stored = {
          supplierId,
          numero: '',
          uuid,
          fecha: step.receiptOn,
          detail: '{}',
          userId,
          createdAt: NOW,
        };
        const { id } = await db
          .insertInto('payment_receipts')
          .values(stored)
          .returning('id')
          .executeTakeFirstOrThrow();
        for (const { linked, cents: amountCents } of step.lines)
          await run(sql`insert into payment_receipt_lines ("receiptId", "invoiceUuid", "paymentId", "paidOn", "amountCents", moneda)
            values (${id}, 'A', ${await place('payments', linked)}, '2026-11-20', ${amountCents}, 'MXN')`);
      } else if ('line' in step)
        await run(sql`update payment_receipt_lines set "paymentId" = ${await place('payments', step.linked)},
          "amountCents" = ${step.cents} where id = ${await place('payment_receipt_lines', step.line)}`);
      else if ('cancelled' in step) {
        const seen = step.isCancelled ? '2026-11-20' : null;
        await run(sql`insert into sat_documents (uuid, "rfcEmisor", "nombreEmisor", "rfcReceptor", fecha, "montoCents", efecto,
            "vigenteVisto", "canceladoVisto")
          select uuid, 'A', 'A', 'B', fecha, 0, 'P', fecha, ${seen} from payment_receipts
            where id = ${await place('payment_receipts', step.cancelled)}
          on conflict (uuid) do update set "canceladoVisto" = excluded."canceladoVisto"`);
      } else if ('gone' in step)
        await run(sql`delete from ${sql.table(step.gone)} where id = ${await place(step.gone, step.at)}`);
      else
        await inTransaction(db, async (trx) => {
          await sql`update invoices set metodopago = ${step.undone}`.execute(trx);
          throw new Error('undone');
        }).catch(() => {});
    };
    const lacking = async (corte: string, among: RawBuilder<unknown>) => {
      const { rows } = await sql<{ id: number }>`select p.id from payments p
        join invoices i on i.id = p."facturaproveedorId"
        where ${among} and i.metodopago = 'PPD' and p.kind = 'pago' and (select count(*) from payment_receipt_lines l
          join payment_receipts r on r.id = l."receiptId" left join sat_documents d on d.uuid = r.uuid
          where l."paymentId" = p.id and r.fecha <= ${corte} and d."canceladoVisto" is null
            and l."amountCents" >= coalesce(p."importebancoCents", p."amountCents")) = 0 order by p.id`.execute(
        db,
      );
      return rows.map(({ id }) => id);
    };
    let found = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 15 }), async (list) => {
        for (const step of list) await take(step);
        expect(await findWrongPaymentsWithoutReceipt(db)).toEqual([]);
        for (const corte of ['2026-10-31', '2026-11-20', '9999-12-31'] as const) {
          const expected = await lacking(corte, sql`true`);
          expect(await lacking(corte, mayLackReceiptCondition('p', corte))).toEqual(expected);
          found += expected.length;
        }
      }),
      { numRuns: chooseRunCount(15, 60, 300) },
    );
    expect(found).toBeGreaterThan(0);
  });
});

describe('of two transactions at once that change facts of one payment', () => {
  const fresh = useFreshDatabase('postgres');

  it('the later one sees the earlier one', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const facturaproveedorId = await addInvoice(db, { metodopago: 'PPD' });
    const paymentId = await addPayment(db, { facturaproveedorId, amountCents: 5, userId });
    await sql`insert into payment_receipts ("supplierId", numero, uuid, fecha, detail, "userId", "createdAt")
      select "supplierId", '', 'A', '2026-11-20', '{}', ${userId}, ${NOW} from invoices`.execute(db);
    const acts = [
      sql`insert into payment_receipt_lines ("receiptId", "invoiceUuid", "paymentId", "paidOn", "amountCents", moneda)
        select id, 'A', ${paymentId}, '2026-11-20', 5, 'MXN' from payment_receipts`,
      sql`update payment_receipt_lines set "paymentId" = null`,
      sql`update payments set "amountCents" = 11 - "amountCents"`,
      sql`update invoices set metodopago = case when metodopago = 'PPD' then 'PUE' else 'PPD' end`,
      sql`insert into payments ("facturaproveedorId", checknum, "checknumFold", paymentdate, "amountCents", comments,
        "userId", "createdAt", "updatedAt")
        values (${facturaproveedorId}, '', '', '2026-11-20', 5, '', ${userId}, ${NOW}, ${NOW})`,
    ];
    for (const first of acts)
      for (const second of acts.filter((act) => act !== first)) {
        const one = await db.startTransaction().execute();
        const other = await db.startTransaction().execute();
        await first.execute(one);
        const waiting = second.execute(other);
        await Promise.race([waiting, delay(40)]);
        await one.commit().execute();
        await waiting;
        await other.commit().execute();
        expect(await findWrongPaymentsWithoutReceipt(db)).toEqual([]);
      }
  });
});
