import { daysBetween, type PlainDate } from '../../../shared/dates.ts';
import { PackedList } from '../../formats/packed-list.ts';
import { type InvoiceIdentity, LOOKALIKE_DAYS, MOST_LOOKALIKES, nearTo } from '../invoices/book.ts';
import { STORED } from '../invoices/rows.ts';
import { digestOf, KeyChains } from './key-chains.ts';
import type { KnownInvoice } from './known-invoices.ts';

/** What is kept of an invoice; one of this import has nothing else. */
const KEPT = ['id', 'line', ...STORED, 'numfacturaKey'] as const satisfies ReadonlyArray<keyof KnownInvoice>;

type Sought = Pick<InvoiceIdentity, 'supplierId' | 'jobId' | 'numfacturaKey' | 'fechaemision' | 'totalCents'>;

/**
 * The invoices of a file that are to be stored, in its order, packed: found again by everything that an invoice is
 * known by (book.ts has the same of those on file).
 */
export class AcceptedInvoices {
  readonly #packed = new PackedList<unknown[]>();
  readonly #byUuid = new KeyChains();
  readonly #byIdentity = new KeyChains();
  readonly #byTotal = new KeyChains();
  readonly #suppliers = new Set<number>();
  #periods: { first: number; last: number } | undefined;

  get length(): number {
    return this.#packed.length;
  }

  get supplierIds(): ReadonlySet<number> {
    return this.#suppliers;
  }

  add(invoice: KnownInvoice): void {
    const place = this.#packed.length;
    const { uuid, supplierId, totalCents, fechaemision } = invoice;
    this.#packed.push(KEPT.map((name) => invoice[name] ?? null));
    if (uuid) this.#byUuid.add(digestOf(uuid), place);
    this.#byIdentity.add(identityOf(invoice), place);
    const period = periodOf(fechaemision);
    this.#byTotal.add(totalOf(supplierId, totalCents, period), place);
    this.#suppliers.add(supplierId);
    if (period === null) return;
    this.#periods ??= { first: period, last: period };
    this.#periods.first = Math.min(this.#periods.first, period);
    this.#periods.last = Math.max(this.#periods.last, period);
  }

  slice = (from: number, to: number): KnownInvoice[] => this.#packed.slice(from, to).map(unpack);

  withUuid(uuid: string): KnownInvoice | undefined {
    for (const one of this.#at(this.#byUuid.placesOf(digestOf(uuid)))) if (one.uuid === uuid) return one;
    return undefined;
  }

  /** Those that this one is, as far as supplier and number tell; without a number, all the rest. */
  *same(sought: Sought): Generator<KnownInvoice> {
    for (const one of this.#at(this.#byIdentity.placesOf(identityOf(sought))))
      if (textOf(one) === textOf(sought)) yield one;
  }

  /** The first that look like it, but for `except`. */
  lookalikes({ supplierId, totalCents, fechaemision }: Sought, except?: KnownInvoice): KnownInvoice[] {
    if (!fechaemision) return [];
    const isNear = nearTo(fechaemision);
    const day = dayNumber(fechaemision);
    const [first, last] = [periodAt(day - LOOKALIKE_DAYS), periodAt(day + LOOKALIKE_DAYS)];
    const places: number[] = [];
    for (let period = first; period <= last; period++)
      places.push(...this.#byTotal.placesOf(totalOf(supplierId, totalCents, period)));
    const found: KnownInvoice[] = [];
    for (const one of this.#at(places.sort((a, b) => a - b))) {
      if (one.id === except?.id || !one.fechaemision || !isNear(one.fechaemision)) continue;
      if (one.supplierId !== supplierId || one.totalCents !== totalCents) continue;
      found.push(one);
      if (found.length === MOST_LOOKALIKES) break;
    }
    return found;
  }

  /** Whether one from this place on may be what somebody else has just captured, or look like it. */
  isTouched({ supplierId, totalCents, numfacturaKey, uuids }: Touching, from: number): boolean {
    const isAhead = (chains: KeyChains, key: number) => chains.lastPlace(key) >= from;
    if (uuids.some((uuid) => isAhead(this.#byUuid, digestOf(uuid)))) return true;
    if (numfacturaKey && isAhead(this.#byIdentity, numberOf(supplierId, numfacturaKey))) return true;
    if (isAhead(this.#byTotal, totalOf(supplierId, totalCents, null))) return true;
    const { first, last } = this.#periods ?? { first: 0, last: -1 };
    for (let period = first; period <= last; period++)
      if (isAhead(this.#byTotal, totalOf(supplierId, totalCents, period))) return true;
    return false;
  }

  *#at(places: Iterable<number>): Generator<KnownInvoice> {
    for (const place of places) yield unpack(this.#packed.at(place));
  }
}

interface Touching {
  supplierId: number;
  totalCents: number;
  numfacturaKey: string;
  uuids: readonly string[];
}

function unpack(values: readonly unknown[]): KnownInvoice {
  const invoice: Record<string, unknown> = { formerUuid: null, paidCents: 0 };
  for (const [index, name] of KEPT.entries()) invoice[name] = values[index];
  return invoice as unknown as KnownInvoice; // as `add` took it apart
}

const textOf = ({ supplierId, jobId, numfacturaKey, fechaemision, totalCents }: Sought): string =>
  numfacturaKey
    ? `${supplierId}:${numfacturaKey}`
    : `${supplierId}:${jobId}:${fechaemision ?? ''}:${totalCents}`;

const identityOf = (sought: Sought): number => digestOf(textOf(sought));
const numberOf = (supplierId: number, numfacturaKey: string) => digestOf(`${supplierId}:${numfacturaKey}`);

/** So that nobody goes through all of one supplier's of one total to find those of about the same day. */
const PERIOD_DAYS = LOOKALIKE_DAYS + 1;

const dayNumber = (day: PlainDate): number => daysBetween('2000-01-01', day);
const periodAt = (day: number): number => Math.floor(day / PERIOD_DAYS);
const periodOf = (day: PlainDate | null): number | null => (day === null ? null : periodAt(dayNumber(day)));

const totalOf = (supplierId: number, totalCents: number, period: number | null): number =>
  digestOf(`${supplierId}=${totalCents}@${period ?? ''}`);
