import type { Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';

export interface AuditTables {
  audit: AuditTable;
  /** Rows of one table that one entry of the audit trail changed together, such as those of an import. */
  audit_rows: {
    id: Generated<number>;
    /** the entity that the rows belong to, and their first and last id; 0 where ids are not numbers */
    entity: string;
    table: string;
    firstId: number;
    lastId: number;
    sha256: string;
    /** The rows are JSON, compressed with deflate. */
    rows: Uint8Array;
  };
  /** For each day, the end of the trail that was to be recorded elsewhere; `sent` says whether it was. */
  audit_anchors: {
    day: PlainDate;
    at: Instant;
    entries: number;
    hash: string;
    problem: string | null;
    /** 0 or 1 */
    sent: number;
  };
  audit_tail: { id: number; lastId: number; lastHash: string };
}

export interface AuditTable {
  id: number;
  at: Instant;
  userId: number | null;
  username: string;
  origin: string;
  action: string;
  entity: string;
  entityId: string | null;
  /** JSON, or null */
  before: string | null;
  after: string | null;
  prevHash: string;
  hash: string;
  /** JSON, or null: the rows as the entry left them (server/services/audit/stored-rows.ts) */
  stored: string | null;
}
