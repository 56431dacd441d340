import type { Insertable } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { foldedColumns } from '../../../db/tables/search-indexes.ts';
import type { Cents } from '../../../shared/money.ts';
import { type Payment, withTaken } from '../../../shared/payments.ts';
import type { Stamp } from '../audit/audit.ts';

/** The paid sum of its invoice, and the applied sum of its note, are the caller's to change. */
export interface PaymentValues extends Pick<Payment, 'facturaproveedorId' | 'paymentdate' | 'amountCents'> {
  /** null: a credit note's part moves no money */
  origenderecursoId: number | null;
  /** what left the bank, or its note; the same amount is kept once */
  importebancoCents?: Cents | null;
  checknum?: string;
  comments?: string;
}

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
