import { formatLongDate } from '../../../shared/dates.ts';
import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import {
  bankAmountOf,
  bankAmountWarnings,
  checkPayment,
  paymentBeforeIssueWarnings,
  paymentTexts,
} from '../../../shared/payments.ts';
import { createRefusal } from '../../../shared/refusal.ts';
import { conflictRemark, createRemark, rowIdRemark, similarLineRemark } from '../../../shared/remarks.ts';
import { fold } from '../../../shared/text.ts';
import { bankMatchedRefusal } from '../bank-matches.ts';
import { closedPeriodRefusal } from '../closing/closing.ts';
import { insufficientCashRefusal } from '../petty-cash/fund-cash.ts';
import { haveSameValues } from '../stored-rows.ts';
import { type RuleResult, refuseInvalidTexts, unchangedResult, type Warning } from '../write-drafts.ts';
import { describeBatchConflict } from './committed-amounts.ts';
import { changesInvoiceOrAmount, type PaymentDraft } from './draft.ts';
import {
  addChequeUse,
  type ComparablePayment,
  chequeKey,
  type InvoiceToPay,
  type PaymentFacts,
} from './facts.ts';
import { computeNewPaymentSums } from './foreign-currency.ts';
import { toPaymentColumns } from './rows.ts';
import { computeRoundingTolerance } from './settlement.ts';

type Rule = (draft: PaymentDraft, facts: PaymentFacts) => RuleResult;

type WarningRule = (draft: PaymentDraft, facts: PaymentFacts) => readonly Warning[];

/** Only the first broken rule is reported, so the order counts. */
export const rules: readonly Rule[] = [
  refuseMissingRow,
  refuseNotDeleted,
  refuseStaleVersion,
  refuseAppliedCreditChange,
  refuseInvalidFields,
  refuseNonPositiveCredit,
  refuseUnknownInvoice,
  refuseOtherCurrency,
  refuseUnknownSource,
  refuseUnknownCreditNote,
  refuseNoteOfOtherSupplier,
  refuseInvalidTexts,
  skipOrRefuseStored,
  refuseClosedPeriod,
  skipUnchanged,
  refuseBankMatchedChange,
  refuseBatchPaymentChange,
  refuseForeignMismatch,
  refuseOverpayment,
  refuseBeyondCreditNote,
  refuseInSentBatch,
  refuseInsufficientCash,
];

export const warningRules: readonly WarningRule[] = [
  warnOfUsedCheque,
  warnOfEqualPayment,
  warnOfDateBeforeInvoice,
  warnOfOpenBatches,
  warnOfUnlikelyRate,
];

function refuseMissingRow({ id, previous, deleted }: PaymentDraft): RuleResult {
  if (id === undefined || previous || deleted) return undefined;
  return { kind: 'not-found', message: `No existe el pago ${id}.` };
}

function refuseNotDeleted({ id, deleted }: PaymentDraft, { existingIds }: PaymentFacts): RuleResult {
  if (!deleted || !existingIds.has(id!)) return undefined;
  return { kind: 'conflict', message: `El pago ${id} no está eliminado.`, code: 'not_deleted' };
}

function refuseStaleVersion({ seenVersion, previous }: PaymentDraft): RuleResult {
  if (!previous || seenVersion === undefined || seenVersion === previous.version) return undefined;
  return { kind: 'stale', message: paymentTexts.stale, extra: { current: previous } };
}

function refuseAppliedCreditChange({ previous }: PaymentDraft): RuleResult {
  if (previous?.kind !== 'credito') return undefined;
  return { kind: 'conflict', message: paymentTexts.creditFixed, code: 'credit_fixed' };
}

function refuseInvalidFields(draft: PaymentDraft): RuleResult {
  return draft.creditNoteId === null ? checkPayment(draft) : undefined;
}

