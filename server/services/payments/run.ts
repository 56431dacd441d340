import type { Db, Trx } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import type { Actor } from '../audit/audit.ts';
import type { ClosingDate } from '../closing/closing.ts';
import type { Committed } from '../payment-batches/committed.ts';
import { type HeldFund, holdPayingFunds } from '../petty-cash/cash.ts';
import type { StoredDraft } from '../writing.ts';
import { type Asked, complete, type PaymentToWrite } from './asked.ts';
import { AlikePayments, type AppliedNote, type PaidInvoice, type PaymentFacts } from './facts.ts';
import { take } from './rules.ts';
import { store, validatePayment, type WrittenPayment } from './write.ts';

/** What is known of a run's payments; it grows as its import goes on. */
interface RunFacts extends PaymentFacts {
  invoices: Map<number, PaidInvoice>;
  notes: Map<number, AppliedNote>;
  committed: Map<number, readonly Committed[]>;
  batches: Map<number, number>;
  sources: Set<number>;
  boxes: Map<number, HeldFund>;
}

/**
 * Payments that are asked for one after another by an import which has read their invoices and notes and holds them:
 * the rules of payments judge each beside those before it, and all are stored in the end. What the import has read is
 * shared with it: what is paid of an invoice, and applied of a note, grows with what is accepted.
 */
export class PaymentRun {
  readonly #facts: RunFacts;
  readonly #accepted: StoredDraft<Asked, Payment>[] = [];

  private constructor(facts: RunFacts) {
    this.#facts = facts;
  }

  /** @param sourceId the source of all of them; below zero: any; null: they move no money */
  static open(
    actor: Actor,
    { closing, sourceId }: { closing: ClosingDate; sourceId: number | null },
  ): PaymentRun {
    return new PaymentRun({
      // An import cannot say why a rule should let something pass.
      actor: { ...actor, motivo: undefined },
      options: { cheques: 'none' },
      closing,
      invoices: new Map(),
      sources: new Set(sourceId === null ? [] : [sourceId]),
      notes: new Map(),
      committed: new Map(),
      boxes: new Map(),
      alike: new AlikePayments(),
      cheques: new Map(),
      batches: new Map(),
      present: new Set(),
    });
  }

  /** The box that the source pays out of: after the invoices, as everywhere, so that no two wait for each other. */
  async holdBox(db: Db): Promise<void> {
    const { boxes, sources } = this.#facts;
    const ids = [...sources].filter((id) => id > 0 && !boxes.has(id));
    if (ids.length === 0) return;
    for (const [id, box] of await holdPayingFunds(db as Trx, ids)) boxes.set(id, box);
  }

  /** @param note of which the payment is a part */
  know(invoice: PaidInvoice, note?: AppliedNote): void {
    this.#facts.invoices.set(invoice.id, invoice);
    if (note) this.#facts.notes.set(note.id, note);
  }

  /** Payments on file that may be changed, with the batches that have made them, and what others are to pay. */
  knowPayments(
    payments: readonly Payment[],
    made: ReadonlyMap<number, number>,
    committed: readonly Committed[],
  ): void {
    for (const { origenderecursoId: id } of payments) if (id !== null) this.#facts.sources.add(id);
    for (const [paymentId, batchId] of made) this.#facts.batches.set(paymentId, batchId);
    for (const [id, ofInvoice] of Map.groupBy(committed, ({ invoiceId }) => invoiceId))
      this.#facts.committed.set(id, ofInvoice);
  }

  pendingOf(invoiceId: number): Cents {
    const { totalCents, paidCents } = this.#facts.invoices.get(invoiceId)!;
    return totalCents - paidCents;
  }

  /** @param former the payment that is changed, as it is stored */
  ask(draft: PaymentToWrite, former?: Payment): WrittenPayment {
    const written = validatePayment(complete(draft, former, this.#facts.actor), this.#facts);
    if (written.outcome === 'stored') this.#accepted.push(written);
    return written;
  }

  /** For payments of these invoices that are taken together or not at all: what it is asked for counts in it alone. */
  trial(invoices: Iterable<PaidInvoice>): PaymentRun {
    return new PaymentRun({
      ...this.#facts,
      invoices: new Map([...invoices].map((invoice) => [invoice.id, { ...invoice }])),
      boxes: new Map([...this.#facts.boxes].map(([id, box]) => [id, { ...box }])),
      alike: new AlikePayments(this.#facts.alike),
    });
  }

  /** What was asked of a trial counts. */
  accept(written: WrittenPayment): void {
    if (written.outcome !== 'stored') return;
    take(written.asked, this.#facts);
    this.#accepted.push(written);
  }

  /** @returns the ids of those that are new */
  async store(trx: Trx, importId: () => Promise<number>): Promise<number[]> {
    if (this.#accepted.length === 0) return [];
    const added = this.#accepted.filter(({ asked }) => !asked.former);
    // Payments that are changed alone are nothing that the import has brought.
    const bring = added.length > 0 ? importId : undefined;
    await store(trx, this.#accepted, this.#facts, { bring, ofReceipt: true });
    return added.map(({ id }) => id);
  }
}
