import type { Migration } from './migration.ts';

/**
 * Who sent a batch to the bank, and on which day. Of batches that were sent before nobody is known, and the trail, which
 * knows them as they were, still agrees. Frozen, and imports nothing of the application.
 */
export const batchSent: Migration = {
  name: '0035-batch-sent',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const isDay = lite ? '"sentOn" IS date("sentOn") AND ' : '';
    await run(
      `ALTER TABLE payment_batches ADD COLUMN "sentBy" ${lite ? 'INTEGER' : 'bigint'} REFERENCES users (id)`,
    );
    await run(`ALTER TABLE payment_batches ADD COLUMN "sentOn" ${lite ? 'TEXT' : 'date'}
      CONSTRAINT batch_sent CHECK (${isDay}("sentBy" IS NULL) = ("sentOn" IS NULL)
        AND ("sentOn" IS NULL OR estado IN ('enviada', 'pagada')))`);
  },
};
