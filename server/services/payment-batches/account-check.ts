import type { Db } from '../../../db/schema.ts';
import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import { addWorkdays, sayDate } from '../../../shared/dates.ts';
import { payingAccountOf, type SupplierAccount } from '../../../shared/supplier-accounts.ts';
import { pages } from '../../../shared/urls.ts';
import { accountsOf } from '../supplier-accounts/reading.ts';
import { eachOf, type Found, type JudgedBatch, type JudgedLine } from './judged.ts';

export const UNTRUSTED = 'clabe_no_confiable';

/**
 * Money goes to an account that a second person has confirmed, some days after it was captured or changed last. Who has
 * none is paid in another way, and is nothing to judge; but a line that was held for an account is not let go by
 * deleting it.
 */
export async function untrustedAccounts(
  db: Db,
  lines: readonly JudgedLine[],
  { today, settings }: JudgedBatch,
): Promise<Found> {
  const suppliers = [...new Set(lines.map(({ invoice }) => invoice.supplierId))];
  const accounts = await accountsOf(db, suppliers);
  const wait = Number(settings['cuenta.espera']);
  return eachOf(lines, ({ verdict, invoice: { supplierId } }) => {
    const remedy = `${pages.editSupplier}/${supplierId}#cuentas`;
    const own = accounts.get(supplierId);
    if (!own) {
      const before = verdict?.findings.find(({ code }) => code === UNTRUSTED);
      return before && { reason: DELETED, source: SOURCE, date: before.date, remedy };
    }
    const paying = payingAccountOf(own);
    const account = paying ?? own.at(-1)!;
    const since = addWorkdays(account.changedOn, wait);
    if (paying && today >= since) return undefined;
    return {
      reason: paying
        ? `La cuenta ${nameOf(account)} es nueva: se le puede pagar desde el ${sayDate(since)}.`
        : `Nadie ha confirmado la cuenta ${nameOf(account)}.`,
      source: SOURCE,
      date: account.changedOn,
      remedy,
    };
  });
}

const SOURCE = 'Cuentas bancarias';
const DELETED = 'Se eliminó la cuenta por la que estaba detenida.';

const nameOf = ({ clabe }: SupplierAccount): string => `${bankOf(clabe)} ${lastOfClabe(clabe)}`;
