import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type INVOICE_NOTES, type Invoice, pendingOf } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import { InvoiceBook, type StoredInvoiceIdentity } from './invoice-book.ts';
import { fillInvoiceBook, identityRowMapping } from './read-invoice-book.ts';
import { getInvoice, selectInvoiceColumns } from './reading.ts';

const MAX_LISTED_INVOICES = 5;

/** @param reference a number in any spelling, or "#" and id @throws DomainError not-found, conflict ambiguous_number */
export async function getInvoiceByNumberOrId(db: Db, reference: string): Promise<Invoice> {
  const id = /^#\s*(\d{1,15})$/.exec(reference.trim())?.[1];
  if (id) return getInvoice(db, Number(id));
  const key = documentNumberKey(reference);
  const query = db.selectFrom('invoices').where('numfacturaKey', '=', key).where('numfacturaKey', '<>', '');
  const found = await selectInvoiceColumns(query)
    .orderBy('invoices.id')
    .limit(MAX_LISTED_INVOICES + 1)
    .execute();
  const [only] = found;
  if (!only) throw new DomainError('not-found', `No existe la factura ${reference.trim()}.`);
  if (found.length === 1) return only;
  const listed = found
    .slice(0, MAX_LISTED_INVOICES)
    .map((invoice) => `#${invoice.id} (${invoice.suppliername})`);
  const more = found.length > MAX_LISTED_INVOICES ? ' y más' : '';
  const message = `Hay varias facturas ${reference.trim()}: ${listed.join(', ')}${more}. Escribe #id en lugar del número.`;
  throw new DomainError('conflict', message, { code: 'ambiguous_number' });
}

/** @returns options such as "A-10482 · Concretos del Norte · $1,160.50"; undefined for more than `limit` */
export async function readOpenInvoiceOptions(
  db: Db,
  limit: number,
  supplierId?: number,
): Promise<{ value: number; label: string }[] | undefined> {
  const open = await db
    .selectFrom('invoices')
    .leftJoin('suppliers', 'suppliers.id', 'invoices.supplierId')
    .select(['invoices.id', 'numfactura', 'suppliername', 'totalCents', 'paidCents'])
    .where(sql<boolean>`invoices."paidCents" < invoices."totalCents"`)
    .$if(supplierId !== undefined, (query) => query.where('invoices.supplierId', '=', supplierId!))
    .limit(limit + 1)
    .execute();
  if (open.length > limit) return undefined;
  return open
    .toSorted((a, b) => b.id - a.id)
    .map((invoice) => ({
      value: invoice.id,
      label: [
        invoice.numfactura || `#${invoice.id}`,
        invoice.suppliername,
        formatMoney(pendingOf(invoice)),
      ].join(' · '),
    }));
}

export type InvoiceReference = Pick<StoredInvoiceIdentity, 'id' | 'numfactura' | 'supplierId'>;

export async function findInvoicesByUuid(
  db: Db,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, InvoiceReference>> {
  const book = new InvoiceBook<StoredInvoiceIdentity>();
  const keys = uuids.map((uuid) => ({ uuid, supplierId: undefined, numfacturaKey: '' }));
  await fillInvoiceBook(db, book, identityRowMapping, keys);
  const found = uuids.map((uuid) => [uuid, book.withAnyUuid(uuid)] as const);
  return new Map(found.flatMap(([uuid, invoice]) => (invoice ? [[uuid, invoice]] : [])));
}

/** A user's last invoice is looked for only among this many: a search for a user without one would read them all. */
const MAX_RECENT_INVOICES = 2_000;

const buildRecentInvoicesQuery = (db: Db) =>
  db
    .selectFrom('invoices')
    .where('id', '>', sql<number>`(select max(id) from invoices) - ${MAX_RECENT_INVOICES}`);

export const readLastCapturedInvoice = (db: Db, userId: number) =>
  buildRecentInvoicesQuery(db)
    .select(['supplierId', 'jobId', 'rubroId'])
    .where('userId', '=', userId)
    .where('importId', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

export async function isFieldRecentlyUsed(db: Db, name: (typeof INVOICE_NOTES)[number]): Promise<boolean> {
  const used = buildRecentInvoicesQuery(db).select('id').where(name, '<>', '').limit(1);
  return (await used.executeTakeFirst()) !== undefined;
}
