import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Invoice, pendingOf, STATUS_LABELS, statusOf } from '../../../shared/invoices.ts';
import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { RATE_SCALE } from '../../../shared/money.ts';
import { startPdf } from '../../formats/pdf/document.ts';
import { type InvoiceRow, invoiceRow, layOutInvoices } from '../../formats/pdf/invoices.ts';
import { nextStep } from '../../formats/sheets/next-step.ts';
import {
  day,
  type FilterFact,
  figure,
  type ListExport,
  money,
  pagesOf,
  type Sheet,
  type SheetColumn,
  type SheetPart,
} from '../../formats/sheets/sheet.ts';
import { toInvoiceJson } from '../../shapes/to-json.ts';
import { type Day, type InvoiceQuery, searchInvoices } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import { paymentsOf } from '../payments/reading.ts';
import { letterheadOf } from './make-export.ts';

/** The invoices of a filter. As PDF they have the form that the specification draws. */
export async function invoicesExport(
  db: Db,
  query: Omit<InvoiceQuery, 'limit'> & SheetPart,
  { day, now, facts }: { day: Day; now: Date; facts: readonly FilterFact[] },
): Promise<ListExport<Invoice>> {
  const { limit, cursor, ...filter } = query;
  return {
    file: `Facturas ${query.corte ?? day.today}`,
    title: 'Facturas',
    filters: facts,
    noun: ['factura', 'facturas'],
    sheet: invoicesSheet(db, query, day),
    count: async () =>
      Math.min((await sumInvoices(db, filter, day)).count, limit ?? Number.POSITIVE_INFINITY),
    async toRecords(invoices) {
      const payments = await paymentsOf(
        db,
        invoices.map(({ id }) => id),
      );
      const byInvoice = Map.groupBy(payments, (payment) => payment.facturaproveedorId);
      const today = query.corte ?? day.today;
      return invoices.map((invoice) => toInvoiceJson(invoice, byInvoice.get(invoice.id) ?? [], today));
    },
    form: {
      file: 'Lista de facturas',
      draw: (signal) => invoicesPdf(db, { query, day, now, facts, signal }),
    },
  };
}

/** The invoices of a filter; with a corte, what was paid and their status as of that day. */
export function invoicesSheet(
  db: Db,
  query: Omit<InvoiceQuery, 'limit'> & SheetPart,
  asOf: Day,
): Sheet<Invoice> {
  const today = query.corte ?? asOf.today;
  return {
    columns: [
      ...COLUMNS,
      {
        name: 'status',
        heading: 'Estado',
        cell: (invoice) => STATUS_LABELS[statusOf(invoice, today)],
      },
      { name: 'comments', heading: 'Observaciones', cell: ({ comments }) => comments },
    ],
    pages: pagesOf(async (page) => {
      const { invoices, cursor } = await searchInvoices(db, { ...query, ...page }, asOf);
      return { rows: invoices, cursor };
    }, query),
  };
}

