import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { foldedNameSubquery, foldedSortExpression, isOneOf } from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import type { MailState } from '../../../db/tables/mails.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { plainDateIn } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { RECEIPTS_REQUEST_SUBJECT_PREFIX } from './letters.ts';
import type { Mail, MailSort } from './mail.ts';

interface MailFilter {
  supplierId?: number | null;
  estado?: MailState;
}

interface MailQuery extends MailFilter, PagingOptions {
  sort?: MailSort;
}

const SORT_COLUMNS: Record<MailSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'mails.id', kind: 'number' },
  // Mails are stored in the order in which they were asked for.
  createdAt: { column: 'mails.id', kind: 'number' },
  suppliername: createUnindexedSort('text', foldedNameSubquery(suppliers, 'mails.supplierId')),
  para: createUnindexedSort('text', foldedSortExpression('mails.para')),
  asunto: createUnindexedSort('text', foldedSortExpression('mails.asunto')),
  estado: createUnindexedSort('text', sql`mails.estado`),
  intentos: createUnindexedSort('number', sql`mails.intentos`),
};

export const searchMails = (db: Db, query: MailQuery): Promise<Page<Mail>> =>
  searchPage(
    buildMailQuery(db, query),
    { id: 'mails.id', ...SORT_COLUMNS[query.sort ?? 'id'] },
    query,
    (ids) => readMailsWhere(db, isOneOf(db, 'mails.id', ids)),
  );

export async function countMails(db: Db, filter: MailFilter): Promise<number> {
  const { count } = await buildMailQuery(db, filter)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** @throws DomainError not-found */
export async function getMail(db: Db, id: number): Promise<Mail> {
  const [mail] = await readMailsWhere(db, sql<SqlBool>`mails.id = ${id}`);
  if (!mail) throw new DomainError('not-found', `No existe el correo ${id}.`);
  return mail;
}

/** @returns by supplier, the day when its receipts were last asked for by a mail that was sent or waits to be */
export async function readReceiptRequestDays(db: Db, supplierIds: readonly number[], timeZone: string) {
  const requests = await db
    .selectFrom('mails')
    .select(({ fn }) => ['supplierId', fn.max('createdAt').as('requestedAt')])
    .where(isOneOf(db, 'supplierId', supplierIds))
    .where('asunto', 'like', `${RECEIPTS_REQUEST_SUBJECT_PREFIX}%`)
    .where('estado', '<>', 'fallo')
    .groupBy('supplierId')
    .execute();
  return new Map(requests.map((one) => [one.supplierId, plainDateIn(new Date(one.requestedAt), timeZone)]));
}

const buildMailQuery = (db: Db, { supplierId, estado }: MailFilter) =>
  db
    .selectFrom('mails')
    .$if(Boolean(supplierId), (query) => query.where('supplierId', '=', supplierId!))
    .$if(estado !== undefined, (query) => query.where('estado', '=', estado!)) as SelectQueryBuilder<
    Schema,
    'mails',
    object
  >;

export const readMailsWhere = (db: Db, condition: RawBuilder<SqlBool>): Promise<Mail[]> =>
  db
    .selectFrom('mails')
    .innerJoin('suppliers', 'suppliers.id', 'mails.supplierId')
    .innerJoin('users', 'users.id', 'mails.userId')
    .select([
      'mails.id',
      'mails.supplierId',
      'suppliers.suppliername',
      'mails.para',
      'mails.asunto',
      'mails.estado',
      'mails.intentos',
      'mails.respuesta',
      'mails.proximo',
      'users.username',
      'mails.createdAt',
      'mails.updatedAt',
    ])
    .where(condition)
    .orderBy('mails.id')
    .execute();
