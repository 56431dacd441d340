import type { Migration } from './migration.ts';

/**
 * A second factor of each user who has one: the authenticator's secret (encrypted), the codes for the day it is
 * lost (hashed), and the devices that are not asked for a while. Frozen.
 */
export const secondFactor: Migration = {
  name: '0007-second-factor',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const text = lite ? 'TEXT' : 'text';
    const int = lite ? 'INTEGER' : 'bigint';
    const moment = lite ? 'TEXT' : 'timestamp(3)';
    const end = lite ? ') STRICT' : ')';
    const user = `"userId" ${int} NOT NULL REFERENCES users (id)`;
    await run(`CREATE TABLE second_factors ("userId" ${int} PRIMARY KEY REFERENCES users (id), secret ${text} NOT NULL,
      confirmed ${int} NOT NULL DEFAULT 0 CHECK (confirmed IN (0, 1)), "lastStep" ${int} NOT NULL DEFAULT 0,
      "createdAt" ${moment} NOT NULL${end}`);
    await run(
      `CREATE TABLE backup_codes (${user}, hash ${text} NOT NULL, PRIMARY KEY ("userId", hash)${end}`,
    );
    await run(
      `CREATE TABLE trusted_devices (hash ${text} PRIMARY KEY NOT NULL, ${user}, "expiresAt" ${moment} NOT NULL${end}`,
    );
    await run('CREATE INDEX trusted_devices_user ON trusted_devices ("userId")');
  },
};
