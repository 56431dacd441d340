import { sql } from 'kysely';
import { compileOncePerKey } from '../../../db/compile-once.ts';
import { bankAmountExpression, encodeIdList, forUpdate, isInIdList } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import type { PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, createRefusal } from '../../../shared/refusal.ts';

export const cashEffectExpression = (movementAlias: string) => {
  const [tipo, importe] = [sql.ref(`${movementAlias}.tipo`), sql.ref(`${movementAlias}.importeCents`)];
  return sql<Cents>`case when ${tipo} in ('gasto', 'devolucion') then -${importe} else ${importe} end`;
};

/** The cash in a fund counts movements and payments of any day, even future ones. */
export async function readCash(
  db: Db,
  { id, pagosOrigenId, openedOn }: Pick<PettyCashFund, 'id' | 'pagosOrigenId' | 'openedOn'>,
): Promise<Cents> {
  const paid =
    pagosOrigenId === null
      ? sql`0`
      : sql`coalesce((select sum(${bankAmountExpression('p')}) from payments p
          where p."origenderecursoId" = ${pagosOrigenId} and p.paymentdate >= ${openedOn}), 0)`;
  const { rows } = await sql<{ cents: Cents }>`select coalesce((select sum(${cashEffectExpression('m')})
    from petty_cash_movements m where m."fundId" = ${id}), 0) - ${paid} as cents`.execute(db);
  return rows[0]!.cents;
}

/** Sums payments to suppliers by the funding source of the fund they were made from. They reduce its cash, but are not among its movements. */
export async function sumPaymentsFromFunds(db: Db): Promise<{ sourceId: number; cents: Cents }[]> {
  const { rows } = await sql<{ sourceId: number; cents: Cents }>`
    select funds."pagosOrigenId" as "sourceId", sum(${bankAmountExpression('p')}) as cents
    from petty_cash_funds funds
    join payments p on p."origenderecursoId" = funds."pagosOrigenId" and p.paymentdate >= funds."openedOn"
    group by funds."pagosOrigenId" order by funds."pagosOrigenId"`.execute(db);
  return rows;
}

export function insufficientCashRefusal(
  { nombre }: Pick<PettyCashFund, 'nombre'>,
  cashCents: Cents,
  field: string,
): BrokenRule {
  const message = pettyCashTexts.short(nombre, cashCents);
  return { ...createRefusal(message, field), code: 'fund_short', extra: { saldo: toDecimal(cashCents) } };
}

export async function lockFunds(trx: Trx, column: 'id' | 'pagosOrigenId', ids: readonly number[]) {
  const locked = [];
  for (const fund of await lockFundsInList(column, trx, encodeIdList(trx, ids)))
    locked.push({ ...fund, cashCents: await readCash(trx, fund) });
  return locked;
}

const lockFundsInList = compileOncePerKey((column: 'id' | 'pagosOrigenId', db, ids: string) =>
  db
    .selectFrom('petty_cash_funds')
    .select(['id', 'nombre', 'pagosOrigenId', 'openedOn', 'closedOn', 'topeCents'])
    .select(['responsableId', 'origenderecursoId'])
    .where(isInIdList(db, column, ids))
    .orderBy('id')
    .modifyEnd(forUpdate(db, 'petty_cash_funds')),
);

/** A locked fund; `cashCents` shrinks with the payments that are accepted. */
export type LockedFund = Awaited<ReturnType<typeof lockFunds>>[number];

export const lockPayingFunds = async (
  trx: Trx,
  fundingSourceIds: readonly number[],
): Promise<Map<number, LockedFund>> =>
  new Map(
    (await lockFunds(trx, 'pagosOrigenId', fundingSourceIds)).map((fund) => [fund.pagosOrigenId!, fund]),
  );
