import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

export interface FilesTables {
  /** The bytes of a file under their own SHA-256, once, whatever refers to them. */
  files: { sha256: string; size: number; bytes: Uint8Array; createdAt: Instant };
  /** A file that somebody sent and has not decided about yet; goes after two days. */
  uploads: {
    /** random */
    id: string;
    userId: number;
    /** as it was called where it came from: never a path of ours */
    filename: string;
    sha256: string;
    createdAt: Instant;
    /** with which others it was sent, to be stored with them */
    loadId: Generated<string | null>;
  };
  /** Documents that are looked at and stored together, by a random id; JSON, see server/services/cfdi/loads.ts. */
  cfdi_loads: { id: string; userId: number; problems: string; outcomes: string; createdAt: Instant };
  deleted_files: { id: Generated<number>; sha256: string; deletedAt: Instant };
  /** A file that is kept with an invoice, or with a movement of petty cash. */
  attachments: {
    id: Generated<number>;
    invoiceId: Generated<number | null>;
    movementId: Generated<number | null>;
    kind: 'cfdi' | 'pdf' | 'imagen';
    filename: string;
    sha256: string;
    importId: number | null;
    userId: number;
    createdAt: Instant;
  };
  /** the firm's, in its one row */
  logo: { id: number; sha256: string };
  imports: {
    id: Generated<number>;
    kind: string;
    source: string;
    sha256: string;
    at: Instant;
    userId: number;
  };
}
