import { sql } from 'kysely';
import { creditCost, paymentCost, takenBy } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import {
  type AnyCosts,
  addUp,
  type Cost,
  type CostCell,
  type Key,
  narrowed,
  type Part,
  within,
} from './cost-rows.ts';

/**
 * Adds up the costs of a period: invoices by their day of issue less credit notes by theirs, at the obra and rubro of the
 * invoice that they were applied to, or payments in money by their days; and expenses of petty cash. Each combination of
 * the keys comes once, however many.
 */
export async function readCosts(db: Db, query: AnyCosts, by: readonly Key[]): Promise<CostCell[]> {
  const sums = query.isUnsettled ? COSTS : { ...COSTS, settledCents: sql`settled` };
  const parts = await addUp(db, by, (query.base === 'pagado' ? paidRows : billedRows)(query), sums);
  if (query.base !== 'pagado') parts.push(...(await readCredits(db, query, by)));
  if (query.caja !== 'sin') parts.push(...(await readPettyCosts(db, query, by)));
  return cellsOf(parts);
}

/** Invoices by their day of issue; what is settled of them by now stands beside what they cost. */
const billedRows = (
  query: AnyCosts,
) => sql`select "jobId", "rubroId", cast(fechaemision as text) as day, 1 as count,
    "subtotalCents" + "otrosimpuestosCents" as cost, "totalCents" as total, "paidCents" as settled
  from invoices where ${within(sql`fechaemision`, query)} ${narrowed(query)}`;

/** Payments in money, as they left the bank, and the share of each that is cost. */
const paidRows = (query: AnyCosts) => sql`select invoices."jobId", invoices."rubroId",
    cast(payments.paymentdate as text) as day, 1 as count, ${paymentCost('payments', 'invoices')} as cost,
    ${takenBy('payments')} as total, ${takenBy('payments')} as settled
  from payments join invoices on invoices.id = payments."facturaproveedorId"
  where payments.kind = 'pago' and ${within(sql`payments.paymentdate`, query)} ${narrowed(query)}`;

const COSTS = { count: sql`count`, costCents: sql`cost`, totalCents: sql`total` };

function cellsOf(parts: readonly Part[]): CostCell[] {
  const cells = new Map<string, CostCell>();
  for (const part of parts) {
    const cell = { jobId: 0, rubroId: NO_RUBRO, month: '', ...nothing(), ...part };
    const key = [cell.jobId, cell.rubroId, cell.month].join();
    const known = cells.get(key);
    if (known) add(known, cell);
    else cells.set(key, cell);
  }
  return [...cells.values()];
}

/** Adds up credit notes that were applied. @param of the notes' own days, or the invoices' */
export async function readCredits(
  db: Db,
  query: AnyCosts,
  by: readonly Key[],
  of: 'notes' | 'invoices' = 'notes',
): Promise<Part[]> {
  const day = sql.ref(of === 'notes' ? 'day' : 'issued');
  // Looked up one by one, for they are few: joined, PostgreSQL may read all invoices for them.
  const ofInvoice = (column: 'jobId' | 'rubroId' | 'fechaemision') =>
    sql`(select i.${sql.ref(column)} from invoices i where i.id = payments."facturaproveedorId")`;
  const rows = sql`select "jobId", "rubroId", ${day} as day, credit, "amountCents" from (
      select ${ofInvoice('jobId')} as "jobId", ${ofInvoice('rubroId')} as "rubroId",
        cast(${ofInvoice('fechaemision')} as text) as issued, cast(payments.paymentdate as text) as day,
        payments."amountCents", ${creditCost('payments', 'credit_notes')} as credit
      from credit_notes cross join payments where payments."creditNoteId" = credit_notes.id) credited
    where ${within(day, query)} ${narrowed(query)}`;
  return addUp(db, by, rows, { creditCents: sql`credit`, creditTotalCents: sql`"amountCents"` });
}

/** Adds up expenses of petty cash, as readCosts does. */
function readPettyCosts(db: Db, query: AnyCosts, by: readonly Key[]): Promise<Part[]> {
  const rows = sql`select coalesce("jobId", 0) as "jobId", "rubroId", cast(fecha as text) as day, "subtotalCents",
      "importeCents"
    from petty_cash_movements where tipo = 'gasto' and ${within(sql`fecha`, query)} ${narrowed(query)}`;
  return addUp(db, by, rows, { pettyCents: sql`"subtotalCents"`, pettyTotalCents: sql`"importeCents"` });
}

export const nothing = (): Cost => ({
  count: 0,
  costCents: 0,
  totalCents: 0,
  settledCents: 0,
  creditCents: 0,
  creditTotalCents: 0,
  pettyCents: 0,
  pettyTotalCents: 0,
});

export function add(sum: Cost, figure: Cost): void {
  for (const name of Object.keys(nothing()) as (keyof Cost)[]) sum[name] += figure[name];
}

export function sumOf(figures: readonly Cost[]): Cost {
  const sum = nothing();
  for (const figure of figures) add(sum, figure);
  return sum;
}

/** A cost less its credits, with what petty cash spent. */
export const netOf = (cost: Omit<Cost, 'count'>, iva: 'sin' | 'con' = 'sin'): Cents =>
  iva === 'con'
    ? cost.totalCents - cost.creditTotalCents + cost.pettyTotalCents
    : cost.costCents - cost.creditCents + cost.pettyCents;
