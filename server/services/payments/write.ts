import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import { isOneOf, lockRows } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { bankAmountOf, type Payment, paymentTexts, withBankAmount } from '../../../shared/payments.ts';
import { refuse } from '../../../shared/refusal.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireNotBankMatched } from '../bank-matched.ts';
import { requireOpenPeriod } from '../closing/closing.ts';
import { byId } from '../stored-rows.ts';
import {
  auditEach,
  type Bulk,
  type BulkOptions,
  type StoredDraft,
  storeRows,
  type UnreadDraft,
  type Validator,
  validate,
  type Written,
  write,
} from '../writing.ts';
import type { Draft, PaymentInput } from './draft.ts';
import { type PaymentFacts, type PaymentOptions, readFacts } from './facts.ts';
import { relinkReceiptLine } from './payment-receipts.ts';
import { readPayments } from './reading.ts';
import { type PaymentValues, paymentColumns } from './rows.ts';
import { allWarnings, pendingOf, recordAccepted, rules } from './rules.ts';
import { absorbRounding, computeNotePart, computeSettlement, type Settlement } from './settlement.ts';

export type WrittenPayment = Written<Draft, Payment>;

interface WritePaymentsOptions extends PaymentOptions, BulkOptions<Draft> {
  /** a receipt makes them: the caller knows which of its lines each belongs to */
  isForReceipt?: boolean;
}

export const writePayments = (
  db: Db,
  actor: Actor,
  inputs: readonly (PaymentInput | UnreadDraft)[],
  options: WritePaymentsOptions = {},
): Promise<WrittenPayment[]> =>
  write(
    db,
    inputs,
    {
      ...PAYMENT_RULES,
      read: (trx, read) => readFacts(trx, actor, read, options),
      store: (trx, stored, facts, bulk) => storePayments(trx, stored, facts, { ...bulk, ...options }),
    },
    options,
  );

const PAYMENT_RULES: Validator<Draft, PaymentFacts, Payment> = {
  complete: completeAmounts,
  rules,
  warn: allWarnings,
  accept: recordAccepted,
  previous: ({ previous }) => previous,
  idOf: ({ id }) => id,
};

/** Counts the payment in the facts where no rule refuses it. */
export const validatePayment = (draft: Draft, facts: PaymentFacts): WrittenPayment =>
  validate(draft, facts, PAYMENT_RULES);

/** A part of a credit note is dated as the note. */
function completeAmounts(draft: Draft, { invoices, notes }: PaymentFacts): void {
  const { amountCents, importebancoCents, paid } = draft;
  const invoice = invoices.get(draft.facturaproveedorId ?? 0);
  const note = notes.get(draft.creditNoteId ?? 0);
  if (!invoice || amountCents <= 0) return;
  if (note) draft.paymentdate = note.fecha;
  let settlement: Settlement = { amountCents, importebancoCents };
  if (note && draft.computesNoteShare) settlement = computeNotePart(note, invoice, amountCents);
  else if (paid)
    settlement = absorbRounding(computeSettlement(paid, invoice), pendingOf(draft, invoice), invoice);
  Object.assign(draft, withBankAmount(settlement.amountCents, settlement.importebancoCents));
}

/** The paid sums change with their payments, and only within the total; a CHECK in the database enforces it too. */
export async function storePayments(
  trx: Trx,
  stored: readonly StoredDraft<Draft, Payment>[],
  { actor, options: { pause } }: PaymentFacts,
  { isForReceipt = false, ...bulk }: Bulk<Draft> & Pick<WritePaymentsOptions, 'isForReceipt'>,
): Promise<void> {
  const changes = new AmountChanges();
  for (const { draft } of stored) {
    if (draft.previous) changes.add(draft.previous, -1);
    changes.add(draft as SummedPayment, 1);
  }
  await changes.apply(trx, pause);
  const { userId } = actor;
  await storeRows(trx, actor, 'payments', stored, {
    ...bulk,
    rowOf: (draft) => ({ ...paymentColumns(draft as PaymentValues), userId }),
  });
  if (!isForReceipt) await linkReceipts(trx, stored);
  // An import audits by itself what it adds.
  const audited = bulk.importId === null ? stored : stored.filter(({ draft }) => draft.previous);
  if (audited.length === 0) return;
  const rows = await readPayments(
    trx,
    audited.map(({ id }) => id),
  );
  auditEach(trx, actor, 'payments', audited, rows);
}

