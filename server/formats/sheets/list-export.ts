import type { PictureFile } from '../picture.ts';
import type { Sheet } from './sheet.ts';

/** One thing that a list is narrowed by, in words. */
export interface FilterFact {
  label: string;
  value: string;
}

/** A list or report with all that a file of it says. */
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
  /** the rows as the API answers them */
  toRecords(rows: readonly Row[]): readonly object[] | Promise<readonly object[]>;
  /** what stands under the table, in smaller letters */
  notes?: readonly string[];
  /** a form of its own instead of the table */
  form?: { file: string; draw(signal?: AbortSignal): Promise<Uint8Array> };
}

/** The row of the sheet that a function makes. */
export type RowOf<Make extends (...given: never[]) => unknown> =
  ReturnType<Make> extends Sheet<infer Row> ? Row : never;

/** What stands above the rows of a file that is sent on. */
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
