import { formatDate } from '../../../shared/dates.ts';
import { mayEnter } from '../../../shared/roles.ts';
import type { AccountMoney } from '../../../shared/ui/AvailableMoney.tsx';
import { type AppContext, requireSession } from '../../http/session.ts';
import { readAvailableBySource } from '../../services/balances/cash-flow.ts';

/**
 * @param batch the batch that is to be paid: only its account is read, and its own lines are not deducted
 * @returns the money in the accounts with a known balance, by id; undefined for users who may not see it
 */
export async function readMoneyInAccounts(
  c: AppContext,
  batch?: Parameters<typeof readAvailableBySource>[2],
): Promise<Record<string, AccountMoney> | undefined> {
  if (!mayEnter('cash', requireSession(c).roles)) return undefined;
  const accounts = await readAvailableBySource(c.get('deps').db, c.get('today'), batch);
  return Object.fromEntries(
    accounts.map(({ id, fecha, ...money }) => [id, { ...money, asOf: formatDate(fecha) }]),
  );
}
