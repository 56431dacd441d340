import { formatCount } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import type { PictureFile } from '../picture.ts';
import { yieldToEventLoop } from './event-loop.ts';

/** null is an empty cell. Each format writes money and dates in its own way. */
export type Cell = string | number | { cents: Cents } | { date: PlainDate } | null;

export interface SheetColumn<Row> {
  name: string;
  heading: string;
  cell(row: Row): Cell;
  headingLines?: readonly [string, string];
  /** money that is never summed, such as a running balance */
  sum?: false;
  paperCell?: false | SheetColumn<Row>['cell'];
  /** identifies the rows; repeated on every page of a table that is too wide for one */
  key?: true;
}

type SheetColumnSpec<Row> = Omit<SheetColumn<Row>, 'name' | 'cell'> &
  (
    | { name: string; cell(row: Row): Cell }
    | { name: NamesOfMembersOfType<Row, string | number | null>; kind?: undefined }
    | { name: NamesOfMembersOfType<Row, PlainDate | null>; kind: 'date' }
    | { name: CentsMemberOf<Row>; kind: 'money'; cents?: undefined }
    | { name: string; kind: 'money'; cents: NamesOfMembersOfType<Row, Cents | null> }
  );

type NamesOfMembersOfType<Row, Type> = {
  [Name in keyof Row & string]: Row[Name] extends Type | undefined ? Name : never;
}[keyof Row & string];
type CentsMemberOf<Row> =
  NamesOfMembersOfType<Row, Cents | null> extends infer Name
    ? Name extends `${infer Member}Cents`
      ? Member
      : never
    : never;

/** The name of a field of `fields` stands for a column with that field's short label. Null money is an empty cell. */
export function createSheetColumns<Row, const Field extends RecordField = never>(
  columns: readonly (SheetColumnSpec<Row> | Field['name'])[],
  fields: readonly Field[] = [],
): readonly SheetColumn<Row>[] {
  return columns.map((column) => {
    if (typeof column !== 'string')
      return 'cell' in column ? column : { ...column, cell: createCellGetter(column) };
    const { name, label, shortLabel = label, kind, cents } = fields.find((field) => field.name === column)!;
    return { name, heading: shortLabel, cell: createCellGetter({ name, kind, cents }) };
  });
}

function createCellGetter<Row>({
  name,
  kind,
  cents = `${name}Cents`,
}: {
  name: string;
  kind?: string;
  cents?: string;
}) {
  const member = (kind === 'money' ? cents : name) as keyof Row;
  return (row: Row): Cell => {
    const value = row[member] as string | number | null | undefined;
    if (value === null || value === undefined) return null;
    if (kind === 'money') return moneyCell(Number(value));
    return kind === 'date' ? dayCell(String(value)) : value;
  };
}

/** `group` sums the rows since the last sum, `total` all rows; a row `apart` is counted in neither. */
export type RowRole = 'group' | 'total' | 'apart';

export interface Sheet<Row> {
  columns: readonly SheetColumn<Row>[];
  pages: Pages<Row> | AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;
  /** without this function, the sheet ends with the sums of its money columns, where the format allows */
  roleOf?(row: Row): RowRole | undefined;
  sumBreakdown?: SumBreakdown;
}

export interface SumBreakdown {
  column: string;
  /** each kind's text in the column and the label of its sum; no sums where all rows are of the first kind */
  labels: readonly (readonly [text: string, label: string])[];
}

/** Small enough that no other request waits long behind one read. */
const ROWS_PER_READ = 1000;

interface Pages<Row> extends AsyncIterable<readonly Row[]> {
  inReadsOf(rows: number): AsyncGenerator<readonly Row[]>;
}

type PageReader<Row> = (page: {
  limit: number;
  cursor?: string;
}) => Promise<{ rows: readonly Row[]; cursor?: string }>;

