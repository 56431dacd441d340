import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { catalogOf } from '../../shared/catalogs/all.ts';
import type { CatalogNoun } from '../../shared/catalogs/catalog.ts';
import { formatDayFirst, type PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { NO_RUBRO, NO_RUBRO_NAME, STATUS_LABELS } from '../../shared/invoices.ts';
import {
  type Day,
  type InvoiceFilter,
  type InvoiceQuery,
  searchInvoices,
  sumInvoices,
} from './invoice-reading.ts';
import {
  layOutReport,
  REPORT_TITLE,
  type ReportFrame,
  type ReportLine,
  type ReportRow,
  reportColumns,
  reportLine,
  reportRow,
} from './invoices-pdf-layout.ts';
import { startPdf } from './pdf-file.ts';
import { readSettings } from './settings.ts';
import { pagesOf } from './sheet.ts';
import { Turns } from './turns.ts';

/** Beyond this nobody leafs through it, and it would take the server seconds. */
export const MOST_INVOICES = 10_000;

/** Making one is a second of work for the only thread there is. */
const turns = new Turns({
  atOnce: 1,
  waiting: 8,
  refusal: 'Hay varios PDF en preparación. Intenta de nuevo en unos segundos.',
  retryAfter: 5,
});

export interface PdfRequest {
  query: Omit<InvoiceQuery, 'limit' | 'cursor'>;
  day: Day;
  now: Date;
  /** the reader's: where it has gone, nothing more is made */
  signal?: AbortSignal;
}

/**
 * "Lista de facturas.pdf": the invoices of a filter in its order, with their totals.
 * @throws DomainError too-large, busy
 */
export async function invoicesPdf(db: Db, request: PdfRequest): Promise<Uint8Array<ArrayBuffer>> {
  await requireFewEnough(db, request);
  return turns.take(() => makePdf(db, request), request.signal);
}

async function requireFewEnough(db: Db, { query, day }: PdfRequest): Promise<void> {
  const { count } = await sumInvoices(db, query, day);
  if (count <= MOST_INVOICES) return;
  const [found, most] = [count, MOST_INVOICES].map((number) => number.toLocaleString('en-US'));
  throw new DomainError(
    'too-large',
    `Son ${found} facturas y en un PDF caben ${most}. Acota el filtro, o expórtalas en CSV, que las lleva todas.`,
    { code: 'too_many_rows' },
  );
}

async function makePdf(db: Db, { query, day, now, signal }: PdfRequest): Promise<Uint8Array<ArrayBuffer>> {
  const { empresa } = await readSettings(db);
  const pdf = await startPdf({ title: REPORT_TITLE, at: now });
  // Summed from the lines themselves: what the document says adds up, whatever is saved meanwhile.
  const totals = { count: 0, totalCents: 0, paidCents: 0 };
  const rows: ReportRow[] = [];
  const pages = pagesOf(async (page) => {
    const { invoices, cursor } = await searchInvoices(db, { ...query, ...page }, day);
    return { rows: invoices, cursor };
  });
  for await (const invoices of pages) {
    signal?.throwIfAborted();
    for (const invoice of invoices) {
      rows.push(reportRow(invoice));
      totals.count++;
      totals.totalCents += invoice.totalCents;
      totals.paidCents += invoice.paidCents;
    }
    await setImmediate(); // other requests between two pages
  }
  const columns = reportColumns(pdf.fonts, rows, totals);
  const lines: ReportLine[] = [];
  for (const row of rows) {
    lines.push(reportLine(row, columns, pdf.fonts));
    if (lines.length % 500 === 0) await setImmediate();
  }
  const frame: ReportFrame = {
    empresa,
    filters: await describeFilter(db, query),
    totals,
    generated: `Generado el ${formatMoment(now, day.timeZone)}`,
  };
  return pdf.write(layOutReport(frame, lines, columns, pdf.fonts), signal);
}

/** In words: whose invoices these are, and what else they were narrowed by. */
async function describeFilter(db: Db, filter: InvoiceFilter): Promise<ReportFrame['filters']> {
  const { supplierId, jobId, rubroId, numfactura, status, corte } = filter;
  const others = {
    'Número con': numfactura,
    Rubro: rubroId === NO_RUBRO ? NO_RUBRO_NAME : rubroId && (await nameOf(db, 'rubros', rubroId)),
    Estado: status && STATUS_LABELS[status],
    Emisión: describePeriod(filter.fechaemisionDesde, filter.fechaemisionHasta),
    Vencimiento: describePeriod(filter.fechavencimientoDesde, filter.fechavencimientoHasta),
    Corte: corte && formatDayFirst(corte),
  };
  return [
    { label: 'Proveedor', value: supplierId ? await nameOf(db, 'suppliers', supplierId) : 'Todos' },
    { label: 'Obra', value: jobId ? await nameOf(db, 'jobs', jobId) : 'Todas' },
    ...Object.entries(others).flatMap(([label, value]) => (value ? [{ label, value }] : [])),
  ];
}

async function nameOf(db: Db, noun: CatalogNoun, id: number): Promise<string> {
  const { table, nameField } = catalogOf(noun);
  const { rows } = await sql<{
    name: string;
  }>`select ${sql.ref(nameField)} as name from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.name ?? `#${id}`;
}

function describePeriod(from: PlainDate | null | undefined, to: PlainDate | null | undefined) {
  if (from && to) return `${formatDayFirst(from)} a ${formatDayFirst(to)}`;
  if (from) return `desde ${formatDayFirst(from)}`;
  return to && `hasta ${formatDayFirst(to)}`;
}

/** "20 de noviembre de 2026, 12:00 (America/Mexico_City)" */
function formatMoment(moment: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('es-MX', {
    timeZone,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return `${format.format(moment)} (${timeZone})`;
}
