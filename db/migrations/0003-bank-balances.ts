import type { Migration } from './migration.ts';

/**
 * Adds the balances of the firm's bank accounts: one that is typed in with its day, and those before and after the
 * movements of a bank statement. Earlier statements get no balances, because those of their files were not stored.
 */
export const bankBalances: Migration = {
  name: '0003-bank-balances',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    const day = (name: string) => (lite ? `${name} TEXT CHECK (${name} IS date(${name}))` : `${name} date`);
    await run(`ALTER TABLE funding_sources ADD COLUMN "saldobancoCents" ${int}`);
    await run(`ALTER TABLE funding_sources ADD COLUMN ${day('saldobancofecha')}
      CHECK ((saldobancofecha IS NULL) = ("saldobancoCents" IS NULL))`);
    await run(`ALTER TABLE bank_statements ADD COLUMN "saldoinicialCents" ${int}`);
    await run(`ALTER TABLE bank_statements ADD COLUMN "saldofinalCents" ${int}`);
    await run(`ALTER TABLE bank_statements ADD COLUMN ${day('saldofecha')}
      CHECK ((saldofecha IS NULL) = ("saldofinalCents" IS NULL))`);
    await run(`ALTER TABLE bank_statements ADD COLUMN saldorenglon ${int}`);
  },
};
