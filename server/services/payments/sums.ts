import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { daySumsSubquery } from '../../../db/day-sums.ts';
import {
  bankAmountExpression,
  creditCostExpression,
  paymentCostExpression,
} from '../../../db/expressions.ts';
import { tableHasAtMostRows } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PaymentKind } from '../../../shared/payments.ts';
import { activeFilterNames, MAX_IMMEDIATE_SUM_ROWS } from '../active-filters.ts';
import { buildPaymentQuery, type PaymentFilter } from './reading.ts';

export interface PaymentTotals {
  /** includes applied credits */
  count: number;
  creditCount: number;
  /** paid in money, as bank amounts */
  amountCents: Cents;
  /** the exchange difference within `amountCents`: bank amounts less the amounts settled of invoices */
  exchangeCents: Cents;
  creditCents: Cents;
}

export async function sumPayments(db: Db, filter: PaymentFilter): Promise<PaymentTotals> {
  const sumOfKind = (kind: PaymentKind, figure: RawBuilder<number>) =>
    sql<number>`coalesce(sum(${figure}) filter (where kind = ${sql.lit(kind)}), 0)`;
  const { rows } = await sql<PaymentTotals>`
    select coalesce(sum(count), 0) as count, ${sumOfKind('credito', sql`count`)} as "creditCount",
      ${sumOfKind('pago', sql`"totalCents"`)} as "amountCents",
      ${sumOfKind('pago', sql`"totalCents" - "paidCents"`)} as "exchangeCents",
      ${sumOfKind('credito', sql`"paidCents"`)} as "creditCents"
    from ${buildRowsToSumQuery(db, filter)}`.execute(db);
  return rows[0]!;
}

function buildRowsToSumQuery(db: Db, filter: PaymentFilter): RawBuilder<unknown> {
  if (!isSummedByDay(filter)) {
    const found = buildPaymentQuery(db, filter).select([
      'payments.kind',
      sql`1`.as('count'),
      bankAmountExpression('payments').as('totalCents'),
      'payments.amountCents as paidCents',
    ]);
    return sql`(${found}) as found`;
  }
  const { paymentdateDesde: from, paymentdateHasta: to, kind } = filter;
  const where: RawBuilder<SqlBool>[] = [sql`true`];
  if (from) where.push(sql`day >= ${from}`);
  if (to) where.push(sql`day <= ${to}`);
  if (kind) where.push(sql`kind = ${kind}`);
  return sql`${daySumsSubquery(db, 'payments')} where ${sql.join(where, sql` and `)}`;
}

/** Returns undefined unless the sums by day suffice or there are few payments; see sumInvoicesIfCheap. */
export async function sumPaymentsIfCheap(db: Db, filter: PaymentFilter): Promise<PaymentTotals | undefined> {
  const isCheap = isSummedByDay(filter) || (await tableHasAtMostRows(db, MAX_IMMEDIATE_SUM_ROWS, 'payments'));
  return isCheap ? sumPayments(db, filter) : undefined;
}

const DAY_SUM_FILTERS: readonly string[] = ['paymentdateDesde', 'paymentdateHasta', 'kind'];
const isSummedByDay = (filter: PaymentFilter): boolean =>
  activeFilterNames(filter).every((name) => DAY_SUM_FILTERS.includes(name));

export async function sumCreditCost(db: Db, filter: PaymentFilter): Promise<Cents> {
  const { cents } = await buildPaymentQuery(db, { ...filter, kind: 'credito' })
    .innerJoin('credit_notes', 'credit_notes.id', 'payments.creditNoteId')
    .select(sql<Cents>`coalesce(sum(${creditCostExpression('payments', 'credit_notes')}), 0)`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}

export async function sumPaidCost(db: Db, filter: PaymentFilter): Promise<Cents> {
  const { cents } = await buildPaymentQuery(db, { ...filter, kind: 'pago' })
    .innerJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
    .select(sql<Cents>`coalesce(sum(${paymentCostExpression('payments', 'invoices')}), 0)`.as('cents'))
    .executeTakeFirstOrThrow();
  return cents;
}
