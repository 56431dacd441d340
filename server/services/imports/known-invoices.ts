import type { Invoice } from '../../../shared/invoices.ts';
import type { InvoiceOnFile } from '../invoices/book.ts';
import { type BookRows, IDENTITY, ofInvoices } from '../invoices/book-reading.ts';
import { STORED } from '../invoices/rows.ts';

/** An invoice on file or of the file itself, with all that a row may say of it. */
export interface KnownInvoice extends InvoiceOnFile, Pick<Invoice, (typeof STORED)[number] | 'paidCents'> {
  /** below zero: of this import, not stored yet */
  id: number;
  /** the line of this file that it comes from */
  line?: number;
}

/** How a book of them is read. */
export const knownInvoices: BookRows<KnownInvoice, KnownInvoice> = {
  columns: ofInvoices([...new Set([...IDENTITY, ...STORED, 'paidCents'])]),
  toKnown: (row) => row,
};
