import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { isGenericRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { CfdiParty } from '../../formats/cfdi/document.ts';
import { daysAbout, InvoiceBook, type InvoiceOnFile } from '../invoices/book.ts';
import {
  type BookRows,
  holdNumbers,
  IDENTITY,
  type InvoiceKeys,
  ofInvoices,
  readBook,
  readReplaced,
} from '../invoices/book-reading.ts';
import { AMOUNTS, type Amounts } from '../invoices/rows.ts';
import { type UuidOwner, uuidsOfPettyCash } from '../petty-cash/uuids.ts';

/** An invoice on file, or one that the import brings; of those a dry run's have ids below zero. */
export interface KnownInvoice
  extends InvoiceOnFile,
    Pick<Invoice, 'rubroId' | 'paidCents' | 'moneda' | 'tipocambio' | keyof Amounts> {
  /** of its CFDI, where it has one: the base currency too */
  documentMoneda: string | null;
  detail: CfdiDetail | null;
}

/** None of what a dry run would store. */
export const storedId = (id: number): number | undefined => (id > 0 ? id : undefined);

export interface KnownSupplier {
  id: number;
  suppliername: string;
  rfc: string | null;
  diascredito: number;
}

/** Who issued a document, whatever its type. */
export interface Issued {
  suppliername: string;
  detail: { emisor: CfdiParty };
}

/** What candidates are judged by: what is on file, and what the import itself has added since. */
export class KnownOnFile {
  readonly invoices = new InvoiceBook<KnownInvoice>(formersOf);
  /** UUIDs that are receipts of petty cash */
  readonly expenses = new Map<string, UuidOwner>();
  readonly #byRfc = new Map<string, KnownSupplier>();
  readonly #byName = new Map<string, KnownSupplier[]>();

  addSupplier(supplier: KnownSupplier): void {
    if (supplier.rfc && !isGenericRfc(supplier.rfc)) {
      if (this.#byRfc.has(supplier.rfc)) return;
      this.#byRfc.set(supplier.rfc, supplier);
    }
    const name = fold(supplier.suppliername);
    const namesakes = this.#byName.get(name) ?? [];
    if (!namesakes.some(({ id }) => id === supplier.id)) this.#byName.set(name, [...namesakes, supplier]);
  }

  /** A generic RFC identifies nobody: there the name has to be the same too, and several may have it. */
  suppliersOf(candidate: Issued): readonly KnownSupplier[] {
    const rfc = normalizeRfc(candidate.detail.emisor.rfc);
    if (isGenericRfc(rfc)) return this.namesakes(candidate).filter((one) => one.rfc === rfc);
    const found = this.#byRfc.get(rfc);
    return found ? [found] : [];
  }

  namesakes = ({ suppliername }: Issued): readonly KnownSupplier[] =>
    this.#byName.get(fold(suppliername)) ?? [];
}

/** What its document replaced may be several, which only it names. */
const formersOf = ({ detail }: KnownInvoice): readonly string[] => [
  ...(detail?.replaces ?? []),
  ...(detail?.formerUuids ?? []),
];

/** What a part of an import holds, as far as what is on file has to be read for it. */
interface AskedAbout {
  /** invoices, to be stored or known already */
  candidates: readonly CfdiCandidate[];
  /** issuers of other documents */
  issued: readonly Issued[];
  /** of invoices that other documents name */
  uuids: readonly string[];
}

/**
 * Reads what is on file about a part of an import. Inside a transaction nobody else may capture an invoice with
 * one of its numbers, or change one that was read, until it ends (PostgreSQL; SQLite lets only one write anyway).
 */
export async function readKnown(db: Db, known: KnownOnFile, asked: AskedAbout): Promise<void> {
  const { candidates, issued } = asked;
  if (candidates.length + issued.length === 0) return;
  for (const supplier of await readSuppliers(db, [...candidates, ...issued])) known.addSupplier(supplier);
  const own = candidates.flatMap(({ draft }) => draft.uuid ?? []);
  for (const [uuid, owner] of await uuidsOfPettyCash(db, own)) known.expenses.set(uuid, owner);
  const uuids = [...candidates.flatMap(({ draft, replaces }) => [draft.uuid, ...replaces]), ...asked.uuids];
  const keys: InvoiceKeys[] = uuids.map((uuid) => ({ uuid, supplierId: undefined, numfacturaKey: '' }));
  const owners = new Set<number>();
  for (const candidate of candidates) {
    const { numfactura, totalCents } = candidate.draft;
    for (const { id: supplierId } of known.suppliersOf(candidate)) {
      if (supplierId <= 0) continue;
      owners.add(supplierId);
      for (const number of [numfactura, candidate.detail.folio])
        keys.push({ uuid: null, supplierId, numfacturaKey: numberKey(number), totalCents });
    }
  }
  if (db.isTransaction) await holdNumbers(db as Trx);
  const days = candidates.map(({ draft }) => draft.fechaemision);
  const about = days.length > 0 ? daysAbout(days) : undefined;
  await readBook(db, known.invoices, knownInvoices, keys, { hold: true, issued: about });
  await readReplaced(db, known.invoices, knownInvoices, [...owners]);
}

function readSuppliers(db: Db, candidates: readonly Issued[]): Promise<KnownSupplier[]> {
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

type KnownRow = Omit<KnownInvoice, 'detail'> & { detail: string | null };

/** With what their documents said. */
const knownInvoices: BookRows<KnownInvoice, KnownRow> = {
  columns: sql`${ofInvoices([...IDENTITY, 'rubroId', 'paidCents', 'moneda', 'tipocambio', ...AMOUNTS.filter((name) => name !== 'totalCents')])},
    documents.moneda as "documentMoneda", documents.detail`,
  joins: sql`left join cfdi_documents as documents on documents."invoiceId" = invoices.id`,
  toKnown: (row) => ({ ...row, detail: row.detail === null ? null : (JSON.parse(row.detail) as CfdiDetail) }),
};
