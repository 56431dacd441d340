import { useEffect, useRef, useState } from 'react';
import { amountText, type Cents, formatMoney, parseMoney, tryParseMoney } from '../shared/money.ts';
import type { BatchState, Programmed } from '../shared/payment-batches.ts';
import {
  computeExchangeDifference,
  type InvoiceOfPayment,
  type PaymentContext,
  type PaymentField,
  paymentTexts,
} from '../shared/payments.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Facts } from '../shared/ui/Facts.tsx';
import type { FieldProps } from '../shared/ui/Field.tsx';
import { ProgrammedMarks } from '../shared/ui/ProgrammedMarks.tsx';
import { api } from '../shared/urls.ts';
import { AmountField } from './forms/AmountField.tsx';
import { AmountsForm, type AmountsFormProps, Sum } from './forms/AmountsForm.tsx';
import { evaluatedFieldText } from './forms/evaluation.ts';
import { type ControlProps, FormControl } from './forms/FormControl.tsx';
import { useLatestAnswer } from './forms/useLatest.ts';
import { memberAt, type PickerRow } from './pickers/picker.ts';

interface PaymentFormProps {
  form: AmountsFormProps;
  context: PaymentContext;
  controls: Readonly<Record<PaymentField, ControlProps>>;
  /** shows the field for the bank amount, whatever the invoice's currency */
  asksBank: boolean;
  /** the amount is the whole balance, as proposed and not typed */
  isProposal: boolean;
  createdLine?: string;
  exchangeCents?: Cents;
}

