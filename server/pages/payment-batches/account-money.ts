import { formatDate } from '../../../shared/dates.ts';
import { mayEnter } from '../../../shared/roles.ts';
import type { AccountMoney } from '../../../shared/ui/AvailableMoney.tsx';
import { type AppContext, requireSession } from '../../http/session.ts';
import { readAccounts } from '../../services/balances/cash-flow.ts';

/** @returns what the accounts with a known balance hold, by their id; undefined for users who may not see it */
export async function readAccountMoney(c: AppContext): Promise<Record<string, AccountMoney> | undefined> {
  if (!mayEnter('cash', requireSession(c).roles)) return undefined;
  const accounts = await readAccounts(c.get('deps').db, c.get('today'));
  return Object.fromEntries(
    accounts.flatMap(({ id, fecha, disponibleCents: cents }) =>
      fecha === null ? [] : [[id, { cents, asOf: formatDate(fecha) }]],
    ),
  );
}
