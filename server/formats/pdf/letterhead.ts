import type { Letterhead } from '../sheets/sheet.ts';
import { mm, type Page, type PageGeometry, placeLogo, type TextStyle } from './document.ts';
import { clipToWidth, type Fonts, toPrintable, widthOf, wrapToWidth } from './text.ts';

interface SenderLine {
  text: string;
  size: number;
  isName: boolean;
  leading: number;
}

export function layOutSenderLines(
  { empresa, rfc, direccion }: Pick<Letterhead, 'empresa' | 'rfc' | 'direccion'>,
  { regular, bold }: Fonts,
  width: number,
  fontSizes: { name: number; address: number },
): SenderLine[] {
  const address = [rfc && `RFC ${rfc}`, direccion].filter(Boolean).join('  ·  ');
  const createSenderLines = (text: string, size: number, isName: boolean): SenderLine[] => {
    const font = isName ? bold : regular;
    const leading = size * (isName ? 1.2 : 1.3);
    const broken = text ? wrapToWidth(toPrintable(text, font), font, size, width, 2) : [];
    return broken.map((line) => ({ text: line, size, isName, leading }));
  };
  return [
    ...createSenderLines(empresa, fontSizes.name, true),
    ...createSenderLines(address, fontSizes.address, false),
  ];
}

export function drawRunningHead(
  page: Page,
  { title, empresa }: Pick<Letterhead, 'title' | 'empresa'>,
  { left, right }: Pick<PageGeometry, 'left' | 'right'>,
  y: number,
  style: TextStyle & { size: number },
): void {
  const { regular } = page.fonts;
  const [titleText, companyText] = [toPrintable(title, regular), toPrintable(empresa, regular)];
  const room = right - left - 16;
  const widthBeside = (text: string) => Math.max(room / 2, room - widthOf(text, regular, style.size));
  page.drawText(titleText, left, y, { ...style, width: widthBeside(companyText) });
  page.drawTextRight(clipToWidth(companyText, regular, style.size, widthBeside(titleText)), right, y, style);
}

const TOP = mm(16);
const LOGO_TOP = TOP - 10;
export const SMALL_SIZE = 8.1;
export const SOFT_GREY = 0.35;
const FILTER_GAP = 20;
const FILTER_LEADING = 12;
const FILTER_FONT_SIZE = 9.2;

const TITLE_SIZE = 17;

export function layOutLetterhead(
  letterhead: Letterhead,
  { left, right }: PageGeometry,
  fonts: Fonts,
): { bottom: number; draw(page: Page): void } {
  const { empresa, rfc, direccion } = letterhead;
  const { placed: logo, textEnd } = placeLogo(letterhead.logo, right, LOGO_TOP);
  const lines = layOutSenderLines(letterhead, fonts, textEnd - left, { name: 11.3, address: SMALL_SIZE });
  const below = lines.slice(1).reduce((sum, { leading }) => sum + leading, 0);
  const titleLine = Math.max(
    TOP + below + (empresa || rfc || direccion ? 21 : 0),
    logo ? logo.y + logo.height + 20 : 0,
  );
  const title = wrapToWidth(
    toPrintable(letterhead.title, fonts.bold),
    fonts.bold,
    TITLE_SIZE,
    right - left,
    2,
  );
  const rule = titleLine + (title.length - 1) * TITLE_SIZE * 1.2 + 9;
  const facts = placeFilters(letterhead, left, right, fonts);
  const last = facts.at(-1);
  return {
    bottom: rule + (last ? 15 + last.line * FILTER_LEADING + 12 : 3),
    draw(page) {
      if (logo) page.drawLogo(logo);
      let y = TOP;
      for (const [index, { text, size, isName, leading }] of lines.entries()) {
        if (index > 0) y += leading;
        page.drawText(text, left, y, { size, bold: isName, grey: isName ? 0.15 : SOFT_GREY });
      }
      for (const [line, text] of title.entries())
        page.drawText(text, left, titleLine + line * TITLE_SIZE * 1.2, { size: TITLE_SIZE, bold: true });
      if (last) page.drawRule(rule, 0.75);
      for (const { label, value, x, line, width } of facts) {
        const at = rule + 15 + line * FILTER_LEADING;
        const indent = widthOf(label, fonts.regular, SMALL_SIZE) + 5;
        page.drawText(label, x, at, { size: SMALL_SIZE, grey: SOFT_GREY });
        page.drawText(value, x + indent, at, { size: FILTER_FONT_SIZE, width: width - indent });
      }
    },
  };
}

function placeFilters({ filters }: Letterhead, left: number, right: number, { regular }: Fonts) {
  let x = left;
  let line = 0;
  return filters.map((fact) => {
    const [label, value] = [toPrintable(fact.label, regular), toPrintable(fact.value, regular)];
    const wantedWidth = widthOf(label, regular, SMALL_SIZE) + 5 + widthOf(value, regular, FILTER_FONT_SIZE);
    const width = Math.min(wantedWidth + 0.5, right - left);
    if (x > left && x + width > right) {
      x = left;
      line++;
    }
    const placed = { label, value, x, line, width };
    x += width + FILTER_GAP;
    return placed;
  });
}
