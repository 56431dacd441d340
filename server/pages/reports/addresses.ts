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

export const openInvoicesAddress = ({ corte, supplierId, jobId, from, to }: OpenInvoiceFilter): string =>
  withQuery(pages.invoices, {
    supplierId,
    jobId,
    status: 'por-pagar',
    venceDesde: from,
    venceHasta: to,
    corte,
    sortfield: 'fechavencimiento',
  });

/** In a long report `abierto` is the supplier whose invoices are shown, `parte` the part of the list, largest first. */
type BalancesPagePart = { abierto?: number | null; parte?: number | null };

export type BalancesPageQuery = BalancesQuery & BalancesPagePart;

export const balancesAddress = (
  { corte, weeknum, yr, supplierId, jobId }: BalancesQuery,
  { abierto, parte }: BalancesPagePart,
): string =>
  withQuery(pages.balances, {
    corte,
    weeknum,
    yr,
    supplierId,
    jobId,
    abierto,
    parte: parte === 1 ? null : parte,
  });

export interface ResultsPagePart {
  /** `rubros`: costs by rubro and month; absent: costs by job */
  vista?: 'rubros';
  abierta?: number | null;
  /** the part of the jobs, by descending cost */
  parte?: number | null;
}

export const resultsAddress = (
  query: ResultsQuery,
  { from, to }: Period,
  position: ResultsPagePart = {},
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
    ...position,
    parte: position.parte === 1 ? null : position.parte,
  });
