import type { Migration } from './migration.ts';

/** What was captured since a day, without reading the rest. Frozen, and imports nothing of the application. */
export const captures: Migration = {
  name: '0018-captures',
  async up(run) {
    await run('CREATE INDEX invoices_created ON invoices ("createdAt")');
  },
};
