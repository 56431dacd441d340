import type { DialectName } from '../open.ts';

export interface Migration {
  /** sorts after the ones before it */
  name: string;
  up(
    run: (statement: string) => Promise<void>,
    dialect: DialectName,
    around: MigrationContext,
  ): Promise<void>;
}

/** What a migration may have to know that no database says. */
export interface MigrationContext {
  /** the business's: in it moments become days */
  timeZone: string;
}
