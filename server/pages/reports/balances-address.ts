import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedBalances } from '../../lists/reports.ts';

/** Of a long report: the supplier whose invoices show, and which part of the suppliers, those that are owed most first. */
type BalancePlace = { abierto?: number | null; parte?: number | null };

export type AskedBalancePage = AskedBalances & BalancePlace;

/** The report's own parameters, for its links and exports. */
export const filterOf = ({ corte, weeknum, yr, supplierId, jobId }: AskedBalances) => ({
  corte,
  weeknum,
  yr,
  supplierId,
  jobId,
});

/** The same report, shown another way. */
export const balancesAddress = (asked: AskedBalances, { abierto, parte }: BalancePlace = {}): string =>
  withQuery(pages.balances, { ...filterOf(asked), abierto, parte: parte === 1 ? null : parte });
