import type { Db } from '../../../db/schema.ts';
import type { AuditTable } from '../../../db/tables/audit.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { plainText, type Remark } from '../../../shared/remarks.ts';
import type { ParsedRow, RowValues, RowWarning } from '../../formats/tables/table.ts';
import { CLOSED, type ClosingDate, sayClosed } from '../closing/closing.ts';
import type { MakingContext, NewRows } from './new-rows.ts';

/** Why a row is not stored; `value` where it is not the cell itself that is shown. */
export interface RowRefusal {
  field: string;
  reason: Remark;
  value?: string;
  /** for programs; by default that of what is readable and breaks a rule */
  code?: string;
}

/** What was asked of an import as a whole. */
export interface JudgeOptions {
  createMissing: boolean;
  allowDuplicates: boolean;
  set: Readonly<Record<string, string>>;
  /** the day of a row that says none */
  today: PlainDate;
}

/** What becomes of a row. Warnings go with it whatever that is. */
export type Verdict<New> =
  | { refused: RowRefusal }
  | { unchanged: true; warnings: readonly Remark[] }
  | { accepted: New; warnings: readonly Remark[] };

/** Judges the rows of a file, some of them at a time, in its order; and keeps what is to be stored. */
export interface Judge<New> {
  /** reads what all rows need */
  begin(db: Db): Promise<void>;
  /** reads what these rows need, the next ones to be judged, of so many in all */
  read(
    db: Db,
    rows: readonly ParsedRow[],
    reading: { all: number; pause: () => Promise<void> },
  ): Promise<void>;
  /** @param index among those that were read */
  judge(row: ParsedRow, index: number): Verdict<New>;
  /** what there is to say once all rows are judged, beside the first that it is about */
  end?(): RowWarning[];
  /** all that was accepted, as it is stored; what is referred to first */
  make(context: MakingContext): Promise<NewRows[]>;
  /** whether an entry of the audit trail is about what was accepted */
  touches(entry: AuditEntry): boolean;
}

export type AuditEntry = Pick<AuditTable, 'action' | 'entity' | 'entityId' | 'before' | 'after'>;

export const valuesOf = (json: string | null): Record<string, unknown> => (json ? JSON.parse(json) : {});

export const refused = (field: string, reason: Remark, value?: string): { refused: RowRefusal } => ({
  refused: { field, reason, value },
});

/** A rule broken in the middle of judging a row: caught where rows are judged, and never beyond. */
export class Refused extends Error {
  readonly refusal: RowRefusal;

  constructor(field: string, reason: Remark, value?: string) {
    super(plainText(reason));
    this.refusal = { field, reason, value };
  }
}

/** Judges one row; what its cells cannot be stored as (too long, control characters) refuses it too. */
export function judgeSafely<New>(row: ParsedRow, judge: (row: ParsedRow) => Verdict<New>): Verdict<New> {
  try {
    return judge(row);
  } catch (error) {
    if (error instanceof Refused) return { refused: error.refusal };
    if (!(error instanceof DomainError)) throw error;
    const [[field, reason] = ['', error.message]] = Object.entries(error.fields ?? {});
    return refused(field, reason);
  }
}

/** A row of a closed period; `day` is today's where no cell says one. */
export const refusedAsClosed = (field: string, day: PlainDate, closing: ClosingDate) => ({
  refused: { field, reason: sayClosed(day, closing), value: day, code: CLOSED },
});

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
