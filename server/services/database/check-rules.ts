import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { formatMoney } from '../../../shared/money.ts';

/** A row as a broken invariant shows it; what a figure is missing in is worth no second error. */
export type Shown = Record<string, number | string | null>;

/** A rule that every row of a table keeps, as SQL that finds those that do not. */
export interface Rule {
  table: keyof Schema;
  broken: RawBuilder<SqlBool>;
  /** what `problem` has to say, by name; the row's own columns or anything computed from them */
  shown: Record<string, RawBuilder<unknown>>;
  problem(row: Shown): string;
}

export interface Invariant extends Rule {
  name: string;
  /** what holds, in Spanish */
  description: string;
}

const column = (name: string) => sql.ref(name);

export const columns = (...names: string[]): Rule['shown'] =>
  Object.fromEntries(names.map((name) => [name, column(name)]));

export const money = (value: Shown[string] | undefined) =>
  typeof value === 'number' && Number.isSafeInteger(value) ? formatMoney(value) : String(value);
