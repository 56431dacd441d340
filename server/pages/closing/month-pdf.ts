import { describePeriod, type Period } from '../../../shared/periods.ts';
import type { ListExport } from '../../formats/sheets/sheet.ts';
import type { AppContext } from '../../http/session.ts';
import { readExport } from '../../lists/read-export.ts';
import { balanceList, resultList } from '../../lists/reports.ts';
import { nameOfMonth } from '../../services/closing/month.ts';
import { factsOf } from '../../services/exports/filter-words.ts';
import { joinedExport } from '../../services/exports/make-export.ts';
import { sourcesPaidExport } from '../../services/exports/sources-paid.ts';

/** What the accountant gets of a month: what it cost, what was owed when it ended, and what was paid from where. */
export async function monthExport(c: AppContext, month: Period): Promise<ListExport<unknown>> {
  const { db, config } = c.get('deps');
  const around = { db, today: c.get('today'), timeZone: config.timeZone, now: c.get('now') };
  const facts = factsOf({ 'Fecha de pago': describePeriod(month.from, month.to) });
  const parts = [
    await readExport(resultList, { desde: month.from, hasta: month.to }, around),
    await readExport(balanceList, { corte: month.to }, around),
    (await sourcesPaidExport(db, month, facts)) as ListExport<unknown>,
  ];
  const title = `Cierre de ${nameOfMonth(month)}`;
  const named = { file: title, title, noun: ['reporte', 'reportes'] } as const;
  return joinedExport({ ...around, format: 'pdf' }, named, parts);
}
