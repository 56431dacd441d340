import type { Db } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { FilterFact, ListExport } from '../../formats/sheets/list-export.ts';
import type { SheetPart } from '../../formats/sheets/sheet.ts';
import { toInvoiceJson } from '../../shapes/to-json.ts';
import type { Day, InvoiceQuery } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import { paymentsOf } from '../payments/reading.ts';
import { invoicesPdf } from './invoices-pdf.ts';
import { invoicesSheet } from './invoices-sheet.ts';

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
