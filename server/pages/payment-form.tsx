import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../db/schema.ts';
import PaymentForm, { type PaidInvoice } from '../../islands/PaymentForm.tsx';
import type { PickerFallback } from '../../islands/pickers/PickerField.tsx';
import { fundingSources } from '../../shared/catalogs/funding-sources.ts';
import { formatDate } from '../../shared/dates.ts';
import type { DomainError } from '../../shared/errors.ts';
import type { Invoice } from '../../shared/invoices.ts';
import { moneyText } from '../../shared/money.ts';
import {
  PAYMENT_FIELDS,
  type Payment,
  type PaymentField,
  type PaymentTexts,
  paymentTexts,
} from '../../shared/payments.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { pages } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import { openInvoiceNames } from '../services/invoice-finding.ts';
import { getInvoice } from '../services/invoice-reading.ts';
import { catalogFallback, catalogPicker, chosenName, invoicePicker, MOST_OPTIONS } from './pickers.ts';
import { StaleFields } from './stale.tsx';

export interface PaymentFormState {
  /** what was posted; on a first showing what the form starts with */
  values: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

/** The form with its messages: the alert, the other author's values after a stale save, the fields. */
export async function renderPaymentForm(
  db: Db,
  { values, problem }: PaymentFormState,
  { action, hidden, payment }: { action: string; hidden: Record<string, string>; payment?: Payment },
) {
  const texts = Object.fromEntries(PAYMENT_FIELDS.map((name) => [name, values[name] ?? ''])) as PaymentTexts;
  const invoice = await invoiceOf(db, texts.facturaproveedorId);
  const source = await chosenName(db, fundingSources, idIn(texts.origenderecursoId));
  return (
    <>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {problem?.kind === 'stale' && payment && (
        <StaleFields rows={await compare(db, payment, texts)} reload={pages.editPayment(payment.id)} />
      )}
      <Island
        of={PaymentForm}
        on="idle"
        props={{
          action,
          back: pages.payments,
          hidden,
          values: texts,
          errors: problem?.fields ?? {},
          pickers: {
            facturaproveedorId: {
              picker: invoicePicker,
              chosen: invoice && nameOf(invoice),
              noscript: await invoiceFallback(db, invoice, values.numfactura),
            },
            origenderecursoId: {
              picker: catalogPicker(fundingSources),
              chosen: source,
              noscript: await catalogFallback(db, fundingSources, source ?? values.origenderecursonombre),
            },
          },
          invoice: invoice && shownInvoice(invoice),
          former: payment && {
            invoiceId: payment.facturaproveedorId,
            amountCents: payment.amountCents,
            createdLine: paymentTexts.createdLine(formatDate(payment.createdAt.slice(0, 10))),
            note: paymentTexts.pendingIncludes,
          },
        }}
      />
    </>
  );
}

/** A payment as its form shows it. */
export const formTexts = (payment: Payment): PaymentTexts => ({
  facturaproveedorId: String(payment.facturaproveedorId),
  origenderecursoId: String(payment.origenderecursoId ?? ''),
  checknum: payment.checknum,
  paymentdate: payment.paymentdate,
  paymentamount: moneyText(payment.amountCents),
  comments: payment.comments,
});

const nameOf = (invoice: Pick<Invoice, 'id' | 'numfactura'>) => invoice.numfactura || `#${invoice.id}`;

const idIn = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) || null : null);

async function invoiceOf(db: Db, text: string): Promise<Invoice | null> {
  const id = idIn(text);
  return id === null ? null : getInvoice(db, id).catch(() => null);
}

const shownInvoice = (invoice: Invoice): PaidInvoice => ({
  id: invoice.id,
  totalCents: invoice.totalCents,
  paidCents: invoice.paidCents,
  suppliername: invoice.suppliername,
  rfc: invoice.rfc ?? '',
  jobtitle: invoice.jobtitle,
  nombrerubro: invoice.nombrerubro ?? '',
});

/** Without script: the open invoices to choose from, or a field for the number. */
async function invoiceFallback(db: Db, invoice: Invoice | null, typed = ''): Promise<PickerFallback> {
  const options = await openInvoiceNames(db, MOST_OPTIONS);
  if (!options) {
    const value = invoice ? `#${invoice.id}` : typed;
    return { name: 'numfactura', value, placeholder: 'Número de factura' };
  }
  // a paid one that is chosen stays to choose
  if (invoice && !options.some((option) => option.value === invoice.id))
    options.unshift({ value: invoice.id, label: `${nameOf(invoice)} · ${invoice.suppliername}` });
  return { options };
}

const LABELS: PaymentTexts = {
  facturaproveedorId: 'Factura',
  origenderecursoId: 'Origen de recurso',
  checknum: 'Número de cheque',
  paymentdate: 'Fecha de pago',
  paymentamount: 'Cantidad pagada',
  comments: 'Observaciones',
};

/** What is stored now beside what was typed, where they differ. */
async function compare(db: Db, payment: Payment, typed: PaymentTexts) {
  const stored = formTexts(payment);
  const shown = async (name: PaymentField, text: string) => {
    if (name === 'origenderecursoId') return (await chosenName(db, fundingSources, idIn(text))) ?? '';
    if (name !== 'facturaproveedorId') return text;
    const invoice = await invoiceOf(db, text);
    return invoice ? nameOf(invoice) : text;
  };
  const rows: { label: string; stored: string; yours: string }[] = [];
  for (const name of PAYMENT_FIELDS) {
    if (stored[name] === typed[name].trim()) continue;
    rows.push({
      label: LABELS[name],
      stored: await shown(name, stored[name]),
      yours: await shown(name, typed[name]),
    });
  }
  return rows;
}
