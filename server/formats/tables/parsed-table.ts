import type { RawRow, ReadTable } from './table.ts';

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