/** Each page has its own query, because on SQLite one long read would keep the write-ahead log from being emptied. */
export function createPages<Row>(readPage: PageReader<Row>, limitAndCursor: LimitAndCursor = {}): Pages<Row> {
  const inReadsOf = (rows: number) => readPages(readPage, limitAndCursor, rows);
  return { inReadsOf, [Symbol.asyncIterator]: () => inReadsOf(ROWS_PER_READ) };
}

async function* readPages<Row>(
  read: PageReader<Row>,
  { cursor, limit: remaining = Number.POSITIVE_INFINITY }: LimitAndCursor,
  rows: number,
): AsyncGenerator<readonly Row[]> {
  do {
    await yieldToEventLoop(); // lets other requests in, however many exports start at once
    const page = await read({ limit: Math.min(remaining, rows), cursor });
    yield page.rows;
    remaining -= page.rows.length;
    cursor = page.cursor;
  } while (cursor !== undefined && remaining > 0);
}

export interface LimitAndCursor {
  limit?: number;
  cursor?: string;
}

/** All rows that a query finds, or at most `limit` of them. */
export type ExportQuery<Query> = Omit<Query, 'limit'> & LimitAndCursor;

export const moneyCell = (cents: Cents): Cell => ({ cents });

/** Returns the text itself where a number would be displayed differently. */
export const numberCell = (decimal: string | null): Cell =>
  decimal !== null && String(Number(decimal)) === decimal ? Number(decimal) : decimal;

export const dayCell = (date: PlainDate | null): Cell => (date === null ? null : { date });

export interface AppliedFilter {
  label: string;
  value: string;
}

export interface ListExport<Row> {
  /** the file's name without its extension: "Facturas 2026-11-20" */
  file: string;
  title: string;
  filters: readonly AppliedFilter[];
  noun: readonly [one: string, many: string];
  sheet: Sheet<Row>;
  count?(): Promise<number>;
  /** the rows as the API returns them; without it, records keyed by column */
  toRecords?(rows: readonly Row[]): readonly object[] | Promise<readonly object[]>;
  notes?: readonly string[];
  /** the rows as a journal of plain text accounting */
  hledger?(): string;
  pdfForm?: { file: string; draw(signal?: AbortSignal): Promise<Uint8Array> };
}

export function requireRowsAtMost(
  rowCount: number,
  max: number,
  describe: (found: string, max: string) => string,
): void {
  if (rowCount > max)
    throw new DomainError('too-large', describe(formatCount(rowCount), formatCount(max)), {
      code: 'too_many_rows',
    });
}

export type PartialListExport<Row> = Pick<ListExport<Row>, 'sheet'> &
  Partial<ListExport<Row>> & {
    readPage?: PageReader<object>;
  };

interface SearchSource<Row, Full extends Row> extends Omit<Sheet<NoInfer<Full>>, 'pages'> {
  search: PageReader<Row>;
  completeRows?(rows: readonly Row[]): Promise<readonly Full[]>;
  count(): Promise<number>;
  toRecords: NonNullable<ListExport<Row>['toRecords']>;
}

export function exportFromSearch<Row, Full extends Row = Row>(
  { limit, cursor }: LimitAndCursor,
  {
    search,
    completeRows = async (rows) => rows as readonly Full[],
    count,
    toRecords,
    ...sheet
  }: SearchSource<Row, Full>,
): PartialListExport<Full> {
  const readCompletePage: PageReader<Full> = async (part) => {
    const found = await search(part);
    return { ...found, rows: await completeRows(found.rows) };
  };
  return {
    sheet: { ...sheet, pages: createPages(readCompletePage, { limit, cursor }) },
    count: async () => Math.min(await count(), limit ?? Number.POSITIVE_INFINITY),
    toRecords,
    async readPage(part) {
      const { rows, cursor: next } = await search(part);
      return { rows: await toRecords(rows), cursor: next };
    },
  };
}

export interface Letterhead {
  empresa: string;
  rfc: string;
  direccion: string;
  logo?: PictureFile;
  title: string;
  filters: readonly AppliedFilter[];
  /** "Generado el 20 de noviembre de 2026, 12:00 (America/Mexico_City)" */
  generatedText: string;
}
