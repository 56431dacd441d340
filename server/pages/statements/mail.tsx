import type { Db } from '../../../db/schema.ts';
import { formatLongDate } from '../../../shared/dates.ts';
import { shownNumber } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { type PaymentAdvice, readPaymentAdvice } from '../../services/statements/advice.ts';
import type { Statement } from '../../services/statements/reading.ts';

/** Rows listed in a letter; further ones are counted, since the length of an address is limited. */
const MAX_NAMED = 8;

/** A mailto address. The user has to attach the file in the mail program. */
function mailtoAddress(to: string, subject: string, lines: readonly string[], empresa: string): string {
  const body = [...lines, ...(empresa ? ['', empresa] : [])].join('\r\n');
  const address = encodeURIComponent(to).replace('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}

function listLines<Row>(rows: readonly Row[], textOf: (row: Row) => string): string[] {
  const rest = rows.length - MAX_NAMED;
  const lines = rows.slice(0, MAX_NAMED).map((row) => `- ${textOf(row)}`);
  return rest > 0 ? [...lines, `- y ${rest} más, en el documento`] : lines;
}

export function statementMailto(
  { supplier, from, to, closingCents, aging, owed }: Statement,
  empresa: string,
): string {
  const period =
    from === null ? `al ${formatLongDate(to)}` : `del ${formatLongDate(from)} al ${formatLongDate(to)}`;
  const overdue = closingCents - aging.notDueCents;
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `Adjunto su estado de cuenta ${period}.`,
    `El saldo es ${formatMoney(closingCents)}${overdue > 0 ? `, de los que están vencidos ${formatMoney(overdue)}` : ''}.`,
    ...listLines(
      owed,
      ({ numfactura, pendingCents, vence }) =>
        `${shownNumber(numfactura)}: ${formatMoney(pendingCents)}, vence el ${formatLongDate(vence)}`,
    ),
    'Si algo no coincide con sus registros, por favor respondan a este correo.',
  ];
  return mailtoAddress(supplier.suppliercontactemail, `Estado de cuenta ${period}`, lines, empresa);
}

function adviceMailto({ supplier, date, payments }: PaymentAdvice, empresa: string): string {
  const paid = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const lines = [
    `${supplier.suppliername}:`,
    '',
    `El ${formatLongDate(date)} les pagamos ${formatMoney(paid)}; adjunto el aviso.`,
    ...listLines(
      payments,
      ({ numfactura, amountCents, restCents }) =>
        `${shownNumber(numfactura)}: ${formatMoney(amountCents)}, resta ${formatMoney(restCents)}`,
    ),
    ...(payments.some(({ needsReceipt }) => needsReceipt)
      ? ['Falta su recibo electrónico de pago (REP).']
      : []),
  ];
  return mailtoAddress(
    supplier.suppliercontactemail,
    `Aviso de pago del ${formatLongDate(date)}`,
    lines,
    empresa,
  );
}

interface MailLinkProps {
  letter: string;
  pdf: string;
  label?: string;
}

/** With script the same click downloads the PDF to attach; without it there is a second link for that. */
export const MailLink = ({ letter, pdf, label = 'Enviar por correo' }: MailLinkProps) => (
  <LinkButton
    href={letter}
    icon="mail"
    data-also={pdf}
    data-part=""
    aria-label={label}
    data-tip="Abre tu programa de correo; el PDF se descarga aparte, para adjuntarlo"
  >
    <span className="roomy">{label}</span>
  </LinkButton>
);

export async function renderAdviceLinks(db: Db, paymentId: number) {
  const advice = await readPaymentAdvice(db, { paymentIds: [paymentId] });
  const { supplier, date, payments } = advice;
  const ofDay = await readPaymentAdvice(db, { supplierId: supplier.id, date });
  const { empresa } = await readSettings(db);
  const pdf = pages.paymentAdvice(paymentId);
  const dayPdf = withQuery(pages.supplierAdvice(supplier.id), { fecha: date });
  return (
    <>
      <LinkButton href={pdf}>
        <span>
          Aviso<span className="roomy"> de pago</span>
        </span>
      </LinkButton>
      <MailLink letter={adviceMailto(advice, empresa)} pdf={pdf} />
      {ofDay.payments.length > payments.length && (
        <>
          <LinkButton href={dayPdf}>
            <span>
              Aviso del día ({ofDay.payments.length}
              <span className="roomy"> pagos</span>)
            </span>
          </LinkButton>
          <MailLink letter={adviceMailto(ofDay, empresa)} pdf={dayPdf} label="Enviar el del día por correo" />
        </>
      )}
    </>
  );
}
