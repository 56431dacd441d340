import { sql } from 'kysely';
import { daySumsSubquery } from '../../../db/day-sums.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';

export interface OpenDaySum {
  vence: PlainDate;
  estimated: 0 | 1;
  count: number;
  sumCents: Cents;
}

/** Payments dated in the future count too, as in the list without a cut-off day. */
export async function sumOpenByDueDay(db: Db): Promise<OpenDaySum[]> {
  const { rows } = await sql<OpenDaySum>`
    select day as vence, case kind when 'estimated' then 1 else 0 end as estimated, sum(count) as count,
      sum("totalCents" - "paidCents") as "sumCents"
    from ${daySumsSubquery(db, 'open')} group by 1, 2 having sum(count) > 0`.execute(db);
  return rows;
}

/** Adding 0 to the supplier's id makes SQLite use the small index of open invoices. */
export async function sumOpenBySupplier(
  db: Db,
  limit: number,
): Promise<{ supplierId: number; suppliername: string; sumCents: Cents }[]> {
  const { rows } = await sql<{ supplierId: number; suppliername: string; sumCents: Cents }>`
    select owed."supplierId", suppliers.suppliername, owed."sumCents" from (
      select "supplierId" + 0 as "supplierId", sum("totalCents" - "paidCents") as "sumCents" from invoices
      where "paidCents" < "totalCents" group by 1 order by 2 desc, 1 limit ${limit}) owed
    join suppliers on suppliers.id = owed."supplierId"
    order by owed."sumCents" desc, owed."supplierId"`.execute(db);
  return rows;
}
