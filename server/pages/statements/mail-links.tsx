import type { Payment } from '../../../shared/payments.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, readSettingsOnce, requireSession } from '../../http/session.ts';
import { composePaymentAdviceLetter, type Letter } from '../../services/mails/letters.ts';
import { readPaymentAdvice } from '../../services/statements/payment-advice.ts';

/** Whether the server sends this user's mails. If not, links open the user's own mail program, without the file. */
export const maySendMail = (c: AppContext): boolean =>
  c.get('deps').config.mail !== undefined && mayEnter('mail', requireSession(c).roles);

function mailtoHref({ to, subject, text }: Letter): string {
  const address = encodeURIComponent(to).replace('%40', '@');
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text)}`;
}

interface MailLinkProps {
  letter: Letter;
  pdf: string;
  /** the page from which the server sends the mail */
  sendingHref: string | false;
  label?: string;
  /** a word to show instead of the icon, for rows of tables */
  word?: string;
}

/** With script, the click that opens the mail program also downloads the PDF. Without script, a link downloads it. */
export const MailLink = ({ letter, pdf, sendingHref, label = 'Enviar por correo', word }: MailLinkProps) => (
  <LinkButton
    href={sendingHref || mailtoHref(letter)}
    icon={word ? undefined : 'mail'}
    look={word ? 'quiet' : undefined}
    data-also={sendingHref ? undefined : pdf}
    data-part={sendingHref ? undefined : ''}
    aria-label={label}
    data-tip={sendingHref ? label : 'Abre tu programa de correo; el PDF se descarga aparte, para adjuntarlo'}
  >
    {word ?? (
      <span>
        Enviar<span className="roomy">{label.slice('Enviar'.length)}</span>
      </span>
    )}
  </LinkButton>
);

export async function renderAdviceLinks(
  c: AppContext,
  { id: paymentId, facturaproveedorId, paymentdate }: Payment,
) {
  const { db } = c.get('deps');
  const ofDay = await readPaymentAdvice(db, { invoiceId: facturaproveedorId, date: paymentdate });
  const { supplier, date } = ofDay;
  const payments = ofDay.payments.filter(({ id }) => id === paymentId);
  const { empresa } = await readSettingsOnce(c);
  const pdf = pages.paymentAdvice(paymentId);
  const dayPdf = withQuery(pages.supplierAdvice(supplier.id), { fecha: date });
  const sending = maySendMail(c) && pages.sendAdvice(paymentId);
  return (
    <>
      <LinkButton href={pdf}>
        <span>
          Aviso<span className="roomy"> de pago</span>
        </span>
      </LinkButton>
      <MailLink
        letter={composePaymentAdviceLetter({ ...ofDay, payments }, empresa)}
        pdf={pdf}
        sendingHref={sending}
      />
      {ofDay.payments.length > payments.length && (
        <>
          <LinkButton href={dayPdf}>
            <span>
              Aviso del día ({ofDay.payments.length}
              <span className="roomy"> pagos</span>)
            </span>
          </LinkButton>
          <MailLink
            letter={composePaymentAdviceLetter(ofDay, empresa)}
            pdf={dayPdf}
            sendingHref={sending && withQuery(sending, { dia: 'true' })}
            label="Enviar el del día por correo"
          />
        </>
      )}
    </>
  );
}
