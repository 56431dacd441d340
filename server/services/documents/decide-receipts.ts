import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { daysBetween, formatLongDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import { createRemark, formatWithIds, type Remark, withCode } from '../../../shared/remarks.ts';
import type { SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import { type Difference, describeDifferences } from '../../formats/cfdi/differences.ts';
import {
  formatForeignAmount,
  type PaymentReceipt,
  type PaymentReceiptLine,
} from '../../formats/cfdi/payment-receipts.ts';
import { CLOSED_PERIOD_CODE } from '../closing/closing.ts';
import { type DocumentUuidAndIssuer, documentKeyOf } from '../document-relations.ts';
import { type DocumentedInvoice, idIfStored, invoiceLabel } from '../invoices/known-invoices.ts';
import { findReceiptLineMatches } from '../payments/receipt-matching.ts';
import {
  absorbRounding,
  computeRoundingTolerance,
  computeSettlement,
  recordsBankAmountOnly,
  type SettledAmounts,
} from '../payments/settlement.ts';
import type { PaymentOutcome } from '../payments/write.ts';
import {
  type CfdiImportContext,
  findNamedInvoice,
  findOrCreateSupplier,
  issuerRfcOf,
  stagePaymentRemoval,
} from './import-context.ts';
import type { KnownSupplier } from './issuers.ts';
import { type CfdiOutcomeWithoutFile, createRefusedOutcome, toWarnedOutcome } from './outcomes.ts';
import type { KnownReceipt, KnownReceiptLine } from './stored-settlements.ts';

export async function writeReceipt(
  context: CfdiImportContext,
  reading: SuccessfulReading & { kind: 'P' },
): Promise<CfdiOutcomeWithoutFile> {
  const { issued: receipt, xml } = reading;
  const { settlements, writer, replacements } = context;
  const key = documentKeyOf(reading);
  const existing = settlements.receiptWithUuid(receipt.uuid);
  if (existing) {
    const difference = findDifferenceFromStored(existing, receipt);
    if (difference)
      return createRefusedOutcome(
        `El mismo UUID ya está en el recibo de pago ${existing.numero} con otros datos (${describeDifferences([difference])}): es un conflicto.`,
      );
    return captureMissingPayments(context, existing, key);
  }
  const replaced = replacements.describeReplaced(key);
  if (replaced) return createRefusedOutcome(replaced);
  const found = await findOrCreateSupplier(context, receipt, findIssuers(receipt, context));
  if ('problem' in found) return createRefusedOutcome(found.problem);
  const supplierId = found.supplier.id;
  const { numero } = receipt;
  const receiptFields = { supplierId, uuid: receipt.uuid, rfc: key.rfc, numero };
  const lines = receipt.lines.map(
    ({ parcialidad: _parcialidad, ...line }): KnownReceiptLine => ({
      ...line,
      ...receiptFields,
      ...{ id: 0, hasInvoice: false, hasPayment: false },
    }),
  );
  const direct = replacements.predecessorsOf(key);
  const replacedReceipts = direct.flatMap((uuid) => settlements.receiptWithUuid(uuid) ?? []);
  const plan = await planLines(
    context,
    lines,
    replacedReceipts.filter((one) => one.supplierId === supplierId),
  );
  const obstacle = describeObstacle(plan);
  if (obstacle) return createRefusedOutcome(obstacle);
  const { id, lineIds } = await writer.addReceipt(receipt, supplierId, xml);
  for (const [index, line] of lines.entries()) line.id = lineIds[index]!;
  settlements.addReceipt({ id, ...receiptFields, lines });
  const missing = applyLinePlan(context, plan);
  const unresolved = new Map(
    plan.unresolvedLines.map(({ reason }) => [formatWithIds(reason), reason]),
  ).values();
  const branches = replacements.describeMultipleReplacements(key);
  const warnings = [...receipt.warnings, ...branches, ...found.warnings, ...unresolved, ...missing];
  return toWarnedOutcome({ outcome: 'created', warnings, receiptId: idIfStored(id) });
}

/** The payments of the receipt go to its successor; without a successor they are removed too. */
export async function removeReplacedReceipt(
  context: CfdiImportContext,
  replacedReceipt: KnownReceipt,
  successor: KnownReceipt | undefined,
): Promise<Remark[]> {
  const open = successor?.lines.filter(({ hasPayment }) => !hasPayment) ?? [];
  const plan = await planLines(context, open, [replacedReceipt]);
  const obstacle = describeObstacle(plan);
  return obstacle === undefined ? applyLinePlan(context, plan) : [obstacle];
}

/** Payments captured by people stay. */
export async function removeReceiptPayments(
  context: CfdiImportContext,
  invoice: DocumentedInvoice,
  uuids: readonly string[],
): Promise<Remark[]> {
  const { db, settlements, payments, writer } = context;
  const lines = settlements.receipts
    .flatMap((receipt) => receipt.lines)
    .filter((line) => line.invoiceId === invoice.id && uuids.includes(line.invoiceUuid));
  const imported = await filterImportedPayments(db, new Set(settlements.paymentsOfLines(lines)));
  return lines.flatMap((line): Remark[] => {
    const [payment] = settlements.paymentsOfLines([line]);
    const isImported = payment !== undefined && imported.has(payment);
    const refusal = isImported ? payments.stageDeletion(payment) : undefined;
    if (refusal) return [createRemark`No se quita ${describePayment(payment!)}. ${refusal.message}`];
    if (isImported) settlements.removePayment(payment);
    else if (payment) settlements.includeInMatching(payment);
    settlements.unlinkLine(line);
    writer.stageLineLink(line, undefined, undefined);
    return payment
      ? [
          createRemark`${isImported ? 'Se quitó' : 'Queda sin recibo'} ${describePayment(payment)}: ${AMBIGUOUS_REPLACEMENT_TEXT}.`,
        ]
      : [];
  });
}

const AMBIGUOUS_REPLACEMENT_TEXT = 'la factura que nombra su recibo está sustituida, y no por una sola';

/** Captures the missing payments of a stored receipt, if a funding source is given now. */
async function captureMissingPayments(
  context: CfdiImportContext,
  receipt: KnownReceipt,
  key: DocumentUuidAndIssuer,
): Promise<CfdiOutcomeWithoutFile> {
  const unchanged: CfdiOutcomeWithoutFile = { outcome: 'unchanged', receiptId: idIfStored(receipt.id) };
  const open = receipt.lines.filter(({ hasPayment }) => !hasPayment);
  if (open.length === 0 || context.replacements.isReplaced(key)) return unchanged;
  const plan = await planLines(context, open);
  const paid = plan.lines.filter((line) => line.payment || isPaymentAccepted(line));
  const closed = plan.lines.find(isInClosedPeriod);
  const uncaptured = plan.lines.find((line) => isRefusedForOtherReason(line));
  if (paid.length === 0) {
    if (closed) return createRefusedOutcome(describeRefusedPayment(closed));
    if (!uncaptured) return unchanged;
    return { ...unchanged, outcome: 'warned', warnings: [describeRefusedPayment(uncaptured)], linked: true };
  }
  const missing = applyLinePlan(context, plan);
  const amount = formatMoney(paid.reduce((sum, { settlement }) => sum + settlement.amountCents, 0));
  const completed = `El recibo ya estaba; faltaban pagos por ${amount} y se registraron.`;
  const warnings = [withCode(completed, 'receipt_completed'), ...missing];
  return { outcome: 'warned', warnings, linked: true, receiptId: idIfStored(receipt.id) };
}

/** Some real receipts lack the issuer's RFC. The issuer is then that of the invoices they name. */
function findIssuers(receipt: PaymentReceipt, context: CfdiImportContext): readonly KnownSupplier[] {
  if (receipt.detail.emisor.rfc !== '') return context.issuers.findSuppliersFor(receipt);
  const ids = new Set(
    receipt.lines.flatMap(
      ({ invoiceUuid: uuid }) =>
        findNamedInvoice(context, { uuid, rfc: undefined }).invoice?.supplierId ?? [],
    ),
  );
  const [id] = ids;
  return id === undefined || ids.size > 1
    ? []
    : [{ id, suppliername: receipt.suppliername, rfc: null, diascredito: 0 }];
}

interface PlannedLine {
  line: KnownReceiptLine;
  invoice: DocumentedInvoice;
  settlement: SettledAmounts;
  /** The number of payments and credits of the invoice before this one. */
  earlierPayments: number;
  /** The existing payment that the line states: captured by a person, or by a receipt that this one replaces. */
  payment?: Payment;
  /** How the payment of a replaced receipt is taken over: changed to what this line states, or left as it is. */
  inheritance?: 'changed' | 'fixed';
  /**
   * Undefined if no payment is captured or changed. A stored payment that states only what left the bank is changed to
   * the amounts of the receipt.
   */
  outcome?: PaymentOutcome;
  availableCents: Cents;
}

interface LinePlan {
  lines: PlannedLine[];
  unresolvedLines: { line: KnownReceiptLine; reason: Remark }[];
  replacedReceipts: readonly KnownReceipt[];
  /** Payments captured by replaced receipts that no receipt states now; `refusal`: the rule against removing them. */
  surplus: { payment: Payment; refusal?: BrokenRule }[];
  /** Payments that no receipt states any more, and that users or the bank captured. */
  paymentsWithoutReceipt: Payment[];
}

export const isPaymentAccepted = ({ outcome }: PlannedLine): boolean => outcome?.outcome === 'stored';

const getRefusalCode = ({ outcome }: PlannedLine) =>
  outcome?.outcome === 'refused' ? (outcome.refused.code ?? '') : undefined;

export const isInClosedPeriod = (line: PlannedLine): boolean => getRefusalCode(line) === CLOSED_PERIOD_CODE;

const isPaymentSetByReceipt = ({ payment, inheritance }: PlannedLine) =>
  !payment || inheritance === 'changed';

export const exceedsPending = (line: PlannedLine): boolean =>
  isPaymentSetByReceipt(line) && getRefusalCode(line) === 'overpayment';

const isRefusedForOtherReason = (line: PlannedLine): boolean =>
  getRefusalCode(line) !== undefined && getRefusalCode(line) !== 'overpayment';

const isPaymentOfOtherInvoice = ({ payment, invoice }: PlannedLine): boolean =>
  payment !== undefined && payment.facturaproveedorId !== invoice.id;

function describeObstacle({ lines, surplus, paymentsWithoutReceipt }: LinePlan): Remark | undefined {
  const excess = lines.find(exceedsPending);
  if (excess) return describeExcessPayment(excess);
  const blocked = lines.find(
    (line) =>
      isPaymentSetByReceipt(line) &&
      (isInClosedPeriod(line) || (isPaymentOfOtherInvoice(line) && isRefusedForOtherReason(line))),
  );
  if (blocked) return describeRefusedPayment(blocked);
  // Without this check, the same money would be paid to a second invoice while the first payment stays.
  const [orphan] = lines.some(({ payment }) => !payment) ? paymentsWithoutReceipt : [];
  if (orphan) return describeOrphanPayment(orphan);
  const refusal = surplus.find((one) => one.refusal?.code === CLOSED_PERIOD_CODE);
  return refusal && describeRetainedPayment(refusal);
}

/**
 * Asks the rules of payments before anything is stored, so that a receipt is stored completely or not at all.
 * @param replacedReceipts the receipts that it replaces; their payments are taken over or removed
 */
export async function planLines(
  context: CfdiImportContext,
  lines: readonly KnownReceiptLine[],
  replacedReceipts: readonly KnownReceipt[] = [],
): Promise<LinePlan> {
  const { db, invoices, settlements, payments } = context;
  const { fundingSourceId: origenderecursoId = null } = context.options;
  const plan: LinePlan = {
    lines: [],
    unresolvedLines: [],
    replacedReceipts,
    surplus: [],
    paymentsWithoutReceipt: [],
  };
  const byInvoice = new Map<DocumentedInvoice, KnownReceiptLine[]>();
  for (const line of lines) {
    const rfc = line.rfc || issuerRfcOf(invoices.withId(line.invoiceId ?? 0));
    const { invoice, reason } = findNamedInvoice(context, { uuid: line.invoiceUuid, rfc });
    if (!invoice)
      plan.unresolvedLines.push({ line, reason: createRemark`La factura ${line.invoiceUuid} ${reason}.` });
    else if (invoice.supplierId !== line.supplierId)
      plan.unresolvedLines.push({
        line,
        reason: createRemark`Nombra la factura ${invoiceLabel(invoice)}, que es de otro proveedor.`,
      });
    else byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), line]);
  }
  const replacedLines = replacedReceipts.flatMap((one) => one.lines);
  const replacedInvoices = replacedLines.flatMap(({ invoiceId }) => invoices.withId(invoiceId ?? 0) ?? []);
  await settlements.readPayments(db, [...byInvoice.keys(), ...replacedInvoices], payments);
  const inheritedPayments = new Set(settlements.paymentsOfLines(replacedLines));
  const inheritedInvoices = [...inheritedPayments].map(
    (payment) => invoices.withId(payment.facturaproveedorId)!,
  );
  const trial = payments.copyForTrial([...byInvoice.keys(), ...inheritedInvoices]);
  const imported = await filterImportedPayments(db, inheritedPayments);
  const captured = [...inheritedPayments].filter((payment) => !imported.has(payment));
  for (const [invoice, invoiceLines] of byInvoice) {
    const paidLines = invoiceLines.map((line) => ({
      line,
      paidOn: line.paidOn,
      ...computeSettlement(line, invoice),
    }));
    const here = captured.filter((payment) => payment.facturaproveedorId === invoice.id);
    const withoutReceipt = [...settlements.matchablePayments(invoice.id), ...here];
    const matched = findReceiptLineMatches(paidLines, withoutReceipt, computeRoundingTolerance(invoice));
    const earlierPayments = settlements.paymentCountOf(invoice.id);
    for (const [index, settlement] of paidLines.entries()) {
      const { line } = settlement;
      const payment = matched.get(settlement);
      if (payment) inheritedPayments.delete(payment);
      plan.lines.push({
        line,
        invoice,
        settlement,
        payment,
        availableCents: 0,
        earlierPayments: earlierPayments + index,
      });
    }
  }
  inheritPayments(plan.lines, inheritedPayments, imported);
  for (const payment of inheritedPayments) {
    if (!imported.has(payment)) plan.paymentsWithoutReceipt.push(payment);
    else plan.surplus.push({ payment, refusal: trial.stageDeletion(payment) });
  }
  // Payments that shrink come first, because they make room for those that grow.
  for (const planned of plan.lines.toSorted((a, b) => computeAddedCents(a) - computeAddedCents(b))) {
    const { line, invoice, settlement: remarks, payment, inheritance, earlierPayments } = planned;
    const ownCents = payment?.facturaproveedorId === invoice.id ? payment.amountCents : 0;
    const pendingCents = trial.pendingOf(invoice.id);
    planned.availableCents = pendingCents + ownCents;
    const settlement = absorbRounding(
      remarks,
      inheritance ? planned.availableCents : pendingCents,
      invoice,
      earlierPayments,
    );
    planned.settlement = settlement;
    const comments = `Recibo de pago ${line.numero}`.trim();
    const draft = { facturaproveedorId: invoice.id, paymentdate: line.paidOn, ...settlement, comments };
    if (inheritance === 'changed') planned.outcome = trial.stage({ id: payment!.id, ...draft }, payment);
    else if (payment) {
      if (inheritance || !recordsBankAmountOnly(remarks, payment)) continue;
      planned.outcome = trial.stage(
        { id: payment.id, ...absorbRounding(remarks, planned.availableCents, invoice) },
        payment,
      );
    } else if (origenderecursoId !== null && settlement.amountCents > 0)
      planned.outcome = trial.stage({ ...draft, origenderecursoId });
  }
  return plan;
}

