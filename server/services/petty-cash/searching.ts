import { type RawBuilder, sql } from 'kysely';
import { foldedNameSubquery, foldedSortExpression, isOneOf } from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum } from '../../../shared/balances.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { ExpenseState, Movement, MovementKind, MovementSort } from '../../../shared/petty-cash.ts';
import { cashEffectExpression } from './fund-cash.ts';
import {
  inRequestCondition,
  provedUnreimbursedCondition,
  readMovements,
  unprovedExpenseCondition,
} from './reading.ts';

export interface MovementFilter {
  fundId?: number | null;
  tipo?: MovementKind;
  estado?: ExpenseState;
  /** expenses whose voucher was due before this day */
  overdueOn?: PlainDate;
  replenishmentId?: number;
  /** 0: movements without obra */
  jobId?: number | null;
  clientId?: number | null;
  rubroId?: number | null;
  desde?: PlainDate | null;
  hasta?: PlainDate | null;
}

const CASH_EFFECT = cashEffectExpression('m');

const SORT_COLUMNS: Record<MovementSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'm.id', kind: 'number' },
  fecha: { column: 'm.fecha', kind: 'date' },
  concepto: createUnindexedSort('text', foldedSortExpression('m.concepto')),
  jobtitle: createUnindexedSort(
    'text',
    sql`coalesce(${foldedNameSubquery(jobs, 'm.jobId')}, ${foldedNameSubquery(rubros, 'm.rubroId')})`,
  ),
  nombre: createUnindexedSort(
    'text',
    sql`(select "nombreFold" from petty_cash_funds funds where funds.id = m."fundId")`,
  ),
  ingreso: createUnindexedSort('number', sql`case when ${CASH_EFFECT} > 0 then ${CASH_EFFECT} end`),
  gasto: createUnindexedSort('number', sql`case when ${CASH_EFFECT} < 0 then -(${CASH_EFFECT}) end`),
  importe: createUnindexedSort('number', 'm.importeCents'),
  subtotal: createUnindexedSort('number', 'm.subtotalCents'),
  plazo: createUnindexedSort('date', 'm.comprobarAntes'),
};

/** @throws DomainError malformed bad_cursor */
export const searchMovements = (
  db: Db,
  { sort = 'id', ...query }: MovementFilter & PagingOptions & { sort?: MovementSort },
): Promise<Page<Movement>> =>
  searchPage(buildMovementQuery(db, query), { id: 'm.id', ...SORT_COLUMNS[sort] }, query, (ids) =>
    readMovements(db, isOneOf(db, 'm.id', ids)),
  );

interface MovementSums {
  count: number;
  inCents: Cents;
  outCents: Cents;
  /** without IVA, as Resultados counts expenses */
  costCents: Cents;
}

export async function sumMovements(db: Db, filter: MovementFilter): Promise<MovementSums> {
  const sum = (value: RawBuilder<unknown>) => sql<Cents>`coalesce(sum(${value}), 0)`;
  return buildMovementQuery(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select([
      sum(sql`case when ${CASH_EFFECT} > 0 then ${CASH_EFFECT} end`).as('inCents'),
      sum(sql`case when ${CASH_EFFECT} < 0 then -(${CASH_EFFECT}) end`).as('outCents'),
      sum(sql.ref('m.subtotalCents')).as('costCents'),
    ])
    .executeTakeFirstOrThrow();
}

interface AwaitedVouchers extends CountAndSum {
  /** expenses whose voucher is overdue: their count, their sum, the latest due day and the highest id */
  late: { count: number; sumCents: Cents; day: PlainDate; id: number };
}

export async function sumAwaitedVouchers(db: Db, today: PlainDate): Promise<AwaitedVouchers> {
  const ifLateExpression = (value: string) =>
    sql`case when m."comprobarAntes" < ${today} then ${sql.ref(value)} end`;
  const { rows } = await sql<
    Record<'count' | 'sumCents' | 'late' | 'lateCents' | 'id', number> & { day: string }
  >`
    select count(*) as count, coalesce(sum(m."importeCents"), 0) as "sumCents",
      count(${ifLateExpression('m.id')}) as late, coalesce(sum(${ifLateExpression('m.importeCents')}), 0) as "lateCents",
      coalesce(cast(max(${ifLateExpression('m.comprobarAntes')}) as text), '') as day,
      coalesce(max(${ifLateExpression('m.id')}), 0) as id
    from petty_cash_movements m where ${unprovedExpenseCondition}`.execute(db);
  const { count, sumCents, late, lateCents, day, id } = rows[0]!;
  return { count, sumCents, late: { count: late, sumCents: lateCents, day, id } };
}

const STATE_CONDITIONS = {
  'por-comprobar': unprovedExpenseCondition,
  'por-reponer': provedUnreimbursedCondition,
  solicitado: inRequestCondition,
  repuesto: sql`m.tipo = 'gasto' and m."replenishmentId" is not null and not (${inRequestCondition})`,
} as const satisfies Record<ExpenseState, unknown>;

function buildMovementQuery(db: Db, filter: MovementFilter) {
  const { fundId, tipo, estado, overdueOn, replenishmentId, jobId, clientId, rubroId, desde, hasta } = filter;
  return (
    db
      .selectFrom('petty_cash_movements as m')
      .$if(Boolean(fundId), (query) => query.where('m.fundId', '=', fundId!))
      .$if(tipo !== undefined, (query) => query.where('m.tipo', '=', tipo!))
      .$if(estado !== undefined, (query) => query.where(sql<boolean>`${STATE_CONDITIONS[estado!]}`))
      // Expenses that a closed fund has not replenished need no action any more.
      .$if(estado === 'por-reponer' && !fundId, (query) =>
        query.where('m.fundId', 'not in', (of) =>
          of.selectFrom('petty_cash_funds').select('id').where('closedOn', 'is not', null),
        ),
      )
      .$if(overdueOn !== undefined, (query) => query.where('m.comprobarAntes', '<', overdueOn!))
      .$if(replenishmentId !== undefined, (query) => query.where('m.replenishmentId', '=', replenishmentId!))
      .$if(typeof jobId === 'number', (query) => query.where('m.jobId', jobId ? '=' : 'is', jobId || null))
      .$if(Boolean(clientId), (query) =>
        query.where('m.jobId', 'in', (of) =>
          of.selectFrom('jobs').select('jobs.id').where('jobs.clientId', '=', clientId!),
        ),
      )
      .$if(typeof rubroId === 'number', (query) =>
        query.where('m.rubroId', rubroId ? '=' : 'is', rubroId || null),
      )
      .$if(Boolean(desde), (query) => query.where('m.fecha', '>=', desde!))
      .$if(Boolean(hasta), (query) => query.where('m.fecha', '<=', hasta!))
  );
}
