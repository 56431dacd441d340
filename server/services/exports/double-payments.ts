import type { Db } from '../../../db/schema.ts';
import { bankAmountOf, DOUBLE_PAYMENT_REASON_LABELS, type DoublePayment } from '../../../shared/payments.ts';
import {
  createSheetColumns,
  dayCell,
  type ExportQuery,
  exportFromSearch,
  moneyCell,
} from '../../formats/sheets/sheet.ts';
import { doublePaymentAnswer } from '../../shapes/payments.ts';
import { type DoublePaymentQuery, searchDoublePayments } from '../payments/double-payments.ts';

const PAYMENT_NUMBERS_IN_PAIR = ['1', '2'] as const;

export function doublePaymentsExport(db: Db, query: ExportQuery<DoublePaymentQuery>) {
  return exportFromSearch<DoublePayment>(query, {
    columns: createSheetColumns([
      { name: 'razon', heading: 'Razón', cell: ({ reason }) => DOUBLE_PAYMENT_REASON_LABELS[reason] },
      ...PAYMENT_NUMBERS_IN_PAIR.flatMap((ordinal, index) => {
        const paymentOf = ({ payments }: DoublePayment) => payments[index]!;
        return [
          {
            name: `pago${ordinal}`,
            heading: `Pago ${ordinal}`,
            cell: (row: DoublePayment) => paymentOf(row).id,
          },
          {
            name: `fecha${ordinal}`,
            heading: `Fecha ${ordinal}`,
            cell: (row: DoublePayment) => dayCell(paymentOf(row).paymentdate),
          },
          {
            name: `proveedor${ordinal}`,
            heading: `Proveedor ${ordinal}`,
            cell: (row: DoublePayment) => paymentOf(row).suppliername,
          },
          {
            name: `factura${ordinal}`,
            heading: `Factura ${ordinal}`,
            cell: (row: DoublePayment) => paymentOf(row).numfactura,
          },
          {
            name: `cheque${ordinal}`,
            heading: `Cheque ${ordinal}`,
            cell: (row: DoublePayment) => paymentOf(row).checknum,
          },
          {
            name: `importe${ordinal}`,
            heading: `Importe ${ordinal}`,
            kind: 'money' as const,
            cell: (row: DoublePayment) => moneyCell(bankAmountOf(paymentOf(row))),
          },
        ];
      }),
      { name: 'motivo', heading: 'Motivo', cell: ({ motivo }) => motivo },
      { name: 'reviso', heading: 'Lo revisó', cell: ({ username }) => username },
    ]),
    search: (page) => searchDoublePayments(db, { ...query, ...page }),
    count: async () => (await searchDoublePayments(db, { ...query, limit: 0 })).count,
    toRecords: (rows) => rows.map(doublePaymentAnswer.toJson),
  });
}
