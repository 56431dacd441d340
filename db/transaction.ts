import { setTimeout as delay } from 'node:timers/promises';
import { busyError, codeOf, isViolation, referenceError } from './errors.ts';
import type { Db, Trx } from './schema.ts';

/** What PostgreSQL says when two transactions met and one may simply be tried again. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const LOCK_TIMEOUT = '55P03';
const TRIES = 6;

const endings = new WeakMap<Trx, Array<() => Promise<void>>>();

/**
 * Runs `work` in one transaction: everything or nothing. SQLite begins it IMMEDIATE; on PostgreSQL a
 * deadlock's loser is run again, so `work` holds nothing but SQL through the handle it is passed.
 * Called with a handle that is already inside one, it joins it.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Trx);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(async (trx) => {
        const ending: Array<() => Promise<void>> = [];
        endings.set(trx, ending);
        const result = await work(trx);
        for (const step of ending) await step();
        return result;
      });
    } catch (error) {
      if (codeOf(error) === LOCK_TIMEOUT) throw busyError();
      if (isViolation(error, 'reference')) throw referenceError();
      if (attempt === TRIES || !TRY_AGAIN.has(codeOf(error))) throw error;
      await delay(2 ** attempt * (2 + Math.random() * 4));
    }
  }
}

/** Registers what has to happen last, right before the commit. */
export function beforeCommit(trx: Trx, step: () => Promise<void>): void {
  const ending = endings.get(trx);
  if (!ending) throw new Error('not a handle of inTransaction: nothing would run before its commit');
  ending.push(step);
}
