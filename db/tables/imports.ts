import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

export interface ImportsTables {
  imports: ImportsTable;
  open_imports: OpenImportsTable;
  open_import_rows: OpenImportRowsTable;
}

interface ImportsTable {
  id: Generated<number>;
  kind: string;
  source: string;
  sha256: string;
  at: Instant;
  userId: number;
}

/** An import that is stored in several transactions, while it is under way. */
interface OpenImportsTable {
  /** the import's */
  id: number;
  /** whose it is (see imports/open-imports.ts) */
  owner: string;
  /** when it was last heard of */
  beatAt: Instant;
  /** 1: what it changes it adds to the rolled sums itself (see rolling.ts); only inside of its own transactions */
  rollsItself: Generated<number>;
}

/** Its rows, by their ids, in the order in which they refer to one another. */
export interface OpenImportRowsTable {
  importId: number;
  place: number;
  table: string;
  firstId: number;
  lastId: number;
  /** 1: nobody sees them before it is finished */
  isHidden: number;
  /** 1: nobody may change them, or refer to them; 0 only inside of its own transactions */
  isGuarded: number;
}