function refuseNonPositiveCredit({ creditNoteId, amountCents, importebancoCents }: PaymentDraft): RuleResult {
  if (creditNoteId === null) return undefined;
  if (amountCents <= 0) return createRefusal(paymentTexts.partAboveZero, 'paymentamount');
  if (importebancoCents === null || importebancoCents > 0) return undefined;
  return createRefusal(paymentTexts.bankAboveZero, 'creditaplicado');
}

function refuseUnknownInvoice(
  { facturaproveedorId: id }: PaymentDraft,
  { invoices }: PaymentFacts,
): RuleResult {
  return invoices.has(id!) ? undefined : createRefusal(`No existe la factura ${id}.`, 'facturaproveedorId');
}

function refuseOtherCurrency(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const { importemonedaCents, previous, statesForeign, formCurrency } = draft;
  if (importemonedaCents === null) return undefined;
  const { moneda } = invoiceOf(draft, facts);
  if (moneda === null) return createRefusal(paymentTexts.notForeign, 'importemoneda');
  const statedIn = formCurrency || (statesForeign ? moneda : previous?.moneda);
  if (!statedIn || statedIn === moneda) return undefined;
  return createRefusal(paymentTexts.otherCurrency(moneda, statedIn), 'importemoneda');
}

function refuseUnknownSource({ origenderecursoId: id }: PaymentDraft, { sources }: PaymentFacts): RuleResult {
  if (id === null || id < 0 || sources.has(id)) return undefined;
  return createRefusal(`No existe el origen de recurso ${id}.`, 'origenderecursoId');
}

function refuseUnknownCreditNote({ creditNoteId: id }: PaymentDraft, { notes }: PaymentFacts): RuleResult {
  if (id === null || notes.has(id)) return undefined;
  return { kind: 'not-found', message: `No existe la nota de crédito ${id}.` };
}

function refuseNoteOfOtherSupplier(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const note = creditNoteOf(draft, facts);
  if (!note || note.supplierId === invoiceOf(draft, facts).supplierId) return undefined;
  return createRefusal(paymentTexts.otherSupplier, 'facturaproveedorId');
}

/** Rows without cheque number and date match equal stored payments one to one. A further equal row is refused. */
function skipOrRefuseStored(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  if (!facts.options.skipsExisting) return undefined;
  const { creditNoteId, checkFold, isUndated, line } = draft;
  const same = facts.paymentIndex.findOnDay(draft);
  const found = isUndated ? facts.paymentIndex.findAll(draft) : same ? [same] : [];
  const [first] = found;
  if (!first) return undefined;
  if (creditNoteId !== null || checkFold || !isUndated) return compareWithExisting(draft, first, facts);
  const free = found.find((one) => one.id !== undefined && one.line === undefined);
  if (!free) return createRefusal(similarLineRemark(first.line!), 'paymentdate');
  const result = compareWithExisting(draft, free, facts);
  free.line = line;
  return result;
}

function compareWithExisting(
  draft: PaymentDraft,
  existing: ComparablePayment,
  facts: PaymentFacts,
): RuleResult {
  const isCredit = existing.creditNoteId !== null;
  const { id, numfactura } = invoiceOf(draft, facts);
  const where = existing.id === undefined ? ` (renglón ${existing.line})` : rowIdRemark(existing.id);
  const what = createRemark`${isCredit ? 'El crédito' : 'El pago'} de ${formatMoney(existing.amountCents)} del ${formatLongDate(existing.paymentdate)} a la factura ${numfactura || 'sin número'}${rowIdRemark(id)}${where}`;
  const refuseDifference = (field: string, label: string, stored: string, stated: string) =>
    createRefusal(conflictRemark(what, label, stored, stated), field);
  const { statedBankCents, origenderecursoId: source, comments } = draft;
  const [stored, stated] = [existing.importemonedaCents, draft.importemonedaCents];
  if (stored !== null && stated !== null && stored !== stated)
    return refuseDifference(
      'importemoneda',
      'importe en su moneda',
      formatMoney(stored),
      formatMoney(stated),
    );
  if (statedBankCents !== null && statedBankCents !== bankAmountOf(existing)) {
    const [field, label] = isCredit
      ? ['creditaplicado', 'aplicado de la nota']
      : ['importebanco', 'importe del banco'];
    return refuseDifference(
      field!,
      label!,
      formatMoney(bankAmountOf(existing)),
      formatMoney(statedBankCents),
    );
  }
  if (source !== null && source !== existing.origenderecursoId) {
    const { sourceName = String } = facts.options;
    const stored = existing.origenderecursoId === null ? '' : sourceName(existing.origenderecursoId);
    return refuseDifference('origenderecursoId', 'origen de recurso', stored, sourceName(source));
  }
  if (comments && fold(comments) !== fold(existing.comments))
    return refuseDifference('comments', 'observaciones', existing.comments, comments);
  return unchangedResult(existing.id === undefined ? existing.line : undefined);
}

