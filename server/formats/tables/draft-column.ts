import type { TableField } from './table-field.ts';

/** A column of the file, while it is decided what it is. */
export interface DraftColumn {
  index: number;
  header: string;
  field: TableField | null;
  why: string;
  /** somebody said so */
  isAsked?: boolean;
}
