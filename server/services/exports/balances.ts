import type { Db } from '../../../db/schema.ts';
import { type BalanceReport, type BalanceRow, balanceRecord } from '../../../shared/balances.ts';
import { formatDayFirst } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { ListExport } from '../../formats/sheets/list-export.ts';
import type { BalanceQuery } from '../balances/balances.ts';
import { balancesSheet } from './balances-sheet.ts';
import { factsOf, nameOf } from './filter-words.ts';

const ESTIMATED =
  '* Vencimiento estimado: la factura no trae el suyo. Cuenta la recepción, o la emisión, más los días de crédito del proveedor; sin esas fechas, el día de su captura.';

/** The report as it was read: every format has the figures of this one reading. */
export async function balancesExport(
  db: Db,
  query: BalanceQuery,
  report: BalanceReport,
): Promise<ListExport<BalanceRow>> {
  const { supplierId, jobId } = query;
  const { corte, firstWeek, columns, total, anyEstimated } = report;
  return {
    file: `Saldos por proveedor ${corte}`,
    title: 'Saldos por proveedor',
    filters: factsOf({
      Corte: formatDayFirst(corte),
      'Primera semana': `SEM ${firstWeek.week} ${firstWeek.year}`,
      Proveedor: supplierId ? await nameOf(db, 'suppliers', supplierId) : 'Todos',
      Obra: jobId ? await nameOf(db, 'jobs', jobId) : 'Todas',
    }),
    noun: ['factura', 'facturas'],
    sheet: balancesSheet(report),
    count: async () => report.rows.length,
    toRecords: (rows) => rows.map((row) => balanceRecord(row, columns)),
    notes: [
      ...(anyEstimated ? [ESTIMATED] : []),
      `Total general ${formatMoney(total.totalCents)} = pendiente de la lista de facturas al ${formatDayFirst(corte)}.`,
    ],
  };
}
