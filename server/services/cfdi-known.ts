import { sql } from 'kysely';
import { lockKey } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { addDays, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { isGenericRfc, normalizeRfc } from '../../shared/rfc.ts';
import { fold, numberKey } from '../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from './cfdi-candidates.ts';
import { LOOKALIKE_DAYS, numberLock } from './invoice-rules.ts';

export interface KnownInvoice {
  /** undefined: a dry run would store it */
  id: number | undefined;
  supplierId: number;
  jobId: number;
  numfactura: string;
  fechaemision: PlainDate | null;
  subtotalCents: Cents;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  uuid: string | null;
  /** of the CFDI that it was unlinked from */
  formerUuid: string | null;
  /** of its CFDI, where it has one */
  moneda: string | null;
  detail: CfdiDetail | null;
}

export interface KnownSupplier {
  id: number;
  suppliername: string;
  rfc: string | null;
  diascredito: number;
}

/** What candidates are judged by: what is on file, and what the import itself has added since. */
export class KnownOnFile {
  readonly #ids = new Set<number>();
  readonly #byUuid = new Map<string, KnownInvoice>();
  readonly #byFormerUuid = new Map<string, KnownInvoice>();
  readonly #byNumber = new Map<string, KnownInvoice[]>();
  readonly #byTotal = new Map<string, KnownInvoice[]>();
  readonly #byRfc = new Map<string, KnownSupplier>();
  readonly #byName = new Map<string, KnownSupplier[]>();

  addInvoice(invoice: KnownInvoice): void {
    if (invoice.id !== undefined) {
      if (this.#ids.has(invoice.id)) return;
      this.#ids.add(invoice.id);
    }
    if (invoice.uuid) this.#byUuid.set(invoice.uuid, invoice);
    if (invoice.formerUuid) this.#byFormerUuid.set(invoice.formerUuid, invoice);
    const key = numberKey(invoice.numfactura);
    if (key) append(this.#byNumber, `${invoice.supplierId}:${key}`, invoice);
    append(this.#byTotal, `${invoice.supplierId}:${invoice.totalCents}`, invoice);
  }

  addSupplier(supplier: KnownSupplier): void {
    if (supplier.rfc && !isGenericRfc(supplier.rfc)) {
      if (this.#byRfc.has(supplier.rfc)) return;
      this.#byRfc.set(supplier.rfc, supplier);
    }
    const name = fold(supplier.suppliername);
    if (!this.#byName.get(name)?.some(({ id }) => id === supplier.id)) append(this.#byName, name, supplier);
  }

  invoiceOf = (uuid: string): KnownInvoice | undefined => this.#byUuid.get(uuid);

  /** The invoice that this document was once linked to. */
  unlinkedFrom = (uuid: string): KnownInvoice | undefined => this.#byFormerUuid.get(uuid);

  numbered = (supplierId: number, numfactura: string): readonly KnownInvoice[] =>
    this.#byNumber.get(`${supplierId}:${numberKey(numfactura)}`) ?? [];

  withTotal = (supplierId: number, totalCents: Cents): readonly KnownInvoice[] =>
    this.#byTotal.get(`${supplierId}:${totalCents}`) ?? [];

  /** A generic RFC identifies nobody: there the name has to be the same too, and several may have it. */
  suppliersOf(candidate: CfdiCandidate): readonly KnownSupplier[] {
    const rfc = normalizeRfc(candidate.detail.emisor.rfc);
    if (isGenericRfc(rfc)) return this.namesakes(candidate).filter((one) => one.rfc === rfc);
    const found = this.#byRfc.get(rfc);
    return found ? [found] : [];
  }

  namesakes = ({ suppliername }: CfdiCandidate): readonly KnownSupplier[] =>
    this.#byName.get(fold(suppliername)) ?? [];
}

/**
 * Reads what is on file about these candidates. Inside a transaction nobody else may capture an invoice
 * with one of their numbers until it ends (PostgreSQL; SQLite lets only one write anyway).
 */
export async function readKnown(
  db: Db,
  known: KnownOnFile,
  candidates: readonly CfdiCandidate[],
): Promise<void> {
  if (candidates.length === 0) return;
  for (const supplier of await readSuppliers(db, candidates)) known.addSupplier(supplier);
  const numbers = new Map<string, { supplierId: number; key: string }>();
  const owners = new Set<number>();
  for (const candidate of candidates) {
    for (const { id: supplierId } of known.suppliersOf(candidate)) {
      if (supplierId <= 0) continue;
      owners.add(supplierId);
      const key = numberKey(candidate.draft.numfactura);
      if (key) numbers.set(`${supplierId}:${key}`, { supplierId, key });
    }
  }
  if (db.isTransaction) {
    const locks = new Set([...numbers.values()].map(({ supplierId, key }) => numberLock(supplierId, key)));
    // In one order, so that no two importers wait for each other.
    for (const lock of [...locks].sort()) await lockKey(db as Trx, lock);
  }
  const uuids = candidates.flatMap(({ draft, replaces }) => [draft.uuid ?? '', ...replaces]);
  for (const invoice of await readInvoices(db, uuids, [...numbers.values()])) known.addInvoice(invoice);
  for (const invoice of await readLookalikes(db, [...owners], candidates)) known.addInvoice(invoice);
}

function readSuppliers(db: Db, candidates: readonly CfdiCandidate[]): Promise<KnownSupplier[]> {
  const rfcs = new Set(candidates.map(({ detail }) => normalizeRfc(detail.emisor.rfc)));
  const names = new Set(candidates.map(({ suppliername }) => fold(suppliername)));
  return db
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'rfc', 'diascredito'])
    .where((eb) =>
      eb.or([
        eb('rfc', 'in', [...rfcs].filter((rfc) => !isGenericRfc(rfc)).concat('')),
        eb('suppliernameFold', 'in', [...names]),
      ]),
    )
    .orderBy('id')
    .execute();
}

const selectKnown = (db: Db) =>
  db
    .selectFrom('invoices')
    .leftJoin('cfdi_documents', 'cfdi_documents.invoiceId', 'invoices.id')
    .select([
      'id',
      'supplierId',
      'jobId',
      'numfactura',
      'fechaemision',
      'uuid',
      'formerUuid',
      'moneda',
      'detail',
    ])
    .select(['subtotalCents', 'ivaCents', 'otrosimpuestosCents', 'retencionesCents', 'totalCents'])
    .orderBy('id');

async function readInvoices(
  db: Db,
  uuids: string[],
  numbers: { supplierId: number; key: string }[],
): Promise<KnownInvoice[]> {
  const distinct = [...new Set(uuids)];
  const linked = await selectKnown(db).where('uuid', 'in', distinct).execute();
  const unlinked = await selectKnown(db).where('formerUuid', 'in', distinct).execute();
  const byUuid = [...linked, ...unlinked];
  if (numbers.length === 0) return byUuid.map(toKnown);
  const pairs = numbers.map(({ supplierId, key }) => sql`(cast(${supplierId} as bigint), ${key})`);
  const byNumber = await selectKnown(db)
    .where(sql<boolean>`("supplierId", "numfacturaKey") in (values ${sql.join(pairs)})`)
    .execute();
  return [...byUuid, ...byNumber].map(toKnown);
}

/** Same supplier and total, about the same time: one pass over each supplier's invoices for all candidates. */
async function readLookalikes(
  db: Db,
  supplierIds: number[],
  candidates: readonly CfdiCandidate[],
): Promise<KnownInvoice[]> {
  if (supplierIds.length === 0) return [];
  const totals = new Set(candidates.map(({ draft }) => draft.totalCents));
  const days = candidates.map(({ draft }) => draft.fechaemision).sort();
  const rows = await selectKnown(db)
    .where('supplierId', 'in', supplierIds)
    .where('totalCents', 'in', [...totals])
    .where('fechaemision', '>=', addDays(days[0]!, -LOOKALIKE_DAYS))
    .where('fechaemision', '<=', addDays(days.at(-1)!, LOOKALIKE_DAYS))
    .execute();
  return rows.map(toKnown);
}

function toKnown(row: Omit<KnownInvoice, 'detail'> & { detail: string | null }): KnownInvoice {
  return { ...row, detail: row.detail === null ? null : (JSON.parse(row.detail) as CfdiDetail) };
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
