import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { isAwaited, readMovements } from './reading.ts';

interface Awaited extends CountAndSum {
  /** of those that should be proved by now: how many, and the last of them */
  late: { count: number; day: PlainDate; id: number };
}

const isLate = (today: PlainDate) => sql`m."comprobarAntes" < ${today}`;

/** What was given out of all boxes without a receipt, and is to be proved. */
export async function sumAwaited(db: Db, today: PlainDate): Promise<Awaited> {
  const late = isLate(today);
  const { rows } = await sql<{
    count: number;
    sumCents: number;
    late: number;
    day: PlainDate | null;
    id: number | null;
  }>`
    select count(*) as count, coalesce(sum(m."importeCents"), 0) as "sumCents",
      count(case when ${late} then 1 end) as late,
      cast(max(case when ${late} then m."comprobarAntes" end) as text) as day,
      max(case when ${late} then m.id end) as id
    from petty_cash_movements m where ${isAwaited}`.execute(db);
  const { count, sumCents, late: lateCount, day, id } = rows[0]!;
  return { count, sumCents, late: { count: lateCount, day: day ?? '', id: id ?? 0 } };
}

/** The same row by row, those that should be there first; only these where that is asked. */
export const readAwaited = (db: Db, today: PlainDate, isLateOnly: boolean): Promise<Movement[]> =>
  readMovements(
    db,
    isLateOnly ? sql`${isAwaited} and ${isLate(today)}` : isAwaited,
    sql`order by m."comprobarAntes", m.id limit 1000`,
  );
