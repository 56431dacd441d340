import { Fragment, type ReactNode } from 'react';
import type { Db } from '../../../db/schema.ts';
import { INVOICE_FIELDS, type InvoiceField, type InvoiceTexts } from '../../../shared/invoices.ts';
import { MIXED_RATE, type ShownAmounts } from '../../../shared/invoices-typing.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';
import { Sum } from '../ui/amounts.tsx';
import { firstWrong, renderControls, type Texts } from '../ui/record-fields.tsx';

interface InvoiceFieldsProps {
  /** what stands in the fields, as typed; without script also the names of what is picked */
  values: InvoiceTexts & Texts;
  /** message by field */
  errors: Texts;
  /** which has the focus on arrival */
  focus?: InvoiceField | 'allowDuplicate';
  /** IVA and total of what stands in the fields; missing where it can't be read */
  shown?: ShownAmounts;
  paidCents?: Cents;
  /** of one in a foreign currency, how its amounts came about */
  converted?: string;
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

/** What stands in the right column, in its own order. */
export const AMOUNTS = ['subtotal', 'tasa', 'otrosimpuestos', 'retenciones'] as const;
const isAmount = (name: InvoiceField) => AMOUNTS.some((amount) => amount === name);

/** What a CFDI says of its invoice; the other fields are filled in by hand. */
export const isOfDocument = (name: InvoiceField) =>
  isAmount(name) || name === 'supplierId' || name === 'numfactura' || name === 'fechaemision';

/** What is typed on the creation and edit screen of an invoice: on the left what it is, on the right its sum. */
export async function renderInvoiceFields(db: Db, props: InvoiceFieldsProps) {
  const { values, errors, focus, document } = props;
  const isFixed = (name: InvoiceField) => (document ? isOfDocument(name) : props.isLocked && isAmount(name));
  const isMixed = values.tasa === MIXED_RATE && !isFixed('tasa');
  const rate = {
    label: 'Tasa de IVA (1-100)',
    hint: isMixed && 'Varias tasas. Escribe una sola para calcular de nuevo el IVA.',
  };
  const asked = document ? INVOICE_FIELDS.filter(({ name }) => name !== 'supplierId') : INVOICE_FIELDS;
  const fields = asked.map((field) => ({
    ...field,
    ...(field.name === 'tasa' && rate),
    readOnly: isFixed(field.name),
  }));
  const controls = await renderControls(db, fields, { values, errors, focus });
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
        {document?.supplier}
        {fields
          .filter(({ name }) => !isAmount(name))
          .map(({ name }) => (
            <Fragment key={name}>
              {controls[name]}
              {name === 'numfactura' && props.asksDuplicate && (
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
            </Fragment>
          ))}
      </div>
      <Amounts {...props} controls={controls} />
    </>
  );
}

function Amounts(props: InvoiceFieldsProps & { controls: Record<InvoiceField, ReactNode> }) {
  const { values, errors, controls, shown, paidCents, document } = props;
  return (
    <div className="amounts">
      <h2>Importe</h2>
      {controls.subtotal}
      {controls.tasa}
      <Sum name="iva" label="IVA" cents={shown?.ivaCents} error={errors.iva} />
      <details
        className="disclosure"
        open={OTHERS.some((name) => errors[name] || !/^[0.\s]*$/.test(values[name]))}
      >
        <summary>
          <Icon name="chevron" />
          Otros impuestos y retenciones
        </summary>
        <div className="amounts">{OTHERS.map((name) => controls[name])}</div>
      </details>
      <Sum name="total" label="Total" cents={shown?.totalCents} error={errors.total} isTotal />
      {props.converted && <p className="hint">{props.converted}</p>}
      {paidCents !== undefined && <p className="hint">{`Total ya pagado: ${formatMoney(paidCents)}`}</p>}
      {document?.acceptance}
      {props.isLocked && (
        <p className="hint">Los importes vienen del CFDI. Para cambiarlos, desliga la factura de su CFDI.</p>
      )}
    </div>
  );
}

const OTHERS = ['otrosimpuestos', 'retenciones'] as const;

/** The first wrong field; on a fresh screen the first that still has to be filled in. */
export function firstField(values: InvoiceTexts, errors: Texts, isNew: boolean): InvoiceField | undefined {
  const wrong = firstWrong(INVOICE_FIELDS, errors);
  if (wrong || !isNew) return wrong;
  return (['supplierId', 'jobId'] as const).find((name) => !values[name]) ?? 'numfactura';
}
