import type { Db } from '../../../db/schema.ts';
import InvoiceForm, { type InvoiceFormProps } from '../../../islands/InvoiceForm.tsx';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import {
  INVOICE_FIELDS,
  INVOICE_NOTES,
  type Invoice,
  type InvoiceField,
  type InvoiceTexts,
  invoiceTexts as messages,
} from '../../../shared/invoices.ts';
import { describeDue } from '../../../shared/invoices-due.ts';
import {
  AMOUNT_FIELDS,
  computeTypedAmounts,
  type InvoiceContext,
  isAmountField,
  MIXED_RATE,
  OTHER_AMOUNTS,
  type StoredAmounts,
} from '../../../shared/invoices-typing.ts';
import { language } from '../../../shared/language.ts';
import { formatMoney } from '../../../shared/money.ts';
import { leaveWord } from '../../../shared/ui/Leave.tsx';
import { pages } from '../../../shared/urls.ts';
import { firstStepsAddress } from '../../http/request.ts';
import { type AppContext, requestSettings } from '../../http/session.ts';
import { costOf } from '../../services/budgets/budget-book.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { isRecentlyUsed } from '../../services/invoices/finding.ts';

import { Island } from '../../shell/island.tsx';
import { parseOptionalId } from '../ui/pickers.ts';
import { evaluateOperations } from '../ui/posted.ts';
import {
  describeControls,
  fieldErrors,
  findFirstWrong,
  type ShownForm,
  type Texts,
  textsOf,
  typedTexts,
} from '../ui/record-fields.tsx';
import { FormMessages, type FormState } from '../ui/record-form.tsx';
import { DUPLICATE_INVOICE, needsReason } from '../ui/refusal-reason.tsx';
import { compareTexts, differenceRows } from '../ui/stale.tsx';

export const FORM = 'invoice-form';

interface FormContext {
  action: string;
  hidden: Record<string, string>;
  today: PlainDate;
  invoice?: Invoice;
  offersRepeat?: boolean;
  proposed?: ReadonlySet<string>;
}

export async function renderInvoiceForm(
  c: AppContext,
  state: FormState,
  { action, hidden, today, invoice, offersRepeat = false, proposed }: FormContext,
) {
  const { db } = c.get('deps');
  const { values, problem } = state;
  const stored = invoice && storedAmounts(invoice);
  const isLocked = Boolean(invoice?.uuid);
  const posted: Record<string, string> = { ...values };
  // They come from the CFDI, whatever was posted.
  if (isLocked && stored) for (const name of AMOUNT_FIELDS) posted[name] = stored[name];
  const texts = typedTexts(INVOICE_FIELDS, posted);
  const isDuplicate = problem?.code === DUPLICATE_INVOICE;
  const errors = fieldErrors(problem, messages.required, INVOICE_FIELDS, texts, {
    ...(isDuplicate && { [problem.message]: 'Este número ya existe.' }),
    [messages.notBelowPaid]: `Lo pagado ya suma ${formatMoney(invoice?.paidCents ?? 0)}.`,
  });
  const creditDays = await readCreditDays(db, parseOptionalId(texts.supplierId));
  const fechacaptura = invoice?.fechacaptura ?? today;
  const context: InvoiceContext = { isNew: !invoice, creditDays, fechacaptura, stored };
  const stale =
    problem?.kind === 'stale' && invoice
      ? { rows: await compareInvoice(db, invoice, posted), reload: pages.editInvoice(invoice.id) }
      : undefined;
  const asksDuplicate = isDuplicate || values.allowDuplicate !== undefined;
  const island = await renderInvoiceIsland(c, {
    form: {
      action,
      hidden,
      next: invoice ? undefined : 'Guardar y nueva',
      back: firstStepsAddress(values) ?? pages.invoices,
    },
    context,
    fields: {
      values: { ...posted, ...texts },
      errors,
      focus: isDuplicate
        ? 'allowDuplicate'
        : needsReason(problem)
          ? undefined
          : firstField(texts, errors, !invoice),
      proposed,
      isLocked,
    },
    invoice,
    shown: computeTypedAmounts(evaluateOperations(INVOICE_FIELDS, texts), stored),
    notes: invoice ? notesOn(invoice) : [],
    offersRepeat,
    duplicate: asksDuplicate
      ? { checked: values.allowDuplicate !== undefined, focus: isDuplicate }
      : undefined,
  });
  return (
    <>
      <FormMessages form={FORM} state={state} stale={stale} />
      {island}
    </>
  );
}

interface InvoiceIsland
  extends Pick<InvoiceFormProps, 'context' | 'shown' | 'notes' | 'document' | 'offersRepeat' | 'duplicate'> {
  form: Omit<InvoiceFormProps['form'], 'id' | 'leave'>;
  fields: InvoiceFieldsProps;
  invoice?: Invoice;
}

