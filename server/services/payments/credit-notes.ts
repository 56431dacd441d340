import { type Insertable, sql } from 'kysely';
import { forUpdate } from '../../../db/expressions.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { CountAndSum, UnappliedCredit } from '../../../shared/balances.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { numberKey } from '../../../shared/text.ts';
import { type Actor, audit, type Stamp } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { forgetFiles } from '../files.ts';
import { oneWritten } from '../writing.ts';
import { writePayments } from './write.ts';

export interface CreditNote {
  id: number;
  supplierId: number;
  numero: string;
  uuid: string | null;
  fecha: PlainDate;
  totalCents: Cents;
  appliedCents: Cents;
}

interface SupplierCredit {
  /** what is not applied of all of them: the saldo a favor */
  leftCents: Cents;
  notes: CreditNote[];
}

const COLUMNS = ['id', 'supplierId', 'numero', 'uuid', 'fecha', 'totalCents', 'appliedCents'] as const;

export const leftOf = ({
  totalCents,
  appliedCents,
}: Pick<CreditNote, 'totalCents' | 'appliedCents'>): Cents => totalCents - appliedCents;

export async function readSupplierCredit(db: Db, supplierId: number): Promise<SupplierCredit> {
  const notes = await db
    .selectFrom('credit_notes')
    .select(COLUMNS)
    .where('supplierId', '=', supplierId)
    .orderBy('fecha', 'desc')
    .orderBy('id', 'desc')
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
  const note = await db.selectFrom('credit_notes').select(COLUMNS).where('id', '=', id).executeTakeFirst();
  if (!note) throw missing(id);
  return note;
}

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

interface CreditNoteValues extends Omit<CreditNote, 'id' | 'appliedCents'> {
  subtotalCents: Cents;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  moneda: string;
  tipocambio?: string | null;
  /** JSON */
  detail: string;
  sha256?: string | null;
  comments?: string;
}

export function creditNoteRow(
  note: CreditNoteValues,
  { at, userId, importId }: Stamp,
): Insertable<Schema['credit_notes']> {
  const { supplierId, numero, uuid, fecha, moneda, detail } = note;
  const { subtotalCents, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = note;
  return {
    supplierId,
    numero,
    numeroKey: numberKey(numero),
    uuid,
    fecha,
    subtotalCents,
    ivaCents,
    otrosimpuestosCents,
    retencionesCents,
    totalCents,
    moneda,
    tipocambio: note.tipocambio ?? null,
    detail,
    sha256: note.sha256 ?? null,
    comments: note.comments ?? '',
    importId,
    userId,
    createdAt: at,
    updatedAt: at,
  };
}

/** @throws DomainError not-found, conflict (in_use where something of it is applied, closed_period) */
export async function deleteCreditNote(db: Db, actor: Actor, id: number): Promise<CreditNote> {
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