const computeAddedCents = ({ payment, inheritance, settlement }: PlannedLine): Cents =>
  inheritance === 'changed'
    ? settlement.amountCents - payment!.amountCents
    : payment
      ? 0
      : Number.MAX_SAFE_INTEGER;

/** Payments that an import of receipts captured are changed or removed with their receipt. */
async function filterImportedPayments(db: Db, payments: ReadonlySet<Payment>): Promise<Set<Payment>> {
  const importIds = [...payments].flatMap(({ importId }) => importId ?? []);
  if (importIds.length === 0) return new Set();
  const imports = await db
    .selectFrom('imports')
    .select('id')
    .where('kind', '=', 'cfdi')
    .where(isOneOf(db, 'id', importIds))
    .execute();
  const ids = new Set(imports.map(({ id }) => id));
  return new Set([...payments].filter(({ importId }) => ids.has(importId ?? 0)));
}

/**
 * Gives the payments of the replaced receipts to lines without a payment, the most similar ones first. A payment
 * captured by a user is not changed, and no second payment is created beside it.
 */
function inheritPayments(
  lines: readonly PlannedLine[],
  inheritedPayments: Set<Payment>,
  imported: ReadonlySet<Payment>,
): void {
  const pairs = lines
    .filter(({ payment }) => !payment)
    .flatMap((line) => [...inheritedPayments].map((payment) => ({ line, payment })))
    .map(({ line, payment }) => ({
      line,
      payment,
      isOfOtherInvoice: payment.facturaproveedorId !== line.invoice.id,
      differenceCents: Math.abs(payment.amountCents - line.settlement.amountCents),
      days: Math.abs(daysBetween(payment.paymentdate, line.line.paidOn)),
    }))
    .filter(({ payment, isOfOtherInvoice }) => imported.has(payment) || !isOfOtherInvoice)
    .sort(
      (a, b) =>
        Number(a.isOfOtherInvoice) - Number(b.isOfOtherInvoice) ||
        a.differenceCents - b.differenceCents ||
        a.days - b.days ||
        a.payment.id - b.payment.id,
    );
  for (const { line, payment } of pairs) {
    if (line.payment || !inheritedPayments.delete(payment)) continue;
    line.payment = payment;
    line.inheritance = imported.has(payment) ? 'changed' : 'fixed';
  }
}

