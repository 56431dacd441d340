import type { ReactNode } from 'react';
import ReferencePicker from '../../../islands/ReferencePicker.tsx';
import { isPlainDate } from '../../../shared/dates.ts';
import {
  INVOICE_FIELDS,
  type InvoiceField,
  type InvoiceTexts,
  MIXED_RATE,
  type ShownAmounts,
} from '../../../shared/invoices-typing.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Field, type FieldProps } from '../../../shared/ui/Field.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Island } from '../../shell/island.tsx';
import { Sum } from '../ui/amounts.tsx';

type PickerProps = Parameters<typeof ReferencePicker>[0];
type PickerParts = Pick<PickerProps, 'picker' | 'chosen' | 'noscript'>;
export type InvoicePicker = 'supplierId' | 'jobId' | 'rubroId';

export interface InvoiceFieldsProps {
  /** what stands in the fields, as typed */
  values: InvoiceTexts;
  /** message by field */
  errors: Partial<Record<string, string>>;
  /** which has the focus on arrival */
  focus?: InvoiceField | 'allowDuplicate';
  pickers: Partial<Record<InvoicePicker, PickerParts>>;
  /** IVA and total of what stands in the fields; missing where it can't be read */
  shown?: ShownAmounts;
  paidCents?: Cents;
  /** the amounts come from a CFDI */
  isLocked?: boolean;
  /** a CFDI that becomes an invoice: what it says is shown, not asked for */
  document?: { supplier: ReactNode; acceptance?: ReactNode };
  /** the acting user has captured one by hand, whose supplier, job and rubro can be repeated */
  offersRepeat?: boolean;
  /** the number is taken: asks whether to save all the same */
  asksDuplicate?: boolean;
  allowDuplicate?: boolean;
}

/** What is typed on the creation and edit screen of an invoice: on the left what it is, on the right its sum. */
export function InvoiceFields(props: InvoiceFieldsProps) {
  const { values, errors, focus, document } = props;
  const field = (name: InvoiceField) => ({
    name,
    label: INVOICE_LABELS[name],
    value: values[name],
    error: errors[name],
    focus: name === focus,
  });
  const picker = (name: InvoicePicker, required = false) => (
    <Island
      of={ReferencePicker}
      on="idle"
      props={{ ...field(name), ...props.pickers[name]!, value: Number(values[name]) || null, required }}
    />
  );
  return (
    <>
      <div className="fields">
        {props.offersRepeat && (
          <div className="wide">
            <Button look="quiet" name="repeat" value="1">
              Repetir proveedor, obra y rubro de la última
            </Button>
          </div>
        )}
        {document?.supplier ?? picker('supplierId', true)}
        {picker('jobId', true)}
        {picker('rubroId')}
        <Field {...field('numfactura')} readOnly={Boolean(document)} maxLength={100} autoComplete="off" />
        {props.asksDuplicate && (
          <label className="check">
            <input
              type="checkbox"
              name="allowDuplicate"
              defaultChecked={props.allowDuplicate}
              // biome-ignore lint/a11y/noAutofocus: it is what the message asks about
              autoFocus={focus === 'allowDuplicate'}
            />
            Guardar de todos modos
          </label>
        )}
        <DateField {...field('fechaemision')} readOnly={Boolean(document)} />
        <DateField {...field('fecharecepcion')} />
        <DateField
          {...field('fechavencimiento')}
          hint="Vacía: se calcula con los días de crédito del proveedor, si tiene."
        />
        <Field {...field('comments')} kind="textarea" wide maxLength={4000} />
      </div>
      <Amounts {...props} field={field} />
    </>
  );
}

function Amounts(props: InvoiceFieldsProps & { field: (name: InvoiceField) => FieldProps }) {
  const { values, errors, shown, paidCents, document } = props;
  const isLocked = props.isLocked || Boolean(document);
  const amount = (name: InvoiceField): FieldProps => ({
    ...props.field(name),
    kind: 'money',
    readOnly: isLocked,
  });
  const isMixed = values.tasa === MIXED_RATE;
  return (
    <div className="amounts">
      <h2>Importe</h2>
      <Field {...amount('subtotal')} required />
      <Field
        {...amount('tasa')}
        label="Tasa de IVA (1-100)"
        kind="text"
        inputMode="decimal"
        autoComplete="off"
        suffix="%"
        hint={isMixed && !isLocked && 'Varias tasas. Escribe una sola para calcular de nuevo el IVA.'}
      />
      <Sum name="iva" label="IVA" cents={shown?.ivaCents} error={errors.iva} />
      <details
        className="disclosure"
        open={OTHERS.some((name) => errors[name] || !/^[0.\s]*$/.test(values[name]))}
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
      {paidCents !== undefined && <p className="hint">{`Total ya pagado: ${formatMoney(paidCents)}`}</p>}
      {document?.acceptance}
      {props.isLocked && (
        <p className="hint">Los importes vienen del CFDI. Para cambiarlos, desliga la factura de su CFDI.</p>
      )}
    </div>
  );
}

/** A date that is none stays readable: a date control would show nothing. */
export function DateField(props: FieldProps) {
  const { value } = props;
  return <Field {...props} kind={value && !isPlainDate(String(value).trim()) ? 'text' : 'date'} />;
}

/** The first wrong field; on a fresh screen the first that still has to be filled in. */
export function firstField(
  values: InvoiceTexts,
  errors: Partial<Record<string, string>>,
  isNew: boolean,
): InvoiceField | undefined {
  const wrong = INVOICE_FIELDS.find((name) => errors[name]);
  if (wrong || !isNew) return wrong;
  return (['supplierId', 'jobId'] as const).find((name) => !values[name]) ?? 'numfactura';
}

const OTHERS = ['otrosimpuestos', 'retenciones'] as const;

export const INVOICE_LABELS: InvoiceTexts = {
  supplierId: 'Proveedor',
  jobId: 'Obra',
  rubroId: 'Rubro',
  numfactura: 'Número de factura',
  fechaemision: 'Fecha de emisión',
  fecharecepcion: 'Fecha de recepción',
  fechavencimiento: 'Fecha de vencimiento',
  subtotal: 'Subtotal',
  tasa: 'Tasa de IVA',
  otrosimpuestos: 'Otros impuestos',
  retenciones: 'Retenciones',
  comments: 'Observaciones',
};