/** Links each to the supplier's receipt where that has come before, and unlinks it from one that no longer fits. */
async function linkReceipts(trx: Trx, stored: readonly StoredDraft<Draft, Payment>[]): Promise<void> {
  const invoiceIds = stored.map(({ draft }) => draft.facturaproveedorId!);
  const { rows } = await sql<{ invoiceId: number }>`select distinct "invoiceId" from payment_receipt_lines
    where ${isOneOf(trx, 'invoiceId', invoiceIds)} and "paymentId" is null`.execute(trx);
  const awaited = new Set(rows.map(({ invoiceId }) => invoiceId));
  const candidates = stored.filter(({ draft }) => draft.previous || awaited.has(draft.facturaproveedorId!));
  if (candidates.length === 0) return;
  const candidateIds = candidates.map(({ id }) => id);
  const payments = byId(await readPayments(trx, candidateIds));
  for (const written of candidates) {
    const { onReceipt } = await relinkReceiptLine(trx, payments.get(written.id)!);
    if (!onReceipt) continue;
    const message = paymentTexts.receiptSays(
      formatMoney(onReceipt.amountCents),
      formatMoney(bankAmountOf(onReceipt)),
    );
    written.warnings = [...written.warnings, { message }];
  }
}

/**
 * @param version the version that was seen of a single one
 * @throws DomainError not-found (a single one), stale, conflict (bank_matched, closed_period)
 */
export function deletePayments(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  version?: number,
): Promise<void> {
  return inTransaction(db, async (trx) => {
    await lockRows(trx, 'payments', ids);
    const before = await readPayments(trx, ids);
    for (const current of before)
      if (version !== undefined && version !== current.version)
        throw new DomainError('stale', paymentTexts.stale, { extra: { current } });
    await requireOpenPeriod(trx, actor, new Set(before.map(({ paymentdate }) => paymentdate)));
    const changes = new AmountChanges();
    for (const payment of before) changes.add(payment, -1);
    await changes.apply(trx);
    // A statement that confirms them locks their invoices, as the sums do from here on.
    await requireNotBankMatched(trx, 'paymentId', ids);
    await trx
      .deleteFrom('payments')
      .where(isOneOf(trx, 'id', ids))
      .execute();
    for (const payment of before)
      audit(trx, actor, { action: 'delete', entity: 'payments', entityId: payment.id, before: payment });
  });
}

type SummedPayment = Pick<
  Payment,
  'facturaproveedorId' | 'creditNoteId' | 'amountCents' | 'importebancoCents'
>;

class AmountChanges {
  readonly #paid = new Map<number, Cents>();
  readonly #applied = new Map<number, Cents>();

  add(payment: SummedPayment, sign: 1 | -1): void {
    const { facturaproveedorId, creditNoteId, amountCents } = payment;
    addTo(this.#paid, facturaproveedorId, sign * amountCents);
    if (creditNoteId !== null) addTo(this.#applied, creditNoteId, sign * bankAmountOf(payment));
  }

  /**
   * Each row is changed once, however many payments it has, and only where it stays between 0 and its total: check
   * and change are one statement. Invoices come before notes, each by id, as everywhere, so that no two transactions
   * wait for each other.
   */
  async apply(trx: Trx, pause = async () => {}): Promise<void> {
    const beyond = { invoices: paymentTexts.beyondTotal, credit_notes: paymentTexts.beyondCredit };
    for (const [table, column, changes] of [
      ['invoices', 'paidCents', this.#paid],
      ['credit_notes', 'appliedCents', this.#applied],
    ] as const) {
      const rows = [...changes]
        .filter(([, cents]) => cents !== 0)
        .sort(([a], [b]) => a - b)
        .map(([id, cents]) => ({ id, cents }));
      for (let from = 0; from < rows.length; from += SUMS_PER_STATEMENT) {
        const chunk = rows.slice(from, from + SUMS_PER_STATEMENT);
        const sum = sql`${sql.ref(column)} + w.cents`;
        const changed = await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sum}
          from ${valuesTable(trx, { id: 'bigint', cents: 'bigint' }, chunk)} as w
          where ${sql.table(table)}.id = w.id and ${sum} between 0 and "totalCents"
          returning ${sql.table(table)}.id`.execute(trx);
        if (changed.rows.length < chunk.length)
          refuse({
            message: beyond[table],
            code: table === 'invoices' ? 'overpayment' : 'over_credit',
            fields: { paymentamount: beyond[table] },
          });
        await pause();
      }
    }
  }
}

const SUMS_PER_STATEMENT = 5000;

const addTo = (changes: Map<number, Cents>, id: number, cents: Cents) =>
  changes.set(id, (changes.get(id) ?? 0) + cents);
