import { type Insertable, type SelectQueryBuilder, sql } from 'kysely';
import { forUpdate, isOneOf } from '../../../db/expressions.ts';
import {
  inOrderOf,
  onePage,
  type Page,
  type PageQuery,
  readPage,
  type SortColumn,
} from '../../../db/paging.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { CountAndSum, UnappliedCredit } from '../../../shared/balances.ts';
import {
  type CreditNote,
  type CreditNoteSort,
  type CreditState,
  leftOf,
} from '../../../shared/credit-notes.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import { type Actor, audit, type Stamp } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { forgetFiles } from '../files.ts';
import { writePayments } from '../payments/write.ts';
import { oneWritten } from '../writing.ts';

interface SupplierCredit {
  /** what is not applied of all of them: the saldo a favor */
  leftCents: Cents;
  notes: CreditNote[];
}

export async function readSupplierCredit(db: Db, supplierId: number): Promise<SupplierCredit> {
  const notes = await withColumns(filterNotes(db, { supplierId }))
    .orderBy('fecha', 'desc')
    .orderBy('credit_notes.id', 'desc')
    .execute();
  return { leftCents: notes.reduce((sum, note) => sum + leftOf(note), 0), notes };
}

interface Unapplied {
  supplierId?: number | null;
  corte?: PlainDate;
}

