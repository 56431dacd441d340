import { pendingOf } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { FilterFact, Letterhead } from '../sheets/list-export.ts';
import { LETTER, mm } from './file.ts';
import { LOGO_GAP, placeLogo } from './logo.ts';
import type { Page } from './page.ts';
import { senderLines } from './sender.ts';
import { printable, widthOf } from './text.ts';

export const REPORT_TITLE = 'Concentrado de facturas de proveedores';

/** What stands above the invoices, all of it over the table's place. */
export interface ReportFrame
  extends Pick<Letterhead, 'empresa' | 'rfc' | 'direccion' | 'logo' | 'generated'> {
  /** Proveedor and Obra first, then what else the list is narrowed by */
  filters: readonly FilterFact[];
  totals: { count: number; totalCents: Cents; paidCents: Cents };
}

export const LEFT = mm(15);
export const RIGHT = LETTER.width - LEFT;
export const GAP = 8;
export const SIZE = 9.7;
export const SMALL = 8.6;
export const SOFT = 0.35;

const TOTALS_WIDTH = 158;
const FIRST_FACT = mm(36.5);

export function drawHead(page: Page, frame: ReportFrame): void {
  drawSender(page, frame);
  page.text(REPORT_TITLE, LEFT, mm(27), { size: 17, bold: true });
  page.rule(mm(30.5), 0.75);
  drawFacts(page, frame.filters);
  drawTotals(page, frame.totals);
}

/** Above the rule, whatever the height of the logo. */
const LOGO_TOP = mm(9);

/** As many lines as it takes, the last of them always in the same place. */
function drawSender(page: Page, frame: ReportFrame): void {
  page.logo = frame.logo && placeLogo(frame.logo, RIGHT, LOGO_TOP);
  const end = (page.logo?.x ?? RIGHT + LOGO_GAP) - LOGO_GAP;
  const lines = senderLines(frame, page.fonts, end - LEFT, { name: SIZE, address: SMALL });
  const last = mm(lines.at(-1)?.isName ? 19 : 20);
  for (const [index, { text, size, isName }] of lines.entries()) {
    const y = lines.slice(index + 1).reduce((above, { leading }) => above - leading, last);
    page.text(text, LEFT, y, { size, bold: isName, grey: SOFT });
  }
}

const INDENT = 62;

/** From the first fact's line to the last one's, over the table's place. */
const FACTS_HEIGHT = mm(22);

/** Proveedor and Obra each on a line, so is what is long; the others stand two to a line. */
function drawFacts(page: Page, filters: readonly FilterFact[]): void {
  const room = RIGHT - LEFT - TOTALS_WIDTH - 20;
  const half = room / 2;
  const { regular } = page.fonts;
  const isLong = ({ value }: FilterFact) =>
    widthOf(printable(value, regular), regular, SIZE) > half - GAP - INDENT;
  const lines: FilterFact[][] = filters.slice(0, 2).map((fact) => [fact]);
  let free: FilterFact[] | undefined;
  for (const fact of filters.slice(2)) {
    const line = isLong(fact) ? undefined : free;
    if (line) line.push(fact);
    else lines.push([fact]);
    if (!isLong(fact)) free = line ? undefined : lines.at(-1);
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

/** Set as the sum that it is: what was paid, taken from the total, leaves what is pending. */
function drawTotals(page: Page, totals: ReportFrame['totals']): void {
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
