import { sayDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { type Remark, remark, textWithIds, withCode } from '../../../shared/remarks.ts';
import type { ReadDocument } from '../../formats/cfdi/candidates.ts';
import { type Difference, sayDifferences } from '../../formats/cfdi/differences.ts';
import { type CfdiReceipt, ownAmount, type ReceiptLine } from '../../formats/cfdi/payment-receipts.ts';
import { CLOSED } from '../closing/closing.ts';
import { type DocumentedInvoice, labelOf, storedId } from '../invoices/known.ts';
import { matchLines } from '../payments/payment-receipts.ts';
import { closing, isBankAlone, type Settlement, settlementOf, slackOf } from '../payments/settlement.ts';
import type { WrittenPayment } from '../payments/write.ts';
import { type Outcome, refused, warnedOf } from './outcomes.ts';
import { type CfdiPart, supplierOf } from './part.ts';
import type { KnownLine, KnownReceipt } from './settlements-on-file.ts';
import type { KnownSupplier } from './suppliers.ts';

/** Stores a receipt once, and links each of its lines to its invoice and its payment. */
export async function takeReceipt(
  part: CfdiPart,
  { issued: receipt, xml }: ReadDocument & { kind: 'P' },
): Promise<Outcome> {
  const { settlements, writer } = part;
  const twin = settlements.receiptOf(receipt.uuid);
  if (twin) {
    const difference = receiptDifference(twin, receipt);
    if (difference)
      return refused(
        `El mismo UUID ya está en el recibo de pago ${twin.numero} con otros datos (${sayDifferences([difference])}): es un conflicto.`,
      );
    return completeReceipt(part, twin);
  }
  const found = await supplierOf(part, receipt, issuersOf(receipt, part));
  if ('problem' in found) return refused(found.problem);
  const supplierId = found.supplier.id;
  const { numero } = receipt;
  const own = { id: 0, supplierId, numero, isPlaced: false, isPaid: false };
  const lines = receipt.lines.map(
    ({ parcialidad: _parcialidad, ...line }): KnownLine => ({ ...line, ...own }),
  );
  const plan = await planLines(part, lines);
  const beyond = plan.lines.find(isBeyond);
  if (beyond) return refused(sayBeyond(beyond));
  const closed = plan.lines.find((line) => !line.payment && isClosed(line));
  if (closed) return refused(sayUnmade(closed));
  const { id, lineIds } = await writer.addReceipt(receipt, supplierId, xml);
  for (const [index, line] of lines.entries()) line.id = lineIds[index]!;
  settlements.addReceipt({ id, supplierId, uuid: receipt.uuid, numero, lines });
  const missing = placeLines(part, plan);
  const unknown = new Map(plan.unknown.map(({ why }) => [textWithIds(why), why])).values();
  const warnings = [...receipt.warnings, ...found.warnings, ...unknown, ...missing];
  return warnedOf({ outcome: 'created', warnings, receiptId: storedId(id) });
}

/** A receipt that is on file already: with a funding source, what was not captured then is now. */
async function completeReceipt(part: CfdiPart, receipt: KnownReceipt): Promise<Outcome> {
  const unchanged: Outcome = { outcome: 'unchanged', receiptId: storedId(receipt.id) };
  const open = receipt.lines.filter(({ isPaid }) => !isPaid);
  if (open.length === 0) return unchanged;
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

/** Real receipts come without the issuer's RFC; then it is who issued the invoices that they name. */
function issuersOf(receipt: CfdiReceipt, { issuers, invoices }: CfdiPart): readonly KnownSupplier[] {
  if (receipt.detail.emisor.rfc !== '') return issuers.of(receipt);
  const ids = new Set(
    receipt.lines.flatMap(({ invoiceUuid }) => invoices.named(invoiceUuid)?.supplierId ?? []),
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
  /** the payment that it tells of, where somebody has captured it */
  payment?: Payment;
  /**
   * what the rules of payments say: of the payment that nobody has captured, or of what the captured one becomes, whose
   * author knew only what left the bank; none: neither is to be
   */
  written?: WrittenPayment;
  /** what was owed before it */
  roomCents: Cents;
}

interface LinePlan {
  lines: PlannedLine[];
  /** lines that cannot go to an invoice */
  unknown: { line: KnownLine; why: Remark }[];
}

export const isMade = ({ written }: PlannedLine): boolean => written?.outcome === 'stored';

const codeOf = ({ written }: PlannedLine) =>
  written?.outcome === 'refused' ? (written.refused.code ?? '') : undefined;

export const isClosed = (line: PlannedLine): boolean => codeOf(line) === CLOSED;

export const isBeyond = (line: PlannedLine): boolean => !line.payment && codeOf(line) === 'overpayment';

const isUnmade = (line: PlannedLine): boolean => codeOf(line) !== undefined && codeOf(line) !== 'overpayment';

/** Asks the rules of payments about all before anything is stored, so that a receipt is taken as a whole. */
export async function planLines(part: CfdiPart, lines: readonly KnownLine[]): Promise<LinePlan> {
  const { db, invoices, settlements, payments } = part;
  const { fundingSourceId: origenderecursoId = null } = part.options;
  const plan: LinePlan = { lines: [], unknown: [] };
  const byInvoice = new Map<DocumentedInvoice, KnownLine[]>();
  for (const line of lines) {
    const invoice = invoices.named(line.invoiceUuid);
    if (!invoice) plan.unknown.push({ line, why: `La factura ${line.invoiceUuid} no está registrada.` });
    else if (invoice.supplierId !== line.supplierId)
      plan.unknown.push({
        line,
        why: remark`Nombra la factura ${labelOf(invoice)}, que es de otro proveedor.`,
      });
    else byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), line]);
  }
  await settlements.readPayments(db, byInvoice.keys(), payments);
  const trial = payments.trial(byInvoice.keys());
  for (const [invoice, own] of byInvoice) {
    const paidLines = own.map((line) => ({ line, paidOn: line.paidOn, ...settlementOf(line, invoice) }));
    const matched = matchLines(paidLines, settlements.freePayments(invoice.id), slackOf(invoice));
    const before = settlements.partsOf(invoice.id);
    for (const [index, one] of paidLines.entries()) {
      const { line } = one;
      const payment = matched.get(one);
      const roomCents = trial.pendingOf(invoice.id) + (payment?.amountCents ?? 0);
      const settles = closing(one, trial.pendingOf(invoice.id), invoice, before + index);
      const planned: PlannedLine = { line, invoice, settles, payment, roomCents };
      plan.lines.push(planned);
      if (payment) {
        if (!isBankAlone(one, payment)) continue;
        planned.written = trial.ask({ id: payment.id, ...closing(one, roomCents, invoice) }, payment);
      } else if (origenderecursoId !== null && settles.amountCents > 0)
        planned.written = trial.ask({
          facturaproveedorId: invoice.id,
          origenderecursoId,
          paymentdate: line.paidOn,
          ...settles,
          comments: `Recibo de pago ${line.numero}`.trim(),
        });
    }
  }
  return plan;
}

