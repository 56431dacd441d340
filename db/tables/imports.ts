import type { Generated } from 'kysely';
import type { Instant } from '../../shared/dates.ts';

export interface ImportsTables {
  imports: ImportsTable;
}

interface ImportsTable {
  id: Generated<number>;
  kind: string;
  source: string;
  sha256: string;
  at: Instant;
  userId: number;
}
