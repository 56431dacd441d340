import { describe, inject } from 'vitest';
import { DIALECTS, type Fresh, useFresh } from './databases.ts';
import { addSmallCompany } from './small-company.ts';

/** The counts of docs/threats.md, for hours on a quiet machine. */
export const IN_FULL = Boolean(process.env.SALDO_FULL_PROOFS);

/** A file that asks here how much is enough runs in the long lane, too (see vite.config.ts). */
export const IS_LONG = IN_FULL || inject('lane') === 'long';

/** The number of runs in `npm test`, in the long lane, and in full. */
export const howMany = (short: number, long: number, full: number = long): number =>
  IN_FULL ? full : IS_LONG ? long : short;

/** For a suite whose SQL is tested elsewhere on both databases: on SQLite, and in the long lane on PostgreSQL. */
export function describeOneDatabase(name: string, suite: (fresh: Fresh) => void): void {
  const dialect = IS_LONG ? 'postgres' : 'sqlite';
  describe(`${name} (${dialect})`, () => suite(useFresh(dialect)));
}

/** For a suite that is as true of one database as of the other: on SQLite, and in the long lane on both. */
export function describeEachInLong(name: string, suite: (fresh: Fresh) => void): void {
  describe.each(IS_LONG ? DIALECTS : (['sqlite'] as const))(`${name} (%s)`, (dialect) =>
    suite(useFresh(dialect)),
  );
}

/** Rows of every kind in a new database; in the long lane the demo company. */
export const fillCompany = (fresh: Fresh): Promise<void> =>
  IS_LONG ? fresh.fillDemo() : addSmallCompany(fresh.db);
