import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  checkInvoice,
  checkTotal,
  type Invoice,
  type InvoiceDraft,
  invoiceAmounts,
  invoiceTexts,
} from '../../../shared/invoices.ts';
import { parseRate } from '../../../shared/money.ts';
import type { PaymentKind } from '../../../shared/payments.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { numberKey } from '../../../shared/text.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { costOf, holdToBudget } from '../budgets/budget-book.ts';
import { dayOfInvoice, requireOpen } from '../closing/closing.ts';
import { requireInNoBatch } from '../payment-batches/committed.ts';
import { requireReferences } from '../references.ts';
import { readSettings } from '../settings/settings.ts';
import { isSame, lockRow, requireSeen } from '../stored-rows.ts';
import { holdCreditDays } from './due-day.ts';
import { getInvoice } from './reading.ts';
import { keepForRestoring } from './restoring.ts';
import { AMOUNTS, invoiceColumns, invoiceRow } from './rows.ts';
import { newAmounts, numberOrId, requireAgreement, requireFreeNumber, warnOfLookalikes } from './rules.ts';

/** A saved invoice, and what its author should know about it. */
export interface SavedInvoice {
  invoice: Invoice;
  warnings: string[];
  /** ids of the invoices that the first warnings are about, in their order */
  about: number[];
}

interface SaveOptions {
  /** the author has seen that the number is taken */
  allowDuplicate?: boolean;
  /** the version that the author has seen; without it the newest is overwritten */
  version?: number;
}

/**
 * @throws DomainError invalid (what is missing, amounts that disagree, budget_exceeded), conflict
 * (duplicate_invoice, closed_period)
 */
export async function createInvoice(
  db: Db,
  actor: Actor,
  draft: InvoiceDraft,
  { allowDuplicate = false }: SaveOptions = {},
): Promise<SavedInvoice> {
  const tasa = draft.tasa ?? parseRate((await readSettings(db)).tasa);
  refuse(checkInvoice(draft));
  const amounts = {
    subtotalCents: draft.subtotalCents!,
    tasa,
    otrosimpuestosCents: draft.otrosimpuestosCents ?? 0,
    retencionesCents: draft.retencionesCents ?? 0,
  };
  const computed = invoiceAmounts(amounts);
  refuse(checkTotal(computed.totalCents));
  requireAgreement(draft, computed);
  return inTransaction(db, async (trx) => {
    await requireOpen(trx, actor, [draft.fechaemision ?? actor.today]);
    const references = { supplierId: draft.supplierId!, jobId: draft.jobId!, rubroId: draft.rubroId ?? null };
    await requireReferences(trx, references);
    const numfactura = draft.numfactura ?? '';
    await requireFreeNumber(trx, { supplierId: references.supplierId, numfactura }, allowDuplicate);
    const values = { ...draft, ...references, numfactura, ...amounts, ...computed };
    const creditDays = await holdCreditDays(trx, references.supplierId);
    const overrun = await holdToBudget(trx, actor, costOf(values));
    const { id } = await trx
      .insertInto('invoices')
      .values(invoiceRow(values, creditDays, { ...actor, importId: null }))
      .returning('id')
      .executeTakeFirstOrThrow();
    const invoice = await getInvoice(trx, id);
    audit(trx, actor, { action: 'create', entity: 'invoices', entityId: id, after: invoice });
    const { warnings, about } = await warnOfLookalikes(trx, invoice);
    return { invoice, warnings: [...warnings, ...overrun], about };
  });
}

/**
 * Changes what the draft names and leaves the rest. Amounts equal to the stored ones are no change.
 * @throws DomainError not-found, stale (with the stored invoice), invalid (budget_exceeded too), conflict
 * (duplicate_invoice, cfdi_locked, closed_period)
 */
export async function updateInvoice(
  db: Db,
  actor: Actor,
  id: number,
  draft: InvoiceDraft,
  { allowDuplicate = false, version }: SaveOptions = {},
): Promise<SavedInvoice> {
  return inTransaction(db, async (trx) => {
    const before = await lockInvoice(trx, id, version);
    const after = { ...before, ...given(draft), ...newAmounts(before, draft) };
    await requireOpen(trx, actor, [dayOfInvoice(before), dayOfInvoice(after)]);
    const amountsChange = AMOUNTS.some((name) => after[name] !== before[name]);
    // Amounts that stay may be what no form would take: those of a CFDI.
    const { supplierId, jobId } = after;
    refuse(
      checkInvoice(
        amountsChange ? { ...after, tasa: after.tasa ?? undefined } : { supplierId, jobId, subtotalCents: 1 },
      ),
    );
    if (amountsChange) {
      if (before.uuid) throw new DomainError('conflict', invoiceTexts.cfdiLocked, { code: 'cfdi_locked' });
      refuse(checkTotal(after.totalCents));
      if (after.totalCents <= before.paidCents) {
        throw new DomainError('invalid', invoiceTexts.notBelowPaid, {
          fields: { subtotal: invoiceTexts.notBelowPaid },
        });
      }
    }
    const { rubroId } = after;
    await requireReferences(trx, { supplierId, jobId, rubroId });
    const renamed =
      numberKey(after.numfactura) !== numberKey(before.numfactura) || after.supplierId !== before.supplierId;
    if (supplierId !== before.supplierId) await requireNoCredit(trx, id);
    if (renamed) await requireFreeNumber(trx, after, allowDuplicate, id);
    const creditDays = await holdCreditDays(trx, supplierId);
    const columns = invoiceColumns(after, creditDays);
    if (isSame(columns, invoiceColumns(before, creditDays)))
      return { invoice: before, warnings: [], about: [] };
    const overrun = await holdToBudget(trx, actor, costOf(after), { former: costOf(before) });
    const change = { ...columns, updatedAt: actor.at, version: before.version + 1 };
    await trx.updateTable('invoices').set(change).where('id', '=', id).execute();
    const invoice = await getInvoice(trx, id);
    audit(trx, actor, { action: 'update', entity: 'invoices', entityId: id, before, after: invoice });
    const looksNew = renamed || amountsChange || after.fechaemision !== before.fechaemision;
    const { warnings, about } = looksNew ? await warnOfLookalikes(trx, invoice) : { warnings: [], about: [] };
    return { invoice, warnings: [...warnings, ...overrun], about };
  });
}

