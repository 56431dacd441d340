import type { RawCell, RawRow } from './table.ts';

/** What stands behind a sheet's rows, or is known only after them, and yet matters to the first. */
export interface SheetLayout {
  /** as "A2:A5" */
  merges: readonly string[];
  /** each row below the one before */
  isInOrder: boolean;
}

const TAG = /<(?:\w+:)?(row|mergeCell)(?=[\s>/])([^>]*)>/g;

/** Looks a sheet through for these two tags alone: a tenth of the time that its XML takes to be read. */
export async function readLayout(pieces: AsyncIterable<string>): Promise<SheetLayout> {
  const merges: string[] = [];
  let isInOrder = true;
  let row = 0;
  let rest = '';
  for await (const piece of pieces) {
    const text = rest + piece;
    for (const [, name, attributes = ''] of text.matchAll(TAG)) {
      if (name === 'row') {
        const number = rowNumber(/(?:^|\s)r=["'](\d+)["']/.exec(attributes)?.[1]) ?? row + 1;
        if (number <= row) isInOrder = false;
        row = number;
      } else if (merges.length < MOST_MERGES) merges.push(/ref=["']([^"']*)["']/.exec(attributes)?.[1] ?? '');
    }
    const open = text.lastIndexOf('<');
    rest = open > text.lastIndexOf('>') && text.length - open < LONGEST_TAG ? text.slice(open) : '';
  }
  return { merges, isInOrder };
}

const MOST_MERGES = 10_000;
const MOST_MERGED_ROWS = 500;
const LONGEST_TAG = 10_000;

interface Merge {
  column: number;
  first: number;
  last: number;
  value?: RawCell;
}

/**
 * One name merged over several rows is the name of each. Numbers are not repeated: one amount merged over three
 * invoices is not three amounts.
 */
export class MergedCells {
  /** those to come, the next one last */
  readonly #coming: Merge[];
  #open: Merge[] = [];

  constructor(references: readonly string[]) {
    this.#coming = references.flatMap(readMerge).sort((one, other) => other.first - one.first);
  }

  /** Rows are passed from the first to the last. */
  fill(row: RawRow): RawRow {
    if (this.#coming.length === 0 && this.#open.length === 0) return row;
    const { line } = row;
    const cells = [...row.cells];
    this.#open = this.#open.filter(({ last }) => last >= line);
    for (const { column, value = null } of this.#open) {
      if ((cells[column] ?? null) !== null) continue;
      while (cells.length < column) cells.push(null);
      cells[column] = value;
    }
    for (let next = this.#coming.at(-1); next && next.first <= line; next = this.#coming.at(-1)) {
      this.#coming.pop();
      const value = next.first === line ? cells[next.column] : undefined;
      if (typeof value === 'string' || (typeof value === 'object' && value !== null && 'date' in value))
        this.#open.push({ ...next, value });
    }
    return { line, cells };
  }
}

function readMerge(reference: string): Merge[] {
  const [, from, first, to, last] = /^([A-Z]+)(\d+):([A-Z]+)(\d+)$/.exec(reference) ?? [];
  const column = columnOf(from);
  if (column === undefined || columnOf(to) === undefined) return [];
  return [{ column, first: Number(first), last: Math.min(Number(last), Number(first) + MOST_MERGED_ROWS) }];
}

const MOST_ROWS = 1_048_576;

export function rowNumber(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 && number <= MOST_ROWS ? number : undefined;
}

/** "AB12" → 27 */
export function columnOf(reference: string | undefined): number | undefined {
  if (!reference) return undefined;
  let column = 0;
  let letters = 0;
  for (; letters < reference.length && letters < 4; letters++) {
    const code = reference.charCodeAt(letters) & ~32;
    if (code < 65 || code > 90) break;
    column = column * 26 + code - 64;
  }
  return letters === 0 ? undefined : column - 1;
}
