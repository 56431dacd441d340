import { sql } from 'kysely';
import { forUpdate, isOneOf, takenBy } from '../../../db/expressions.ts';
import type { StoredPayments } from '../../../db/imported-payments.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, toDecimal } from '../../../shared/money.ts';
import type { PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';

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
  if (cash + effectCents < 0) throw fundShort(fund, cash, field);
}

function fundShort({ nombre }: Box, cashCents: Cents, field: string): DomainError {
  const message = pettyCashTexts.short(nombre, cashCents);
  return new DomainError('invalid', message, {
    code: 'fund_short',
    fields: { [field]: message },
    extra: { saldo: toDecimal(cashCents) },
  });
}

interface Taken {
  origenderecursoId: number | null;
  paymentdate: PlainDate;
  takenCents: Cents;
}

/**
 * The same of payments to suppliers that were just stored, where they leave boxes; whoever else takes from these waits.
 * @throws DomainError invalid fund_short
 */
export async function requireBoxes(trx: Trx, payments: readonly Taken[]): Promise<void> {
  const sources = [...new Set(payments.flatMap(({ origenderecursoId }) => origenderecursoId ?? []))];
  if (sources.length === 0) return;
  const boxes = await trx
    .selectFrom('petty_cash_funds')
    .select(['id', 'nombre', 'pagosOrigenId', 'openedOn'])
    .where(isOneOf(trx, 'pagosOrigenId', sources))
    .orderBy('id')
    .modifyEnd(forUpdate(trx))
    .execute();
  for (const box of boxes) {
    const taken = payments
      .filter(
        (payment) => payment.origenderecursoId === box.pagosOrigenId && payment.paymentdate >= box.openedOn,
      )
      .reduce((sum, { takenCents }) => sum + takenCents, 0);
    if (taken <= 0) continue;
    const cash = await readCash(trx, box);
    if (cash < 0) throw fundShort(box, cash + taken, 'paymentamount');
  }
}

/** The same of payments that came with a table; those that leave no box are not read. */
export async function requireBoxesOfImport(trx: Trx, { importId, from, to }: StoredPayments): Promise<void> {
  const paying = trx
    .selectFrom('petty_cash_funds')
    .select('pagosOrigenId')
    .where('pagosOrigenId', 'is not', null);
  if ((await paying.execute()).length === 0) return;
  const taken = await trx
    .selectFrom('payments')
    .select(['origenderecursoId', 'paymentdate', takenBy('payments').as('takenCents')])
    .where('id', '>=', from)
    .where('id', '<=', to)
    .where('importId', '=', importId)
    .where('origenderecursoId', 'in', paying)
    .execute();
  await requireBoxes(trx, taken);
}
