import { type RawBuilder, sql } from 'kysely';
import { paymentCost, takenBy } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import { type AnyCosts, addedUp, type CostsAsked, narrowed, type Part, within } from './cost-rows.ts';

type CostRows = (query: AnyCosts) => RawBuilder<unknown>;

/** Invoices by their day of issue; what is settled of them by now stands beside what they cost. */
export const BILLED: CostRows = (
  query,
) => sql`select "jobId", "rubroId", cast(fechaemision as text) as day, 1 as count,
    "subtotalCents" + "otrosimpuestosCents" as cost, "totalCents" as total, "paidCents" as settled
  from invoices where ${within(sql`fechaemision`, query)} ${narrowed(query)}`;

/** Payments in money, as they left the bank, and the share of each that is cost. */
export const PAID: CostRows = (query) => sql`select invoices."jobId", invoices."rubroId",
    cast(payments.paymentdate as text) as day, 1 as count, ${paymentCost('payments', 'invoices')} as cost,
    ${takenBy('payments')} as total, ${takenBy('payments')} as settled
  from payments join invoices on invoices.id = payments."facturaproveedorId"
  where payments.kind = 'pago' and ${within(sql`payments.paymentdate`, query)} ${narrowed(query)}`;

/** The cells of each question, all of one moment. */
export async function readSpent(db: Db, of: CostRows, asked: readonly CostsAsked[]): Promise<Part[][]> {
  const sums = asked.every(({ query }) => query.isUnsettled)
    ? COSTS
    : { ...COSTS, settledCents: sql`settled` };
  const questions = asked.map(({ query, by }, at) => addedUp(by, of(query), sums, at));
  const { rows } = await sql<Part & { at: number }>`${sql.join(questions, sql` union all `)}`.execute(db);
  const parts = asked.map((): Part[] => []);
  for (const { at, ...part } of rows) parts[at]!.push(part);
  return parts;
}

const COSTS = { count: sql`count`, costCents: sql`cost`, totalCents: sql`total` };
