import type { Db, Trx } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import { bankAmountOf, type Payment } from '../../../shared/payments.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Actor } from '../audit/audit.ts';
import { bankMatchedRefusal, type PaymentLinks } from '../bank-matches.ts';
import { closedPeriodRefusal, type LastClosedDay } from '../closing/closing.ts';
import { lockPayingFunds } from '../petty-cash/fund-cash.ts';
import type { StoredDraft } from '../write-drafts.ts';
import type { CommittedLine } from './committed-amounts.ts';
import { completeDraft, type PaymentDraft, type PaymentInput } from './draft.ts';
import { type ApplicableCreditNote, type InvoiceToPay, type PaymentFacts, PaymentIndex } from './facts.ts';
import { addAcceptedDraftToFacts, computeCentsTakenFromFund } from './rules.ts';
import { deletePayments, type PaymentOutcome, storePayments, validatePayment } from './write.ts';

/**
 * The payments of an import: each is checked by the rules of payments as it comes, and all are stored at the end.
 * Invoices and credit notes are objects shared with the import: their paid and applied sums grow with the payments.
 */
export class StagedPayments {
  readonly #facts: PaymentFacts;
  readonly #accepted: StoredDraft<PaymentDraft, Payment>[] = [];
  readonly #removed: number[] = [];

  private constructor(facts: PaymentFacts) {
    this.#facts = facts;
  }

  /** @param sourceId the funding source of all the payments; below zero: any source; null: they move no money */
  static create(
    actor: Actor,
    { closing, sourceId }: { closing: LastClosedDay; sourceId: number | null },
  ): StagedPayments {
    return new StagedPayments({
      // An import cannot give the reason that overriding a rule needs.
      actor: { ...actor, motivo: undefined },
      options: { chequeNumbers: 'none', hasComputedAmounts: true },
      closing,
      invoices: new Map(),
      sources: new Set(sourceId === null ? [] : [sourceId]),
      notes: new Map(),
      committed: new Map(),
      funds: new Map(),
      paymentIndex: new PaymentIndex(),
      cheques: new Map(),
      ties: new Map(),
      existingIds: new Set(),
    });
  }

  /** Funds are locked after invoices, as everywhere, so that no two transactions wait for each other. */
  async lockFunds(db: Db): Promise<void> {
    const { funds, sources } = this.#facts;
    const ids = [...sources].filter((id) => id > 0 && !funds.has(id));
    if (ids.length === 0) return;
    for (const [id, fund] of await lockPayingFunds(db as Trx, ids)) funds.set(id, fund);
  }

  addInvoice(invoice: InvoiceToPay, note?: ApplicableCreditNote): void {
    this.#facts.invoices.set(invoice.id, invoice);
    if (note) this.#facts.notes.set(note.id, note);
  }

  addPaymentFacts(
    payments: readonly Payment[],
    ties: ReadonlyMap<number, PaymentLinks>,
    committedLines: readonly CommittedLine[],
  ): void {
    for (const { origenderecursoId: id } of payments) if (id !== null) this.#facts.sources.add(id);
    for (const [paymentId, tie] of ties) this.#facts.ties.set(paymentId, tie);
    for (const [id, ofInvoice] of Map.groupBy(committedLines, ({ invoiceId }) => invoiceId))
      this.#facts.committed.set(id, ofInvoice);
  }

  pendingOf(invoiceId: number): Cents {
    const { totalCents, paidCents } = this.#facts.invoices.get(invoiceId)!;
    return totalCents - paidCents;
  }

  stage(input: PaymentInput, previous?: Payment): PaymentOutcome {
    const outcome = validatePayment(completeDraft(input, previous, this.#facts.actor), this.#facts);
    if (outcome.outcome === 'stored') this.#accepted.push(outcome);
    return outcome;
  }

  stageDeletion(payment: Payment): BrokenRule | undefined {
    const { actor, closing, invoices, notes, funds, ties } = this.#facts;
    const movement = ties.get(payment.id)?.movement;
    const closed = closedPeriodRefusal(actor, payment.paymentdate, closing);
    if (closed ?? movement) return closed ?? bankMatchedRefusal(movement!);
    invoices.get(payment.facturaproveedorId)!.paidCents -= payment.amountCents;
    const note = notes.get(payment.creditNoteId ?? 0);
    if (note) note.appliedCents -= bankAmountOf(payment);
    for (const fund of funds.values()) fund.cashCents += computeCentsTakenFromFund(payment, fund);
    const changed = this.#accepted.findIndex((one) => one.draft.previous && one.id === payment.id);
    if (changed >= 0) this.#accepted.splice(changed, 1);
    this.#removed.push(payment.id);
    return undefined;
  }

  /** Payments that are tried on the copy count here only once `acceptOutcome` takes them over. */
  copyForTrial(invoices: Iterable<InvoiceToPay>): StagedPayments {
    return new StagedPayments({
      ...this.#facts,
      invoices: new Map([...invoices].map((invoice) => [invoice.id, { ...invoice }])),
      notes: new Map([...this.#facts.notes].map(([id, note]) => [id, { ...note }])),
      funds: new Map([...this.#facts.funds].map(([id, fund]) => [id, { ...fund }])),
      paymentIndex: new PaymentIndex(this.#facts.paymentIndex),
    });
  }

  acceptOutcome(outcome: PaymentOutcome): void {
    if (outcome.outcome !== 'stored') return;
    const { draft } = outcome;
    addAcceptedDraftToFacts(draft, this.#facts);
    this.#accepted.push(outcome);
    const { previous } = draft;
    if (!previous) return;
    // If a payment changes twice, one change is stored: from its first state to its last.
    const earlier = this.#accepted.findIndex(
      (one) => one !== outcome && one.draft.previous && one.id === previous.id,
    );
    draft.previous = earlier < 0 ? { ...previous } : this.#accepted[earlier]!.draft.previous;
    if (earlier >= 0) this.#accepted.splice(earlier, 1);
    const { facturaproveedorId, paymentdate, amountCents, importebancoCents, importemonedaCents } = draft;
    const changed = {
      paymentdate,
      amountCents,
      importebancoCents,
      importemonedaCents,
      comments: draft.comments,
    };
    Object.assign(previous, { ...changed, facturaproveedorId: facturaproveedorId! });
  }

  async store(trx: Trx, importId: () => Promise<number>): Promise<number[]> {
    if (this.#removed.length > 0) await deletePayments(trx, this.#facts.actor, this.#removed);
    if (this.#accepted.length === 0) return [];
    const added = this.#accepted.filter(({ draft }) => !draft.previous);
    const bulk = { importId: added.length > 0 ? await importId() : null, isForReceipt: true };
    await storePayments(trx, this.#accepted, this.#facts, bulk);
    return added.map(({ id }) => id);
  }
}
