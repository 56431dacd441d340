import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';

/** Text, a whole number, money or a day; nothing at all where null. Each format writes them its own way. */
export type Cell = string | number | { cents: Cents } | { date: PlainDate } | null;

export interface SheetColumn<Row> {
  /** the field's name on the wire */
  name: string;
  heading: string;
  cell(row: Row): Cell;
}

/** A list as every format exports it: its columns once, and the whole of what its filter finds, in its order. */
export interface Sheet<Row> {
  columns: readonly SheetColumn<Row>[];
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
}

/** Rows of one read: short enough for nobody to wait behind it. */
export const ROWS_READ = 1000;

/**
 * A search from its first page to its last. Each page is a read of its own: on SQLite a long one would keep
 * every other reader waiting and the write-ahead log from being emptied, for as long as the slowest download.
 * So a row that changes meanwhile shows as it was when its page was read.
 */
export async function* pagesOf<Row>(
  read: (page: { limit: number; cursor?: string }) => Promise<{ rows: readonly Row[]; cursor?: string }>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  do {
    const page = await read({ limit: ROWS_READ, cursor });
    yield page.rows;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

export const money = (cents: Cents): Cell => ({ cents });

export const day = (date: PlainDate | null): Cell => (date === null ? null : { date });
