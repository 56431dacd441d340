import { pluralize } from '../../../shared/counts.ts';
import { formatDate } from '../../../shared/dates.ts';
import { type Invoice, invoiceNumberText, pendingOf } from '../../../shared/invoices.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { yieldToEventLoop } from '../sheets/event-loop.ts';
import type { AppliedFilter, Letterhead } from '../sheets/sheet.ts';
import { LETTER_SIZE, mm, Page, type PageGeometry, placeLogo } from './document.ts';
import type { PdfFonts } from './fonts.ts';
import { drawRunningHead, layOutSenderLines, SOFT_GREY } from './letterhead.ts';
import { paginate } from './table.ts';
import { type Fonts, toPrintable, widthOf, wrapToWidth } from './text.ts';

interface InvoicesReport extends Letterhead {
  totals: { count: number; totalCents: Cents; paidCents: Cents };
}

function computePageFrame() {
  const isWide = showsPending();
  const paper = isWide ? { width: LETTER_SIZE.height, height: LETTER_SIZE.width } : LETTER_SIZE;
  return { left: LEFT_MARGIN, right: paper.width - LEFT_MARGIN, size: FONT_SIZE, paper };
}

/** Only the Spanish report has a column with the pending amount; the specification's table has none. */
const showsPending = () => currentLanguage() === 'es';

const LEFT_MARGIN = mm(15);
const GAP = 8;
export const FONT_SIZE = 9.7;
export const SMALL_SIZE = 8.6;

/** The specification gives the position of the table on the first page. */
const TABLE_TOP = mm(60);
const LATER_PAGE_TABLE_TOP = mm(24);
const FOOT_HEIGHT = mm(19);
const FOOT_FROM_BOTTOM = mm(11);

const LINE_HEIGHT = 11;
const HEADER_HEIGHT = 18;
const CLOSING_HEIGHT = 66;
const FAINT_GREY = 0.8;

export type InvoiceRow = readonly string[];

interface Column {
  label: string;
  text(invoice: Invoice): string;
  sum?: (totals: InvoicesReport['totals']) => Cents;
  /** its sum may be wider than the column, because in the row of sums the column before is empty */
  hasRoomBefore?: true;
  isName?: boolean;
  maxWidth?: number;
}

const PENDING_COLUMN: Column = {
  label: 'Pendiente',
  text: (invoice) => formatMoney(pendingOf(invoice)),
  sum: pendingOf,
};

const chooseColumns = (): readonly Column[] => [
  { label: 'Factura', text: ({ numfactura }) => invoiceNumberText(numfactura), maxWidth: 90 },
  { label: 'Proveedor', text: ({ suppliername }) => suppliername, isName: true, maxWidth: 190 },
  { label: 'Obra', text: ({ jobtitle }) => jobtitle, isName: true, maxWidth: 190 },
  {
    label: 'Total',
    text: ({ totalCents }) => formatMoney(totalCents),
    sum: ({ totalCents }) => totalCents,
    hasRoomBefore: true,
  },
  { label: 'Pagado', text: ({ paidCents }) => formatMoney(paidCents), sum: ({ paidCents }) => paidCents },
  ...(showsPending() ? [PENDING_COLUMN] : []),
  { label: 'Vencimiento', text: ({ fechavencimiento }) => formatDate(fechavencimiento) },
];

export const invoiceRow = (invoice: Invoice, { regular }: Fonts): InvoiceRow =>
  chooseColumns().map(({ text }) => toPrintable(text(invoice), regular));

