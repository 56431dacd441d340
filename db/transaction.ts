import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { requireUndamaged } from './damage.ts';
import {
  busyError,
  codeOf,
  isOfTakenUuid,
  isViolation,
  LostRace,
  referenceError,
  takenUuidError,
} from './errors.ts';
import { isOutage } from './explain.ts';
import { holdNothing } from './expressions.ts';
import type { Db, Trx } from './schema.ts';

/** PostgreSQL's codes for a conflict of two transactions, after which one may be tried again. */
const TRY_AGAIN = new Set(['40001', '40P01']);
const LOCK_TIMEOUT = '55P03';
const TRIES = 6;

/** A step runs right before the commit, and the function it returns after it. */
type Step = () => Promise<() => unknown>;

const stepsOf = new WeakMap<Trx, Step[]>();

/**
 * Runs `work` in one transaction, all or nothing. SQLite begins it IMMEDIATE. `work` is run again after a LostRace, on
 * PostgreSQL also after a deadlock and once after a lost connection, and so must do nothing but SQL through its handle.
 * With a handle that is already inside a transaction, it joins that one.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Trx);
  requireUndamaged(db);
  let isRepeated = false;
  let lost: LostRace | undefined;
  for (let attempt = 1; ; attempt++) {
    let isCommitting = false;
    try {
      const steps: Step[] = [];
      const sequel: (() => unknown)[] = [];
      const result = await db.transaction().execute(async (trx) => {
        stepsOf.set(trx, steps);
        const done = await work(trx);
        for (const step of steps) sequel.push(await step());
        isCommitting = true;
        return done;
      });
      for (const step of sequel) step();
      return result;
    } catch (error) {
      if (codeOf(error) === LOCK_TIMEOUT) throw busyError();
      if (isViolation(error, 'reference')) throw referenceError();
      if (isOfTakenUuid(error)) throw takenUuidError();
      // Nothing is stored before the commit.
      if (!isCommitting && !isRepeated && (await isBackAfter(db, error))) {
        isRepeated = true;
        continue;
      }
      const isLost = error instanceof LostRace;
      if (isLost && error.repeats(lost)) throw error.asItIs;
      if (isLost && attempt === TRIES) throw error.said;
      if (!isLost && (attempt === TRIES || !TRY_AGAIN.has(codeOf(error)))) throw error;
      lost = isLost ? error : undefined;
      await delay(2 ** attempt * (2 + Math.random() * 4));
    }
  }
}

/** Work that an outage broke off waits so long for the database: a restart takes less, and people wait no longer. */
const PATIENCE_MS = 3000;

/** Whether an outage broke something off, and the database answers again soon enough for another try. */
export async function isBackAfter(db: Db, error: unknown): Promise<boolean> {
  if (!isOutage(error)) return false;
  const giveUp = performance.now() + PATIENCE_MS;
  for (let left = PATIENCE_MS; left > 0; left = giveUp - performance.now()) {
    const answers = sql`select 1`.execute(db).catch(() => undefined);
    if (await Promise.race([answers, delay(left, undefined, { ref: false })])) return true;
    await delay(200);
  }
  return false;
}

/** Everything that `work` reads is of one moment; it writes and locks nothing. On SQLite one runs at a time. */
export async function inSnapshot<T>(db: Db, work: (snapshot: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Trx);
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute((trx) => {
    holdNothing(trx);
    return work(trx);
  });
}

/** Registers a step for the commit; the function it returns touches no database and does not fail. */
export function atCommit(trx: Trx, step: Step): void {
  const steps = stepsOf.get(trx);
  if (!steps) throw new Error('not a handle of inTransaction: nothing would run at its commit');
  steps.push(step);
}
