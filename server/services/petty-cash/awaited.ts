import { sql } from 'kysely';
import { decodeCursor, encodeCursor } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { isAwaited, readMovements } from './reading.ts';

interface Awaited extends CountAndSum {
  /** of those that should be proved by now: how many, what they come to, and the last of them */
  late: { count: number; sumCents: Cents; day: PlainDate; id: number };
}

const isLate = (today: PlainDate) => sql`m."comprobarAntes" < ${today}`;

/** What was given out of all boxes without a receipt, and is to be proved. */
export async function sumAwaited(db: Db, today: PlainDate): Promise<Awaited> {
  const late = isLate(today);
  const { rows } = await sql<{
    count: number;
    sumCents: number;
    late: number;
    lateCents: Cents;
    day: PlainDate | null;
    id: number | null;
  }>`
    select count(*) as count, coalesce(sum(m."importeCents"), 0) as "sumCents",
      count(case when ${late} then 1 end) as late,
      coalesce(sum(case when ${late} then m."importeCents" end), 0) as "lateCents",
      cast(max(case when ${late} then m."comprobarAntes" end) as text) as day,
      max(case when ${late} then m.id end) as id
    from petty_cash_movements m where ${isAwaited}`.execute(db);
  const { count, sumCents, late: lateCount, lateCents, day, id } = rows[0]!;
  return {
    count,
    sumCents,
    late: { count: lateCount, sumCents: lateCents, day: day ?? '', id: id ?? 0 },
  };
}

/**
 * The same row by row, those that should be there first; only these where that is asked.
 * @throws DomainError malformed bad_cursor
 */
export async function readAwaited(
  db: Db,
  today: PlainDate,
  isLateOnly: boolean,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<{ rows: Movement[]; cursor?: string }> {
  const which = isLateOnly ? sql`${isAwaited} and ${isLate(today)}` : isAwaited;
  const after = cursor === undefined ? undefined : decodeCursor(cursor, 'date');
  const isAfter = after
    ? sql`and (m."comprobarAntes" > ${after.value} or (m."comprobarAntes" = ${after.value} and m.id > ${after.id}))`
    : sql``;
  const order = sql`order by m."comprobarAntes", m.id limit ${limit + 1}`;
  const rows = await readMovements(db, sql`${which} ${isAfter}`, order);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    rows: rows.slice(0, limit),
    cursor: last && encodeCursor({ value: last.comprobarAntes, id: last.id }),
  };
}
