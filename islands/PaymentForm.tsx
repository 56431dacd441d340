import { useEffect, useRef, useState } from 'react';
import { formatForeign, toForeignCents } from '../shared/foreign-amounts.ts';
import {
  type Cents,
  formatMoney,
  formatMoneyWithoutSymbol,
  parseMoney,
  tryParseMoney,
} from '../shared/money.ts';
import type { BatchState } from '../shared/payment-batches.ts';
import {
  computeForeignAmounts,
  type InvoiceOfPayment,
  type PaymentField,
  type PaymentFormContext,
  paymentTexts,
} from '../shared/payments.ts';
import { NO_ACCOUNT, type PayeeAccountTexts } from '../shared/supplier-accounts.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Facts } from '../shared/ui/Facts.tsx';
import type { FieldProps } from '../shared/ui/Field.tsx';
import { PaymentBatchChips } from '../shared/ui/PaymentBatchChips.tsx';
import { api } from '../shared/urls.ts';
import { AmountField } from './forms/AmountField.tsx';
import { AmountsForm, type AmountsFormServerProps, ComputedAmount } from './forms/AmountsForm.tsx';
import { readEvaluatedFields } from './forms/evaluation.ts';
import { type ControlProps, FormControl } from './forms/FormControl.tsx';
import { useLatestAnswer } from './forms/useLatest.ts';
import { type PickerRow, readMemberAtPath } from './pickers/picker.ts';

interface PaymentFormProps {
  form: AmountsFormServerProps;
  context: PaymentFormContext;
  controls: Readonly<Record<PaymentField, ControlProps>>;
  /** shows the field for the bank amount, whatever the invoice's currency */
  asksBank: boolean;
  /** the amount is the whole balance, as proposed and not typed */
  isProposal: boolean;
  /** the amount is typed in pesos, because the invoice or this payment of a foreign invoice was stated in pesos */
  statesPesos: boolean;
  /** the currency in which the firm keeps its accounts */
  base: string;
  createdLine?: string;
  start: ReturnType<typeof computeForeignAmounts>;
}