function skipUnchanged(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const { previous } = draft;
  if (!previous || !haveSameValues(toPaymentColumns(draft as never), toPaymentColumns(previous)))
    return undefined;
  return { unchanged: true, warnings: findAllWarnings(draft, facts) };
}

function refuseClosedPeriod(
  { previous, paymentdate }: PaymentDraft,
  { actor, closing }: PaymentFacts,
): RuleResult {
  const broken =
    (previous && closedPeriodRefusal(actor, previous.paymentdate, closing)) ??
    closedPeriodRefusal(actor, paymentdate, closing);
  return broken && { ...broken, field: 'paymentdate' };
}

function refuseBankMatchedChange(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const { previous, paymentdate, origenderecursoId, amountCents, importemonedaCents } = draft;
  const movement = previous && facts.ties.get(previous.id)?.movement;
  const hasSameTerms =
    paymentdate === previous?.paymentdate &&
    origenderecursoId === previous.origenderecursoId &&
    amountCents === previous.amountCents &&
    [null, importemonedaCents].includes(previous.importemonedaCents) &&
    bankAmountOf(draft) === bankAmountOf(previous) &&
    invoiceOf(draft, facts).supplierId === invoiceOf(previous, facts).supplierId;
  return movement && !hasSameTerms ? bankMatchedRefusal(movement) : undefined;
}

function refuseBatchPaymentChange(draft: PaymentDraft, { ties }: PaymentFacts): RuleResult {
  const batchId = changesInvoiceOrAmount(draft) ? ties.get(draft.previous!.id)?.batchId : undefined;
  if (batchId === undefined) return undefined;
  return { kind: 'conflict', message: batchTexts.fixedPayment(batchId), code: 'batch_fixed' };
}

function refuseForeignMismatch(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const { settledCents, importemonedaCents, amountCents } = draft;
  if (settledCents === undefined) return undefined;
  if (settledCents === null)
    return { ...createRefusal(paymentTexts.beyondTotal, 'importemoneda'), code: 'overpayment' };
  if (settledCents < 1) return createRefusal(paymentTexts.belowCent, 'importemoneda');
  const invoice = invoiceOf(draft, facts);
  const tolerance = facts.options.acceptsRounding
    ? computeRoundingTolerance(invoice, invoice.paid?.paymentCount)
    : 0;
  if (Math.abs(amountCents - settledCents) <= tolerance) return undefined;
  const foreign = formatForeign(importemonedaCents!, invoice.moneda!);
  return createRefusal(paymentTexts.otherThanForeign(foreign, formatMoney(settledCents)), 'paymentamount');
}

function refuseOverpayment(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  if (draft.amountCents <= computePendingBeforePayment(draft, invoiceOf(draft, facts))) return undefined;
  return { ...createRefusal(paymentTexts.beyondTotal, 'paymentamount'), code: 'overpayment' };
}

function refuseBeyondCreditNote(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const note = creditNoteOf(draft, facts);
  if (!note || bankAmountOf(draft) <= note.totalCents - note.appliedCents) return undefined;
  return { ...createRefusal(paymentTexts.beyondCredit, 'paymentamount'), code: 'over_credit' };
}

