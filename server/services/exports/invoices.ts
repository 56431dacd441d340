import type { Db } from '../../../db/schema.ts';
import { type Invoice, pendingOf, STATUS_LABELS, statusOf } from '../../../shared/invoices.ts';
import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { RATE_SCALE } from '../../../shared/money.ts';
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
import { invoicesPdf } from './invoices-pdf.ts';

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
