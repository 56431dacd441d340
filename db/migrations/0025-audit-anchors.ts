import type { Migration } from './migration.ts';

/**
 * The end of the audit trail as it was noted down elsewhere, once a day: of several servers the one whose row it is
 * does so. Frozen, and imports nothing of the application.
 */
export const auditAnchors: Migration = {
  name: '0025-audit-anchors',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    const text = lite ? 'TEXT' : 'text';
    const moment = lite ? 'TEXT' : 'timestamp(3)';
    const day = lite ? 'TEXT PRIMARY KEY NOT NULL CHECK (day IS date(day))' : 'date PRIMARY KEY';
    await run(`CREATE TABLE audit_anchors (day ${day}, at ${moment} NOT NULL, entries ${int} NOT NULL,
      hash ${text} NOT NULL, problem ${text}, sent ${int} NOT NULL CHECK (sent IN (0, 1))${lite ? ') STRICT' : ')'}`);
  },
};
