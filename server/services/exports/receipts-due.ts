import type { Db } from '../../../db/schema.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { shownNumber } from '../../../shared/invoices.ts';
import { columnsOf, type ListExport, type ListRows, type SheetColumn } from '../../formats/sheets/sheet.ts';
import type { Answer } from '../../shapes/answers.ts';
import { receiptDueAnswer, statedBalanceAnswer } from '../../shapes/receipts-due.ts';
import { RECEIPT_LIST_LABELS, type ReceiptListName } from '../fiscal/labels.ts';
import {
  type ReceiptDue,
  readLatePue,
  readReceiptsDue,
  readStatedBalances,
  type StatedBalance,
} from '../fiscal/receipts-due.ts';
import { toFilterFacts } from './filter-words.ts';

const COMMON: readonly SheetColumn<ReceiptDue | StatedBalance>[] = columnsOf([
  { name: 'suppliername', heading: 'Proveedor', key: true },
  { name: 'rfc', heading: 'RFC' },
  { name: 'numfactura', heading: 'Factura', cell: ({ numfactura }) => shownNumber(numfactura) },
  { name: 'uuid', heading: 'UUID' },
  { name: 'fecha', heading: 'Fecha', kind: 'date' },
  { name: 'importe', heading: 'Importe', kind: 'money' },
]);

const DUE: readonly SheetColumn<ReceiptDue>[] = columnsOf([
  { name: 'falta', heading: 'Falta', kind: 'money' },
  { name: 'enSuMoneda', heading: 'En su moneda' },
  { name: 'iva', heading: 'IVA por respaldar', kind: 'money' },
  { name: 'vence', heading: 'Vence', kind: 'date' },
  { name: 'atraso', heading: 'Días de atraso' },
]);

const BALANCES: readonly SheetColumn<StatedBalance>[] = columnsOf([
  { name: 'rep', heading: 'REP', cell: ({ numero }) => numero },
  { name: 'saldoRep', heading: 'Saldo insoluto del REP', kind: 'money', sum: false },
  { name: 'saldo', heading: 'Saldo insoluto aquí', kind: 'money', sum: false },
]);

/** On paper, the payments of one supplier are what it is asked for. */
export async function receiptsDueExport(
  db: Db,
  que: ReceiptListName,
  corte: PlainDate,
  supplierId?: number | null,
): Promise<ListRows<unknown>> {
  const list = <Row>(rows: readonly Row[], columns: readonly SheetColumn<Row>[], answer: Answer<Row>) =>
    ({
      ...{ title: RECEIPT_LIST_LABELS[que], file: `${RECEIPT_LIST_LABELS[que]} ${corte}` },
      ...{ sheet: { columns, pages: [rows] }, count: async () => rows.length },
      toRecords: (all: readonly Row[]) => all.map(answer.toJson),
      notes: que === 'pagos' ? [RECEIPT_DUE] : [],
    }) as ListRows<unknown>;
  if (que === 'saldos')
    return list(
      await readStatedBalances(db, corte, supplierId),
      [...COMMON, ...BALANCES],
      statedBalanceAnswer,
    );
  const rows =
    que === 'pue'
      ? await readLatePue(db, corte, supplierId)
      : (await readReceiptsDue(db, corte, supplierId)).rows;
  return list(rows, [...COMMON, ...DUE], receiptDueAnswer);
}

export const receiptsRequest = async (
  db: Db,
  { id, suppliername, rfc }: { id: number; suppliername: string; rfc: string | null },
  corte: PlainDate,
): Promise<ListExport<unknown>> => ({
  ...{ title: '', file: '', noun: ['pago', 'pagos'] },
  filters: toFilterFacts({ Proveedor: suppliername, RFC: rfc, Corte: formatDate(corte) }),
  ...(await receiptsDueExport(db, 'pagos', corte, id)),
});

const RECEIPT_DUE =
  'De cada pago a una factura en parcialidades (PPD) se emite un recibo electrónico de pago (REP) a más tardar el quinto día natural del mes siguiente al pago (RMF 2.7.1.32).';
