import { type RawBuilder, sql } from 'kysely';
import { bankAmountExpression } from '../../../db/expressions.ts';
import type { SortDirection } from '../../../db/paging.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { FundRow, FundSort, FundState, Movement, PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { fold } from '../../../shared/text.ts';
import { CLI_USERNAME } from '../../../shared/users.ts';
import { sortRows } from '../rows-in-memory.ts';
import { lockRow, requireCurrentVersion } from '../stored-rows.ts';
import { cashEffectExpression } from './fund-cash.ts';

export const unprovedExpenseCondition = sql`m.tipo = 'gasto' and m."comprobarAntes" is not null`;
/** A proved expense that is in no request. */
export const replenishableCondition = sql`m.tipo = 'gasto' and m."comprobarAntes" is null and m."replenishmentId" is null`;
/** An expense, proved or not, whose money has not been given back. */
export const unreimbursedCondition = sql`m.tipo = 'gasto' and not exists (
  select 1 from petty_cash_movements given where given."replenishmentId" = m."replenishmentId" and given.tipo = 'reposicion')`;
export const inRequestCondition = sql`m."replenishmentId" is not null and ${unreimbursedCondition}`;
/** Shown as "Por reponer": a proved expense whose money has not been given back, requested or not. */
export const provedUnreimbursedCondition = sql`m."comprobarAntes" is null and ${unreimbursedCondition}`;
/** The value is an ExpenseState; it is null for other movements. */
export const expenseStateExpression = sql`case when ${unprovedExpenseCondition} then 'por-comprobar' when ${inRequestCondition} then 'solicitado'
  when ${replenishableCondition} then 'por-reponer' when m.tipo = 'gasto' then 'repuesto' end`;

