import type { RowValues } from './table.ts';

/** What a cell is taken for. */
export interface Reading {
  value: RowValues[string];
  /** why the cell is refused */
  problem?: string;
  warning?: string;
  /** said once of its column, whose cells may all have it */
  notice?: string;
  /** another than the peso, beside the figures of an amount */
  currency?: string;
}

export const refuse = (problem: string): Reading => ({ value: null, problem });
