import type { Db } from '../../../db/schema.ts';
import InvoiceForm, { type InvoiceFormProps } from '../../../islands/InvoiceForm.tsx';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import {
  computeTypedAmounts,
  type InvoiceFormContext,
  isAmountField,
  MIXED_RATE,
  OTHER_AMOUNT_FIELDS,
  type StoredAmounts,
  TYPED_AMOUNT_FIELDS,
} from '../../../shared/invoice-form-amounts.ts';
import {
  INVOICE_FIELDS,
  INVOICE_NOTES,
  type Invoice,
  type InvoiceField,
  type InvoiceFieldTexts,
  invoiceTexts as messages,
} from '../../../shared/invoices.ts';
import { describeDue } from '../../../shared/invoices-due.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { formatMoney } from '../../../shared/money.ts';
import { leaveLabel } from '../../../shared/ui/LeaveLink.tsx';
import { pages } from '../../../shared/urls.ts';
import { firstStepsReturnHref } from '../../http/request.ts';
import { type AppContext, readSettingsOnce } from '../../http/session.ts';
import { toInvoiceCost } from '../../services/budgets/budget-book.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { isFieldRecentlyUsed } from '../../services/invoices/finding.ts';

import { Island } from '../../shell/island.tsx';
import { parseOptionalId } from '../ui/pickers.ts';
import { evaluateOperations } from '../ui/posted-fields.ts';
import {
  describeControls,
  type FieldTexts,
  findFirstWrongField,
  pickFieldTexts,
  type ShownForm,
  shortenFieldErrors,
  toFieldTexts,
} from '../ui/record-fields.tsx';
import { FormMessages, type FormState } from '../ui/record-form.tsx';
import { DUPLICATE_INVOICE_CODE, needsReason } from '../ui/refusal-reason.tsx';
import { findFieldDifferences, toDifferenceRows } from '../ui/stale-fields.tsx';

export const FORM_ID = 'invoice-form';

interface InvoiceFormOptions {
  action: string;
  hidden: Record<string, string>;
  today: PlainDate;
  invoice?: Invoice;
  offersRepeat?: boolean;
  proposedFields?: ReadonlySet<string>;
}

export async function renderInvoiceForm(
  c: AppContext,
  state: FormState,
  { action, hidden, today, invoice, offersRepeat = false, proposedFields }: InvoiceFormOptions,
) {
  const { db } = c.get('deps');
  const { values, problem } = state;
  const stored = invoice && toStoredAmounts(invoice);
  const isLocked = Boolean(invoice?.uuid);
  const posted: Record<string, string> = { ...values };
  // These values come from the CFDI, not from the posted form.
  if (isLocked && stored) for (const name of TYPED_AMOUNT_FIELDS) posted[name] = stored[name];
  const texts = pickFieldTexts(INVOICE_FIELDS, posted);
  const isDuplicate = problem?.code === DUPLICATE_INVOICE_CODE;
  const errors = shortenFieldErrors(problem, messages.required, INVOICE_FIELDS, texts, {
    ...(isDuplicate && { [problem.message]: 'Este número ya existe.' }),
    [messages.notBelowPaid]: `Lo pagado ya suma ${formatMoney(invoice?.paidCents ?? 0)}.`,
  });
  const stale =
    problem?.kind === 'stale' && invoice
      ? { rows: await findInvoiceDifferences(db, invoice, posted), reloadHref: pages.editInvoice(invoice.id) }
      : undefined;
  const asksDuplicate = isDuplicate || values.allowDuplicate !== undefined;
  const island = await renderInvoiceIsland(c, {
    form: {
      action,
      hidden,
      next: invoice ? undefined : 'Guardar y nueva',
      back: firstStepsReturnHref(values) ?? pages.invoices,
    },
    context: readCreditDays(db, parseOptionalId(texts.supplierId)).then((creditDays) => ({
      isNew: !invoice,
      creditDays,
      fechacaptura: invoice?.fechacaptura ?? today,
      stored,
    })),
    fields: {
      values: { ...posted, ...texts },
      errors,
      focus: isDuplicate
        ? 'allowDuplicate'
        : needsReason(problem)
          ? undefined
          : findFirstFocusField(texts, errors, !invoice),
      proposedFields,
      isLocked,
    },
    invoice,
    shown: computeTypedAmounts(evaluateOperations(INVOICE_FIELDS, texts), stored),
    notes: invoice ? listInvoiceFormNotes(invoice) : [],
    offersRepeat,
    duplicate: asksDuplicate
      ? { checked: values.allowDuplicate !== undefined, focus: isDuplicate }
      : undefined,
  });
  return (
    <>
      <FormMessages form={FORM_ID} fields={INVOICE_FIELDS} state={state} staleFields={stale} />
      {island}
    </>
  );
}

interface InvoiceIslandOptions
  extends Pick<InvoiceFormProps, 'shown' | 'notes' | 'document' | 'offersRepeat' | 'duplicate'> {
  form: Omit<InvoiceFormProps['form'], 'id' | 'leave'>;
  fields: ShownInvoiceFields;
  context: InvoiceFormContext | Promise<InvoiceFormContext>;
  invoice?: Invoice;
}

