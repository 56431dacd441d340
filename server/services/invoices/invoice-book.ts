import { addDays, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { appendToMapEntry } from '../stored-rows.ts';

/**
 * An invoice is identified by its UUID; without one by its supplier and number; without a number by its supplier, date,
 * total and obra. Two invoices of the same supplier and total with close dates are lookalikes.
 */
export interface InvoiceIdentity {
  /** Above zero if the invoice is stored. */
  id: number | undefined;
  uuid: string | null;
  /** The UUID of the CFDI that was unlinked from the invoice, or replaced by its present CFDI. */
  formerUuid: string | null;
  supplierId: number;
  jobId: number;
  numfactura: string;
  /** The letters and digits of the number, by which numbers are compared. */
  numfacturaKey: string;
  fechaemision: PlainDate | null;
  totalCents: Cents;
}

export interface StoredInvoiceIdentity extends InvoiceIdentity {
  id: number;
}

type LookalikeKey = Pick<InvoiceIdentity, 'supplierId' | 'fechaemision' | 'totalCents'>;

/** Holds the invoices read from the database (read-invoice-book.ts), and those added by the import since. */
export class InvoiceBook<Entry extends InvoiceIdentity> {
  readonly #formerUuidsOf: (invoice: Entry) => readonly string[];
  readonly #all: Entry[] = [];
  readonly #ids = new Map<number, Entry>();
  readonly #byUuid = new Map<string, Entry>();
  readonly #byFormerUuid = new Map<string, Entry>();
  readonly #byNumber = new Map<string, Entry[]>();
  /** The following indexes are built on first use, since hardly any import needs all of them. */
  #byKey: Map<string, Entry[]> | undefined;
  #byTotal: Map<string, Entry[]> | undefined;
  /** By supplier and total. If several invoices share both, also by day, because there may be thousands of them. */
  #byDay: Map<string, InvoiceAndPosition<Entry> | Map<PlainDate, InvoiceAndPosition<Entry>[]>> | undefined;
  #unnumbered: Map<string, Entry[]> | undefined;

  /** @param formerUuidsOf returns an invoice's former UUIDs besides its formerUuid */
  constructor(formerUuidsOf: (invoice: Entry) => readonly string[] = () => []) {
    this.#formerUuidsOf = formerUuidsOf;
  }

  add(invoice: Entry): void {
    const { id } = invoice;
    if (id !== undefined) {
      if (this.#ids.has(id)) return;
      this.#ids.set(id, invoice);
    }
    this.#all.push(invoice);
    this.#addUuids(invoice);
    if (invoice.numfacturaKey) appendToMapEntry(this.#byNumber, supplierNumberKey(invoice), invoice);
    if (this.#byKey) appendToMapEntry(this.#byKey, invoice.numfacturaKey, invoice);
    if (this.#byTotal) appendToMapEntry(this.#byTotal, supplierTotalKey(invoice), invoice);
    if (this.#byDay) this.#addToDayIndex(invoice, this.#all.length - 1);
    if (this.#unnumbered && !invoice.numfacturaKey)
      appendToMapEntry(this.#unnumbered, unnumberedInvoiceKey(invoice), invoice);
  }

  change(invoice: Entry, change: Partial<Entry>): void {
    this.#unindex(invoice);
    Object.assign(invoice, change);
    this.#addUuids(invoice);
    if (invoice.numfacturaKey) appendToMapEntry(this.#byNumber, supplierNumberKey(invoice), invoice);
  }

  remove(invoice: Entry): void {
    this.#unindex(invoice);
    this.#all.splice(this.#all.indexOf(invoice), 1);
    this.#ids.delete(invoice.id!);
    for (const [uuid, one] of this.#byFormerUuid) if (one === invoice) this.#byFormerUuid.delete(uuid);
  }

  #unindex(invoice: Entry): void {
    if (invoice.uuid) this.#byUuid.delete(invoice.uuid);
    const numbered = this.#byNumber.get(supplierNumberKey(invoice));
    numbered?.splice(numbered.indexOf(invoice), 1);
    this.#byKey = undefined;
    this.#byTotal = undefined;
    this.#byDay = undefined;
    this.#unnumbered = undefined;
  }

  #addUuids(invoice: Entry): void {
    if (invoice.uuid) this.#byUuid.set(invoice.uuid, invoice);
    if (invoice.formerUuid) this.#byFormerUuid.set(invoice.formerUuid, invoice);
    for (const uuid of this.#formerUuidsOf(invoice)) this.#byFormerUuid.set(uuid, invoice);
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#all.values();
  }

  get supplierIds(): number[] {
    return [...new Set(this.#all.map(({ supplierId }) => supplierId))];
  }

  withId = (id: number): Entry | undefined => this.#ids.get(id);

  withUuid = (uuid: string): Entry | undefined => this.#byUuid.get(uuid);

  withFormerUuid = (uuid: string): Entry | undefined => this.#byFormerUuid.get(uuid);

  withAnyUuid = (uuid: string): Entry | undefined => this.withUuid(uuid) ?? this.withFormerUuid(uuid);

  withSupplierAndNumber = (supplierId: number, numfacturaKey: string): readonly Entry[] =>
    this.#byNumber.get(supplierNumberKey({ supplierId, numfacturaKey })) ?? NO_ENTRIES;

  withNumberOfAnySupplier(numfacturaKey: string): readonly Entry[] {
    this.#byKey ??= Map.groupBy(this.#all, (one) => one.numfacturaKey);
    return this.#byKey.get(numfacturaKey) ?? NO_ENTRIES;
  }

  withTotal(supplierId: number, totalCents: Cents): readonly Entry[] {
    this.#byTotal ??= Map.groupBy(this.#all, supplierTotalKey);
    return this.#byTotal.get(supplierTotalKey({ supplierId, totalCents })) ?? NO_ENTRIES;
  }

  withSameIdentity(key: LookalikeKey & Pick<InvoiceIdentity, 'jobId' | 'numfacturaKey'>): readonly Entry[] {
    const { supplierId, numfacturaKey } = key;
    if (numfacturaKey) return this.withSupplierAndNumber(supplierId, numfacturaKey);
    this.#unnumbered ??= Map.groupBy(
      this.#all.filter((one) => !one.numfacturaKey),
      unnumberedInvoiceKey,
    );
    return this.#unnumbered.get(unnumberedInvoiceKey(key)) ?? NO_ENTRIES;
  }

  /** Finds the first few lookalikes, except the invoice itself and `alreadyWarned`, which another warning names. */
  findLookalikes(key: LookalikeKey & { id?: number }, alreadyWarned?: Entry): readonly Entry[] {
    const { id, fechaemision } = key;
    const days = this.#getDayIndex().get(supplierTotalKey(key));
    if (!fechaemision || !days) return NO_ENTRIES;
    const isNear = this.#isNear.get(fechaemision) ?? createLookalikeDayTest(fechaemision);
    this.#isNear.set(fechaemision, isNear);
    const near =
      days instanceof Map
        ? [...days].flatMap(([day, some]) => (isNear(day) ? some.slice(0, MAX_LOOKALIKES + 2) : []))
        : [days].filter(({ invoice }) => isNear(invoice.fechaemision!));
    return near
      .sort((one, other) => one.position - other.position)
      .map(({ invoice }) => invoice)
      .filter((one) => one !== alreadyWarned && (id === undefined || one.id !== id))
      .slice(0, MAX_LOOKALIKES);
  }

  readonly #isNear = new Map<PlainDate, (other: PlainDate) => boolean>();

  #getDayIndex() {
    if (this.#byDay) return this.#byDay;
    this.#byDay = new Map();
    for (const [position, invoice] of this.#all.entries()) this.#addToDayIndex(invoice, position);
    return this.#byDay;
  }

  #addToDayIndex(invoice: Entry, position: number): void {
    const { fechaemision } = invoice;
    if (!fechaemision) return;
    const total = supplierTotalKey(invoice);
    const known = this.#byDay!.get(total);
    const added = { invoice, position };
    const days = known instanceof Map ? known : known && new Map([[known.invoice.fechaemision!, [known]]]);
    this.#byDay!.set(total, days ?? added);
    if (days) appendToMapEntry(days, fechaemision, added);
  }
}

interface InvoiceAndPosition<Entry> {
  invoice: Entry;
  position: number;
}

const MAX_LOOKALIKES = 3;

export function lookalikePeriod(days: readonly PlainDate[]): { from: PlainDate; to: PlainDate } {
  const sorted = days.toSorted();
  return { from: addDays(sorted[0]!, -LOOKALIKE_DAYS), to: addDays(sorted.at(-1)!, LOOKALIKE_DAYS) };
}

export const LOOKALIKE_DAYS = 10;

/** The predicate compares texts, which is faster than date arithmetic: it runs for every invoice of a total. */
export function createLookalikeDayTest(day: PlainDate): (other: PlainDate) => boolean {
  const { from, to } = lookalikePeriod([day]);
  return (other) => other >= from && other <= to;
}

const supplierTotalKey = ({ supplierId, totalCents }: Pick<InvoiceIdentity, 'supplierId' | 'totalCents'>) =>
  `${supplierId}:${totalCents}`;

const unnumberedInvoiceKey = ({
  jobId,
  fechaemision,
  ...one
}: LookalikeKey & Pick<InvoiceIdentity, 'jobId'>) =>
  `${supplierTotalKey(one)}:${jobId}:${fechaemision ?? ''}`;

const NO_ENTRIES: readonly never[] = [];

export const supplierNumberKey = (one: Pick<InvoiceIdentity, 'supplierId' | 'numfacturaKey'>): string =>
  `${one.supplierId}:${one.numfacturaKey}`;
