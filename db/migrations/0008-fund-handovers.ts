import type { Migration } from './migration.ts';

/** Adds who held the fund when it was counted (null in older counts), and to whom the count hands it over. */
export const fundHandovers: Migration = {
  name: '0008-fund-handovers',
  async up(run, dialect) {
    const user = `${dialect === 'sqlite' ? 'INTEGER' : 'bigint'} REFERENCES users (id)`;
    for (const column of ['responsableId', 'recibeId'])
      await run(`ALTER TABLE petty_cash_counts ADD COLUMN "${column}" ${user}`);
  },
};
