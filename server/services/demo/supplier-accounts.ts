import type { Trx } from '../../../db/schema.ts';
import { clabeCheckDigit } from '../../../shared/banks.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import type { Actor } from '../audit/audit.ts';
import { createAccount, updateAccount } from '../supplier-accounts/accounts.ts';

/** Banks of the made-up accounts, by turns; half of them are the firm's own bank. */
const BANKS = ['012', '072', '012', '014', '012', '021'];
const LONG_AGO = 45;

interface DemoPeople {
  author: Actor;
  chief: Actor;
}

/**
 * An account for each supplier, captured by one person and confirmed by another long ago; one was changed today, and one
 * nobody has confirmed yet.
 */
export async function addDemoAccounts(
  trx: Trx,
  { author, chief }: DemoPeople,
  { today, changed, unconfirmed }: { today: PlainDate; changed?: number; unconfirmed?: number },
): Promise<void> {
  const before = { ...author, today: addDays(today, -LONG_AGO) };
  const suppliers = await trx.selectFrom('suppliers').select(['id', 'suppliername']).orderBy('id').execute();
  for (const { id: supplierId, suppliername: titular } of suppliers) {
    const draft = { clabe: demoClabe(BANKS[supplierId % BANKS.length]!, supplierId), titular };
    const { account } = await createAccount(trx, before, supplierId, draft);
    if (supplierId === unconfirmed) continue;
    const place = { supplierId, id: account.id };
    if (supplierId === changed)
      await updateAccount(trx, author, place, { clabe: demoClabe('072', 9_000 + supplierId) });
    await updateAccount(trx, chief, place, { trusted: true });
  }
}

/** Sound, and nobody's. */
export function demoClabe(bank: string, account: number): string {
  const digits = `${bank}180${String(10_000_000 + account * 7919).padStart(11, '0')}`;
  return digits + clabeCheckDigit(digits);
}
