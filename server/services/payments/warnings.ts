import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { type Payment, paymentTexts, warnOfEarly } from '../../../shared/payments.ts';
import type { AboutPayments } from './check-numbers.ts';

interface Odd {
  paymentdate: PlainDate;
  fechaemision: PlainDate | null;
  /** another payment of the invoice that is equal to it */
  twinId: number | null;
}

/** What deserves a look in payments that were made: captured twice, or long before their invoice was issued. */
export async function warnOfPayments(trx: Trx, payments: readonly Payment[]): Promise<AboutPayments> {
  const ids = payments.flatMap(({ id, kind }) => (kind === 'pago' ? [id] : []));
  if (ids.length === 0) return { warnings: [], about: [] };
  const { rows } = await sql<Odd>`
    select payments.paymentdate, invoices.fechaemision, (select min(twins.id) from payments twins
      where twins."facturaproveedorId" = payments."facturaproveedorId" and twins.id <> payments.id
        and twins.paymentdate = payments.paymentdate and twins."amountCents" = payments."amountCents"
        and twins."checknumFold" = payments."checknumFold" and twins.kind = 'pago') as "twinId"
    from payments join invoices on invoices.id = payments."facturaproveedorId"
    where ${isOneOf(trx, 'payments.id', ids)} order by payments.id`.execute(trx);
  const twins = rows.flatMap(({ twinId }) => twinId ?? []);
  const early = rows.flatMap(({ paymentdate, fechaemision }) => warnOfEarly(paymentdate, fechaemision));
  // Those that are about no other payment come last.
  return { warnings: [...twins.map(paymentTexts.twin), ...early], about: twins };
}
