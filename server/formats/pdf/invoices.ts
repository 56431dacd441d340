import { formatDate } from '../../../shared/dates.ts';
import { type Invoice, pendingOf, shownNumber } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { nextStep } from '../sheets/next-step.ts';
import type { FilterFact, Letterhead } from '../sheets/sheet.ts';
import { LETTER, mm, Page, placeLogo } from './document.ts';
import type { PdfFonts } from './fonts.ts';
import { drawRunningHead, SOFT, senderLines } from './letterhead.ts';
import { paginate } from './table.ts';
import { type Fonts, printable, widthOf, wrap } from './text.ts';

interface InvoicesReport extends Letterhead {
  totals: { count: number; totalCents: Cents; paidCents: Cents };
}

const LEFT = mm(15);
const RIGHT = LETTER.width - LEFT;
const GAP = 8;
export const SIZE = 9.7;
export const SMALL = 8.6;

/** The specification places the table there on the first page. */
const TABLE_TOP = mm(60);
const NEXT_TABLE_TOP = mm(24);
const BOTTOM = LETTER.height - mm(19);
const FOOT_LINE = LETTER.height - mm(11);

const LEADING = 11;
const HEADER_HEIGHT = 18;
const CLOSING_HEIGHT = 66;
const FAINT = 0.8;

/** Number, supplier, job, total, paid, due: one line of printable text each. */
export type InvoiceRow = readonly [string, string, string, string, string, string];

const LABELS = ['Factura', 'Proveedor', 'Obra', 'Total', 'Pagado', 'Vencimiento'];

export const invoiceRow = (invoice: Invoice, { regular }: Fonts): InvoiceRow => [
  printable(shownNumber(invoice.numfactura), regular),
  printable(invoice.suppliername, regular),
  printable(invoice.jobtitle, regular),
  formatMoney(invoice.totalCents),
  formatMoney(invoice.paidCents),
  formatDate(invoice.fechavencimiento),
];

export async function* layOutInvoices(
  report: InvoicesReport,
  rows: readonly InvoiceRow[],
  fonts: PdfFonts,
): AsyncGenerator<Page> {
  const columns = columnsOf(fonts, rows, report.totals);
  const lines: Line[] = [];
  for (const row of rows) {
    const cells = row.map((cell, index) => wrap(cell, fonts.regular, SIZE, columns[index]!.width, 2));
    lines.push({ cells, height: Math.max(...cells.map(({ length }) => length)) * LEADING + 5 });
    if (lines.length % 500 === 0) await nextStep();
  }
  const sheets = paginate(lines, {
    first: TABLE_TOP + HEADER_HEIGHT,
    next: NEXT_TABLE_TOP + HEADER_HEIGHT,
    bottom: BOTTOM,
    closing: CLOSING_HEIGHT,
  });
  const frame = { left: LEFT, right: RIGHT, size: SIZE, paper: LETTER };
  for (const [index, sheet] of sheets.entries()) {
    const page = new Page(fonts, frame);
    if (index === 0) drawHead(page, report);
    else drawRunningHead(page, report, frame, mm(18), { size: SMALL, grey: SOFT });
    let y = drawHeadings(page, columns, index === 0 ? TABLE_TOP : NEXT_TABLE_TOP);
    for (const line of sheet) y = drawLine(page, line, columns, y);
    if (index === sheets.length - 1) drawClosing(page, report, columns, y);
    page.end(`Página ${index + 1} de ${sheets.length}`, RIGHT, FOOT_LINE, { size: SMALL, grey: SOFT });
    yield page;
  }
}

interface Column {
  x: number;
  width: number;
  /** amounts end on the right */
  end: boolean;
}

interface Line {
  cells: readonly (readonly string[])[];
  height: number;
}

/** A longer number or name is broken or clipped before others have to be. */
const MOST_NUMBER = 90;
const MOST_NAME = 190;

/** Amounts and numbers get what they need; names share what is left. */
function columnsOf(
  { regular, bold }: Fonts,
  rows: readonly InvoiceRow[],
  { paidCents }: InvoicesReport['totals'],
): Column[] {
  const needed = LABELS.map((label, index) => {
    let width = widthOf(label, bold, SMALL);
    for (const row of rows) width = Math.max(width, widthOf(row[index]!, regular, SIZE));
    return width;
  });
  const [number = 0, supplier = 0, job = 0, total = 0, paid = 0, due = 0] = needed;
  // The sum of the totals may reach into the column of the obras, where its row has nothing.
  const paidSum = widthOf(formatMoney(paidCents), bold, SIZE);
  const fixed = [Math.min(number, MOST_NUMBER), total, Math.max(paid, paidSum), due] as const;
  const room = RIGHT - LEFT - 5 * GAP - fixed.reduce((sum, width) => sum + width, 0);
  const share = Math.min(supplier, MOST_NAME) / (Math.min(supplier, MOST_NAME) + Math.min(job, MOST_NAME));
  let x = LEFT;
  return [fixed[0], room * share, room * (1 - share), fixed[1], fixed[2], due].map((width, index) => {
    const column = { x, width, end: index === 3 || index === 4 };
    x += width + GAP;
    return column;
  });
}

