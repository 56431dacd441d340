import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { PackedList } from '../../formats/packed-list.ts';
import { type InvoiceIdentity, LOOKALIKE_DAYS, MOST_LOOKALIKES } from '../invoices/book.ts';
import { STORED } from '../invoices/rows.ts';
import { digestOf, KeyChains, NumberColumn } from './key-chains.ts';
import type { KnownInvoice } from './known-invoices.ts';

/** What is kept of an invoice; one of this import has nothing else. */
const KEPT = ['id', 'line', ...STORED, 'numfacturaKey'] as const satisfies ReadonlyArray<keyof KnownInvoice>;

type Sought = Pick<InvoiceIdentity, 'supplierId' | 'jobId' | 'numfacturaKey' | 'fechaemision' | 'totalCents'>;

type Lookalike = Pick<KnownInvoice, 'id' | 'numfactura' | 'fechaemision'>;

/**
 * The invoices of a file that are to be stored, in its order, packed: found again by everything that an invoice is
 * known by (book.ts has the same of those on file).
 */
export class AcceptedInvoices {
  readonly #packed = new PackedList<unknown[]>();
  readonly #byUuid = new KeyChains();
  readonly #byIdentity = new KeyChains();
  /** those without UUID */
  readonly #withoutUuid = new KeyChains();
  readonly #byTotal = new KeyChains();
  readonly #byDay = new KeyChains();
  readonly #ids = new NumberColumn();
  readonly #numbers: string[] = [];
  readonly #suppliers = new Set<number>();

  get length(): number {
    return this.#packed.length;
  }

  get supplierIds(): ReadonlySet<number> {
    return this.#suppliers;
  }

  add(invoice: KnownInvoice): void {
    const place = this.#packed.length;
    const { id, uuid, supplierId, numfactura, fechaemision } = invoice;
    this.#packed.push(KEPT.map((name) => invoice[name] ?? null));
    if (uuid) this.#byUuid.add(digestOf(uuid), place);
    else this.#withoutUuid.add(identityOf(invoice), place);
    this.#byIdentity.add(identityOf(invoice), place);
    this.#byTotal.add(totalOf(invoice), place);
    if (fechaemision) this.#byDay.add(dayOf(invoice, fechaemision), place);
    this.#ids.push(id);
    this.#numbers.push(numfactura);
    this.#suppliers.add(supplierId);
  }

  slice = (from: number, to: number): KnownInvoice[] => this.#packed.slice(from, to).map(unpack);

  withUuid(uuid: string): KnownInvoice | undefined {
    for (const one of this.#at(this.#byUuid.placesOf(digestOf(uuid)))) if (one.uuid === uuid) return one;
    return undefined;
  }

  /** Those that this one is, as far as supplier and number tell; without a number, all the rest. */
  same = (sought: Sought): Generator<KnownInvoice> => this.#same(this.#byIdentity, sought);

  /** The same of those without UUID. */
  sameWithoutUuid = (sought: Sought): Generator<KnownInvoice> => this.#same(this.#withoutUuid, sought);

  *#same(chains: KeyChains, sought: Sought): Generator<KnownInvoice> {
    for (const one of this.#at(chains.placesOf(identityOf(sought))))
      if (textOf(one) === textOf(sought)) yield one;
  }

  /**
   * What is said of the first that look like it, but for `except`. Of a day the first few are enough, however many it has,
   * and none is unpacked: of many rows each may have others far before it.
   */
  lookalikes(sought: Sought, except?: KnownInvoice): Lookalike[] {
    const { fechaemision } = sought;
    if (!fechaemision || this.#byTotal.lastPlace(totalOf(sought)) < 0) return [];
    const found: { place: number; fechaemision: PlainDate }[] = [];
    for (let away = -LOOKALIKE_DAYS; away <= LOOKALIKE_DAYS; away++) {
      const day = addDays(fechaemision, away);
      for (const place of this.#byDay.placesOf(dayOf(sought, day)).take(MOST_LOOKALIKES + 1))
        if (this.#ids.at(place) !== except?.id) found.push({ place, fechaemision: day });
    }
    found.sort((one, other) => one.place - other.place);
    return found.slice(0, MOST_LOOKALIKES).map(({ place, fechaemision: day }) => ({
      id: this.#ids.at(place),
      numfactura: this.#numbers[place]!,
      fechaemision: day,
    }));
  }

  /** Whether one from this place on may be what somebody else has just captured, or look like it. */
  isTouched({ supplierId, totalCents, numfacturaKey, uuids }: Touching, from: number): boolean {
    const isAhead = (chains: KeyChains, key: number) => chains.lastPlace(key) >= from;
    if (uuids.some((uuid) => isAhead(this.#byUuid, digestOf(uuid)))) return true;
    if (numfacturaKey && isAhead(this.#byIdentity, numberOf(supplierId, numfacturaKey))) return true;
    return isAhead(this.#byTotal, totalOf({ supplierId, totalCents }));
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

type Total = Pick<Sought, 'supplierId' | 'totalCents'>;

const totalOf = ({ supplierId, totalCents }: Total): number => digestOf(`${supplierId}=${totalCents}`);
const dayOf = ({ supplierId, totalCents }: Total, day: PlainDate): number =>
  digestOf(`${supplierId}=${totalCents}@${day}`);
