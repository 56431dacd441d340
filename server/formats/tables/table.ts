import { type CatalogCommand, catalogs } from '../../../shared/catalogs/all.ts';
import { pluralize } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents, Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';

const OWN_KINDS = [
  'invoices',
  'payments',
  'credit-notes',
  'budgets',
  'cuentas',
  'cajas',
  'movimientos-caja',
] as const;

export type TableKind = CatalogCommand | (typeof OWN_KINDS)[number];
export const TABLE_KINDS: readonly TableKind[] = [...catalogs.map(({ command }) => command), ...OWN_KINDS];

/**
 * `error` is what the spreadsheet itself shows as one (`#N/A`, `#¡VALOR!`), or a formula without a stored value. `shown`
 * is a number under a format that adds something to its figures; without it, under one that is not understood.
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
  /** the line, in a workbook the row, where the record starts */
  line: number;
  cells: readonly RawCell[];
  /** a filter, a closed group or somebody hides it in the sheet */
  hidden?: boolean;
}

/** Which rows are data is decided here; what they mean is not. */
export interface ReadTable {
  format: 'csv' | 'xlsx';
  sha256: string;
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  delimiter?: ',' | ';' | '\t' | '|';
  sheet?: string;
  /** `rows` of one that was not read is 0 */
  sheets?: readonly { name: string; hidden: boolean; rows: number }[];
  /** of a workbook that counts its days from 1904 */
  dates1904?: boolean;
  hiddenColumns?: readonly number[];
  /** as written; may repeat or be empty */
  header: { line: number; names: readonly string[] };
  rows: readonly RawRow[];
  /** what is no data, and why: a blank row, a total, a title, the header again, a note below it, or as it was asked */
  skipped: readonly {
    line: number;
    why: 'blank' | 'total' | 'title' | 'header' | 'note' | 'hidden';
    /** of a title */
    cells?: RawRow['cells'];
  }[];
}

export interface ColumnPlan {
  index: number;
  header: string;
  /** what it is taken for; null: left out */
  field: string | null;
  /** why, in Spanish: "por su encabezado", "porque así se pidió", "no se usa" … */
  why: string;
  /** of amounts and rates */
  decimal?: '.' | ',';
  /** of days: tokens such as dd/mm/yyyy */
  dateFormat?: string;
  /** of rates: 0.16 stands for 16 % */
  fraction?: boolean;
}

export interface PlanQuestion {
  field: string;
  header: string;
  question: string;
  /** what of the plan's options answers it */
  answer: 'decimal' | 'dateFormat' | 'map' | 'amount' | 'set';
  /** decimal signs, formats of days, the places of the columns that may be meant, or values for every row */
  choices: readonly string[];
}

export interface TablePlan {
  kind: TableKind;
  columns: readonly ColumnPlan[];
  /** the same value for every row */
  set: Readonly<Record<string, string>>;
  questions: readonly PlanQuestion[];
  /** fields that the kind needs and no column has: labels */
  missing: readonly string[];
}

export type AmountMeaning = 'subtotal' | 'total';

export interface PlanOptions {
  /** of a table of invoices with one amount */
  amount?: AmountMeaning;
  /** our field → heading as in the file */
  map?: Readonly<Record<string, string>>;
  /** our field → value for every row */
  set?: Readonly<Record<string, string>>;
  decimal?: '.' | ',';
  dateFormat?: string;
}

export interface CellProblem {
  column: string;
  value: string;
  reason: string;
  /** of what is readable and breaks a rule */
  code?: string;
}

/** By our field's name: text cleaned, money in cents, rates, plain dates, whole numbers; null: empty. */
export type RowValues = Readonly<Record<string, string | Cents | Rate | PlainDate | null>>;

export interface ParsedRow {
  line: number;
  /** the cells as text, for a file of refused rows that can be mended */
  raw: readonly string[];
  values: RowValues;
  problems: readonly CellProblem[];
  /** what was taken but deserves a look */
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

/** `created` counts warned rows too. */
export interface TableImport {
  rows: number;
  created: number;
  unchanged: number;
  refused: readonly RefusedRow[];
  warnings: readonly RowWarning[];
  /** rows of other lists that had to be added for these, by list */
  missingCreated: Partial<Record<TableKind, number>>;
  /** false: a dry run, or one refused row stopped it */
  stored: boolean;
}

export interface Reading {
  value: RowValues[string];
  /** why the cell is refused */
  problem?: string;
  /** of what is readable and breaks a rule */
  code?: string;
  warning?: string;
  /** said once of its column, whose cells may all have it */
  notice?: string;
  /** another than the peso, beside the figures of an amount */
  currency?: string;
}

/** Says what of a table its sheet does not show, and what becomes of it; without a plan, of its rows alone. */
export function describeHiddenParts(
  {
    rows,
    skipped = [],
    hiddenColumns = [],
  }: Pick<ReadTable, 'rows' | 'hiddenColumns'> & Partial<Pick<ReadTable, 'skipped'>>,
  { columns }: Pick<TablePlan, 'columns'> = { columns: [] },
): string[] {
  const importedRows = rows.filter(({ hidden }) => hidden).length;
  const skippedRows = skipped.filter(({ why }) => why === 'hidden').length;
  const readColumns = columns.filter(({ field, index }) => field && hiddenColumns.includes(index)).length;
  const sentence = (count: number, one: string, many: string, does: string, do_: string) =>
    count > 0 ? [`${pluralize(count, one, many)}, que ${count === 1 ? does : do_}`] : [];
  return [
    ...sentence(importedRows, ...HIDDEN_ROWS, 'también se importa', 'también se importan'),
    ...sentence(skippedRows, ...HIDDEN_ROWS, 'se deja fuera', 'se dejan fuera'),
    ...sentence(readColumns, 'columna oculta', 'columnas ocultas', 'también se lee', 'también se leen'),
  ];
}

const HIDDEN_ROWS = ['renglón oculto', 'renglones ocultos'] as const;

export const refuse = (problem: string): Reading => ({ value: null, problem });
