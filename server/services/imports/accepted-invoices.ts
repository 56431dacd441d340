import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { type InvoiceIdentity, LOOKALIKE_DAYS, MOST_LOOKALIKES } from '../invoices/book.ts';
import type { KnownInvoice } from './known-invoices.ts';

type Sought = Pick<InvoiceIdentity, 'supplierId' | 'jobId' | 'numfacturaKey' | 'fechaemision' | 'totalCents'>;

/**
 * The invoices of a file that are to be stored, in its order: found again by everything that an invoice is known by
 * (book.ts has the same of those on file).
 */
export class AcceptedInvoices {
  readonly #all: KnownInvoice[] = [];
  readonly #byUuid = new Map<string, KnownInvoice>();
  readonly #byIdentity = new Map<string, KnownInvoice[]>();
  readonly #withoutUuid = new Map<string, KnownInvoice[]>();
  readonly #byTotal = new Map<string, Map<PlainDate, Placed[]>>();
  readonly #suppliers = new Set<number>();

  get length(): number {
    return this.#all.length;
  }

  get supplierIds(): ReadonlySet<number> {
    return this.#suppliers;
  }

  add(invoice: KnownInvoice): void {
    const { uuid, supplierId, fechaemision } = invoice;
    if (uuid) this.#byUuid.set(uuid, invoice);
    else addTo(this.#withoutUuid, identityOf(invoice), invoice);
    addTo(this.#byIdentity, identityOf(invoice), invoice);
    const total = totalOf(invoice);
    const days = this.#byTotal.get(total) ?? new Map<PlainDate, Placed[]>();
    this.#byTotal.set(total, days);
    if (fechaemision) addTo(days, fechaemision, { invoice, place: this.#all.length });
    this.#suppliers.add(supplierId);
    this.#all.push(invoice);
  }

  slice = (from: number, to: number): KnownInvoice[] => this.#all.slice(from, to);

  withUuid = (uuid: string): KnownInvoice | undefined => this.#byUuid.get(uuid);

  /** Those that this one is, as far as supplier and number tell; without a number, all the rest. */
  same = (sought: Sought): readonly KnownInvoice[] => this.#byIdentity.get(identityOf(sought)) ?? [];

  /** Those of them that have no UUID. */
  sameWithoutUuid = (sought: Sought): readonly KnownInvoice[] =>
    this.#withoutUuid.get(identityOf(sought)) ?? [];

  /** The first that look like it, but for `except`; of a day the first few are enough, however many it has. */
  lookalikes(sought: Sought, except?: KnownInvoice): KnownInvoice[] {
    const { fechaemision } = sought;
    const days = this.#byTotal.get(totalOf(sought));
    if (!fechaemision || !days) return [];
    // A total has a few days as a rule: each is compared, as making the days around this one takes longer.
    const [from, to] = [addDays(fechaemision, -LOOKALIKE_DAYS), addDays(fechaemision, LOOKALIKE_DAYS)];
    const found: Placed[] = [];
    for (const [day, placed] of days)
      if (day >= from && day <= to) found.push(...placed.slice(0, MOST_LOOKALIKES + 1));
    return found
      .sort((one, other) => one.place - other.place)
      .map(({ invoice }) => invoice)
      .filter(({ id }) => id !== except?.id)
      .slice(0, MOST_LOOKALIKES);
  }

  /** Whether one may be what somebody else has just captured, or look like it. */
  isTouched = ({ supplierId, totalCents, numfacturaKey, uuids }: Touching): boolean =>
    uuids.some((uuid) => this.#byUuid.has(uuid)) ||
    (numfacturaKey !== '' && this.#byIdentity.has(numberOf(supplierId, numfacturaKey))) ||
    this.#byTotal.has(totalOf({ supplierId, totalCents }));
}

interface Placed {
  invoice: KnownInvoice;
  place: number;
}

interface Touching {
  supplierId: number;
  totalCents: number;
  numfacturaKey: string;
  uuids: readonly string[];
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const there = map.get(key);
  if (there) there.push(value);
  else map.set(key, [value]);
}

const identityOf = ({ supplierId, jobId, numfacturaKey, fechaemision, totalCents }: Sought): string =>
  numfacturaKey
    ? numberOf(supplierId, numfacturaKey)
    : `${supplierId}:${jobId}:${fechaemision ?? ''}:${totalCents}`;

const numberOf = (supplierId: number, numfacturaKey: string): string => `${supplierId}:${numfacturaKey}`;

type Total = Pick<Sought, 'supplierId' | 'totalCents'>;

const totalOf = ({ supplierId, totalCents }: Total): string => `${supplierId}=${totalCents}`;
