import type { Cents } from '../../../shared/money.ts';
import { checkKey, type KnownPayment, keyOf, type SoughtPayment } from './known-payments.ts';

/**
 * The payments of a file that are to be stored, in its order: found again by what a payment is known by
 * (known-payments.ts has the same of those on file), and summed up by their invoices.
 */
export class AcceptedPayments {
  readonly #all: KnownPayment[] = [];
  readonly #byKey = new Map<string, KnownPayment[]>();
  readonly #byCheck = new Map<string, KnownPayment[]>();
  readonly #paid = new Map<number, Cents>();
  #ofNotes = 0;

  get length(): number {
    return this.#all.length;
  }

  /** Whether any is a part of a credit note. */
  get areOfNotes(): boolean {
    return this.#ofNotes > 0;
  }

  add(payment: KnownPayment): void {
    const { facturaproveedorId, creditNoteId, checknum, origenderecursoId, amountCents } = payment;
    this.#all.push(payment);
    addTo(this.#byKey, keyOf(facturaproveedorId, payment), payment);
    if (checknum && origenderecursoId !== null) this.#addCheck(payment);
    this.#paid.set(facturaproveedorId, this.paidOf(facturaproveedorId) + amountCents);
    if (creditNoteId !== null) this.#ofNotes += 1;
  }

  slice = (from: number, to: number): KnownPayment[] => this.#all.slice(from, to);

  /** What these add to the paid sum of an invoice. */
  paidOf = (invoiceId: number): Cents => this.#paid.get(invoiceId) ?? 0;

  /** Of those with a date the first one; a row without any may be each of them. */
  find(invoiceId: number, sought: SoughtPayment): readonly KnownPayment[] {
    const found = this.#byKey.get(keyOf(invoiceId, sought)) ?? [];
    if (!sought.paymentdate) return found;
    return found.filter(({ paymentdate }) => paymentdate === sought.paymentdate).slice(0, 1);
  }

  /** A payment to another supplier with the same check of the same source. */
  sameCheck = (payment: KnownPayment): KnownPayment | undefined =>
    this.#byCheck.get(checkKey(payment))?.find(({ supplierId }) => supplierId !== payment.supplierId);

  pays = (invoiceId: number): boolean => this.#paid.has(invoiceId);

  /** Those of two suppliers are enough: one of them is another than whoever asks. */
  #addCheck(payment: KnownPayment): void {
    const others = this.#byCheck.get(checkKey(payment)) ?? [];
    if (others.length < 2 && others.every(({ supplierId }) => supplierId !== payment.supplierId))
      addTo(this.#byCheck, checkKey(payment), payment);
  }
}

function addTo(map: Map<string, KnownPayment[]>, key: string, payment: KnownPayment): void {
  const there = map.get(key);
  if (there) there.push(payment);
  else map.set(key, [payment]);
}
