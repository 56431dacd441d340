import { type SqlBool, sql } from 'kysely';
import { rolledRows } from '../../../db/rolled-sums.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { OPEN } from './sums.ts';

/** A part of what is open and due on one day. */
interface OpenOfDay {
  vence: PlainDate;
  /** the day is estimated */
  estimated: 0 | 1;
  count: number;
  sumCents: Cents;
}

/**
 * All that is owed now, by the day on which it is due, several of one day in no order. Every payment on file counts,
 * whatever its date, as in the list without a corte. Who asks adds up anyway, where SQLite would have to sort for it.
 */
export async function openByDueDay(db: Db): Promise<OpenOfDay[]> {
  const open = rolledRows('invoice_due_sums', {}, sql<SqlBool>`${OPEN}`);
  const { rows } = await sql<OpenOfDay>`
    select vence, estimado as estimated, count, "totalCents" - "paidCents" as "sumCents" from ${open} open`.execute(
    db,
  );
  return rows;
}

/** Those that are owed most now, the most first. */
export async function openBySupplier(
  db: Db,
  most: number,
): Promise<{ supplierId: number; suppliername: string; sumCents: Cents }[]> {
  // What is settled in all adds nothing.
  const each = sql<SqlBool>`"supplierId" >= 0 and "totalCents" <> "paidCents"`;
  const open = rolledRows('invoice_sums', { jobId: undefined }, each);
  const { rows } = await sql<{ supplierId: number; suppliername: string; sumCents: Cents }>`
    select owed."supplierId", suppliers.suppliername, owed."sumCents" from (
      select "supplierId", sum("totalCents" - "paidCents") as "sumCents" from ${open} open
      group by "supplierId" having sum("totalCents" - "paidCents") > 0
      order by sum("totalCents" - "paidCents") desc, "supplierId" limit ${most}) owed
    join suppliers on suppliers.id = owed."supplierId"
    order by owed."sumCents" desc, owed."supplierId"`.execute(db);
  return rows;
}
