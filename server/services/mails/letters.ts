import { formatLongDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { ReceiptsDue } from '../fiscal/receipts-due.ts';
import {
  type AdvisedPayment,
  describeForeignPaid,
  type PaymentAdvice,
} from '../statements/payment-advice.ts';
import type { SupplierStatement } from '../statements/supplier-statement.ts';

export interface Letter {
  to: string;
  subject: string;
  text: string;
}

/** Rows listed in a letter; further ones are counted, since the length of a mailto address is limited. */
const MAX_LETTER_ROWS = 8;

function formatListLines<Row>(rows: readonly Row[], textOf: (row: Row) => string): string[] {
  const rest = rows.length - MAX_LETTER_ROWS;
  const lines = rows.slice(0, MAX_LETTER_ROWS).map((row) => `- ${textOf(row)}`);
  return rest > 0 ? [...lines, `- y ${rest} más, en el documento`] : lines;
}

const joinLinesAndFirmName = (lines: readonly string[], empresa: string): string =>
  [...lines, ...(empresa ? ['', empresa] : [])].join('\r\n');

export function composeSupplierStatementLetter(
  { supplier, from, to, closingCents, aging, owed }: SupplierStatement,
  empresa: string,
): Letter {
  const period =
    from === null ? `al ${formatLongDate(to)}` : `del ${formatLongDate(from)} al ${formatLongDate(to)}`;
  const overdue = closingCents - aging.notDueCents;
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `Adjunto su estado de cuenta ${period}.`,
    `El saldo es ${formatMoney(closingCents)}${overdue > 0 ? `, de los que están vencidos ${formatMoney(overdue)}` : ''}.`,
    ...formatListLines(
      owed,
      ({ numfactura, pendingCents, vence }) =>
        `${invoiceNumberText(numfactura)}: ${formatMoney(pendingCents)}, vence el ${formatLongDate(vence)}`,
    ),
    'Si algo no coincide con sus registros, por favor respondan a este correo.',
  ];
  const subject = `Estado de cuenta ${period}`;
  return { to: supplier.suppliercontactemail, subject, text: joinLinesAndFirmName(lines, empresa) };
}

function formatAdvisedPayment(payment: AdvisedPayment): string {
  const foreign = describeForeignPaid(payment);
  return formatMoney(payment.amountCents) + (foreign ? ` (${foreign})` : '');
}

export function composePaymentAdviceLetter(
  { supplier, date, payments }: PaymentAdvice,
  empresa: string,
): Letter {
  const paid = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `El ${formatLongDate(date)} les pagamos ${formatMoney(paid)}; adjunto el aviso.`,
    ...formatListLines(
      payments,
      (payment) =>
        `${invoiceNumberText(payment.numfactura)}: ${formatAdvisedPayment(payment)}, resta ${formatMoney(payment.restCents)}`,
    ),
    ...(payments.some(({ needsReceipt }) => needsReceipt)
      ? ['Falta su recibo electrónico de pago (REP).']
      : []),
  ];
  const subject = `Aviso de pago del ${formatLongDate(date)}`;
  return { to: supplier.suppliercontactemail, subject, text: joinLinesAndFirmName(lines, empresa) };
}

export const RECEIPTS_REQUEST_SUBJECT_PREFIX = 'REP pendientes al ';

export function composeReceiptsRequestLetter(
  supplier: SupplierStatement['supplier'],
  { corte, rows, faltaCents }: ReceiptsDue,
  empresa: string,
): Letter {
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `Nos falta su recibo electrónico de pago (REP) de ${formatMoney(faltaCents)}; adjunto los pagos, con sus UUID.`,
    ...formatListLines(
      rows,
      ({ fecha, uuid, numfactura, faltaCents: cents, enSuMoneda }) =>
        `${formatLongDate(fecha)}, ${uuid ?? invoiceNumberText(numfactura)}: ${formatMoney(cents)}${enSuMoneda ? ` (${enSuMoneda})` : ''}`,
    ),
    'Por favor envíen sus XML, o respondan a este correo.',
  ];
  const subject = RECEIPTS_REQUEST_SUBJECT_PREFIX + formatLongDate(corte);
  return { to: supplier.suppliercontactemail, subject, text: joinLinesAndFirmName(lines, empresa) };
}
