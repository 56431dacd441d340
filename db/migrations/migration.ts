import type { DialectName } from '../open.ts';

export interface Migration {
  /** sorts after the previous migrations */
  name: string;
  up(run: (statement: string) => Promise<void>, dialect: DialectName): Promise<void>;
}
