import { forNoKeyUpdate, isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { bankCodeOf, hasKnownBank, normalizeClabe } from '../../../shared/banks.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { createRefusal } from '../../../shared/refusal.ts';
import { conflictRemark, createRemark } from '../../../shared/remarks.ts';
import { mayEnter } from '../../../shared/roles.ts';
import {
  type AccountFieldValues,
  checkAccount,
  type SupplierAccount,
  accountTexts as texts,
} from '../../../shared/supplier-accounts.ts';
import { cleanLine, cleanText } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { rowNotFoundText } from '../catalogs/reading.ts';
import { requireSecondPerson } from '../signatures/second-person.ts';
import { lockRow } from '../stored-rows.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  cleanOrMarkInvalid,
  type ImportIdAndProgress,
  type RuleResult,
  refuseInvalidTexts,
  type StoredDraft,
  storeRows,
  type UnreadableInput,
  unchangedResult,
  type Warning,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import { involvedUserIdsOf, readAccounts, readUnconfirmedEditors } from './reading.ts';

export interface AccountInput extends AccountFieldValues {
  /** below zero: a supplier that the same file creates */
  supplierId: number | null;
  id?: number;
  /** the version that was seen; without it, whatever is stored is overwritten */
  version?: number;
  trusted?: boolean;
  line?: number;
}

export type AccountDraft = ReturnType<typeof completeDraft>;

interface AccountOptions {
  skipsExisting?: boolean;
  nameOf?: (supplierId: number) => string;
}

/** The facts that the rules need; `existingAccounts` grows with each accepted draft. */
type AccountFacts = Awaited<ReturnType<typeof readDraftsAndFacts>>['facts'];

type Rule<Result> = (draft: AccountDraft, facts: AccountFacts) => Result;

/** Only the first broken rule is reported, so the order counts. */
export const rules: readonly Rule<RuleResult>[] = [
  refuseMissingRow,
  refuseInvalidTexts,
  refuseInvalidFields,
  refuseUnknownSupplier,
  skipOrRefuseStored,
  skipUnchanged,
  refuseStaleVersion,
  refuseDuplicateClabe,
  refuseOwnConfirmation,
  refuseUnauthorizedTrust,
];

export const warningRules: readonly Rule<readonly Warning[]>[] = [warnOfUnknownBank, warnOfSharedAccount];

/** A captured account is not trusted until another user confirms it. */
export const writeAccounts = (
  db: Db,
  actor: Actor,
  accounts: readonly (AccountInput | UnreadableInput)[],
  options: AccountOptions & BulkOptions<AccountDraft> = {},
): Promise<WriteOutcome<AccountDraft, SupplierAccount>[]> =>
  writeDrafts(
    db,
    accounts,
    {
      read: (trx, read) => readDraftsAndFacts(trx, actor, read, options),
      rules,
      warn: (draft, facts) => warningRules.flatMap((warn) => warn(draft, facts)),
      accept: ({ id, supplierId, clabe, titular, line }, { existingAccounts }) =>
        existingAccounts.set(clabeKey(supplierId, clabe), { id, titular, line }),
      previous: ({ previous }) => previous,
      idOf: ({ id }) => id,
      store: (trx, stored, facts, bulk) => storeAccounts(trx, actor, stored, { ...bulk, ...facts }),
    },
    options,
  );

async function readDraftsAndFacts(
  trx: Trx,
  actor: Actor,
  accounts: readonly AccountInput[],
  options: AccountOptions,
) {
  const ids = accounts.flatMap(({ id }) => id ?? []);
  for (const id of ids) await lockRow(trx, 'supplier_accounts', id);
  const previousById = new Map((await readAccounts(trx, ids)).map((one) => [one.id, one]));
  const drafts = accounts.map((one) => completeDraft(one, previousById.get(one.id ?? 0)));
  const supplierIds = [...new Set(drafts.flatMap(({ supplierId }) => supplierId ?? []))];
  // The lock keeps two users from capturing the same account.
  const suppliersToLock = trx
    .selectFrom('suppliers')
    .select('id')
    .where(isOneOf(trx, 'id', supplierIds))
    .orderBy('id');
  const accountsOnFile = trx.selectFrom('supplier_accounts');
  const accountsOfSuppliers = accountsOnFile.select(['id', 'supplierId', 'clabe', 'titular']);
  // PostgreSQL cannot search for text that it cannot store; the rules refuse such a CLABE.
  const clabes = options.skipsExisting
    ? []
    : drafts.flatMap(({ clabe, brokenRule }) => (brokenRule ? [] : clabe));
  const holders = accountsOnFile
    .innerJoin('suppliers', 'suppliers.id', 'supplier_accounts.supplierId')
    .select(['clabe', 'supplierId', 'suppliername'])
    .where('clabe', 'in', clabes)
    .orderBy('supplier_accounts.id');
  const suppliersOnFile = await suppliersToLock.modifyEnd(forNoKeyUpdate(trx, 'suppliers')).execute();
  const onFile = await accountsOfSuppliers.where(isOneOf(trx, 'supplierId', supplierIds)).execute();
  const facts = {
    ...options,
    actor,
    suppliers: new Set(suppliersOnFile.map(({ id }) => id)),
    /** by supplier and CLABE; those of the same run have no id yet */
    existingAccounts: new Map<string, Pick<AccountInput, 'id' | 'line'> & { titular: string }>(
      onFile.map((one) => [clabeKey(one.supplierId, one.clabe), one]),
    ),
    /** suppliers that have an account with the CLABE; not read for a table */
    holders: Map.groupBy(clabes.length > 0 ? await holders.execute() : [], ({ clabe }) => clabe),
    editors: ids.length > 0 ? await readUnconfirmedEditors(trx, ids) : new Map<number, number[]>(),
  };
  return { drafts, facts };
}

const clabeKey = (supplierId: number | null, clabe: string): string => `${supplierId}/${clabe}`;

/** @param stored the changed account, whichever supplier's it is */
function completeDraft(account: AccountInput, stored: SupplierAccount | undefined) {
  const previous = stored?.supplierId === account.supplierId ? stored : undefined;
  const { clabe = previous?.clabe ?? '', titular = previous?.titular ?? '', trusted } = account;
  const { brokenRule, ...texts } = cleanOrMarkInvalid({ clabe, titular }, () => ({
    clabe: cleanText(normalizeClabe(clabe), 'CLABE', 'clabe', 60),
    titular: cleanLine(titular, 'Titular', 'titular', 200),
  }));
  const isTyped = texts.clabe !== previous?.clabe || texts.titular !== previous.titular;
  const isTrusted = typeof previous?.trustedBy === 'number' && !isTyped;
  return {
    ...account,
    ...texts,
    brokenRule,
    previous,
    isTyped,
    isTrusted,
    becomesTrusted: trusted ?? isTrusted,
  };
}

function refuseMissingRow({ id, supplierId, previous }: AccountDraft): RuleResult {
  if (id === undefined || previous) return undefined;
  return { kind: 'not-found', message: `El proveedor ${supplierId} no tiene la cuenta ${id}.` };
}

function refuseInvalidFields(draft: AccountDraft): RuleResult {
  return checkAccount(draft);
}

function refuseUnknownSupplier({ supplierId }: AccountDraft, facts: AccountFacts): RuleResult {
  if (supplierId === null) return createRefusal('Falta el proveedor.', 'supplierId');
  if (supplierId < 0 || facts.suppliers.has(supplierId)) return undefined;
  return { kind: 'not-found', message: rowNotFoundText(suppliers, supplierId), field: 'supplierId' };
}

function skipOrRefuseStored({ supplierId, clabe, titular }: AccountDraft, facts: AccountFacts): RuleResult {
  const { existingAccounts, skipsExisting, nameOf = String } = facts;
  const same = skipsExisting ? existingAccounts.get(clabeKey(supplierId, clabe)) : undefined;
  if (!same) return undefined;
  if (same.titular === titular) return unchangedResult(same.line);
  const where = same.line === undefined ? '' : ` (renglón ${same.line})`;
  const what = createRemark`La cuenta ${clabe} de «${nameOf(supplierId!)}»${where}`;
  return createRefusal(conflictRemark(what, 'titular', same.titular, titular), 'titular');
}

function skipUnchanged({ previous, isTyped, isTrusted, becomesTrusted }: AccountDraft): RuleResult {
  if (!previous || isTyped || becomesTrusted !== isTrusted) return undefined;
  return { unchanged: true, warnings: [] };
}

function refuseStaleVersion({ previous, version }: AccountDraft): RuleResult {
  if (!previous || version === undefined || version === previous.version) return undefined;
  return { kind: 'stale', message: texts.stale, extra: { current: previous } };
}

function refuseDuplicateClabe(
  { id, supplierId, clabe }: AccountDraft,
  { existingAccounts }: AccountFacts,
): RuleResult {
  const existing = existingAccounts.get(clabeKey(supplierId, clabe));
  if (!existing || existing.id === id) return undefined;
  const extra = { existingId: existing.id };
  return { ...createRefusal(texts.taken, 'clabe'), kind: 'conflict', code: 'account_exists', extra };
}

function refuseOwnConfirmation(
  { previous, isTyped, becomesTrusted }: AccountDraft,
  facts: AccountFacts,
): RuleResult {
  const isOwn =
    !previous || isTyped || involvedUserIdsOf(previous, facts.editors).includes(facts.actor.userId);
  if (!becomesTrusted || !isOwn) return undefined;
  return { kind: 'conflict', ...SAME_PERSON_REFUSAL };
}

const SAME_PERSON_REFUSAL = { message: texts.samePerson, code: 'same_person' } as const;

function refuseUnauthorizedTrust(
  { isTrusted, becomesTrusted }: AccountDraft,
  { actor }: AccountFacts,
): RuleResult {
  if (!becomesTrusted || isTrusted || mayEnter('trust', actor.roles)) return undefined;
  return { kind: 'forbidden', message: texts.mayNotTrust };
}

function warnOfUnknownBank({ isTyped, clabe }: AccountDraft): readonly Warning[] {
  return isTyped && !hasKnownBank(clabe) ? [{ message: texts.unknownBank(bankCodeOf(clabe)) }] : [];
}

function warnOfSharedAccount(
  { isTyped, supplierId, clabe }: AccountDraft,
  facts: AccountFacts,
): readonly Warning[] {
  const others = (facts.holders.get(clabe) ?? []).filter((one) => isTyped && one.supplierId !== supplierId);
  return others.slice(0, 3).map(({ suppliername }) => ({ message: texts.shared(suppliername) }));
}

async function storeAccounts(
  trx: Trx,
  actor: Actor,
  storedDrafts: readonly StoredDraft<AccountDraft, SupplierAccount>[],
  { editors, ...bulk }: ImportIdAndProgress<AccountDraft> & Pick<AccountFacts, 'editors'>,
): Promise<void> {
  const { userId, at, today: changedOn } = actor;
  const editColumns = { editedBy: userId, changedOn };
  await storeRows(trx, actor, 'supplier_accounts', storedDrafts, {
    ...bulk,
    rowOf: ({ supplierId, clabe, titular }) => ({
      supplierId,
      clabe,
      titular,
      ...editColumns,
      createdBy: userId,
    }),
    changeOf: ({ clabe, titular, isTyped, becomesTrusted: isTrusted }) => ({
      clabe,
      titular,
      ...(isTyped && editColumns),
      trustedBy: isTrusted ? userId : null,
      trustedAt: isTrusted ? at : null,
    }),
  });
  for (const { draft } of storedDrafts) {
    const { previous, isTyped, becomesTrusted } = draft;
    if (!previous) continue;
    if (becomesTrusted && !draft.isTrusted) {
      const { id, clabe, suppliername, updatedAt: since } = previous;
      const authorIds = involvedUserIdsOf(previous, editors);
      const account = {
        entity: 'supplier-accounts',
        id,
        since,
        authorIds,
        auditFields: { clabe, suppliername },
      } as const;
      await requireSecondPerson(trx, actor, account, SAME_PERSON_REFUSAL);
    }
    if (isTyped) await addEditor(trx, previous, actor);
    // A withdrawn confirmation no longer covers the changes that it confirmed.
    else if (!becomesTrusted) await setEditorsConfirmed(trx, previous.id, 0);
  }
  if (bulk.importId !== null) return;
  const ids = storedDrafts.map(({ id }) => id);
  auditStoredDrafts(trx, actor, 'supplier-accounts', storedDrafts, await readAccounts(trx, ids));
}

/** A confirmation clears the list of editors: whoever is on it may confirm later changes by others. */
async function addEditor(trx: Trx, { id: accountId, trustedBy }: SupplierAccount, { userId }: Actor) {
  if (trustedBy !== null) await setEditorsConfirmed(trx, accountId, 1);
  await trx
    .insertInto('supplier_account_editors')
    .values({ accountId, userId, confirmed: 0 })
    .onConflict((conflict) => conflict.columns(['accountId', 'userId']).doUpdateSet({ confirmed: 0 }))
    .execute();
}

const setEditorsConfirmed = (trx: Trx, accountId: number, confirmed: 0 | 1) =>
  trx.updateTable('supplier_account_editors').set({ confirmed }).where('accountId', '=', accountId).execute();