export default function PaymentForm({
  form: formProps,
  context,
  controls,
  createdLine,
  ...props
}: PaymentFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [invoice, setInvoice] = useState(context.invoice);
  const [asksBank, setAsksBank] = useState(props.asksBank);
  const [exchangeCents, setExchange] = useState(props.exchangeCents);
  const [isReady, setReady] = useState(false);
  const [amountCents, setAmount] = useState<Cents>();
  const [isProposal, setProposal] = useState(props.isProposal);
  const programmed = useLatestAnswer(context.programmed);
  const { previous } = context;
  const isPrevious = invoice !== undefined && invoice.id === previous?.invoiceId;
  const pendingCents = invoice && invoice.totalCents - invoice.paidCents;
  const payableCents = (pendingCents ?? 0) + (isPrevious ? previous.amountCents : 0);

  const compute = () => {
    const [paymentamount, importebanco] = [
      evaluatedFieldText(form.current, 'paymentamount'),
      evaluatedFieldText(form.current, 'importebanco'),
    ];
    setExchange(computeExchangeDifference({ paymentamount, importebanco }));
    setAmount(tryParseMoney(paymentamount));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(() => {
    compute();
    setReady(true);
  }, []);

  const inputNamed = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement;
  const chooseInvoice = (row: PickerRow | null) => {
    const chosen = row ? toInvoice(row) : undefined;
    setInvoice(chosen);
    programmed.show([]);
    if (chosen) void programmed.follow(fetchProgrammed(chosen.id));
    setAsksBank(Boolean(chosen?.moneda));
    // An amount typed for one invoice does not apply to another.
    if (!chosen?.moneda) inputNamed('importebanco').value = '';
    proposeAmount(chosen);
    compute();
  };
  const proposeAmount = (chosen: InvoiceOfPayment | undefined) => {
    const amount = inputNamed('paymentamount');
    if (previous || (amount.value && !isProposal)) return;
    const owed = chosen ? chosen.totalCents - chosen.paidCents : 0;
    amount.value = owed > 0 ? amountText(owed) : '';
    setProposal(owed > 0);
  };
  const fillInPayable = () => {
    const amount = inputNamed('paymentamount');
    amount.value = amountText(payableCents);
    amount.focus();
    amount.dispatchEvent(new Event('input', { bubbles: true }));
  };

  const exceedsPayable = invoice !== undefined && amountCents !== undefined && amountCents > payableCents;
  const { facturaproveedorId, paymentamount, importebanco, ...others } = controls;
  return (
    <AmountsForm {...formProps} ref={form}>
      <div className="fields">
        <FormControl control={facturaproveedorId} onPick={chooseInvoice} />
        <noscript>
          <Button name="load" value="1">
            Cargar datos de la factura
          </Button>
        </noscript>
        <InvoiceFacts invoice={invoice} />
        {programmed.value.length > 0 && (
          <p className="wide">
            <ProgrammedMarks batches={programmed.value} />
          </p>
        )}
        {Object.entries(others).map(([name, control]) => (
          <FormControl key={name} control={control} />
        ))}
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Sum name="total" label="Total de la factura" cents={invoice?.totalCents} />
        <Sum name="totalamountpaid" label="Total pagado" cents={invoice?.paidCents} />
        <Sum name="pending" label="Total pendiente" cents={pendingCents} isTotal />
        {isPrevious && <p className="hint">{paymentTexts.pendingIncludes}</p>}
        <AmountField
          field={paymentamount as FieldProps}
          problem={exceedsPayable ? paymentTexts.atMost(formatMoney(payableCents)) : undefined}
          isProposal={isProposal}
          onChange={() => {
            setProposal(false);
            compute();
          }}
        />
        <div className="sum needs-script">
          <span />
          {/* Disabled until it works. */}
          <Button type="button" look="quiet" disabled={!isReady || payableCents <= 0} onClick={fillInPayable}>
            Pagar todo
          </Button>
        </div>
        {/* Always rendered, so that what is typed in it stays. */}
        <div data-foreign="" hidden={!asksBank}>
          <div className="amounts">
            <div className="sum">
              <span className="label">Moneda de la factura</span>
              <span>{invoice?.moneda || '–'}</span>
            </div>
            <div className="sum">
              <span className="label">Su tipo de cambio</span>
              <span>{invoice?.tipocambio || '–'}</span>
            </div>
            <AmountField field={importebanco as FieldProps} onChange={compute} />
            <Sum name="exchange" label={paymentTexts.exchange} cents={exchangeCents} />
          </div>
        </div>
        {createdLine && <p className="hint">{createdLine}</p>}
      </div>
    </AmountsForm>
  );
}

const InvoiceFacts = ({ invoice }: { invoice: InvoiceOfPayment | undefined }) => (
  <Facts
    look="wide"
    isLive
    facts={{
      Proveedor: invoice?.suppliername || '–',
      RFC: invoice?.rfc || '–',
      Obra: invoice?.jobtitle || '–',
      Rubro: invoice?.nombrerubro || '–',
    }}
  />
);

async function fetchProgrammed(invoiceId: number): Promise<readonly Programmed[]> {
  try {
    const response = await fetch(`${api.invoices}/${invoiceId}`);
    if (!response.ok) return [];
    const { programaciones } = (await response.json()) as {
      programaciones: { id: number; estado: BatchState }[];
    };
    return programaciones.map(({ id, estado }) => ({ batchId: id, estado }));
  } catch {
    return []; // the connection broke, possibly during the answer
  }
}

function toInvoice(row: PickerRow): InvoiceOfPayment {
  const textAt = (path: string) => {
    const value = memberAt(row, path);
    return value === null || value === undefined ? null : String(value);
  };
  return {
    id: row.id,
    suppliername: textAt('supplier.suppliername') ?? '',
    rfc: textAt('supplier.rfc'),
    jobtitle: textAt('job.jobtitle') ?? '',
    nombrerubro: textAt('rubro.nombrerubro'),
    totalCents: parseMoney(row.total, 'total'),
    paidCents: parseMoney(row.totalamountpaid, 'totalamountpaid'),
    moneda: textAt('moneda'),
    tipocambio: textAt('tipocambio'),
  };
}
