import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Payment, PaymentFieldValues } from '../../../shared/payments.ts';
import type { Actor } from '../audit/audit.ts';
import { lockRow, readLastDeleted } from '../stored-rows.ts';
import { type SavedResult, toSavedResult } from '../write-drafts.ts';
import type { PaymentInput } from './draft.ts';
import { getPayment } from './reading.ts';
import { deletePayments, writePayments } from './write.ts';

export type SavedPayment = SavedResult<'payment', Payment>;

type PaymentFormInput = PaymentFieldValues & Pick<PaymentInput, 'formCurrency'>;

interface OpenBatchOverrideOptions {
  allowProgrammed?: boolean;
}

/** @throws DomainError of the broken rule (rules.ts) */
export const createPayment = async (
  db: Db,
  actor: Actor,
  draft: PaymentFormInput,
  options: OpenBatchOverrideOptions = {},
): Promise<SavedPayment> => toSavedResult('payment', await writePayments(db, actor, [draft], options));

/** @throws DomainError of the broken rule */
export const updatePayment = async (
  db: Db,
  actor: Actor,
  id: number,
  draft: PaymentFormInput,
  { version, ...options }: OpenBatchOverrideOptions & { version?: number } = {},
): Promise<SavedPayment> =>
  toSavedResult('payment', await writePayments(db, actor, [{ ...draft, id, version }], options));

/** @throws DomainError not-found where no row with this id was deleted; otherwise the error of the broken rule */
export const restorePayment = (
  db: Db,
  actor: Actor,
  id: number,
  options: OpenBatchOverrideOptions = {},
): Promise<SavedPayment> =>
  inTransaction(db, async (trx) => {
    const deleted = await readLastDeleted<Payment>(trx, 'payments', id);
    if (!deleted) throw new DomainError('not-found', `No existe un pago eliminado ${id}.`);
    return toSavedResult('payment', await writePayments(trx, actor, [{ deleted }], options));
  });

/** @throws DomainError not-found, stale, conflict closed_period */
export const deletePayment = (db: Db, actor: Actor, id: number, version?: number): Promise<void> =>
  inTransaction(db, async (trx) => {
    // If two users delete the payment at once, the second waits here and then finds none.
    await lockRow(trx, 'payments', id);
    await getPayment(trx, id);
    await deletePayments(trx, actor, [id], version);
  });
