import { type SelectQueryBuilder, sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { abbreviateClabe, BANK_NAME_BY_CODE, bankNameOf } from '../../../shared/banks.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  type AccountSort,
  type AccountState,
  type PayeeAccount,
  payingAccountOf,
  type SupplierAccount,
} from '../../../shared/supplier-accounts.ts';
import { fold } from '../../../shared/text.ts';
import { loadSignatureNoteLookup } from '../signatures/second-person.ts';
import { idsOf } from '../stored-rows.ts';

interface AccountFilter {
  supplierId?: number | null;
  estado?: AccountState;
}

export interface AccountQuery extends AccountFilter, PagingOptions {
  sort?: AccountSort;
}

type AccountQueryBuilder = SelectQueryBuilder<Schema, 'supplier_accounts' | 'suppliers', object>;

const bankNameExpression = sql`case substr(supplier_accounts.clabe, 1, 3) ${sql.join(
  Object.entries(BANK_NAME_BY_CODE).map(
    ([code, name]) => sql`when ${sql.lit(code)} then ${sql.lit(fold(name))}`,
  ),
  sql` `,
)} end`;

const usernameExpression = (reference: string) =>
  sql`(select username from users where users.id = ${sql.ref(`supplier_accounts.${reference}`)})`;

const SORT_COLUMNS: Record<AccountSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'supplier_accounts.id', kind: 'number' },
  suppliername: { column: 'suppliers.suppliernameFold', kind: 'text' },
  estado: createUnindexedSort('number', sql`case when "trustedBy" is null then 0 else 1 end`),
  banco: createUnindexedSort('text', bankNameExpression),
  clabe: createUnindexedSort('text', sql`substr(supplier_accounts.clabe, 15)`),
  changedOn: { column: 'supplier_accounts.changedOn', kind: 'date' },
  editor: createUnindexedSort('text', usernameExpression('editedBy')),
  truster: createUnindexedSort('text', usernameExpression('trustedBy')),
};

export function searchAccounts(db: Db, query: AccountQuery): Promise<Page<SupplierAccount>> {
  const by = { id: 'supplier_accounts.id', ...SORT_COLUMNS[query.sort ?? 'id'] };
  return searchPage(buildAccountQuery(db, query), by, query, async (ids) =>
    addSignatureNotes(db, await readAccounts(db, ids)),
  );
}