/** @returns warnings about payments that are missing or differ from their receipt */
export function applyLinePlan(context: CfdiImportContext, plan: LinePlan): Remark[] {
  const { writer, settlements, payments } = context;
  const remarks: Remark[] = [];
  for (const { payment, refusal } of plan.surplus) {
    if (!refusal) stagePaymentRemoval(context, payment);
    remarks.push(refusal ? describeRetainedPayment({ payment, refusal }) : describeRemovedPayment(payment));
  }
  for (const payment of plan.paymentsWithoutReceipt) settlements.includeInMatching(payment);
  remarks.push(...plan.paymentsWithoutReceipt.map(describePaymentWithoutReceipt));
  for (const planned of plan.lines) {
    const { line, invoice, payment, outcome, settlement, inheritance } = planned;
    if (payment) settlements.excludeFromMatching(payment);
    if (inheritance === 'fixed') remarks.push(describeUnchangedPayment(planned));
    else if (isRefusedForOtherReason(planned)) remarks.push(describeRefusedPayment(planned));
    else if (getRefusalCode(planned) !== undefined) remarks.push(describeExcessPayment(planned));
    else if (inheritance)
      remarks.push(...(isPaymentAccepted(planned) ? [describeChangedPayment(planned)] : []));
    else if (payment && isPaymentAccepted(planned))
      remarks.push(describeCorrectedPayment(planned, payment.amountCents));
    else if (!payment && outcome?.outcome === 'stored') {
      settlements.incrementPaymentCount(invoice.id);
      remarks.push(...outcome.warnings.map(({ message }) => message));
    } else if (!payment && settlement.amountCents > 0) remarks.push(describeMissingPayment(planned));
    if (outcome) payments.acceptOutcome(outcome);
    writer.stageLineLink(
      line,
      invoice,
      payment ?? (isPaymentAccepted(planned) ? (outcome as { id: number }) : undefined),
    );
    line.hasInvoice = true;
    line.hasPayment = Boolean(payment) || isPaymentAccepted(planned);
  }
  for (const replacedReceipt of plan.replacedReceipts) {
    settlements.removeReceipt(replacedReceipt);
    writer.removeReceipt(replacedReceipt);
  }
  return remarks;
}

