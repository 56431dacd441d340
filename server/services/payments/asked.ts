import { PAYMENT_FIELDS, type Payment, type PaymentDraft } from '../../../shared/payments.ts';
import { fieldIn } from '../../../shared/record-fields.ts';
import { fold } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { fittingTexts } from '../writing.ts';
import type { PaidLine } from './settlement.ts';

/** A payment that somebody wants written, by whatever door: a new one, a changed one, or one that comes back. */
export interface PaymentToWrite extends PaymentDraft {
  /** of the payment that is changed; what the draft does not name stays as it is */
  id?: number;
  /** the version of it that was seen; without one, whatever is stored is written over */
  version?: number;
  /** a deleted payment, as it was: it comes back under its id */
  deleted?: Payment;
  /** the credit note that it is a part of; below zero: one of `newNotes` */
  creditNoteId?: number | null;
  /** where it is stated in another currency, what was paid in it: the amounts follow from that */
  paid?: PaidLine;
  line?: number;
}

/** A draft completed with what it leaves out. */
export type Asked = ReturnType<typeof complete>;

/** @param former the stored payment, of one that is changed */
export function complete(
  { version: seen, ...draft }: PaymentToWrite,
  former: Payment | undefined,
  actor: Actor,
) {
  const named = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  const whole: PaymentToWrite = { ...(former ?? draft.deleted), ...named };
  const { facturaproveedorId = null, origenderecursoId = null, creditNoteId = null } = whole;
  const { amountCents = 0, importebancoCents: taken = null, paymentdate = null } = whole;
  const { checknum = '', comments = '' } = whole;
  const { unfit, ...texts } = fittingTexts(TEXTS, { checknum, comments });
  return {
    id: draft.id ?? draft.deleted?.id,
    deleted: draft.deleted,
    paid: draft.paid,
    line: draft.line,
    /** the version that was seen of the one that is changed */
    seen,
    /** as it is stored, of one that is changed */
    former,
    facturaproveedorId,
    /** below zero: one that whoever brings it makes */
    origenderecursoId,
    creditNoteId,
    ...texts,
    checkFold: fold(texts.checknum),
    paymentdate: paymentdate ?? actor.today,
    /** nobody said a day, or none that counts */
    isUndated: paymentdate === null,
    /** 0: none was said */
    amountCents,
    importebancoCents: taken,
    /** what left the bank, or its note, as far as somebody said it */
    saidTakenCents: taken,
    /** of a part of a credit note: nobody has said what it takes of that, and so its currency says it */
    takesShare: whole.importebancoCents === undefined && !draft.deleted,
    /** text that cannot be stored */
    unfit,
  };
}

const TEXTS = [fieldIn(PAYMENT_FIELDS, 'checknum'), fieldIn(PAYMENT_FIELDS, 'comments')];

export const hasOtherTerms = ({ former, facturaproveedorId, amountCents }: Asked): boolean =>
  former !== undefined &&
  (former.facturaproveedorId !== facturaproveedorId || former.amountCents !== amountCents);
