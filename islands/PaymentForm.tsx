import { useRef, useState } from 'react';
import { type Cents, formatMoney, moneyText, parseMoney } from '../shared/money.ts';
import { PAYMENT_FIELDS, type PaymentField, type PaymentTexts } from '../shared/payments.ts';
import { Button, LinkButton } from '../shared/ui/Button.tsx';
import { Field } from '../shared/ui/Field.tsx';
import { type PostedForm, PostForm } from './forms/PostForm.tsx';
import { type PickerFallback, PickerField } from './pickers/PickerField.tsx';
import { memberOf, type PickerRow, type PickerSpec } from './pickers/picker.ts';

/** What the form shows of the invoice that is paid. */
export interface PaidInvoice {
  id: number;
  totalCents: Cents;
  paidCents: Cents;
  suppliername: string;
  rfc: string;
  jobtitle: string;
  nombrerubro: string;
}

export interface PaymentFormProps extends PostedForm<PaymentTexts> {
  pickers: Record<
    'facturaproveedorId' | 'origenderecursoId',
    { picker: PickerSpec; chosen: string | null; noscript?: PickerFallback }
  >;
  invoice: PaidInvoice | null;
  /** the payment as stored: its amount is in the invoice's paid sum already */
  former?: { invoiceId: number; amountCents: Cents; createdLine: string; note: string };
}

/** Creation and edit screen of a payment; inputs are uncontrolled, the form saves by itself. */
export default function PaymentForm(props: PaymentFormProps) {
  const { action, back, hidden, values, errors, pickers, former } = props;
  const [invoice, setInvoice] = useState(props.invoice);
  const amount = useRef<HTMLInputElement>(null);
  const pending = invoice ? invoice.totalCents - invoice.paidCents : undefined;
  const isFormer = invoice !== null && invoice.id === former?.invoiceId;
  const payable = (pending ?? 0) + (isFormer ? former.amountCents : 0);

  const payAll = () => {
    if (!amount.current) return;
    amount.current.value = moneyText(payable);
    amount.current.focus();
  };

  const first = PAYMENT_FIELDS.find((name) => errors[name]);
  const field = (name: PaymentField) => ({
    name,
    value: values[name],
    error: errors[name],
    focus: name === first,
  });
  const picker = (name: 'facturaproveedorId' | 'origenderecursoId') => ({
    ...field(name),
    ...pickers[name],
    value: Number(values[name]) || null,
  });

  return (
    <PostForm action={action} hidden={hidden}>
      <div className="fields">
        <PickerField
          {...picker('facturaproveedorId')}
          label="Factura"
          required
          onChange={(row) => setInvoice(row && readInvoice(row))}
        />
        <noscript>
          {import.meta.env.SSR && (
            <Button name="load" value="1">
              Cargar datos de la factura
            </Button>
          )}
        </noscript>
        <InvoiceFacts invoice={invoice} />
        <PickerField {...picker('origenderecursoId')} label="Origen de recurso" />
        <Field {...field('checknum')} label="Número de cheque" maxLength={60} autoComplete="off" />
        <Field {...field('paymentdate')} label="Fecha de pago" kind="date" />
        <Field {...field('comments')} label="Observaciones" kind="textarea" wide maxLength={4000} />
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Sum name="total" label="Total de la factura" cents={invoice?.totalCents} />
        <Sum name="totalamountpaid" label="Total pagado" cents={invoice?.paidCents} />
        <Sum name="pending" label="Total pendiente" cents={pending} isTotal />
        {isFormer && <p className="hint">{former.note}</p>}
        <Field {...field('paymentamount')} label="Cantidad pagada" kind="money" required inputRef={amount} />
        <div className="sum needs-script">
          <span />
          <Button type="button" look="quiet" disabled={payable <= 0} onClick={payAll}>
            Pagar todo
          </Button>
        </div>
        {former && <p className="hint">{former.createdLine}</p>}
      </div>
      <div className="form-actions">
        <Button look="primary" suppressHydrationWarning>
          Guardar
        </Button>
        <LinkButton href={back}>Regresar</LinkButton>
      </div>
    </PostForm>
  );
}

function InvoiceFacts({ invoice }: { invoice: PaidInvoice | null }) {
  const facts = [
    ['Proveedor', invoice?.suppliername],
    ['RFC', invoice?.rfc],
    ['Obra', invoice?.jobtitle],
    ['Rubro', invoice?.nombrerubro],
  ] as const;
  return (
    <dl className="facts wide" aria-live="polite">
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A figure of the invoice; an <output> is never posted. */
function Sum(props: { name: string; label: string; cents: Cents | undefined; isTotal?: boolean }) {
  const { name, label, cents, isTotal } = props;
  return (
    <div className={isTotal ? 'sum total' : 'sum'}>
      <label className="label" htmlFor={name}>
        {label}
      </label>
      <output id={name} name={name} className="money">
        {cents === undefined ? '–' : formatMoney(cents)}
      </output>
    </div>
  );
}

/** A picked row, amounts in decimals → what the form shows. */
function readInvoice(row: PickerRow): PaidInvoice {
  const text = (key: string) => String(memberOf(row, key) ?? '');
  return {
    id: row.id,
    totalCents: parseMoney(row.total, 'total'),
    paidCents: parseMoney(row.totalamountpaid, 'totalamountpaid'),
    suppliername: text('supplier.suppliername'),
    rfc: text('supplier.rfc'),
    jobtitle: text('job.jobtitle'),
    nombrerubro: text('rubro.nombrerubro'),
  };
}
