import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../../db/schema.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { formatDate, isPlainDate } from '../../../shared/dates.ts';
import type { DomainError } from '../../../shared/errors.ts';
import { type Invoice, invoiceTexts as messages } from '../../../shared/invoices.ts';
import {
  dueDateFrom,
  INVOICE_FIELDS,
  type InvoiceField,
  type InvoiceTexts,
  type KnownOfInvoice,
  MIXED_RATE,
  type StoredAmounts,
  typedAmounts,
} from '../../../shared/invoices-typing.ts';
import { formatMoney, moneyText, rateText } from '../../../shared/money.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages } from '../../../shared/urls.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { AmountsForm, EnterSaves, FormActions, fieldErrors, idIn } from '../ui/amounts.tsx';
import { catalogFallback, catalogPicker, chosenName } from '../ui/pickers.ts';
import { asMoney, workedOut } from '../ui/posted.ts';
import { StaleFields } from '../ui/stale.tsx';
import { firstField, INVOICE_LABELS, InvoiceFields, type InvoicePicker } from './fields.tsx';

const CATALOGS = { supplierId: suppliers, jobId: jobs, rubroId: rubros } as const;
export const FORM = 'invoice-form';

export interface InvoiceFormState {
  /** what was posted; on a first showing what the form starts with */
  values: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

interface Around {
  action: string;
  hidden: Record<string, string>;
  /** that is edited; none: a new one */
  invoice?: Invoice;
  offersRepeat?: boolean;
}

/** The form with its messages: the alert, the other author's values after a stale save, the fields. */
export async function renderInvoiceForm(
  db: Db,
  { values, problem }: InvoiceFormState,
  { action, hidden, invoice, offersRepeat = false }: Around,
) {
  const texts = Object.fromEntries(INVOICE_FIELDS.map((name) => [name, values[name] ?? ''])) as InvoiceTexts;
  const stored = invoice && storedAmounts(invoice);
  const isLocked = Boolean(invoice?.uuid);
  // Whatever was posted, these can't be changed.
  if (isLocked && stored) for (const name of AMOUNT_TEXTS) texts[name] = stored[name];
  const isDuplicate = problem?.code === 'duplicate_invoice';
  const errors = fieldErrors(problem, messages.required, texts, {
    ...(isDuplicate && { [problem.message]: 'Este número ya existe.' }),
    [messages.notBelowPaid]: `Lo pagado ya suma ${formatMoney(invoice?.paidCents ?? 0)}.`,
  });
  const creditDays = await creditDaysOf(db, idIn(texts.supplierId));
  // What is given with a new one, its day of reception for one, may say when it is due.
  if (!invoice) texts.fechavencimiento ||= dueDateFrom(texts, creditDays) ?? '';
  const known: KnownOfInvoice = { isNew: !invoice, creditDays, stored };
  return (
    <>
      {problem && <FormProblem problem={problem} />}
      {problem?.kind === 'stale' && invoice && (
        <StaleFields
          rows={await compare(db, invoice, texts, values)}
          reload={pages.editInvoice(invoice.id)}
          form={FORM}
        />
      )}
      <AmountsForm id={FORM} action={action} hidden={hidden} live="invoice" data={known}>
        <EnterSaves />
        <InvoiceFields
          values={texts}
          errors={errors}
          focus={isDuplicate ? 'allowDuplicate' : firstField(texts, errors, !invoice)}
          pickers={{
            supplierId: await pickerFor(db, 'supplierId', texts, values),
            jobId: await pickerFor(db, 'jobId', texts, values),
            rubroId: await pickerFor(db, 'rubroId', texts, values),
          }}
          shown={typedAmounts(workedOut(texts), stored)}
          paidCents={invoice?.paidCents}
          isLocked={isLocked}
          offersRepeat={offersRepeat}
          asksDuplicate={isDuplicate || values.allowDuplicate !== undefined}
          allowDuplicate={values.allowDuplicate !== undefined}
        />
        <FormActions next={invoice ? undefined : 'Guardar y nueva'} back={pages.invoices} />
      </AmountsForm>
    </>
  );
}

/** An invoice as its form shows it. */
export function invoiceTexts(invoice: Invoice): InvoiceTexts {
  return {
    supplierId: String(invoice.supplierId),
    jobId: String(invoice.jobId),
    rubroId: String(invoice.rubroId ?? ''),
    numfactura: invoice.numfactura,
    fechaemision: invoice.fechaemision ?? '',
    fecharecepcion: invoice.fecharecepcion ?? '',
    fechavencimiento: invoice.fechavencimiento ?? '',
    subtotal: moneyText(invoice.subtotalCents),
    tasa: invoice.tasa === null ? MIXED_RATE : rateText(invoice.tasa),
    otrosimpuestos: moneyText(invoice.otrosimpuestosCents),
    retenciones: moneyText(invoice.retencionesCents),
    comments: invoice.comments,
  };
}

function FormProblem({ problem }: { problem: DomainError }) {
  const existing = problem.code === 'duplicate_invoice' ? Number(problem.extra?.existingId) : 0;
  return (
    <Alert tone="error">
      {problem.message}{' '}
      {existing > 0 && (
        // In a new tab: the way back to a posted form is one that browsers ask about, or fail on.
        <a href={pages.editInvoice(existing)} target="_blank" rel="noopener">
          Ver esa factura
        </a>
      )}
    </Alert>
  );
}

/** A picker's parts: the chosen row's name, and what stands for it without script. */
export async function pickerFor(
  db: Db,
  name: InvoicePicker,
  texts: InvoiceTexts,
  posted: InvoiceFormState['values'],
) {
  const catalog = CATALOGS[name];
  const chosen = await chosenName(db, catalog, idIn(texts[name]));
  const noscript = await catalogFallback(db, catalog, chosen ?? posted[catalog.nameField]);
  return { picker: catalogPicker(catalog), chosen, noscript };
}

const AMOUNT_TEXTS = ['subtotal', 'tasa', 'otrosimpuestos', 'retenciones'] as const;

function storedAmounts(invoice: Invoice): StoredAmounts {
  const { subtotal, tasa, otrosimpuestos, retenciones } = invoiceTexts(invoice);
  const { ivaCents, totalCents } = invoice;
  return { subtotal, tasa, otrosimpuestos, retenciones, ivaCents, totalCents };
}

async function creditDaysOf(db: Db, supplierId: number | null): Promise<number> {
  if (supplierId === null) return 0;
  const supplier = await getRow(db, suppliers, supplierId).catch(() => undefined);
  return Number(supplier?.diascredito ?? 0);
}

/** What is stored now beside what was typed, as people read it, where they differ; the totals last. */
async function compare(
  db: Db,
  invoice: Invoice,
  typed: InvoiceTexts,
  posted: InvoiceFormState['values'],
): Promise<{ label: string; stored: string; yours: string }[]> {
  const stored = invoiceTexts(invoice);
  const yours = workedOut(typed);
  const shown = async (name: InvoiceField, texts: InvoiceTexts) => {
    const text = texts[name].trim();
    if (name === 'supplierId' || name === 'jobId' || name === 'rubroId')
      return (await chosenName(db, CATALOGS[name], idIn(text))) ?? '';
    if (name === 'tasa') return text && text !== MIXED_RATE ? `${text} %` : text;
    if (name === 'subtotal' || name === 'otrosimpuestos' || name === 'retenciones') return asMoney(text);
    return isPlainDate(text) ? formatDate(text) : text;
  };
  const rows = [];
  for (const name of INVOICE_FIELDS) {
    const label = INVOICE_LABELS[name];
    const row = { label, stored: await shown(name, stored), yours: await shown(name, yours) };
    const byName = name in CATALOGS && posted[CATALOGS[name as InvoicePicker].nameField];
    if (!row.yours && byName) row.yours = byName;
    if (row.stored !== row.yours) rows.push(row);
  }
  const total = typedAmounts(yours, storedAmounts(invoice))?.totalCents;
  if (total !== undefined && total !== invoice.totalCents)
    rows.push({ label: 'Total', stored: formatMoney(invoice.totalCents), yours: formatMoney(total) });
  return rows;
}