export async function* drawInvoicePages(
  report: InvoicesReport,
  rows: readonly InvoiceRow[],
  fonts: PdfFonts,
): AsyncGenerator<Page> {
  const frame = computePageFrame();
  const columns = placeColumns(fonts, rows, report.totals, frame);
  const lines: LaidOutRow[] = [];
  for (const row of rows) {
    const cells = row.map((cell, index) =>
      wrapToWidth(cell, fonts.regular, FONT_SIZE, columns[index]!.width, 2),
    );
    lines.push({ cells, height: Math.max(...cells.map(({ length }) => length)) * LINE_HEIGHT + 5 });
    if (lines.length % 500 === 0) await yieldToEventLoop();
  }
  const sheets = paginate(lines, {
    firstPageTop: TABLE_TOP + HEADER_HEIGHT,
    laterPageTop: LATER_PAGE_TABLE_TOP + HEADER_HEIGHT,
    bottom: frame.paper.height - FOOT_HEIGHT,
    closingHeight: CLOSING_HEIGHT,
  });
  for (const [index, sheet] of sheets.entries()) {
    const page = new Page(fonts, frame);
    if (index === 0) drawHead(page, report, frame);
    else drawRunningHead(page, report, frame, mm(18), { size: SMALL_SIZE, grey: SOFT_GREY });
    let y = drawHeadings(page, columns, index === 0 ? TABLE_TOP : LATER_PAGE_TABLE_TOP);
    for (const line of sheet) y = drawRow(page, line, columns, y);
    if (index === sheets.length - 1) drawClosing(page, report, columns, y);
    const foot = frame.paper.height - FOOT_FROM_BOTTOM;
    page.drawTextRight(`Página ${index + 1} de ${sheets.length}`, frame.right, foot, {
      size: SMALL_SIZE,
      grey: SOFT_GREY,
    });
    yield page;
  }
}

interface PlacedColumn extends Column {
  x: number;
  width: number;
}

interface LaidOutRow {
  cells: readonly (readonly string[])[];
  height: number;
}

function placeColumns(
  { regular, bold }: Fonts,
  rows: readonly InvoiceRow[],
  totals: InvoicesReport['totals'],
  { right }: PageGeometry,
): PlacedColumn[] {
  const columns = chooseColumns();
  const wantedWidths = columns.map(
    ({ label, sum, hasRoomBefore, maxWidth = Number.POSITIVE_INFINITY }, index) => {
      const ofSum = sum && !hasRoomBefore ? widthOf(formatMoney(sum(totals)), bold, FONT_SIZE) : 0;
      let width = Math.max(widthOf(label, bold, SMALL_SIZE), ofSum);
      for (const row of rows) width = Math.max(width, widthOf(row[index]!, regular, FONT_SIZE));
      return Math.min(width, maxWidth);
    },
  );
  const sumOf = (ofNames: boolean) =>
    wantedWidths.reduce(
      (sum, width, index) => sum + (ofNames === Boolean(columns[index]!.isName) ? width : 0),
      0,
    );
  const room = right - LEFT_MARGIN - (columns.length - 1) * GAP - sumOf(false);
  const share = room / sumOf(true);
  let x = LEFT_MARGIN;
  return columns.map((column, index) => {
    const width = wantedWidths[index]! * (column.isName ? share : 1);
    const placed = { ...column, x, width };
    x += width + GAP;
    return placed;
  });
}

const TOTALS_WIDTH = 158;
const FIRST_FILTER_Y = mm(36.5);
const LOGO_TOP = mm(9);

/** The sender's last line is always in the same place, whatever the logo's height. */
function drawHead(page: Page, report: InvoicesReport, { right }: PageGeometry): void {
  const { placed: logo, textEnd } = placeLogo(report.logo, right, LOGO_TOP);
  if (logo) page.drawLogo(logo);
  const lines = layOutSenderLines(report, page.fonts, textEnd - LEFT_MARGIN, {
    name: FONT_SIZE,
    address: SMALL_SIZE,
  });
  const last = mm(lines.at(-1)?.isName ? 19 : 20);
  for (const [index, { text, size, isName }] of lines.entries()) {
    const y = lines.slice(index + 1).reduce((above, { leading }) => above - leading, last);
    page.drawText(text, LEFT_MARGIN, y, { size, bold: isName, grey: SOFT_GREY });
  }
  page.drawText(report.title, LEFT_MARGIN, mm(27), { size: 17, bold: true });
  page.drawRule(mm(30.5), 0.75);
  drawFilters(page, report.filters, right);
  drawTotals(page, report.totals, right);
}

const FILTER_LABEL_WIDTH = 62;

const FILTERS_HEIGHT = mm(22);

