import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { plainText, type Remark } from '../../../shared/remarks.ts';
import type { RowValues } from '../../formats/tables/table.ts';

/** `value` is shown where it is not the cell itself. */
export interface RowRefusal {
  field: string;
  reason: Remark;
  value?: string;
  /** for programs; by default that of what is readable and breaks a rule */
  code?: string;
}

/** A row that cannot be made a draft; caught where drafts are made, and never beyond. */
export class Refused extends Error {
  readonly refusal: RowRefusal;

  constructor(field: string, reason: Remark, value?: string) {
    super(plainText(reason));
    this.refusal = { field, reason, value };
  }
}

/** A value that cannot be stored refuses its row too. */
export function safely<T>(read: () => T): T | RowRefusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    if (!(error instanceof DomainError)) throw error;
    const [[field, reason] = ['', error.message]] = Object.entries(error.fields ?? {});
    return { field, reason };
  }
}

/** Nothing and no such column are the same: ''. */
export function textOf(values: RowValues, field: string): string {
  const value = values[field];
  return value === null || value === undefined ? '' : String(value);
}

export function centsOf(values: RowValues, field: string): Cents | null {
  const value = values[field];
  return typeof value === 'number' ? value : null;
}

export const dateOf = (values: RowValues, field: string): PlainDate | null => textOf(values, field) || null;
