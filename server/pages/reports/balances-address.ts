import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedBalances } from '../../lists/reports.ts';

/** What the page is asked for: beside the report, the supplier whose invoices show, and whether all suppliers do. */
export type AskedBalancePage = AskedBalances & { abierto?: number | null; todo?: string };

/** The report's own parameters, for its links and exports. */
export const filterOf = ({ corte, weeknum, yr, supplierId, jobId }: AskedBalances) => ({
  corte,
  weeknum,
  yr,
  supplierId,
  jobId,
});

/** The same report, shown another way. */
export const balancesAddress = (
  asked: AskedBalances,
  shown: { abierto?: number | null; todo?: string } = {},
): string => withQuery(pages.balances, { ...filterOf(asked), ...shown });
