import type { Db } from '../../../db/schema.ts';
import type { AuditTable } from '../../../db/tables/audit.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { plainText, type Remark, remark, withRemedy } from '../../../shared/remarks.ts';
import { oneLine } from '../../../shared/text.ts';
import type { ParsedRow, RowValues, RowWarning } from '../../formats/tables/table.ts';
import { type ClosingDate, sayClosed } from '../closing/closing.ts';
import type { MakingContext, NewRows } from './new-rows.ts';

/** Why a row is not stored; `value` where it is not the cell itself that is shown. */
export interface RowRefusal {
  field: string;
  reason: Remark;
  value?: string;
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
export const refusedAsClosed = (field: string, day: PlainDate, closing: ClosingDate) =>
  refused(field, sayClosed(day, closing), day);

/** A row that says what an earlier one of the file has said. */
export const sameAsLine = (line: number): Remark =>
  withRemedy(`Es igual al renglón ${line}: se guarda una vez.`, 'allow-duplicates');

/** One that says the same as another of the file, and nothing by which two could be told apart. */
export const alikeAsLine = (line: number): Remark =>
  withRemedy(
    `Es igual al renglón ${line}, y ninguno trae número ni fecha: pueden ser dos, o el mismo dos veces.`,
    'allow-duplicates',
  );

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

/** "ya está con X; aquí dice Y": both values of what differs. */
export const conflictText = (what: Remark, label: string, stored: string, here: string): Remark =>
  remark`${what} ya está con otros datos: es un conflicto (${label}: «${short(stored)}»; en este archivo «${short(here)}»).`;

const LONGEST = 80;

const short = (text: string): string => {
  const line = oneLine(text);
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
};
