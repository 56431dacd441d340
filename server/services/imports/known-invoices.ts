import { sql } from 'kysely';
import { listed } from '../../../db/bulk.ts';
import { forUpdate } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents, Rate } from '../../../shared/money.ts';

export interface KnownInvoice {
  /** below zero: of this import, not stored yet */
  id: number;
  /** the line of this file that it comes from */
  line?: number;
  supplierId: number;
  jobId: number;
  rubroId: number | null;
  numfactura: string;
  /** letters and digits alone */
  numfacturaKey: string;
  fechaemision: PlainDate | null;
  fecharecepcion: PlainDate | null;
  fechavencimiento: PlainDate | null;
  subtotalCents: Cents;
  tasa: Rate | null;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  paidCents: Cents;
  comments: string;
  uuid: string | null;
  /** of the CFDI that it was unlinked from */
  formerUuid: string | null;
  metodopago: string | null;
}

/** What tells one invoice from others. */
export interface InvoiceKeys {
  uuid: string | null;
  /** zero or below: not on file, and so has none */
  supplierId: number | undefined;
  numfacturaKey: string;
  totalCents?: Cents | null;
}

/** The invoices that rows of a file may be, on file and of the file itself, by everything they are known by. */
export class KnownInvoices {
  readonly #all = new Map<number, KnownInvoice>();
  readonly #byUuid = new Map<string, KnownInvoice>();
  readonly #byFormerUuid = new Map<string, KnownInvoice>();
  readonly #byNumber = new Map<string, KnownInvoice[]>();
  /** made when first asked for: hardly any file needs them all */
  #byKey: Map<string, KnownInvoice[]> | undefined;
  #byTotal: Map<string, KnownInvoice[]> | undefined;

  add(invoice: KnownInvoice): void {
    if (this.#all.has(invoice.id)) return;
    this.#all.set(invoice.id, invoice);
    if (invoice.uuid) this.#byUuid.set(invoice.uuid, invoice);
    if (invoice.formerUuid) this.#byFormerUuid.set(invoice.formerUuid, invoice);
    const key = invoice.numfacturaKey;
    if (key) append(this.#byNumber, `${invoice.supplierId}:${key}`, invoice);
    if (key && this.#byKey) append(this.#byKey, key, invoice);
    if (this.#byTotal) append(this.#byTotal, totalKey(invoice), invoice);
  }

  get ids(): Iterable<number> {
    return this.#all.keys();
  }

  get supplierIds(): number[] {
    return [...new Set([...this.#all.values()].map(({ supplierId }) => supplierId))];
  }

  withUuid = (uuid: string): KnownInvoice | undefined => this.#byUuid.get(uuid);

  /** The invoice that this document was once linked to. */
  unlinkedFrom = (uuid: string): KnownInvoice | undefined => this.#byFormerUuid.get(uuid);

  numbered = (supplierId: number, key: string): readonly KnownInvoice[] =>
    this.#byNumber.get(`${supplierId}:${key}`) ?? NONE;

  /** Whoever the supplier is. */
  withNumber(key: string): readonly KnownInvoice[] {
    this.#byKey ??= this.#grouped((one) => one.numfacturaKey);
    return this.#byKey.get(key) ?? NONE;
  }

  withTotal(supplierId: number, totalCents: Cents): readonly KnownInvoice[] {
    this.#byTotal ??= this.#grouped(totalKey);
    return this.#byTotal.get(`${supplierId}:${totalCents}`) ?? NONE;
  }

  #grouped(key: (invoice: KnownInvoice) => string): Map<string, KnownInvoice[]> {
    const groups = new Map<string, KnownInvoice[]>();
    for (const invoice of this.#all.values()) append(groups, key(invoice), invoice);
    return groups;
  }
}

const totalKey = ({ supplierId, totalCents }: KnownInvoice): string => `${supplierId}:${totalCents}`;

const NONE: readonly KnownInvoice[] = [];

/** Keys of one statement. */
const KEYS_AT_ONCE = 5000;

/**
 * Reads the invoices on file that these may be or look like, each by its index: what this takes depends on the
 * rows of the file, hardly on how much is on file.
 * @param hold their paid sums stay as they are until the transaction ends
 */
export async function readInvoices(
  db: Db,
  known: KnownInvoices,
  keys: readonly InvoiceKeys[],
  { hold = false, pause = async () => {} }: { hold?: boolean; pause?: () => Promise<void> } = {},
): Promise<void> {
  const { rows } = await sql`select 1 from invoices limit 1`.execute(db);
  if (rows.length === 0) return;
  const wanted = wantedOf(keys);
  const lock = hold && db.isTransaction ? forUpdate(db as Trx, 'i') : sql``;
  const read = async (table: ReturnType<typeof listed>, on: ReturnType<typeof sql>) => {
    const found = await sql<KnownInvoice>`
      select ${COLUMNS} from ${table} as w cross join invoices as i where ${on} ${lock}`.execute(db);
    for (const invoice of found.rows) known.add(invoice);
    await pause();
  };
  for (const uuids of batches(wanted.uuids)) {
    const table = listed(
      db,
      { u: 'text' },
      uuids.map((uuid) => [uuid]),
    );
    await read(table, sql`i.uuid = w.u`);
    await read(table, sql`i."formerUuid" = w.u`);
  }
  for (const pairs of batches(wanted.numbers))
    await read(
      listed(db, { s: 'bigint', k: 'text' }, pairs),
      sql`i."supplierId" = w.s and i."numfacturaKey" = w.k`,
    );
  for (const pairs of batches(wanted.totals))
    await read(
      listed(db, { s: 'bigint', t: 'bigint' }, pairs),
      sql`i."totalCents" = w.t and i."supplierId" = w.s`,
    );
  for (const loose of batches(wanted.loose))
    await read(
      listed(
        db,
        { k: 'text' },
        loose.map((key) => [key]),
      ),
      sql`i."numfacturaKey" = w.k`,
    );
}

const NAMES = [
  'id',
  'supplierId',
  'jobId',
  'rubroId',
  'numfactura',
  'numfacturaKey',
  'fechaemision',
  'fecharecepcion',
  'fechavencimiento',
  'subtotalCents',
  'tasa',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
  'paidCents',
  'comments',
  'uuid',
  'formerUuid',
  'metodopago',
] as const satisfies ReadonlyArray<keyof KnownInvoice>;

const COLUMNS = sql.join(NAMES.map((name) => sql.ref(`i.${name}`)));

/** Each key once. */
function wantedOf(keys: readonly InvoiceKeys[]) {
  const uuids = new Set<string>();
  const numbers = new Map<string, [number, string]>();
  const totals = new Map<string, [number, number]>();
  const loose = new Set<string>();
  for (const { uuid, supplierId, numfacturaKey: key, totalCents } of keys) {
    if (uuid) uuids.add(uuid);
    if (supplierId === undefined) {
      if (key) loose.add(key);
      continue;
    }
    if (supplierId <= 0) continue;
    if (key) numbers.set(`${supplierId}:${key}`, [supplierId, key]);
    if (totalCents !== null && totalCents !== undefined)
      totals.set(`${supplierId}:${totalCents}`, [supplierId, totalCents]);
  }
  return {
    uuids: [...uuids],
    numbers: [...numbers.values()],
    totals: [...totals.values()],
    loose: [...loose],
  };
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += KEYS_AT_ONCE) yield all.slice(at, at + KEYS_AT_ONCE);
}

function append<Key, T>(map: Map<Key, T[]>, key: Key, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
