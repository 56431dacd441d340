import { sql } from 'kysely';
import { foldedNameSubquery, foldedSortExpression, isOneOf } from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { CountAndSum, UnappliedCredit } from '../../../shared/balances.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import {
  type CreditNote,
  type CreditNoteSort,
  type CreditState,
  unappliedOf,
} from '../../../shared/credit-notes.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';

interface SupplierCredit {
  /** The saldo a favor: what remains of all notes. */
  remainingCents: Cents;
  notes: CreditNote[];
}

export async function readSupplierCredit(db: Db, supplierId: number): Promise<SupplierCredit> {
  const notes = await selectNoteColumns(buildNoteQuery(db, { supplierId }))
    .orderBy('fecha', 'desc')
    .orderBy('credit_notes.id', 'desc')
    .execute();
  return { remainingCents: notes.reduce((sum, note) => sum + unappliedOf(note), 0), notes };
}

interface CreditNoteFilter {
  supplierId?: number | null;
  estado?: CreditState;
  corte?: PlainDate;
}

export const sumUnappliedCreditNotes = (db: Db, filter: CreditNoteFilter): Promise<CountAndSum> =>
  buildSumsQuery(db, filter).executeTakeFirstOrThrow();

export const sumUnappliedBySupplier = (
  db: Db,
  filter: Omit<CreditNoteFilter, 'estado'>,
): Promise<UnappliedCredit[]> =>
  buildSumsQuery(db, { ...filter, estado: 'con-saldo' })
    .innerJoin('suppliers', 'suppliers.id', 'credit_notes.supplierId')
    .select(['suppliers.id as supplierId', 'suppliers.suppliername'])
    .groupBy(['suppliers.id', 'suppliers.suppliername'])
    .orderBy('sumCents', 'desc')
    .orderBy('suppliers.id')
    .execute();

const buildSumsQuery = (db: Db, filter: CreditNoteFilter) =>
  buildNoteQuery(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<Cents>`coalesce(sum("totalCents" - "appliedCents"), 0)`.as('sumCents'));

export async function getCreditNote(db: Db, id: number): Promise<CreditNote> {
  const [note] = await readCreditNotes(db, [id]);
  if (!note) throw noteNotFoundError(id);
  return note;
}

export const noteNotFoundError = (id: number) =>
  new DomainError('not-found', `No existe la nota de crédito ${id}.`);

export const readCreditNotes = (db: Db, ids: readonly number[]): Promise<CreditNote[]> =>
  selectNoteColumns(buildNoteQuery(db, {}).where(isOneOf(db, 'credit_notes.id', ids))).execute();

export interface CreditNoteQuery extends CreditNoteFilter, PagingOptions {
  sort?: CreditNoteSort;
}

const SORT_COLUMNS: Record<CreditNoteSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'credit_notes.id', kind: 'number' },
  numero: createUnindexedSort('text', foldedSortExpression('credit_notes.numero')),
  uuid: createUnindexedSort('text', 'credit_notes.uuid'),
  suppliername: createUnindexedSort('text', foldedNameSubquery(suppliers, 'credit_notes.supplierId')),
  fecha: { column: 'credit_notes.fecha', kind: 'date' },
  total: createUnindexedSort('number', 'credit_notes.totalCents'),
  applied: createUnindexedSort('number', 'credit_notes.appliedCents'),
  left: createUnindexedSort('number', sql`credit_notes."totalCents" - credit_notes."appliedCents"`),
};

export function searchCreditNotes(db: Db, query: CreditNoteQuery): Promise<Page<CreditNote>> {
  const by = { id: 'credit_notes.id', ...SORT_COLUMNS[query.sort ?? 'id'] };
  return searchPage(buildNoteQuery(db, query), by, query, (ids) => readCreditNotes(db, ids));
}

const buildNoteQuery = (db: Db, { supplierId, estado, corte }: CreditNoteFilter) =>
  db
    .selectFrom('credit_notes')
    .$if(Boolean(supplierId), (query) => query.where('credit_notes.supplierId', '=', supplierId!))
    .$if(corte !== undefined, (query) => query.where('fecha', '<=', corte!))
    .$if(estado !== undefined, (query) =>
      query.whereRef('appliedCents', estado === 'aplicada' ? '=' : '<', 'totalCents'),
    );

const joinSupplier = (query: ReturnType<typeof buildNoteQuery>) =>
  query.innerJoin('suppliers', 'suppliers.id', 'credit_notes.supplierId');

const selectNoteColumns = (query: ReturnType<typeof buildNoteQuery>) =>
  joinSupplier(query).selectAll('credit_notes').select(['suppliers.suppliername', 'suppliers.rfc']);
