import type { PlainDate } from '../../../shared/dates.ts';
import type { Period } from '../../../shared/periods.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedBalances, AskedResults } from '../../lists/reports.ts';

/** Open invoices: of everybody and of every day where nothing is said. */
interface Due {
  /** without one it is what is owed now */
  corte?: PlainDate;
  supplierId?: number | null;
  jobId?: number | null;
  from?: PlainDate | null;
  to?: PlainDate | null;
}

/** The list of the invoices that are open and due within these days. */
export const dueAddress = ({ corte, supplierId, jobId, from, to }: Due): string =>
  withQuery(pages.invoices, {
    supplierId,
    jobId,
    status: 'por-pagar',
    venceDesde: from,
    venceHasta: to,
    corte,
    sortfield: 'fechavencimiento',
  });

/** Of a long report: the supplier whose invoices show, and which part of the suppliers, those that are owed most first. */
type BalancePlace = { abierto?: number | null; parte?: number | null };

export type AskedBalancePage = AskedBalances & BalancePlace;

/** The balances under the same filters, shown another way. */
export const balancesAddress = (
  { corte, weeknum, yr, supplierId, jobId }: AskedBalances,
  { abierto, parte }: BalancePlace,
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

export interface ResultsPlace {
  /** by obra, or rubros by month */
  vista?: 'rubros';
  abierta?: number | null;
  /** of many obras, those of the largest cost first */
  parte?: number | null;
}

/** Resultados under these filters; what holds by itself is left out. */
export const resultsAddress = (asked: AskedResults, { from, to }: Period, place: ResultsPlace = {}): string =>
  withQuery(pages.results, {
    desde: from,
    hasta: to,
    jobId: asked.jobId,
    clientId: asked.clientId,
    rubroId: asked.rubroId,
    base: asked.base === 'pagado' ? asked.base : null,
    iva: asked.iva === 'con' ? asked.iva : null,
    caja: asked.caja === 'sin' ? asked.caja : null,
    ...place,
    parte: place.parte === 1 ? null : place.parte,
  });
