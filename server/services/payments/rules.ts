import { sayDate } from '../../../shared/dates.ts';
import { numberOrId } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import { checkPayment, paymentTexts, takenBy, warnOfBank, warnOfEarly } from '../../../shared/payments.ts';
import { refusal } from '../../../shared/refusal.ts';
import { alikeAsLine, conflictText, remark, rowId } from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import { bankMatched } from '../bank-matched.ts';
import { refuseClosed } from '../closing/closing.ts';
import { fundShort } from '../petty-cash/cash.ts';
import { isSame } from '../stored-rows.ts';
import { alreadyKnown, hasFittingTexts, type RuleResult, type Warning } from '../writing.ts';
import { type Asked, hasOtherTerms } from './asked.ts';
import { besideBatches } from './committed.ts';
import { type Alike, addCheque, chequeKey, type PaidInvoice, type PaymentFacts } from './facts.ts';
import { paymentColumns } from './rows.ts';

type Rule = (asked: Asked, facts: PaymentFacts) => RuleResult;

type Warn = (asked: Asked, facts: PaymentFacts) => readonly Warning[];

/** The rules of payments in their order, the same for every door: the first that is broken is reported. */
export const rules: readonly Rule[] = [
  isThere,
  wasDeleted,
  wasSeen,
  isNoCredit,
  hasWhatItNeeds,
  isPartAboveZero,
  namesAnInvoice,
  namesASource,
  namesANote,
  isOfOneSupplier,
  hasFittingTexts,
  isNotStoredYet,
  isInOpenPeriod,
  isChanged,
  isAsTheBankSaid,
  isAsItsBatchSaid,
  isWithinPending,
  isWithinItsNote,
  isNotAtTheBank,
  isInItsFund,
];

export const warnings: readonly Warn[] = [
  usesAUsedCheque,
  equalsAnother,
  isLongBeforeItsInvoice,
  isProgrammed,
  hasAnUnlikelyRate,
];

function isThere({ id, former, deleted }: Asked): RuleResult {
  if (id === undefined || former || deleted) return undefined;
  return { kind: 'not-found', message: `No existe el pago ${id}.` };
}

function wasDeleted({ id, deleted }: Asked, { present }: PaymentFacts): RuleResult {
  if (!deleted || !present.has(id!)) return undefined;
  return { kind: 'conflict', message: `El pago ${id} no está eliminado.`, code: 'not_deleted' };
}

function wasSeen({ seen, former }: Asked): RuleResult {
  if (!former || seen === undefined || seen === former.version) return undefined;
  return { kind: 'stale', message: paymentTexts.stale, extra: { current: former } };
}

function isNoCredit({ former }: Asked): RuleResult {
  if (former?.kind !== 'credito') return undefined;
  return { kind: 'conflict', message: paymentTexts.creditFixed, code: 'credit_fixed' };
}

function hasWhatItNeeds(asked: Asked): RuleResult {
  return asked.creditNoteId === null ? checkPayment(asked) : undefined;
}

function isPartAboveZero({ creditNoteId, amountCents, importebancoCents }: Asked): RuleResult {
  if (creditNoteId === null) return undefined;
  if (amountCents <= 0) return refusal(paymentTexts.partAboveZero, 'paymentamount');
  if (importebancoCents === null || importebancoCents > 0) return undefined;
  return refusal(paymentTexts.bankAboveZero, 'creditaplicado');
}

function namesAnInvoice({ facturaproveedorId: id }: Asked, { invoices }: PaymentFacts): RuleResult {
  return invoices.has(id!) ? undefined : refusal(`No existe la factura ${id}.`, 'facturaproveedorId');
}

function namesASource({ origenderecursoId: id }: Asked, { sources }: PaymentFacts): RuleResult {
  if (id === null || id < 0 || sources.has(id)) return undefined;
  return refusal(`No existe el origen de recurso ${id}.`, 'origenderecursoId');
}

