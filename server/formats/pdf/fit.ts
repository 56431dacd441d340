import { LETTER, mm } from './document.ts';
import { type Font, type Fonts, widthOf } from './text.ts';

export interface PaperColumn {
  heading: readonly string[];
  /** the second line explains the first */
  hasNote: boolean;
  /** by its first cell that is not empty: figures are right-aligned, and only texts are ever broken or cut */
  kind: 'text' | 'date' | 'figure' | undefined;
  isKey: boolean;
  /** of its widest text, at one point */
  widest: number;
  /** of its widest word, which cannot be broken without being torn */
  widestWord: number;
}

export interface Fit {
  paper: { width: number; height: number };
  size: number;
  /** the columns of each of the pages that lie side by side */
  panels: readonly (readonly PlacedColumn[])[];
}

export interface PlacedColumn {
  index: number;
  x: number;
  width: number;
}

export const MARGIN = mm(13);
export const GAP = 8;
/** In multiples of the letters' size: what a name gets at most before others, and what it gets at least. */
const MOST_NAME = 24;
const LEAST_NAME = 8.3;
/** A word up to this wide is kept whole while there is another way. */
const MOST_WORD = 19.5;
/** A name that gets this part of its width fits on two lines. */
const TWO_LINES = 0.62;

const ACROSS = { width: LETTER.height, height: LETTER.width };

/** In order of preference. */
const SETTINGS = [
  { paper: LETTER, size: 9.2 },
  { paper: ACROSS, size: 9.2 },
  { paper: ACROSS, size: 8.1 },
  { paper: ACROSS, size: 7.4 },
] as const;

type Setting = (typeof SETTINGS)[number];

/** Upright where it fits, else across, else smaller, else over pages side by side, each with the key columns first. */
export function fitColumns(columns: readonly PaperColumn[], { bold }: Fonts): Fit {
  const all = [...columns.keys()];
  for (const ease of [TWO_LINES, 0]) {
    for (const setting of SETTINGS) {
      const placed = place(columns, all, setting, bold, ease);
      if (placed) return { ...setting, panels: [placed] };
    }
  }
  const setting = SETTINGS[2];
  const keys = all.filter((index) => columns[index]!.isKey);
  const others = all.filter((index) => !columns[index]!.isKey);
  const split = (most: number) => {
    const panels: PlacedColumn[][] = [];
    for (let from = 0, taken = most; from < others.length; ) {
      taken = Math.min(taken, others.length - from);
      const part = [...keys, ...others.slice(from, from + taken)];
      const placed = place(columns, part, setting, bold, taken === 1 ? undefined : 0);
      if (placed) {
        panels.push(placed);
        from += taken;
        taken = most;
      } else taken--;
    }
    return panels;
  };
  const greedy = split(others.length);
  const even = split(Math.ceil(others.length / greedy.length));
  return { ...setting, panels: even.length > greedy.length ? greedy : even };
}

/** Returns nothing where a name would get less than `ease` of its width, or its least; without `ease` all fit. */
function place(
  columns: readonly PaperColumn[],
  part: readonly number[],
  { paper, size }: Setting,
  bold: Font,
  ease: number | undefined,
): PlacedColumn[] | undefined {
  const needs = part.map((index) => needOf(columns[index]!, size, bold, Boolean(ease)));
  const names = needs.filter(({ isName }) => isName);
  const inner = paper.width - 2 * MARGIN - GAP * (part.length - 1);
  const forNames = inner - sum(needs.map(({ isName, wish }) => (isName ? 0 : wish)));
  const needed = sum(names.map(({ least, wish }) => Math.max(least, wish * (ease ?? 0))));
  if (ease !== undefined && forNames < needed) return undefined;
  const wished = sum(names.map(({ wish }) => wish));
  const spare = forNames - wished;
  const share = shareOut(names, forNames);
  // The names get the remaining space; where there are none, the gaps between the columns do.
  const extra = names.length === 0 ? Math.max(0, spare / part.length) : 0;
  let x = MARGIN;
  return part.map((index, at) => {
    const need = needs[at]!;
    const ofName = spare > 0 ? need.wish + (spare * need.wish) / wished : share(need);
    const placed = { index, x, width: need.isName ? ofName : need.wish + extra };
    x += placed.width + GAP;
    return placed;
  });
}

interface Need {
  isName: boolean;
  wish: number;
  least: number;
}

function needOf(
  { heading, kind, widest, widestWord }: PaperColumn,
  size: number,
  bold: Font,
  keepsWords: boolean,
): Need {
  const head = Math.max(...heading.map((line) => widthOf(line, bold, size - 0.5)));
  const whole = Math.max(head, widest * size);
  if (kind === 'date' || kind === 'figure') return { isName: false, wish: whole, least: whole };
  const wish = Math.max(head, Math.min(whole, MOST_NAME * size));
  const word = keepsWords && widestWord <= MOST_WORD ? widestWord * size : 0;
  return { isName: true, wish, least: Math.min(wish, Math.max(head * 0.8, LEAST_NAME * size, word)) };
}

/** Narrow names keep what they need; the long ones give way, down to their least. */
function shareOut(names: readonly Need[], room: number): (need: Need) => number {
  let low = 0;
  let high = Math.max(0, ...names.map(({ wish }) => wish));
  const at = (limit: number) => (need: Need) => Math.max(need.least, Math.min(need.wish, limit));
  for (let step = 0; step < 40; step++) {
    const limit = (low + high) / 2;
    if (sum(names.map(at(limit))) > room) high = limit;
    else low = limit;
  }
  return at(low);
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
