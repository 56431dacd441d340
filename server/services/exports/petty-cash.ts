import type { Db } from '../../../db/schema.ts';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { describePeriod } from '../../../shared/periods.ts';
import type { FundRow, FundState, PettyCashFund } from '../../../shared/petty-cash.ts';
import { cellsRecord } from '../../formats/sheets/json.ts';
import type { ListExport, RowOf } from '../../formats/sheets/list-export.ts';
import { listFunds } from '../petty-cash/reading.ts';
import { readStatement } from '../petty-cash/statement.ts';
import { factsOf } from './filter-words.ts';
import { fundsSheet, statementSheet } from './petty-cash-sheet.ts';

/** The funds that are open, or closed, with what is in each at the end of a day. */
export async function fundsExport(
  db: Db,
  today: PlainDate,
  state: FundState = 'abiertas',
): Promise<ListExport<FundRow>> {
  const sheet = fundsSheet(await listFunds(db, today, state));
  return {
    file: `Caja chica ${today}`,
    title: 'Caja chica',
    filters: factsOf({ 'Saldos al': formatDate(today) }),
    noun: ['caja', 'cajas'],
    sheet,
    toRecords: (rows) => rows.map((row) => cellsRecord(sheet.columns, row)),
  };
}

/** A fund's movements over a period, with the balance after each. */
export async function statementExport(
  db: Db,
  fund: PettyCashFund,
  period: { from: PlainDate; to: PlainDate },
): Promise<ListExport<RowOf<typeof statementSheet>>> {
  const { nombre: name, responsable } = fund;
  const sheet = statementSheet(await readStatement(db, fund, period), fund, period);
  return {
    file: `Caja chica ${name} ${period.from} a ${period.to}`,
    title: /^caja/i.test(name) ? name : `Caja chica: ${name}`,
    filters: factsOf({
      Periodo: describePeriod(period.from, period.to),
      Responsable: responsable,
    }),
    noun: ['movimiento', 'movimientos'],
    sheet,
    toRecords: (rows) => rows.map((row) => cellsRecord(sheet.columns, row)),
  };
}