export async function renderInvoiceIsland(
  c: AppContext,
  { form, fields, invoice, ...shared }: InvoiceIsland,
) {
  return (
    <Island
      component={InvoiceForm}
      on="idle"
      props={{
        ...shared,
        ...(await describeInvoiceFields(c.get('deps').db, fields, shared.document !== undefined)),
        form: { ...form, id: FORM, leave: leaveWord() },
        due: describeDue(fields.values, shared.context),
        budget: await readBudgetProps(c, invoice),
      }}
    />
  );
}

export const invoiceTexts = (invoice: Invoice): InvoiceTexts => ({
  ...textsOf(INVOICE_FIELDS, invoice),
  ...(invoice.tasa === null && { tasa: MIXED_RATE }),
});

/** @returns undefined where the settings ignore budgets */
async function readBudgetProps(c: AppContext, invoice?: Invoice): Promise<InvoiceFormProps['budget']> {
  const { presupuesto } = await requestSettings(c);
  return presupuesto === 'ignorar' ? undefined : { previous: invoice && costOf(invoice) };
}

function notesOn({ moneda, tipocambio, paidCents, uuid }: Invoice): string[] {
  // On Spanish screens the page's head shows it.
  const notes = language() === 'es' ? [] : [`Total ya pagado: ${formatMoney(paidCents)}`];
  if (moneda) notes.unshift(messages.converted(moneda, tipocambio!));
  if (uuid) notes.push('Los importes vienen del CFDI. Para cambiarlos, desliga la factura de su CFDI.');
  return notes;
}

function storedAmounts(invoice: Invoice): StoredAmounts {
  const { subtotal, tasa, otrosimpuestos, retenciones } = invoiceTexts(invoice);
  const { ivaCents, totalCents } = invoice;
  return { subtotal, tasa, otrosimpuestos, retenciones, ivaCents, totalCents };
}

async function readCreditDays(db: Db, supplierId: number | null): Promise<number> {
  if (supplierId === null) return 0;
  const supplier = await getRow(db, suppliers, supplierId).catch(() => undefined);
  return Number(supplier?.diascredito ?? 0);
}

async function compareInvoice(db: Db, invoice: Invoice, posted: Texts) {
  const stored = invoiceTexts(invoice);
  const rows = await compareTexts(db, INVOICE_FIELDS, stored, posted);
  const yours = evaluateOperations(INVOICE_FIELDS, { ...stored, ...posted });
  const total = computeTypedAmounts(yours, storedAmounts(invoice))?.totalCents ?? invoice.totalCents;
  return [...rows, ...differenceRows('Total', formatMoney(invoice.totalCents), formatMoney(total))];
}

interface InvoiceFieldsProps extends Omit<ShownForm, 'pickers'> {
  values: InvoiceTexts & Texts;
  isLocked?: boolean;
}

/** Whether the CFDI of an invoice determines the field. */
export const isSetByCfdi = (name: InvoiceField) =>
  isAmountField(name) || name === 'supplierId' || name === 'numfactura' || name === 'fechaemision';

/** @param isDocument a CFDI becomes an invoice: its fields are shown, not asked for */
async function describeInvoiceFields(
  db: Db,
  { values, errors, focus, proposed, isLocked }: InvoiceFieldsProps,
  isDocument: boolean,
): Promise<Pick<InvoiceFormProps, 'controls' | 'errors' | 'showsOthers' | 'folded'>> {
  const isFixed = (name: InvoiceField) => (isDocument ? isSetByCfdi(name) : isLocked && isAmountField(name));
  const isMixed = values.tasa === MIXED_RATE && !isFixed('tasa');
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
    readOnly: isFixed(field.name),
  }));
  const folded: InvoiceField[] = [];
  for (const name of RARE_FIELDS)
    if (!values[name] && !errors[name] && !(await isRecentlyUsed(db, name))) folded.push(name);
  return {
    controls: await describeControls(db, fields, { values, errors, focus, proposed }),
    errors: { iva: errors.iva, total: errors.total },
    folded,
    showsOthers: OTHER_AMOUNTS.some((name) => errors[name] || !/^[0.\s]*$/.test(values[name])),
  };
}

const RARE_FIELDS = INVOICE_NOTES.filter((note) =>
  INVOICE_FIELDS.some((field) => field.name === note && 'isFolded' in field),
);

function firstField(values: InvoiceTexts, errors: Texts, isNew: boolean): InvoiceField | undefined {
  const wrong = findFirstWrong(INVOICE_FIELDS, errors);
  if (wrong || !isNew) return wrong;
  return (['supplierId', 'jobId'] as const).find((name) => !values[name]) ?? 'numfactura';
}
