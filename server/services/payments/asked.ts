import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { PAYMENT_FIELDS, type Payment, type PaymentDraft } from '../../../shared/payments.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import { cleanLine, cleanText, fold } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { fitting } from '../writing.ts';
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
export interface Asked extends Omit<PaymentToWrite, 'version'> {
  facturaproveedorId: number | null;
  /** below zero: one that whoever brings it makes */
  origenderecursoId: number | null;
  creditNoteId: number | null;
  checknum: string;
  checkFold: string;
  paymentdate: PlainDate;
  /** nobody said a day, or none that counts */
  isUndated: boolean;
  /** 0: none was said */
  amountCents: Cents;
  importebancoCents: Cents | null;
  /** what left the bank, or its note, as far as somebody said it */
  saidTakenCents: Cents | null;
  comments: string;
  /** of a part of a credit note: nobody has said what it takes of that, and so its currency says it */
  takesShare: boolean;
  /** the version that was seen of the one that is changed */
  seen?: number;
  /** as it is stored, of one that is changed */
  former?: Payment;
  /** text that cannot be stored */
  unfit?: BrokenRule;
}

/** @param former the stored payment, of one that is changed */
export function complete(
  { version: seen, ...draft }: PaymentToWrite,
  former: Payment | undefined,
  actor: Actor,
): Asked {
  const named = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  const whole: PaymentToWrite = { ...(former ?? draft.deleted), ...named };
  const { facturaproveedorId = null, origenderecursoId = null, creditNoteId = null } = whole;
  const { amountCents = 0, importebancoCents: taken = null, paymentdate = null } = whole;
  const { unfit, ...texts } = cleaned(whole);
  return {
    id: draft.id ?? draft.deleted?.id,
    deleted: draft.deleted,
    paid: draft.paid,
    line: draft.line,
    seen,
    former,
    facturaproveedorId,
    origenderecursoId,
    creditNoteId,
    ...texts,
    checkFold: fold(texts.checknum),
    paymentdate: paymentdate ?? actor.today,
    isUndated: paymentdate === null,
    amountCents,
    importebancoCents: taken,
    saidTakenCents: taken,
    takesShare: whole.importebancoCents === undefined && !draft.deleted,
    unfit,
  };
}

export const hasOtherTerms = ({ former, facturaproveedorId, amountCents }: Asked): boolean =>
  former !== undefined &&
  (former.facturaproveedorId !== facturaproveedorId || former.amountCents !== amountCents);

const [CHECKNUM, COMMENTS] = (['checknum', 'comments'] as const).map(
  (name) => PAYMENT_FIELDS.find((field) => field.name === name) as { label: string; maxLength: number },
) as [{ label: string; maxLength: number }, { label: string; maxLength: number }];

const cleaned = ({ checknum = '', comments = '' }: PaymentToWrite) =>
  fitting({ checknum, comments }, () => ({
    checknum: checknum && cleanLine(checknum, CHECKNUM.label, 'checknum', CHECKNUM.maxLength),
    comments: comments && cleanText(comments, COMMENTS.label, 'comments', COMMENTS.maxLength),
  }));
