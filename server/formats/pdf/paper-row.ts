import type { RowRole } from '../sheets/sheet.ts';

/** A row as it is drawn: printable text for each column. */
export interface PaperRow {
  role: RowRole | undefined;
  texts: readonly string[];
}