/** Stores what was planned. @returns warnings of payments that are missing, or that differ from their receipt */
export function placeLines(part: CfdiPart, plan: LinePlan): Remark[] {
  const { writer, settlements, payments } = part;
  const said: Remark[] = [];
  for (const planned of plan.lines) {
    const { line, invoice, payment, written, settles } = planned;
    if (payment) settlements.takePayment(payment);
    if (isUnmade(planned)) said.push(sayUnmade(planned));
    else if (codeOf(planned) !== undefined) said.push(sayBeyond(planned));
    else if (payment && isMade(planned)) said.push(sayMended(planned, payment.amountCents));
    else if (!payment && written?.outcome === 'stored') {
      settlements.countPart(invoice.id);
      said.push(...written.warnings.map(({ says }) => says));
    } else if (!payment && settles.amountCents > 0) said.push(sayMissing(planned));
    if (written) payments.accept(written);
    writer.placeLine(line, invoice, payment ?? (isMade(planned) ? (written as { id: number }) : undefined));
    line.isPlaced = true;
    line.isPaid = Boolean(payment) || isMade(planned);
  }
  return said;
}

function sayBeyond({ roomCents, ...planned }: PlannedLine): Remark {
  const payment = `El pago de ${sayAmount(planned)} del ${sayDate(planned.line.paidOn)}`;
  return remark`${payment} no cabe en lo que se debe de la factura ${labelOf(planned.invoice)}, ${formatMoney(roomCents)}.`;
}

/** A payment that stays as it is, or uncaptured, whatever its receipt says. */
function sayUnmade(planned: PlannedLine): Remark {
  const { line, invoice, payment, written } = planned;
  const what = remark`el pago de ${sayAmount(planned)} del ${sayDate(line.paidOn)} a la factura ${labelOf(invoice)}`;
  const why = (written as Extract<WrittenPayment, { outcome: 'refused' }>).refused.message;
  return remark`No se ${payment ? 'corrige' : 'captura'} ${what}. ${why}`;
}

const sayMissing = (planned: PlannedLine): Remark =>
  remark`Falta capturar el pago de ${sayAmount(planned)} del ${sayDate(planned.line.paidOn)} a la factura ${labelOf(planned.invoice)}.`;

const sayMended = (planned: PlannedLine, bankCents: Cents): Remark =>
  remark`El pago de ${formatMoney(bankCents)} a la factura ${labelOf(planned.invoice)} abona ahora ${sayAmount(planned)}, como dice su recibo; del banco salió lo mismo.`;

/** "$3,586,416.16 ($209,445.33 USD a 17.1234)". */
function sayAmount({ line, invoice, settles }: Omit<PlannedLine, 'roomCents'>): string {
  const amount = formatMoney(settles.amountCents);
  return line.pagado && line.moneda === invoice.moneda
    ? `${amount} (${ownAmount(line)} a ${invoice.tipocambio})`
    : amount;
}

function receiptDifference(stored: KnownReceipt, receipt: CfdiReceipt): Difference | undefined {
  const counts = [stored, receipt].map(({ lines }) => String(lines.length)) as [string, string];
  if (counts[0] !== counts[1]) return ['facturas que paga:', ...counts];
  for (const [index, line] of receipt.lines.entries()) {
    const other = stored.lines[index]!;
    if (line.invoiceUuid !== other.invoiceUuid) return ['factura', other.invoiceUuid, line.invoiceUuid];
    if (line.paidOn !== other.paidOn) return ['fecha de pago', sayDate(other.paidOn), sayDate(line.paidOn)];
    if (line.pagado !== other.pagado || line.amountCents !== other.amountCents)
      return ['pagado', sayPaid(other), sayPaid(line)];
  }
  return undefined;
}

const sayPaid = (line: ReceiptLine | KnownLine): string => ownAmount(line) ?? formatMoney(line.amountCents);
