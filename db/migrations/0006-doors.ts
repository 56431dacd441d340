import type { Migration } from './migration.ts';

/**
 * What sign-ins and sessions remember: the name that was typed, when a password was last asked for, and of a
 * session's token its hash alone; whoever is signed in signs in once more. Frozen.
 */
export const doors: Migration = {
  name: '0006-doors',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    await run(`ALTER TABLE signin_attempts ADD COLUMN name ${lite ? 'TEXT' : 'text'} NOT NULL DEFAULT ''`);
    await run('CREATE INDEX signin_attempts_name ON signin_attempts (name, at)');
    await run('DELETE FROM sessions');
    await run(`ALTER TABLE sessions ADD COLUMN "confirmedAt" ${lite ? 'TEXT' : 'timestamp(3)'}`);
  },
};
