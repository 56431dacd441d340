import { type BalanceRow, buildBalanceColumns, resolveFirstWeek } from '../../../shared/balances.ts';
import { formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { computeDueDay } from '../../../shared/invoices-due.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { layOutReport, type OpenInvoiceRow } from '../../services/balances/report-layout.ts';

/** A Wednesday, so that some of the current week's invoices are overdue. */
const EXAMPLE_DAY: PlainDate = '2026-11-18';

const SUPPLIERS = [
  { id: 1, name: 'Aceros del Norte', creditDays: 30 },
  { id: 2, name: 'Concretos Roble', creditDays: 0 },
];

const SUPPLIER_AND_JOB_NAMES = {
  suppliers: new Map(SUPPLIERS.map(({ id, name }) => [id, name])),
  jobs: new Map([[1, 'Torre Norte']]),
};

const INVOICES: readonly {
  number: string;
  supplierId: number;
  received: PlainDate;
  due: PlainDate | null;
  total: Cents;
  paid: Cents;
}[] = [
  { number: 'A-101', supplierId: 1, received: '2026-10-05', due: '2026-11-04', total: 1_160_000, paid: 0 },
  { number: 'A-118', supplierId: 1, received: '2026-10-20', due: null, total: 580_000, paid: 180_000 },
  { number: 'A-131', supplierId: 1, received: '2026-10-26', due: '2026-11-25', total: 232_000, paid: 0 },
  { number: 'C-7', supplierId: 2, received: '2026-11-09', due: '2026-11-17', total: 348_000, paid: 0 },
  { number: 'C-9', supplierId: 2, received: '2026-11-12', due: '2026-11-20', total: 116_000, paid: 116_000 },
];

const INVOICE_ROWS: readonly OpenInvoiceRow[] = INVOICES.map(
  ({ number, supplierId, received, due, total, paid }, index) => {
    const dates = {
      fechavencimiento: due,
      fecharecepcion: received,
      fechaemision: received,
      fechacaptura: received,
    };
    return {
      id: index + 1,
      supplierId,
      jobId: 1,
      numfactura: number,
      fechavencimiento: due,
      vence: computeDueDay(dates, SUPPLIERS.find(({ id }) => id === supplierId)!.creditDays),
      pendingCents: total - paid,
    };
  },
);

/** Computes the example with the report's own functions, so that both always agree. */
export function BalanceExample() {
  const open = INVOICE_ROWS.filter(({ pendingCents }) => pendingCents > 0);
  const last = open
    .map(({ vence }) => vence)
    .toSorted()
    .at(-1);
  const columns = buildBalanceColumns(resolveFirstWeek(EXAMPLE_DAY), last, 12);
  const { rows, total } = layOutReport(open, SUPPLIER_AND_JOB_NAMES, columns);
  const overdue = open.filter(({ vence }) => vence < EXAMPLE_DAY);
  const sum = (of: readonly OpenInvoiceRow[]) =>
    of.reduce((cents, { pendingCents }) => cents + pendingCents, 0);
  const [earlier, week] = columns;
  const before = total.amounts[earlier!.key] ?? 0;
  return (
    <>
      <p>Hoy es {formatLongDate(EXAMPLE_DAY)}. Hay cinco facturas:</p>
      <ul>
        {INVOICES.map(({ number, supplierId, received, total: cents, paid }, index) => (
          <li key={number}>
            <strong>{number}</strong>, de {SUPPLIERS.find(({ id }) => id === supplierId)!.name}:{' '}
            {formatMoney(cents)}, recibida el {formatLongDate(received)}
            {paid > 0 && `, con ${formatMoney(paid)} pagados`}.{' '}
            {INVOICE_ROWS[index]!.fechavencimiento
              ? `Vence el ${formatLongDate(INVOICE_ROWS[index]!.vence)}.`
              : `No trae vencimiento: se estima el ${formatLongDate(INVOICE_ROWS[index]!.vence)}, por los días de crédito.`}
          </li>
        ))}
      </ul>
      <h2 id="ejemplo-reporte">Lo que dice el reporte</h2>
      <DataTable
        caption="Los saldos del ejemplo, por proveedor y semana"
        columns={[
          {
            key: 'name',
            label: 'Proveedor y factura',
            card: 'title',
            render: (row) => (row.isSummary ? row.jobtitle || row.suppliername : row.numfactura),
          },
          ...columns.map(({ key }) => ({
            key,
            label: key,
            align: 'end' as const,
            render: (row: BalanceRow) => <Money cents={row.amounts[key] ?? 0} dash />,
          })),
          {
            key: 'total',
            label: 'Total',
            align: 'end',
            render: (row) => <Money cents={row.totalCents} dash />,
          },
        ]}
        rows={rows}
        rowKey={({ supplierId, numfactura }) => `${supplierId} ${numfactura}`}
        rowClass={({ isSummary }) => (isSummary ? 'summary' : undefined)}
      />
      <h2 id="ejemplo-por-que">Por qué</h2>
      <ul>
        <li>La que está pagada entera no aparece. De la que tiene un pago cuenta lo que falta.</li>
        <li>
          {earlier!.key} es lo que venció {earlier!.days}: {formatMoney(before)}.
        </li>
        <li>
          {week!.key} va de lunes a domingo, así que trae también lo que venció el martes:{' '}
          {formatMoney(total.amounts[week!.key] ?? 0)}.
        </li>
        <li>
          Vencido es todo lo que venció antes del miércoles: {formatMoney(sum(overdue))} ={' '}
          {formatMoney(before)} de {earlier!.key} + {formatMoney(sum(overdue) - before)} de esta semana.
        </li>
        <li>
          El total general, {formatMoney(total.totalCents)}, es lo pendiente de las cinco facturas: ninguna se
          pierde.
        </li>
      </ul>
    </>
  );
}