export async function renderInvoiceIsland(
  c: AppContext,
  { form, fields, invoice, context: reading, ...shared }: InvoiceIslandOptions,
) {
  const [context, described, budget] = await Promise.all([
    reading,
    describeInvoiceFields(c.get('deps').db, fields, shared.document !== undefined),
    readBudgetProps(c, invoice),
  ]);
  return (
    <Island
      component={InvoiceForm}
      on="idle"
      props={{
        ...shared,
        ...described,
        context,
        form: { ...form, id: FORM_ID, leave: leaveLabel() },
        due: describeDue(fields.values, context),
        budget,
      }}
    />
  );
}

export const toInvoiceTexts = (invoice: Invoice): InvoiceFieldTexts => ({
  ...toFieldTexts(INVOICE_FIELDS, invoice),
  ...(invoice.tasa === null && { tasa: MIXED_RATE }),
});

/** @returns undefined where the settings ignore budgets */
async function readBudgetProps(c: AppContext, invoice?: Invoice): Promise<InvoiceFormProps['budget']> {
  const { presupuesto } = await readSettingsOnce(c);
  return presupuesto === 'ignorar' ? undefined : { previous: invoice && toInvoiceCost(invoice) };
}

function listInvoiceFormNotes({ moneda, tipocambio, paidCents, uuid }: Invoice): string[] {
  // The page's head always shows what was paid; the mixed screens say it here too, as in the specification.
  const notes = currentLanguage() === 'es' ? [] : [`Total ya pagado: ${formatMoney(paidCents)}`];
  if (moneda) notes.unshift(messages.converted(moneda, tipocambio!));
  if (uuid) notes.push('Los importes vienen del CFDI. Para cambiarlos, desliga la factura de su CFDI.');
  return notes;
}

function toStoredAmounts(invoice: Invoice): StoredAmounts {
  const { subtotal, tasa, otrosimpuestos, retenciones } = toInvoiceTexts(invoice);
  const { ivaCents, totalCents } = invoice;
  return { subtotal, tasa, otrosimpuestos, retenciones, ivaCents, totalCents };
}

async function readCreditDays(db: Db, supplierId: number | null): Promise<number> {
  if (supplierId === null) return 0;
  const supplier = await getRow(db, suppliers, supplierId).catch(() => undefined);
  return Number(supplier?.diascredito ?? 0);
}

async function findInvoiceDifferences(db: Db, invoice: Invoice, posted: FieldTexts) {
  const stored = toInvoiceTexts(invoice);
  const rows = await findFieldDifferences(db, INVOICE_FIELDS, stored, posted);
  const yours = evaluateOperations(INVOICE_FIELDS, { ...stored, ...posted });
  const total = computeTypedAmounts(yours, toStoredAmounts(invoice))?.totalCents ?? invoice.totalCents;
  return [...rows, ...toDifferenceRows('Total', formatMoney(invoice.totalCents), formatMoney(total))];
}

interface ShownInvoiceFields extends Omit<ShownForm, 'pickers'> {
  values: InvoiceFieldTexts & FieldTexts;
  isLocked?: boolean;
}

export const isSetByCfdi = (name: InvoiceField) =>
  isAmountField(name) || name === 'supplierId' || name === 'numfactura' || name === 'fechaemision';

/** @param isDocument the form makes an invoice of a CFDI, so the CFDI's fields are shown and not asked for */
async function describeInvoiceFields(
  db: Db,
  { values, errors, focus, proposedFields, isLocked }: ShownInvoiceFields,
  isDocument: boolean,
): Promise<Pick<InvoiceFormProps, 'controls' | 'errors' | 'showsOthers' | 'foldedFields'>> {
  const isReadOnly = (name: InvoiceField) =>
    isDocument ? isSetByCfdi(name) : isLocked && isAmountField(name);
  const isMixed = values.tasa === MIXED_RATE && !isReadOnly('tasa');
  const rate = {
    label: 'Tasa de IVA (1-100)',
    hint: isMixed && 'Varias tasas. Escribe una sola para calcular de nuevo el IVA.',
  };
  const shownFields = isDocument
    ? INVOICE_FIELDS.filter(({ name }) => name !== 'supplierId')
    : INVOICE_FIELDS;
  const fields = shownFields.map((field) => ({
    ...field,
    ...(field.name === 'tasa' && rate),
    readOnly: isReadOnly(field.name),
  }));
  const isFolded = async (name: (typeof FOLDABLE_FIELD_NAMES)[number]) =>
    !values[name] && !errors[name] && !(await isFieldRecentlyUsed(db, name));
  const [controls, folded] = await Promise.all([
    describeControls(db, fields, { values, errors, focus, proposedFields }),
    Promise.all(FOLDABLE_FIELD_NAMES.map(isFolded)),
  ]);
  const foldedFields = FOLDABLE_FIELD_NAMES.filter((_, index) => folded[index]);
  return {
    controls,
    errors: { iva: errors.iva, total: errors.total },
    foldedFields,
    showsOthers: OTHER_AMOUNT_FIELDS.some((name) => errors[name] || !/^[0.\s]*$/.test(values[name])),
  };
}

const FOLDABLE_FIELD_NAMES = INVOICE_NOTES.filter((note) =>
  INVOICE_FIELDS.some((field) => field.name === note && 'isFolded' in field),
);

function findFirstFocusField(
  values: InvoiceFieldTexts,
  errors: FieldTexts,
  isNew: boolean,
): InvoiceField | undefined {
  const wrong = findFirstWrongField(INVOICE_FIELDS, errors);
  if (wrong || !isNew) return wrong;
  return (['supplierId', 'jobId'] as const).find((name) => !values[name]) ?? 'numfactura';
}
