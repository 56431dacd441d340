import { type CatalogCommand, catalogs } from '../../../shared/catalogs/all.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents, Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import type { TableField } from './own-fields.ts';

const OWN_KINDS = ['invoices', 'payments', 'budgets', 'cuentas', 'cajas', 'movimientos-caja'] as const;

/** The lists that a table can be imported into, as the command line and the page name them. */
export type TableKind = CatalogCommand | (typeof OWN_KINDS)[number];
export const TABLE_KINDS: readonly TableKind[] = [...catalogs.map(({ command }) => command), ...OWN_KINDS];

/**
 * A cell as the file has it: text as written; of a workbook also numbers, days and yes or no. `error` is what
 * the spreadsheet itself shows as one (`#N/A`, `#¡VALOR!`), or a formula without a stored value.
 */
export type RawCell = string | number | boolean | { date: PlainDate } | { error: string } | null;

export interface RawRow {
  /** the line, in a workbook the row, where the record starts */
  line: number;
  cells: readonly RawCell[];
}

/** What all rows together show. */
interface Census {
  /** how many rows have so many cells */
  widths: readonly (readonly [cells: number, rows: number])[];
  /** by a column's place: whether any row has something there, and whether anything but "N/A", "-" and the like */
  written: readonly boolean[];
  holding: readonly boolean[];
}

/** A file, read: which rows are data is decided, what they mean is not. */
export interface ReadTable {
  format: 'csv' | 'xlsx';
  /** of the file */
  sha256: string;
  encoding?: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  delimiter?: ',' | ';' | '\t' | '|';
  sheet?: string;
  /** `rows` of one that was not read is what it says itself, 0 where it does not */
  sheets?: readonly { name: string; hidden: boolean; rows: number }[];
  /** of a workbook that counts its days from 1904 */
  dates1904?: boolean;
  /** as written; may repeat or be empty */
  header: { line: number; names: readonly string[] };
  rows: readonly RawRow[];
  census: Census;
  /** what is no data, and why: a blank row, a total, a title, the header again, a note below the table */
  skipped: readonly { line: number; why: 'blank' | 'total' | 'title' | 'header' | 'note' }[];
}

export interface ColumnPlan {
  /** place in the row */
  index: number;
  /** the heading as written */
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

/** What cannot be decided from the file alone and has to be said: which column, what is unclear, the choices. */
export interface PlanQuestion {
  field: string;
  header: string;
  /** in Spanish, with an example of the file */
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

/** What the one amount of an invoice is. */
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

/** A cell that is refused, as it is shown: the heading of the file and the text of the cell. */
export interface CellProblem {
  column: string;
  value: string;
  reason: string;
  /** of what is readable and breaks a rule */
  code?: string;
}

/** A value by our field's name: text cleaned, money in cents, rates, plain dates, whole numbers; null: empty. */
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
  /** for programs */
  code: string;
}

export interface RowWarning {
  row: number;
  reason: Remark;
}

/** What an import came to; `created` counts warned rows too. */
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

/** What a cell is taken for. */
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

export const refuse = (problem: string): Reading => ({ value: null, problem });

/** A column of the file, while it is decided what it is. */
export interface DraftColumn {
  index: number;
  header: string;
  field: TableField | null;
  why: string;
  /** somebody said so */
  isAsked?: boolean;
}

/** A table without its rows, which go another way; JSON, so that it crosses processes. */
export interface ParsedTable extends Omit<ReadTable, 'rows'> {
  /** lines that were passed on as rows, and are none: only the end of the file showed it */
  noRows: readonly number[];
}

/** The table, of what its reader said and the rows that it sent. */
export function tableOf({ noRows, ...table }: ParsedTable, rows: readonly RawRow[]): ReadTable {
  const none = new Set(noRows);
  return { ...table, rows: none.size > 0 ? rows.filter(({ line }) => !none.has(line)) : rows };
}