function refuseInSentBatch(draft: PaymentDraft, facts: PaymentFacts): RuleResult {
  const { actor, options } = facts;
  const { id, numfactura } = invoiceOf(draft, facts);
  const linesAtBank = (facts.committed.get(id) ?? []).filter(
    (line) => line.estado === 'enviada' && line.committedCents === draft.amountCents,
  );
  draft.lineAtBank = linesAtBank.find(
    (line) => options.isFromBank && line.origenderecursoId === draft.origenderecursoId,
  );
  const { sent } = describeOpenBatchConflict(draft, facts);
  if (!sent) return undefined;
  if (options.allowProgrammed && actor.motivo) {
    actor.overriddenRules?.add('programacion');
    draft.lineAtBank ??= linesAtBank[0];
    return undefined;
  }
  return {
    kind: 'conflict',
    message: batchTexts.inOpenBatch(invoiceNumberOrId(numfactura, id), sent),
    code: IN_OPEN_BATCH_CODE,
    fields: { motivo: 'Indica el motivo.' },
    field: 'paymentamount',
    extra: { programacionId: sent.batchId },
  };
}

export const IN_OPEN_BATCH_CODE = 'in_open_batch';

function refuseInsufficientCash(draft: PaymentDraft, { funds }: PaymentFacts): RuleResult {
  const { previous, origenderecursoId, paymentdate } = draft;
  const fund = funds.get(origenderecursoId ?? 0);
  if (!fund || paymentdate < fund.openedOn) return undefined;
  const isMore =
    !previous ||
    bankAmountOf(draft) > bankAmountOf(previous) ||
    origenderecursoId !== previous.origenderecursoId ||
    paymentdate > previous.paymentdate;
  const remainingCents = fund.cashCents + computeCentsTakenFromFund(previous, fund) - bankAmountOf(draft);
  return isMore && remainingCents < 0
    ? insufficientCashRefusal(fund, fund.cashCents, 'paymentamount')
    : undefined;
}

function warnOfUsedCheque(draft: PaymentDraft, facts: PaymentFacts): readonly Warning[] {
  const used = facts.cheques.get(chequeKey(draft)) ?? [];
  const { supplierId } = invoiceOf(draft, facts);
  const other = used.find((one) => facts.options.chequeNumbers === 'new' || one.supplierId !== supplierId);
  if (!other || !draft.checkFold || draft.origenderecursoId === null) return [];
  const { checknum, suppliername, amountCents, id: about } = other;
  const warning = `El cheque ${checknum} ya se usó para ${suppliername} (${formatMoney(amountCents)}).`;
  return [{ message: warning, about }];
}

function warnOfEqualPayment(draft: PaymentDraft, { paymentIndex }: PaymentFacts): readonly Warning[] {
  const twin = paymentIndex
    .findAll(draft)
    .find((one) => one.paymentdate === draft.paymentdate && (!draft.id || one.id !== draft.id));
  if (!twin || draft.creditNoteId !== null) return [];
  const { id: about, line } = twin;
  if (about !== undefined) return [{ message: paymentTexts.twin(about), about }];
  return line === undefined ? [] : [{ message: paymentTexts.twin(`del renglón ${line}`) }];
}

function warnOfDateBeforeInvoice(draft: PaymentDraft, facts: PaymentFacts): readonly Warning[] {
  if (draft.creditNoteId !== null) return [];
  return paymentBeforeIssueWarnings(draft.paymentdate, invoiceOf(draft, facts).fechaemision).map(
    (message) => ({
      message,
    }),
  );
}

function warnOfOpenBatches(draft: PaymentDraft, facts: PaymentFacts): readonly Warning[] {
  return describeOpenBatchConflict(draft, facts).warnings.map((message) => ({ message }));
}

function warnOfUnlikelyRate(draft: PaymentDraft, facts: PaymentFacts): readonly Warning[] {
  if (draft.creditNoteId !== null) return [];
  const { moneda, tipocambio } = invoiceOf(draft, facts);
  return bankAmountWarnings({ ...draft, moneda, tipocambio }).map((message) => ({ message }));
}

