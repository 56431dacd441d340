import { formatDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { createSheetColumns, type ListExport, type SheetColumn } from '../../formats/sheets/sheet.ts';
import {
  type AdvisedPayment,
  describeForeignPaid,
  type PaymentAdvice,
} from '../statements/payment-advice.ts';
import { toAppliedFilters } from './export-texts.ts';

const COLUMNS: readonly SheetColumn<AdvisedPayment>[] = createSheetColumns([
  {
    name: 'numfactura',
    heading: 'Factura',
    cell: ({ numfactura }) => invoiceNumberText(numfactura),
    key: true,
  },
  { name: 'uuid', heading: 'UUID' },
  { name: 'jobtitle', heading: 'Obra' },
  { name: 'referencia', heading: 'Cheque', cell: ({ checknum }) => checknum || null },
  { name: 'origen', heading: 'Origen', cell: ({ origenderecursonombre }) => origenderecursonombre },
  { name: 'total', heading: 'Total de la factura', kind: 'money', sum: false },
  { name: 'pagadoantes', heading: 'Pagado antes', kind: 'money', cents: 'beforeCents', sum: false },
  { name: 'pagado', heading: 'Pagado', kind: 'money', cents: 'amountCents' },
  { name: 'resta', heading: 'Resta', kind: 'money', cents: 'restCents', sum: false },
]);

const FOREIGN_COLUMN: SheetColumn<AdvisedPayment> = {
  name: 'importemoneda',
  heading: 'Pagado en su moneda',
  cell: (payment) => describeForeignPaid(payment) ?? null,
};

export function adviceExport({ supplier, date, payments }: PaymentAdvice): ListExport<AdvisedPayment> {
  const paid = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return {
    file: `Aviso de pago ${supplier.suppliername} ${date}`,
    title: `Aviso de pago: ${supplier.suppliername}`,
    filters: toAppliedFilters({
      RFC: supplier.rfc,
      'Fecha de pago': formatDate(date),
      'Total pagado': formatMoney(paid),
    }),
    noun: ['pago', 'pagos'],
    sheet: {
      columns: payments.some(describeForeignPaid) ? [...COLUMNS, FOREIGN_COLUMN] : COLUMNS,
      pages: [payments],
    },
    notes: payments.some(({ needsReceipt }) => needsReceipt) ? [RECEIPT_DUE_NOTE] : [],
  };
}

/** The deadline is that of the Resolución Miscelánea Fiscal, rule 2.7.1.32. */
const RECEIPT_DUE_NOTE =
  'De las facturas en parcialidades (PPD) falta el recibo electrónico de pago (REP): se emite a más tardar el quinto día natural del mes siguiente al pago.';
