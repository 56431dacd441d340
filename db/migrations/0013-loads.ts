import type { Migration } from './migration.ts';

/**
 * Files that were sent together, to be looked at and stored together: what could not be taken out of a zip, and what
 * came of it once it was stored. Frozen, and imports nothing of the application.
 */
export const loads: Migration = {
  name: '0013-loads',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    const text = lite ? 'TEXT' : 'text';
    const moment = lite ? 'TEXT' : 'timestamp(3)';
    await run(`CREATE TABLE cfdi_loads (id ${text} PRIMARY KEY NOT NULL CHECK (length(id) >= 32),
      "userId" ${int} NOT NULL REFERENCES users (id) ON DELETE CASCADE, problems ${text} NOT NULL, outcomes ${text} NOT NULL,
      "createdAt" ${moment} NOT NULL${lite ? ') STRICT' : ')'}`);
    await run(`ALTER TABLE uploads ADD COLUMN "loadId" ${text} REFERENCES cfdi_loads (id)`);
    await run('CREATE INDEX uploads_load ON uploads ("loadId") WHERE "loadId" IS NOT NULL');
  },
};
