import { foldSearchedColumns } from '../../../db/tables/search-indexes.ts';
import type { Cents } from '../../../shared/money.ts';
import { type Payment, type PaymentKind, toPaidAmounts } from '../../../shared/payments.ts';

/** The caller changes the paid sum of the payment's invoice, and the applied sum of its note. */
export interface PaymentValues extends Pick<Payment, 'facturaproveedorId' | 'paymentdate' | 'amountCents'> {
  /** null: a credit note's part moves no money */
  origenderecursoId: number | null;
  /** the bank amount, or the amount used of the note, where it differs */
  importebancoCents?: Cents | null;
  importemonedaCents?: Cents | null;
  checknum?: string;
  comments?: string;
  creditNoteId?: number | null;
}

export function toPaymentColumns(payment: PaymentValues) {
  const { facturaproveedorId, origenderecursoId, paymentdate, amountCents, importebancoCents } = payment;
  const { checknum = '', comments = '', creditNoteId = null, importemonedaCents = null } = payment;
  const kind: PaymentKind = creditNoteId === null ? 'pago' : 'credito';
  return {
    facturaproveedorId,
    origenderecursoId,
    checknum,
    ...foldSearchedColumns('payments', { checknum }),
    paymentdate,
    ...toPaidAmounts(amountCents, importebancoCents),
    importemonedaCents,
    comments,
    kind,
    creditNoteId,
  };
}