export default function PaymentForm({
  form: formProps,
  context,
  controls,
  createdLine: createdText,
  ...props
}: PaymentFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [invoice, setInvoice] = useState(context.invoice);
  const [asksBank, setAsksBank] = useState(props.asksBank);
  const [statesPesos, setStatesPesos] = useState(props.statesPesos);
  const [{ settledCents, rate, exchangeCents }, setForeign] = useState(props.start);
  const [isReady, setReady] = useState(false);
  const [amountCents, setAmount] = useState<Cents>();
  const [isProposal, setProposal] = useState(props.isProposal);
  const fetched = useLatestAnswer<FetchedFacts>(context);
  const { previous } = context;
  const { account, programmed, remainingCents: fetchedCents } = fetched.value;
  const isPrevious = invoice !== undefined && invoice.id === previous?.invoiceId;
  const pendingCents = invoice && invoice.totalCents - invoice.paidCents;
  const payableCents = (pendingCents ?? 0) + (isPrevious ? previous.amountCents : 0);
  const knownCents = isPrevious ? previous.remainingCents : fetchedCents;
  const remainingCents =
    knownCents ?? (invoice?.tipocambio ? toForeignCents(payableCents, invoice.tipocambio) : 0);
  const currency = invoice?.moneda;
  const amountName = statesPesos ? 'paymentamount' : 'importemoneda';
  const mostCents = statesPesos ? payableCents : remainingCents;

  const updateComputedAmounts = () => {
    const texts = readEvaluatedFields(form.current, ['paymentamount', 'importemoneda', 'importebanco']);
    setForeign(computeForeignAmounts(texts, invoice, { pendingCents: payableCents, remainingCents }));
    setAmount(tryParseMoney(texts[amountName]));
  };
  const findInput = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(() => {
    updateComputedAmounts();
    setReady(true);
    // On a phone the keyboard would cover the fields below the amount.
    const isTouch = matchMedia('(pointer: coarse)').matches;
    if (props.isProposal && document.activeElement === document.body && !isTouch)
      findInput(amountName).focus();
  }, []);
  // The proposal and the sums depend on the invoice: its facts come from the picker, and what is owed from a request.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs once another invoice, or what is owed of it, is known
  useEffect(() => {
    if (!isReady) return;
    proposeAmount();
    updateComputedAmounts();
  }, [invoice?.id, remainingCents]);
  const chooseInvoice = (row: PickerRow | null) => {
    const chosen = row ? toInvoice(row) : undefined;
    setInvoice(chosen);
    fetched.show(NOTHING_FETCHED);
    if (chosen) void fetched.follow(fetchFacts(chosen.id));
    const isForeign = Boolean(chosen?.moneda);
    setAsksBank(isForeign);
    setStatesPesos(!isForeign);
    // An amount typed for one invoice does not apply to an invoice in another currency.
    if (chosen?.moneda !== currency) {
      for (const name of ['importebanco', 'importemoneda']) findInput(name).value = '';
      if (isForeign) findInput('paymentamount').value = '';
    }
  };
  const proposeAmount = () => {
    const amount = findInput(amountName);
    if (previous || (amount.value && !isProposal)) return;
    amount.value = mostCents > 0 ? formatMoneyWithoutSymbol(mostCents) : '';
    setProposal(mostCents > 0);
  };
  const fillInPayableAmount = () => {
    const amount = findInput(amountName);
    amount.value = formatMoneyWithoutSymbol(mostCents);
    amount.focus();
    amount.dispatchEvent(new Event('input', { bubbles: true }));
  };

  const exceedsMost = invoice && amountCents! > mostCents;
  const most = statesPesos || !currency ? formatMoney(mostCents) : formatForeign(mostCents, currency);
  const { facturaproveedorId, paymentamount, importemoneda, importebanco, ...others } = controls;
  const amountProps = {
    problem: exceedsMost ? paymentTexts.atMost(most) : undefined,
    isProposal,
    onChange: () => {
      setProposal(false);
      updateComputedAmounts();
    },
  };
  const addBaseCurrencyToLabel = (label: string) => (currency ? `${label} (${props.base})` : label);
  // No button if this stored payment already pays the invoice in full; hidden while the full amount is proposed.
  const payAll = !(isPrevious && pendingCents === 0) && (
    <div className="sum needs-script" hidden={isProposal}>
      <span />
      {/* The button is disabled until its script has been loaded. */}
      <Button type="button" look="quiet" disabled={!isReady || mostCents <= 0} onClick={fillInPayableAmount}>
        Pagar todo
      </Button>
    </div>
  );
  return (
    <AmountsForm {...formProps} ref={form}>
      <input type="hidden" name="moneda" value={currency ?? ''} />
      <div className="fields">
        <FormControl control={facturaproveedorId} onPick={chooseInvoice} />
        <noscript>
          <Button name="load" value="1">
            Cargar datos de la factura
          </Button>
        </noscript>
        <Facts
          look="wide"
          isLiveRegion
          facts={{
            Proveedor: invoice?.suppliername || '–',
            RFC: invoice?.rfc || '–',
            Obra: invoice?.jobtitle || '–',
            Rubro: invoice?.nombrerubro || '–',
            'Se paga a': !previous && (account?.texto ?? '–'),
            Aviso: !previous && account?.aviso,
            Vencimiento: invoice?.vencimientoTexto,
          }}
        />
        {programmed.length > 0 && (
          <p className="wide">
            <PaymentBatchChips batches={programmed} />
          </p>
        )}
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <ComputedAmount
          name="total"
          label={addBaseCurrencyToLabel('Total de la factura')}
          cents={invoice?.totalCents}
        />
        <ComputedAmount
          name="totalamountpaid"
          label={addBaseCurrencyToLabel('Total pagado')}
          cents={invoice?.paidCents}
        />
        <ComputedAmount
          name="pending"
          label={addBaseCurrencyToLabel('Total pendiente')}
          cents={pendingCents}
          isTotal
        />
        {isPrevious && <p className="hint">{paymentTexts.pendingIncludes}</p>}
        {/* Always rendered, so that what is typed in it stays. */}
        <div className="amounts" hidden={!statesPesos}>
          <AmountField
            field={{ ...(paymentamount as FieldProps), disabled: !statesPesos }}
            {...amountProps}
          />
          {statesPesos && payAll}
        </div>
        <div data-foreign="" hidden={!asksBank}>
          <div className="amounts">
            <div className="amounts" hidden={!currency}>
              <div className="sum">
                <span className="label">{isPrevious ? 'Se deben sin este pago' : 'Se deben'}</span>
                <span className="money">{currency ? formatForeign(remainingCents, currency) : '–'}</span>
              </div>
              <AmountField
                field={{
                  ...(importemoneda as FieldProps),
                  label: currency ? paymentTexts.foreignAmount(currency) : importemoneda.label,
                }}
                {...amountProps}
                isProposal={isProposal && !statesPesos}
                problem={statesPesos ? undefined : amountProps.problem}
              />
              {!statesPesos && payAll}
              <div className="sum">
                <span className="label">Tipo de cambio de la factura</span>
                <span>{invoice?.tipocambio}</span>
              </div>
              <ComputedAmount
                name="settled"
                label={addBaseCurrencyToLabel(paymentTexts.settled)}
                cents={settledCents}
              />
            </div>
            <AmountField
              field={{
                ...(importebanco as FieldProps),
                label: currency ? addBaseCurrencyToLabel('Salió del banco') : importebanco.label,
              }}
              onChange={updateComputedAmounts}
            />
            {currency && (
              <div className="sum" hidden={!rate}>
                <span className="label">Tipo de cambio del día</span>
                <output name="rate">{rate}</output>
              </div>
            )}
            <ComputedAmount
              name="exchange"
              label={addBaseCurrencyToLabel(paymentTexts.exchange)}
              cents={exchangeCents}
            />
          </div>
        </div>
        <ComputedAmount
          name="rest"
          label={addBaseCurrencyToLabel(paymentTexts.rest)}
          cents={settledCents! <= payableCents ? payableCents - settledCents! : undefined}
        />
        {createdText && <p className="hint">{createdText}</p>}
      </div>
      <div className="fields">
        {Object.entries(others).map(([name, control]) => (
          <FormControl
            key={name}
            control={control}
            proposal={invoice?.id === context.invoice?.id ? undefined : null}
          />
        ))}
      </div>
    </AmountsForm>
  );
}