function namesANote({ creditNoteId: id }: Asked, { notes }: PaymentFacts): RuleResult {
  if (id === null || notes.has(id)) return undefined;
  return { kind: 'not-found', message: `No existe la nota de crédito ${id}.` };
}

function isOfOneSupplier(asked: Asked, facts: PaymentFacts): RuleResult {
  const note = noteOf(asked, facts);
  if (!note || note.supplierId === invoiceOf(asked, facts).supplierId) return undefined;
  return refusal(paymentTexts.otherSupplier, 'facturaproveedorId');
}

/**
 * A row of a table that is on file already, or an earlier one of its file. Without cheque number and date, as many
 * rows as are on file are those; of one more, only a person knows whether it is another.
 */
function isNotStoredYet(asked: Asked, facts: PaymentFacts): RuleResult {
  if (!facts.options.isKnownOnce) return undefined;
  const { creditNoteId, checkFold, isUndated, line } = asked;
  const same = facts.alike.onDay(asked);
  const found = isUndated ? facts.alike.all(asked) : same ? [same] : [];
  const [first] = found;
  if (!first) return undefined;
  if (creditNoteId !== null || checkFold || !isUndated) return compare(asked, first, facts);
  const free = found.find((one) => one.id !== undefined && one.line === undefined);
  if (!free) return refusal(alikeAsLine(first.line!), 'paymentdate');
  const result = compare(asked, free, facts);
  free.line = line;
  return result;
}

function compare(asked: Asked, known: Alike, facts: PaymentFacts): RuleResult {
  const isCredit = known.creditNoteId !== null;
  const { id, numfactura } = invoiceOf(asked, facts);
  const where = known.id === undefined ? ` (renglón ${known.line})` : rowId(known.id);
  const what = remark`${isCredit ? 'El crédito' : 'El pago'} de ${formatMoney(known.amountCents)} del ${sayDate(known.paymentdate)} a la factura ${numfactura || 'sin número'}${rowId(id)}${where}`;
  const differs = (field: string, label: string, stored: string, here: string) =>
    refusal(conflictText(what, label, stored, here), field);
  const { saidTakenCents: taken, origenderecursoId: source, comments } = asked;
  if (taken !== null && taken !== takenBy(known)) {
    const [field, label] = isCredit
      ? ['creditaplicado', 'aplicado de la nota']
      : ['importebanco', 'importe del banco'];
    return differs(field!, label!, formatMoney(takenBy(known)), formatMoney(taken));
  }
  if (source !== null && source !== known.origenderecursoId) {
    const { sourceName = String } = facts.options;
    const stored = known.origenderecursoId === null ? '' : sourceName(known.origenderecursoId);
    return differs('origenderecursoId', 'origen de recurso', stored, sourceName(source));
  }
  if (comments && fold(comments) !== fold(known.comments))
    return differs('comments', 'observaciones', known.comments, comments);
  return alreadyKnown(known.id === undefined ? known.line : undefined);
}

function isChanged(asked: Asked, facts: PaymentFacts): RuleResult {
  const { former } = asked;
  if (!former || !isSame(paymentColumns(asked as never), paymentColumns(former))) return undefined;
  return { unchanged: true, warnings: allWarnings(asked, facts) };
}

function isInOpenPeriod({ former, paymentdate }: Asked, { actor, closing }: PaymentFacts): RuleResult {
  const broken =
    (former && refuseClosed(actor, former.paymentdate, closing)) ?? refuseClosed(actor, paymentdate, closing);
  return broken && { ...broken, field: 'paymentdate' };
}

/** A payment that the bank has made keeps its day, source and amount. */
function isAsTheBankSaid(asked: Asked, { batches }: PaymentFacts): RuleResult {
  const { former, paymentdate, origenderecursoId, amountCents } = asked;
  const movement = former && batches.get(former.id)?.movement;
  const isSaid =
    paymentdate === former?.paymentdate &&
    origenderecursoId === former.origenderecursoId &&
    amountCents === former.amountCents &&
    takenBy(asked) === takenBy(former);
  return movement && !isSaid ? bankMatched(movement) : undefined;
}

