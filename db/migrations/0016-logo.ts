import type { Migration } from './migration.ts';

/** The firm's logo, one at the most, among the files. Frozen, and imports nothing of the application. */
export const logo: Migration = {
  name: '0016-logo',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const [text, int] = lite ? ['TEXT', 'INTEGER'] : ['text', 'bigint'];
    await run(`CREATE TABLE logo (id ${int} PRIMARY KEY CHECK (id = 1),
      sha256 ${text} NOT NULL REFERENCES files (sha256)${lite ? ') STRICT' : ')'}`);
  },
};
