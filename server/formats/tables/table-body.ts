import { cellText, isEmptyWord, trimCell } from './cell-text.ts';
import { countFilled, findHeadings, isBlankRow, LineJudge, type TableHints } from './header.ts';
import type { ParsedTable } from './parsed-table.ts';
import type { RawCell, RawRow, ReadTable } from './table.ts';

/** What is known of a table once all of its lines have passed. */
type TableBody = Pick<ParsedTable, 'header' | 'skipped' | 'census' | 'noRows'>;

/** So many lines with anything in them tell which one holds the headings. */
export const LINES_LOOKED_AT = 200;

const NOTED = 4;

/** A line that may yet be no row, or that matters to whether the next one is. */
interface Doubtful {
  line: number;
  /** among the lines below the headings */
  place: number;
  why: 'blank' | 'total' | 'header' | undefined;
  key: string;
  /** passed on as a row */
  cells: readonly RawCell[] | undefined;
}

/**
 * Tells the line of headings, the rows of data below it, and what is neither, while the lines pass: rows are passed on
 * one by one, and what only the end of the file shows to be none is named then.
 */
export class TableSplitter {
  readonly #hints: TableHints;
  readonly #take: (row: RawRow) => void;
  /** until the headings are known */
  #first: RawRow[] | undefined = [];
  #filled = 0;
  #header: ReadTable['header'] | undefined;
  #judge!: LineJudge;
  readonly #skipped: ReadTable['skipped'][number][] = [];
  readonly #doubtful: Doubtful[] = [];
  readonly #census = new Census();
  #place = 0;
  #lastFull = 0;

  constructor(hints: TableHints, take: (row: RawRow) => void) {
    this.#hints = hints;
    this.#take = take;
  }

  push(row: RawRow): void {
    if (!this.#first) {
      this.#pass(row);
      return;
    }
    this.#first.push(row);
    if (!isBlankRow(row.cells)) this.#filled += 1;
    if (this.#filled === LINES_LOOKED_AT) this.#begin(this.#first);
  }

  /** Nothing where no line can be the headings. */
  end(): TableBody | undefined {
    if (this.#first) this.#begin(this.#first);
    if (!this.#header) return undefined;
    const noRows: number[] = [];
    let [gap, before] = [false, -1];
    for (const { line, place, why: said, key, cells } of this.#doubtful) {
      if (place !== before + 1) gap = false; // rows as rows should be came between
      before = place;
      const why = said === 'total' && this.#judge.isNamed(key) ? undefined : said;
      const isNote = !why && gap && line > this.#lastFull && this.#header.names.length >= NOTED;
      gap = why === 'blank' || why === 'total' || isNote;
      if (why || isNote) {
        this.#skipped.push({ line, why: why ?? 'note' });
        if (cells) noRows.push(line);
      } else if (cells) this.#census.add(cells);
    }
    return {
      header: this.#header,
      skipped: this.#skipped,
      noRows,
      census: this.#census.taken,
    };
  }

  #begin(first: readonly RawRow[]): void {
    this.#first = undefined;
    this.#header = findHeadings(first, this.#hints);
    if (!this.#header) return;
    this.#judge = new LineJudge(this.#header.names);
    for (const row of first) this.#pass(row);
  }

  #pass(row: RawRow): void {
    if (!this.#header) return;
    const { line, cells } = row;
    const filled = countFilled(cells);
    if (filled > 1) this.#lastFull = line;
    if (line === this.#header.line) return;
    if (line < this.#header.line) {
      this.#skipped.push({ line, why: filled === 0 ? 'blank' : 'title' });
      return;
    }
    const place = this.#place++;
    const { why, key } = this.#judge.judge(cells);
    // Notes stand below tables of some width.
    if (!why && (filled > 1 || this.#header.names.length < NOTED)) this.#census.add(cells);
    else {
      const isRow = !why || why === 'total';
      this.#doubtful.push({ line, place, why, key, cells: isRow ? cells : undefined });
      if (!isRow) return;
    }
    this.#take(row);
  }
}

/** What the rows of a table have in common, so that nobody has to go through them to know. */
class Census {
  readonly #widths = new Map<number, number>();
  readonly #written: boolean[] = [];
  readonly #holding: boolean[] = [];

  add(cells: readonly RawCell[]): void {
    this.#widths.set(cells.length, (this.#widths.get(cells.length) ?? 0) + 1);
    for (const [index, cell] of cells.entries()) {
      if (this.#holding[index]) continue;
      const text = cellText(cell);
      this.#written[index] ||= text.trim() !== '';
      this.#holding[index] = !isEmptyWord(trimCell(text));
    }
  }

  get taken(): ReadTable['census'] {
    return {
      widths: [...this.#widths],
      written: Array.from(this.#written, Boolean),
      holding: Array.from(this.#holding, Boolean),
    };
  }
}
