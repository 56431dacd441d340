import { sql } from 'kysely';
import { encodeRows, valuesTable } from '../../../db/bulk.ts';
import { compileOncePerKey, compileQueryOnce } from '../../../db/compile-once.ts';
import { encodeIdList, isInIdList, isOneOf, lockRows } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  computeSettledPesoCents,
  convertPaymentToForeign,
  NO_FOREIGN_PAYMENTS,
  toBaseCents,
} from '../../../shared/foreign-amounts.ts';
import { type Cents, formatMoney, parseMoney } from '../../../shared/money.ts';
import { bankAmountOf, type Payment, paymentTexts, toPaidAmounts } from '../../../shared/payments.ts';
import { throwIfRefused } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { requireNotBankMatched } from '../bank-matches.ts';
import { requireOpenPeriod } from '../closing/closing.ts';
import { linkPaymentToSentLine } from '../payment-batches/stages.ts';
import { idsOf, mapById } from '../stored-rows.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  type ImportIdAndProgress,
  type StoredDraft,
  storeRows,
  type UnreadableInput,
  type Validator,
  validateDraft,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import type { PaymentDraft, PaymentInput } from './draft.ts';
import { type InvoiceToPay, type PaymentFacts, type PaymentOptions, readDraftsAndFacts } from './facts.ts';
import { computeForeignBalance } from './foreign-currency.ts';
import { readPayments } from './reading.ts';
import { relinkPaymentToReceipts } from './receipt-matching.ts';
import { type PaymentValues, toPaymentColumns } from './rows.ts';
import { addAcceptedDraftToFacts, computePendingBeforePayment, findAllWarnings, rules } from './rules.ts';
import {
  absorbRounding,
  computeAppliedCredit,
  computeSettlement,
  type SettledAmounts,
} from './settlement.ts';

export type PaymentOutcome = WriteOutcome<PaymentDraft, Payment>;

interface WritePaymentsOptions extends PaymentOptions, BulkOptions<PaymentDraft> {
  /** the payments come from a receipt: the caller links them to its lines */
  isForReceipt?: boolean;
}

export const writePayments = (
  db: Db,
  actor: Actor,
  inputs: readonly (PaymentInput | UnreadableInput)[],
  options: WritePaymentsOptions = {},
): Promise<PaymentOutcome[]> =>
  writeDrafts(
    db,
    inputs,
    {
      ...PAYMENT_VALIDATOR,
      read: (trx, read) => readDraftsAndFacts(trx, actor, read, options),
      async store(trx, stored, facts, bulk) {
        await storePayments(trx, stored, facts, { ...bulk, ...options });
        for (const { id, draft } of stored)
          if (draft.lineAtBank) await linkPaymentToSentLine(trx, actor, draft.lineAtBank, id);
      },
    },
    options,
  );

const PAYMENT_VALIDATOR: Validator<PaymentDraft, PaymentFacts, Payment> = {
  complete: completeAmounts,
  rules,
  warn: findAllWarnings,
  accept: addAcceptedDraftToFacts,
  previous: ({ previous }) => previous,
  idOf: ({ id }) => id,
};

/** If no rule refuses the draft, the facts then count it as paid for the drafts that follow. */
export const validatePayment = (draft: PaymentDraft, facts: PaymentFacts): PaymentOutcome =>
  validateDraft(draft, facts, PAYMENT_VALIDATOR);

/** Computes the amounts from what is stated. An applied credit also gets the date of its note. */
function completeAmounts(draft: PaymentDraft, { invoices, notes, options }: PaymentFacts): void {
  const { amountCents, importebancoCents, paid } = draft;
  const invoice = invoices.get(draft.facturaproveedorId ?? 0);
  const note = notes.get(draft.creditNoteId ?? 0);
  if (!invoice) return;
  if (!note && !options.hasComputedAmounts) settleForeignAmount(draft, invoice, options);
  if (draft.settledCents !== undefined || draft.amountCents <= 0) return;
  if (note) draft.paymentdate = note.fecha;
  let settlement: SettledAmounts = { amountCents, importebancoCents };
  if (note && draft.computesNoteShare) settlement = computeAppliedCredit(note, invoice, amountCents);
  else if (paid)
    settlement = absorbRounding(
      computeSettlement(paid, invoice),
      computePendingBeforePayment(draft, invoice),
      invoice,
    );
  Object.assign(draft, toPaidAmounts(settlement.amountCents, settlement.importebancoCents));
}