const describePayment = ({ amountCents, paymentdate, numfactura }: Payment): string =>
  `el pago de ${formatMoney(amountCents)} del ${formatLongDate(paymentdate)} a la factura ${numfactura || 'sin número'}`;

const describeRemovedPayment = (payment: Payment): Remark =>
  `Se quitó ${describePayment(payment)}, de un recibo que este sustituye.`;

const describeRetainedPayment = ({ payment, refusal }: LinePlan['surplus'][number]): Remark =>
  createRemark`No se quita ${describePayment(payment)}, de un recibo que este sustituye. ${refusal!.message}`;

const describePaymentWithoutReceipt = (payment: Payment): Remark =>
  `Queda sin recibo ${describePayment(payment)}: el recibo que lo decía está sustituido.`;

const describeOrphanPayment = (payment: Payment): Remark =>
  `El recibo que este sustituye dice ${describePayment(payment)}, que no capturó un recibo, y este no lo dice: corrige antes ese pago, y vuelve a cargar el XML.`;

const describeUnchangedPayment = ({ payment, ...planned }: PlannedLine): Remark =>
  `Queda como está ${describePayment(payment!)}, que no capturó un recibo; este dice ${formatAmount(planned)} del ${formatLongDate(planned.line.paidOn)}.`;

const describeChangedPayment = ({ payment, ...planned }: PlannedLine): Remark =>
  createRemark`Cambió ${describePayment(payment!)}, de un recibo que este sustituye: ${formatAmount(planned)} del ${formatLongDate(planned.line.paidOn)} a la factura ${invoiceLabel(planned.invoice)}.`;

