import type { Migration } from './migration.ts';

/**
 * Whether somebody has confirmed what a user typed of an account: kept instead of forgotten, so that taking the
 * confirmation back brings its typists back. Frozen, and imports nothing of the application.
 */
export const confirmedEditors: Migration = {
  name: '0042-confirmed-editors',
  async up(run, dialect) {
    const type = dialect === 'sqlite' ? 'INTEGER' : 'smallint';
    await run(`ALTER TABLE supplier_account_editors ADD COLUMN confirmed ${type} NOT NULL DEFAULT 0
      CONSTRAINT supplier_account_editor_confirmed CHECK (confirmed IN (0, 1))`);
  },
};
