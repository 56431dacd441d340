import type { Instant } from '../../shared/dates.ts';

/** What a portable copy says of itself, as manifest.json; its other files are one `<table>.jsonl` each. */
export interface Manifest {
  format: 'saldo-portable';
  version: 1;
  createdAt: Instant;
  /** names of the migrations that the database had, in their order */
  migrations: string[];
  /** in an order in which they can be filled */
  tables: ManifestTable[];
}

export interface ManifestTable {
  name: string;
  file: string;
  rows: number;
  /** of the file, unpacked */
  bytes: number;
  /** of the same */
  sha256: string;
  /** the last number given to a row, also to one deleted since; null where rows are not numbered */
  lastId: number | null;
}
