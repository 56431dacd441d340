import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { creditCost, paymentCost, takenBy } from '../../../db/expressions.ts';
import { rolledRows } from '../../../db/rolled-sums.ts';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PaymentKind } from '../../../shared/payments.ts';
import { ADDED_UP_AT_ONCE, askedOf } from '../asked-filters.ts';
import { filterPayments, type PaymentFilter } from './reading.ts';

export interface PaymentTotals {
  /** credits applied are among them */
  count: number;
  /** what was paid in money, as it left the bank */
  amountCents: Cents;
  /** how much of that is diferencia cambiaria: it took that much less off the invoices */
  exchangeCents: Cents;
  /** what credit notes covered */
  creditCents: Cents;
}

/** How many payments a filter finds, and their sums: what is rolled up where that answers it. */
export async function sumPayments(db: Db, filter: PaymentFilter): Promise<PaymentTotals> {
  const rolled = rolledPayments(filter);
  if (!rolled) return addUpPayments(db, filter);
  const added = { count: sql<number>`count`, taken: sql<Cents>`"takenCents"` };
  return selectSums(db.selectFrom(rolled.as('payments')), added).executeTakeFirstOrThrow();
}

/** The same where it costs next to nothing, as sumInvoicesAtOnce. */
export async function sumPaymentsAtOnce(db: Db, filter: PaymentFilter): Promise<PaymentTotals | undefined> {
  const isCheap = rolledPayments(filter) ?? (await sumPayments(db, {})).count <= ADDED_UP_AT_ONCE;
  return isCheap ? sumPayments(db, filter) : undefined;
}

/** The same from the payments themselves. */
export const addUpPayments = (db: Db, filter: PaymentFilter): Promise<PaymentTotals> =>
  selectSums(filterPayments(db, filter), {
    count: sql<number>`1`,
    taken: takenBy('payments'),
  }).executeTakeFirstOrThrow();

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
  const paid: PaymentFilter = { ...filter, kind: 'pago' };
  const rolled = rolledPayments(paid);
  const costs = rolled
    ? db.selectFrom(rolled.as('payments')).select(sql<Cents>`"costCents"`.as('cents'))
    : filterPayments(db, paid)
        .innerJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
        .select(paymentCost('payments', 'invoices').as('cents'));
  const { cents } = await db
    .selectFrom(costs.as('costs'))
    .select(sql<Cents>`coalesce(sum(cents), 0)`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}

/** @param rows `payments` by name, or what of them is added up */
function selectSums<DB, Table extends keyof DB>(
  rows: SelectQueryBuilder<DB, Table, object>,
  { count, taken }: { count: RawBuilder<number>; taken: RawBuilder<Cents> },
) {
  const sumOf = (kind: PaymentKind, cents: RawBuilder<Cents>) =>
    sql<Cents>`coalesce(sum(case when payments.kind = ${sql.lit(kind)} then ${cents} end), 0)`;
  const settled = sql<Cents>`payments."amountCents"`;
  return rows
    .select(sql<number>`coalesce(sum(${count}), 0)`.as('count'))
    .select(sumOf('pago', taken).as('amountCents'))
    .select(sumOf('pago', sql<Cents>`${taken} - ${settled}`).as('exchangeCents'))
    .select(sumOf('credito', settled).as('creditCents'))
    .$castTo<PaymentTotals>();
}

/** Rows of the roll that add up to a filter's sums; nothing where only the payments themselves tell. */
function rolledPayments(filter: PaymentFilter): RawBuilder<unknown> | undefined {
  const { paymentdateDesde: from, paymentdateHasta: to, kind, origenderecursoId: source } = filter;
  const asked = askedOf(filter);
  const isOfSource = Boolean(source) && !kind && source! > 0;
  if (!asked.every((name) => ROLLED.includes(name) || (isOfSource && name === 'origenderecursoId')))
    return undefined;
  const parts = [
    sql`true`,
    ...(from ? [sql`paymentdate >= ${from}`] : []),
    ...(to ? [sql`paymentdate <= ${to}`] : []),
    ...(kind ? [sql`kind = ${kind}`] : []),
  ];
  const within = sql<SqlBool>`${sql.join(parts, sql` and `)}`;
  if (!isOfSource) return rolledRows('payment_day_sums', {}, within);
  // What comes from a source is money: the database takes no credit with one.
  const ofSource = rolledRows('payment_source_sums', { origenderecursoId: source! }, within);
  return sql`(select s.*, 'pago' as kind from ${ofSource} s)`;
}

const ROLLED: readonly string[] = [
  'paymentdateDesde',
  'paymentdateHasta',
  'kind',
] satisfies (keyof PaymentFilter)[];