function describeExcessPayment({ availableCents, ...planned }: PlannedLine): Remark {
  const payment = `El pago de ${formatAmount(planned)} del ${formatLongDate(planned.line.paidOn)}`;
  return createRemark`${payment} no cabe en lo que se debe de la factura ${invoiceLabel(planned.invoice)}, ${formatMoney(availableCents)}.`;
}

function describeRefusedPayment(planned: PlannedLine): Remark {
  const { line, invoice, payment, outcome } = planned;
  const what = createRemark`el pago de ${formatAmount(planned)} del ${formatLongDate(line.paidOn)} a la factura ${invoiceLabel(invoice)}`;
  const reason = (outcome as Extract<PaymentOutcome, { outcome: 'refused' }>).refused.message;
  return createRemark`No se ${payment ? 'corrige' : 'captura'} ${what}. ${reason}`;
}

const describeMissingPayment = (planned: PlannedLine): Remark =>
  createRemark`Falta capturar el pago de ${formatAmount(planned)} del ${formatLongDate(planned.line.paidOn)} a la factura ${invoiceLabel(planned.invoice)}.`;

const describeCorrectedPayment = (planned: PlannedLine, bankCents: Cents): Remark =>
  createRemark`El pago de ${formatMoney(bankCents)} a la factura ${invoiceLabel(planned.invoice)} abona ahora ${formatAmount(planned)}, como dice su recibo; del banco salió lo mismo.`;