const unapplied = (db: Db, { supplierId, corte }: Unapplied) =>
  db
    .selectFrom('credit_notes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<Cents>`coalesce(sum("totalCents" - "appliedCents"), 0)`.as('sumCents'))
    .whereRef('appliedCents', '<', 'totalCents')
    .$if(Boolean(supplierId), (query) => query.where('supplierId', '=', supplierId!))
    .$if(corte !== undefined, (query) => query.where('fecha', '<=', corte!));

/** Adds up the parts of credit notes, of one supplier or all, that are not applied until that day. */
export const sumUnapplied = (db: Db, of: Unapplied): Promise<CountAndSum> =>
  unapplied(db, of).executeTakeFirstOrThrow();

/** Unapplied credits by supplier, the largest first. */
export const unappliedBySupplier = (db: Db, of: Unapplied): Promise<UnappliedCredit[]> =>
  unapplied(db, of)
    .innerJoin('suppliers', 'suppliers.id', 'credit_notes.supplierId')
    .select(['suppliers.id as supplierId', 'suppliers.suppliername'])
    .groupBy(['suppliers.id', 'suppliers.suppliername'])
    .orderBy('sumCents', 'desc')
    .orderBy('suppliers.id')
    .execute();

/** @throws DomainError not-found */
export async function getCreditNote(db: Db, id: number): Promise<CreditNote> {
  const [note] = await creditNotesWith(db, [id]);
  if (!note) throw missing(id);
  return note;
}

export const creditNotesWith = (db: Db, ids: readonly number[]): Promise<CreditNote[]> =>
  withColumns(filterNotes(db, {}).where(isOneOf(db, 'credit_notes.id', ids))).execute();

interface CreditNoteFilter {
  supplierId?: number | null;
  estado?: CreditState;
}

export interface CreditNoteQuery extends CreditNoteFilter, PageQuery {
  sort?: CreditNoteSort;
}

const SORT_COLUMNS: Record<CreditNoteSort, SortColumn> = {
  id: { column: 'credit_notes.id', id: 'credit_notes.id', kind: 'number' },
  fecha: { column: 'credit_notes.fecha', id: 'credit_notes.id', kind: 'date' },
  suppliername: { column: 'suppliers.suppliernameFold', id: 'credit_notes.id', kind: 'text' },
};

export function searchCreditNotes(db: Db, query: CreditNoteQuery): Promise<Page<CreditNote>> {
  const { sort = 'id', limit } = query;
  const found = filterNotes(db, query).select('credit_notes.id');
  const sorted = onePage(found, SORT_COLUMNS[sort], query).$castTo<{ id: number }>();
  return readPage(
    sorted,
    limit,
    async (ids) => inOrderOf(ids, await creditNotesWith(db, ids)),
    (note) => (sort === 'suppliername' ? fold(note.suppliername) : note[sort]),
  );
}

/** Counts notes, and adds up what of them is not applied. */
export const sumCreditNotes = (db: Db, filter: CreditNoteFilter): Promise<CountAndSum> =>
  filterNotes(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<Cents>`coalesce(sum("totalCents" - "appliedCents"), 0)`.as('sumCents'))
    .executeTakeFirstOrThrow();

type Notes = SelectQueryBuilder<Schema, 'credit_notes' | 'suppliers', object>;

const filterNotes = (db: Db, { supplierId, estado }: CreditNoteFilter): Notes =>
  db
    .selectFrom('credit_notes')
    .innerJoin('suppliers', 'suppliers.id', 'credit_notes.supplierId')
    .$if(Boolean(supplierId), (query) => query.where('credit_notes.supplierId', '=', supplierId!))
    .$if(estado !== undefined, (query) =>
      query.whereRef('appliedCents', estado === 'aplicada' ? '=' : '<', 'totalCents'),
    ) as Notes;

const withColumns = (query: Notes) =>
  query.selectAll('credit_notes').select(['suppliers.suppliername', 'suppliers.rfc']);

const missing = (id: number) => new DomainError('not-found', `No existe la nota de crédito ${id}.`);

/**
 * Applies a part of a supplier's saldo a favor to one of its open invoices: a payment of kind `credito`, dated as
 * the note.
 * @throws DomainError of the rule that has something against it
 */
export async function applyCredit(
  db: Db,
  actor: Actor,
  { invoiceId, ...part }: { creditNoteId: number; invoiceId: number; amountCents: Cents },
): Promise<Payment> {
  return oneWritten(await writePayments(db, actor, [{ facturaproveedorId: invoiceId, ...part }])).row;
}

interface CreditNoteValues
  extends Pick<CreditNote, 'supplierId' | 'numero' | 'uuid' | 'fecha' | 'totalCents'>,
    Pick<CreditNote, 'subtotalCents' | 'ivaCents' | 'otrosimpuestosCents' | 'retencionesCents'> {
  moneda: string;
  tipocambio?: string | null;
  /** JSON */
  detail: string;
  sha256?: string | null;
  comments?: string;
}

/** A credit note as it is stored. Whatever stores one asks this. */
export function creditNoteColumns(note: CreditNoteValues) {
  const { supplierId, numero, uuid, fecha, moneda, detail } = note;
  const { tipocambio = null, sha256 = null, comments = '' } = note;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = note;
  return {
    ...{ supplierId, numero, numeroKey: numberKey(numero), uuid, fecha },
    ...{ subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents },
    ...{ moneda, tipocambio, detail, sha256, comments },
  };
}

export const creditNoteRow = (
  note: CreditNoteValues,
  { at, userId, importId }: Stamp,
): Insertable<Schema['credit_notes']> => ({
  ...creditNoteColumns(note),
  ...{ importId, userId, createdAt: at, updatedAt: at },
});

/** @throws DomainError not-found, conflict (in_use where something of it is applied, closed_period) */
export async function deleteCreditNote(
  db: Db,
  actor: Actor,
  id: number,
): Promise<Pick<CreditNote, 'numero'>> {
  return inTransaction(db, async (trx) => {
    const before = await trx
      .selectFrom('credit_notes')
      .selectAll()
      .where('id', '=', id)
      .modifyEnd(forUpdate(trx))
      .executeTakeFirst();
    if (!before) throw missing(id);
    await requireOpen(trx, actor, [before.fecha]);
    if (before.appliedCents > 0) {
      const message = `No se puede eliminar la nota de crédito ${before.numero}: hay ${formatMoney(before.appliedCents)} aplicados a facturas.`;
      throw new DomainError('conflict', message, { code: 'in_use' });
    }
    await trx.deleteFrom('credit_notes').where('id', '=', id).execute();
    if (before.sha256 !== null) await forgetFiles(trx, [before.sha256]);
    audit(trx, actor, { action: 'delete', entity: 'credit-notes', entityId: id, before });
    return before;
  });
}
