import type { PackedList, Rows } from '../packed-list.ts';
import type { RawRow, ReadTable } from './table.ts';

/** A table without its rows, which go another way; JSON, so that it crosses processes. */
export interface ParsedTable extends Omit<ReadTable, 'rows'> {
  /** lines that were passed on as rows, and are none: only the end of the file showed it */
  noRows: readonly number[];
}

/** The table, of what its reader said and the rows that it sent. */
export function tableOf({ noRows, ...table }: ParsedTable, packed: PackedList<RawRow>): ReadTable {
  return { ...table, rows: noRows.length > 0 ? new RowsWithout(packed, new Set(noRows)) : packed };
}

/** All but those of some lines. */
class RowsWithout implements Rows<RawRow> {
  readonly #all: PackedList<RawRow>;
  readonly #lines: ReadonlySet<number>;

  constructor(all: PackedList<RawRow>, lines: ReadonlySet<number>) {
    this.#all = all;
    this.#lines = lines;
  }

  get length(): number {
    return this.#all.length - this.#lines.size;
  }

  *[Symbol.iterator](): Generator<RawRow> {
    for (const row of this.#all) if (!this.#lines.has(row.line)) yield row;
  }

  slice(from: number, to = this.length): RawRow[] {
    return Iterator.from(this)
      .drop(from)
      .take(Math.max(0, to - from))
      .toArray();
  }
}
