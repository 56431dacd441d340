import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { PictureFile } from '../picture.ts';
import { nextStep } from './next-step.ts';

/** null is an empty cell; each format writes money and days its own way. */
export type Cell = string | number | { cents: Cents } | { date: PlainDate } | null;

export interface SheetColumn<Row> {
  /** the field's name on the wire */
  name: string;
  heading: string;
  cell(row: Row): Cell;
  /** the heading over two lines, where a column is narrow */
  headingLines?: readonly [string, string];
  /** money that is summed nowhere, such as a running balance */
  sum?: false;
  /** on paper: left out, or shown in another way */
  paper?: false | SheetColumn<Row>['cell'];
  /** what tells the rows apart, on every page of a table that is too wide for one */
  key?: true;
}

/** A sum of the rows since the last sum, a sum of all, or a row that counts in neither. */
export type RowRole = 'group' | 'total' | 'apart';

export interface Sheet<Row> {
  columns: readonly SheetColumn<Row>[];
  pages: Pages<Row> | AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  /** where some rows sum others; a sheet without them ends in the sums of its money, where a format has room */
  roleOf?(row: Row): RowRole | undefined;
  /** where rows of one table are of several kinds, each kind's own sums stand above the sums of all */
  parts?: SheetParts;
}

export interface SheetParts {
  column: string;
  /** rows of the first kind alone need no sums of their own */
  labels: readonly (readonly [text: string, label: string])[];
}

/** Short enough for nobody to wait behind one read. */
const ROWS_READ = 1000;

interface Pages<Row> extends AsyncIterable<readonly Row[]> {
  inReadsOf(rows: number): AsyncGenerator<readonly Row[]>;
}

type ReadPage<Row> = (page: {
  limit: number;
  cursor?: string;
}) => Promise<{ rows: readonly Row[]; cursor?: string }>;

/**
 * Reads a search from its first page to its last, each page by itself: on SQLite one long read would keep the
 * write-ahead log from being emptied for as long as the slowest download. So a row that changes meanwhile shows as it
 * was when its page was read.
 */
export function pagesOf<Row>(read: ReadPage<Row>, part: SheetPart = {}): Pages<Row> {
  const inReadsOf = (rows: number) => readPages(read, part, rows);
  return { inReadsOf, [Symbol.asyncIterator]: () => inReadsOf(ROWS_READ) };
}

async function* readPages<Row>(
  read: ReadPage<Row>,
  { cursor, limit: left = Number.POSITIVE_INFINITY }: SheetPart,
  rows: number,
): AsyncGenerator<readonly Row[]> {
  do {
    await nextStep(); // however many exports begin at once
    const page = await read({ limit: Math.min(left, rows), cursor });
    yield page.rows;
    left -= page.rows.length;
    cursor = page.cursor;
  } while (cursor !== undefined && left > 0);
}

export interface SheetPart {
  limit?: number;
  cursor?: string;
}

export const money = (cents: Cents): Cell => ({ cents });

/** Stays text where a number would say another. */
export const figure = (decimal: string | null): Cell =>
  decimal !== null && String(Number(decimal)) === decimal ? Number(decimal) : decimal;

export const day = (date: PlainDate | null): Cell => (date === null ? null : { date });

export interface FilterFact {
  label: string;
  value: string;
}

export interface ExportFrame {
  today: PlainDate;
  facts: readonly FilterFact[];
}

export interface ListExport<Row> {
  /** the file's name without its ending: "Facturas 2026-11-20" */
  file: string;
  title: string;
  /** what it is narrowed by; empty: nothing */
  filters: readonly FilterFact[];
  /** one of its rows and several: "factura", "facturas" */
  noun: readonly [one: string, many: string];
  sheet: Sheet<Row>;
  /** how many rows there are, where that is known without reading them all */
  count?(): Promise<number>;
  /** the rows as the API answers them; by their columns' names where it has no answer of its own */
  toRecords?(rows: readonly Row[]): readonly object[] | Promise<readonly object[]>;
  /** what stands under the table, in smaller letters */
  notes?: readonly string[];
  /** a form of its own instead of the table */
  form?: { file: string; draw(signal?: AbortSignal): Promise<Uint8Array> };
}

export interface Letterhead {
  empresa: string;
  rfc: string;
  direccion: string;
  /** on paper alone */
  logo?: PictureFile;
  title: string;
  filters: readonly FilterFact[];
  /** "Generado el 20 de noviembre de 2026, 12:00 (America/Mexico_City)" */
  generated: string;
}
