import { sql } from 'kysely';
import { forUpdate, isOneOf, takenBy } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import type { PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { type BrokenRule, refusal, refuse } from '../../../shared/refusal.ts';

/** What a movement, by the name that the query gives it, does to what is in its box. */
export const effect = (movement: string) => {
  const [tipo, importe] = [sql.ref(`${movement}.tipo`), sql.ref(`${movement}.importeCents`)];
  return sql<Cents>`case when ${tipo} in ('gasto', 'devolucion') then -${importe} else ${importe} end`;
};

type Box = Pick<PettyCashFund, 'id' | 'nombre' | 'pagosOrigenId' | 'openedOn'>;

/** What is in a box, whatever the days of its movements, and of the payments that leave it. */
export async function readCash(db: Db, { id, pagosOrigenId, openedOn }: Omit<Box, 'nombre'>): Promise<Cents> {
  const paid =
    pagosOrigenId === null
      ? sql`0`
      : sql`coalesce((select sum(${takenBy('p')}) from payments p
          where p."origenderecursoId" = ${pagosOrigenId} and p.paymentdate >= ${openedOn}), 0)`;
  const { rows } = await sql<{ cents: Cents }>`select coalesce((select sum(${effect('m')})
    from petty_cash_movements m where m."fundId" = ${id}), 0) - ${paid} as cents`.execute(db);
  return rows[0]!.cents;
}

/**
 * Whether so much may leave a fund that is held: nothing is taken out that is not in it. A box that was below zero
 * before there was this rule takes money in, and gives none.
 * @throws DomainError invalid fund_short
 */
export async function requireCash(trx: Trx, fund: Box, effectCents: Cents, field = 'importe'): Promise<void> {
  if (effectCents >= 0) return;
  const cash = await readCash(trx, fund);
  if (cash + effectCents < 0) refuse(fundShort(fund, cash, field));
}

/** What a fund has against what is to leave it. */
export function fundShort({ nombre }: Pick<Box, 'nombre'>, cashCents: Cents, field: string): BrokenRule {
  const message = pettyCashTexts.short(nombre, cashCents);
  return { ...refusal(message, field), code: 'fund_short', extra: { saldo: toDecimal(cashCents) } };
}

/** A box that payments to suppliers leave; `cashCents` shrinks with what is accepted. */
export interface HeldBox extends Box {
  cashCents: Cents;
}

/** The boxes that these sources pay out of; whoever else takes from them waits until the transaction ends. */
export async function holdBoxes(trx: Trx, sources: readonly number[]): Promise<Map<number, HeldBox>> {
  const boxes = await trx
    .selectFrom('petty_cash_funds')
    .select(['id', 'nombre', 'pagosOrigenId', 'openedOn'])
    .where(isOneOf(trx, 'pagosOrigenId', sources))
    .orderBy('id')
    .modifyEnd(forUpdate(trx))
    .execute();
  const held = new Map<number, HeldBox>();
  for (const box of boxes) held.set(box.pagosOrigenId!, { ...box, cashCents: await readCash(trx, box) });
  return held;
}