/**
 * An amount in the invoice's currency settles pesos at the invoice's rate. A payment that is restored, or settles the
 * same as before, keeps its amounts. Payments of a batch are given in pesos, and get the amount in the invoice's
 * currency where that is exact to the cent.
 */
function settleForeignAmount(draft: PaymentDraft, invoice: InvoiceToPay, options: PaymentOptions): void {
  const { previous, deleted, paid } = draft;
  const { moneda, tipocambio, paid: parts = NO_FOREIGN_PAYMENTS } = invoice;
  if (moneda === null || deleted) return;
  if (paid?.moneda === moneda && paid.pagado !== null) {
    draft.importemonedaCents = parseMoney(paid.pagado, 'paymentamount');
    Object.assign(draft, { statesAmount: false, importebancoCents: paid.amountCents || null });
  }
  if (options.isForBatch && draft.importemonedaCents === null) {
    const part = convertPaymentToForeign(
      draft.amountCents,
      computeForeignBalance(invoice, parts),
      tipocambio!,
    );
    draft.importemonedaCents = part.isExact ? part.cents : null;
    return;
  }
  const { importemonedaCents: foreignCents } = draft;
  if (foreignCents === null || foreignCents <= 0) return;
  const ofInvoice = previous?.facturaproveedorId === invoice.id ? previous : undefined;
  const isSame =
    ofInvoice?.importemonedaCents === foreignCents &&
    (!draft.statesAmount || draft.amountCents === ofInvoice.amountCents);
  if (isSame) return;
  const payable = computeForeignBalance(invoice, parts, ofInvoice);
  draft.settledCents = computeSettledPesoCents(foreignCents, payable, tipocambio!) ?? null;
  const amountCents = draft.statesAmount
    ? draft.amountCents
    : (draft.settledCents ?? toBaseCents(foreignCents, tipocambio!));
  // A payment that is moved to another invoice, with another rate, keeps what left the bank.
  const isMoved = previous && !ofInvoice && !draft.statesForeign && !draft.statesBank;
  const bankCents = isMoved ? bankAmountOf(previous) : draft.importebancoCents;
  Object.assign(draft, toPaidAmounts(amountCents, bankCents));
}

/** Changes the paid sums too. They stay within the total, which a CHECK in the database enforces as well. */
export async function storePayments(
  trx: Trx,
  storedDrafts: readonly StoredDraft<PaymentDraft, Payment>[],
  { actor, options: { pause } }: PaymentFacts,
  {
    isForReceipt = false,
    ...bulk
  }: ImportIdAndProgress<PaymentDraft> & Pick<WritePaymentsOptions, 'isForReceipt'>,
): Promise<void> {
  const sumChanges = new PaidSumChanges();
  for (const { draft } of storedDrafts) {
    if (draft.previous) sumChanges.add(draft.previous, -1);
    sumChanges.add(draft as SummedPayment, 1);
  }
  await sumChanges.apply(trx, pause);
  const { userId } = actor;
  await storeRows(trx, actor, 'payments', storedDrafts, {
    ...bulk,
    rowOf: (draft) => ({ ...toPaymentColumns(draft as PaymentValues), userId }),
  });
  if (!isForReceipt) await linkReceipts(trx, storedDrafts);
  // The import's own audit entry covers the payments that it adds.
  const audited = bulk.importId === null ? storedDrafts : storedDrafts.filter(({ draft }) => draft.previous);
  if (audited.length === 0) return;
  const rows = await readPayments(trx, idsOf(audited));
  auditStoredDrafts(trx, actor, 'payments', audited, rows);
}

