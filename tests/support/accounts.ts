import type { Db } from '../../db/schema.ts';
import type { Actor } from '../../server/services/audit/audit.ts';
import { createAccount, updateAccount } from '../../server/services/supplier-accounts/accounts.ts';
import { computeClabeCheckDigit } from '../../shared/banks.ts';
import type { SupplierAccount } from '../../shared/supplier-accounts.ts';
import { addActor, addSupplier } from './rows.ts';

export function clabeOf(bank: string, account: number): string {
  const digits = `${bank}180${String(account).padStart(11, '0')}`;
  return digits + computeClabeCheckDigit(digits);
}

interface AccountOverrides {
  supplierId?: number;
  clabe?: string;
  titular?: string;
  author?: Actor;
  /** who confirms the account; false: nobody does */
  truster?: Actor | false;
}

let accountCount = 0;

/** Stores a bank account that one person captured and another one confirmed. */
export async function addAccount(db: Db, overrides: AccountOverrides = {}): Promise<SupplierAccount> {
  const { author = await addActor(db, { roles: [6] }), truster } = overrides;
  const supplierId = overrides.supplierId ?? (await addSupplier(db));
  const draft = {
    clabe: overrides.clabe ?? clabeOf('032', ++accountCount),
    titular: overrides.titular ?? 'Aceros SA',
  };
  const { account } = await createAccount(db, author, supplierId, draft);
  if (truster === false) return account;
  const by = truster ?? (await addActor(db, { roles: [2] }));
  return (await updateAccount(db, by, { supplierId, id: account.id }, { trusted: true })).account;
}
