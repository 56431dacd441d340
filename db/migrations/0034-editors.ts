import type { Migration } from './migration.ts';

/**
 * Everybody who has said what a batch pays, and everybody who has typed an account since it was last confirmed: none of
 * them signs or confirms it. Who made the batch or captured the account, and who changed it last, stands in its own row
 * already, so what was there before needs nothing. Frozen, and imports nothing of the application.
 */
export const editors: Migration = {
  name: '0034-editors',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    for (const [table, column, of] of [
      ['payment_batch_editors', 'batchId', 'payment_batches'],
      ['supplier_account_editors', 'accountId', 'supplier_accounts'],
    ])
      await run(`CREATE TABLE ${table} (
      "${column}" ${int} NOT NULL REFERENCES ${of} (id) ON DELETE CASCADE,
      "userId" ${int} NOT NULL REFERENCES users (id),
      PRIMARY KEY ("${column}", "userId")${lite ? ') STRICT' : ')'}`);
  },
};
