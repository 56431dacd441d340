import type { Db } from '../../../db/schema.ts';
import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import { addWorkdays, sayDate } from '../../../shared/dates.ts';
import { payingAccountOf, type SupplierAccount } from '../../../shared/supplier-accounts.ts';
import { pages } from '../../../shared/urls.ts';
import { accountsOf } from '../supplier-accounts/reading.ts';
import { eachOf, type Found, type JudgedBatch, type JudgedLine } from './judged.ts';

/**
 * Money goes to an account that a second person has confirmed, some days after it was captured or changed last. Who has
 * none is paid in another way, and is nothing to judge.
 */
export async function untrustedAccounts(
  db: Db,
  lines: readonly JudgedLine[],
  { today, settings }: JudgedBatch,
): Promise<Found> {
  const suppliers = [...new Set(lines.map(({ invoice }) => invoice.supplierId))];
  const accounts = await accountsOf(db, suppliers);
  const wait = Number(settings['cuenta.espera']);
  return eachOf(lines, ({ invoice: { supplierId } }) => {
    const own = accounts.get(supplierId);
    if (!own) return undefined;
    const paying = payingAccountOf(own);
    const account = paying ?? own.at(-1)!;
    const since = addWorkdays(account.changedOn, wait);
    if (paying && today >= since) return undefined;
    return {
      reason: paying
        ? `La cuenta ${nameOf(account)} es nueva: se le puede pagar desde el ${sayDate(since)}.`
        : `Nadie ha confirmado la cuenta ${nameOf(account)}.`,
      source: 'Cuentas bancarias',
      date: account.changedOn,
      remedy: `${pages.editSupplier}/${supplierId}#cuentas`,
    };
  });
}

const nameOf = ({ clabe }: SupplierAccount): string => `${bankOf(clabe)} ${lastOfClabe(clabe)}`;
