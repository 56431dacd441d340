import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import type { Movement } from '../../../shared/petty-cash.ts';

interface ExpenseQuery extends Period {
  /** 0: spent on none */
  jobId?: number | null;
  clientId?: number | null;
  /** 0: without one */
  rubroId?: number | null;
}

export interface Expense
  extends Pick<
    Movement,
    'id' | 'movementdate' | 'concept' | 'comprobante' | 'jobtitle' | 'nombrerubro' | 'amountCents'
  > {
  origenderecursonombre: string;
}

interface Expenses {
  count: number;
  sumCents: Cents;
  /** the latest ones */
  rows: readonly Expense[];
}

/** What was spent of all boxes between two days, but for payments of invoices. */
export async function readExpenses(db: Db, query: ExpenseQuery, most: number): Promise<Expenses> {
  const { from, to, jobId, clientId, rubroId } = query;
  const which = sql`m.kind = 'gasto' and m.movementdate between ${from} and ${to}
    ${jobId ? sql`and m."jobId" = ${jobId}` : sql``} ${jobId === 0 ? sql`and m."jobId" is null` : sql``}
    ${clientId ? sql`and m."jobId" in (select j.id from jobs j where j."clientId" = ${clientId})` : sql``}
    ${rubroId ? sql`and m."rubroId" = ${rubroId}` : sql``} ${rubroId === 0 ? sql`and m."rubroId" is null` : sql``}`;
  const { rows: sums } = await sql<Omit<Expenses, 'rows'>>`select count(*) as count,
    coalesce(sum(m."amountCents"), 0) as "sumCents" from petty_cash_movements m where ${which}`.execute(db);
  const { rows } = await sql<Expense>`
    select m.id, m.movementdate, m.concept, m.comprobante, jobs.jobtitle, rubros.nombrerubro, m."amountCents",
      sources.origenderecursonombre
    from petty_cash_movements m
    join petty_cash_funds funds on funds.id = m."fundId"
    join funding_sources sources on sources.id = funds."fundingSourceId"
    left join jobs on jobs.id = m."jobId"
    left join rubros on rubros.id = m."rubroId"
    where ${which} order by m.movementdate desc, m.id desc limit ${most}`.execute(db);
  return { ...sums[0]!, rows };
}
