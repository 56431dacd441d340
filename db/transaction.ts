import { setTimeout as delay } from 'node:timers/promises';
import { type ConnectionProvider, type DatabaseConnection, sql, Transaction } from 'kysely';
import { requireUndamaged } from './damage.ts';
import {
  busyError,
  errorCodeOf,
  isTakenUuidError,
  isViolation,
  LostRaceError,
  referenceChangedError,
  takenUuidError,
} from './errors.ts';
import { isOutage } from './explain-errors.ts';
import { disableRowLocks } from './expressions.ts';
import { dialectOf } from './open.ts';
import type { Db, Trx } from './schema.ts';

/** PostgreSQL's codes for a conflict of two transactions, after which one can be retried. */
const RETRYABLE_CODES = new Set(['40001', '40P01']);
const LOCK_TIMEOUT_CODE = '55P03';
const MAX_ATTEMPTS = 6;

/** Runs just before the commit. Returns a function that runs after the commit. */
type CommitStep = () => Promise<() => unknown>;

const stepsByTransaction = new WeakMap<Trx, CommitStep[]>();

/**
 * Runs `work` in one transaction, all or nothing; SQLite begins it IMMEDIATE. `work` is repeated after a LostRaceError,
 * on PostgreSQL also after a deadlock and once after a lost connection, so it may only do SQL through its handle.
 * If the handle is already inside a transaction, `work` runs in that one.
 */
export async function inTransaction<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Trx);
  requireUndamaged(db);
  let isRepeatedAfterOutage = false;
  let previousRace: LostRaceError | undefined;
  for (let attempt = 1; ; attempt++) {
    let isCommitting = false;
    try {
      const steps: CommitStep[] = [];
      const afterCommit: (() => unknown)[] = [];
      const result = await db.transaction().execute(async (trx) => {
        stepsByTransaction.set(trx, steps);
        const done = await work(trx);
        for (const step of steps) afterCommit.push(await step());
        isCommitting = true;
        return done;
      });
      for (const step of afterCommit) step();
      return result;
    } catch (error) {
      if (errorCodeOf(error) === LOCK_TIMEOUT_CODE) throw busyError();
      if (isViolation(error, 'reference')) throw referenceChangedError();
      if (isTakenUuidError(error)) throw takenUuidError();
      // Before the commit nothing was stored, so the work can be repeated after an outage.
      if (!isCommitting && !isRepeatedAfterOutage && (await waitForRecovery(db, error))) {
        isRepeatedAfterOutage = true;
        continue;
      }
      const isLost = error instanceof LostRaceError;
      if (isLost && error.hasSameCauseAs(previousRace)) throw error.inputError;
      if (isLost && attempt === MAX_ATTEMPTS) throw error.refusal;
      if (!isLost && (attempt === MAX_ATTEMPTS || !RETRYABLE_CODES.has(errorCodeOf(error)))) throw error;
      previousRace = isLost ? error : undefined;
      await delay(2 ** attempt * (2 + Math.random() * 4));
    }
  }
}

/** The longest wait for the database after an outage: a restart takes less, and people wait no longer. */
const MAX_OUTAGE_MS = 3000;

export async function waitForRecovery(db: Db, error: unknown): Promise<boolean> {
  if (!isOutage(error)) return false;
  const deadline = performance.now() + MAX_OUTAGE_MS;
  for (let remaining = MAX_OUTAGE_MS; remaining > 0; remaining = deadline - performance.now()) {
    const answers = sql`select 1`.execute(db).catch(() => undefined);
    if (await Promise.race([answers, delay(remaining, undefined, { ref: false })])) return true;
    await delay(200);
  }
  return false;
}

/** Runs `work`, which only reads, as of one moment and without locks. On SQLite one such transaction runs at a time. */
export async function inSnapshot<T>(db: Db, work: (snapshot: Trx) => Promise<T>): Promise<T> {
  if (db.isTransaction) return work(db as Trx);
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (trx) => {
    if (dialectOf(db) === 'sqlite') return work(trx);
    return trx.getExecutor().provideConnection((connection) => work(shareConnection(trx, connection)));
  });
}

/** Kysely runs the statements of a transaction one after another; these reads are sent as they come. */
function shareConnection(trx: Trx, connection: DatabaseConnection): Trx {
  const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
  const executor = trx.getExecutor().withConnectionProvider(provider);
  // Of its parts, only the executor is used within a transaction.
  const unused = {} as never;
  const snapshot: Trx = new Transaction({ executor, config: unused, driver: unused, dialect: unused });
  disableRowLocks(snapshot);
  return snapshot;
}

/** Adds a step to run just before the commit. The function that the step returns runs after it, and must not fail. */
export function addCommitStep(trx: Trx, step: CommitStep): void {
  const steps = stepsByTransaction.get(trx);
  if (!steps) throw new Error('not a handle of inTransaction: nothing would run at its commit');
  steps.push(step);
}
