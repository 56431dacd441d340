import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { isGenericRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from '../../formats/cfdi/candidates.ts';
import { daysAbout } from '../invoices/book.ts';
import {
  type BookRows,
  holdNumbers,
  IDENTITY,
  type InvoiceKeys,
  ofInvoices,
  readBook,
  readReplaced,
} from '../invoices/book-reading.ts';
import { AMOUNTS } from '../invoices/rows.ts';
import { uuidsOfPettyCash } from '../petty-cash/uuids.ts';
import type { Issued, KnownInvoice, KnownOnFile, KnownSupplier } from './known-invoices.ts';

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
