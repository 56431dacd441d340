import { startInvoice } from './invoice.ts';
import { startPayment } from './payment.ts';

/** What script adds to a form with amounts; asked for by the loader as soon as the page is there. */
export function start(form: HTMLFormElement): void {
  if (form.dataset.live === 'invoice') startInvoice(form);
  else startPayment(form);
}
