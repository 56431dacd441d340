import type { Fault } from '../../../db/integrity.ts';
import type { Db } from '../../../db/schema.ts';

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

/** Told how far it is, from 0 to 1. */
export type Report = (fraction: number) => void;

export type Check = Omit<CheckResult, 'problems'> & { find(db: Db, report: Report): AsyncIterable<Fault> };
