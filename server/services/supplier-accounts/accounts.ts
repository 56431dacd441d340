import { isViolation } from '../../../db/errors.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { bankCodeOf, isKnownBank, normalizeClabe } from '../../../shared/banks.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { DomainError } from '../../../shared/errors.ts';
import { refuse } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import {
  type AccountDraft,
  checkAccount,
  type SupplierAccount,
  accountTexts as texts,
} from '../../../shared/supplier-accounts.ts';
import { cleanLine, cleanText } from '../../../shared/text.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { getRow } from '../catalogs/reading.ts';
import { lockRow, requireSeen } from '../stored-rows.ts';
import { editorsOf, getAccount, isOfHand } from './reading.ts';

const ENTITY = 'supplier-accounts';

interface SavedAccount {
  account: SupplierAccount;
  warnings: string[];
}

/** A change of what an account is, or of the trust in it; trusting comes after changing. */
interface AccountChange extends AccountDraft {
  trusted?: boolean;
}

/**
 * Captures an account; nobody has confirmed it yet.
 * @throws DomainError not-found (no such supplier), invalid, conflict account_exists
 */
export async function createAccount(
  db: Db,
  actor: Actor,
  supplierId: number,
  draft: AccountDraft,
): Promise<SavedAccount> {
  const clean = cleanAccount(draft);
  refuse(checkAccount(clean));
  return inTransaction(db, async (trx) => {
    await getRow(trx, suppliers, supplierId);
    await requireFreeClabe(trx, supplierId, clean.clabe!);
    const { id } = await trx
      .insertInto('supplier_accounts')
      .values({
        supplierId,
        clabe: clean.clabe!,
        titular: clean.titular!,
        createdBy: actor.userId,
        editedBy: actor.userId,
        changedOn: actor.today,
        trustedBy: null,
        trustedAt: null,
        importId: null,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(explainTaken);
    const account = await getAccount(trx, supplierId, id);
    audit(trx, actor, { action: 'create', entity: ENTITY, entityId: id, after: account });
    return { account, warnings: await warningsOf(trx, account) };
  });
}

/**
 * Changes an account, which takes the trust in it away, or says whether it is trusted; what is stored already changes
 * nothing.
 * @throws DomainError not-found, stale, invalid, forbidden (trusting it), conflict (account_exists; same_person: nobody
 *   confirms what is of his own hand)
 */
export async function updateAccount(
  db: Db,
  actor: Actor,
  { supplierId, id, version }: { supplierId: number; id: number; version?: number },
  { trusted, ...draft }: AccountChange,
): Promise<SavedAccount> {
  const given = cleanAccount(draft);
  return inTransaction(db, async (trx) => {
    await lockRow(trx, 'supplier_accounts', id);
    const before = await getAccount(trx, supplierId, id);
    const { clabe = before.clabe, titular = before.titular } = given;
    refuse(checkAccount({ clabe, titular }));
    const isChanged = clabe !== before.clabe || titular !== before.titular;
    const isTrusted = before.trustedBy !== null && !isChanged;
    const becomesTrusted = trusted ?? isTrusted;
    if (!isChanged && becomesTrusted === isTrusted) return { account: before, warnings: [] };
    requireSeen(before, version, texts.stale);
    if (clabe !== before.clabe) await requireFreeClabe(trx, supplierId, clabe);
    const isOwn = isChanged || isOfHand(before, await editorsOf(trx, [id]), actor.userId);
    if (becomesTrusted && isOwn) throw new DomainError('conflict', texts.samePerson, { code: 'same_person' });
    if (becomesTrusted && !isTrusted && !mayEnter('trust', actor.roles))
      throw new DomainError('forbidden', texts.mayNotTrust);
    await trx
      .updateTable('supplier_accounts')
      .set({
        clabe,
        titular,
        ...(isChanged && { editedBy: actor.userId, changedOn: actor.today }),
        trustedBy: becomesTrusted ? actor.userId : null,
        trustedAt: becomesTrusted ? actor.at : null,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute()
      .catch(explainTaken);
    if (isChanged) await addEditor(trx, before, actor);
    else if (!becomesTrusted) await recallEditors(trx, id);
    const account = await getAccount(trx, supplierId, id);
    audit(trx, actor, { action: 'update', entity: ENTITY, entityId: id, before, after: account });
    return { account, warnings: isChanged ? await warningsOf(trx, account) : [] };
  });
}

/** Remembers whoever types an account. Those who typed what somebody had confirmed until now may confirm what follows. */
async function addEditor(trx: Trx, { id: accountId, trustedBy }: SupplierAccount, { userId }: Actor) {
  if (trustedBy !== null)
    await trx
      .updateTable('supplier_account_editors')
      .set({ confirmed: 1 })
      .where('accountId', '=', accountId)
      .execute();
  await trx
    .insertInto('supplier_account_editors')
    .values({ accountId, userId, confirmed: 0 })
    .onConflict((conflict) => conflict.columns(['accountId', 'userId']).doUpdateSet({ confirmed: 0 }))
    .execute();
}

/** A confirmation is taken back: what was typed before it is confirmed by nobody either. */
const recallEditors = (trx: Trx, accountId: number) =>
  trx
    .updateTable('supplier_account_editors')
    .set({ confirmed: 0 })
    .where('accountId', '=', accountId)
    .execute();

/** @throws DomainError not-found, stale */
export async function deleteAccount(
  db: Db,
  actor: Actor,
  { supplierId, id, version }: { supplierId: number; id: number; version?: number },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockRow(trx, 'supplier_accounts', id);
    const before = await getAccount(trx, supplierId, id);
    requireSeen(before, version, texts.stale);
    await trx.deleteFrom('supplier_accounts').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: ENTITY, entityId: id, before });
  });
}

/** As it is stored; what is not given stays out. @throws DomainError invalid (too long, control characters) */
export function cleanAccount({ clabe, titular }: AccountDraft): AccountDraft {
  return {
    ...(clabe !== undefined && { clabe: cleanText(normalizeClabe(clabe), 'CLABE', 'clabe', 60) }),
    ...(titular !== undefined && { titular: cleanLine(titular, 'Titular', 'titular', 200) }),
  };
}

/** What is stored all the same, but wants a second look. */
async function warningsOf(trx: Trx, { clabe, supplierId }: SupplierAccount): Promise<string[]> {
  const others = await trx
    .selectFrom('supplier_accounts')
    .innerJoin('suppliers', 'suppliers.id', 'supplier_accounts.supplierId')
    .select('suppliername')
    .where('clabe', '=', clabe)
    .where('supplierId', '<>', supplierId)
    .orderBy('supplier_accounts.id')
    .limit(3)
    .execute();
  const shared = others.map(({ suppliername }) => texts.shared(suppliername));
  return isKnownBank(clabe) ? shared : [texts.unknownBank(bankCodeOf(clabe)), ...shared];
}

async function requireFreeClabe(trx: Trx, supplierId: number, clabe: string): Promise<void> {
  const taken = await trx
    .selectFrom('supplier_accounts')
    .select('id')
    .where('supplierId', '=', supplierId)
    .where('clabe', '=', clabe)
    .executeTakeFirst();
  if (taken) throw clabeTaken({ existingId: taken.id });
}

const clabeTaken = (extra?: Record<string, unknown>) =>
  new DomainError('conflict', texts.taken, {
    code: 'account_exists',
    fields: { clabe: texts.taken },
    extra,
  });

/** What the database itself refused: another one was faster. */
function explainTaken(error: unknown): never {
  if (isViolation(error, 'unique')) throw clabeTaken();
  throw error;
}
