import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Statement } from '../../../shared/statements.ts';

/** A letter in the reader's own mail program; the PDF is added there. */
export function mailStatement({ supplier, from, to, closingCents }: Statement): string {
  const period = from === null ? `al ${formatDate(to)}` : `del ${formatDate(from)} al ${formatDate(to)}`;
  const subject = `Estado de cuenta ${period}`;
  const body = [
    `${supplier.suppliername}:`,
    '',
    `Adjunto su estado de cuenta ${period}. El saldo es ${formatMoney(closingCents)}.`,
    'Si algo no coincide con sus registros, por favor respondan a este correo.',
  ].join('\r\n');
  const address = encodeURIComponent(supplier.suppliercontactemail).replace('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
