import type { Migration } from './migration.ts';

/**
 * A layout of a bank's file serves when somebody else than those who changed it has confirmed it; those that firms have
 * already wait for that. A file names the layout that it was written by: its hash, who changed it and who confirmed it.
 * Frozen, and imports nothing of the application.
 */
export const confirmedLayouts: Migration = {
  name: '0033-confirmed-layouts',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    const text = lite ? 'TEXT' : 'text';
    const moment = lite ? 'TEXT' : 'timestamp(3)';
    const add = (table: string, column: string) => run(`ALTER TABLE ${table} ADD COLUMN ${column}`);
    await add('bank_layouts', `authors ${text} NOT NULL DEFAULT ''`);
    await add(
      'bank_layouts',
      `"confirmedBy" ${int} REFERENCES users (id) CONSTRAINT layout_confirmer CHECK ("confirmedBy" <> "userId")`,
    );
    await add(
      'bank_layouts',
      `"confirmedAt" ${moment} CONSTRAINT layout_confirmed CHECK (("confirmedAt" IS NULL) = ("confirmedBy" IS NULL))`,
    );
    await add('bank_layouts', `version ${int} NOT NULL DEFAULT 1 CHECK (version >= 1)`);
    await add('payment_batch_files', `"layoutSha256" ${text}`);
    await add('payment_batch_files', `"layoutBy" ${int} REFERENCES users (id)`);
    await add('payment_batch_files', `"layoutConfirmedBy" ${int} REFERENCES users (id)`);
  },
};
