import { type PlainDate, sayDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import { warnOfEarly } from '../../../shared/payments.ts';
import { type Remark, remark, textWithIds, withCode } from '../../../shared/remarks.ts';
import type { CfdiReceipt } from '../../formats/cfdi/candidates.ts';
import { ownAmount, type ReceiptLine } from '../../formats/cfdi/payment-receipts.ts';
import { isClosed, sayClosed } from '../closing/closing.ts';
import { numberOrId } from '../invoices/rules.ts';
import { besideBatches, type Committed } from '../payment-batches/committed.ts';
import { matchLines } from '../payment-receipts.ts';
import { closing, isBankAlone, type Settlement, settlementOf, slackOf } from '../payments/settlement.ts';
import { type Difference, sayDifferences } from './differences.ts';
import {
  type ImportContext,
  type Outcome,
  type Reading,
  refused,
  supplierOf,
  told,
} from './import-context.ts';
import { label } from './judging.ts';
import type { KnownInvoice, KnownOnFile, KnownSupplier } from './known-invoices.ts';
import type { FreePayment, KnownLine, KnownReceipt, PlannedPayment } from './known-settlements.ts';

/** A receipt is stored once, and each of its lines finds its invoice, and the payment that it tells of. */
export async function settleReceipt(
  context: ImportContext,
  { receipt }: Reading<'receipt'>,
): Promise<Outcome> {
  const { known, settlements, store } = context;
  const twin = settlements.receiptOf(receipt.uuid);
  if (twin) {
    const difference = receiptDifference(twin, receipt);
    if (difference)
      return refused(
        `El mismo UUID ya está en el recibo de pago ${twin.numero} con otros datos (${sayDifferences([difference])}): es un conflicto.`,
      );
    return completeReceipt(context, twin);
  }
  const found = await supplierOf(context, receipt, issuersOf(receipt, known));
  if ('problem' in found) return refused(found.problem);
  const supplierId = found.supplier.id;
  const lines: KnownLine[] = receipt.lines.map(({ parcialidad: _parcialidad, ...line }) => ({
    ...line,
    id: undefined,
    supplierId,
    numero: receipt.numero,
    isPlaced: false,
    isPaid: false,
  }));
  const plan = await planLines(context, lines);
  const beyond = plan.lines.find(({ roomCents }) => roomCents !== undefined);
  if (beyond) return refused(sayBeyond(beyond));
  const closed = plan.lines.find(({ isWanted, closedDay }) => isWanted && closedDay);
  if (closed) return refused(sayUnmade(context, closed));
  const { id, lineIds } = await store.addReceipt(receipt, supplierId);
  for (const [index, line] of lines.entries()) line.id = lineIds[index];
  settlements.addReceipt({ id, supplierId, uuid: receipt.uuid, numero: receipt.numero, lines });
  const missing = await placeLines(context, plan);
  const unknown = new Map(plan.unknown.map(({ why }) => [textWithIds(why), why])).values();
  return { ...told([...receipt.warnings, ...found.warnings, ...unknown, ...missing]), receiptId: id };
}

/** A receipt that is on file already: with a funding source, what was not captured then is now. */
async function completeReceipt(context: ImportContext, receipt: KnownReceipt): Promise<Outcome> {
  const unchanged: Outcome = { outcome: 'unchanged', receiptId: receipt.id };
  const open = receipt.lines.filter(({ isPaid }) => !isPaid);
  if (open.length === 0) return unchanged;
  const plan = await planLines(context, open);
  const paid = plan.lines.filter(({ payment, isCreated }) => payment || isCreated);
  const closed = plan.lines.find(({ closedDay }) => closedDay);
  const programmed = plan.lines.find((line) => line.programmed);
  if (paid.length === 0) {
    if (closed) return refused(sayUnmade(context, closed));
    if (!programmed) return unchanged;
    return { ...unchanged, outcome: 'warned', warnings: [sayUnmade(context, programmed)], linked: true };
  }
  const missing = await placeLines(context, plan);
  const amount = formatMoney(paid.reduce((sum, { settles }) => sum + settles.amountCents, 0));
  const completed = `El recibo ya estaba; faltaban pagos por ${amount} y se registraron.`;
  const warnings = [withCode(completed, 'receipt_completed'), ...missing];
  return { outcome: 'warned', warnings, linked: true, receiptId: receipt.id };
}

/** Real receipts come without the issuer's RFC; then it is who issued the invoices that they name. */
function issuersOf(receipt: CfdiReceipt, known: KnownOnFile): readonly KnownSupplier[] {
  if (receipt.detail.emisor.rfc !== '') return known.suppliersOf(receipt);
  const ids = new Set(
    receipt.lines.flatMap(({ invoiceUuid }) => known.invoices.named(invoiceUuid)?.supplierId ?? []),
  );
  const [id] = ids;
  return id === undefined || ids.size > 1
    ? []
    : [{ id, suppliername: receipt.suppliername, rfc: null, diascredito: 0 }];
}

interface PlannedLine extends PlannedPayment {
  payment?: FreePayment;
  /** what the payment becomes: whoever captured it knew only what left the bank */
  mends?: Settlement;
  /** nobody has captured the payment, and it is to be */
  isWanted: boolean;
  isCreated: boolean;
  /** of a payment that a closed period keeps from being captured, or mended */
  closedDay?: PlainDate;
  /** the bank was sent what it takes */
  programmed?: Committed;
  /** what else its author should know, once it is captured */
  warnings: readonly string[];
  /** what is owed, where the payment no longer fits into it */
  roomCents?: Cents;
}

interface LinePlan {
  lines: PlannedLine[];
  /** lines that cannot go to an invoice */
  unknown: { line: KnownLine; why: Remark }[];
}

/** Decides all before anything is stored, so that a receipt is taken as a whole. */
export async function planLines(context: ImportContext, lines: readonly KnownLine[]): Promise<LinePlan> {
  const plan: LinePlan = { lines: [], unknown: [] };
  const byInvoice = new Map<KnownInvoice, KnownLine[]>();
  for (const line of lines) {
    const invoice = context.known.invoices.named(line.invoiceUuid);
    if (!invoice) plan.unknown.push({ line, why: `La factura ${line.invoiceUuid} no está registrada.` });
    else if (invoice.supplierId !== line.supplierId)
      plan.unknown.push({ line, why: remark`Nombra ${label(invoice)}, que es de otro proveedor.` });
    else byInvoice.set(invoice, [...(byInvoice.get(invoice) ?? []), line]);
  }
  await context.settlements.readPayments(
    context.db,
    [...byInvoice.keys()].flatMap(({ id }) => id ?? []),
  );
  for (const [invoice, own] of byInvoice) {
    const free = invoice.id === undefined ? [] : context.settlements.freePayments(invoice.id);
    const told = own.map((line) => ({ line, paidOn: line.paidOn, ...settlementOf(line, invoice) }));
    const matched = matchLines(told, free, slackOf(invoice));
    let room = invoice.totalCents - invoice.paidCents;
    const before = context.settlements.partsOf(invoice.id);
    const committed = context.settlements.committedOf(invoice.id);
    for (const [index, one] of told.entries()) {
      const { line } = one;
      const payment = matched.get(one);
      const settles = closing(one, room, invoice, before + index);
      const isWanted = !payment && context.fundingSourceId !== null && settles.amountCents > 0;
      const isFitting = settles.amountCents <= room;
      const wouldMend = payment && mended(one, payment, room, invoice);
      const takes = wouldMend ? wouldMend.amountCents - payment.amountCents : settles.amountCents;
      const isMade = wouldMend ? takes > 0 : isWanted && isFitting;
      const { sent: programmed, warnings } = besideBatches(isMade ? committed : [], room - takes, invoice);
      const day = wouldMend ? payment.paymentdate : isWanted ? line.paidOn : undefined;
      const closedDay = day && isClosed(day, context.closing) ? day : undefined;
      const isCreated = isWanted && isFitting && !closedDay && !programmed;
      if (isCreated) room -= settles.amountCents;
      const roomCents = isWanted && !isFitting ? room : undefined;
      const mends = closedDay || programmed ? undefined : wouldMend;
      if (mends && payment) room -= mends.amountCents - payment.amountCents;
      plan.lines.push({
        line,
        invoice,
        settles,
        payment,
        mends,
        isWanted,
        isCreated,
        closedDay,
        programmed,
        roomCents,
        warnings: isCreated ? [...warnings, ...warnOfEarly(line.paidOn, invoice.fechaemision)] : [],
      });
    }
  }
  return plan;
}

/** Where it settles another amount than its receipt says, and that fits. */
function mended(
  told: Settlement,
  payment: FreePayment,
  roomCents: Cents,
  invoice: KnownInvoice,
): Settlement | undefined {
  if (!isBankAlone(told, payment)) return undefined;
  const settles = closing(told, roomCents + payment.amountCents, invoice);
  return settles.amountCents - payment.amountCents <= roomCents ? settles : undefined;
}

function sayBeyond({ roomCents = 0, ...planned }: PlannedLine): Remark {
  const { line, invoice } = planned;
  const payment = `El pago de ${sayAmount(planned)} del ${sayDate(line.paidOn)}`;
  return remark`${payment} no cabe en lo que se debe de ${label(invoice)}, ${formatMoney(roomCents)}.`;
}

/** A payment that stays as it is, or uncaptured, whatever its receipt says. */
function sayUnmade({ closing }: ImportContext, planned: PlannedLine): Remark {
  const { line, invoice, closedDay, programmed, payment } = planned;
  const what = remark`el pago de ${sayAmount(planned)} del ${sayDate(line.paidOn)} a ${label(invoice)}`;
  const why = closedDay
    ? sayClosed(closedDay, closing)
    : batchTexts.inOpenBatch(numberOrId(invoice.numfactura, invoice.id), programmed!);
  return remark`No se ${payment ? 'corrige' : 'captura'} ${what}. ${why}`;
}

/** @returns what is said of payments that nobody has captured, or not as the receipt tells of them */
export async function placeLines(context: ImportContext, plan: LinePlan): Promise<Remark[]> {
  const { store, settlements, fundingSourceId } = context;
  const said: Remark[] = [];
  for (const planned of plan.lines) {
    const { line, invoice, payment, mends, isCreated, closedDay, programmed, roomCents } = planned;
    const isKept = closedDay !== undefined || programmed !== undefined;
    let paymentId = payment?.id ?? null;
    if (payment) settlements.takePayment(payment);
    if (isKept) said.push(sayUnmade(context, planned));
    else if (payment && !mends && isBankAlone(settlementOf(line, invoice), payment))
      said.push(
        sayBeyond({ ...planned, roomCents: invoice.totalCents - invoice.paidCents + payment.amountCents }),
      );
    if (payment && mends) {
      await store.changePayment(payment.id, mends);
      invoice.paidCents += mends.amountCents - payment.amountCents;
      said.push(sayMended(planned, payment.amountCents));
    }
    if (isCreated) {
      paymentId = (await store.addPayment(planned, fundingSourceId!)) ?? null;
      invoice.paidCents += planned.settles.amountCents;
      settlements.countPart(invoice.id);
      said.push(...planned.warnings);
    } else if (!payment && !isKept && planned.settles.amountCents > 0) {
      said.push(roomCents === undefined ? sayMissing(planned) : sayBeyond(planned));
    }
    await store.placeLine(line, invoice, paymentId);
    line.isPlaced = true;
    line.isPaid = Boolean(payment) || isCreated;
  }
  return said;
}

const sayMissing = (planned: PlannedLine): Remark =>
  remark`Falta capturar el pago de ${sayAmount(planned)} del ${sayDate(planned.line.paidOn)} a ${label(planned.invoice)}.`;

const sayMended = (planned: PlannedLine, bankCents: Cents): Remark =>
  remark`El pago de ${formatMoney(bankCents)} a ${label(planned.invoice)} abona ahora ${sayAmount(planned)}, como dice su recibo; del banco salió lo mismo.`;

/** "$3,586,416.16 ($209,445.33 USD a 17.1234)". */
function sayAmount({ line, invoice, settles }: PlannedPayment): string {
  const amount = formatMoney(settles.amountCents);
  return line.pagado && line.moneda === invoice.moneda
    ? `${amount} (${ownAmount(line)} a ${invoice.tipocambio})`
    : amount;
}

/** In its number of lines, else in the first line that differs. */
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