const HAS_CREDIT =
  'La factura tiene aplicado saldo a favor de su proveedor. Para cambiarlo, elimina antes esos pagos.';

/** A supplier's saldo a favor pays that supplier's invoices alone. @throws DomainError invalid */
async function requireNoCredit(trx: Trx, invoiceId: number): Promise<void> {
  const credit = await trx
    .selectFrom('payments')
    .select('id')
    .where('facturaproveedorId', '=', invoiceId)
    .where('creditNoteId', 'is not', null)
    .executeTakeFirst();
  if (credit) refuse(refusal(HAS_CREDIT, 'supplierId'));
}

/** Breaks the link to the CFDI; from then on the amounts are the firm's own. */
export async function unlinkCfdi(db: Db, actor: Actor, id: number, version?: number): Promise<Invoice> {
  return inTransaction(db, async (trx) => {
    const before = await lockInvoice(trx, id, version);
    await requireOpen(trx, actor, [dayOfInvoice(before)]);
    if (!before.uuid)
      throw new DomainError('conflict', 'La factura no está ligada a un CFDI.', { code: 'not_linked' });
    const document = await readDocument(trx, id);
    await trx.deleteFrom('cfdi_documents').where('invoiceId', '=', id).execute();
    await trx
      .updateTable('invoices')
      .set({ uuid: null, formerUuid: before.uuid, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    const after = await getInvoice(trx, id);
    audit(trx, actor, {
      action: 'update',
      entity: 'invoices',
      entityId: id,
      before: { ...before, document },
      after,
    });
    return after;
  });
}

/** @throws DomainError not-found, stale, conflict (in_use where payments were made against it or are planned, closed_period) */
export async function deleteInvoice(db: Db, actor: Actor, id: number, version?: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockInvoice(trx, id, version);
    await requireOpen(trx, actor, [dayOfInvoice(before)]);
    const countOf = (kind: PaymentKind) => sql<number>`count(case when kind = ${sql.lit(kind)} then 1 end)`;
    const { payments, credits } = await trx
      .selectFrom('payments')
      .select(countOf('pago').as('payments'))
      .select(countOf('credito').as('credits'))
      .where('facturaproveedorId', '=', id)
      .executeTakeFirstOrThrow();
    if (payments + credits > 0) {
      const has = [
        payments > 0 && (payments === 1 ? 'un pago' : `${payments} pagos`),
        credits > 0 &&
          (credits === 1 ? 'una nota de crédito aplicada' : `${credits} notas de crédito aplicadas`),
      ].filter(Boolean);
      const message = `No se puede eliminar la factura ${numberOrId(before.numfactura, id)}: tiene ${has.join(' y ')}.`;
      throw new DomainError('conflict', message, { code: 'in_use' });
    }
    await requireInNoBatch(trx, id, before.numfactura);
    const kept = await keepForRestoring(trx, actor, id);
    await trx.deleteFrom('invoices').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: 'invoices', entityId: id, before: { ...before, ...kept } });
  });
}

/** What the CFDI said, for the audit trail to keep when it goes. */
const readDocument = (trx: Trx, invoiceId: number) =>
  trx.selectFrom('cfdi_documents').selectAll().where('invoiceId', '=', invoiceId).executeTakeFirst();

/** The row, held until the transaction ends, so that its paid sum stays what was read. */
async function lockInvoice(trx: Trx, id: number, version: number | undefined): Promise<Invoice> {
  await lockRow(trx, 'invoices', id);
  const invoice = await getInvoice(trx, id);
  requireSeen(invoice, version, 'Otra persona guardó esta factura mientras la editabas.');
  return invoice;
}

/** The members of the draft that are there, amounts left out: those follow their own rules. */
function given(draft: InvoiceDraft) {
  const { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents, ...rest } = draft;
  return Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  ) as Partial<Invoice>;
}
