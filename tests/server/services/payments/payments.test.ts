import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import type { Actor } from '../../../../server/services/audit/audit.ts';
import { createInvoice, updateInvoice } from '../../../../server/services/invoices/invoices.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
  updatePayment,
} from '../../../../server/services/payments/payments.ts';
import { searchPayments } from '../../../../server/services/payments/reading.ts';
import { DomainError } from '../../../../shared/errors.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';

const paidOf = async (db: Db, id: number) =>
  (await db.selectFrom('invoices').select('paidCents').where('id', '=', id).executeTakeFirstOrThrow())
    .paidCents;

describeEachDatabase('payments', (fresh) => {
  it('the id of a deleted payment is never given to another one', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const { payment } = await createPayment(fresh.db, actor, { facturaproveedorId, amountCents: 1 });
    await deletePayment(fresh.db, actor, payment.id);
    const { payment: next } = await createPayment(fresh.db, actor, { facturaproveedorId, amountCents: 1 });
    expect(next.id).toBeGreaterThan(payment.id);
  });

  it('a payment is found by its check number and paged by date without loss', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    for (let n = 0; n < 7; n++) {
      const paymentdate = `2026-11-0${1 + (n % 3)}`;
      await createPayment(fresh.db, actor, {
        facturaproveedorId,
        amountCents: 1,
        checknum: `Ch-10${n}`,
        paymentdate,
      });
    }
    const ids: number[] = [];
    for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
      const page = await searchPayments(fresh.db, {
        checknum: 'CH-10',
        sort: 'paymentdate',
        direction: 'desc',
        limit: 3,
        cursor,
      });
      ids.push(...page.rows.map((payment) => payment.id));
      cursor = page.cursor;
    }
    expect(ids).toHaveLength(7);
    expect(new Set(ids).size).toBe(7);
  });

  it('of two users who delete a payment at once one deletes it, and the other finds none', async () => {
    const actor = await addActor(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const { payment } = await createPayment(fresh.db, actor, { facturaproveedorId, amountCents: 5 });
    const { db } = fresh.database.openAgain();
    const ends = await Promise.allSettled([fresh.db, db].map((one) => deletePayment(one, actor, payment.id)));
    expect(ends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(ends.find((end) => end.status === 'rejected')?.reason).toMatchObject({ kind: 'not-found' });
    expect(await paidOf(fresh.db, facturaproveedorId)).toBe(0);
  });

  it('every money rule holds whatever people do in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(commands, { minLength: 1, maxLength: 25 }), async (list) => {
        const actor = await addActor(fresh.db);
        const supplierId = await addSupplier(fresh.db, {});
        const jobId = await addJob(fresh.db, {});
        const model = new Model(fresh.db, actor, { supplierId, jobId });
        for (const command of list) {
          await model.run(command);
          await model.check();
        }
      }),
      { numRuns: 8 },
    );
  });
});

type Command =
  | { kind: 'invoice'; subtotal: number; tasa: number }
  | { kind: 'retotal'; at: number; subtotal: number }
  | { kind: 'pay'; at: number; amount: number }
  | { kind: 'repay'; at: number; amount: number; to: number }
  | { kind: 'unpay'; at: number }
  | { kind: 'restore'; at: number };

const amount = fc.integer({ min: -5, max: 3_000 });
const index = fc.nat(9);
const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant('invoice' as const),
    subtotal: amount,
    tasa: fc.constantFrom(0, 80_000, 125_000, 160_000),
  }),
  fc.record({ kind: fc.constant('retotal' as const), at: index, subtotal: amount }),
  fc.record({ kind: fc.constant('pay' as const), at: index, amount }),
  fc.record({ kind: fc.constant('repay' as const), at: index, amount, to: index }),
  fc.record({ kind: fc.constant('unpay' as const), at: index }),
  fc.record({ kind: fc.constant('restore' as const), at: index }),
);

/** A model of the rules in two maps, compared with the services. */
class Model {
  readonly invoices = new Map<number, number>(); // id → total
  readonly payments = new Map<number, { invoice: number; amount: number }>();
  readonly deleted = new Map<number, { invoice: number; amount: number }>();
  readonly db: Db;
  readonly actor: Actor;
  readonly base: { supplierId: number; jobId: number };

