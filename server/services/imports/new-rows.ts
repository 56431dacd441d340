import type { Db, Schema } from '../../../db/schema.ts';
import type { Actor } from '../audit/audit.ts';

/** What rows need to be made: they are complete before any of them is stored. */
export interface MakingContext {
  db: Db;
  actor: Actor;
  importId: number;
}

/** New rows of one table, with the ids that they will have. */
export interface NewRows {
  /** as the audit trail names their list; none: they belong to the rows before them */
  entity?: string;
  table: keyof Schema;
  ids: number[];
  /** those with these indexes, made when they are about to be stored: all of them at once would fill the memory */
  make(from: number, to: number): object[];
}
