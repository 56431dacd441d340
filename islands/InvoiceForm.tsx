import { type FormEvent, useEffect, useRef, useState } from 'react';
import {
  dueDateFrom,
  INVOICE_FIELDS,
  type InvoiceField,
  type InvoiceTexts,
  MIXED_RATE,
  type ShownAmounts,
  type StoredAmounts,
  typedAmounts,
} from '../shared/invoice-typing.ts';
import { type Cents, formatMoney } from '../shared/money.ts';
import { Button, LinkButton } from '../shared/ui/Button.tsx';
import { Field, type FieldProps } from '../shared/ui/Field.tsx';
import { Icon } from '../shared/ui/Icon.tsx';
import { type PostedForm, PostForm } from './forms/PostForm.tsx';
import { type PickerFallback, PickerField } from './pickers/PickerField.tsx';
import type { PickerSpec } from './pickers/picker.ts';

type PickerName = 'supplierId' | 'jobId' | 'rubroId';

export interface InvoiceFormProps extends PostedForm<InvoiceTexts> {
  pickers: Record<PickerName, { picker: PickerSpec; chosen: string | null }>;
  /** of the chosen supplier; on creation alone, where an empty due date is filled in */
  creditDays?: number;
  /** the amounts that are stored: as long as they stand, so do their IVA and total */
  stored?: StoredAmounts;
  /** IVA and total of what stands in the fields; missing where it can't be read */
  shown?: ShownAmounts;
  paidCents?: Cents;
  /** the amounts come from a CFDI */
  isLocked?: boolean;
  /** the number is taken: asks whether to save all the same */
  asksDuplicate?: boolean;
  allowDuplicate?: boolean;
  noscript?: Record<PickerName, PickerFallback>;
}

/**
 * Creation and edit screen of an invoice. Inputs are uncontrolled and read from the form, so that what was
 * typed before hydration counts; the form saves by itself, script only computes.
 */
