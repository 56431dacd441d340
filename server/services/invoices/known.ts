import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { type Remark, remark, rowId } from '../../../shared/remarks.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import { type daysAbout, InvoiceBook, type InvoiceIdentity } from './book.ts';
import { type BookRows, IDENTITY, type InvoiceKeys, ofInvoices, readBook } from './book-reading.ts';
import { STORED } from './rows.ts';

/** An invoice on file, or an earlier one of the same run, with all that a draft may state. */
export interface KnownInvoice
  extends InvoiceIdentity,
    Pick<Invoice, (typeof STORED)[number] | 'fechacaptura'>,
    Partial<Documented> {
  /** of the same run: undefined, or below zero where it has a document */
  id: number | undefined;
  line?: number;
  /** the line that was taken for it, where only their count tells equal rows apart */
  takenFor?: number;
}

interface Documented {
  /** grows with its payments */
  paidCents: Cents;
  /** of its document, if any; here the base currency is stated too */
  documentMoneda: string | null;
  detail: CfdiDetail | null;
}

export type DocumentedInvoice = KnownInvoice & Documented & { id: number };

const columns = ofInvoices([...new Set([...IDENTITY, ...STORED, 'fechacaptura'])]);

export const knownInvoices: BookRows<KnownInvoice, KnownInvoice> = { columns, toKnown: (row) => row };

export const documentedInvoices: BookRows<
  DocumentedInvoice,
  Omit<DocumentedInvoice, 'detail'> & { detail: string | null }
> = {
  columns: sql`${columns}, invoices."paidCents", documents.moneda as "documentMoneda", documents.detail`,
  joins: sql`left join cfdi_documents as documents on documents."invoiceId" = invoices.id`,
  toKnown: (row) => ({ ...row, detail: row.detail === null ? null : (JSON.parse(row.detail) as CfdiDetail) }),
};

/** Finds invoices by all UUIDs that they had; where one replaced several, only its document names them. */
export const documentedBook = () =>
  new InvoiceBook<DocumentedInvoice>(({ detail }) => [
    ...(detail?.replaces ?? []),
    ...(detail?.formerUuids ?? []),
  ]);

/** Reads and locks: nobody else changes or pays these until the transaction ends. */
export const readDocumented = (
  db: Db,
  book: InvoiceBook<DocumentedInvoice>,
  keys: readonly InvoiceKeys[],
  among?: { issued?: ReturnType<typeof daysAbout>; supplierIds: readonly number[] },
): Promise<void> => readBook(db, book, documentedInvoices, keys, { hold: true, ...among });

export const keyOfUuid = (uuid: string): InvoiceKeys => ({ uuid, supplierId: undefined, numfacturaKey: '' });

/** The number of a document of the run, whose invoice is not another document's. */
export const claimOf = (one: Pick<InvoiceIdentity, 'supplierId' | 'numfacturaKey'>): string =>
  `${one.supplierId}:${one.numfacturaKey}`;

/** "A-12", with its id beside it; "A-12 (renglón 9)". */
export const labelOf = ({ id, line, numfactura }: Pick<KnownInvoice, 'id' | 'line' | 'numfactura'>): Remark =>
  remark`${numfactura || 'sin número'}${id === undefined ? ` (renglón ${line})` : idLabel(id)}`;

/** Names a stored row by its id; below zero it has none yet. */
export const idLabel = (id: number): Remark => (id < 0 ? ' (de esta importación)' : rowId(id));

export const storedId = (id: number | undefined): number | undefined =>
  id !== undefined && id > 0 ? id : undefined;
