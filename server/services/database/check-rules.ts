import type { RawBuilder, SqlBool } from 'kysely';
import type { Fault } from '../../../db/integrity.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { formatMoney } from '../../../shared/money.ts';

export interface Problem {
  /** the noun of the row's table */
  entity: string;
  /** null: the table as a whole */
  id: number | string | null;
  problem: string;
}

export interface CheckResult {
  name: string;
  description: string;
  problems: Problem[];
}

export type ReportProgress = (fraction: number) => void;

export type CheckDefinition = Omit<CheckResult, 'problems'> & {
  find(db: Db, report: ReportProgress): AsyncIterable<Fault> | Promise<Fault[]>;
};

/** The columns and computed values of a row that breaks a rule, by name. */
export type ViolatingRow = Record<string, number | string | null>;

export interface Rule {
  table: keyof Schema;
  brokenWhen: RawBuilder<SqlBool>;
  /** values for the text of `problem` in addition to the row's columns, by name */
  computedValues?: Record<string, RawBuilder<unknown>>;
  problem(row: ViolatingRow): string;
}

export interface Invariant extends Rule {
  name: string;
  description: string;
}

export const formatCheckedMoney = (value: ViolatingRow[string] | undefined) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? formatMoney(value) : String(value);
