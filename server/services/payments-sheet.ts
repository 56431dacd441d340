import type { Db } from '../../db/schema.ts';
import type { Payment } from '../../shared/payments.ts';
import { type PaymentQuery, searchPayments } from './payment-reading.ts';
import { day, money, pagesOf, type Sheet, type SheetColumn } from './sheet.ts';

/** What tells the invoice of a payment from others, elsewhere too. */
interface PaidInvoice {
  uuid: string | null;
  rfc: string | null;
  jobtitle: string;
}

type PaymentRow = Payment & PaidInvoice;

export function paymentsSheet(db: Db, query: Omit<PaymentQuery, 'limit' | 'cursor'>): Sheet<PaymentRow> {
  return {
    columns: COLUMNS,
    pages: pagesOf(async (page) => {
      const { payments, cursor } = await searchPayments(db, { ...query, ...page });
      const invoices = await readInvoices(db, payments);
      const rows = payments.flatMap((payment) => {
        const invoice = invoices.get(payment.facturaproveedorId);
        return invoice ? [{ ...payment, ...invoice }] : []; // gone between the two reads, payment and all
      });
      return { rows, cursor };
    }),
  };
}

const COLUMNS: readonly SheetColumn<PaymentRow>[] = [
  { name: 'id', heading: 'ID', cell: ({ id }) => id },
  { name: 'checknum', heading: 'Cheque', cell: ({ checknum }) => checknum },
  { name: 'facturaproveedorId', heading: 'ID de factura', cell: (payment) => payment.facturaproveedorId },
  { name: 'numfactura', heading: 'Factura', cell: ({ numfactura }) => numfactura },
  { name: 'uuid', heading: 'UUID', cell: ({ uuid }) => uuid },
  { name: 'suppliername', heading: 'Proveedor', cell: ({ suppliername }) => suppliername },
  { name: 'rfc', heading: 'RFC', cell: ({ rfc }) => rfc },
  { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle },
  { name: 'paymentamount', heading: 'Cantidad pagada', cell: ({ amountCents }) => money(amountCents) },
  { name: 'paymentdate', heading: 'Fecha de pago', cell: ({ paymentdate }) => day(paymentdate) },
  {
    name: 'origenderecursonombre',
    heading: 'Origen de recurso',
    cell: ({ origenderecursonombre }) => origenderecursonombre,
  },
  { name: 'comments', heading: 'Observaciones', cell: ({ comments }) => comments },
];

async function readInvoices(db: Db, payments: readonly Payment[]): Promise<Map<number, PaidInvoice>> {
  if (payments.length === 0) return new Map();
  const ids = [...new Set(payments.map((payment) => payment.facturaproveedorId))];
  const rows = await db
    .selectFrom('invoices')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .innerJoin('jobs', 'jobs.id', 'invoices.jobId')
    .select(['invoices.id', 'invoices.uuid', 'suppliers.rfc', 'jobs.jobtitle'])
    .where('invoices.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...invoice }) => [id, invoice]));
}
