import { sql } from 'kysely';
import { decodeCursor, encodeCursor } from '../../../db/paging.ts';
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

export type Expense = Pick<
  Movement,
  | 'id'
  | 'fecha'
  | 'concepto'
  | 'folio'
  | 'jobtitle'
  | 'nombrerubro'
  | 'nombre'
  | 'subtotalCents'
  | 'ivaCents'
  | 'importeCents'
>;

interface Expenses {
  count: number;
  /** without IVA: what Resultados counts */
  costCents: Cents;
  sumCents: Cents;
  /** the latest ones, or those before the cursor that was asked for */
  rows: readonly Expense[];
  cursor?: string;
}

/**
 * What was spent of all boxes between two days, but for payments of invoices.
 * @throws DomainError malformed bad_cursor
 */
export async function readExpenses(
  db: Db,
  query: ExpenseQuery,
  { limit, cursor }: { limit: number; cursor?: string },
): Promise<Expenses> {
  const { from, to, jobId, clientId, rubroId } = query;
  const which = sql`m.tipo = 'gasto' and m.fecha between ${from} and ${to}
    ${jobId ? sql`and m."jobId" = ${jobId}` : sql``} ${jobId === 0 ? sql`and m."jobId" is null` : sql``}
    ${clientId ? sql`and m."jobId" in (select j.id from jobs j where j."clientId" = ${clientId})` : sql``}
    ${rubroId ? sql`and m."rubroId" = ${rubroId}` : sql``} ${rubroId === 0 ? sql`and m."rubroId" is null` : sql``}`;
  const { rows: sums } = await sql<Omit<Expenses, 'rows'>>`select count(*) as count,
    coalesce(sum(m."subtotalCents"), 0) as "costCents", coalesce(sum(m."importeCents"), 0) as "sumCents" from petty_cash_movements m where ${which}`.execute(
    db,
  );
  const until = cursor === undefined ? undefined : decodeCursor(cursor, 'date');
  const isBefore = until
    ? sql`and (m.fecha < ${until.value} or (m.fecha = ${until.value} and m.id < ${until.id}))`
    : sql``;
  const { rows } = await sql<Expense>`
    select m.id, m.fecha, m.concepto, m.folio, jobs.jobtitle, rubros.nombrerubro, funds.nombre,
      m."subtotalCents", m."ivaCents", m."importeCents"
    from petty_cash_movements m
    join petty_cash_funds funds on funds.id = m."fundId"
    left join jobs on jobs.id = m."jobId"
    left join rubros on rubros.id = m."rubroId"
    where ${which} ${isBefore} order by m.fecha desc, m.id desc limit ${limit + 1}`.execute(db);
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    ...sums[0]!,
    rows: rows.slice(0, limit),
    cursor: last && encodeCursor({ value: last.fecha, id: last.id }),
  };
}
