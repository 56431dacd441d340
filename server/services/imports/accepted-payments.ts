import type { Cents } from '../../../shared/money.ts';
import { PackedList } from '../../formats/packed-list.ts';
import { digestOf, KeyChains, NumberColumn } from './key-chains.ts';
import { checkKey, type KnownPayment, keyOf, type SoughtPayment } from './known-payments.ts';

/**
 * The payments of a file that are to be stored, in its order, packed: found again by what a payment is known by
 * (known-payments.ts has the same of those on file), and summed up by their invoices.
 */
export class AcceptedPayments {
  readonly #packed = new PackedList<KnownPayment>();
  readonly #byKey = new KeyChains();
  readonly #byCheck = new KeyChains();
  readonly #byInvoice = new KeyChains();
  readonly #amounts = new NumberColumn();
  #ofNotes = 0;

  get length(): number {
    return this.#packed.length;
  }

  /** Whether any is a part of a credit note. */
  get areOfNotes(): boolean {
    return this.#ofNotes > 0;
  }

  add(payment: KnownPayment): void {
    const place = this.#packed.length;
    const { facturaproveedorId, creditNoteId, checknum, origenderecursoId } = payment;
    if (checknum && origenderecursoId !== null) this.#addCheck(payment, place);
    this.#packed.push(payment);
    this.#byKey.add(digestOf(keyOf(facturaproveedorId, payment)), place);
    this.#byInvoice.add(facturaproveedorId, place);
    this.#amounts.push(payment.amountCents);
    if (creditNoteId !== null) this.#ofNotes += 1;
  }

  slice = (from: number, to: number): KnownPayment[] => this.#packed.slice(from, to);

  /** What these add to the paid sum of an invoice. */
  paidOf(invoiceId: number): Cents {
    let sum = 0;
    for (const place of this.#byInvoice.placesOf(invoiceId)) sum += this.#amounts.at(place);
    return sum;
  }

  /** Of those with a date the first one; a row without any may be each of them. */
  find(invoiceId: number, sought: SoughtPayment): KnownPayment[] {
    const key = keyOf(invoiceId, sought);
    const found: KnownPayment[] = [];
    for (const place of this.#byKey.placesOf(digestOf(key))) {
      const one = this.#packed.at(place);
      if (keyOf(one.facturaproveedorId, one) !== key) continue;
      if (sought.paymentdate && one.paymentdate !== sought.paymentdate) continue;
      found.push(one);
      if (sought.paymentdate) break;
    }
    return found;
  }

  /** A payment to another supplier with the same check of the same source. */
  sameCheck(payment: KnownPayment): KnownPayment | undefined {
    const key = checkKey(payment);
    for (const place of this.#byCheck.placesOf(digestOf(key))) {
      const one = this.#packed.at(place);
      if (one.supplierId !== payment.supplierId && checkKey(one) === key) return one;
    }
    return undefined;
  }

  /** The last one of an invoice; -1 where there is none. */
  lastOf = (invoiceId: number): number => this.#byInvoice.lastPlace(invoiceId);

  /** Those of two suppliers are enough: one of them is another than whoever asks. */
  #addCheck(payment: KnownPayment, place: number): void {
    const key = digestOf(checkKey(payment));
    const others = [...this.#byCheck.placesOf(key)];
    if (others.length > 1) return;
    if (others.every((other) => this.#packed.at(other).supplierId !== payment.supplierId))
      this.#byCheck.add(key, place);
  }
}