type FetchedFacts = Pick<PaymentFormContext, 'programmed' | 'remainingCents' | 'account'>;

const NOTHING_FETCHED: FetchedFacts = { programmed: [], remainingCents: null };

async function fetchFacts(invoiceId: number): Promise<FetchedFacts> {
  try {
    const response = await fetch(`${api.invoices}/${invoiceId}`);
    if (!response.ok) return NOTHING_FETCHED;
    const { programaciones, pendientemoneda, cuenta } = (await response.json()) as {
      programaciones: { id: number; estado: BatchState; enBanco: boolean }[];
      pendientemoneda: number | null;
      cuenta: PayeeAccountTexts | null;
    };
    return {
      account: cuenta ?? NO_ACCOUNT,
      programmed: programaciones.map(({ id, estado, enBanco }) => ({
        batchId: id,
        estado,
        isAtBank: enBanco,
      })),
      remainingCents: pendientemoneda === null ? null : parseMoney(pendientemoneda, 'pendientemoneda'),
    };
  } catch {
    return NOTHING_FETCHED; // the connection broke, possibly during the answer
  }
}

function toInvoice(row: PickerRow): InvoiceOfPayment {
  const readTextAt = (path: string) => String(readMemberAtPath(row, path) ?? '');
  return {
    id: row.id,
    numfactura: readTextAt('numfactura'),
    suppliername: readTextAt('supplier.suppliername'),
    rfc: readTextAt('supplier.rfc'),
    jobtitle: readTextAt('job.jobtitle'),
    nombrerubro: readTextAt('rubro.nombrerubro'),
    totalCents: parseMoney(row.total, 'total'),
    paidCents: parseMoney(row.totalamountpaid, 'totalamountpaid'),
    moneda: readTextAt('moneda') || null,
    tipocambio: readTextAt('tipocambio'),
    vencimientoTexto: readTextAt('vencimientoTexto'),
  };
}
