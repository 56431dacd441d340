import { addDays, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { append } from '../stored-rows.ts';

/**
 * An invoice is identified by its UUID; without one by its supplier and number; without a number by its supplier, date,
 * total and obra. Two invoices of the same supplier and total with close dates are lookalikes.
 */
export interface InvoiceIdentity {
  /** Above zero where it is on file. */
  id: number | undefined;
  uuid: string | null;
  /** The UUID of the CFDI that it was unlinked from, or that its own CFDI replaced. */
  formerUuid: string | null;
  supplierId: number;
  jobId: number;
  numfactura: string;
  /** Letters and digits only; numbers are compared by it. */
  numfacturaKey: string;
  fechaemision: PlainDate | null;
  totalCents: Cents;
}

export interface InvoiceOnFile extends InvoiceIdentity {
  id: number;
}

type Sought = Pick<InvoiceIdentity, 'supplierId' | 'fechaemision' | 'totalCents'>;

/**
 * An index in memory of the invoices that documents or table rows may match: those read from the database
 * (book-reading.ts), and those added by the import since.
 */
export class InvoiceBook<Known extends InvoiceIdentity> {
  readonly #formersOf: (invoice: Known) => readonly string[];
  readonly #all: Known[] = [];
  readonly #ids = new Map<number, Known>();
  readonly #byUuid = new Map<string, Known>();
  readonly #byFormerUuid = new Map<string, Known>();
  readonly #byNumber = new Map<string, Known[]>();
  /** The following indexes are built on first use, since hardly any import needs all of them. */
  #byKey: Map<string, Known[]> | undefined;
  #byTotal: Map<string, Known[]> | undefined;
  /** Indexed by total and then by day, since a supplier may have thousands of invoices of one total. */
  #byDay: Map<string, Map<PlainDate, Placed<Known>[]>> | undefined;
  #unnumbered: Map<string, Known[]> | undefined;

  /** @param formerUuidsOf returns an invoice's former UUIDs besides its formerUuid */
  constructor(formersOf: (invoice: Known) => readonly string[] = () => []) {
    this.#formersOf = formersOf;
  }

  /** An invoice whose id is present already is not replaced. */
  add(invoice: Known): void {
    const { id } = invoice;
    if (id !== undefined) {
      if (this.#ids.has(id)) return;
      this.#ids.set(id, invoice);
    }
    this.#all.push(invoice);
    this.#addUuids(invoice);
    if (invoice.numfacturaKey) append(this.#byNumber, numberOf(invoice), invoice);
    if (this.#byKey) append(this.#byKey, invoice.numfacturaKey, invoice);
    if (this.#byTotal) append(this.#byTotal, totalOf(invoice), invoice);
    if (this.#byDay) this.#addDay(invoice, this.#all.length - 1);
    if (this.#unnumbered && !invoice.numfacturaKey) append(this.#unnumbered, unnumberedOf(invoice), invoice);
  }

  change(invoice: Known, change: Partial<Known>): void {
    this.#forget(invoice);
    Object.assign(invoice, change);
    this.#addUuids(invoice);
    if (invoice.numfacturaKey) append(this.#byNumber, numberOf(invoice), invoice);
  }

  remove(invoice: Known): void {
    this.#forget(invoice);
    this.#all.splice(this.#all.indexOf(invoice), 1);
    this.#ids.delete(invoice.id!);
    for (const [uuid, one] of this.#byFormerUuid) if (one === invoice) this.#byFormerUuid.delete(uuid);
  }

  #forget(invoice: Known): void {
    if (invoice.uuid) this.#byUuid.delete(invoice.uuid);
    const numbered = this.#byNumber.get(numberOf(invoice));
    numbered?.splice(numbered.indexOf(invoice), 1);
    this.#byKey = undefined;
    this.#byTotal = undefined;
    this.#byDay = undefined;
    this.#unnumbered = undefined;
  }

  #addUuids(invoice: Known): void {
    if (invoice.uuid) this.#byUuid.set(invoice.uuid, invoice);
    if (invoice.formerUuid) this.#byFormerUuid.set(invoice.formerUuid, invoice);
    for (const uuid of this.#formersOf(invoice)) this.#byFormerUuid.set(uuid, invoice);
  }

  [Symbol.iterator](): Iterator<Known> {
    return this.#all.values();
  }

  get supplierIds(): number[] {
    return [...new Set(this.#all.map(({ supplierId }) => supplierId))];
  }

  withId = (id: number): Known | undefined => this.#ids.get(id);

  withUuid = (uuid: string): Known | undefined => this.#byUuid.get(uuid);

  formerly = (uuid: string): Known | undefined => this.#byFormerUuid.get(uuid);

  named = (uuid: string): Known | undefined => this.withUuid(uuid) ?? this.formerly(uuid);

  numbered = (supplierId: number, numfacturaKey: string): readonly Known[] =>
    this.#byNumber.get(numberOf({ supplierId, numfacturaKey })) ?? NONE;

  withNumber(numfacturaKey: string): readonly Known[] {
    this.#byKey ??= Map.groupBy(this.#all, (one) => one.numfacturaKey);
    return this.#byKey.get(numfacturaKey) ?? NONE;
  }

  withTotal(supplierId: number, totalCents: Cents): readonly Known[] {
    this.#byTotal ??= Map.groupBy(this.#all, totalOf);
    return this.#byTotal.get(totalOf({ supplierId, totalCents })) ?? NONE;
  }

  /** Finds invoices by supplier and number, or without a number by supplier, date, total and obra. */
  same(sought: Sought & Pick<InvoiceIdentity, 'jobId' | 'numfacturaKey'>): readonly Known[] {
    const { supplierId, numfacturaKey } = sought;
    if (numfacturaKey) return this.numbered(supplierId, numfacturaKey);
    this.#unnumbered ??= Map.groupBy(
      this.#all.filter((one) => !one.numfacturaKey),
      unnumberedOf,
    );
    return this.#unnumbered.get(unnumberedOf(sought)) ?? NONE;
  }

  /** Finds the first few lookalikes, except the invoice itself and `except`. */
  lookalikes(sought: Sought & { id?: number }, except?: Known): readonly Known[] {
    const { id, fechaemision } = sought;
    const days = this.#days().get(totalOf(sought));
    if (!fechaemision || !days) return NONE;
    const isNear = this.#isNear.get(fechaemision) ?? nearTo(fechaemision);
    this.#isNear.set(fechaemision, isNear);
    const near = [...days].flatMap(([day, placed]) =>
      isNear(day) ? placed.slice(0, MOST_LOOKALIKES + 2) : [],
    );
    return near
      .sort((one, other) => one.place - other.place)
      .map(({ invoice }) => invoice)
      .filter((one) => one !== except && (id === undefined || one.id !== id))
      .slice(0, MOST_LOOKALIKES);
  }

  /** Cached by day, since many invoices share one. */
  readonly #isNear = new Map<PlainDate, (other: PlainDate) => boolean>();

  #days() {
    if (this.#byDay) return this.#byDay;
    this.#byDay = new Map();
    for (const [place, invoice] of this.#all.entries()) this.#addDay(invoice, place);
    return this.#byDay;
  }

  #addDay(invoice: Known, place: number): void {
    const { fechaemision } = invoice;
    if (!fechaemision) return;
    const total = totalOf(invoice);
    const days = this.#byDay!.get(total) ?? new Map<PlainDate, Placed<Known>[]>();
    this.#byDay!.set(total, days);
    append(days, fechaemision, { invoice, place });
  }
}

interface Placed<Known> {
  invoice: Known;
  place: number;
}

const MOST_LOOKALIKES = 3;

export function daysAbout(days: readonly PlainDate[]): { from: PlainDate; to: PlainDate } {
  const sorted = days.toSorted();
  return { from: addDays(sorted[0]!, -LOOKALIKE_DAYS), to: addDays(sorted.at(-1)!, LOOKALIKE_DAYS) };
}

export const LOOKALIKE_DAYS = 10;

/**
 * Returns a test for days within the range of lookalikes. It compares texts, not dates, since it runs for every invoice
 * of a total.
 */
export function nearTo(day: PlainDate): (other: PlainDate) => boolean {
  const { from, to } = daysAbout([day]);
  return (other) => other >= from && other <= to;
}

const numberOf = ({ supplierId, numfacturaKey }: Pick<InvoiceIdentity, 'supplierId' | 'numfacturaKey'>) =>
  `${supplierId}:${numfacturaKey}`;

const totalOf = ({ supplierId, totalCents }: Pick<InvoiceIdentity, 'supplierId' | 'totalCents'>) =>
  `${supplierId}:${totalCents}`;

const unnumberedOf = ({ jobId, fechaemision, ...one }: Sought & Pick<InvoiceIdentity, 'jobId'>) =>
  `${totalOf(one)}:${jobId}:${fechaemision ?? ''}`;

const NONE: readonly never[] = [];
