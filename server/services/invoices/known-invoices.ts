import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { createRemark, type Remark, rowIdRemark } from '../../../shared/remarks.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import { InvoiceBook, type InvoiceIdentity, type lookalikePeriod } from './invoice-book.ts';
import {
  type BookRowMapping,
  fillInvoiceBook,
  IDENTITY_COLUMNS,
  type InvoiceKeys,
  qualifyInvoiceColumns,
} from './read-invoice-book.ts';
import { CAPTURED_COLUMNS } from './rows.ts';

export interface KnownInvoice
  extends InvoiceIdentity,
    Pick<Invoice, (typeof CAPTURED_COLUMNS)[number] | 'fechacaptura'>,
    Partial<DocumentedFields> {
  /** Undefined for a new invoice of the same run; below zero for a new one with a document. */
  id: number | undefined;
  line?: number;
  /** The line of the row that was matched with this invoice, so that no other equal row is matched with it. */
  matchedLine?: number;
}

interface DocumentedFields {
  paidCents: Cents;
  /** The currency stated by its document, also where that is the base currency. Null without a document. */
  documentMoneda: string | null;
  detail: CfdiDetail | null;
}

export type DocumentedInvoice = KnownInvoice & DocumentedFields & { id: number };

const knownColumns = qualifyInvoiceColumns([
  ...new Set([...IDENTITY_COLUMNS, ...CAPTURED_COLUMNS, 'fechacaptura']),
]);

export const knownRowMapping: BookRowMapping<KnownInvoice, KnownInvoice> = {
  columns: knownColumns,
  toEntry: (row) => row,
};

export const documentedRowMapping: BookRowMapping<
  DocumentedInvoice,
  Omit<DocumentedInvoice, 'detail'> & { detail: string | null }
> = {
  columns: sql`${knownColumns}, invoices."paidCents", documents.moneda as "documentMoneda", documents.detail`,
  joins: sql`left join cfdi_documents as documents on documents."invoiceId" = invoices.id`,
  toEntry: (row) => ({ ...row, detail: row.detail === null ? null : (JSON.parse(row.detail) as CfdiDetail) }),
};

/** Creates a book that finds invoices by former UUIDs too; `detail` lists those of replaced documents. */
export const createDocumentedInvoiceBook = () =>
  new InvoiceBook<DocumentedInvoice>(({ detail }) => [
    ...(detail?.replaces ?? []),
    ...(detail?.formerUuids ?? []),
  ]);

/** Locks the invoices, so that nobody else changes or pays them until the transaction ends. */
export const lockAndReadDocumentedInvoices = (
  db: Db,
  book: InvoiceBook<DocumentedInvoice>,
  keys: readonly InvoiceKeys[],
  filter?: { totalsIssuedBetween?: ReturnType<typeof lookalikePeriod>; supplierIds: readonly number[] },
): Promise<void> => fillInvoiceBook(db, book, documentedRowMapping, keys, { lock: true, ...filter });

export const invoiceKeysOfUuid = (uuid: string): InvoiceKeys => ({
  uuid,
  supplierId: undefined,
  numfacturaKey: '',
});

export const invoiceLabel = ({
  id,
  line,
  numfactura,
}: Pick<KnownInvoice, 'id' | 'line' | 'numfactura'>): Remark =>
  createRemark`${numfactura || 'sin número'}${id === undefined ? ` (renglón ${line})` : idLabel(id)}`;

export const idLabel = (id: number): Remark => (id < 0 ? ' (de esta importación)' : rowIdRemark(id));

export const idIfStored = (id: number | undefined): number | undefined =>
  id !== undefined && id > 0 ? id : undefined;
