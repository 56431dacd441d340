import type { Period } from '../../../shared/periods.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedResults } from '../../lists/reports.ts';

/** What the page alone is asked for. */
export interface ResultsPlace {
  /** by obra, or rubros by month */
  vista?: 'rubros';
  /** the obra whose rubros show */
  abierta?: number | null;
  /** of many obras, those of the largest cost first */
  parte?: number | null;
}

/** Resultados under these filters; what is as it is by itself is left out. */
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
