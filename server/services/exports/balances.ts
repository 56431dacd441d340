import {
  type BalanceReport,
  type BalanceRow,
  balanceRecord,
  DATED_LATER,
  type DatedLater,
  describeLater,
} from '../../../shared/balances.ts';
import { formatDate, sayDate } from '../../../shared/dates.ts';
import { ESTIMATED_NOTE } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { describeSum, overdueOf } from '../../../shared/overdue.ts';
import { cellsRecord } from '../../formats/sheets/json.ts';
import type { FilterFact, ListExport } from '../../formats/sheets/list-export.ts';
import { balancesLongSheet } from './balances-long-sheet.ts';
import { balancesSheet } from './balances-sheet.ts';

/** The same for programs, in a form that does not change with the weeks. */
export function balancesLongExport(
  report: BalanceReport,
  facts: readonly FilterFact[],
): ListExport<BalanceRow> {
  const sheet = balancesLongSheet(report);
  return {
    ...balancesExport(report, facts),
    noun: ['factura', 'facturas'],
    sheet,
    count: async () => report.invoiceCount,
    toRecords: (rows) => rows.map((row) => cellsRecord(sheet.columns, row)),
  };
}

/** The report as it was read: every format has the figures of this one reading. */
export function balancesExport(report: BalanceReport, facts: readonly FilterFact[]): ListExport<BalanceRow> {
  const { corte, firstWeek, columns, total, anyEstimated, later } = report;
  return {
    file: `Saldos por proveedor ${corte}`,
    title: 'Saldos por proveedor',
    filters: [
      { label: 'Corte', value: formatDate(corte) },
      { label: 'Primera semana', value: `SEM ${firstWeek.week} ${firstWeek.year}` },
      ...facts,
    ],
    noun: ['factura', 'facturas'],
    sheet: balancesSheet(report),
    count: async () => report.rows.length,
    toRecords: (rows) => rows.map((row) => balanceRecord(row, columns)),
    notes: [
      ...(anyEstimated ? [ESTIMATED_NOTE] : []),
      `${describeSum(overdueOf(report))}.`,
      `Total general ${formatMoney(total.totalCents)} = pendiente de la lista de facturas al ${sayDate(corte)}.`,
      ...laterNotes(later),
    ],
  };
}

/** "Con fecha posterior, y por eso sin contar: 1 pago por $500.00." Nothing where there is no such thing. */
export function laterNotes(later: DatedLater): string[] {
  const named = describeLater(later).map(({ says, sumCents }) => `${says} ${formatMoney(sumCents)}`);
  return named.length === 0 ? [] : [`${DATED_LATER} ${named.join(', ')}.`];
}
