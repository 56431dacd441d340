import type { PlainDate } from '../../../shared/dates.ts';
import type { Period } from '../../../shared/periods.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BalancesQuery, ResultsQuery } from '../../lists/reports.ts';

interface OpenInvoiceFilter {
  /** as of the end of this day; absent: as of now */
  corte?: PlainDate;
  supplierId?: number | null;
  jobId?: number | null;
  from?: PlainDate | null;
  to?: PlainDate | null;
}

export const openInvoicesHref = ({
  corte,
  supplierId,
  jobId,
  from: dueFrom,
  to: dueTo,
}: OpenInvoiceFilter): string =>
  withQuery(pages.invoices, {
    supplierId,
    jobId,
    status: 'por-pagar',
    venceDesde: dueFrom,
    venceHasta: dueTo,
    corte,
    sortfield: 'fechavencimiento',
  });

/** The page's orders, largest first; without one, suppliers are sorted by name, as in all exports. */
export const BALANCE_ORDERS = ['vencido', 'saldo'] as const;

/** In a long report, `abierto` is the supplier whose invoices are shown, `parte` the shown part of the suppliers. */
type BalancesPageState = { abierto?: number | null; parte?: number | null };

export type BalancesPageQuery = BalancesQuery &
  BalancesPageState & { orden?: (typeof BALANCE_ORDERS)[number] };

export const balancesHref = (
  { corte, weeknum, yr, supplierId, jobId, orden }: BalancesPageQuery,
  { abierto, parte }: BalancesPageState,
): string =>
  withQuery(pages.balances, {
    corte,
    weeknum,
    yr,
    supplierId,
    jobId,
    orden,
    abierto,
    parte: parte === 1 ? null : parte,
  });

export interface ResultsPageState {
  /** `rubros`: costs by rubro and month; absent: costs by job */
  vista?: 'rubros';
  abierta?: number | null;
  /** number of the shown part of the jobs, by descending cost */
  parte?: number | null;
}

export const resultsHref = (
  query: ResultsQuery,
  { from, to }: Period,
  pageState: ResultsPageState = {},
): string =>
  withQuery(pages.results, {
    desde: from,
    hasta: to,
    jobId: query.jobId,
    clientId: query.clientId,
    rubroId: query.rubroId,
    base: query.base === 'pagado' ? query.base : null,
    iva: query.iva === 'con' ? query.iva : null,
    caja: query.caja === 'sin' ? query.caja : null,
    ...pageState,
    parte: pageState.parte === 1 ? null : pageState.parte,
  });