  constructor(db: Db, actor: Actor, base: { supplierId: number; jobId: number }) {
    this.db = db;
    this.actor = actor;
    this.base = base;
  }

  paid = (invoice: number) =>
    [...this.payments.values()].reduce((sum, one) => sum + (one.invoice === invoice ? one.amount : 0), 0);

  async run(command: Command): Promise<void> {
    const { db, actor } = this;
    const at = 'at' in command ? command.at : 0;
    const invoice = [...this.invoices.keys()][at % Math.max(1, this.invoices.size)];
    const payment = [...this.payments.keys()][at % Math.max(1, this.payments.size)];
    if (command.kind === 'invoice') {
      const made = await accepted(
        createInvoice(db, actor, { ...this.base, subtotalCents: command.subtotal, tasa: command.tasa }),
      );
      expect(made !== undefined).toBe(command.subtotal > 0);
      const iva = Math.floor((2 * command.subtotal * command.tasa + 1_000_000) / 2_000_000);
      if (made) this.invoices.set(made.invoice.id, command.subtotal + iva);
    } else if (command.kind === 'retotal' && invoice !== undefined) {
      const made = await accepted(
        updateInvoice(db, actor, invoice, { subtotalCents: command.subtotal, tasa: 0 }),
      );
      // Saving equal amounts is no change, so it is never refused.
      const same = made !== undefined && made.invoice.totalCents === this.invoices.get(invoice);
      if (!same)
        expect(made !== undefined).toBe(command.subtotal > 0 && command.subtotal > this.paid(invoice));
      if (made) this.invoices.set(invoice, command.subtotal);
    } else if (command.kind === 'pay' && invoice !== undefined) {
      const fits = command.amount > 0 && command.amount <= this.invoices.get(invoice)! - this.paid(invoice);
      const made = await accepted(
        createPayment(db, actor, { facturaproveedorId: invoice, amountCents: command.amount }),
      );
      expect(made !== undefined).toBe(fits);
      if (made) this.payments.set(made.payment.id, { invoice, amount: command.amount });
    } else if (command.kind === 'repay' && payment !== undefined) {
      const before = this.payments.get(payment)!;
      const target = [...this.invoices.keys()][command.to % this.invoices.size]!;
      const room =
        this.invoices.get(target)! - this.paid(target) + (target === before.invoice ? before.amount : 0);
      const change = { amountCents: command.amount, facturaproveedorId: target };
      const made = await accepted(updatePayment(db, actor, payment, change));
      expect(made !== undefined).toBe(command.amount > 0 && command.amount <= room);
      if (made) this.payments.set(payment, { invoice: target, amount: command.amount });
    } else if (command.kind === 'unpay' && payment !== undefined) {
      await deletePayment(db, actor, payment);
      this.deleted.set(payment, this.payments.get(payment)!);
      this.payments.delete(payment);
    } else if (command.kind === 'restore' && this.deleted.size > 0) {
      const [id, before] = [...this.deleted][at % this.deleted.size]!;
      const made = await accepted(restorePayment(db, actor, id));
      expect(made !== undefined).toBe(
        before.amount <= this.invoices.get(before.invoice)! - this.paid(before.invoice),
      );
      if (made) {
        this.payments.set(id, before);
        this.deleted.delete(id);
      }
    }
  }

  async check(): Promise<void> {
    const ids = [...this.invoices.keys(), 0];
    const rows = await this.db
      .selectFrom('invoices')
      .select(['id', 'totalCents', 'paidCents'])
      .where('id', 'in', ids)
      .execute();
    for (const row of rows) {
      expect(row).toEqual({
        id: row.id,
        totalCents: this.invoices.get(row.id),
        paidCents: this.paid(row.id),
      });
      expect(row.paidCents).toBeLessThanOrEqual(row.totalCents);
    }
  }
}

/** Returns undefined for a refused call; any other error fails the test. */
async function accepted<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid') return undefined;
    throw error;
  }
}
