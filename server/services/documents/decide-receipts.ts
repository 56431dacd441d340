import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { daysBetween, formatLongDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import { type Remark, remark, textWithIds, withCode } from '../../../shared/remarks.ts';
import type { ReadDocument } from '../../formats/cfdi/candidates.ts';
import { type Difference, describeDifferences } from '../../formats/cfdi/differences.ts';
import { type CfdiReceipt, foreignAmount, type ReceiptLine } from '../../formats/cfdi/payment-receipts.ts';
import { CLOSED_PERIOD } from '../closing/closing.ts';
import { type DocumentKey, documentKeyOf } from '../document-relations.ts';
import { type DocumentedInvoice, labelOf, storedId } from '../invoices/known.ts';
import { matchLines } from '../payments/payment-receipts.ts';
import {
  recordsBankAmountOnly,
  roundingTolerance,
  type Settlement,
  settlementOf,
  settleRounding,
} from '../payments/settlement.ts';
import type { WrittenPayment } from '../payments/write.ts';
import { type Outcome, refused, warnedOf } from './outcomes.ts';
import { type CfdiPart, invoiceNamed, issuerOf, removePayment, supplierOf } from './place.ts';
import type { KnownSupplier } from './place-issuers.ts';
import type { KnownLine, KnownReceipt } from './place-settlements.ts';

/** Stores a receipt once, and links each of its lines to its invoice and its payment. */
export async function takeReceipt(part: CfdiPart, reading: ReadDocument & { kind: 'P' }): Promise<Outcome> {
  const { issued: receipt, xml } = reading;
  const { settlements, writer, replacements } = part;
  const named = documentKeyOf(reading);
  const twin = settlements.receiptOf(receipt.uuid);
  if (twin) {
    const difference = receiptDifference(twin, receipt);
    if (difference)
      return refused(
        `El mismo UUID ya está en el recibo de pago ${twin.numero} con otros datos (${describeDifferences([difference])}): es un conflicto.`,
      );
    return completeReceipt(part, twin, named);
  }
  const replaced = replacements.describeReplaced(named);
  if (replaced) return refused(replaced);
  const found = await supplierOf(part, receipt, issuersOf(receipt, part));
  if ('problem' in found) return refused(found.problem);
  const supplierId = found.supplier.id;
  const { numero } = receipt;
  const own = { supplierId, uuid: receipt.uuid, rfc: named.rfc, numero };
  const lines = receipt.lines.map(
    ({ parcialidad: _parcialidad, ...line }): KnownLine => ({
      ...line,
      ...own,
      ...{ id: 0, isPlaced: false, isPaid: false },
    }),
  );
  const direct = replacements.predecessorsOf(named);
  const formers = direct.flatMap((uuid) => settlements.receiptOf(uuid) ?? []);
  const plan = await planLines(
    part,
    lines,
    formers.filter((one) => one.supplierId === supplierId),
  );
  const impossible = sayImpossible(plan);
  if (impossible) return refused(impossible);
  const { id, lineIds } = await writer.addReceipt(receipt, supplierId, xml);
  for (const [index, line] of lines.entries()) line.id = lineIds[index]!;
  settlements.addReceipt({ id, ...own, lines });
  const missing = placeLines(part, plan);
  const unknown = new Map(plan.unknown.map(({ why }) => [textWithIds(why), why])).values();
  const branches = replacements.describeBranches(named);
  const warnings = [...receipt.warnings, ...branches, ...found.warnings, ...unknown, ...missing];
  return warnedOf({ outcome: 'created', warnings, receiptId: storedId(id) });
}

/**
 * Removes a replaced receipt that is on file. Its payments go to the receipt that replaces it; without one they are
 * removed too.
 * @returns remarks about it
 */
export async function giveWayToReceipt(
  part: CfdiPart,
  previous: KnownReceipt,
  successor: KnownReceipt | undefined,
): Promise<Remark[]> {
  const open = successor?.lines.filter(({ isPaid }) => !isPaid) ?? [];
  const plan = await planLines(part, open, [previous]);
  const impossible = sayImpossible(plan);
  return impossible === undefined ? placeLines(part, plan) : [impossible];
}

/**
 * Unlinks the receipt lines that name the invoice by one of these UUIDs, and removes the payments that receipts
 * captured for them. Payments captured by people stay.
 * @returns remarks about them
 */
export async function releaseLines(
  part: CfdiPart,
  invoice: DocumentedInvoice,
  uuids: readonly string[],
): Promise<Remark[]> {
  const { db, settlements, payments, writer } = part;
  const lines = settlements.receipts
    .flatMap((receipt) => receipt.lines)
    .filter((line) => line.invoiceId === invoice.id && uuids.includes(line.invoiceUuid));
  const made = await madeByReceipts(db, new Set(settlements.toldBy(lines)));
  return lines.flatMap((line): Remark[] => {
    const [payment] = settlements.toldBy([line]);
    const isMadeByIt = payment !== undefined && made.has(payment);
    const kept = isMadeByIt ? payments.remove(payment) : undefined;
    if (kept) return [remark`No se quita ${sayPayment(payment!)}. ${kept.message}`];
    if (isMadeByIt) settlements.dropPayment(payment);
    else if (payment) settlements.freePayment(payment);
    settlements.freeLine(line);
    writer.placeLine(line, undefined, undefined);
    return payment
      ? [remark`${isMadeByIt ? 'Se quitó' : 'Queda sin recibo'} ${sayPayment(payment)}: ${AMBIGUOUS}.`]
      : [];
  });
}

const AMBIGUOUS = 'la factura que nombra su recibo está sustituida, y no por una sola';

/** Captures the missing payments of a receipt on file, if a funding source is given now. */
async function completeReceipt(part: CfdiPart, receipt: KnownReceipt, named: DocumentKey): Promise<Outcome> {
  const unchanged: Outcome = { outcome: 'unchanged', receiptId: storedId(receipt.id) };
  const open = receipt.lines.filter(({ isPaid }) => !isPaid);
  if (open.length === 0 || part.replacements.isReplaced(named)) return unchanged;
  const plan = await planLines(part, open);
  const paid = plan.lines.filter((line) => line.payment || isMade(line));
  const closed = plan.lines.find(isClosed);
  const unmade = plan.lines.find((line) => isUnmade(line));
  if (paid.length === 0) {
    if (closed) return refused(sayUnmade(closed));
    if (!unmade) return unchanged;
    return { ...unchanged, outcome: 'warned', warnings: [sayUnmade(unmade)], linked: true };
  }
  const missing = placeLines(part, plan);
  const amount = formatMoney(paid.reduce((sum, { settles }) => sum + settles.amountCents, 0));
  const completed = `El recibo ya estaba; faltaban pagos por ${amount} y se registraron.`;
  const warnings = [withCode(completed, 'receipt_completed'), ...missing];
  return { outcome: 'warned', warnings, linked: true, receiptId: storedId(receipt.id) };
}

/** Some real receipts lack the issuer's RFC. The issuer is then that of the invoices they name. */
function issuersOf(receipt: CfdiReceipt, part: CfdiPart): readonly KnownSupplier[] {
  if (receipt.detail.emisor.rfc !== '') return part.issuers.of(receipt);
  const ids = new Set(
    receipt.lines.flatMap(
      ({ invoiceUuid: uuid }) => invoiceNamed(part, { uuid, rfc: undefined }).invoice?.supplierId ?? [],
    ),
  );
  const [id] = ids;
  return id === undefined || ids.size > 1
    ? []
    : [{ id, suppliername: receipt.suppliername, rfc: null, diascredito: 0 }];
}

interface PlannedLine {
  line: KnownLine;
  invoice: DocumentedInvoice;
  settles: Settlement;
  /** The number of payments and credits of its invoice before it. */
  parts: number;
  /** The existing payment that the line states: captured by a person, or by a receipt that this one replaces. */
  payment?: Payment;
  /** How the payment of a replaced receipt is taken over: changed to what this line states, or left as it is. */
  inherits?: 'changed' | 'fixed';
  /**
   * The answer of the rules of payments: for a missing payment that is to be captured, or for a captured one that is to
   * be changed to the receipt's amount because its author knew only what left the bank. Undefined where neither is
   * needed.
   */
  written?: WrittenPayment;
  /** What was owed before it. */
  roomCents: Cents;
}

interface LinePlan {
  lines: PlannedLine[];
  /** Lines without an invoice to link to. */
  unknown: { line: KnownLine; why: Remark }[];
  /** The receipts that this one replaces. */
  formers: readonly KnownReceipt[];
  /**
   * Payments captured by those receipts that no receipt states any more; `refusal` where a rule keeps them from being
   * removed.
   */
  surplus: { payment: Payment; kept?: BrokenRule }[];
  /** Payments by people or the bank that no receipt states any more. */
  free: Payment[];
}

export const isMade = ({ written }: PlannedLine): boolean => written?.outcome === 'stored';

const codeOf = ({ written }: PlannedLine) =>
  written?.outcome === 'refused' ? (written.refused.code ?? '') : undefined;

export const isClosed = (line: PlannedLine): boolean => codeOf(line) === CLOSED_PERIOD;

const isItsOwn = ({ payment, inherits }: PlannedLine) => !payment || inherits === 'changed';

export const isBeyond = (line: PlannedLine): boolean => isItsOwn(line) && codeOf(line) === 'overpayment';

const isUnmade = (line: PlannedLine): boolean => codeOf(line) !== undefined && codeOf(line) !== 'overpayment';

const isElsewhere = ({ payment, invoice }: PlannedLine): boolean =>
  payment !== undefined && payment.facturaproveedorId !== invoice.id;

/** A receipt is stored completely or not at all. Returns why it cannot be. */
function sayImpossible({ lines, surplus, free }: LinePlan): Remark | undefined {
  const beyond = lines.find(isBeyond);
  if (beyond) return sayBeyond(beyond);
  const stuck = lines.find(
    (line) => isItsOwn(line) && (isClosed(line) || (isElsewhere(line) && isUnmade(line))),
  );
  if (stuck) return sayUnmade(stuck);
  // Otherwise the same money would be paid to a second invoice while the first payment stays.
  const [stays] = lines.some(({ payment }) => !payment) ? free : [];
  if (stays) return sayStays(stays);
  const kept = surplus.find((one) => one.kept?.code === CLOSED_PERIOD);
  return kept && sayKept(kept);
}

/**
 * Asks the rules of payments about all lines before anything is stored, so that a receipt is stored completely or not
 * at all.
 * @param predecessors the receipts that it replaces; it takes over their payments, unchanged or changed, or they are
 *   removed
 */
export async function planLines(
  part: CfdiPart,
  lines: readonly KnownLine[],
  formers: readonly KnownReceipt[] = [],
): Promise<LinePlan> {
  const { db, invoices, settlements, payments } = part;
  const { fundingSourceId: origenderecursoId = null } = part.options;
  const plan: LinePlan = { lines: [], unknown: [], formers, surplus: [], free: [] };
  const byInvoice = new Map<DocumentedInvoice, KnownLine[]>();
  for (const line of lines) {
    const rfc = line.rfc || issuerOf(invoices.withId(line.invoiceId ?? 0));
    const { invoice, why } = invoiceNamed(part, { uuid: line.invoiceUuid, rfc });
    if (!invoice) plan.unknown.push({ line, why: remark`La factura ${line.invoiceUuid} ${why}.` });
    else if (invoice.supplierId !== line.supplierId)
      plan.unknown.push({
        line,
        why: remark`Nombra la factura ${labelOf(invoice)}, que es de otro proveedor.`,
      });
    else byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), line]);
  }
  const formerLines = formers.flatMap((one) => one.lines);
  const before = formerLines.flatMap(({ invoiceId }) => invoices.withId(invoiceId ?? 0) ?? []);
  await settlements.readPayments(db, [...byInvoice.keys(), ...before], payments);
  const inherited = new Set(settlements.toldBy(formerLines));
  const after = [...inherited].map((payment) => invoices.withId(payment.facturaproveedorId)!);
  const trial = payments.startTrial([...byInvoice.keys(), ...after]);
  const made = await madeByReceipts(db, inherited);
  const captured = [...inherited].filter((payment) => !made.has(payment));
  for (const [invoice, own] of byInvoice) {
    const paidLines = own.map((line) => ({ line, paidOn: line.paidOn, ...settlementOf(line, invoice) }));
    const here = captured.filter((payment) => payment.facturaproveedorId === invoice.id);
    const free = [...settlements.freePayments(invoice.id), ...here];
    const matched = matchLines(paidLines, free, roundingTolerance(invoice));
    const parts = settlements.partsOf(invoice.id);
    for (const [index, settles] of paidLines.entries()) {
      const { line } = settles;
      const payment = matched.get(settles);
      if (payment) inherited.delete(payment);
      plan.lines.push({ line, invoice, settles, payment, roomCents: 0, parts: parts + index });
    }
  }
  inherit(plan.lines, inherited, made);
  for (const payment of inherited) {
    if (!made.has(payment)) plan.free.push(payment);
    else plan.surplus.push({ payment, kept: trial.remove(payment) });
  }
  // Payments that shrink are changed first, since they make room for those that grow.
  for (const planned of plan.lines.toSorted((a, b) => growthOf(a) - growthOf(b))) {
    const { line, invoice, settles: said, payment, inherits, parts } = planned;
    const ownCents = payment?.facturaproveedorId === invoice.id ? payment.amountCents : 0;
    const pendingCents = trial.pendingOf(invoice.id);
    planned.roomCents = pendingCents + ownCents;
    const settles = settleRounding(said, inherits ? planned.roomCents : pendingCents, invoice, parts);
    planned.settles = settles;
    const comments = `Recibo de pago ${line.numero}`.trim();
    const draft = { facturaproveedorId: invoice.id, paymentdate: line.paidOn, ...settles, comments };
    if (inherits === 'changed') planned.written = trial.submit({ id: payment!.id, ...draft }, payment);
    else if (payment) {
      if (inherits || !recordsBankAmountOnly(said, payment)) continue;
      planned.written = trial.submit(
        { id: payment.id, ...settleRounding(said, planned.roomCents, invoice) },
        payment,
      );
    } else if (origenderecursoId !== null && settles.amountCents > 0)
      planned.written = trial.submit({ ...draft, origenderecursoId });
  }
  return plan;
}

