import type { Db } from '../../../db/schema.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { type PaymentAdvice, readAdvice } from '../../services/statements/advice.ts';
import { mailAdvice } from './mail.ts';
import { MailLink } from './mail-link.tsx';

/** One letter of all that a supplier was paid on a day, where that is more than what is shown. */
export async function renderDayAdvice(db: Db, { supplier, date, payments }: PaymentAdvice) {
  const ofDay = await readAdvice(db, { supplierId: supplier.id, date });
  if (ofDay.payments.length <= payments.length) return null;
  const pdf = withQuery(pages.supplierAdvice(supplier.id), { fecha: date });
  const { empresa } = await readSettings(db);
  return (
    <>
      <LinkButton href={pdf}>Aviso del día ({ofDay.payments.length} pagos)</LinkButton>
      <MailLink letter={mailAdvice(ofDay, empresa)} pdf={pdf} says="Enviar el del día por correo" />
    </>
  );
}
