import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';

interface PettyCost {
  jobId: number;
  rubroId: number | null;
  costCents: Cents;
}

/** What gastos of petty cash cost each obra by rubro; those of no obra are nobody's. @param within "and …" */
export async function sumPettyCosts(db: Db, within: RawBuilder<unknown>): Promise<PettyCost[]> {
  const { rows } = await sql<PettyCost>`
    select "jobId", "rubroId", sum("amountCents") as "costCents" from petty_cash_movements
    where kind = 'gasto' and "jobId" is not null ${within} group by "jobId", "rubroId"`.execute(db);
  return rows;
}
