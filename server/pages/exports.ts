import { Hono } from 'hono';
import { z } from 'zod';
import { EXPORT_FORMATS, exportPath, pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import { ID_SEGMENT, idInPath } from '../http/request.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { LISTS } from '../lists/all.ts';
import { fundList } from '../lists/petty-cash.ts';
import { readExport } from '../lists/read-export.ts';
import { adviceExport } from '../services/exports/payment-advice.ts';
import { advicesExport, batchExport } from '../services/exports/payment-batches.ts';
import { fundStatementExport } from '../services/exports/petty-cash.ts';
import { statementExport as supplierStatementExport } from '../services/exports/supplier-statement.ts';
import { getBatch } from '../services/payment-batches/reading.ts';
import { getFund } from '../services/petty-cash/reading.ts';
import { readPaymentAdvice } from '../services/statements/payment-advice.ts';
import { dateField } from '../shapes/fields.ts';
import { fundStatementQueryShape, resolveOrderedFundPeriod } from '../shapes/petty-cash.ts';
import { supplierStatementShape } from '../shapes/statements.ts';
import { answerExport } from './ui/export-answers.tsx';
import { readListQuery, toFilterAndOrder } from './ui/list-filters.tsx';
import { parseListQuery } from './ui/list-layout.tsx';

export const exportPages = new Hono<AppEnv>({ strict: false });

for (const list of LISTS)
  addExportRoutes(list.title, list.page, async (c) => {
    const { db, config } = c.get('deps');
    const query = toFilterAndOrder(list, await readListQuery(c, list));
    const context = { db, today: c.get('today'), timeZone: config.timeZone, now: c.get('now') };
    return readExport(list, query, context);
  });

addExportRoutes(fundList.title, pages.pettyCashFund(ID_SEGMENT), async (c) => {
  const { db } = c.get('deps');
  const fund = await getFund(db, idInPath(c));
  const query = parseListQuery(c, fundStatementQueryShape);
  return fundStatementExport(db, fund, resolveOrderedFundPeriod(query, c.get('today')), query.sentido);
});

addExportRoutes('Estado de cuenta', pages.statement(ID_SEGMENT), async (c) => {
  const { db, config } = c.get('deps');
  const query = { ...parseListQuery(c, supplierStatementShape), supplierId: idInPath(c) };
  return (await supplierStatementExport(db, query, { today: c.get('today'), timeZone: config.timeZone }))
    .list;
});

addExportRoutes('Relación de pagos', pages.paymentBatch(ID_SEGMENT), async (c) => {
  const { db, config } = c.get('deps');
  return batchExport(await getBatch(db, idInPath(c)), config.timeZone);
});

exportPages
  .get(pages.paymentAdvice(ID_SEGMENT), (c) => answerAdvicePdf(c, () => ({ paymentIds: [idInPath(c)] })))
  .get(pages.supplierAdvice(ID_SEGMENT), (c) =>
    answerAdvicePdf(c, () => ({
      supplierId: idInPath(c),
      date: parseListQuery(c, adviceShape).fecha ?? c.get('today'),
    })),
  );

const adviceShape = z.strictObject({ fecha: dateField('Fecha') });

const answerAdvicePdf = (c: AppContext, query: () => Parameters<typeof readPaymentAdvice>[1]) =>
  answerExport(c, { title: 'Aviso de pago', format: 'pdf' }, async () =>
    adviceExport(await readPaymentAdvice(c.get('deps').db, query())),
  );

exportPages.get(pages.paymentBatchAdvices(ID_SEGMENT), (c) =>
  answerExport(c, { title: 'Avisos de pago', format: 'pdf' }, async () => {
    const { db, config } = c.get('deps');
    const context = { at: c.get('now'), timeZone: config.timeZone };
    return advicesExport(db, await getBatch(db, idInPath(c)), context);
  }),
);

function addExportRoutes<Row>(
  title: string,
  list: string,
  read: (c: AppContext) => ListExport<Row> | Promise<ListExport<Row>>,
): void {
  for (const format of EXPORT_FORMATS)
    exportPages.get(exportPath(list, format), (c) => answerExport(c, { title, format }, async () => read(c)));
}
