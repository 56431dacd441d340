import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

export interface FilesTables {
  /** Bytes are stored once under their own SHA-256, whatever refers to them. */
  files: { sha256: string; size: number; bytes: Uint8Array; createdAt: Instant };
  /** An uploaded file that its user has not decided about yet; it is deleted after two days. */
  uploads: {
    id: string;
    userId: number;
    /** its name on the user's device; never used as a path */
    filename: string;
    sha256: string;
    createdAt: Instant;
    loadId: Generated<string | null>;
  };
  /** CFDIs that are uploaded and reviewed together, by a random id; JSON (server/services/documents/loads.ts). */
  cfdi_loads: { id: string; userId: number; problems: string; outcomes: string; createdAt: Instant };
  deleted_files: { id: Generated<number>; sha256: string; deletedAt: Instant };
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
