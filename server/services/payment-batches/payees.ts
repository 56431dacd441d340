import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { FullBatch } from '../../../shared/payment-batches.ts';
import type { PayeeAccount } from '../../../shared/supplier-accounts.ts';
import { readAccountsBySupplier, toPayeeAccount } from '../supplier-accounts/reading.ts';

export interface BatchPayee {
  account?: PayeeAccount;
  isFirstPayment: boolean;
}

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
  return new Map(
    supplierIds.map((supplierId) => {
      const account = toPayeeAccount(accounts.get(supplierId) ?? [], today);
      return [supplierId, { account, isFirstPayment: !known.has(supplierId) }];
    }),
  );
}
