import { Hono } from 'hono';
import { catalogs } from '../../shared/catalogs/all.ts';
import { exportOf, pages } from '../../shared/urls.ts';
import { balancesSheet } from '../services/balances-sheet.ts';
import { catalogSheet } from '../services/catalogs-sheet.ts';
import { invoicesPdf } from '../services/invoices-pdf.ts';
import { invoicesSheet } from '../services/invoices-sheet.ts';
import { paymentsSheet } from '../services/payments-sheet.ts';
import { readResults } from '../services/results.ts';
import { resultsSheet } from '../services/results-sheet.ts';
import { usersSheet } from '../services/users-sheet.ts';
import type { AppContext, AppEnv } from '../session.ts';
import { catalogShapes, toCatalogQuery } from '../shapes/catalogs.ts';
import { readReport } from './balances.tsx';
import { answerExport, sendCsv, sendPdf } from './export-answers.tsx';
import { readInvoiceQuery } from './invoice-list.tsx';
import { parseListQuery } from './lists.tsx';
import { readPaymentSearch } from './payment-list.tsx';
import { readResultsQuery } from './results.tsx';
import { readUserSearch } from './users.tsx';

/** Every list as a file, under the list's own parameters: the whole of what its filter finds. */
export const exportPages = new Hono<AppEnv>({ strict: false });

addCsv('Facturas', pages.invoices, async (c) => {
  const query = await readInvoiceSearch(c);
  const sheet = invoicesSheet(c.get('deps').db, query, dayOf(c));
  return sendCsv(c, `Facturas ${query.corte ?? c.get('today')}`, sheet);
});

exportPages.get(exportOf(pages.invoices, 'pdf'), (c) => {
  const { signal } = c.req.raw;
  return answerExport(c, { title: 'Facturas', list: pages.invoices, signal }, async () => {
    const request = { query: await readInvoiceSearch(c), day: dayOf(c), now: c.get('now'), signal };
    return sendPdf(c, 'Lista de facturas', await invoicesPdf(c.get('deps').db, request));
  });
});

addCsv('Pagos realizados', pages.payments, (c) =>
  sendCsv(c, `Pagos realizados ${c.get('today')}`, paymentsSheet(c.get('deps').db, readPaymentSearch(c))),
);

addCsv('Usuarios', pages.users, (c) =>
  sendCsv(c, `Usuarios ${c.get('today')}`, usersSheet(c.get('deps').db, readUserSearch(c))),
);

for (const catalog of catalogs) {
  const { texts, paths, noun } = catalog;
  addCsv(texts.list, paths.list, (c) => {
    const { text, sort, direction } = toCatalogQuery(catalog, parseListQuery(c, catalogShapes[noun]!.page));
    const sheet = catalogSheet(c.get('deps').db, catalog, { text, sort, direction });
    return sendCsv(c, `${texts.list} ${c.get('today')}`, sheet);
  });
}

addCsv('Resultados', pages.results, async (c) => {
  const query = await readResultsQuery(c);
  const results = await readResults(c.get('deps').db, query, c.get('deps').config.timeZone);
  return sendCsv(c, `Resultados ${query.from} a ${query.to}`, resultsSheet(results));
});

addCsv('Saldos por proveedor', pages.balances, async (c) => {
  const report = await readReport(c);
  return sendCsv(c, `Saldos por proveedor ${report.corte}`, balancesSheet(report));
});

function addCsv(title: string, list: string, send: (c: AppContext) => Promise<Response>): void {
  exportPages.get(exportOf(list, 'csv'), (c) => answerExport(c, { title, list }, async () => send(c)));
}

/** What the list searches for, its pages aside. */
async function readInvoiceSearch(c: AppContext) {
  const { sortfield: sort, sorttype: direction, cursor: _, shown: __, ...filter } = await readInvoiceQuery(c);
  return { ...filter, sort, direction };
}

const dayOf = (c: AppContext) => ({ today: c.get('today'), timeZone: c.get('deps').config.timeZone });
