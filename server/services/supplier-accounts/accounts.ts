import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  type AccountFieldValues,
  type SupplierAccount,
  accountTexts as texts,
} from '../../../shared/supplier-accounts.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { lockRow, requireCurrentVersion } from '../stored-rows.ts';
import { type SavedResult, toSavedResult } from '../write-drafts.ts';
import { addSignatureNotes, getAccount } from './reading.ts';
import { writeAccounts } from './write.ts';

type SavedAccount = SavedResult<'account', SupplierAccount>;

interface AccountReference {
  supplierId: number;
  id: number;
  version?: number;
}

/** @throws DomainError of the broken rule (write.ts) */
export const createAccount = async (
  db: Db,
  actor: Actor,
  supplierId: number,
  { clabe, titular }: AccountFieldValues,
): Promise<SavedAccount> =>
  toSavedResult('account', await writeAccounts(db, actor, [{ supplierId, clabe, titular }]));

/** Changing the account removes its confirmation; then `trusted` is applied. @throws DomainError of the broken rule */
export const updateAccount = async (
  db: Db,
  actor: Actor,
  reference: AccountReference,
  { clabe, titular, trusted }: AccountFieldValues & { trusted?: boolean },
): Promise<SavedAccount> => {
  const saved = toSavedResult(
    'account',
    await writeAccounts(db, actor, [{ ...reference, clabe, titular, trusted }]),
  );
  const [account] = await addSignatureNotes(db, [saved.account]);
  return { ...saved, account: account! };
};

/** @throws DomainError not-found, stale */
export async function deleteAccount(
  db: Db,
  actor: Actor,
  { supplierId, id, version }: AccountReference,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockRow(trx, 'supplier_accounts', id);
    const before = await getAccount(trx, supplierId, id);
    requireCurrentVersion(before, version, texts.stale);
    await trx.deleteFrom('supplier_accounts').where('id', '=', id).execute();
    queueAuditEntry(trx, actor, { action: 'delete', entity: 'supplier-accounts', entityId: id, before });
  });
}
