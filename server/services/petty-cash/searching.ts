import { type RawBuilder, sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import {
  orderByIds,
  type Page,
  type PageQuery,
  readPage,
  type SortColumn,
  selectPage,
} from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { ExpenseState, Movement, MovementKind } from '../../../shared/petty-cash.ts';
import { cashEffectExpression } from './cash.ts';
import { isInRequest, isToBeProved, isToReplenish, readMovements } from './reading.ts';

export interface MovementFilter {
  fundId?: number | null;
  tipo?: MovementKind;
  estado?: ExpenseState;
  /** expenses whose receipt was due before this day */
  lateOn?: PlainDate;
  replenishmentId?: number;
  /** 0: movements without obra */
  jobId?: number | null;
  clientId?: number | null;
  rubroId?: number | null;
  desde?: PlainDate | null;
  hasta?: PlainDate | null;
}

const SORTS = {
  id: { column: 'm.id', id: 'm.id', kind: 'number' },
  fecha: { column: 'm.fecha', id: 'm.id', kind: 'date' },
  comprobarAntes: { column: 'm.comprobarAntes', id: 'm.id', kind: 'date' },
} as const satisfies Partial<Record<keyof Movement, SortColumn>>;

/** @throws DomainError malformed bad_cursor */
export async function searchMovements(
  db: Db,
  { by = 'id', ...query }: MovementFilter & PageQuery & { by?: keyof typeof SORTS },
): Promise<Page<Movement>> {
  return readPage(
    selectPage(filterMovements(db, query).select('m.id'), SORTS[by], query),
    query.limit,
    async (ids) => orderByIds(ids, await readMovements(db, isOneOf(db, 'm.id', ids))),
    (movement) => movement[by],
  );
}

interface MovementSums {
  count: number;
  inCents: Cents;
  outCents: Cents;
  /** without IVA, as Resultados counts expenses */
  costCents: Cents;
}

export async function sumMovements(db: Db, filter: MovementFilter): Promise<MovementSums> {
  const change = cashEffectExpression('m');
  const sum = (value: RawBuilder<unknown>) => sql<Cents>`coalesce(sum(${value}), 0)`;
  return filterMovements(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select([
      sum(sql`case when ${change} > 0 then ${change} end`).as('inCents'),
      sum(sql`case when ${change} < 0 then -(${change}) end`).as('outCents'),
      sum(sql.ref('m.subtotalCents')).as('costCents'),
    ])
    .executeTakeFirstOrThrow();
}

interface AwaitedReceipts extends CountAndSum {
  /** overdue ones: their count, their sum, the latest due day and the latest id */
  late: { count: number; sumCents: Cents; day: PlainDate; id: number };
}

export async function sumAwaitedReceipts(db: Db, today: PlainDate): Promise<AwaitedReceipts> {
  const ifLate = (value: string) => sql`case when m."comprobarAntes" < ${today} then ${sql.ref(value)} end`;
  const { rows } = await sql<
    Record<'count' | 'sumCents' | 'late' | 'lateCents' | 'id', number> & { day: string }
  >`
    select count(*) as count, coalesce(sum(m."importeCents"), 0) as "sumCents",
      count(${ifLate('m.id')}) as late, coalesce(sum(${ifLate('m.importeCents')}), 0) as "lateCents",
      coalesce(cast(max(${ifLate('m.comprobarAntes')}) as text), '') as day,
      coalesce(max(${ifLate('m.id')}), 0) as id
    from petty_cash_movements m where ${isToBeProved}`.execute(db);
  const { count, sumCents, late, lateCents, day, id } = rows[0]!;
  return { count, sumCents, late: { count: late, sumCents: lateCents, day, id } };
}

const STATE_CONDITIONS = {
  'por-comprobar': isToBeProved,
  'por-reponer': isToReplenish,
  solicitado: isInRequest,
  repuesto: sql`m.tipo = 'gasto' and m."replenishmentId" is not null and not (${isInRequest})`,
} as const satisfies Record<ExpenseState, unknown>;

function filterMovements(db: Db, filter: MovementFilter) {
  const { fundId, tipo, estado, lateOn, replenishmentId, jobId, clientId, rubroId, desde, hasta } = filter;
  return db
    .selectFrom('petty_cash_movements as m')
    .$if(Boolean(fundId), (query) => query.where('m.fundId', '=', fundId!))
    .$if(tipo !== undefined, (query) => query.where('m.tipo', '=', tipo!))
    .$if(estado !== undefined, (query) => query.where(sql<boolean>`${STATE_CONDITIONS[estado!]}`))
    .$if(lateOn !== undefined, (query) => query.where('m.comprobarAntes', '<', lateOn!))
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
    .$if(Boolean(hasta), (query) => query.where('m.fecha', '<=', hasta!));
}
