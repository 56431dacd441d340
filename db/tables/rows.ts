import type { ColumnType, Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';
import type { FoldedTexts } from './search-indexes.ts';

export interface VersionedRow {
  id: Generated<number>;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

export interface ImportableRow extends VersionedRow {
  importId: number | null;
}

export type FoldedColumns<Table extends 'invoices' | 'payments'> = {
  [Column in keyof FoldedTexts<Table>]: Generated<string>;
};
