import { describe, inject } from 'vitest';
import { DIALECTS, describeEachDatabase, type TestDatabase, useFreshDatabase } from './databases.ts';
import { addSmallCompany } from './small-company.ts';

/** Whether to run the counts of docs/threats.md, which take hours on a quiet machine. */
export const IS_FULL_PROOF = Boolean(process.env.SALDO_FULL_PROOFS);

/** A file that takes its counts from here runs in the long lane, too (see vite.config.ts). */
export const IS_LONG_LANE = IS_FULL_PROOF || inject('lane') === 'long';

export const chooseRunCount = (
  shortCount: number,
  longCount: number,
  fullCount: number = longCount,
): number => (IS_FULL_PROOF ? fullCount : IS_LONG_LANE ? longCount : shortCount);

/** Runs a suite whose SQL is tested elsewhere on both databases: on SQLite, and in the long lane on PostgreSQL. */
export function describeOneDatabase(name: string, suite: (fresh: TestDatabase) => void): void {
  const dialect = IS_LONG_LANE ? 'postgres' : 'sqlite';
  describe(`${name} (${dialect})`, () => suite(useFreshDatabase(dialect)));
}

/** Runs a suite that does not depend on the kind of database: on SQLite, and in the long lane on both. */
export function describeEachInLongLane(name: string, suite: (fresh: TestDatabase) => void): void {
  describe.each(IS_LONG_LANE ? DIALECTS : (['sqlite'] as const))(`${name} (%s)`, (dialect) =>
    suite(useFreshDatabase(dialect)),
  );
}

/** Runs a suite of whole servers on both databases, in the long lane alone. */
export function describeInLongLane(name: string, suite: (fresh: TestDatabase) => void): void {
  if (IS_LONG_LANE) describeEachDatabase(name, suite);
}

/** Fills a new database with rows of every kind; in the long lane, with the demo company. */
export const fillSampleCompany = (fresh: TestDatabase): Promise<void> =>
  IS_LONG_LANE ? fresh.fillDemo() : addSmallCompany(fresh.db);
