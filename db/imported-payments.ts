import { sql } from 'kysely';
import { takenBy } from './expressions.ts';
import { dialectOf } from './open.ts';
import type { Trx } from './schema.ts';

/** Those of an import's payments whose ids lie between two. */
export interface StoredPayments {
  importId: number;
  from: number;
  to: number;
}

/**
 * Nobody else pays what these payments pay, nor applies the same credit notes, until the transaction ends: taken as
 * late as can be, and in one order, so that no two wait for each other. SQLite lets nobody anyway.
 */
export async function holdPaid(trx: Trx, { importId, from, to }: StoredPayments): Promise<void> {
  if (dialectOf(trx) !== 'postgres') return;
  for (const [table, column] of [
    ['invoices', 'facturaproveedorId'],
    ['credit_notes', 'creditNoteId'],
  ] as const)
    await sql`select from ${sql.table(table)} where id in (
        select ${sql.ref(column)} from payments where id between ${from} and ${to} and "importId" = ${importId})
      order by id for no key update`.execute(trx);
}

/**
 * Adds payments that are stored to what is paid of their invoices, and applied of their credit notes; each of these is
 * changed once, however often it is paid.
 */
export async function addPaid(trx: Trx, { importId, from, to }: StoredPayments): Promise<void> {
  const stored = sql`id between ${from} and ${to} and "importId" = ${importId}`;
  await sql`update invoices set "paidCents" = "paidCents" + w.cents from (
      select "facturaproveedorId" as id, sum("amountCents") as cents from payments
      where ${stored} group by 1) as w where invoices.id = w.id`.execute(trx);
  await sql`update credit_notes set "appliedCents" = "appliedCents" + w.cents from (
      select "creditNoteId" as id, sum(${takenBy('payments')}) as cents from payments
      where ${stored} and "creditNoteId" is not null group by 1) as w
    where credit_notes.id = w.id`.execute(trx);
}
