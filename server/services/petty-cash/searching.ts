import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import { encodeCursor, inOrderOf, onePage, type PageQuery, type SortColumn } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { ExpenseState, Movement, MovementKind } from '../../../shared/petty-cash.ts';
import { isAwaited, isRequested, isToReplenish, readMovements } from './reading.ts';

export interface MovementFilter {
  fundId?: number | null;
  tipo?: MovementKind;
  /** how far expenses have come */
  estado?: ExpenseState;
  jobId?: number | null;
  rubroId?: number | null;
  desde?: PlainDate | null;
  hasta?: PlainDate | null;
}

interface MovementPage {
  movements: Movement[];
  cursor?: string;
}

const BY_ID: SortColumn = { column: 'm.id', id: 'm.id', kind: 'number' };

/** Movements in the order of their capture. */
export async function searchMovements(db: Db, query: MovementFilter & PageQuery): Promise<MovementPage> {
  const asked = filtered(db, query).select('m.id');
  const ids = (await onePage(asked, BY_ID, query).execute()).map(({ id }) => id);
  const shown = ids.slice(0, query.limit);
  const found = shown.length > 0 ? await readMovements(db, isOneOf(db, 'm.id', shown)) : [];
  const movements = inOrderOf(shown, found);
  const last = movements.at(-1);
  if (ids.length <= query.limit || !last) return { movements };
  return { movements, cursor: encodeCursor({ value: last.id, id: last.id }) };
}

export const countMovements = async (db: Db, filter: MovementFilter): Promise<number> =>
  (
    await filtered(db, filter)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

const STATES = {
  'por-comprobar': isAwaited,
  'por-reponer': isToReplenish,
  solicitado: isRequested,
  repuesto: sql`m.tipo = 'gasto' and m."replenishmentId" is not null and not (${isRequested})`,
} as const satisfies Record<ExpenseState, unknown>;

function filtered(db: Db, { fundId, tipo, estado, jobId, rubroId, desde, hasta }: MovementFilter) {
  return db
    .selectFrom('petty_cash_movements as m')
    .$if(Boolean(fundId), (query) => query.where('m.fundId', '=', fundId!))
    .$if(tipo !== undefined, (query) => query.where('m.tipo', '=', tipo!))
    .$if(estado !== undefined, (query) => query.where(sql<boolean>`${STATES[estado!]}`))
    .$if(Boolean(jobId), (query) => query.where('m.jobId', '=', jobId!))
    .$if(Boolean(rubroId), (query) => query.where('m.rubroId', '=', rubroId!))
    .$if(Boolean(desde), (query) => query.where('m.fecha', '>=', desde!))
    .$if(Boolean(hasta), (query) => query.where('m.fecha', '<=', hasta!));
}
