import { sayDate } from '../../../shared/dates.ts';
import { shownNumber } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Statement } from '../../../shared/statements.ts';
import type { PaymentAdvice } from '../../services/statements/advice.ts';

/** Of what is listed one by one: an address may not be as long as one likes. */
const MOST_NAMED = 8;

/** A letter in the reader's own mail program; what goes with it is downloaded, and added there. */
function letter(to: string, subject: string, lines: readonly string[], empresa: string): string {
  const body = [...lines, ...(empresa ? ['', empresa] : [])].join('\r\n');
  const address = encodeURIComponent(to).replace('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

export function mailStatement(
  { supplier, from, to, closingCents, aging, owed }: Statement,
  empresa: string,
): string {
  const period = from === null ? `al ${sayDate(to)}` : `del ${sayDate(from)} al ${sayDate(to)}`;
  const overdue = closingCents - aging.notDueCents;
  const due = owed
    .slice(0, MOST_NAMED)
    .map(
      ({ numfactura, pendingCents, vence }) =>
        `- ${shownNumber(numfactura)}: ${formatMoney(pendingCents)}, vence el ${sayDate(vence)}`,
    );
  const rest = owed.length - due.length;
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `Adjunto su estado de cuenta ${period}.`,
    `El saldo es ${formatMoney(closingCents)}${overdue > 0 ? `, de los que están vencidos ${formatMoney(overdue)}` : ''}.`,
    ...due,
    ...(rest > 0 ? [`- y ${rest} más, en el documento`] : []),
    'Si algo no coincide con sus registros, por favor respondan a este correo.',
  ];
  return letter(supplier.suppliercontactemail, `Estado de cuenta ${period}`, lines, empresa);
}

export function mailAdvice({ supplier, date, payments }: PaymentAdvice, empresa: string): string {
  const paid = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const named = payments
    .slice(0, MOST_NAMED)
    .map(
      ({ numfactura, amountCents, restCents }) =>
        `- ${shownNumber(numfactura)}: ${formatMoney(amountCents)}, resta ${formatMoney(restCents)}`,
    );
  const rest = payments.length - named.length;
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `El ${sayDate(date)} les pagamos ${formatMoney(paid)}; adjunto el aviso.`,
    ...named,
    ...(rest > 0 ? [`- y ${rest} más, en el documento`] : []),
    ...(payments.some(({ needsReceipt }) => needsReceipt)
      ? ['Falta su recibo electrónico de pago (REP).']
      : []),
  ];
  return letter(supplier.suppliercontactemail, `Aviso de pago del ${sayDate(date)}`, lines, empresa);
}
