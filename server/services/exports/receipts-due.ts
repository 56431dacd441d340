import type { Db } from '../../../db/schema.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import {
  createSheetColumns,
  type ListExport,
  type PartialListExport,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import type { Answer } from '../../shapes/answers.ts';
import { balanceMismatchAnswer, paymentReceiptDueAnswer } from '../../shapes/receipts-due.ts';
import { RECEIPT_LIST_LABELS, type ReceiptListName } from '../fiscal/labels.ts';
import {
  type BalanceMismatch,
  type ReceiptDue,
  readBalanceMismatches,
  readLatePue,
  readReceiptsDue,
} from '../fiscal/receipts-due.ts';
import { toAppliedFilters } from './export-texts.ts';

const RECEIPT_LIST_COLUMNS: readonly SheetColumn<ReceiptDue | BalanceMismatch>[] = createSheetColumns([
  { name: 'suppliername', heading: 'Proveedor', key: true },
  { name: 'rfc', heading: 'RFC' },
  { name: 'numfactura', heading: 'Factura', cell: ({ numfactura }) => invoiceNumberText(numfactura) },
  { name: 'uuid', heading: 'UUID' },
  { name: 'fecha', heading: 'Fecha', kind: 'date' },
  { name: 'importe', heading: 'Importe', kind: 'money' },
]);

const RECEIPT_DUE_COLUMNS: readonly SheetColumn<ReceiptDue>[] = createSheetColumns([
  { name: 'falta', heading: 'Falta', kind: 'money' },
  { name: 'enSuMoneda', heading: 'En su moneda' },
  { name: 'iva', heading: 'IVA por respaldar', kind: 'money' },
  { name: 'vence', heading: 'Vence', kind: 'date' },
  { name: 'atraso', heading: 'Días de atraso' },
]);

const BALANCE_MISMATCH_COLUMNS: readonly SheetColumn<BalanceMismatch>[] = createSheetColumns([
  { name: 'rep', heading: 'REP', cell: ({ numero }) => numero },
  { name: 'saldoRep', heading: 'Saldo insoluto del REP', kind: 'money', sum: false },
  { name: 'saldo', heading: 'Saldo insoluto aquí', kind: 'money', sum: false },
]);

/** The PDF of the list `pagos` for one supplier is what asks that supplier for the missing receipts. */
export async function receiptsDueExport(
  db: Db,
  que: ReceiptListName,
  corte: PlainDate,
  supplierId?: number | null,
): Promise<PartialListExport<unknown>> {
  const createExport = <Row>(
    rows: readonly Row[],
    columns: readonly SheetColumn<Row>[],
    answer: Answer<Row>,
  ) =>
    ({
      ...{ title: RECEIPT_LIST_LABELS[que], file: `${RECEIPT_LIST_LABELS[que]} ${corte}` },
      ...{ sheet: { columns, pages: [rows] }, count: async () => rows.length },
      toRecords: (all: readonly Row[]) => all.map(answer.toJson),
      notes: que === 'pagos' ? [RECEIPT_DUE_NOTE] : [],
    }) as PartialListExport<unknown>;
  if (que === 'saldos')
    return createExport(
      await readBalanceMismatches(db, corte, supplierId),
      [...RECEIPT_LIST_COLUMNS, ...BALANCE_MISMATCH_COLUMNS],
      balanceMismatchAnswer,
    );
  const { rows } = await (que === 'pue' ? readLatePue : readReceiptsDue)(db, corte, supplierId);
  return createExport(rows, [...RECEIPT_LIST_COLUMNS, ...RECEIPT_DUE_COLUMNS], paymentReceiptDueAnswer);
}

export const receiptsRequestExport = async (
  db: Db,
  { id, suppliername, rfc }: { id: number; suppliername: string; rfc: string | null },
  corte: PlainDate,
): Promise<ListExport<unknown>> => ({
  ...{ title: '', file: '', noun: ['pago', 'pagos'] },
  filters: toAppliedFilters({ Proveedor: suppliername, RFC: rfc, Corte: formatDate(corte) }),
  ...(await receiptsDueExport(db, 'pagos', corte, id)),
});

const RECEIPT_DUE_NOTE =
  'De cada pago a una factura en parcialidades (PPD) se emite un recibo electrónico de pago (REP) a más tardar el quinto día natural del mes siguiente al pago (RMF 2.7.1.32).';