const COLUMNS: readonly SheetColumn<Invoice>[] = [
  { name: 'id', heading: 'ID', cell: ({ id }) => id },
  { name: 'numfactura', heading: 'Factura', cell: ({ numfactura }) => numfactura },
  { name: 'contrato', heading: 'Contrato', cell: ({ contrato }) => contrato },
  { name: 'uuid', heading: 'UUID', cell: ({ uuid }) => uuid },
  { name: 'suppliername', heading: 'Proveedor', cell: ({ suppliername }) => suppliername },
  { name: 'rfc', heading: 'RFC', cell: ({ rfc }) => rfc },
  { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle },
  { name: 'nombrerubro', heading: 'Rubro', cell: ({ nombrerubro }) => nombrerubro },
  { name: 'fechaemision', heading: 'Emisión', cell: ({ fechaemision }) => day(fechaemision) },
  { name: 'fecharecepcion', heading: 'Recepción', cell: ({ fecharecepcion }) => day(fecharecepcion) },
  { name: 'fechavencimiento', heading: 'Vencimiento', cell: (invoice) => day(invoice.fechavencimiento) },
  { name: 'metodopago', heading: 'Método de pago', cell: ({ metodopago }) => metodopago },
  { name: 'subtotal', heading: 'Subtotal', cell: ({ subtotalCents }) => money(subtotalCents) },
  { name: 'tasa', heading: 'Tasa', cell: ({ tasa }) => (tasa === null ? MIXED_RATE : tasa / RATE_SCALE) },
  { name: 'iva', heading: 'IVA', cell: ({ ivaCents }) => money(ivaCents) },
  {
    name: 'otrosimpuestos',
    heading: 'Otros impuestos',
    cell: ({ otrosimpuestosCents }) => money(otrosimpuestosCents),
  },
  {
    name: 'retenciones',
    heading: 'Retenciones',
    cell: ({ retencionesCents }) => money(retencionesCents),
  },
  { name: 'total', heading: 'Total', cell: ({ totalCents }) => money(totalCents) },
  { name: 'monedacfdi', heading: 'Moneda del CFDI', cell: ({ moneda }) => moneda },
  {
    name: 'tipocambiocfdi',
    heading: 'Tipo de cambio del CFDI',
    cell: ({ tipocambio }) => figure(tipocambio),
  },
  { name: 'totalamountpaid', heading: 'Pagado', cell: ({ paidCents }) => money(paidCents) },
  { name: 'pending', heading: 'Pendiente', cell: (invoice) => money(pendingOf(invoice)) },
];

/** Beyond this nobody leafs through it, and it would take the server seconds. */
export const MOST_INVOICES = 10_000;

interface PdfRequest {
  query: Omit<InvoiceQuery, 'limit'> & SheetPart;
  day: Day;
  now: Date;
  /** the filter, in words */
  facts: readonly FilterFact[];
  /** the reader's: where it has gone, nothing more is made */
  signal?: AbortSignal;
}

/**
 * "Lista de facturas.pdf": the invoices of a filter in its order, with their totals.
 * @throws DomainError too-large; the signal's reason
 */
async function invoicesPdf(db: Db, request: PdfRequest): Promise<Uint8Array<ArrayBuffer>> {
  await requireFewEnough(db, request);
  return makePdf(db, request);
}

async function requireFewEnough(db: Db, { query, day }: PdfRequest): Promise<void> {
  const { limit = MOST_INVOICES } = query;
  const { count } = await sumInvoices(db, query, day);
  if (limit < MOST_INVOICES || count <= MOST_INVOICES) return;
  const [found, most] = [count, MOST_INVOICES].map((number) => number.toLocaleString('en-US'));
  throw new DomainError(
    'too-large',
    `Son ${found} facturas y en un PDF caben ${most}. Acota el filtro, o expórtalas en XLSX o CSV, que las llevan todas.`,
    { code: 'too_many_rows' },
  );
}

async function makePdf(
  db: Db,
  { query, day, now, facts, signal }: PdfRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const { timeZone } = day;
  const list = { title: 'Concentrado de facturas de proveedores', filters: facts };
  const head = await letterheadOf({ db, format: 'pdf', now, timeZone }, list);
  const pdf = await startPdf(head.title, now, head.logo);
  // Summed from the lines themselves: what the document says adds up, whatever is saved meanwhile.
  const totals = { count: 0, totalCents: 0, paidCents: 0 };
  const rows: InvoiceRow[] = [];
  const pages = pagesOf(async (page) => {
    const { invoices, cursor } = await searchInvoices(db, { ...query, ...page }, day);
    return { rows: invoices, cursor };
  }, query);
  for await (const invoices of pages) {
    signal?.throwIfAborted();
    for (const invoice of invoices) {
      rows.push(invoiceRow(invoice, pdf.fonts));
      totals.count++;
      totals.totalCents += invoice.totalCents;
      totals.paidCents += invoice.paidCents;
    }
    await nextStep();
  }
  return pdf.write(layOutInvoices({ ...head, totals }, rows, pdf.fonts), signal);
}
