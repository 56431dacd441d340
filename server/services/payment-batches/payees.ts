import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import type { FullBatch } from '../../../shared/payment-batches.ts';
import { payingAccountOf, type SupplierAccount } from '../../../shared/supplier-accounts.ts';
import { readAccountsBySupplier } from '../supplier-accounts/reading.ts';

export interface BatchPayee {
  /** the account that would be paid, or else the one captured last, which nobody has confirmed */
  account?: SupplierAccount;
  isNewAccount: boolean;
  isFirstPayment: boolean;
}

const NEW_ACCOUNT_DAYS = 30;

/** @returns the payees by supplier id */
export async function readBatchPayees(
  db: Db,
  { id, lines }: FullBatch,
  today: PlainDate,
): Promise<Map<number, BatchPayee>> {
  const supplierIds = [...new Set(lines.map(({ supplierId }) => supplierId))];
  const accounts = await readAccountsBySupplier(db, supplierIds);
  const paidBefore = await db
    .selectFrom('suppliers')
    .select('suppliers.id')
    .where(isOneOf(db, 'suppliers.id', supplierIds))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('invoices')
          .innerJoin('payments', 'payments.facturaproveedorId', 'invoices.id')
          .leftJoin('payment_batch_lines as lines', (join) =>
            join.onRef('lines.paymentId', '=', 'payments.id').on('lines.batchId', '=', id),
          )
          .select('payments.id')
          .whereRef('invoices.supplierId', '=', 'suppliers.id')
          .where('lines.batchId', 'is', null),
      ),
    )
    .execute();
  const known = new Set(paidBefore.map((supplier) => supplier.id));
  const newSince = addDays(today, -NEW_ACCOUNT_DAYS);
  return new Map(
    supplierIds.map((supplierId) => {
      const captured = accounts.get(supplierId) ?? [];
      const account = payingAccountOf(captured) ?? captured.at(-1);
      const isNewAccount = account !== undefined && account.changedOn > newSince;
      return [supplierId, { account, isNewAccount, isFirstPayment: !known.has(supplierId) }];
    }),
  );
}
