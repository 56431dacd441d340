import type { Migration } from './migration.ts';

/** What a user chose for the screens, by name, as JSON. Frozen, and imports nothing of the application. */
export const userPreferences: Migration = {
  name: '0012-user-preferences',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const text = lite ? 'TEXT' : 'text';
    const int = lite ? 'INTEGER' : 'bigint';
    await run(`CREATE TABLE user_preferences (
      "userId" ${int} NOT NULL REFERENCES users (id), name ${text} NOT NULL CHECK (name <> ''),
      value ${text} NOT NULL CHECK (length(value) <= 20000), PRIMARY KEY ("userId", name)${lite ? ') STRICT' : ')'}`);
  },
};
