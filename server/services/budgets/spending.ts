import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { readCosts } from '../costs.ts';

export interface Spent {
  /** invoices without IVA */
  invoicedCents: Cents;
  /** less by credit notes, without IVA */
  creditCents: Cents;
  pettyCents: Cents;
  /** in money, of the invoices, and out of petty cash; with IVA */
  paidCents: Cents;
  /** what of that is petty cash */
  pettyTotalCents: Cents;
}

/** By rubro, NO_RUBRO for those without; nothing of rubros in which nothing was spent. */
type SpentByRubro = Map<number, Spent>;

export const NOTHING_SPENT: Readonly<Spent> = {
  invoicedCents: 0,
  creditCents: 0,
  pettyCents: 0,
  paidCents: 0,
  pettyTotalCents: 0,
};

/** The cost of product and reports: what a budget is held against. */
export const gastadoOf = ({ invoicedCents, creditCents, pettyCents }: Omit<Spent, 'paidCents'>): Cents =>
  invoicedCents - creditCents + pettyCents;

/** Costs of obras by rubro, from the figures that Resultados adds up. @param isUnpaid leaves out what was paid */
export async function readSpent(
  db: Db,
  jobIds: readonly number[],
  { isUnpaid }: { isUnpaid?: true } = {},
): Promise<Map<number, SpentByRubro>> {
  const spent = new Map(jobIds.map((id): [number, SpentByRubro] => [id, new Map()]));
  if (jobIds.length === 0) return spent;
  for (const cell of await readCosts(db, { jobId: jobIds, isUnsettled: true }, ['jobId', 'rubroId'])) {
    const { costCents: invoicedCents, creditCents, pettyCents, pettyTotalCents } = cell;
    const paidCents = cell.totalCents - cell.creditTotalCents + pettyTotalCents;
    spent
      .get(cell.jobId)!
      .set(cell.rubroId, { invoicedCents, creditCents, pettyCents, paidCents, pettyTotalCents });
  }
  if (isUnpaid) return spent;
  // All is settled but what is open: what an obra has cost stands in an index, and few of its invoices are still open.
  for (const { jobId, rubroId, cents } of await readPending(db, jobIds))
    spent.get(jobId)!.get(rubroId)!.paidCents -= cents;
  return spent;
}

/** The plus keeps SQLite from going by obra: most of an obra is paid, and what is open has an index of its own. */
async function readPending(db: Db, jobIds: readonly number[]) {
  const { rows } = await sql<{ jobId: number; rubroId: number; cents: Cents }>`
    select "jobId", coalesce("rubroId", ${NO_RUBRO}) as "rubroId",
      cast(sum("totalCents" - "paidCents") as bigint) as cents
    from invoices where "paidCents" < "totalCents" and +"jobId" in (${sql.join(jobIds)})
    group by "jobId", "rubroId"`.execute(db);
  return rows;
}

/**
 * Open payment batches plan payments of work that is not yet invoiced, here by obra and rubro. A line of a batch names an
 * invoice, whose cost is spent already: to count it here too would hold it against the budget twice. So it is nothing
 * until a batch can name work without an invoice, such as an advance or an order.
 */
export const readCommitted = async (
  _db: Db,
  jobIds: readonly number[],
): Promise<Map<number, Map<number, Cents>>> => new Map(jobIds.map((id) => [id, new Map()]));