function formatAmount({
  line,
  invoice,
  settlement,
}: Pick<PlannedLine, 'line' | 'invoice' | 'settlement'>): string {
  const amount = formatMoney(settlement.amountCents);
  return line.pagado && line.moneda === invoice.moneda
    ? `${amount} (${formatForeignAmount(line)} a ${invoice.tipocambio})`
    : amount;
}

function findDifferenceFromStored(stored: KnownReceipt, receipt: PaymentReceipt): Difference | undefined {
  const counts = [stored, receipt].map(({ lines }) => String(lines.length)) as [string, string];
  if (counts[0] !== counts[1]) return ['facturas que paga:', ...counts];
  for (const [index, line] of receipt.lines.entries()) {
    const other = stored.lines[index]!;
    if (line.invoiceUuid !== other.invoiceUuid) return ['factura', other.invoiceUuid, line.invoiceUuid];
    if (line.paidOn !== other.paidOn)
      return ['fecha de pago', formatLongDate(other.paidOn), formatLongDate(line.paidOn)];
    if (line.pagado !== other.pagado || line.amountCents !== other.amountCents)
      return ['pagado', formatPaidAmount(other), formatPaidAmount(line)];
  }
  return undefined;
}

const formatPaidAmount = (line: PaymentReceiptLine | KnownReceiptLine): string =>
  formatForeignAmount(line) ?? formatMoney(line.amountCents);
