import type { Migration } from './migration.ts';

/** Adds what a payment settles in the currency of its foreign invoice; null where the payment was stated in pesos. */
export const paymentCurrency: Migration = {
  name: '0006-payment-currency',
  async up(run, dialect) {
    await run(`ALTER TABLE payments ADD COLUMN "importemonedaCents" ${dialect === 'sqlite' ? 'INTEGER' : 'bigint'}
      CHECK ("importemonedaCents" BETWEEN 1 AND 999999999999)`);
  },
};
