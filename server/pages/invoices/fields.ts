import type { Db } from '../../../db/schema.ts';
import type { InvoiceFormProps } from '../../../islands/InvoiceForm.tsx';
import { INVOICE_FIELDS, type InvoiceField, type InvoiceTexts } from '../../../shared/invoices.ts';
import { isAmount, MIXED_RATE, OTHER_AMOUNTS } from '../../../shared/invoices-typing.ts';
import { describeControls, firstWrong, type Texts } from '../ui/record-fields.tsx';

interface InvoiceFieldsProps {
  /** what stands in the fields, as typed; without script also the names of what is picked */
  values: InvoiceTexts & Texts;
  /** message by field */
  errors: Texts;
  /** which has the focus on arrival */
  focus?: InvoiceField | 'allowDuplicate';
  /** which of them hold what is proposed */
  proposed?: ReadonlySet<string>;
  /** the amounts come from the CFDI that the invoice is linked to */
  isLocked?: boolean;
  /** a CFDI becomes an invoice: what it says is shown, not asked for */
  isDocument?: boolean;
}

/** What a CFDI says of its invoice; the other fields are filled in by hand. */
export const isOfDocument = (name: InvoiceField) =>
  isAmount(name) || name === 'supplierId' || name === 'numfactura' || name === 'fechaemision';

/** What is typed on the creation and edit screen of an invoice (islands/InvoiceForm.tsx). */
export async function describeInvoiceFields(
  db: Db,
  { values, errors, focus, proposed, isLocked, isDocument }: InvoiceFieldsProps,
): Promise<Pick<InvoiceFormProps, 'controls' | 'errors' | 'showsOthers'>> {
  const isFixed = (name: InvoiceField) => (isDocument ? isOfDocument(name) : isLocked && isAmount(name));
  const isMixed = values.tasa === MIXED_RATE && !isFixed('tasa');
  const rate = {
    label: 'Tasa de IVA (1-100)',
    hint: isMixed && 'Varias tasas. Escribe una sola para calcular de nuevo el IVA.',
  };
  const asked = isDocument ? INVOICE_FIELDS.filter(({ name }) => name !== 'supplierId') : INVOICE_FIELDS;
  const fields = asked.map((field) => ({
    ...field,
    ...(field.name === 'tasa' && rate),
    readOnly: isFixed(field.name),
  }));
  return {
    controls: await describeControls(db, fields, { values, errors, focus, proposed }),
    errors: { iva: errors.iva, total: errors.total },
    showsOthers: OTHER_AMOUNTS.some((name) => errors[name] || !/^[0.\s]*$/.test(values[name])),
  };
}

/** The first wrong field; on a fresh screen the first that still has to be filled in. */
export function firstField(values: InvoiceTexts, errors: Texts, isNew: boolean): InvoiceField | undefined {
  const wrong = firstWrong(INVOICE_FIELDS, errors);
  if (wrong || !isNew) return wrong;
  return (['supplierId', 'jobId'] as const).find((name) => !values[name]) ?? 'numfactura';
}