export async function countAccounts(db: Db, filter: AccountFilter): Promise<number> {
  const { count } = await buildAccountQuery(db, filter)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const listAccounts = async (db: Db, supplierId: number): Promise<SupplierAccount[]> =>
  addSignatureNotes(
    db,
    await selectAccountColumns(buildAccountQuery(db, { supplierId }))
      .orderBy('supplier_accounts.id')
      .execute(),
  );

/** @throws DomainError not-found, also where the account is another supplier's */
export async function getAccount(db: Db, supplierId: number, id: number): Promise<SupplierAccount> {
  const found = await selectAccountColumns(buildAccountQuery(db, { supplierId }))
    .where('supplier_accounts.id', '=', id)
    .executeTakeFirst();
  if (!found) throw new DomainError('not-found', `El proveedor ${supplierId} no tiene la cuenta ${id}.`);
  return found;
}

export const readAccounts = (db: Db, ids: readonly number[]): Promise<SupplierAccount[]> =>
  selectAccountColumns(buildAccountQuery(db, {}).where(isOneOf(db, 'supplier_accounts.id', ids))).execute();

/** @returns the users who changed each account since its last confirmation that was not withdrawn, by account id */
export async function readUnconfirmedEditors(db: Db, ids: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('supplier_account_editors')
    .selectAll()
    .where(isOneOf(db, 'accountId', ids))
    .where('confirmed', '=', 0)
    .execute();
  const editors = new Map<number, number[]>();
  for (const { accountId, userId } of rows)
    editors.set(accountId, [...(editors.get(accountId) ?? []), userId]);
  return editors;
}

/** Lists who may not confirm the account: its author, and those who changed it since it was last confirmed. */
export const involvedUserIdsOf = (
  { id, createdBy, editedBy }: Pick<SupplierAccount, 'id' | 'createdBy' | 'editedBy'>,
  unconfirmedEditors: ReadonlyMap<number, readonly number[]>,
): number[] => [createdBy, editedBy, ...(unconfirmedEditors.get(id) ?? [])];

export async function addSignatureNotes(
  db: Db,
  accounts: readonly SupplierAccount[],
): Promise<SupplierAccount[]> {
  const trusted = accounts.filter(({ trustedBy }) => trustedBy !== null);
  const noteOf = await loadSignatureNoteLookup(db, 'supplier-accounts', idsOf(trusted));
  return accounts.map((one) => ({ ...one, note: noteOf(one.id, one.trustedBy, one.trustedAt) }));
}

/** By supplier id; suppliers without accounts are absent. */
export async function readAccountsBySupplier(
  db: Db,
  supplierIds: readonly number[],
): Promise<Map<number, SupplierAccount[]>> {
  const found = await selectAccountColumns(
    buildAccountQuery(db, {}).where(isOneOf(db, 'supplier_accounts.supplierId', supplierIds)),
  )
    .orderBy('supplier_accounts.id')
    .execute();
  return Map.groupBy(found, ({ supplierId }) => supplierId);
}

const NEW_ACCOUNT_DAYS = 30;

export function toPayeeAccount(
  accounts: readonly SupplierAccount[],
  today: PlainDate,
): PayeeAccount | undefined {
  const account = payingAccountOf(accounts) ?? accounts.at(-1);
  return (
    account && {
      name: `${bankNameOf(account.clabe)} ${abbreviateClabe(account.clabe)}`,
      isTrusted: account.trustedAt !== null,
      changedOn: account.changedOn,
      isNew: account.changedOn > addDays(today, -NEW_ACCOUNT_DAYS),
    }
  );
}

export async function readPayeeAccount(
  db: Db,
  supplierId: number,
  today: PlainDate,
): Promise<PayeeAccount | null> {
  const accounts = await readAccountsBySupplier(db, [supplierId]);
  return toPayeeAccount(accounts.get(supplierId) ?? [], today) ?? null;
}

function buildAccountQuery(db: Db, { supplierId, estado }: AccountFilter): AccountQueryBuilder {
  return db
    .selectFrom('supplier_accounts')
    .innerJoin('suppliers', 'suppliers.id', 'supplier_accounts.supplierId')
    .$if(Boolean(supplierId), (query) => query.where('supplierId', '=', supplierId!))
    .$if(estado !== undefined, (query) =>
      query.where('trustedBy', estado === 'confiable' ? 'is not' : 'is', null),
    ) as AccountQueryBuilder;
}

const selectAccountColumns = (query: AccountQueryBuilder) =>
  query
    .innerJoin('users as authors', 'authors.id', 'supplier_accounts.createdBy')
    .innerJoin('users as editors', 'editors.id', 'supplier_accounts.editedBy')
    .leftJoin('users as trusters', 'trusters.id', 'supplier_accounts.trustedBy')
    .select([
      'supplier_accounts.id',
      'supplier_accounts.supplierId',
      'suppliers.suppliername',
      'suppliers.rfc',
      'supplier_accounts.clabe',
      'supplier_accounts.titular',
      'supplier_accounts.createdBy',
      'authors.username as author',
      'supplier_accounts.editedBy',
      'editors.username as editor',
      'supplier_accounts.changedOn',
      'supplier_accounts.trustedBy',
      'trusters.username as truster',
      'supplier_accounts.trustedAt',
      'supplier_accounts.createdAt',
      'supplier_accounts.updatedAt',
      'supplier_accounts.version',
    ])
    .$castTo<SupplierAccount>();