/** Links payments to receipts that came before them, and unlinks payments from receipts that do not fit. */
async function linkReceipts(
  trx: Trx,
  storedDrafts: readonly StoredDraft<PaymentDraft, Payment>[],
): Promise<void> {
  const invoiceIds = storedDrafts.map(({ draft }) => draft.facturaproveedorId!);
  const rows = await findAwaitedPayments(trx, encodeIdList(trx, invoiceIds));
  const awaited = new Set(rows.map(({ invoiceId }) => invoiceId));
  const candidates = storedDrafts.filter(
    ({ draft }) => draft.previous || awaited.has(draft.facturaproveedorId!),
  );
  if (candidates.length === 0) return;
  const candidateIds = candidates.map(({ id }) => id);
  const payments = mapById(await readPayments(trx, candidateIds));
  for (const storedDraft of candidates) {
    const { onReceipt } = await relinkPaymentToReceipts(trx, payments.get(storedDraft.id)!);
    if (!onReceipt) continue;
    const message = paymentTexts.receiptSays(
      formatMoney(onReceipt.amountCents),
      formatMoney(bankAmountOf(onReceipt)),
    );
    storedDraft.warnings = [...storedDraft.warnings, { message }];
  }
}

const findAwaitedPayments = compileQueryOnce(
  (db, ids: string) => sql<{ invoiceId: number }>`select distinct "invoiceId" from payment_receipt_lines
    where ${isInIdList(db, 'invoiceId', ids)} and "paymentId" is null`,
);

/**
 * @param version for a single payment, the version that was seen
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
    const sumChanges = new PaidSumChanges();
    for (const payment of before) sumChanges.add(payment, -1);
    await sumChanges.apply(trx);
    // Checked only now that the invoices are locked, because a bank statement locks them before it confirms payments.
    await requireNotBankMatched(trx, 'paymentId', ids);
    await trx
      .deleteFrom('payments')
      .where(isOneOf(trx, 'id', ids))
      .execute();
    for (const payment of before)
      queueAuditEntry(trx, actor, {
        action: 'delete',
        entity: 'payments',
        entityId: payment.id,
        before: payment,
      });
  });
}

type SummedPayment = Pick<
  Payment,
  'facturaproveedorId' | 'creditNoteId' | 'amountCents' | 'importebancoCents'
>;

class PaidSumChanges {
  readonly #paid = new Map<number, Cents>();
  readonly #applied = new Map<number, Cents>();

  add(payment: SummedPayment, sign: 1 | -1): void {
    const { facturaproveedorId, creditNoteId, amountCents } = payment;
    addCents(this.#paid, facturaproveedorId, sign * amountCents);
    if (creditNoteId !== null) addCents(this.#applied, creditNoteId, sign * bankAmountOf(payment));
  }

  /**
   * Changes each row once, however many payments it has, and only if the new sum is between 0 and the total: one query
   * checks and changes it. Invoices come before notes, each by id, as everywhere, so that no two transactions wait for
   * each other.
   */
  async apply(trx: Trx, pause = async () => {}): Promise<void> {
    const beyond = { invoices: paymentTexts.beyondTotal, credit_notes: paymentTexts.beyondCredit };
    for (const [table, centsById] of [
      ['invoices', this.#paid],
      ['credit_notes', this.#applied],
    ] as const) {
      const rows = [...centsById]
        .filter(([, cents]) => cents !== 0)
        .sort(([a], [b]) => a - b)
        .map(([id, cents]) => ({ id, cents }));
      for (let from = 0; from < rows.length; from += SUMS_PER_QUERY) {
        const chunk = rows.slice(from, from + SUMS_PER_QUERY);
        const changed = await addToSums(table, trx, encodeRows(trx, Object.keys(CENTS_BY_ID_COLUMNS), chunk));
        if (changed.length < chunk.length)
          throwIfRefused({
            message: beyond[table],
            code: table === 'invoices' ? 'overpayment' : 'over_credit',
            fields: { paymentamount: beyond[table] },
          });
        await pause();
      }
    }
  }
}

const SUMS_PER_QUERY = 5000;

const CENTS_BY_ID_COLUMNS = { id: 'bigint', cents: 'bigint' } as const;

const addToSums = compileOncePerKey((table: 'invoices' | 'credit_notes', db, changes: string) => {
  const column = sql.ref(table === 'invoices' ? 'paidCents' : 'appliedCents');
  return sql`update ${sql.table(table)} set ${column} = ${column} + w.cents
    from ${valuesTable(db, CENTS_BY_ID_COLUMNS, changes)} as w
    where ${sql.table(table)}.id = w.id and ${column} + w.cents between 0 and "totalCents"
    returning ${sql.table(table)}.id`;
});

const addCents = (centsById: Map<number, Cents>, id: number, cents: Cents) =>
  centsById.set(id, (centsById.get(id) ?? 0) + cents);
