import { sql } from 'kysely';
import { forUpdateOf, lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { addDays } from '../../../shared/dates.ts';
import { isGenericRfc, normalizeRfc } from '../../../shared/rfc.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, CfdiDetail } from '../../formats/cfdi/candidates.ts';
import { LOOKALIKE_DAYS, numberLock } from '../invoices/rules.ts';
import type { Issued, KnownInvoice, KnownOnFile, KnownSupplier } from './known-invoices.ts';

/** What a part of an import holds, as far as what is on file has to be read for it. */
export interface AskedAbout {
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
  const numbers = new Map<string, { supplierId: number; key: string }>();
  const owners = new Set<number>();
  for (const candidate of candidates) {
    for (const { id: supplierId } of known.suppliersOf(candidate)) {
      if (supplierId <= 0) continue;
      owners.add(supplierId);
      for (const number of [candidate.draft.numfactura, candidate.detail.folio]) {
        const key = numberKey(number);
        if (key) numbers.set(`${supplierId}:${key}`, { supplierId, key });
      }
    }
  }
  if (db.isTransaction) {
    const locks = new Set([...numbers.values()].map(({ supplierId, key }) => numberLock(supplierId, key)));
    // In one order, so that no two importers wait for each other.
    for (const lock of [...locks].sort()) await lockKey(db as Trx, lock);
  }
  const uuids = candidates.flatMap(({ draft, replaces }) => [draft.uuid ?? '', ...replaces]);
  for (const invoice of await readInvoices(db, [...uuids, ...asked.uuids], [...numbers.values()]))
    known.addInvoice(invoice);
  for (const invoice of await readLookalikes(db, [...owners], candidates)) known.addInvoice(invoice);
  for (const invoice of await readReplaced(db, [...owners])) known.addInvoice(invoice);
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
    .select([
      'subtotalCents',
      'ivaCents',
      'otrosimpuestosCents',
      'retencionesCents',
      'totalCents',
      'paidCents',
    ])
    .orderBy('id')
    .modifyEnd(forUpdateOf(db, 'invoices'));

/** SQLite takes 32,766 values in one statement, and a receipt may name hundreds of invoices. */
const UUIDS_AT_ONCE = 10_000;

async function readInvoices(
  db: Db,
  uuids: string[],
  numbers: { supplierId: number; key: string }[],
): Promise<KnownInvoice[]> {
  const distinct = [...new Set(uuids)];
  const byUuid = [];
  for (let from = 0; from < distinct.length; from += UUIDS_AT_ONCE) {
    const some = distinct.slice(from, from + UUIDS_AT_ONCE);
    byUuid.push(...(await selectKnown(db).where('uuid', 'in', some).execute()));
    byUuid.push(...(await selectKnown(db).where('formerUuid', 'in', some).execute()));
  }
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
    .where((eb) =>
      eb.or([
        eb.and([
          eb('fechaemision', '>=', addDays(days[0]!, -LOOKALIKE_DAYS)),
          eb('fechaemision', '<=', addDays(days.at(-1)!, LOOKALIKE_DAYS)),
        ]),
        eb.and([eb('fechaemision', 'is', null), eb('uuid', 'is', null)]),
      ]),
    )
    .execute();
  return rows.map(toKnown);
}

/** The few that came in another's place: what they replaced may be several documents, which only they name. */
async function readReplaced(db: Db, supplierIds: number[]): Promise<KnownInvoice[]> {
  if (supplierIds.length === 0) return [];
  const rows = await selectKnown(db)
    .where('formerUuid', 'is not', null)
    .where('supplierId', 'in', supplierIds)
    .execute();
  return rows.map(toKnown);
}

function toKnown(row: Omit<KnownInvoice, 'detail'> & { detail: string | null }): KnownInvoice {
  return { ...row, detail: row.detail === null ? null : (JSON.parse(row.detail) as CfdiDetail) };
}
