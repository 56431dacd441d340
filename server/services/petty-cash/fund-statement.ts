import { type RawBuilder, sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import { badCursorError, decodeCursor, encodeCursor } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import { isPlainDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import type { FundStatementEntry, MovementDirection, PettyCashFund } from '../../../shared/petty-cash.ts';
import { cashEffectExpression } from './fund-cash.ts';
import { expenseStateExpression } from './reading.ts';

export interface FundStatement {
  /** balance before the first entry listed */
  beforeCents: Cents;
  /** The entries are sorted by day; only the last ones are here if there are more than `limit`. */
  entries: FundStatementEntry[];
  cursor?: string;
  /** the number of all requested entries of the period */
  count: number;
  ingresosCents: Cents;
  /** expenses, money given back and payments to suppliers */
  gastosCents: Cents;
  endCents: Cents;
}

const MAX_ENTRIES = 200_000;

interface FundStatementOptions {
  /** how many entries are returned: the last ones of the period, or the last ones before `cursor` */
  limit?: number;
  cursor?: string;
  sentido?: MovementDirection;
}

const DIRECTION_CONDITIONS = {
  ingresos: sql`cents > 0`,
  salidas: sql`cents < 0`,
} as const satisfies Record<MovementDirection, unknown>;

/**
 * Within a day money that comes in is first, then money that goes out, then payments, each in the order of capture.
 * @throws DomainError malformed bad_cursor
 */
export async function readFundStatement(
  db: Db,
  fund: PettyCashFund,
  { from, to }: Period,
  { limit = MAX_ENTRIES, cursor, sentido }: FundStatementOptions = {},
): Promise<FundStatement> {
  const isInDirection = sentido ? DIRECTION_CONDITIONS[sentido] : sql`1 = 1`;
  const { rows } = await sql<Record<'count' | 'before' | 'ingresos' | 'gastos', number>>`
    select coalesce(sum(case when day >= ${from} and ${isInDirection} then 1 end), 0) as count,
      coalesce(sum(case when day < ${from} then cents end), 0) as before,
      coalesce(sum(case when day >= ${from} and cents > 0 then cents end), 0) as ingresos,
      coalesce(sum(case when day >= ${from} and cents < 0 then -cents end), 0) as gastos
    from (${buildCashFlowQuery(fund, to)}) flow`.execute(db);
  const { count, before, ingresos, gastos } = rows[0]!;
  const until = cursor === undefined ? undefined : parseCursor(cursor);
  const lines =
    count > 0
      ? await readStatementEntries(db, fund, { from, to, until, isInDirection }, before, limit + 1)
      : [];
  const shown = lines.slice(-limit);
  const first = shown[0];
  return {
    beforeCents: first ? first.balanceCents - first.effectCents : before,
    entries: shown.map(({ place: _place, ...entry }) => entry),
    cursor:
      first && lines.length > limit
        ? encodeCursor({ value: `${first.fecha} ${first.place}`, id: first.id })
        : undefined,
    count,
    ingresosCents: ingresos,
    gastosCents: gastos,
    endCents: before + ingresos - gastos,
  };
}

/** Amounts up to a day, positive if they go into the fund; `place` is the order within a day. */
const buildCashFlowQuery = ({ id, pagosOrigenId, openedOn }: PettyCashFund, to: PlainDate) => sql`
  select m.fecha as day, case when ${cashEffectExpression('m')} > 0 then 0 else 1 end as place, m.id, ${cashEffectExpression('m')} as cents
  from petty_cash_movements m where m."fundId" = ${id} and m.fecha <= ${to}
  union all
  select p.paymentdate, 2, p.id, -${bankAmountExpression('p')}
  from payments p where p."origenderecursoId" = ${pagosOrigenId} and p.paymentdate between ${openedOn} and ${to}`;

type EntryWithDayOrder = FundStatementEntry & { place: number };

interface CursorPosition {
  day: PlainDate;
  place: number;
  id: number;
}

/** @throws DomainError malformed bad_cursor */
function parseCursor(cursor: string): CursorPosition {
  const { value, id } = decodeCursor(cursor, { kind: 'text' });
  const [day = '', place] = String(value).split(' ');
  if (!isPlainDate(day) || !['0', '1', '2'].includes(place ?? '')) throw badCursorError();
  return { day, place: Number(place), id };
}

async function readStatementEntries(
  db: Db,
  fund: PettyCashFund,
  { from, to, until, isInDirection }: Period & { until?: CursorPosition; isInDirection: RawBuilder<unknown> },
  startCents: Cents,
  limit: number,
): Promise<EntryWithDayOrder[]> {
  const isBefore = until
    ? sql`and (day < ${until.day} or (day = ${until.day} and (place < ${until.place}
        or (place = ${until.place} and id < ${until.id}))))`
    : sql``;
  const { rows } = await sql<EntryWithDayOrder>`
    select lines.id, lines.place, coalesce(m.tipo, 'pago') as tipo, lines.day as fecha,
      coalesce(m.beneficiario, suppliers.suppliername) as beneficiario,
      coalesce(m.concepto, 'Pago de ' || case when invoices.numfactura <> ''
        then 'la factura ' || invoices.numfactura else 'una factura sin número' end) as concepto,
      coalesce(m.folio, p.checknum) as folio, ${expenseStateExpression} as state, m."comprobarAntes",
      jobs.jobtitle, rubros.nombrerubro,
      lines.cents as "effectCents", lines.balance + ${startCents} as "balanceCents"
    from (
      select * from (
        select flow.day, flow.place, flow.id, flow.cents,
          sum(cents) over (order by day, place, id rows unbounded preceding) as balance
        from (${buildCashFlowQuery(fund, to)}) flow where day >= ${from}
      ) whole where ${isInDirection} ${isBefore} order by day desc, place desc, id desc limit ${limit}
    ) lines
    left join petty_cash_movements m on lines.place < 2 and m.id = lines.id
    left join payments p on lines.place = 2 and p.id = lines.id
    left join invoices on invoices.id = p."facturaproveedorId"
    left join suppliers on suppliers.id = invoices."supplierId"
    left join jobs on jobs.id = coalesce(m."jobId", invoices."jobId")
    left join rubros on rubros.id = coalesce(m."rubroId", invoices."rubroId")
    order by lines.day, lines.place, lines.id`.execute(db);
  return rows;
}
