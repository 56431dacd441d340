import { type CatalogCommand, catalogs } from '../../../shared/catalogs/all.ts';
import { pluralize } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents, Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';

const NON_CATALOG_KINDS = [
  'invoices',
  'payments',
  'credit-notes',
  'budgets',
  'cuentas',
  'cajas',
  'movimientos-caja',
] as const;

export type TableKind = CatalogCommand | (typeof NON_CATALOG_KINDS)[number];
export const TABLE_KINDS: readonly TableKind[] = [
  ...catalogs.map(({ command }) => command),
  ...NON_CATALOG_KINDS,
];

/**
 * `error` is an error value of the spreadsheet (`#N/A`, `#¡VALOR!`), or a formula without a stored result. `shown` is
 * the text of a number whose format adds characters; it is missing where the format is not understood.
 */
export type RawCell =
  | string
  | number
  | boolean
  | { date: PlainDate }
  | { error: string }
  | { number: number; shown?: string }
  | null;

export interface RawRow {
  /** the line of the file, or row of the worksheet, where the record starts */
  line: number;
  cells: readonly RawCell[];
  /** hidden in the sheet by a filter, a collapsed group or by hand */
  hidden?: boolean;
}

export interface RawTable {
  format: 'csv' | 'xlsx';
  sha256: string;
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  delimiter?: ',' | ';' | '\t' | '|';
  sheet?: string;
  /** `rows` is 0 for a sheet that was not read */
  sheets?: readonly { name: string; hidden: boolean; rows: number }[];
  /** true for a workbook that counts its days from 1904 */
  uses1904Dates?: boolean;
  hiddenColumns?: readonly number[];
  /** as written; may repeat or be empty */
  header: { line: number; names: readonly string[] };
  rows: readonly RawRow[];
  /** lines that are not data, and why: blank, a total, a title, repeated headings, a note below, or hidden */
  skipped: readonly {
    line: number;
    why: 'blank' | 'total' | 'title' | 'header' | 'note' | 'hidden';
    titleCells?: RawRow['cells'];
  }[];
}

export interface ColumnPlan {
  index: number;
  header: string;
  /** the field that the column supplies; null: the column is not used */
  field: string | null;
  /** why the column supplies that field, in Spanish: "por su encabezado", "porque así se pidió", "no se usa" … */
  why: string;
  /** The mark applies to amounts and rates. */
  decimal?: '.' | ',';
  /** The format of dates is written in tokens, such as dd/mm/yyyy. */
  dateFormat?: string;
  /** for rates: 0.16 means 16 % */
  fraction?: boolean;
}

export interface PlanQuestion {
  field: string;
  header: string;
  question: string;
  answerOption: 'decimal' | 'dateFormat' | 'map' | 'amount' | 'set';
  /** decimal marks, date formats, numbers of the columns in question, or values for every row */
  choices: readonly string[];
}

export interface TablePlan {
  kind: TableKind;
  columns: readonly ColumnPlan[];
  set: Readonly<Record<string, string>>;
  questions: readonly PlanQuestion[];
  missingFields: readonly string[];
}

export type AmountMeaning = 'subtotal' | 'total';

export interface PlanOptions {
  /** whether the single amount of an invoice table includes IVA */
  amount?: AmountMeaning;
  /** the column's heading in the file, by field name */
  map?: Readonly<Record<string, string>>;
  /** the value for every row, by field name */
  set?: Readonly<Record<string, string>>;
  decimal?: '.' | ',';
  dateFormat?: string;
}

export interface CellProblem {
  column: string;
  value: string;
  reason: string;
  /** set if the value is readable but breaks a rule */
  code?: string;
}

/** By field name: cleaned text, money in cents, rates, plain dates, whole numbers; null: empty. */
export type RowValues = Readonly<Record<string, string | Cents | Rate | PlainDate | null>>;

export interface ParsedRow {
  line: number;
  /** the cells as text, for the file of refused rows */
  raw: readonly string[];
  values: RowValues;
  problems: readonly CellProblem[];
  warnings: readonly string[];
}

export interface RefusedRow extends Omit<CellProblem, 'reason' | 'code'> {
  row: number;
  reason: Remark;
  code: string;
}

export interface RowWarning {
  row: number;
  reason: Remark;
}

/** `created` includes rows with warnings. */
export interface TableImportResult {
  rows: number;
  created: number;
  unchanged: number;
  refused: readonly RefusedRow[];
  warnings: readonly RowWarning[];
  /** number of rows created in other lists because these rows refer to them, by list */
  missingCreated: Partial<Record<TableKind, number>>;
  /** false: it was a dry run, or a refused row stopped the import */
  stored: boolean;
}

export interface CellReading {
  value: RowValues[string];
  problem?: string;
  /** set if the value is readable but breaks a rule */
  code?: string;
  warning?: string;
  notice?: string;
  /** the currency, other than the peso, written next to an amount */
  currency?: string;
}

export function describeHiddenRowsAndColumns(
  {
    rows,
    skipped = [],
    hiddenColumns = [],
  }: Pick<RawTable, 'rows' | 'hiddenColumns'> & Partial<Pick<RawTable, 'skipped'>>,
  { columns }: Pick<TablePlan, 'columns'> = { columns: [] },
): string[] {
  const importedRows = rows.filter(({ hidden }) => hidden).length;
  const skippedRows = skipped.filter(({ why }) => why === 'hidden').length;
  const readColumns = columns.filter(({ field, index }) => field && hiddenColumns.includes(index)).length;
  const countSentence = (count: number, one: string, many: string, does: string, do_: string) =>
    count > 0 ? [`${pluralize(count, one, many)}, que ${count === 1 ? does : do_}`] : [];
  return [
    ...countSentence(importedRows, ...HIDDEN_ROW_NOUNS, 'también se importa', 'también se importan'),
    ...countSentence(skippedRows, ...HIDDEN_ROW_NOUNS, 'se deja fuera', 'se dejan fuera'),
    ...countSentence(readColumns, 'columna oculta', 'columnas ocultas', 'también se lee', 'también se leen'),
  ];
}

const HIDDEN_ROW_NOUNS = ['renglón oculto', 'renglones ocultos'] as const;

export const refusedReading = (problem: string): CellReading => ({ value: null, problem });
