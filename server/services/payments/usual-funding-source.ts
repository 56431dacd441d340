import type { Db } from '../../../db/schema.ts';
import { findRowWithCommonValue, MIN_AGREEING_ROWS } from '../stored-rows.ts';

/** Only so many of the newest payments are searched, so that a supplier who is seldom paid costs no more. */
const MAX_SEARCHED_PAYMENTS = 1_000;

/**
 * The funding source of the supplier's last three payments by day, if they are recent and agree. Never that of a petty
 * cash fund, which may be empty.
 */
export async function findUsualFundingSource(db: Db, supplierId: number): Promise<number | undefined> {
  const last = await db
    .selectFrom((payments) =>
      payments
        .selectFrom('payments')
        .select(['id', 'paymentdate', 'facturaproveedorId', 'origenderecursoId'])
        .where('kind', '=', 'pago')
        .orderBy('id', 'desc')
        .limit(MAX_SEARCHED_PAYMENTS)
        .as('recent'),
    )
    .innerJoin('invoices', 'invoices.id', 'recent.facturaproveedorId')
    .select('recent.origenderecursoId')
    .where('invoices.supplierId', '=', supplierId)
    .orderBy('recent.paymentdate', 'desc')
    .orderBy('recent.id', 'desc')
    .limit(MIN_AGREEING_ROWS)
    .execute();
  const sourceId = findRowWithCommonValue(last, 'origenderecursoId')?.origenderecursoId;
  if (!sourceId) return undefined;
  const fund = await db
    .selectFrom('petty_cash_funds')
    .select('id')
    .where('pagosOrigenId', '=', sourceId)
    .limit(1)
    .executeTakeFirst();
  return fund ? undefined : sourceId;
}
