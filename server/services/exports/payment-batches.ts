import type { Db } from '../../../db/schema.ts';
import { formatDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { invoiceNumberText } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import {
  type BatchLine,
  batchStateLabel,
  describeSignatureNote,
  type FullBatch,
  groupBySupplier,
  isHeldLine,
  isLineAtBank,
  isOpenLine,
  isPaidLine,
  isPayableLine,
  type PaymentBatch,
  sumLines,
} from '../../../shared/payment-batches.ts';
import {
  type Cell,
  createSheetColumns,
  dayCell,
  type ExportQuery,
  exportFromSearch,
  type ListExport,
  moneyCell,
  type RowRole,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { batchAnswer } from '../../shapes/payment-batches.ts';
import { type BatchQuery, searchBatches, sumBatches } from '../payment-batches/reading.ts';
import { type PaymentAdvice, readPaymentAdvice } from '../statements/payment-advice.ts';
import { toAppliedFilters } from './export-texts.ts';
import { joinExportsIntoPdf } from './make-export.ts';
import { adviceExport } from './payment-advice.ts';

export function batchesExport(db: Db, query: ExportQuery<BatchQuery>) {
  return exportFromSearch<PaymentBatch>(query, {
    columns: createSheetColumns([
      { name: 'id', heading: 'ID' },
      { name: 'fecha', heading: 'Fecha', kind: 'date' },
      { name: 'estado', heading: 'Estado', cell: batchStateLabel },
      { name: 'origenderecursonombre', heading: 'Origen de recurso' },
      { name: 'facturas', heading: 'Facturas', cell: ({ count }) => count },
      { name: 'proveedores', heading: 'Proveedores', cell: ({ suppliers }) => suppliers },
      { name: 'total', heading: 'Total', kind: 'money' },
      { name: 'pagado', heading: 'Pagado', kind: 'money', cents: 'paidCents' },
      { name: 'autor', heading: 'Autor', cell: ({ author }) => author },
      { name: 'comments', heading: 'Observaciones' },
    ]),
    search: (page) => searchBatches(db, { ...query, ...page }),
    count: async () => (await sumBatches(db, query)).count,
    toRecords: (batches) => batches.map(batchAnswer.toJson),
  });
}

type BatchSheetRow =
  | { line: BatchLine; role?: undefined }
  | { line: undefined; label: string; cents: Cents; role: RowRole };

export function batchExport(batch: FullBatch, timeZone: string): ListExport<BatchSheetRow> {
  const { id, fecha, origenderecursonombre, author, signatures, lines, comments } = batch;
  const { totalCents } = batch;
  const sumOrBlank = (matches: (line: BatchLine) => boolean) => {
    const cents = sumLines(lines.filter(matches));
    return cents > 0 ? formatMoney(cents) : '';
  };
  const isPaid = batch.estado === 'pagada';
  const rows = groupBySupplier(lines).flatMap(
    ({ suppliername, lines: supplierLines, totalCents: cents }): BatchSheetRow[] => [
      ...supplierLines.map((line) => ({ line })),
      ...(supplierLines.length > 1
        ? [{ line: undefined, label: `Total ${suppliername}`, cents, role: 'group' as const }]
        : []),
    ],
  );
  const total: BatchSheetRow = { line: undefined, label: 'Total', cents: totalCents, role: 'total' };
  return {
    file: `Relación de pagos ${id} ${fecha}`,
    title: `Relación de pagos: programación ${id}`,
    filters: toAppliedFilters({
      Estado: batchStateLabel(batch),
      'Fecha de pago': formatDate(fecha),
      Origen: origenderecursonombre,
      Autor: author,
      Firmas: signatures.map(({ username }) => username).join(', '),
      'Sobre las firmas': signatures
        .flatMap(({ note }) => (note ? describeSignatureNote(note, timeZone) : []))
        .join(' '),
      ...(isPaid
        ? {
            Pagado: formatMoney(sumLines(lines.filter(isPaidLine))),
            'Sin pagar': sumOrBlank((line) => !isPaidLine(line)),
          }
        : {
            'Por pagar': formatMoney(sumLines(lines.filter(isPayableLine))),
            'En el banco': sumOrBlank((line) => isLineAtBank(batch, line)),
            Retenido: sumOrBlank((line) => isOpenLine(line) && isHeldLine(line)),
            Pagado: sumOrBlank(isPaidLine),
            'Lo devolvió el banco': sumOrBlank(({ refusedAt }) => refusedAt !== null),
          }),
      Observaciones: comments,
    }),
    noun: ['partida', 'partidas'],
    sheet: {
      columns: lines.some(({ foreign }) => foreign) ? [...BATCH_COLUMNS, FOREIGN_COLUMN] : BATCH_COLUMNS,
      pages: [[...rows, total]],
      roleOf: ({ role }) => role,
    },
  };
}

const createLineCell =
  (cell: (line: BatchLine) => Cell) =>
  ({ line }: BatchSheetRow): Cell =>
    line ? cell(line) : null;

const BATCH_COLUMNS: readonly SheetColumn<BatchSheetRow>[] = [
  {
    name: 'suppliername',
    heading: 'Proveedor',
    cell: (row) => (row.line ? row.line.suppliername : row.label),
    key: true,
  },
  { name: 'rfc', heading: 'RFC', cell: createLineCell(({ rfc }) => rfc) },
  {
    name: 'numfactura',
    heading: 'Factura',
    cell: createLineCell(({ numfactura }) => invoiceNumberText(numfactura)),
  },
  { name: 'jobtitle', heading: 'Obra', cell: createLineCell(({ jobtitle }) => jobtitle) },
  { name: 'vence', heading: 'Vence', cell: createLineCell(({ vence }) => dayCell(vence)) },
  {
    name: 'pendiente',
    heading: 'Pendiente',
    cell: createLineCell(({ pendingCents }) => moneyCell(pendingCents)),
    sum: false,
    paperCell: false,
  },
  {
    name: 'importe',
    heading: 'Importe',
    cell: (row) => moneyCell(row.line ? row.line.amountCents : row.cents),
  },
  { name: 'cheque', heading: 'Cheque', cell: createLineCell(({ checknum }) => checknum || null) },
  { name: 'semaforo', heading: 'Semáforo', cell: createLineCell(describeFindings) },
];

const FOREIGN_COLUMN: SheetColumn<BatchSheetRow> = {
  name: 'importemoneda',
  heading: 'Importe en su moneda',
  cell: createLineCell(({ foreign }) => foreign && formatForeign(foreign.cents, foreign.moneda)),
};

function describeFindings(line: BatchLine): string {
  const { findings } = line.verdict;
  if (findings.length === 0) return '';
  const state = isHeldLine(line) ? 'Retenida' : line.permit ? 'Autorizada de todos modos' : 'Con aviso';
  const text = `${state}: ${findings.map(({ reason }) => reason).join(' ')}`;
  return line.permit ? `${text} ${line.permit.username}: ${line.permit.reason}` : text;
}

/** @throws DomainError not-found: nothing was paid */
export async function readBatchAdvices(db: Db, { id, lines }: FullBatch): Promise<PaymentAdvice[]> {
  const paid = groupBySupplier(lines.filter(({ paymentId }) => paymentId !== null));
  if (paid.length === 0)
    throw new DomainError('not-found', `La programación ${id} no tiene pagos de los que avisar.`);
  const advices: PaymentAdvice[] = [];
  for (const supplier of paid) {
    const paymentIds = supplier.lines.flatMap(({ paymentId }) => paymentId ?? []);
    advices.push(await readPaymentAdvice(db, { paymentIds }));
  }
  return advices;
}

export async function advicesExport(
  db: Db,
  batch: FullBatch,
  context: { at: Date; timeZone: string },
): Promise<ListExport<never>> {
  const advices = await readBatchAdvices(db, batch);
  const request = { db, format: 'pdf', now: context.at, timeZone: context.timeZone } as const;
  return joinExportsIntoPdf(
    request,
    { file: `Avisos de pago ${batch.id} ${batch.fecha}`, title: 'Avisos de pago', noun: ['aviso', 'avisos'] },
    advices.map((advice) => adviceExport(advice) as ListExport<unknown>),
  );
}