export default function InvoiceForm(props: InvoiceFormProps) {
  const { action, back, hidden, values, errors, stored, asksDuplicate } = props;
  const form = useRef<HTMLFormElement>(null);
  const creditDays = useRef(props.creditDays ?? 0);
  const filledDue = useRef('');
  const [shown, setShown] = useState(props.shown);

  const compute = () => {
    const read = readForm(form.current);
    setShown(typedAmounts(read, stored));
  };

  /** An empty due date follows the other dates and the supplier's credit days, until somebody types one. */
  const fillDueDate = () => {
    const input = form.current?.elements.namedItem('fechavencimiento');
    if (props.creditDays === undefined || !(input instanceof HTMLInputElement)) return;
    if (input.value !== '' && input.value !== filledDue.current) return;
    filledDue.current = dueDateFrom(readForm(form.current), creditDays.current) ?? '';
    input.value = filledDue.current;
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what was typed before hydration
  useEffect(compute, []);

  const onInput = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    if (name === 'fechaemision' || name === 'fecharecepcion') fillDueDate();
    else if (AMOUNTS.includes(name)) compute();
  };

  const isMixed = values.tasa === MIXED_RATE;
  const first = INVOICE_FIELDS.find((name) => errors[name]);
  const field = (name: InvoiceField) => ({
    name,
    value: values[name],
    error: errors[name],
    focus: name === first,
  });
  const amount = (name: InvoiceField): FieldProps => ({
    ...field(name),
    label: AMOUNT_LABELS[name] ?? name,
    kind: 'money',
    readOnly: props.isLocked,
  });
  const picker = (name: PickerName) => ({
    ...field(name),
    ...props.pickers[name],
    value: Number(values[name]) || null,
    noscript: props.noscript?.[name],
  });

  return (
    <PostForm action={action} hidden={hidden} formRef={form} onInput={onInput}>
      <div className="fields">
        <PickerField
          {...picker('supplierId')}
          label="Proveedor"
          required
          onChange={(row) => {
            creditDays.current = Number(row?.diascredito) || 0;
            fillDueDate();
          }}
        />
        <PickerField {...picker('jobId')} label="Obra" required />
        <PickerField {...picker('rubroId')} label="Rubro" />
        <Field {...field('numfactura')} label="Número de factura" maxLength={100} autoComplete="off" />
        <Field {...field('fechaemision')} label="Fecha de emisión" kind="date" />
        <Field {...field('fecharecepcion')} label="Fecha de recepción" kind="date" />
        <Field
          {...field('fechavencimiento')}
          label="Fecha de vencimiento"
          kind="date"
          hint={
            props.creditDays !== undefined &&
            'Vacía: se calcula con los días de crédito del proveedor, si tiene.'
          }
        />
        <Field {...field('comments')} label="Observaciones" kind="textarea" wide maxLength={4000} />
      </div>
      <div className="amounts">
        <h2>Importe</h2>
        <Field {...amount('subtotal')} required />
        <Field
          {...amount('tasa')}
          kind={isMixed ? 'text' : 'number'}
          min={0}
          max={100}
          step="any"
          suffix="%"
          hint={
            isMixed && !props.isLocked
              ? 'Varias tasas. Escribe una sola para calcular de nuevo el IVA.'
              : undefined
          }
        />
        <Sum name="iva" label="IVA" cents={shown?.ivaCents} error={errors.iva} />
        <details
          className="disclosure"
          open={OTHERS.some((name) => errors[name] || Number(values[name]) !== 0)}
          suppressHydrationWarning
        >
          <summary>
            <Icon name="chevron" />
            Otros impuestos y retenciones
          </summary>
          <div className="amounts">
            <Field {...amount('otrosimpuestos')} />
            <Field {...amount('retenciones')} />
          </div>
        </details>
        <Sum name="total" label="Total" cents={shown?.totalCents} error={errors.total} isTotal />
        {props.paidCents !== undefined && (
          <p className="hint">{`Total ya pagado: ${formatMoney(props.paidCents)}`}</p>
        )}
        {props.isLocked && (
          <p className="hint">
            Los importes vienen del CFDI. Para cambiarlos, desliga la factura de su CFDI.
          </p>
        )}
      </div>
      {asksDuplicate && (
        <label className="check">
          <input type="checkbox" name="allowDuplicate" defaultChecked={props.allowDuplicate} />
          Guardar de todos modos
        </label>
      )}
      <div className="form-actions">
        <Button look="primary" suppressHydrationWarning>
          Guardar
        </Button>
        <LinkButton href={back}>Regresar</LinkButton>
      </div>
    </PostForm>
  );
}

/** A computed figure, set below those that it comes from; an <output> is never posted. */
function Sum({
  name,
  label,
  cents,
  error,
  isTotal,
}: {
  name: string;
  label: string;
  cents: Cents | undefined;
  error?: string;
  isTotal?: boolean;
}) {
  return (
    <div className={isTotal ? 'sum total' : 'sum'}>
      <label className="label" htmlFor={name}>
        {label}
      </label>
      <output id={name} name={name} className="money">
        {cents === undefined ? '–' : formatMoney(cents)}
      </output>
      {error && <p className="field-error">{error}</p>}
    </div>
  );
}

const OTHERS = ['otrosimpuestos', 'retenciones'] as const;
const AMOUNTS: readonly string[] = ['subtotal', 'tasa', ...OTHERS];

const AMOUNT_LABELS: Partial<InvoiceTexts> = {
  subtotal: 'Subtotal',
  tasa: 'Tasa de IVA (1-100)',
  otrosimpuestos: 'Otros impuestos',
  retenciones: 'Retenciones',
};

function readForm(form: HTMLFormElement | null): InvoiceTexts {
  const data = new FormData(form ?? undefined);
  const texts = INVOICE_FIELDS.map((name) => [name, String(data.get(name) ?? '')]);
  return Object.fromEntries(texts) as InvoiceTexts;
}
