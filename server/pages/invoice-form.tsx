import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../db/schema.ts';
import InvoiceForm from '../../islands/InvoiceForm.tsx';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import type { DomainError } from '../../shared/errors.ts';
import {
  INVOICE_FIELDS,
  type InvoiceTexts,
  MIXED_RATE,
  type StoredAmounts,
  typedAmounts,
} from '../../shared/invoice-typing.ts';
import type { Invoice } from '../../shared/invoices.ts';
import { moneyText, rateText } from '../../shared/money.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { pages } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import { getRow } from '../services/catalog-reading.ts';
import { catalogFallback, catalogPicker, chosenName } from './pickers.ts';
import { StaleFields } from './stale.tsx';

const CATALOGS = { supplierId: suppliers, jobId: jobs, rubroId: rubros } as const;

export interface InvoiceFormState {
  /** what was posted; on a first showing what the form starts with */
  values: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

/** The form with its messages: the alert, the other author's values after a stale save, the fields. */
export async function renderInvoiceForm(
  db: Db,
  { values, problem }: InvoiceFormState,
  { action, hidden, invoice }: { action: string; hidden: Record<string, string>; invoice?: Invoice },
) {
  const texts = Object.fromEntries(INVOICE_FIELDS.map((name) => [name, values[name] ?? ''])) as InvoiceTexts;
  const stored = invoice && storedAmounts(invoice);
  const isLocked = Boolean(invoice?.uuid);
  // Whatever was posted, these can't be changed.
  if (isLocked && stored) for (const name of AMOUNT_TEXTS) texts[name] = stored[name];
  const chosen = {
    supplierId: await chosenName(db, suppliers, idIn(texts.supplierId)),
    jobId: await chosenName(db, jobs, idIn(texts.jobId)),
    rubroId: await chosenName(db, rubros, idIn(texts.rubroId)),
  };
  const asksDuplicate = problem?.code === 'duplicate_invoice' || values.allowDuplicate !== undefined;
  return (
    <>
      {problem && <FormProblem problem={problem} />}
      {problem?.kind === 'stale' && invoice && (
        <StaleFields rows={await compare(db, invoice, texts)} reload={pages.editInvoice(invoice.id)} />
      )}
      <Island
        of={InvoiceForm}
        on="idle"
        props={{
          action,
          back: pages.invoices,
          hidden,
          values: texts,
          errors: problem?.fields ?? {},
          pickers: {
            supplierId: { picker: catalogPicker(suppliers), chosen: chosen.supplierId },
            jobId: { picker: catalogPicker(jobs), chosen: chosen.jobId },
            rubroId: { picker: catalogPicker(rubros), chosen: chosen.rubroId },
          },
          creditDays: invoice ? undefined : await creditDaysOf(db, idIn(texts.supplierId)),
          stored,
          shown: typedAmounts(texts, stored),
          paidCents: invoice?.paidCents,
          isLocked,
          asksDuplicate,
          allowDuplicate: values.allowDuplicate !== undefined,
          noscript: {
            supplierId: await catalogFallback(db, suppliers, chosen.supplierId ?? values.suppliername),
            jobId: await catalogFallback(db, jobs, chosen.jobId ?? values.jobtitle),
            rubroId: await catalogFallback(db, rubros, chosen.rubroId ?? values.nombrerubro),
          },
        }}
      />
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
      {problem.message} {existing > 0 && <a href={pages.editInvoice(existing)}>Ver esa factura</a>}
    </Alert>
  );
}

const AMOUNT_TEXTS = ['subtotal', 'tasa', 'otrosimpuestos', 'retenciones'] as const;

function storedAmounts(invoice: Invoice): StoredAmounts {
  const { subtotal, tasa, otrosimpuestos, retenciones } = invoiceTexts(invoice);
  const { ivaCents, totalCents } = invoice;
  return { subtotal, tasa, otrosimpuestos, retenciones, ivaCents, totalCents };
}

const idIn = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) || null : null);

async function creditDaysOf(db: Db, supplierId: number | null): Promise<number> {
  if (supplierId === null) return 0;
  const supplier = await getRow(db, suppliers, supplierId).catch(() => undefined);
  return Number(supplier?.diascredito ?? 0);
}

const LABELS: InvoiceTexts = {
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

/** What is stored now beside what was typed, where they differ. */
async function compare(db: Db, invoice: Invoice, typed: InvoiceTexts) {
  const stored = invoiceTexts(invoice);
  const rows: { label: string; stored: string; yours: string }[] = [];
  for (const name of INVOICE_FIELDS) {
    if (stored[name] === typed[name].trim()) continue;
    const catalog = name in CATALOGS ? CATALOGS[name as keyof typeof CATALOGS] : undefined;
    const shown = async (text: string) =>
      catalog ? ((await chosenName(db, catalog, idIn(text))) ?? '') : text;
    rows.push({ label: LABELS[name], stored: await shown(stored[name]), yours: await shown(typed[name]) });
  }
  return rows;
}
