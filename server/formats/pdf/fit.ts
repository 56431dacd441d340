import type { Fonts } from './file.ts';
import { widthOf } from './text.ts';

/** A column as it is to be set: the lines of its heading, and all it holds as printable text. */
export interface PaperColumn {
  heading: readonly string[];
  /** the second of them says more about the first */
  hasNote: boolean;
  /** figures end on the right and are never cut */
  isFigure: boolean;
  /** days and marks are never cut either */
  isFixed: boolean;
  isKey: boolean;
  /** of the widest text in it, at one point: regular and bold */
  widest: number;
  /** of the widest word: what can't be broken without being torn */
  widestWord: number;
}

export interface Fit {
  landscape: boolean;
  size: number;
  /** which columns stand on each of the pages that lie side by side, and how wide */
  panels: readonly (readonly PlacedColumn[])[];
}

export interface PlacedColumn {
  index: number;
  x: number;
  width: number;
}

export const GAP = 8;
/** What a name is given at most before others get what they need, and at least: so often the letters' size. */
const MOST_NAME = 24;
const LEAST_NAME = 8.3;
/** A word up to this wide is kept whole while there is another way. */
const MOST_WORD = 19.5;

/** In the order of preference: paper and the size of the letters. */
const SETTINGS = [
  { landscape: false, size: 9.2 },
  { landscape: true, size: 9.2 },
  { landscape: true, size: 8.1 },
  { landscape: true, size: 7.4 },
] as const;

/**
 * How a table goes on paper: upright where it fits, else across, else in smaller letters, else over pages
 * that lie side by side, each beginning with the key columns.
 */
export function fitColumns(
  columns: readonly PaperColumn[],
  room: (landscape: boolean) => { left: number; width: number },
  fonts: Fonts,
): Fit {
  const all = columns.map((_, index) => index);
  for (const ease of [TWO_LINES, 0]) {
    for (const setting of SETTINGS) {
      const { left, width } = room(setting.landscape);
      const placed = place(columns, all, left, width, setting.size, fonts, ease);
      if (placed) return { ...setting, panels: [placed] };
    }
  }
  const setting = SETTINGS[2];
  const { left, width } = room(setting.landscape);
  const keys = all.filter((index) => columns[index]!.isKey);
  const others = all.filter((index) => !columns[index]!.isKey);
  const split = (most: number) => {
    const panels: PlacedColumn[][] = [];
    for (let rest = others; rest.length > 0; ) {
      let taken = Math.min(most, rest.length);
      let placed: PlacedColumn[] | undefined;
      while (!placed) {
        const part = [...keys, ...rest.slice(0, taken)];
        placed = place(columns, part, left, width, setting.size, fonts, taken === 1 ? undefined : 0);
        if (!placed) taken--;
      }
      panels.push(placed);
      rest = rest.slice(taken);
    }
    return panels;
  };
  const greedy = split(others.length);
  const even = split(Math.ceil(others.length / greedy.length));
  return { ...setting, panels: even.length > greedy.length ? greedy : even };
}

/** So much of its width does a name need to be whole on two lines. */
const TWO_LINES = 0.62;

/**
 * These columns side by side, or nothing where they need more than there is: every name this part of what it
 * takes on one line, and never less than its least. Without `ease`, at any cost.
 */
function place(
  columns: readonly PaperColumn[],
  part: readonly number[],
  left: number,
  room: number,
  size: number,
  fonts: Fonts,
  ease: number | undefined,
): PlacedColumn[] | undefined {
  const needs = part.map((index) => needOf(columns[index]!, size, fonts, Boolean(ease)));
  const inner = room - GAP * (part.length - 1);
  const fixed = sum(needs.filter(({ isName }) => !isName).map(({ wish }) => wish));
  const names = needs.filter(({ isName }) => isName);
  const forNames = inner - fixed;
  const needed = sum(names.map(({ least, wish }) => Math.max(least, wish * (ease ?? 0))));
  if (ease !== undefined && forNames < needed) return undefined;
  const wished = sum(names.map(({ wish }) => wish));
  const spare = forNames - wished;
  const share = shareOut(names, forNames);
  let x = left;
  return part.map((index, at) => {
    const need = needs[at]!;
    // What is left over goes to the names; where there are none, between the columns.
    const extra = names.length === 0 ? Math.max(0, spare / part.length) : 0;
    const width = need.isName
      ? spare > 0
        ? need.wish + (spare * need.wish) / wished
        : share(need)
      : need.wish + extra;
    const placed = { index, x, width };
    x += width + GAP;
    return placed;
  });
}

interface Need {
  isName: boolean;
  wish: number;
  least: number;
}

function needOf(
  { heading, isFigure, isFixed, widest, widestWord }: PaperColumn,
  size: number,
  { bold }: Fonts,
  keepsWords: boolean,
): Need {
  const head = Math.max(...heading.map((line) => widthOf(line, bold, size - 0.5)));
  const wish = Math.max(head, widest * size);
  const isName = !isFigure && !isFixed;
  if (!isName) return { isName, wish, least: wish };
  const most = Math.max(head, Math.min(wish, MOST_NAME * size));
  const word = keepsWords && widestWord <= MOST_WORD ? widestWord * size : 0;
  return { isName, wish: most, least: Math.min(most, Math.max(head * 0.8, LEAST_NAME * size, word)) };
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
