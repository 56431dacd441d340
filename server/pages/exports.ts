import { Hono } from 'hono';
import { catalogs } from '../../shared/catalogs/all.ts';
import { EXPORT_FORMATS, exportOf, pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/list-export.ts';
import { idInPath } from '../http/request.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { readBalances } from '../services/balances/balances.ts';
import { balancesExport } from '../services/exports/balances.ts';
import { catalogExport } from '../services/exports/catalogs.ts';
import { invoicesExport } from '../services/exports/invoices.ts';
import { paymentsExport } from '../services/exports/payments.ts';
import { fundsExport, statementExport } from '../services/exports/petty-cash.ts';
import { resultsExport } from '../services/exports/results.ts';
import { usersExport } from '../services/exports/users.ts';
import { getFund } from '../services/petty-cash/reading.ts';
import { toBalanceQuery } from '../shapes/balances.ts';
import { catalogShapes, toCatalogQuery } from '../shapes/catalogs.ts';
import { statementPeriod, statementShape } from '../shapes/petty-cash.ts';
import { readInvoiceQuery } from './invoices/filter.tsx';
import { readPaymentSearch } from './payments/filter.tsx';
import { readBalanceQuery } from './reports/balances.tsx';
import { readResultsQuery } from './reports/results.tsx';
import { answerExport } from './ui/export-answers.tsx';
import { parseListQuery } from './ui/lists.tsx';
import { readUserSearch } from './users/users.tsx';

/** Every list and report as a file, under its own parameters: the whole of what its filter finds. */
export const exportPages = new Hono<AppEnv>({ strict: false });

addExports('Facturas', pages.invoices, async (c) => {
  const {
    sortfield: sort,
    sorttype: direction,
    cursor: _,
    shown: __,
    limit: ___,
    ...filter
  } = await readInvoiceQuery(c);
  return invoicesExport(c.get('deps').db, { ...filter, sort, direction }, dayOf(c), c.get('now'));
});

addExports('Pagos realizados', pages.payments, async (c) =>
  paymentsExport(c.get('deps').db, await readPaymentSearch(c), c.get('today')),
);

addExports('Usuarios', pages.users, (c) => usersExport(c.get('deps').db, readUserSearch(c), c.get('today')));

for (const catalog of catalogs) {
  addExports(catalog.texts.list, catalog.paths.list, (c) => {
    const { page } = catalogShapes[catalog.noun]!;
    const { text, sort, direction } = toCatalogQuery(catalog, parseListQuery(c, page));
    return catalogExport(c.get('deps').db, catalog, { text, sort, direction }, c.get('today'));
  });
}

addExports('Resultados', pages.results, async (c) => {
  const { db, config } = c.get('deps');
  return resultsExport(db, await readResultsQuery(c), config.timeZone);
});

addExports('Saldos por proveedor', pages.balances, async (c) => {
  const { db } = c.get('deps');
  const query = toBalanceQuery(await readBalanceQuery(c));
  return balancesExport(db, query, await readBalances(db, query, dayOf(c)));
});

addExports('Caja chica', pages.pettyCash, (c) => fundsExport(c.get('deps').db, c.get('today')));

addExports('Caja chica', pages.pettyCashFund(':id{[0-9]+}'), async (c) => {
  const { db } = c.get('deps');
  const fund = await getFund(db, idInPath(c));
  return statementExport(db, fund, statementPeriod(parseListQuery(c, statementShape), c.get('today')));
});

/** A list at its address in every format. */
function addExports<Row>(
  title: string,
  list: string,
  read: (c: AppContext) => ListExport<Row> | Promise<ListExport<Row>>,
): void {
  for (const format of EXPORT_FORMATS)
    exportPages.get(exportOf(list, format), (c) => answerExport(c, { title, format }, async () => read(c)));
}

const dayOf = (c: AppContext) => ({ today: c.get('today'), timeZone: c.get('deps').config.timeZone });
