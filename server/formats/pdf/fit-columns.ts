import { LETTER_SIZE, mm } from './document.ts';
import { type Font, type Fonts, widthOf } from './text.ts';

export interface PaperColumn {
  heading: readonly string[];
  /** whether the heading has a second line that explains the first */
  hasHeadingNote: boolean;
  /** the kind of its first filled cell; only texts are wrapped or cut off */
  kind: 'text' | 'date' | 'figure' | undefined;
  isKey: boolean;
  /** the width of its widest text, at a size of one point */
  widestTextPerPoint: number;
  /** the width of its widest word, at a size of one point; a narrower column would break the word */
  widestWordPerPoint: number;
}

export interface ColumnFit {
  paper: { width: number; height: number };
  size: number;
  panels: readonly (readonly PlacedColumn[])[];
}

export interface PlacedColumn {
  index: number;
  x: number;
  width: number;
}

export const PAGE_MARGIN = mm(13);
export const GAP = 8;
/** In multiples of the font size. Columns of names get at least MIN, and at most MAX while others are too narrow. */
const MAX_NAME_WIDTH = 24;
const MIN_NAME_WIDTH = 8.3;
/** In multiples of the font size. A word up to this width is only broken if nothing else fits. */
const MAX_WORD_WIDTH = 19.5;
/** A column with this share of a name's width can show the name on two lines. */
const TWO_LINE_WIDTH_SHARE = 0.62;

const LANDSCAPE = { width: LETTER_SIZE.height, height: LETTER_SIZE.width };

const PAGE_SETTINGS = [
  { paper: LETTER_SIZE, size: 9.2 },
  { paper: LANDSCAPE, size: 9.2 },
  { paper: LANDSCAPE, size: 8.1 },
  { paper: LANDSCAPE, size: 7.4 },
] as const;

type PageSetting = (typeof PAGE_SETTINGS)[number];

/** Tries upright, landscape, smaller letters, and then pages side by side that each repeat the key columns. */
export function fitColumns(columns: readonly PaperColumn[], { bold }: Fonts): ColumnFit {
  const all = [...columns.keys()];
  for (const minShare of [TWO_LINE_WIDTH_SHARE, 0]) {
    for (const pageSetting of PAGE_SETTINGS) {
      const placed = placeColumns(columns, all, pageSetting, bold, minShare);
      if (placed) return { ...pageSetting, panels: [placed] };
    }
  }
  const pageSetting = PAGE_SETTINGS[2];
  const keys = all.filter((index) => columns[index]!.isKey);
  const others = all.filter((index) => !columns[index]!.isKey);
  const splitIntoPanels = (maxCount: number) => {
    const panels: PlacedColumn[][] = [];
    for (let from = 0, count = maxCount; from < others.length; ) {
      count = Math.min(count, others.length - from);
      const part = [...keys, ...others.slice(from, from + count)];
      const placed = placeColumns(columns, part, pageSetting, bold, count === 1 ? undefined : 0);
      if (placed) {
        panels.push(placed);
        from += count;
        count = maxCount;
      } else count--;
    }
    return panels;
  };
  const greedy = splitIntoPanels(others.length);
  const even = splitIntoPanels(Math.ceil(others.length / greedy.length));
  return { ...pageSetting, panels: even.length > greedy.length ? greedy : even };
}

/** @returns undefined where a name would get less than `minShare` of its width, or less than its minimum */
function placeColumns(
  columns: readonly PaperColumn[],
  columnIndexes: readonly number[],
  { paper, size }: PageSetting,
  bold: Font,
  minShare: number | undefined,
): PlacedColumn[] | undefined {
  const needs = columnIndexes.map((index) => measureNeed(columns[index]!, size, bold, Boolean(minShare)));
  const names = needs.filter(({ isName }) => isName);
  const inner = paper.width - 2 * PAGE_MARGIN - GAP * (columnIndexes.length - 1);
  const forNames = inner - sum(needs.map(({ isName, preferred }) => (isName ? 0 : preferred)));
  const needed = sum(names.map(({ minimum, preferred }) => Math.max(minimum, preferred * (minShare ?? 0))));
  if (minShare !== undefined && forNames < needed) return undefined;
  const preferredSum = sum(names.map(({ preferred }) => preferred));
  const spare = forNames - preferredSum;
  const share = createWidthAllocator(names, forNames);
  const extra = names.length === 0 ? Math.max(0, spare / columnIndexes.length) : 0;
  let x = PAGE_MARGIN;
  return columnIndexes.map((index, at) => {
    const need = needs[at]!;
    const ofName = spare > 0 ? need.preferred + (spare * need.preferred) / preferredSum : share(need);
    const placed = { index, x, width: need.isName ? ofName : need.preferred + extra };
    x += placed.width + GAP;
    return placed;
  });
}

interface WidthNeed {
  isName: boolean;
  preferred: number;
  minimum: number;
}

function measureNeed(
  { heading, kind, widestTextPerPoint, widestWordPerPoint }: PaperColumn,
  size: number,
  bold: Font,
  keepsWords: boolean,
): WidthNeed {
  const head = Math.max(...heading.map((line) => widthOf(line, bold, size - 0.5)));
  const full = Math.max(head, widestTextPerPoint * size);
  if (kind === 'date' || kind === 'figure') return { isName: false, preferred: full, minimum: full };
  const preferred = Math.max(head, Math.min(full, MAX_NAME_WIDTH * size));
  const word = keepsWords && widestWordPerPoint <= MAX_WORD_WIDTH ? widestWordPerPoint * size : 0;
  return {
    isName: true,
    preferred,
    minimum: Math.min(preferred, Math.max(head * 0.8, MIN_NAME_WIDTH * size, word)),
  };
}

/** Narrow names get the width they need; wide ones shrink, down to their minimum, to a common limit. */
function createWidthAllocator(names: readonly WidthNeed[], room: number): (need: WidthNeed) => number {
  let low = 0;
  let high = Math.max(0, ...names.map(({ preferred }) => preferred));
  const at = (limit: number) => (need: WidthNeed) => Math.max(need.minimum, Math.min(need.preferred, limit));
  for (let step = 0; step < 40; step++) {
    const limit = (low + high) / 2;
    if (sum(names.map(at(limit))) > room) high = limit;
    else low = limit;
  }
  return at(low);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
