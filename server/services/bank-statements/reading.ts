import { type RawBuilder, sql } from 'kysely';
import { foldedSortExpression, isOneOf, orderWithNulls } from '../../../db/expressions.ts';
import { type Page, type PagingOptions, type SortDirection, searchPage } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type {
  BANK_MOVEMENT_SORTS,
  BANK_STATEMENT_SORTS,
  BankMovement,
  BankStatement,
  FullBankStatement,
  MovementOutcome,
} from '../../../shared/bank-statements.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { appendToMapEntry } from '../stored-rows.ts';

interface SortOrder<Sort extends string> {
  sort?: Sort;
  direction?: SortDirection;
}

/** Newest first, unless another order is given. @param openFirst lists statements with open movements first */
export function listBankStatements(
  db: Db,
  limit = 20,
  {
    sort,
    direction = sort ? 'asc' : 'desc',
    openFirst = false,
    offset = 0,
  }: SortOrder<keyof typeof BANK_STATEMENT_SORTS> & { openFirst?: boolean; offset?: number } = {},
): Promise<BankStatement[]> {
  const columns = {
    filename: foldedSortExpression('filename'),
    origenderecursonombre: sql.ref('origenderecursonombreFold'),
    fecha: sql.ref('bank_statements.createdAt'),
    username: sql.ref('users.username'),
  };
  return buildStatementQuery(db)
    .$if(openFirst, (query) =>
      query.orderBy(
        sql`bank_statements.id in (select part."statementId" from bank_movements
          join bank_statement_movements part on part."movementId" = bank_movements.id where ${openMovementCondition})`,
        'desc',
      ),
    )
    .$if(sort !== undefined, (query) => query.orderBy(columns[sort!], direction))
    .orderBy('bank_statements.id', direction)
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function countBankStatements(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('bank_statements')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const outcomeExpression = sql<MovementOutcome>`coalesce(resolution, outcome)`;

/** SQL: the movement is not resolved. Written like the condition of the partial index, so that the index is used. */
export const openMovementCondition = sql<boolean>`resolution is null and outcome in ('ambiguo', 'sin-partida')`;

const MOVEMENT_SORT_COLUMNS: Record<keyof typeof BANK_MOVEMENT_SORTS, RawBuilder<unknown>> = {
  fecha: sql.ref('movements.fecha'),
  referencia: foldedSortExpression('referencia'),
  descripcion: foldedSortExpression('descripcion'),
  importe: sql.ref('amountCents'),
  resultado: outcomeExpression,
  programacion: sql.ref('suppliers.suppliernameFold'),
};

/**
 * Returns all movements by id; without a sort order, open movements come first. Includes movements that an earlier
 * statement contained.
 * @throws DomainError not-found
 */
export async function getBankStatement(
  db: Db,
  id: number,
  movementRange?: { from: number; maxMovements: number; isOpen?: boolean } & SortOrder<
    keyof typeof BANK_MOVEMENT_SORTS
  >,
): Promise<FullBankStatement> {
  const statement = await buildStatementQuery(db).where('bank_statements.id', '=', id).executeTakeFirst();
  if (!statement) throw new DomainError('not-found', `No existe el estado de cuenta ${id}.`);
  const movements = await buildMovementQuery(db)
    .where('movements.id', 'in', buildStatementMovementIdsQuery(db, id))
    .$if(movementRange?.isOpen === true, (query) => query.where(openMovementCondition))
    .$if(movementRange?.sort !== undefined, (query) =>
      query.orderBy(
        MOVEMENT_SORT_COLUMNS[movementRange!.sort!],
        orderWithNulls(movementRange!.direction ?? 'asc', 'last'),
      ),
    )
    .$if(movementRange !== undefined && movementRange.sort === undefined, (query) =>
      query.orderBy(sql`case when ${openMovementCondition} then 0 else 1 end`),
    )
    .orderBy('movements.id', movementRange?.direction)
    .$if(movementRange !== undefined, (query) =>
      query.limit(movementRange!.maxMovements).offset(movementRange!.from),
    )
    .execute();
  return { ...statement, movements: await addPaymentIds(db, movements) };
}

export interface MovementFilter {
  origenderecursoId?: number | null;
  desde?: PlainDate | null;
  hasta?: PlainDate | null;
  abierto?: boolean;
}

export async function searchMovements(
  db: Db,
  { origenderecursoId, desde, hasta, abierto, ...page }: MovementFilter & PagingOptions,
): Promise<Page<BankMovement> & { total: number }> {
  const found = db
    .selectFrom('bank_movements as movements')
    .$if(Boolean(origenderecursoId), (query) => query.where('origenderecursoId', '=', origenderecursoId!))
    .$if(Boolean(desde), (query) => query.where('fecha', '>=', desde!))
    .$if(Boolean(hasta), (query) => query.where('fecha', '<=', hasta!))
    .$if(abierto === true, (query) => query.where(openMovementCondition))
    .$if(abierto === false, (query) => query.where(sql<boolean>`not (${openMovementCondition})`));
  const { total } = await found
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const sort = { column: 'fecha', id: 'movements.id', kind: 'date', isUnindexed: true } as const;
  return { ...(await searchPage(found, sort, page, (ids) => readMovements(db, ids))), total };
}

/** @throws DomainError not-found */
export async function getMovement(db: Db, id: number): Promise<BankMovement> {
  const [movement] = await readMovements(db, [id]);
  if (!movement) throw new DomainError('not-found', `No existe el movimiento ${id} del banco.`);
  return movement;
}

export const readMovements = async (db: Db, ids: readonly number[]): Promise<BankMovement[]> =>
  addPaymentIds(
    db,
    await buildMovementQuery(db)
      .where(isOneOf(db, 'movements.id', ids))
      .execute(),
  );

/** The account's next open movement by day and id; after the last one, the first. */
export async function findNextOpenMovement(
  db: Db,
  { origenderecursoId, fecha, id }: Pick<BankMovement, 'origenderecursoId' | 'fecha' | 'id'>,
): Promise<number | undefined> {
  const findNeighbourMovement = (isLater: boolean) =>
    db
      .selectFrom('bank_movements')
      .select('id')
      .where('origenderecursoId', '=', origenderecursoId)
      .where(openMovementCondition)
      .$if(isLater, (query) => query.where(sql<boolean>`(fecha, id) > (${fecha}, ${id})`))
      .orderBy('fecha')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  return ((await findNeighbourMovement(true)) ?? (await findNeighbourMovement(false)))?.id;
}

interface OpenMovementSummary {
  count: number;
  outCents: Cents;
  inCents: Cents;
  newest: { day: PlainDate; id: number } | undefined;
  /** the oldest open movement, which is resolved first */
  firstId: number | undefined;
}

export async function summarizeOpenMovements(
  db: Db,
  origenderecursoId?: number,
): Promise<OpenMovementSummary> {
  const open = db
    .selectFrom('bank_movements')
    .where(openMovementCondition)
    .$if(origenderecursoId !== undefined, (query) =>
      query.where('origenderecursoId', '=', origenderecursoId!),
    );
  const sumExpression = (sign: '<' | '>') =>
    sql<Cents>`coalesce(sum(case when "amountCents" ${sql.raw(sign)} 0 then abs("amountCents") end), 0)`;
  const sums = await open
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select([sumExpression('<').as('outCents'), sumExpression('>').as('inCents')])
    .executeTakeFirstOrThrow();
  if (sums.count === 0) return { ...sums, newest: undefined, firstId: undefined };
  const findInDirection = (direction: SortDirection) =>
    open
      .select(['id', 'fecha as day'])
      .orderBy('fecha', direction)
      .orderBy('id', direction)
      .limit(1)
      .executeTakeFirstOrThrow();
  return { ...sums, newest: await findInDirection('desc'), firstId: (await findInDirection('asc')).id };
}

interface MovementSums {
  count: number;
  inCents: Cents;
  outCents: Cents;
  openIn: number;
  openInCents: Cents;
  openOut: number;
  openOutCents: Cents;
  firstOpenId: number | null;
}

export async function sumBankStatement(db: Db, id: number): Promise<MovementSums> {
  const isIn = sql<boolean>`"amountCents" > 0`;
  const countExpression = (where: RawBuilder<boolean>) =>
    sql<number>`coalesce(sum(case when ${where} then 1 else 0 end), 0)`;
  const sum = (where: RawBuilder<boolean>) =>
    sql<Cents>`coalesce(sum(case when ${where} then abs("amountCents") else 0 end), 0)`;
  const [openIn, openOut] = [
    sql<boolean>`${isIn} and ${openMovementCondition}`,
    sql<boolean>`not (${isIn}) and ${openMovementCondition}`,
  ];
  return db
    .selectFrom('bank_movements')
    .select([
      sql<number>`count(*)`.as('count'),
      sum(isIn).as('inCents'),
      sum(sql<boolean>`not (${isIn})`).as('outCents'),
      countExpression(openIn).as('openIn'),
      sum(openIn).as('openInCents'),
      countExpression(openOut).as('openOut'),
      sum(openOut).as('openOutCents'),
      sql<number | null>`min(case when ${openMovementCondition} then id end)`.as('firstOpenId'),
    ])
    .where('id', 'in', buildStatementMovementIdsQuery(db, id))
    .executeTakeFirstOrThrow();
}

export interface PeriodAndOpenCount {
  desde: PlainDate;
  hasta: PlainDate;
  openCount: number;
}

/** Statements without movements are absent. */
export async function readPeriodsAndOpenCounts(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PeriodAndOpenCount>> {
  const { rows } = await sql<PeriodAndOpenCount & { id: number }>`
    select part."statementId" as id, cast(min(fecha) as text) as desde, cast(max(fecha) as text) as hasta,
      count(case when ${openMovementCondition} then 1 end) as "openCount"
    from bank_statement_movements part join bank_movements m on m.id = part."movementId"
    where ${isOneOf(db, 'part.statementId', ids)} group by part."statementId"`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

const buildStatementMovementIdsQuery = (db: Db, statementId: number) =>
  db.selectFrom('bank_statement_movements').select('movementId').where('statementId', '=', statementId);

const buildMovementQuery = (db: Db) =>
  db
    .selectFrom('bank_movements as movements')
    .leftJoin('suppliers', 'suppliers.id', 'movements.supplierId')
    .leftJoin('petty_cash_movements as cash', 'cash.id', 'movements.cashMovementId')
    .leftJoin('funding_sources', 'funding_sources.id', 'movements.origenderecursoId')
    .select(['movements.id', 'statementId', 'movements.origenderecursoId', 'movements.fecha', 'amountCents'])
    .select('origenderecursonombre')
    .$narrowType<{ origenderecursonombre: string }>()
    .select(['referencia', 'descripcion', 'batchId', 'movements.supplierId', 'suppliername', 'clase'])
    .select(outcomeExpression.as('outcome'))
    .select('movements.version')
    .select([
      sql<number | null>`case when cash.tipo = 'devolucion' then cash.id end`.as('movimientocajaId'),
      sql<number | null>`case when cash.tipo <> 'devolucion' then coalesce(cash."replenishmentId",
        (select r.id from petty_cash_replenishments r where r."ownMovementId" = cash.id)) end`.as(
        'reposicionId',
      ),
    ]);

async function addPaymentIds(
  db: Db,
  movements: readonly Omit<BankMovement, 'paymentIds'>[],
): Promise<BankMovement[]> {
  const ids = movements.map(({ id }) => id);
  const ties = await db
    .selectFrom('bank_movement_payments')
    .selectAll()
    .where(isOneOf(db, 'movementId', ids))
    .orderBy('paymentId')
    .execute();
  const byMovement = new Map<number, number[]>();
  for (const { movementId, paymentId } of ties) appendToMapEntry(byMovement, movementId, paymentId);
  return movements.map((one) => ({ ...one, paymentIds: byMovement.get(one.id) ?? [] }));
}

const buildStatementQuery = (db: Db) =>
  db
    .selectFrom('bank_statements')
    .innerJoin('funding_sources', 'funding_sources.id', 'bank_statements.origenderecursoId')
    .innerJoin('users', 'users.id', 'bank_statements.userId')
    .select(['bank_statements.id', 'origenderecursoId', 'origenderecursonombre'])
    .select(['filename', 'users.username', 'bank_statements.createdAt'])
    .select(['saldoinicialCents', 'saldofinalCents', 'saldofecha', 'saldorenglon']);
