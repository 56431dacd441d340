import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { MIXED_RATE, OTHER_AMOUNT_FIELDS } from '../../../shared/invoice-form-amounts.ts';
import {
  INVOICE_FIELDS,
  type Invoice,
  pendingOf,
  STATUS_LABELS,
  statusOf,
} from '../../../shared/invoices.ts';
import { RATE_SCALE } from '../../../shared/money.ts';
import { createPdf } from '../../formats/pdf/document.ts';
import { drawInvoicePages, type InvoiceRow, invoiceRow } from '../../formats/pdf/invoices.ts';
import { yieldToEventLoop } from '../../formats/sheets/event-loop.ts';
import {
  type AppliedFilter,
  createPages,
  createSheetColumns,
  type ExportQuery,
  exportFromSearch,
  moneyCell,
  numberCell,
  type PartialListExport,
  requireRowsAtMost,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { invoiceAnswer } from '../../shapes/invoices.ts';
import { type InvoiceQuery, searchInvoices, type TodayAndTimeZone } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import { readPaymentsOfInvoices } from '../payments/reading.ts';
import { readLetterhead } from './make-export.ts';

type InvoicesExportQuery = ExportQuery<InvoiceQuery>;

/** With a corte, paid amounts and status are as of that day. */
export async function invoicesExport(
  db: Db,
  query: InvoicesExportQuery,
  {
    day,
    now,
    appliedFilters,
  }: { day: TodayAndTimeZone; now: Date; appliedFilters: readonly AppliedFilter[] },
): Promise<PartialListExport<Invoice>> {
  const today = query.corte ?? day.today;
  return {
    ...exportFromSearch(query, {
      columns: createInvoiceColumns(today),
      search: createPageSearch(db, query, day),
      count: async () => (await sumInvoices(db, query, day)).count,
      async toRecords(invoices) {
        const ids = invoices.map(({ id }) => id);
        const byInvoice = Map.groupBy(
          await readPaymentsOfInvoices(db, ids),
          (payment) => payment.facturaproveedorId,
        );
        return invoices.map((invoice) => {
          const payments = byInvoice.get(invoice.id) ?? [];
          return invoiceAnswer.toJson({ ...invoice, payments, today });
        });
      },
    }),
    file: `Facturas ${today}`,
    // The PDF has the layout that the specification draws.
    pdfForm: {
      file: 'Lista de facturas',
      draw: (signal) => drawInvoicesPdf(db, { query, day, now, appliedFilters, signal }),
    },
  };
}

const createPageSearch =
  (db: Db, query: InvoicesExportQuery, day: TodayAndTimeZone) =>
  (page: Pick<InvoiceQuery, 'limit' | 'cursor'>) =>
    searchInvoices(db, { ...query, ...page }, day);

const createInvoiceColumns = (today: PlainDate): readonly SheetColumn<Invoice>[] =>
  createSheetColumns(
    [
      { name: 'id', heading: 'ID' },
      'numfactura',
      'contrato',
      { name: 'uuid', heading: 'UUID' },
      { name: 'suppliername', heading: 'Proveedor' },
      { name: 'rfc', heading: 'RFC' },
      { name: 'jobtitle', heading: 'Obra' },
      { name: 'nombrerubro', heading: 'Rubro' },
      'fechaemision',
      'fecharecepcion',
      'fechavencimiento',
      { name: 'metodopago', heading: 'Método de pago' },
      'subtotal',
      {
        name: 'tasa',
        heading: 'Tasa',
        cell: ({ tasa }) => (tasa === null ? MIXED_RATE : tasa / RATE_SCALE),
      },
      { name: 'iva', heading: 'IVA', kind: 'money' },
      ...OTHER_AMOUNT_FIELDS,
      { name: 'total', heading: 'Total', kind: 'money' },
      { name: 'monedacfdi', heading: 'Moneda del CFDI', cell: ({ moneda }) => moneda },
      {
        name: 'tipocambiocfdi',
        heading: 'Tipo de cambio del CFDI',
        cell: ({ tipocambio }) => numberCell(tipocambio),
      },
      { name: 'totalamountpaid', heading: 'Pagado', kind: 'money', cents: 'paidCents' },
      { name: 'pending', heading: 'Pendiente', cell: (invoice) => moneyCell(pendingOf(invoice)) },
      {
        name: 'status',
        heading: 'Estado',
        cell: (invoice) => STATUS_LABELS[statusOf(invoice, today)],
      },
      'comments',
    ],
    INVOICE_FIELDS,
  );

/** More invoices would take the server seconds, and nobody would read through them. */
export const MAX_PDF_INVOICES = 10_000;

interface PdfRequest {
  query: InvoicesExportQuery;
  day: TodayAndTimeZone;
  now: Date;
  appliedFilters: readonly AppliedFilter[];
  signal?: AbortSignal;
}

async function requireFitsPdf(db: Db, { query, day }: PdfRequest): Promise<void> {
  const { limit = MAX_PDF_INVOICES } = query;
  const { count } = await sumInvoices(db, query, day);
  if (limit < MAX_PDF_INVOICES) return;
  requireRowsAtMost(
    count,
    MAX_PDF_INVOICES,
    (found, most) =>
      `Son ${found} facturas y en un PDF caben ${most}. Acota el filtro, o expórtalas en XLSX o CSV, que las llevan todas.`,
  );
}

/** @throws DomainError too-large; the signal's reason */
async function drawInvoicesPdf(db: Db, request: PdfRequest): Promise<Uint8Array<ArrayBuffer>> {
  await requireFitsPdf(db, request);
  const { query, day, now, appliedFilters, signal } = request;
  const { timeZone } = day;
  const list = { title: 'Concentrado de facturas de proveedores', filters: appliedFilters };
  const head = await readLetterhead({ db, format: 'pdf', now, timeZone }, list);
  const pdf = await createPdf(head.title, now, head.logo);
  // The totals are summed from the lines, so that they agree with them even if invoices are saved meanwhile.
  const totals = { count: 0, totalCents: 0, paidCents: 0 };
  const rows: InvoiceRow[] = [];
  for await (const invoices of createPages(createPageSearch(db, query, day), query)) {
    signal?.throwIfAborted();
    for (const invoice of invoices) {
      rows.push(invoiceRow(invoice, pdf.fonts));
      totals.count++;
      totals.totalCents += invoice.totalCents;
      totals.paidCents += invoice.paidCents;
    }
    await yieldToEventLoop();
  }
  return pdf.write(drawInvoicePages({ ...head, totals }, rows, pdf.fonts), signal);
}
