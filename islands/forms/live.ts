import { startInvoice } from './invoices.ts';
import { startPayment } from './payments.ts';

const started = new WeakSet<HTMLFormElement>();

/** What script adds to a form with amounts; asked for by the loader as soon as the page is there, and once. */
export function start(form: HTMLFormElement): void {
  if (started.has(form)) return;
  started.add(form);
  if (form.dataset.live === 'invoice') startInvoice(form);
  else startPayment(form);
}