function isAsItsBatchSaid(asked: Asked, { batches }: PaymentFacts): RuleResult {
  const batchId = hasOtherTerms(asked) ? batches.get(asked.former!.id)?.batchId : undefined;
  if (batchId === undefined) return undefined;
  return { kind: 'conflict', message: batchTexts.fixedPayment(batchId), code: 'batch_fixed' };
}

function isWithinPending(asked: Asked, facts: PaymentFacts): RuleResult {
  if (asked.amountCents <= pendingOf(asked, invoiceOf(asked, facts))) return undefined;
  return { ...refusal(paymentTexts.beyondTotal, 'paymentamount'), code: 'overpayment' };
}

function isWithinItsNote(asked: Asked, facts: PaymentFacts): RuleResult {
  const note = noteOf(asked, facts);
  if (!note || takenBy(asked) <= note.totalCents - note.appliedCents) return undefined;
  return { ...refusal(paymentTexts.beyondCredit, 'paymentamount'), code: 'over_credit' };
}

/** An invoice in a batch that was sent to the bank is paid twice only with a reason. */
function isNotAtTheBank(asked: Asked, facts: PaymentFacts): RuleResult {
  const { sent } = besideOpenBatches(asked, facts);
  if (!sent) return undefined;
  const { actor, options } = facts;
  if (options.allowProgrammed && actor.motivo) {
    actor.passed?.add('programacion');
    return undefined;
  }
  const { id, numfactura } = invoiceOf(asked, facts);
  return {
    kind: 'conflict',
    message: batchTexts.inOpenBatch(numberOrId(numfactura, id), sent),
    code: IN_OPEN_BATCH,
    fields: { motivo: 'Indica el motivo.' },
    field: 'paymentamount',
    extra: { programacionId: sent.batchId },
  };
}

export const IN_OPEN_BATCH = 'in_open_batch';

function isInItsFund(asked: Asked, { funds }: PaymentFacts): RuleResult {
  const { former, origenderecursoId, paymentdate } = asked;
  const fund = funds.get(origenderecursoId ?? 0);
  if (!fund || paymentdate < fund.openedOn) return undefined;
  const isMore =
    !former ||
    takenBy(asked) > takenBy(former) ||
    origenderecursoId !== former.origenderecursoId ||
    paymentdate > former.paymentdate;
  const left = fund.cashCents + freedIn(former, fund) - takenBy(asked);
  return isMore && left < 0 ? fundShort(fund, fund.cashCents, 'paymentamount') : undefined;
}

function usesAUsedCheque(asked: Asked, facts: PaymentFacts): readonly Warning[] {
  const used = facts.cheques.get(chequeKey(asked)) ?? [];
  const { supplierId } = invoiceOf(asked, facts);
  const other = used.find((one) => facts.options.cheques === 'new' || one.supplierId !== supplierId);
  if (!other || !asked.checkFold || asked.origenderecursoId === null) return [];
  const { checknum, suppliername, amountCents, id: about } = other;
  return [
    { says: `El cheque ${checknum} ya se usó para ${suppliername} (${formatMoney(amountCents)}).`, about },
  ];
}

function equalsAnother(asked: Asked, { alike }: PaymentFacts): readonly Warning[] {
  const twin = alike
    .all(asked)
    .find((one) => one.paymentdate === asked.paymentdate && (!asked.id || one.id !== asked.id));
  if (!twin || asked.creditNoteId !== null) return [];
  const { id: about, line } = twin;
  if (about !== undefined) return [{ says: paymentTexts.twin(about), about }];
  return line === undefined ? [] : [{ says: paymentTexts.twin(`del renglón ${line}`) }];
}

