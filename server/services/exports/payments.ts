import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import {
  bankAmountOf,
  creditNoteLabel,
  PAYMENT_FIELDS,
  PAYMENT_KIND_LABELS,
  type Payment,
  REP_STATE_LABELS,
} from '../../../shared/payments.ts';
import {
  createSheetColumns,
  type ExportQuery,
  exportFromSearch,
  moneyCell,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { paymentAnswer } from '../../shapes/payments.ts';
import { anyPaymentHasBankAmount, type PaymentQuery, searchPayments } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';
import { idsOf, mapById } from '../stored-rows.ts';

/** Has the columns by which an import finds the invoice and the credit note of each payment again. */
export async function paymentsExport(db: Db, query: ExportQuery<PaymentQuery>) {
  // The PDF shows the bank's amount only if the firm has paid at other exchange rates than those of its invoices.
  const showsBank = await anyPaymentHasBankAmount(db);
  return exportFromSearch<Payment, PaymentRow>(query, {
    columns: COLUMNS.map((column) =>
      column.name === 'importebanco' && showsBank ? { ...column, paperCell: undefined } : column,
    ),
    // Credits move no money, so their total is shown beside that of the payments, as on the screen.
    sumBreakdown: {
      column: 'kind',
      labels: [
        [PAYMENT_KIND_LABELS.pago, 'Total pagado'],
        [PAYMENT_KIND_LABELS.credito, 'Total notas de crédito'],
      ],
    },
    search: (page) => searchPayments(db, { ...query, ...page }),
    async completeRows(payments) {
      const extraColumns = mapById(await readExtraColumns(db, payments));
      return payments.flatMap((payment) => {
        const found = extraColumns.get(payment.id);
        return found ? [{ ...payment, ...found }] : []; // the payment was deleted between the two reads
      });
    },
    count: async () => (await sumPayments(db, query)).count,
    toRecords: (payments) => payments.map(paymentAnswer.toJson),
  });
}

type PaymentRow = Payment & Awaited<ReturnType<typeof readExtraColumns>>[number];

/** The PDF names the note under "Tipo". Each credit repeats the amounts of its whole note, so they are not summed. */
const CREDIT_COLUMN_OPTIONS = { kind: 'money', sum: false, paperCell: false } as const;

const COLUMNS: readonly SheetColumn<PaymentRow>[] = createSheetColumns(
  [
    { name: 'id', heading: 'ID' },
    'checknum',
    { name: 'facturaproveedorId', heading: 'ID de factura', paperCell: false },
    { name: 'numfactura', heading: 'Factura' },
    { name: 'uuid', heading: 'UUID', paperCell: false },
    { name: 'suppliername', heading: 'Proveedor' },
    { name: 'rfc', heading: 'RFC', paperCell: false },
    { name: 'jobtitle', heading: 'Obra' },
    { name: 'fechaemision', heading: 'Emisión', kind: 'date', paperCell: false },
    { name: 'total', heading: 'Total de la factura', kind: 'money', sum: false },
    {
      name: 'kind',
      heading: 'Tipo',
      cell: ({ kind }) => PAYMENT_KIND_LABELS[kind],
      paperCell: ({ kind, creditNumero }) =>
        kind === 'credito' ? creditNoteLabel(creditNumero) : PAYMENT_KIND_LABELS.pago,
    },
    'paymentamount',
    { name: 'importemoneda', heading: 'Importe en su moneda', kind: 'money', sum: false, paperCell: false },
    {
      name: 'importebanco',
      heading: 'Importe del banco',
      // Every payment has a bank amount here, so that the column adds up to the money spent.
      cell: (payment) => (payment.kind === 'pago' ? moneyCell(bankAmountOf(payment)) : null),
      paperCell: false,
    },
    'paymentdate',
    { name: 'origenderecursonombre', heading: 'Origen de recurso' },
    { name: 'rep', heading: 'REP', cell: ({ rep }) => rep && REP_STATE_LABELS[rep] },
    'comments',
    { name: 'creditnumero', heading: 'Nota de crédito', cell: (row) => row.creditNumero, paperCell: false },
    { name: 'credituuid', heading: 'UUID de la nota', paperCell: false },
    { name: 'credittotal', heading: 'Total de la nota', ...CREDIT_COLUMN_OPTIONS },
    { name: 'creditiva', heading: 'IVA de la nota', ...CREDIT_COLUMN_OPTIONS },
    { name: 'creditotrosimpuestos', heading: 'Otros impuestos de la nota', ...CREDIT_COLUMN_OPTIONS },
    { name: 'creditretenciones', heading: 'Retenciones de la nota', ...CREDIT_COLUMN_OPTIONS },
    {
      name: 'creditaplicado',
      heading: 'Aplicado de la nota',
      ...CREDIT_COLUMN_OPTIONS,
      cell: ({ kind, importebancoCents: cents }) =>
        kind === 'credito' && cents !== null ? moneyCell(cents) : null,
    },
  ],
  PAYMENT_FIELDS,
);

const readExtraColumns = (db: Db, payments: readonly Payment[]) =>
  db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.facturaproveedorId')
    .innerJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .leftJoin('credit_notes', 'credit_notes.id', 'payments.creditNoteId')
    .select(['payments.id', 'invoices.uuid', 'suppliers.rfc', 'fechaemision', 'invoices.totalCents'])
    .select(['credit_notes.uuid as credituuid', 'credit_notes.totalCents as credittotalCents'])
    .select(['credit_notes.ivaCents as creditivaCents'])
    .select(['credit_notes.otrosimpuestosCents as creditotrosimpuestosCents'])
    .select(['credit_notes.retencionesCents as creditretencionesCents'])
    .where(isOneOf(db, 'payments.id', idsOf(payments)))
    .execute();
