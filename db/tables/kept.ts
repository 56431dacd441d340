import type { ColumnType, Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';
import type { Folded } from './search-indexes.ts';

/** Every row that is changed after it was stored has these columns. */
export interface Stored {
  id: Generated<number>;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** Every row that people edit, or import, has these columns. */
export interface Kept extends Stored {
  importId: number | null;
}

/** Kept by `foldedColumns` (search-indexes.ts). */
export type FoldedColumns<Table extends 'invoices' | 'payments'> = {
  [Column in keyof Folded<Table>]: Generated<string>;
};
