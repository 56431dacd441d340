import { Hono } from 'hono';
import { EXPORT_FORMATS, exportOf, pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import { idInPath } from '../http/request.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { LISTS } from '../lists/all.ts';
import { pettyCashList } from '../lists/petty-cash.ts';
import { readExport } from '../lists/read-export.ts';
import { advicesExport, batchExport } from '../services/exports/payment-batches.ts';
import { statementExport } from '../services/exports/petty-cash.ts';
import { statementExport as supplierStatementExport } from '../services/exports/statement.ts';
import { getBatch } from '../services/payment-batches/reading.ts';
import { getFund } from '../services/petty-cash/reading.ts';
import { statementPeriod, statementShape } from '../shapes/petty-cash.ts';
import { supplierStatementShape } from '../shapes/statements.ts';
import { answerExport } from './ui/export-answers.tsx';
import { readListQuery, searchOf } from './ui/list-filters.tsx';
import { parseListQuery } from './ui/lists.tsx';

/** Every list and report as a file, under its own parameters: the whole of what its filter finds. */
export const exportPages = new Hono<AppEnv>({ strict: false });

for (const list of LISTS)
  addExports(list.title, list.page, async (c) => {
    const { db, config } = c.get('deps');
    const asked = searchOf(list, await readListQuery(c, list));
    const around = { db, today: c.get('today'), timeZone: config.timeZone, now: c.get('now') };
    return readExport(list, asked, around);
  });

/** One fund's movements, whose address names it. */
addExports(pettyCashList.title, pages.pettyCashFund(':id{[0-9]+}'), async (c) => {
  const { db } = c.get('deps');
  const fund = await getFund(db, idInPath(c));
  return statementExport(db, fund, statementPeriod(parseListQuery(c, statementShape), c.get('today')));
});

/** One supplier's statement, likewise. */
addExports('Estado de cuenta', pages.statement(':id{[0-9]+}'), async (c) => {
  const { db, config } = c.get('deps');
  const query = { ...parseListQuery(c, supplierStatementShape), supplierId: idInPath(c) };
  return (await supplierStatementExport(db, query, { today: c.get('today'), timeZone: config.timeZone }))
    .list;
});

/** What one batch pays. */
addExports('Relación de pagos', pages.paymentBatch(':id{[0-9]+}'), async (c) =>
  batchExport(await getBatch(c.get('deps').db, idInPath(c))),
);

/** The letters to all whom it has paid. */
exportPages.get(pages.paymentBatchAdvices(':id{[0-9]+}'), (c) =>
  answerExport(c, { title: 'Avisos de pago', format: 'pdf' }, async () => {
    const { db, config } = c.get('deps');
    const around = { at: c.get('now'), timeZone: config.timeZone };
    return advicesExport(db, await getBatch(db, idInPath(c)), around);
  }),
);

/** A list at its address in every format. */
function addExports<Row>(
  title: string,
  list: string,
  read: (c: AppContext) => ListExport<Row> | Promise<ListExport<Row>>,
): void {
  for (const format of EXPORT_FORMATS)
    exportPages.get(exportOf(list, format), (c) => answerExport(c, { title, format }, async () => read(c)));
}
