import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../../db/schema.ts';
import type { PickerFallback } from '../../../islands/pickers/PickerField.tsx';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { formatDate, isPlainDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { type Invoice, pendingOf } from '../../../shared/invoices.ts';
import { formatMoney, moneyText } from '../../../shared/money.ts';
import {
  type KnownOfPayment,
  PAYMENT_FIELDS,
  type Payment,
  type PaymentField,
  type PaymentTexts,
  paymentTexts,
} from '../../../shared/payments.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages } from '../../../shared/urls.ts';
import { openInvoiceNames } from '../../services/invoices/finding.ts';
import { getInvoice } from '../../services/invoices/reading.ts';
import { AmountsForm, EnterSaves, FormActions, fieldErrors, idIn } from '../ui/amounts.tsx';
import { catalogFallback, catalogPicker, chosenName, invoicePicker, MOST_OPTIONS } from '../ui/pickers.ts';
import { asMoney } from '../ui/posted.ts';
import { StaleFields } from '../ui/stale.tsx';
import { PAYMENT_LABELS, PaymentFields } from './fields.tsx';

const FORM = 'payment-form';

export interface PaymentFormState {
  /** what was posted; on a first showing what the form starts with */
  values: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

interface Around {
  action: string;
  hidden: Record<string, string>;
  /** that is edited; none: a new one */
  payment?: Payment;
}

/** The form with its messages: the alert, the other author's values after a stale save, the fields. */
export async function renderPaymentForm(
  db: Db,
  { values, problem }: PaymentFormState,
  { action, hidden, payment }: Around,
) {
  const texts = Object.fromEntries(PAYMENT_FIELDS.map((name) => [name, values[name] ?? ''])) as PaymentTexts;
  const invoice = await invoiceOf(db, texts.facturaproveedorId);
  const source = await chosenName(db, fundingSources, idIn(texts.origenderecursoId));
  const former = payment && {
    invoiceId: payment.facturaproveedorId,
    amountCents: payment.amountCents,
    createdLine: paymentTexts.createdLine(formatDate(payment.createdAt.slice(0, 10))),
  };
  const isFormer = invoice !== null && invoice.id === former?.invoiceId;
  const payable = invoice ? pendingOf(invoice) + (isFormer ? former.amountCents : 0) : 0;
  const isPaid = invoice !== null && payable === 0;
  const errors = fieldErrors(problem, paymentTexts.required, texts, {
    [paymentTexts.beyondTotal]: `A lo más ${formatMoney(payable)}.`,
  });
  if (isPaid) {
    if (problem?.code === 'overpayment') delete errors.paymentamount;
    errors.facturaproveedorId ??= paymentTexts.alreadyPaid;
  }
  const known: KnownOfPayment = { payable, former };
  return (
    <>
      {problem && <Alert tone="error">{problem.message}</Alert>}
      {problem?.kind === 'stale' && payment && (
        <StaleFields
          rows={await compare(db, payment, texts, values)}
          reload={pages.editPayment(payment.id)}
          form={FORM}
        />
      )}
      <AmountsForm id={FORM} action={action} hidden={hidden} live="payment" data={known}>
        <EnterSaves />
        <PaymentFields
          values={texts}
          errors={errors}
          focus={firstField(texts, errors, !payment)}
          pickers={{
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
          }}
          invoice={invoice}
          former={former}
        />
        <FormActions next={payment ? undefined : 'Guardar y nuevo'} back={pages.payments} />
      </AmountsForm>
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

/** The first wrong field; on a fresh screen the invoice, and once it is chosen the amount. */
function firstField(values: PaymentTexts, errors: Partial<Record<string, string>>, isNew: boolean) {
  const wrong = PAYMENT_FIELDS.find((name) => errors[name]);
  if (wrong || !isNew) return wrong;
  return values.facturaproveedorId ? 'paymentamount' : 'facturaproveedorId';
}

const nameOf = (invoice: Pick<Invoice, 'id' | 'numfactura'>) => invoice.numfactura || `#${invoice.id}`;

async function invoiceOf(db: Db, text: string): Promise<Invoice | null> {
  const id = idIn(text);
  return id === null ? null : getInvoice(db, id).catch(() => null);
}

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

/** What is stored now beside what was typed, as people read it, where they differ. */
async function compare(
  db: Db,
  payment: Payment,
  typed: PaymentTexts,
  posted: PaymentFormState['values'],
): Promise<{ label: string; stored: string; yours: string }[]> {
  const stored = formTexts(payment);
  const shown = async (name: PaymentField, texts: PaymentTexts) => {
    const text = texts[name].trim();
    if (name === 'origenderecursoId') return (await chosenName(db, fundingSources, idIn(text))) ?? '';
    if (name === 'paymentamount') return asMoney(text);
    if (name !== 'facturaproveedorId') return isPlainDate(text) ? formatDate(text) : text;
    const invoice = await invoiceOf(db, text);
    return invoice ? nameOf(invoice) : text;
  };
  const byName: Partial<Record<PaymentField, string>> = {
    facturaproveedorId: posted.numfactura,
    origenderecursoId: posted.origenderecursonombre,
  };
  const rows = [];
  for (const name of PAYMENT_FIELDS) {
    const row = {
      label: PAYMENT_LABELS[name],
      stored: await shown(name, stored),
      yours: (await shown(name, typed)) || (byName[name] ?? ''),
    };
    if (row.stored !== row.yours) rows.push(row);
  }
  return rows;
}
