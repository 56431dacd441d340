import type { Cents } from '../../../shared/money.ts';
import { PAYMENT_FIELDS, type Payment, type PaymentFieldValues } from '../../../shared/payments.ts';
import { getField } from '../../../shared/record-fields.ts';
import { fold } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { cleanTexts } from '../write-drafts.ts';
import type { CommittedLine } from './committed-amounts.ts';
import type { StatedPaymentAmounts } from './settlement.ts';

export interface PaymentInput extends PaymentFieldValues {
  /** the payment to change; fields that the input omits keep their values */
  id?: number;
  /** the version that was seen; without it, whatever is stored is overwritten */
  version?: number;
  /** the deleted payment to restore, under its id */
  deleted?: Payment;
  /** the credit note that the payment applies; below zero: one of `newNotesById` */
  creditNoteId?: number | null;
  /** what was paid in another currency, from which the amounts follow */
  paid?: StatedPaymentAmounts;
  line?: number;
  /** the currency in which the form asked for `importemonedaCents`; the invoice may have another one by now */
  formCurrency?: string;
}

export type PaymentDraft = ReturnType<typeof completeDraft>;

export function completeDraft(
  { version: seenVersion, ...input }: PaymentInput,
  previous: Payment | undefined,
  actor: Actor,
) {
  const named = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const merged: PaymentInput = { ...(previous ?? input.deleted), ...named };
  const { facturaproveedorId = null, origenderecursoId = null, creditNoteId = null } = merged;
  const { amountCents = 0, importebancoCents: bankCents = null, paymentdate = null } = merged;
  const { importemonedaCents = null } = merged;
  const { checknum = '', comments = '' } = merged;
  const { brokenRule, ...texts } = cleanTexts(TEXT_FIELDS, { checknum, comments });
  return {
    id: input.id ?? input.deleted?.id,
    deleted: input.deleted,
    paid: input.paid,
    line: input.line,
    seenVersion,
    previous,
    facturaproveedorId,
    origenderecursoId,
    creditNoteId,
    ...texts,
    checkFold: fold(texts.checknum),
    paymentdate: paymentdate ?? actor.today,
    isUndated: paymentdate === null,
    /** 0 where none was given */
    amountCents,
    statesAmount: input.amountCents !== undefined,
    importemonedaCents,
    statesForeign: input.importemonedaCents !== undefined,
    formCurrency: input.formCurrency,
    /** what `importemonedaCents` settles in pesos, once it is computed; null: more than what is owed */
    settledCents: undefined as Cents | null | undefined,
    importebancoCents: bankCents,
    statesBank: input.importebancoCents !== undefined,
    /** the bank amount, or the amount used of the note, where the input states it */
    statedBankCents: bankCents,
    /** for an applied credit note: whether the amount used of the note has to be computed, because it is not stated */
    computesNoteShare: merged.importebancoCents === undefined && !input.deleted,
    /** the line, of a batch at the bank, that this payment settles; the stored payment becomes that line's payment */
    lineAtBank: undefined as CommittedLine | undefined,
    brokenRule,
  };
}

const TEXT_FIELDS = [getField(PAYMENT_FIELDS, 'checknum'), getField(PAYMENT_FIELDS, 'comments')];

export const changesInvoiceOrAmount = ({
  previous,
  facturaproveedorId,
  amountCents,
}: PaymentDraft): boolean =>
  previous !== undefined &&
  (previous.facturaproveedorId !== facturaproveedorId || previous.amountCents !== amountCents);
