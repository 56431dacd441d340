import { EARLIER_WEEKS_KEY } from '../../../shared/balances.ts';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { createSheetColumns, dayCell, type PartialListExport } from '../../formats/sheets/sheet.ts';
import { cashFlowColumnAnswer } from '../../shapes/cash-flow.ts';
import type { CashFlow, CashFlowColumn } from '../balances/cash-flow.ts';

export function cashFlowExport(flow: CashFlow): PartialListExport<CashFlowColumn> {
  return {
    file: `Flujo ${flow.today}`,
    sheet: {
      columns: createSheetColumns([
        { name: 'columna', heading: 'Semana', cell: ({ column }) => column.key, key: true },
        { name: 'desde', heading: 'Desde', cell: ({ column }) => dayCell(column.from) },
        { name: 'hasta', heading: 'Hasta', cell: ({ column }) => dayCell(column.to) },
        { name: 'vence', heading: 'Vence', kind: 'money' },
        { name: 'programado', heading: 'Programado', kind: 'money' },
        { name: 'fechado', heading: 'Fechado', kind: 'money' },
        { name: 'sale', heading: 'Sale', kind: 'money' },
        { name: 'queda', heading: 'Queda', kind: 'money', sum: false },
      ]),
      pages: [flow.columns],
    },
    count: async () => flow.columns.length,
    toRecords: (rows) => rows.map(cashFlowColumnAnswer.toJson),
    notes: describeFlow(flow),
  };
}

/** Describes the balances behind the figures, and the what-if changes, so that a file shows that it is a simulation. */
export const describeFlow = ({
  sources,
  disponibleCents,
  postponedCents,
  whatIfChanges,
  alcanzaHasta,
}: CashFlow): string[] => [
  ...sources.map(({ name, saldoCents, fecha, despuesCents, disponibleCents: cents }) =>
    fecha === null
      ? `${name}: sin saldo del banco, cuenta como $0.00.`
      : `${name}: saldo ${formatMoney(saldoCents)} al ${formatDate(fecha)}, después salió ${formatMoney(despuesCents)}, saldo hoy ${formatMoney(cents)}.`,
  ),
  `Saldo en bancos ${formatMoney(disponibleCents)}. ${describeRunway(alcanzaHasta)}`,
  ...(whatIfChanges.length > 0
    ? [
        `Es una prueba: ${whatIfChanges.map(({ label }) => label).join('; ')}. Pospuesto ${formatMoney(postponedCents)}.`,
      ]
    : []),
];

export function describeRunway(lastCoveredWeek: string | null): string {
  if (lastCoveredWeek === null) return 'No alcanza para lo primero que sale.';
  return lastCoveredWeek === EARLIER_WEEKS_KEY
    ? 'Alcanza solo para lo de semanas anteriores.'
    : `Alcanza hasta ${lastCoveredWeek}.`;
}
