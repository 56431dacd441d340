import { type FormEvent, Fragment, useEffect, useRef, useState } from 'react';
import {
  computeTypedAmounts,
  type InvoiceCost,
  type InvoiceFormContext,
  type IvaAndTotal,
  isAmountField,
  OTHER_AMOUNT_FIELDS,
  TYPED_AMOUNT_FIELDS,
} from '../shared/invoice-form-amounts.ts';
import { INVOICE_NOTES, type InvoiceField } from '../shared/invoices.ts';
import { Button } from '../shared/ui/Button.tsx';
import { Checkbox } from '../shared/ui/Checkbox.tsx';
import { Disclosure } from '../shared/ui/Disclosure.tsx';
import type { FieldProps } from '../shared/ui/Field.tsx';
import { AmountField } from './forms/AmountField.tsx';
import { AmountsForm, type AmountsFormServerProps, ComputedAmount } from './forms/AmountsForm.tsx';
import { MismatchAcceptance, NewSupplierCheckbox } from './forms/documentChecks.tsx';
import { readEvaluatedFields } from './forms/evaluation.ts';
import { type ControlProps, FormControl } from './forms/FormControl.tsx';
import { useBudgetWarning, useDueDateHint, useUsualProposals } from './forms/invoiceFormHooks.ts';
import type { PickerRow } from './pickers/picker.ts';

export interface InvoiceFormProps {
  form: AmountsFormServerProps;
  context: InvoiceFormContext;
  due: string;
  /** controls by field name; those that are no field of an invoice are shown before the amounts */
  controls: Readonly<Partial<Record<string, ControlProps>>>;
  supplierFields?: readonly string[];
  shown?: IvaAndTotal;
  errors: { iva?: string; total?: string };
  /** the section with other amounts is unfolded, because one of them is not 0, or is wrong */
  showsOthers: boolean;
  foldedFields: readonly InvoiceField[];
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
  const dueHint = useDueDateHint(form, context, props.due);
  const budget = useBudgetWarning(form, props.budget);
  const usual = useUsualProposals();
  const [isPicked, setPicked] = useState(false);
  const chooseSupplier = (row: PickerRow | null) => {
    setPicked(true);
    dueHint.onSupplier(row);
    if (context.isNew) usual.ask(row);
  };

  const showComputedAmounts = () => setShown(computeTypedAmounts(readAmounts(form.current), context.stored));
  // Amounts may have been typed before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at hydration
  useEffect(showComputedAmounts, []);

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
        {props.foldedFields.includes(name) ? <Disclosure summary={control.label}>{field}</Disclosure> : field}
        {name === 'numfactura' && duplicate && (
          <Checkbox name="allowDuplicate" {...duplicate}>
            Guardar de todos modos
          </Checkbox>
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
            {document.newSupplier && <NewSupplierCheckbox {...document.newSupplier} />}
          </>
        )}
        {fields.filter(([name]) => !FIELDS_AFTER_AMOUNTS.includes(name)).map(renderField)}
      </div>
      <AmountFields {...props} shown={shown} warning={budget.warning} onChange={showComputedAmounts} />
      <div className="fields">
        {FIELDS_AFTER_AMOUNTS.flatMap((late) => fields.filter(([name]) => name === late).map(renderField))}
      </div>
    </AmountsForm>
  );
}

/** Every paper invoice has a number, a date and a subtotal, so these other fields come after the amounts. */
const FIELDS_AFTER_AMOUNTS: readonly InvoiceField[] = [
  'fecharecepcion',
  'fechavencimiento',
  ...INVOICE_NOTES,
];

function AmountFields({
  controls,
  shown,
  errors,
  document,
  notes,
  warning,
  ...props
}: InvoiceFormProps & { warning: string; onChange: () => void }) {
  const renderAmountField = (name: (typeof TYPED_AMOUNT_FIELDS)[number]) => (
    <AmountField key={name} field={controls[name] as FieldProps} onChange={props.onChange} />
  );
  return (
    <div className="amounts">
      <h2>Importe</h2>
      {renderAmountField('subtotal')}
      {renderAmountField('tasa')}
      <ComputedAmount name="iva" label="IVA" cents={shown?.ivaCents} error={errors.iva} />
      <Disclosure summary="Otros impuestos y retenciones" isOpen={props.showsOthers}>
        <div className="amounts">{OTHER_AMOUNT_FIELDS.map(renderAmountField)}</div>
      </Disclosure>
      <ComputedAmount name="total" label="Total" cents={shown?.totalCents} error={errors.total} isTotal />
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

const readAmounts = (form: HTMLFormElement | null) => readEvaluatedFields(form, TYPED_AMOUNT_FIELDS);
