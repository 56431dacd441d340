import { type RawBuilder, sql } from 'kysely';
import type { PlainDate } from '../shared/dates.ts';
import type { Fault } from './integrity.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/** Columns of every one of them: kind, day (null where a row has none), count, totalCents, paidCents, costCents. */
const ROWS = {
  /** invoices by the day of issue, kind `issued`; their cost is without IVA */
  issued: sql`select 'issued' as kind, fechaemision as day, 1 as count, "totalCents", "paidCents",
    "subtotalCents" + "otrosimpuestosCents" as "costCents" from invoices`,
  /** open invoices by the day on which they are due, kind `due`, or `estimated` where they state none */
  open: sql`select case when fechavencimiento is null then 'estimated' else 'due' end as kind, vence as day, 1 as count,
    "totalCents", "paidCents", "subtotalCents" + "otrosimpuestosCents" as "costCents"
    from invoices where "paidCents" < "totalCents"`,
  /** payments by their day and kind: in total what left the bank, as paid what that took off the invoices */
  payments: sql`select kind, paymentdate as day, 1 as count, coalesce("importebancoCents", "amountCents") as "totalCents",
    "amountCents" as "paidCents", 0 as "costCents" from payments`,
};

const KINDS = {
  issued: ['issued'],
  open: ['due', 'estimated'],
  payments: ['pago', 'credito'],
} satisfies Record<keyof typeof ROWS, string[]>;

/**
 * Rows to add up, in a from clause. On SQLite, where the thread that answers everybody would be held up by going through
 * all of a table after each write, triggers keep them added up by kind and day: some thousand rows at any size. On
 * PostgreSQL payments of one day would wait for each other there, so these are the rows themselves.
 */
export const daySums = (db: Db, of: keyof typeof ROWS): RawBuilder<unknown> =>
  dialectOf(db) === 'postgres'
    ? sql`(${ROWS[of]}) as sums`
    : sql`(select kind, nullif(day, '') as day, count, "totalCents", "paidCents", "costCents" from day_sums
        where kind in (${sql.join(KINDS[of].map((kind) => sql.lit(kind)))}) and count > 0) as sums`;

/** Which sums by day are not those of their rows. */
export async function findFalseDaySums(db: Db): Promise<Fault[]> {
  if (dialectOf(db) === 'postgres') return [];
  const { rows } = await sql<{ kind: string; day: PlainDate | null }>`
    select kind, day from (
      ${sql.join([ROWS.issued, ROWS.open, ROWS.payments], sql` union all `)}
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
