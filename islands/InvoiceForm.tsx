import { type FormEvent, Fragment, useEffect, useRef, useState } from 'react';
import { INVOICE_NOTES, type InvoiceField } from '../shared/invoices.ts';
import {
  AMOUNT_FIELDS,
  computeTypedAmounts,
  type InvoiceContext,
  type InvoiceCost,
  isAmountField,
  OTHER_AMOUNTS,
  type ShownAmounts,
  type StoredAmounts,
} from '../shared/invoices-typing.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Check } from '../shared/ui/Check.tsx';
import { Disclosure } from '../shared/ui/Disclosure.tsx';
import type { FieldProps } from '../shared/ui/Field.tsx';
import { AmountField } from './forms/AmountField.tsx';
import { AmountsForm, type AmountsFormProps, Sum } from './forms/AmountsForm.tsx';
import { MismatchAcceptance, NewSupplierCheck } from './forms/documentChecks.tsx';
import { evaluatedFieldText } from './forms/evaluation.ts';
import { type ControlProps, FormControl } from './forms/FormControl.tsx';
import { useBudget, useDueHint, useUsualProposals } from './forms/useInvoice.ts';
import type { PickerRow } from './pickers/picker.ts';

export interface InvoiceFormProps {
  form: AmountsFormProps;
  context: InvoiceContext;
  due: string;
  /** controls by field name; fields that an invoice does not have come among the first */
  controls: Readonly<Partial<Record<string, ControlProps>>>;
  supplierFields?: readonly string[];
  shown?: ShownAmounts;
  errors: { iva?: string; total?: string };
  /** opens the disclosure: an amount in it is not 0, or is wrong */
  showsOthers: boolean;
  folded: readonly InvoiceField[];
  notes: readonly string[];
  /** the cost is checked against the obra's budget; `previous` is the stored cost */
  budget?: { previous?: InvoiceCost };
  /** for a CFDI that becomes an invoice: its supplier, and questions about it */
  document?: {
    supplier: FieldProps;
    newSupplier?: { text: string; checked: boolean };
    mismatch?: { text: string; checked: boolean };
  };
  offersRepeat?: boolean;
  duplicate?: { checked: boolean; focus: boolean };
}

export default function InvoiceForm(props: InvoiceFormProps) {
  const { context, controls, document, duplicate } = props;
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState(props.shown);
  const dueHint = useDueHint(form, context, props.due);
  const budget = useBudget(form, props.budget);
  const usual = useUsualProposals();
  const [isPicked, setPicked] = useState(false);
  const chooseSupplier = (row: PickerRow | null) => {
    setPicked(true);
    dueHint.onSupplier(row);
    if (context.isNew) usual.ask(row);
  };

  const showComputed = () => setShown(computeTypedAmounts(readAmounts(form.current), context.stored));
  // Amounts may have been typed before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(showComputed, []);

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    dueHint.onInput(event);
    budget.onInput(event);
  };

  const fields = (Object.entries(controls) as [InvoiceField, ControlProps][]).filter(
    ([name]) => !isAmountField(name) && !(isPicked && props.supplierFields?.includes(name)),
  );
  const renderField = ([name, control]: [InvoiceField, ControlProps]) => {
    const field = (
      <FormControl
        control={name === 'fechavencimiento' ? { ...(control as FieldProps), hint: dueHint.said } : control}
        onPick={name === 'supplierId' ? chooseSupplier : undefined}
        proposal={usual.proposals[name as keyof typeof usual.proposals]}
      />
    );
    return (
      <Fragment key={name}>
        {props.folded.includes(name) ? <Disclosure summary={control.label}>{field}</Disclosure> : field}
        {name === 'numfactura' && duplicate && (
          <Check name="allowDuplicate" {...duplicate}>
            Guardar de todos modos
          </Check>
        )}
      </Fragment>
    );
  };
  return (
    <AmountsForm {...props.form} ref={form} onInput={onInput}>
      <div className="fields">
        {props.offersRepeat && (
          <div className="wide">
            <Button look="quiet" name="repeat" value="1">
              Repetir proveedor, obra y rubro de la última
            </Button>
          </div>
        )}
        {document && (
          <>
            <FormControl control={document.supplier} />
            {document.newSupplier && <NewSupplierCheck {...document.newSupplier} />}
          </>
        )}
        {fields.filter(([name]) => !LATE_FIELDS.includes(name)).map(renderField)}
      </div>
      <Amounts {...props} shown={shown} warning={budget.warning} onChange={showComputed} />
      <div className="fields">
        {LATE_FIELDS.flatMap((late) => fields.filter(([name]) => name === late).map(renderField))}
      </div>
    </AmountsForm>
  );
}

/** These come after the amounts, since what every paper has is its number, its day and its subtotal. */
const LATE_FIELDS: readonly InvoiceField[] = ['fecharecepcion', 'fechavencimiento', ...INVOICE_NOTES];

function Amounts({
  controls,
  shown,
  errors,
  document,
  notes,
  warning,
  ...props
}: InvoiceFormProps & { warning: string; onChange: () => void }) {
  const amount = (name: (typeof AMOUNT_FIELDS)[number]) => (
    <AmountField key={name} field={controls[name] as FieldProps} onChange={props.onChange} />
  );
  return (
    <div className="amounts">
      <h2>Importe</h2>
      {amount('subtotal')}
      {amount('tasa')}
      <Sum name="iva" label="IVA" cents={shown?.ivaCents} error={errors.iva} />
      <Disclosure summary="Otros impuestos y retenciones" isOpen={props.showsOthers}>
        <div className="amounts">{OTHER_AMOUNTS.map(amount)}</div>
      </Disclosure>
      <Sum name="total" label="Total" cents={shown?.totalCents} error={errors.total} isTotal />
      {/* Rendered from the start, so that screen readers announce changes. */}
      <output name="excede" className="hint wrong">
        {warning}
      </output>
      {notes.map((note) => (
        <p key={note} className="hint">
          {note}
        </p>
      ))}
      {document?.mismatch && <MismatchAcceptance {...document.mismatch} />}
    </div>
  );
}

const readAmounts = (form: HTMLFormElement | null) =>
  Object.fromEntries(
    AMOUNT_FIELDS.map((name) => [name, evaluatedFieldText(form, name)]),
  ) as unknown as StoredAmounts;