const growthOf = ({ payment, inherits, settles }: PlannedLine): Cents =>
  inherits === 'changed' ? settles.amountCents - payment!.amountCents : payment ? 0 : Number.MAX_SAFE_INTEGER;

/** Finds the payments that an import of receipts captured, not a person. They follow their receipt. */
async function madeByReceipts(db: Db, payments: ReadonlySet<Payment>): Promise<Set<Payment>> {
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
 * Each line without a payment takes over the closest payment of the replaced receipts. One captured by a person stays
 * unchanged, and no second payment is created beside it.
 */
function inherit(lines: readonly PlannedLine[], inherited: Set<Payment>, made: ReadonlySet<Payment>): void {
  const pairs = lines
    .filter(({ payment }) => !payment)
    .flatMap((line) => [...inherited].map((payment) => ({ line, payment })))
    .map(({ line, payment }) => ({
      line,
      payment,
      isElsewhere: payment.facturaproveedorId !== line.invoice.id,
      off: Math.abs(payment.amountCents - line.settles.amountCents),
      days: Math.abs(daysBetween(payment.paymentdate, line.line.paidOn)),
    }))
    .filter(({ payment, isElsewhere }) => made.has(payment) || !isElsewhere)
    .sort(
      (a, b) =>
        Number(a.isElsewhere) - Number(b.isElsewhere) ||
        a.off - b.off ||
        a.days - b.days ||
        a.payment.id - b.payment.id,
    );
  for (const { line, payment } of pairs) {
    if (line.payment || !inherited.delete(payment)) continue;
    line.payment = payment;
    line.inherits = made.has(payment) ? 'changed' : 'fixed';
  }
}

/** Stores the plan. @returns warnings about payments that are missing or differ from their receipt */
export function placeLines(part: CfdiPart, plan: LinePlan): Remark[] {
  const { writer, settlements, payments } = part;
  const said: Remark[] = [];
  for (const { payment, kept } of plan.surplus) {
    if (!kept) removePayment(part, payment);
    said.push(kept ? sayKept({ payment, kept }) : sayGone(payment));
  }
  for (const payment of plan.free) settlements.freePayment(payment);
  said.push(...plan.free.map(sayFree));
  for (const planned of plan.lines) {
    const { line, invoice, payment, written, settles, inherits } = planned;
    if (payment) settlements.takePayment(payment);
    if (inherits === 'fixed') said.push(sayFixed(planned));
    else if (isUnmade(planned)) said.push(sayUnmade(planned));
    else if (codeOf(planned) !== undefined) said.push(sayBeyond(planned));
    else if (inherits) said.push(...(isMade(planned) ? [sayChanged(planned)] : []));
    else if (payment && isMade(planned)) said.push(sayMended(planned, payment.amountCents));
    else if (!payment && written?.outcome === 'stored') {
      settlements.countPart(invoice.id);
      said.push(...written.warnings.map(({ message }) => message));
    } else if (!payment && settles.amountCents > 0) said.push(sayMissing(planned));
    if (written) payments.accept(written);
    writer.placeLine(line, invoice, payment ?? (isMade(planned) ? (written as { id: number }) : undefined));
    line.isPlaced = true;
    line.isPaid = Boolean(payment) || isMade(planned);
  }
  for (const previous of plan.formers) {
    settlements.dropReceipt(previous);
    writer.removeReceipt(previous);
  }
  return said;
}

const sayPayment = ({ amountCents, paymentdate, numfactura }: Payment): string =>
  `el pago de ${formatMoney(amountCents)} del ${formatLongDate(paymentdate)} a la factura ${numfactura || 'sin número'}`;

const sayGone = (payment: Payment): Remark =>
  `Se quitó ${sayPayment(payment)}, de un recibo que este sustituye.`;

const sayKept = ({ payment, kept }: LinePlan['surplus'][number]): Remark =>
  remark`No se quita ${sayPayment(payment)}, de un recibo que este sustituye. ${kept!.message}`;

const sayFree = (payment: Payment): Remark =>
  `Queda sin recibo ${sayPayment(payment)}: el recibo que lo decía está sustituido.`;

const sayStays = (payment: Payment): Remark =>
  `El recibo que este sustituye dice ${sayPayment(payment)}, que no capturó un recibo, y este no lo dice: corrige antes ese pago, y vuelve a cargar el XML.`;

const sayFixed = ({ payment, ...planned }: PlannedLine): Remark =>
  `Queda como está ${sayPayment(payment!)}, que no capturó un recibo; este dice ${sayAmount(planned)} del ${formatLongDate(planned.line.paidOn)}.`;

const sayChanged = ({ payment, ...planned }: PlannedLine): Remark =>
  remark`Cambió ${sayPayment(payment!)}, de un recibo que este sustituye: ${sayAmount(planned)} del ${formatLongDate(planned.line.paidOn)} a la factura ${labelOf(planned.invoice)}.`;

function sayBeyond({ roomCents, ...planned }: PlannedLine): Remark {
  const payment = `El pago de ${sayAmount(planned)} del ${formatLongDate(planned.line.paidOn)}`;
  return remark`${payment} no cabe en lo que se debe de la factura ${labelOf(planned.invoice)}, ${formatMoney(roomCents)}.`;
}

/** Describes a payment that a rule keeps from being captured or changed. */
function sayUnmade(planned: PlannedLine): Remark {
  const { line, invoice, payment, written } = planned;
  const what = remark`el pago de ${sayAmount(planned)} del ${formatLongDate(line.paidOn)} a la factura ${labelOf(invoice)}`;
  const why = (written as Extract<WrittenPayment, { outcome: 'refused' }>).refused.message;
  return remark`No se ${payment ? 'corrige' : 'captura'} ${what}. ${why}`;
}

const sayMissing = (planned: PlannedLine): Remark =>
  remark`Falta capturar el pago de ${sayAmount(planned)} del ${formatLongDate(planned.line.paidOn)} a la factura ${labelOf(planned.invoice)}.`;

const sayMended = (planned: PlannedLine, bankCents: Cents): Remark =>
  remark`El pago de ${formatMoney(bankCents)} a la factura ${labelOf(planned.invoice)} abona ahora ${sayAmount(planned)}, como dice su recibo; del banco salió lo mismo.`;

function sayAmount({ line, invoice, settles }: Pick<PlannedLine, 'line' | 'invoice' | 'settles'>): string {
  const amount = formatMoney(settles.amountCents);
  return line.pagado && line.moneda === invoice.moneda
    ? `${amount} (${foreignAmount(line)} a ${invoice.tipocambio})`
    : amount;
}

function receiptDifference(stored: KnownReceipt, receipt: CfdiReceipt): Difference | undefined {
  const counts = [stored, receipt].map(({ lines }) => String(lines.length)) as [string, string];
  if (counts[0] !== counts[1]) return ['facturas que paga:', ...counts];
  for (const [index, line] of receipt.lines.entries()) {
    const other = stored.lines[index]!;
    if (line.invoiceUuid !== other.invoiceUuid) return ['factura', other.invoiceUuid, line.invoiceUuid];
    if (line.paidOn !== other.paidOn)
      return ['fecha de pago', formatLongDate(other.paidOn), formatLongDate(line.paidOn)];
    if (line.pagado !== other.pagado || line.amountCents !== other.amountCents)
      return ['pagado', sayPaid(other), sayPaid(line)];
  }
  return undefined;
}

const sayPaid = (line: ReceiptLine | KnownLine): string =>
  foreignAmount(line) ?? formatMoney(line.amountCents);