function isLongBeforeItsInvoice(asked: Asked, facts: PaymentFacts): readonly Warning[] {
  if (asked.creditNoteId !== null) return [];
  return warnOfEarly(asked.paymentdate, invoiceOf(asked, facts).fechaemision).map((says) => ({ says }));
}

function isProgrammed(asked: Asked, facts: PaymentFacts): readonly Warning[] {
  return besideOpenBatches(asked, facts).warnings.map((says) => ({ says }));
}

function hasAnUnlikelyRate(asked: Asked, facts: PaymentFacts): readonly Warning[] {
  if (asked.creditNoteId !== null) return [];
  const { moneda, tipocambio } = invoiceOf(asked, facts);
  return warnOfBank({ ...asked, moneda, tipocambio }).map((says) => ({ says }));
}

export const allWarnings = (asked: Asked, facts: PaymentFacts): Warning[] =>
  warnings.flatMap((warn) => warn(asked, facts));

/** Later drafts are validated as if this one were stored. */
export function take(asked: Asked, facts: PaymentFacts): void {
  const { former, amountCents, origenderecursoId, creditNoteId, paymentdate, line } = asked;
  const invoice = invoiceOf(asked, facts);
  if (former) facts.invoices.get(former.facturaproveedorId)!.paidCents -= former.amountCents;
  invoice.paidCents += amountCents;
  const note = noteOf(asked, facts);
  if (note) note.appliedCents += takenBy(asked);
  for (const fund of facts.funds.values()) {
    fund.cashCents += freedIn(former, fund);
    if (fund.pagosOrigenId === origenderecursoId && paymentdate >= fund.openedOn)
      fund.cashCents -= takenBy(asked);
  }
  const { checkFold, importebancoCents, comments, checknum } = asked;
  facts.alike.add({
    id: asked.id,
    line,
    facturaproveedorId: invoice.id,
    paymentdate,
    amountCents,
    importebancoCents,
    origenderecursoId,
    creditNoteId,
    comments,
    checkFold,
  });
  if (!checkFold || origenderecursoId === null || facts.options.cheques) return;
  const { supplierId, suppliername = '' } = invoice;
  addCheque(facts.cheques, chequeKey(asked), { checknum, suppliername, amountCents, supplierId });
}

/** A changed payment's former amount is back in its fund. */
export const freedIn = (
  former: Asked['former'],
  { pagosOrigenId, openedOn }: { pagosOrigenId: number | null; openedOn: string },
): Cents =>
  former && former.origenderecursoId === pagosOrigenId && former.paymentdate >= openedOn
    ? takenBy(former)
    : 0;

/** A changed payment's former amount is free again. */
export const pendingOf = ({ former }: Asked, { id, totalCents, paidCents }: PaidInvoice): Cents =>
  totalCents - paidCents + (former?.facturaproveedorId === id ? former.amountCents : 0);

/** Only a payment that takes more of its invoice than before competes with batches. */
function besideOpenBatches(asked: Asked, facts: PaymentFacts): ReturnType<typeof besideBatches> {
  const { former, amountCents } = asked;
  const invoice = invoiceOf(asked, facts);
  const isMore = !former || former.facturaproveedorId !== invoice.id || amountCents > former.amountCents;
  if (asked.creditNoteId !== null || !isMore) return { warnings: [] };
  // The batch that made a restored payment no longer plans it.
  const own = facts.batches.get(asked.id ?? 0)?.batchId;
  const others = (facts.committed.get(invoice.id) ?? []).filter(({ batchId }) => batchId !== own);
  return besideBatches(others, pendingOf(asked, invoice) - amountCents, invoice);
}

const invoiceOf = ({ facturaproveedorId }: Asked, { invoices }: PaymentFacts): PaidInvoice =>
  invoices.get(facturaproveedorId!)!;

const noteOf = ({ creditNoteId }: Asked, { notes }: PaymentFacts) =>
  creditNoteId === null ? undefined : notes.get(creditNoteId);
