import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { startPdf } from '../../formats/pdf/document.ts';
import { type InvoiceRow, invoiceRow, layOutInvoices } from '../../formats/pdf/invoices.ts';
import { nextStep } from '../../formats/sheets/next-step.ts';
import { type FilterFact, pagesOf, type SheetPart } from '../../formats/sheets/sheet.ts';
import { type Day, type InvoiceQuery, searchInvoices } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import { letterheadOf } from './make-export.ts';

/** Beyond this nobody leafs through it, and it would take the server seconds. */
export const MOST_INVOICES = 10_000;

interface PdfRequest {
  query: Omit<InvoiceQuery, 'limit'> & SheetPart;
  day: Day;
  now: Date;
  /** the filter, in words */
  facts: readonly FilterFact[];
  /** the reader's: where it has gone, nothing more is made */
  signal?: AbortSignal;
}

/**
 * "Lista de facturas.pdf": the invoices of a filter in its order, with their totals.
 * @throws DomainError too-large; the signal's reason
 */
export async function invoicesPdf(db: Db, request: PdfRequest): Promise<Uint8Array<ArrayBuffer>> {
  await requireFewEnough(db, request);
  return makePdf(db, request);
}

async function requireFewEnough(db: Db, { query, day }: PdfRequest): Promise<void> {
  const { limit = MOST_INVOICES } = query;
  const { count } = await sumInvoices(db, query, day);
  if (limit < MOST_INVOICES || count <= MOST_INVOICES) return;
  const [found, most] = [count, MOST_INVOICES].map((number) => number.toLocaleString('en-US'));
  throw new DomainError(
    'too-large',
    `Son ${found} facturas y en un PDF caben ${most}. Acota el filtro, o expórtalas en XLSX o CSV, que las llevan todas.`,
    { code: 'too_many_rows' },
  );
}

async function makePdf(
  db: Db,
  { query, day, now, facts, signal }: PdfRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const { timeZone } = day;
  const list = { title: 'Concentrado de facturas de proveedores', filters: facts };
  const head = await letterheadOf({ db, format: 'pdf', now, timeZone }, list);
  const pdf = await startPdf(head.title, now, head.logo);
  // Summed from the lines themselves: what the document says adds up, whatever is saved meanwhile.
  const totals = { count: 0, totalCents: 0, paidCents: 0 };
  const rows: InvoiceRow[] = [];
  const pages = pagesOf(async (page) => {
    const { invoices, cursor } = await searchInvoices(db, { ...query, ...page }, day);
    return { rows: invoices, cursor };
  }, query);
  for await (const invoices of pages) {
    signal?.throwIfAborted();
    for (const invoice of invoices) {
      rows.push(invoiceRow(invoice, pdf.fonts));
      totals.count++;
      totals.totalCents += invoice.totalCents;
      totals.paidCents += invoice.paidCents;
    }
    await nextStep();
  }
  return pdf.write(layOutInvoices({ ...head, totals }, rows, pdf.fonts), signal);
}
