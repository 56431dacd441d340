import type { ColumnType, Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';
import type { Folded } from './search-indexes.ts';

/** Every row that people edit has these columns. */
export interface Kept {
  id: Generated<number>;
  importId: number | null;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** Kept by `foldedColumns` (search-indexes.ts). */
export type FoldedColumns<Table extends 'invoices' | 'payments'> = {
  [Column in keyof Folded<Table>]: Generated<string>;
};
