import type { Letterhead } from '../sheets/list-export.ts';
import { type Fonts, mm } from './file.ts';
import type { Page } from './page.ts';
import { clip, printable, widthOf } from './text.ts';

/** The paper, where its text begins and ends across it, and how large the table's letters are. */
export interface PaperFrame {
  paper: { width: number; height: number };
  left: number;
  right: number;
  size: number;
}

const TOP = mm(16);
const SMALL = 7.5;
const SOFT = 0.35;
const FACT_GAP = 20;
const FACT_LINE = 12;

/** Where the table begins on the pages after the first. */
export const NEXT_TABLE_TOP = mm(20);

/** Where it begins on the first: below what the head takes, which depends on what there is to say. */
export function tableTop(head: Letterhead, frame: PaperFrame, fonts: Fonts): number {
  const lines = placeFacts(head, frame, fonts).at(-1)?.line ?? -1;
  return ruleOf(head) + (lines < 0 ? 3 : 15 + lines * FACT_LINE + 12);
}

const titleOf = (head: Letterhead): number =>
  TOP + (head.empresa ? 0 : -6) + (addressOf(head) ? 11 : 0) + (head.empresa || addressOf(head) ? 21 : 6);

const ruleOf = (head: Letterhead): number => titleOf(head) + 9;

/** "RFC AAA010101AAA  ·  Av. 1, Monterrey", or what of it there is. */
export const addressOf = ({ rfc, direccion }: Pick<Letterhead, 'rfc' | 'direccion'>): string =>
  [rfc && `RFC ${rfc}`, direccion].filter(Boolean).join('  ·  ');

/** Who sends it, what it is, when it was made, and what it is narrowed by. */
export function drawHead(page: Page, head: Letterhead, frame: PaperFrame): void {
  const { left, right } = frame;
  const { title, generated, empresa } = head;
  let y = TOP;
  page.text(empresa, left, y, { size: 10.5, bold: true, grey: 0.15 });
  if (empresa && addressOf(head)) y += 11;
  page.text(addressOf(head), left, y, { size: SMALL, grey: SOFT });
  const line = titleOf(head);
  const made = widthOf(printable(generated), page.fonts.regular, SMALL);
  page.text(title, left, line, { size: 16, bold: true, width: right - left - made - 16 });
  page.end(generated, right, line, { size: SMALL, grey: SOFT });
  if (head.filters.length > 0) page.rule(ruleOf(head), 0.75);
  for (const { label, value, x, line: row, width } of placeFacts(head, frame, page.fonts)) {
    const at = ruleOf(head) + 15 + row * FACT_LINE;
    const indent = widthOf(label, page.fonts.regular, SMALL) + 5;
    page.text(label, x, at, { size: SMALL, grey: SOFT });
    page.text(value, x + indent, at, { size: 8.5, width: width - indent });
  }
}

interface PlacedFact {
  label: string;
  value: string;
  x: number;
  line: number;
  width: number;
}

/** One after the other, on as many lines as they need. */
function placeFacts({ filters }: Letterhead, { left, right }: PaperFrame, { regular }: Fonts): PlacedFact[] {
  let x = left;
  let line = 0;
  return filters.map((fact) => {
    const [label, value] = [printable(fact.label), printable(fact.value)];
    const wish = widthOf(label, regular, SMALL) + 5 + widthOf(value, regular, 8.5);
    const width = Math.min(wish + 0.5, right - left);
    if (x > left && x + width > right) {
      x = left;
      line++;
    }
    const placed = { label, value, x, line, width };
    x += width + FACT_GAP;
    return placed;
  });
}

export function drawRunningHead(
  page: Page,
  { title, empresa }: Letterhead,
  { left, right }: PaperFrame,
): void {
  const half = (right - left) / 2 - 8;
  page.text(title, left, mm(14), { size: SMALL, grey: SOFT, width: half });
  const shown = clip(printable(empresa), page.fonts.regular, SMALL, half);
  page.end(shown, right, mm(14), { size: SMALL, grey: SOFT });
}