/** Cash, spent and returned amounts are as of the end of `day`; amounts to be proved or replenished are as of now. */
export async function listFunds(
  db: Db,
  day: PlainDate,
  selection: FundState | { id: number } = 'abiertas',
): Promise<FundRow[]> {
  const isSelected =
    typeof selection === 'object'
      ? sql`funds.id = ${selection.id}`
      : sql`(funds."closedOn" is null) = ${selection === 'abiertas' ? sql`true` : sql`false`}`;
  const sumOfMovements = (selection: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
    sql`coalesce((select sum(${value}) from petty_cash_movements m where m."fundId" = funds.id and ${selection}), 0)`;
  const importe = sql`m."importeCents"`;
  const paid = sql`case when funds."pagosOrigenId" is null then 0 else coalesce((select sum(${bankAmountExpression('p')}) from payments p
    where p."origenderecursoId" = funds."pagosOrigenId" and p.paymentdate between funds."openedOn" and ${day}), 0) end`;
  const { rows } = await sql<FundRow>`
    select ${fundColumns},
      ${sumOfMovements(sql`m.fecha <= ${day}`, cashEffectExpression('m'))} - ${paid} as "saldoCents",
      ${sumOfMovements(sql`m.tipo = 'gasto' and m.fecha <= ${day}`, importe)} + ${paid} as "gastadoCents",
      ${sumOfMovements(sql`m.tipo = 'devolucion' and m.fecha <= ${day}`, importe)} as "devueltoCents",
      ${sumOfMovements(unprovedExpenseCondition, importe)} as "porComprobarCents",
      ${sumOfMovements(sql`${unprovedExpenseCondition} and m."comprobarAntes" < ${day}`, importe)} as "vencidoCents",
      ${sumOfMovements(provedUnreimbursedCondition, importe)} as "porReponerCents",
      ${sumOfMovements(inRequestCondition, importe)} as "solicitadoCents",
      ${sumOfMovements(inRequestCondition, importe)} + coalesce((select sum(r."ownCents") from petty_cash_replenishments r
        where r."fundId" = funds.id and r."ownMovementId" is null), 0) as "porAutorizarCents",
      (select max(days.day) from (
        select max(m.fecha) as day from petty_cash_movements m where m."fundId" = funds.id and m.fecha <= ${day}
        union all
        select max(p.paymentdate) from payments p where p."origenderecursoId" = funds."pagosOrigenId"
          and p.paymentdate between funds."openedOn" and ${day}) days) as "lastOn"
    ${fundsFromClause} where ${isSelected}
    order by funds."nombreFold", funds.id`.execute(db);
  return rows;
}

/** Sorts in memory, since a firm has few funds. */
export const sortFunds = (
  funds: FundRow[],
  { sort = 'nombre', direction }: { sort?: FundSort; direction?: SortDirection },
): FundRow[] => {
  const isFigure = sort === 'saldo' || sort === 'porComprobar' || sort === 'porReponer';
  return sortRows(funds, (fund) => (isFigure ? fund[`${sort}Cents`] : fund[sort]), direction);
};

/** @throws DomainError not-found */
export async function getFundRow(db: Db, id: number, day: PlainDate): Promise<FundRow> {
  const [row] = await listFunds(db, day, { id });
  if (!row) throw fundNotFoundError(id);
  return row;
}

export const readFunds = async (db: Db, where = sql``): Promise<PettyCashFund[]> =>
  (await sql<PettyCashFund>`select ${fundColumns} ${fundsFromClause} ${where} order by funds.id`.execute(db))
    .rows;

/** @throws DomainError not-found */
export async function getFund(db: Db, id: number): Promise<PettyCashFund> {
  const [fund] = await readFunds(db, sql`where funds.id = ${id}`);
  if (!fund) throw fundNotFoundError(id);
  return fund;
}

/** Returns only the open funds. */
export const listOpenFundsOfHolder = (db: Db, userId: number): Promise<{ id: number; nombre: string }[]> =>
  db
    .selectFrom('petty_cash_funds')
    .select(['id', 'nombre'])
    .where('responsableId', '=', userId)
    .where('closedOn', 'is', null)
    .orderBy('id')
    .execute();

/** Nobody else moves its money until the transaction ends. @throws DomainError not-found, stale, conflict fund_closed */
export async function lockAndReadFund(trx: Trx, id: number, version?: number): Promise<PettyCashFund> {
  await lockRow(trx, 'petty_cash_funds', id);
  const current = await getFund(trx, id);
  const { nombre, closedOn } = current;
  if (closedOn !== null)
    throw new DomainError('conflict', texts.closed(nombre, closedOn), { code: 'fund_closed' });
  requireCurrentVersion(current, version, texts.fundStale);
  return current;
}

interface RowOfFund {
  fundId: number;
  version: number;
}

/** Locks a row of a fund after the fund itself, as everywhere. @throws DomainError as lockAndReadFund does */
export async function lockRowInFund<Row extends RowOfFund>(
  trx: Trx,
  table: Parameters<typeof lockRow>[1],
  read: (trx: Trx, id: number) => Promise<Row>,
  idAndVersion: { id: number; version: number | undefined; staleMessage: string },
): Promise<{ before: Row; fund: PettyCashFund }> {
  const fund = await lockAndReadFund(trx, (await read(trx, idAndVersion.id)).fundId);
  await lockRow(trx, table, idAndVersion.id);
  const before = await read(trx, idAndVersion.id);
  requireCurrentVersion(before, idAndVersion.version, idAndVersion.staleMessage);
  return { before, fund };
}

export const FUND_ENTITY = 'petty-cash-funds';

const fundNotFoundError = (id: number) => new DomainError('not-found', `No existe la caja chica ${id}.`);

/** By id, or by name without case and accents. @throws DomainError not-found */
export async function getFundByNameOrId(db: Db, nameOrId: string): Promise<PettyCashFund> {
  const isId = /^\d{1,9}$/.test(nameOrId.trim());
  const where = isId
    ? sql`where funds.id = ${Number(nameOrId)}`
    : sql`where funds."nombreFold" = ${fold(nameOrId)}`;
  const [fund] = await readFunds(db, where);
  if (!fund) throw new DomainError('not-found', `No existe la caja chica «${nameOrId.slice(0, 60)}».`);
  return fund;
}

/** @throws DomainError not-found */
export async function getMovement(db: Db, id: number): Promise<Movement> {
  const [movement] = await readMovements(db, sql`m.id = ${id}`);
  if (!movement) throw new DomainError('not-found', `No existe el movimiento de caja chica ${id}.`);
  return movement;
}

export async function readMovements(
  db: Db,
  where: RawBuilder<unknown>,
  suffix: RawBuilder<unknown> = sql`order by m.fecha, m.id`,
): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select m.id, m."fundId", funds.nombre, m.fecha, m.tipo, m.beneficiario, m.concepto, m.comprobante, m.folio, m.uuid,
      m."subtotalCents", m."ivaCents", m."importeCents", m."jobId", jobs.jobtitle, m."rubroId", rubros.nombrerubro,
      m."comprobarAntes", m."replenishmentId", m."countId", m."origenderecursoId", sources.origenderecursonombre,
      m.comments, m."userId", m."spentBy", m."importId", m."createdAt", m.version
    from petty_cash_movements m
    join petty_cash_funds funds on funds.id = m."fundId"
    left join jobs on jobs.id = m."jobId"
    left join rubros on rubros.id = m."rubroId"
    left join funding_sources sources on sources.id = m."origenderecursoId"
    where ${where} ${suffix}`.execute(db);
  return rows;
}

export const fullNameExpression = (usersAlias: string) =>
  sql`coalesce(nullif(trim(${sql.ref(`${usersAlias}.userfirstname`)} || ' ' || ${sql.ref(`${usersAlias}.userlastname`)}), ''),
    ${sql.ref(`${usersAlias}.username`)})`;

const fundColumns = sql`funds.id, funds.nombre, funds."responsableId",
  ${fullNameExpression('holders')} as responsable,
  funds."jobId", jobs.jobtitle, funds."montofijoCents", funds."topeCents", funds."origenderecursoId",
  sources.origenderecursonombre, funds."pagosOrigenId", paying.origenderecursonombre as "pagosOrigen",
  funds."openedOn", funds."closedOn", funds.comments, funds."importId", funds."createdAt", funds.version`;

const fundsFromClause = sql`from petty_cash_funds funds
  left join users holders on holders.id = funds."responsableId"
  left join jobs on jobs.id = funds."jobId"
  left join funding_sources sources on sources.id = funds."origenderecursoId"
  left join funding_sources paying on paying.id = funds."pagosOrigenId"`;

interface NamedRow {
  id: number;
  name: string;
}

export type RarelyUsedField = 'folio' | 'iva' | 'uuid' | 'comprobarAntes';

export async function countRarelyUsedFields(db: Db): Promise<Record<RarelyUsedField, number>> {
  const countExpression = (selection: RawBuilder<unknown>) =>
    sql`coalesce(sum(case when ${selection} then 1 else 0 end), 0)`;
  const { rows } = await sql<Record<RarelyUsedField, number>>`
    select ${countExpression(sql`folio <> ''`)} as folio, ${countExpression(sql`"ivaCents" > 0`)} as iva,
      ${countExpression(sql`uuid is not null`)} as uuid, ${countExpression(sql`"comprobarAntes" is not null`)} as "comprobarAntes"
    from (select folio, "ivaCents", uuid, "comprobarAntes" from petty_cash_movements where tipo = 'gasto'
      order by id desc limit 100) latest`.execute(db);
  return rows[0]!;
}

export const listFundingSources = (db: Db): Promise<NamedRow[]> =>
  db
    .selectFrom('funding_sources')
    .select(['id', 'origenderecursonombre as name'])
    .orderBy('origenderecursonombreFold')
    .orderBy('id')
    .limit(500)
    .execute();

export async function listPossibleHolders(
  db: Db,
  currentHolderId?: number | null,
): Promise<(NamedRow & { username: string; email: string })[]> {
  const { rows } = await sql<NamedRow & { username: string; email: string }>`
    select id, ${fullNameExpression('users')} as name, username, email
    from users where (active = 1 and username <> ${CLI_USERNAME}) or id = ${currentHolderId ?? 0}
    order by name, id`.execute(db);
  return rows;
}
