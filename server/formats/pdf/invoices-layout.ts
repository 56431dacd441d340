import { formatDate } from '../../../shared/dates.ts';
import { type Invoice, pendingOf, shownNumber } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type Fonts, LETTER, mm, type PdfPage } from './file.ts';
import {
  drawHead,
  GAP,
  LEFT,
  REPORT_TITLE,
  type ReportFrame,
  RIGHT,
  SIZE,
  SMALL,
  SOFT,
} from './invoices-head.ts';
import { Page } from './page.ts';
import { drawRunningHead } from './sender.ts';
import { printable, widthOf, wrap } from './text.ts';

/** The specification's place of the table on the first page, from its upper edge. */
const TABLE_TOP = mm(60);

const NEXT_TABLE_TOP = mm(24);
const BOTTOM = LETTER.height - mm(19);
const FOOT_LINE = LETTER.height - mm(11);

const LEADING = 11;
const HEADER_HEIGHT = 18;
const CLOSING_HEIGHT = 66;
const FAINT = 0.8;

interface TableColumn {
  label: string;
  x: number;
  width: number;
  end?: boolean;
}

export type Columns = readonly TableColumn[];

/** A row's cells as one line of printable text each: number, supplier, job, total, paid, due. */
export type ReportRow = readonly [string, string, string, string, string, string];

/** The same, each cell broken into one or two lines. */
export type ReportLine = readonly (readonly string[])[];

export const reportRow = (invoice: Invoice, { regular }: Fonts): ReportRow => [
  printable(shownNumber(invoice.numfactura), regular),
  printable(invoice.suppliername, regular),
  printable(invoice.jobtitle, regular),
  formatMoney(invoice.totalCents),
  formatMoney(invoice.paidCents),
  formatDate(invoice.fechavencimiento),
];

/** A number and a name longer than these are broken or clipped before others have to. */
const MOST_NUMBER = 90;
const MOST_NAME = 190;

/** Amounts and numbers get what they need; names share what is left. */
export function reportColumns(
  { regular, bold }: Fonts,
  rows: readonly ReportRow[],
  { paidCents }: ReportFrame['totals'],
): Columns {
  const needed = ROW_LABELS.map((label, index) => {
    let width = widthOf(label, bold, SMALL);
    for (const row of rows) width = Math.max(width, widthOf(row[index]!, regular, SIZE));
    return width;
  });
  const [number = 0, supplier = 0, job = 0, total = 0, paid = 0, due = 0] = needed;
  // The sum of the totals may reach into the column of the obras, where its row has nothing.
  const paidSum = widthOf(formatMoney(paidCents), bold, SIZE);
  const fixed = [Math.min(number, MOST_NUMBER), total, Math.max(paid, paidSum), due];
  const room = RIGHT - LEFT - 5 * GAP - fixed.reduce((sum, width) => sum + width, 0);
  const share = Math.min(supplier, MOST_NAME) / (Math.min(supplier, MOST_NAME) + Math.min(job, MOST_NAME));
  const widths = [fixed[0]!, room * share, room * (1 - share), fixed[1]!, fixed[2]!, due];
  let x = LEFT;
  return ROW_LABELS.map((label, index) => {
    const column = { label, x, width: widths[index]!, end: index === 3 || index === 4 };
    x += column.width + GAP;
    return column;
  });
}

const ROW_LABELS = ['Factura', 'Proveedor', 'Obra', 'Total', 'Pagado', 'Vencimiento'];

export const reportLine = (row: ReportRow, columns: Columns, { regular }: Fonts): ReportLine =>
  row.map((cell, index) => wrap(cell, regular, SIZE, columns[index]!.width, 2));

/** The pages one after the other, text and rules in their places. */
export function* layOutReport(
  frame: ReportFrame,
  lines: readonly ReportLine[],
  columns: Columns,
  fonts: Fonts,
): Generator<PdfPage> {
  const sheets = paginate(lines);
  for (const [index, sheet] of sheets.entries()) {
    const page = new Page(fonts, { left: LEFT, right: RIGHT, size: SIZE });
    if (index === 0) drawHead(page, frame);
    else {
      const titles = { title: REPORT_TITLE, empresa: frame.empresa };
      drawRunningHead(page, titles, { left: LEFT, right: RIGHT }, mm(18), { size: SMALL, grey: SOFT });
    }
    let y = drawTableHeader(page, columns, index === 0 ? TABLE_TOP : NEXT_TABLE_TOP);
    for (const line of sheet) y = drawLine(page, line, columns, y);
    if (index === sheets.length - 1) drawClosing(page, frame, columns, y);
    page.end(`Página ${index + 1} de ${sheets.length}`, RIGHT, FOOT_LINE, { size: SMALL, grey: SOFT });
    yield page;
  }
}

const heightOf = (line: ReportLine) => Math.max(...line.map((cell) => cell.length)) * LEADING + 5;

/** Which lines stand on which page; the totals never stand alone. */
function paginate(lines: readonly ReportLine[]): ReportLine[][] {
  const pages: ReportLine[][] = [[]];
  let y = TABLE_TOP + HEADER_HEIGHT;
  for (const line of lines) {
    if (y + heightOf(line) > BOTTOM) {
      pages.push([]);
      y = NEXT_TABLE_TOP + HEADER_HEIGHT;
    }
    pages.at(-1)!.push(line);
    y += heightOf(line);
  }
  if (y + CLOSING_HEIGHT > BOTTOM) pages.push(pages.at(-1)!.splice(-1));
  return pages;
}

/** @returns where the first line goes */
function drawTableHeader(page: Page, columns: Columns, top: number): number {
  page.rule(top, 0.75);
  for (const { label, x, width, end } of columns) {
    const style = { size: SMALL, bold: true };
    if (end) page.end(label, x + width, top + 12, style);
    else page.text(label, x, top + 12, { ...style, width });
  }
  page.rule(top + HEADER_HEIGHT, 0.5);
  return top + HEADER_HEIGHT;
}

/** @returns where the next line goes */
function drawLine(page: Page, line: ReportLine, columns: Columns, top: number): number {
  for (const [index, cell] of line.entries()) {
    const { x, width, end } = columns[index]!;
    cell.forEach((text, row) => {
      const y = top + LEADING * (row + 1);
      if (end) page.end(text, x + width, y);
      else page.text(text, x, y, { width });
    });
  }
  const bottom = top + heightOf(line);
  page.rule(bottom, 0.4, { grey: FAINT });
  return bottom;
}

function drawClosing(page: Page, { totals, generated }: ReportFrame, columns: Columns, top: number): void {
  const { count, totalCents, paidCents } = totals;
  const [, , , total, paid] = columns;
  if (count === 0) page.text('Ninguna factura con este filtro.', LEFT, top + 12, { grey: SOFT });
  const y = top + (count === 0 ? 34 : 18);
  page.rule(y - 12, 0.75);
  page.text(count === 1 ? '1 factura' : `${count.toLocaleString('en-US')} facturas`, LEFT, y, { bold: true });
  page.end(formatMoney(totalCents), total!.x + total!.width, y, { bold: true });
  page.end(formatMoney(paidCents), paid!.x + paid!.width, y, { bold: true });
  page.text('Pendiente', LEFT, y + 14, { bold: true });
  page.end(formatMoney(pendingOf(totals)), total!.x + total!.width, y + 14, { bold: true });
  // a sum that is closed: the ledger's double rule
  page.rule(y + 19, 0.5);
  page.rule(y + 21, 0.5);
  page.text(generated, LEFT, y + 40, { size: SMALL, grey: SOFT });
}