export const findAllWarnings = (draft: PaymentDraft, facts: PaymentFacts): Warning[] =>
  warningRules.flatMap((warn) => warn(draft, facts));

export function addAcceptedDraftToFacts(draft: PaymentDraft, facts: PaymentFacts): void {
  const { previous, amountCents, origenderecursoId, creditNoteId, paymentdate, line } = draft;
  const invoice = invoiceOf(draft, facts);
  if (previous) {
    const before = facts.invoices.get(previous.facturaproveedorId)!;
    before.paidCents -= previous.amountCents;
    before.paid &&= computeNewPaymentSums(before.paid, previous, -1);
  }
  invoice.paidCents += amountCents;
  invoice.paid &&= computeNewPaymentSums(invoice.paid, draft, 1);
  const { lineAtBank } = draft;
  if (lineAtBank)
    facts.committed.set(
      invoice.id,
      facts.committed.get(invoice.id)!.filter((line) => line !== lineAtBank),
    );
  const note = creditNoteOf(draft, facts);
  if (note) note.appliedCents += bankAmountOf(draft);
  for (const fund of facts.funds.values()) {
    fund.cashCents += computeCentsTakenFromFund(previous, fund);
    if (fund.pagosOrigenId === origenderecursoId && paymentdate >= fund.openedOn)
      fund.cashCents -= bankAmountOf(draft);
  }
  const { checkFold, importebancoCents, importemonedaCents, comments, checknum } = draft;
  facts.paymentIndex.add({
    id: draft.id,
    line,
    facturaproveedorId: invoice.id,
    paymentdate,
    amountCents,
    importebancoCents,
    importemonedaCents,
    origenderecursoId,
    creditNoteId,
    comments,
    checkFold,
  });
  if (!checkFold || origenderecursoId === null || facts.options.chequeNumbers) return;
  const { supplierId, suppliername = '' } = invoice;
  addChequeUse(facts.cheques, chequeKey(draft), { checknum, suppliername, amountCents, supplierId });
}

export const computeCentsTakenFromFund = (
  previous: PaymentDraft['previous'],
  { pagosOrigenId, openedOn }: { pagosOrigenId: number | null; openedOn: string },
): Cents =>
  previous && previous.origenderecursoId === pagosOrigenId && previous.paymentdate >= openedOn
    ? bankAmountOf(previous)
    : 0;

export const computePendingBeforePayment = (
  { previous }: PaymentDraft,
  { id, totalCents, paidCents }: InvoiceToPay,
): Cents => totalCents - paidCents + (previous?.facturaproveedorId === id ? previous.amountCents : 0);

function describeOpenBatchConflict(
  draft: PaymentDraft,
  facts: PaymentFacts,
): ReturnType<typeof describeBatchConflict> {
  const { previous, amountCents } = draft;
  const invoice = invoiceOf(draft, facts);
  const isMore =
    !previous || previous.facturaproveedorId !== invoice.id || amountCents > previous.amountCents;
  if (draft.creditNoteId !== null || !isMore) return { warnings: [] };
  // The batch that made a restored payment no longer plans it.
  const ownBatchId = facts.ties.get(draft.id ?? 0)?.batchId;
  const others = (facts.committed.get(invoice.id) ?? []).filter(
    (line) => line.batchId !== ownBatchId && line !== draft.lineAtBank,
  );
  return describeBatchConflict(others, computePendingBeforePayment(draft, invoice) - amountCents, invoice);
}

const invoiceOf = (
  { facturaproveedorId }: Pick<PaymentDraft, 'facturaproveedorId'>,
  { invoices }: PaymentFacts,
): InvoiceToPay => invoices.get(facturaproveedorId!)!;

const creditNoteOf = ({ creditNoteId }: PaymentDraft, { notes }: PaymentFacts) =>
  creditNoteId === null ? undefined : notes.get(creditNoteId);
