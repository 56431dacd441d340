import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import { readCosts } from '../costs.ts';

/** What was spent on an obra in one rubro, whatever its day, in its parts. */
export interface Spent {
  /** invoices without IVA */
  invoicedCents: Cents;
  /** less by credit notes, without IVA */
  creditCents: Cents;
  pettyCents: Cents;
  /** in money, of the invoices, and out of petty cash; with IVA */
  paidCents: Cents;
}

/** By rubro, NO_RUBRO for those without; nothing of rubros in which nothing was spent. */
type SpentByRubro = Map<number, Spent>;

export const NOTHING_SPENT: Readonly<Spent> = {
  invoicedCents: 0,
  creditCents: 0,
  pettyCents: 0,
  paidCents: 0,
};

/** The cost of product and reports: what a budget is held against. */
export const gastadoOf = ({ invoicedCents, creditCents, pettyCents }: Omit<Spent, 'paidCents'>): Cents =>
  invoicedCents - creditCents + pettyCents;

/** What these obras cost by rubro, from the figures that Resultados adds up. @param isUnpaid not what was paid */
export async function readSpent(
  db: Db,
  jobIds: readonly number[],
  { isUnpaid }: { isUnpaid?: true } = {},
): Promise<Map<number, SpentByRubro>> {
  const spent = new Map(jobIds.map((id): [number, SpentByRubro] => [id, new Map()]));
  if (jobIds.length === 0) return spent;
  for (const cell of await readCosts(db, { jobId: jobIds, isUnsettled: isUnpaid }, ['jobId', 'rubroId'])) {
    const { costCents: invoicedCents, creditCents, pettyCents } = cell;
    const paidCents = cell.settledCents - cell.creditTotalCents + pettyCents;
    spent.get(cell.jobId)!.set(cell.rubroId, { invoicedCents, creditCents, pettyCents, paidCents });
  }
  return spent;
}

/** What stands in open payment batches of work that is not yet invoiced, of each obra by rubro: there are none. */
export const readCommitted = async (
  _db: Db,
  jobIds: readonly number[],
): Promise<Map<number, Map<number, Cents>>> => new Map(jobIds.map((id) => [id, new Map()]));
