import type { Insertable } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { foldedColumns } from '../../../db/search-indexes.ts';
import type { Cents } from '../../../shared/money.ts';
import { type Payment, withTaken } from '../../../shared/payments.ts';
import type { Stamp } from '../audit/audit.ts';

/** What is set of a payment. Its invoice's paid sum, and its note's applied one, are the caller's. */
export interface PaymentValues extends Pick<Payment, 'facturaproveedorId' | 'paymentdate' | 'amountCents'> {
  /** null: a credit note's part moves no money */
  origenderecursoId: number | null;
  /** what left the bank, or its note; the same amount is kept once */
  importebancoCents?: Cents | null;
  checknum?: string;
  comments?: string;
}

/** A new payment as it is stored, a part of a credit note where it names one. Whatever stores one asks this. */
export function paymentRow(
  payment: PaymentValues & { creditNoteId?: number | null },
  { at, userId, importId }: Stamp,
): Insertable<Schema['payments']> {
  const { creditNoteId = null } = payment;
  return {
    ...paymentColumns(payment),
    kind: creditNoteId === null ? 'pago' : 'credito',
    creditNoteId,
    userId,
    importId,
    createdAt: at,
    updatedAt: at,
  };
}

/** What is set of a payment, as it is stored. */
export function paymentColumns(payment: PaymentValues) {
  const {
    facturaproveedorId,
    origenderecursoId,
    checknum = '',
    paymentdate,
    amountCents,
    importebancoCents,
    comments = '',
  } = payment;
  return {
    facturaproveedorId,
    origenderecursoId,
    checknum,
    ...foldedColumns('payments', { checknum }),
    paymentdate,
    ...withTaken(amountCents, importebancoCents),
    comments,
  };
}
