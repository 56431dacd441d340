import type { Letterhead } from '../sheets/list-export.ts';
import { type Fonts, mm } from './file.ts';
import { LOGO_GAP, type PlacedLogo, placeLogo } from './logo.ts';
import type { Page } from './page.ts';
import { type SenderLine, senderLines } from './sender.ts';
import { printable, widthOf } from './text.ts';

/** The paper, where its text begins and ends across it, and how large the table's letters are. */
export interface PaperFrame {
  paper: { width: number; height: number };
  left: number;
  right: number;
  size: number;
}

const TOP = mm(16);
export const SMALL = 8.1;
export const SOFT = 0.35;
const FACT_GAP = 20;
const FACT_LINE = 12;
const FACT_SIZE = 9.2;

/** Where the table begins on the pages after the first. */
export const NEXT_TABLE_TOP = mm(20);

/** Where it begins on the first: below what the head takes, which depends on what there is to say. */
export function tableTop(head: Letterhead, frame: PaperFrame, fonts: Fonts): number {
  const lines = placeFacts(head, frame, fonts).at(-1)?.line ?? -1;
  return ruleOf(head, frame, fonts) + (lines < 0 ? 3 : 15 + lines * FACT_LINE + 12);
}

/** Beside the name, a little above it. */
const LOGO_TOP = TOP - 10;

const logoOf = ({ logo }: Letterhead, { right }: PaperFrame): PlacedLogo | undefined =>
  logo && placeLogo(logo, right, LOGO_TOP);

function sender(head: Letterhead, frame: PaperFrame, fonts: Fonts): SenderLine[] {
  const end = (logoOf(head, frame)?.x ?? frame.right + LOGO_GAP) - LOGO_GAP;
  return senderLines(head, fonts, end - frame.left, { name: 11.3, address: SMALL });
}

function titleOf(head: Letterhead, frame: PaperFrame, fonts: Fonts): number {
  const [, ...below] = sender(head, frame, fonts);
  const name = head.empresa || head.rfc || head.direccion ? 21 : 0;
  const logo = logoOf(head, frame);
  const belowLogo = logo ? logo.y + logo.height + 20 : 0;
  return Math.max(
    below.reduce((y, { leading }) => y + leading, TOP + name),
    belowLogo,
  );
}

const ruleOf = (head: Letterhead, frame: PaperFrame, fonts: Fonts): number => titleOf(head, frame, fonts) + 9;

/** Who sends it, what it is, when it was made, and what it is narrowed by. */
export function drawHead(page: Page, head: Letterhead, frame: PaperFrame): void {
  const { left, right } = frame;
  const { title, generated } = head;
  const { fonts } = page;
  const { regular } = fonts;
  page.logo = logoOf(head, frame);
  let y = TOP;
  for (const [index, { text, size, isName, leading }] of sender(head, frame, fonts).entries()) {
    if (index > 0) y += leading;
    page.text(text, left, y, { size, bold: isName, grey: isName ? 0.15 : SOFT });
  }
  const line = titleOf(head, frame, fonts);
  const made = widthOf(printable(generated, regular), regular, SMALL);
  page.text(title, left, line, { size: 17, bold: true, width: right - left - made - 16 });
  page.end(generated, right, line, { size: SMALL, grey: SOFT });
  const rule = ruleOf(head, frame, fonts);
  if (head.filters.length > 0) page.rule(rule, 0.75);
  for (const { label, value, x, line: row, width } of placeFacts(head, frame, fonts)) {
    const at = rule + 15 + row * FACT_LINE;
    const indent = widthOf(label, regular, SMALL) + 5;
    page.text(label, x, at, { size: SMALL, grey: SOFT });
    page.text(value, x + indent, at, { size: FACT_SIZE, width: width - indent });
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
    const [label, value] = [printable(fact.label, regular), printable(fact.value, regular)];
    const wish = widthOf(label, regular, SMALL) + 5 + widthOf(value, regular, FACT_SIZE);
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
