import ReferencePicker from '../../../islands/ReferencePicker.tsx';
import type { Invoice } from '../../../shared/invoices.ts';
import { pendingOf } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PaymentField, PaymentTexts } from '../../../shared/payments.ts';
import { paymentTexts } from '../../../shared/payments.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Island } from '../../shell/island.tsx';
import { DateField } from '../invoices/fields.tsx';
import { Sum } from '../ui/amounts.tsx';

type PickerProps = Parameters<typeof ReferencePicker>[0];
export type PaymentPicker = 'facturaproveedorId' | 'origenderecursoId';

export interface PaymentFieldsProps {
  /** what stands in the fields, as typed */
  values: PaymentTexts;
  /** message by field */
  errors: Partial<Record<string, string>>;
  /** which has the focus on arrival */
  focus?: PaymentField;
  pickers: Record<PaymentPicker, Pick<PickerProps, 'picker' | 'chosen' | 'noscript'>>;
  /** that is paid */
  invoice: Invoice | null;
  /** the payment as stored: its amount is in the invoice's paid sum already */
  former?: { invoiceId: number; amountCents: Cents; createdLine: string };
}

/** What is typed on the creation and edit screen of a payment: on the left what is paid, on the right how much. */
export function PaymentFields({ values, errors, focus, pickers, invoice, former }: PaymentFieldsProps) {
  const field = (name: PaymentField) => ({
    name,
    label: PAYMENT_LABELS[name],
    value: values[name],
    error: errors[name],
    focus: name === focus,
  });
  const picker = (name: PaymentPicker, required = false) => (
    <Island
      of={ReferencePicker}
      on="idle"
      props={{ ...field(name), ...pickers[name], value: Number(values[name]) || null, required }}
    />
  );
  return (
    <>
      <div className="fields">
        {picker('facturaproveedorId', true)}
        <noscript>
          <Button name="load" value="1">
            Cargar datos de la factura
          </Button>
        </noscript>
        <InvoiceFacts invoice={invoice} />
        {picker('origenderecursoId')}
        <Field {...field('checknum')} maxLength={60} autoComplete="off" />
        <DateField {...field('paymentdate')} />
        <Field {...field('comments')} kind="textarea" wide maxLength={4000} />
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Sum name="total" label="Total de la factura" cents={invoice?.totalCents} />
        <Sum name="totalamountpaid" label="Total pagado" cents={invoice?.paidCents} />
        <Sum
          name="pending"
          label="Total pendiente"
          cents={invoice ? pendingOf(invoice) : undefined}
          isTotal
        />
        {former && (
          <p className="hint" data-former="" hidden={invoice?.id !== former.invoiceId}>
            {paymentTexts.pendingIncludes}
          </p>
        )}
        <Field {...field('paymentamount')} kind="money" required />
        <div className="sum needs-script">
          <span />
          <Button type="button" look="quiet" disabled data-pay-all="">
            Pagar todo
          </Button>
        </div>
        {former && <p className="hint">{former.createdLine}</p>}
      </div>
    </>
  );
}

function InvoiceFacts({ invoice }: { invoice: Invoice | null }) {
  const facts = [
    ['Proveedor', 'supplier.suppliername', invoice?.suppliername],
    ['RFC', 'supplier.rfc', invoice?.rfc],
    ['Obra', 'job.jobtitle', invoice?.jobtitle],
    ['Rubro', 'rubro.nombrerubro', invoice?.nombrerubro],
  ] as const;
  return (
    <dl className="facts wide" aria-live="polite">
      {facts.map(([term, member, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd data-fact={member}>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

export const PAYMENT_LABELS: PaymentTexts = {
  facturaproveedorId: 'Factura',
  origenderecursoId: 'Origen de recurso',
  checknum: 'Número de cheque',
  paymentdate: 'Fecha de pago',
  paymentamount: 'Cantidad pagada',
  comments: 'Observaciones',
};