function drawFilters(page: Page, filters: readonly AppliedFilter[], right: number): void {
  const room = right - LEFT_MARGIN - TOTALS_WIDTH - 20;
  const half = room / 2;
  const { regular } = page.fonts;
  const lines: AppliedFilter[][] = [];
  let free: AppliedFilter[] | undefined;
  for (const [index, fact] of filters.entries()) {
    const isLong =
      widthOf(toPrintable(fact.value, regular), regular, FONT_SIZE) > half - GAP - FILTER_LABEL_WIDTH;
    const hasOwnLine = index < 2 || isLong;
    if (!hasOwnLine && free) {
      free.push(fact);
      free = undefined;
    } else {
      lines.push([fact]);
      if (!hasOwnLine) free = lines.at(-1);
    }
  }
  const leading = Math.min(13, FILTERS_HEIGHT / (lines.length - 1));
  const size = Math.min(FONT_SIZE, leading * 0.9);
  for (const [at, facts] of lines.entries()) {
    const y = FIRST_FILTER_Y + at * leading;
    for (const [column, { label, value }] of facts.entries()) {
      const x = LEFT_MARGIN + column * half;
      const width = (facts.length > 1 ? half - GAP : room) - FILTER_LABEL_WIDTH;
      page.drawText(label, x, y, {
        size: Math.min(SMALL_SIZE, size),
        grey: SOFT_GREY,
        width: FILTER_LABEL_WIDTH - 4,
      });
      page.drawText(value, x + FILTER_LABEL_WIDTH, y, { size, width });
    }
  }
}

function drawTotals(page: Page, totals: InvoicesReport['totals'], right: number): void {
  const x = right - TOTALS_WIDTH;
  const rows = [
    ['Total facturas', totals.totalCents],
    ['Total pagado', totals.paidCents],
    ['Total pendiente', pendingOf(totals)],
  ] as const;
  rows.forEach(([label, cents], index) => {
    const y = FIRST_FILTER_Y + index * 16;
    const bold = index === 2;
    if (bold) page.drawRule(y - 11.5, 0.5, { x, width: TOTALS_WIDTH });
    page.drawText(label, x, y, { size: SMALL_SIZE, bold, grey: bold ? 0 : SOFT_GREY });
    page.drawTextRight(formatMoney(cents), right, y, { size: 10.8, bold });
  });
}

const isAmountColumn = ({ sum }: Column): boolean => sum !== undefined;

function drawHeadings(page: Page, columns: readonly PlacedColumn[], top: number): number {
  page.drawRule(top, 0.75);
  for (const column of columns)
    page.drawCell(column.label, column, top + 12, isAmountColumn(column), { size: SMALL_SIZE, bold: true });
  page.drawRule(top + HEADER_HEIGHT, 0.5);
  return top + HEADER_HEIGHT;
}

function drawRow(
  page: Page,
  { cells, height }: LaidOutRow,
  columns: readonly PlacedColumn[],
  top: number,
): number {
  for (const [index, cell] of cells.entries()) {
    const column = columns[index]!;
    for (const [row, text] of cell.entries())
      page.drawCell(text, column, top + LINE_HEIGHT * (row + 1), isAmountColumn(column));
  }
  page.drawRule(top + height, 0.4, { grey: FAINT_GREY });
  return top + height;
}

function drawClosing(
  page: Page,
  { totals, generatedText }: InvoicesReport,
  columns: readonly PlacedColumn[],
  top: number,
): void {
  const { count } = totals;
  const bold = { bold: true };
  if (count === 0)
    page.drawText('Ninguna factura con este filtro.', LEFT_MARGIN, top + 12, { grey: SOFT_GREY });
  const y = top + (count === 0 ? 34 : 18);
  page.drawRule(y - 12, 0.75);
  page.drawText(pluralize(count, 'factura', 'facturas'), LEFT_MARGIN, y, bold);
  for (const { sum, x, width } of columns)
    if (sum) page.drawTextRight(formatMoney(sum(totals)), x + width, y, bold);
  let last = y;
  if (!showsPending()) {
    last += 14;
    const total = columns.find(isAmountColumn)!;
    page.drawText('Pendiente', LEFT_MARGIN, last, bold);
    page.drawTextRight(formatMoney(pendingOf(totals)), total.x + total.width, last, bold);
  }
  page.drawRule(last + 5, 0.5);
  page.drawRule(last + 7, 0.5);
  page.drawText(generatedText, LEFT_MARGIN, y + 40, { size: SMALL_SIZE, grey: SOFT_GREY });
}
