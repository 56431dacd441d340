import { type RawBuilder, sql } from 'kysely';
import type { PlainDate } from '../shared/dates.ts';
import type { Fault } from './integrity.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/** Each query selects kind, day (null where a row has none), count, totalCents, paidCents and costCents. */
const SUMMED_ROW_QUERIES = {
  /** invoices by issue date, kind `issued`; their cost is without IVA */
  issued: sql`select 'issued' as kind, fechaemision as day, 1 as count, "totalCents", "paidCents",
    "subtotalCents" + "otrosimpuestosCents" as "costCents" from invoices`,
  /** open invoices by due date, as kind `due`, or `estimated` where an invoice states no due date */
  open: sql`select case when fechavencimiento is null then 'estimated' else 'due' end as kind, vence as day, 1 as count,
    "totalCents", "paidCents", "subtotalCents" + "otrosimpuestosCents" as "costCents"
    from invoices where "paidCents" < "totalCents"`,
  /** payments by day and kind: totalCents is what left the bank, paidCents what reduced the invoices */
  payments: sql`select kind, paymentdate as day, 1 as count, coalesce("importebancoCents", "amountCents") as "totalCents",
    "amountCents" as "paidCents", 0 as "costCents" from payments`,
};

const DAY_SUM_KINDS = {
  issued: ['issued'],
  open: ['due', 'estimated'],
  payments: ['pago', 'credito'],
} satisfies Record<keyof typeof SUMMED_ROW_QUERIES, string[]>;

/**
 * On SQLite, triggers keep sums by kind and day, because scanning rows would block the thread that serves all requests.
 * On PostgreSQL the rows are read, because with such sums, transactions of the same day would wait for each other.
 */
export const daySumsSubquery = (db: Db, sumKind: keyof typeof SUMMED_ROW_QUERIES): RawBuilder<unknown> =>
  dialectOf(db) === 'postgres'
    ? sql`(${SUMMED_ROW_QUERIES[sumKind]}) as sums`
    : sql`(select kind, nullif(day, '') as day, count, "totalCents", "paidCents", "costCents" from day_sums
        where kind in (${sql.join(DAY_SUM_KINDS[sumKind].map((kind) => sql.lit(kind)))}) and count > 0) as sums`;

export async function findWrongDaySums(db: Db): Promise<Fault[]> {
  if (dialectOf(db) === 'postgres') return [];
  const { rows } = await sql<{ kind: string; day: PlainDate | null }>`
    select kind, day from (
      ${sql.join([SUMMED_ROW_QUERIES.issued, SUMMED_ROW_QUERIES.open, SUMMED_ROW_QUERIES.payments], sql` union all `)}
      union all select kind, nullif(day, ''), -count, -"totalCents", -"paidCents", -"costCents" from day_sums) as sums
    group by kind, day
    having sum(count) <> 0 or sum("totalCents") <> 0 or sum("paidCents") <> 0 or sum("costCents") <> 0
    order by kind, day`.execute(db);
  return rows.map(({ kind, day }) => ({
    table: 'day_sums',
    id: null,
    problem: `las sumas de ${kind} del ${day ?? 'día que falta'} no son las de sus registros`,
  }));
}