const TOTALS_WIDTH = 158;
const FIRST_FACT = mm(36.5);
const LOGO_TOP = mm(9);

/** The sender stands above the rule, whatever the logo's height, the last of its lines always in the same place. */
function drawHead(page: Page, report: InvoicesReport): void {
  const { placed: logo, textEnd } = placeLogo(report.logo, RIGHT, LOGO_TOP);
  if (logo) page.logo(logo);
  const lines = senderLines(report, page.fonts, textEnd - LEFT, { name: SIZE, address: SMALL });
  const last = mm(lines.at(-1)?.isName ? 19 : 20);
  for (const [index, { text, size, isName }] of lines.entries()) {
    const y = lines.slice(index + 1).reduce((above, { leading }) => above - leading, last);
    page.text(text, LEFT, y, { size, bold: isName, grey: SOFT });
  }
  page.text(report.title, LEFT, mm(27), { size: 17, bold: true });
  page.rule(mm(30.5), 0.75);
  drawFacts(page, report.filters);
  drawTotals(page, report.totals);
}

const INDENT = 62;

const FACTS_HEIGHT = mm(22);

/** Proveedor and Obra stand each on a line, and so does a long fact; the others stand two to a line. */
function drawFacts(page: Page, filters: readonly FilterFact[]): void {
  const room = RIGHT - LEFT - TOTALS_WIDTH - 20;
  const half = room / 2;
  const { regular } = page.fonts;
  const lines: FilterFact[][] = [];
  let free: FilterFact[] | undefined;
  for (const [index, fact] of filters.entries()) {
    const isLong = widthOf(printable(fact.value, regular), regular, SIZE) > half - GAP - INDENT;
    const isAlone = index < 2 || isLong;
    if (!isAlone && free) {
      free.push(fact);
      free = undefined;
    } else {
      lines.push([fact]);
      if (!isAlone) free = lines.at(-1);
    }
  }
  // More of them stand closer, and are smaller than they stand apart.
  const leading = Math.min(13, FACTS_HEIGHT / (lines.length - 1));
  const size = Math.min(SIZE, leading * 0.9);
  for (const [at, facts] of lines.entries()) {
    const y = FIRST_FACT + at * leading;
    for (const [column, { label, value }] of facts.entries()) {
      const x = LEFT + column * half;
      const width = (facts.length > 1 ? half - GAP : room) - INDENT;
      page.text(label, x, y, { size: Math.min(SMALL, size), grey: SOFT, width: INDENT - 4 });
      page.text(value, x + INDENT, y, { size, width });
    }
  }
}

function drawTotals(page: Page, totals: InvoicesReport['totals']): void {
  const x = RIGHT - TOTALS_WIDTH;
  const rows = [
    ['Total facturas', totals.totalCents],
    ['Total pagado', totals.paidCents],
    ['Total pendiente', pendingOf(totals)],
  ] as const;
  rows.forEach(([label, cents], index) => {
    const y = FIRST_FACT + index * 16;
    const bold = index === 2;
    if (bold) page.rule(y - 11.5, 0.5, { x, width: TOTALS_WIDTH });
    page.text(label, x, y, { size: SMALL, bold, grey: bold ? 0 : SOFT });
    page.end(formatMoney(cents), RIGHT, y, { size: 10.8, bold });
  });
}

/** @returns where the first line goes */
function drawHeadings(page: Page, columns: readonly Column[], top: number): number {
  page.rule(top, 0.75);
  for (const [index, column] of columns.entries())
    page.cell(LABELS[index]!, column, top + 12, column.end, { size: SMALL, bold: true });
  page.rule(top + HEADER_HEIGHT, 0.5);
  return top + HEADER_HEIGHT;
}

/** @returns where the next line goes */
function drawLine(page: Page, { cells, height }: Line, columns: readonly Column[], top: number): number {
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]!;
    for (const [row, text] of cell.entries()) page.cell(text, column, top + LEADING * (row + 1), column.end);
  }
  page.rule(top + height, 0.4, { grey: FAINT });
  return top + height;
}

function drawClosing(
  page: Page,
  { totals, generated }: InvoicesReport,
  columns: readonly Column[],
  top: number,
): void {
  const { count, totalCents, paidCents } = totals;
  const [totalEnd, paidEnd] = [columns[3]!, columns[4]!].map(({ x, width }) => x + width) as [number, number];
  const bold = { bold: true };
  if (count === 0) page.text('Ninguna factura con este filtro.', LEFT, top + 12, { grey: SOFT });
  const y = top + (count === 0 ? 34 : 18);
  page.rule(y - 12, 0.75);
  page.text(count === 1 ? '1 factura' : `${count.toLocaleString('en-US')} facturas`, LEFT, y, bold);
  page.end(formatMoney(totalCents), totalEnd, y, bold);
  page.end(formatMoney(paidCents), paidEnd, y, bold);
  page.text('Pendiente', LEFT, y + 14, bold);
  page.end(formatMoney(pendingOf(totals)), totalEnd, y + 14, bold);
  // The ledger's double rule closes a sum.
  page.rule(y + 19, 0.5);
  page.rule(y + 21, 0.5);
  page.text(generated, LEFT, y + 40, { size: SMALL, grey: SOFT });
}
