import { type RawBuilder, sql } from 'kysely';
import { creditCost, paymentCost, takenBy } from '../../../db/expressions.ts';
import { findsAtMost } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PaymentKind } from '../../../shared/payments.ts';
import { ADDED_UP_AT_ONCE, askedOf } from '../asked-filters.ts';
import { filterPayments, type PaymentFilter } from './reading.ts';

interface PaymentTotals {
  /** credits applied are among them */
  count: number;
  /** what was paid in money, as it left the bank */
  amountCents: Cents;
  /** how much of that is diferencia cambiaria: it took that much less off the invoices */
  exchangeCents: Cents;
  /** what credit notes covered */
  creditCents: Cents;
}

/** How many payments a filter finds, and their sums. */
export function sumPayments(db: Db, filter: PaymentFilter): Promise<PaymentTotals> {
  const sumOf = (kind: PaymentKind, cents: RawBuilder<Cents>) =>
    sql<Cents>`coalesce(sum(case when payments.kind = ${sql.lit(kind)} then ${cents} end), 0)`;
  const [taken, settled] = [takenBy('payments'), sql<Cents>`payments."amountCents"`];
  return filterPayments(db, filter)
    .select([
      sql<number>`count(*)`.as('count'),
      sumOf('pago', taken).as('amountCents'),
      sumOf('pago', sql<Cents>`${taken} - ${settled}`).as('exchangeCents'),
      sumOf('credito', settled).as('creditCents'),
    ])
    .executeTakeFirstOrThrow();
}

/** The sums where an index answers them, or where there are few payments anyway; see sumInvoicesAtOnce. */
export async function sumPaymentsAtOnce(db: Db, filter: PaymentFilter): Promise<PaymentTotals | undefined> {
  const isIndexed = askedOf(filter).every((name) => INDEXED.includes(name as keyof PaymentFilter));
  const isCheap =
    isIndexed || (await findsAtMost(db, ADDED_UP_AT_ONCE, db.selectFrom('payments').select('id')));
  return isCheap ? sumPayments(db, filter) : undefined;
}

const INDEXED: readonly (keyof PaymentFilter)[] = ['paymentdateDesde', 'paymentdateHasta', 'kind'];

/** What of the credits that a filter finds is cost: each one's share without IVA of its own note. */
export async function sumCreditCost(db: Db, filter: PaymentFilter): Promise<Cents> {
  const { cents } = await filterPayments(db, { ...filter, kind: 'credito' })
    .innerJoin('credit_notes', 'credit_notes.id', 'payments.creditNoteId')
    .select(sql<Cents>`coalesce(sum(${creditCost('payments', 'credit_notes')}), 0)`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}

/** What of the payments in money that a filter finds is cost: each one's share without IVA of its own invoice. */
export async function sumPaidCost(db: Db, filter: PaymentFilter): Promise<Cents> {
  const { cents } = await filterPayments(db, { ...filter, kind: 'pago' })
    .innerJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
    .select(sql<Cents>`coalesce(sum(${paymentCost('payments', 'invoices')}), 0)`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}
