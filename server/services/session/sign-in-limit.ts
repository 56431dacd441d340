import { lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { clampFutureAttempts, clampFutureTimes } from './clock-skew.ts';
import { toRateLimitAddress } from './rate-limit-address.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** So many wrong passwords are allowed within so much time: by account and address, by account, and by address. */
const ATTEMPT_LIMITS = {
  pair: [10, 15 * MINUTE_MS],
  account: [100, HOUR_MS],
  address: [30, MINUTE_MS],
} as const;

interface Attempt {
  /** the key of the account, or that of the typed name where no account has it */
  account: string;
  /** the key of the typed name (loginNameStem); absent where a session identifies the account */
  name?: string;
  address: string;
  at: Date;
}

/** The key of an account's attempts, whether they name it by e-mail or by username. */
export const accountKey = (userId: number): string => `#${userId}`;

export const unknownAccountKey = (name: string): string => `?${name}`;

/** The part of a typed name that a person's e-mail and username mostly share. */
export const loginNameStem = (login: string): string => login.split('@')[0] || login;

interface RegisteredAttempt {
  id: number;
  /** if false, the password must not be checked, and the answer is the same as for a wrong one */
  isAllowed: boolean;
}

const attemptsInProgress = new Set<Attempt & { db: Db; over: Promise<void> }>();

/** How often an attempt waits, at most, for those before it; each round lets in as many as the limit allows. */
const MAX_WAIT_ROUNDS = 10;

/**
 * Registers the attempt and lets `verify` check the password. If it is right, `verify` takes the attempt off the count.
 * If the limit is reached only because other attempts are still being checked, this one waits for them. It is let in if
 * they were right, and refused if they were wrong. This lets in any number of right passwords at once, but never has
 * more wrong ones checked than the limit allows.
 * @throws DomainError too-many, with the seconds to wait
 */
export function verifyWithinLimit<T>(
  db: Db,
  attempt: Attempt,
  verify: (attempt: RegisteredAttempt) => Promise<T>,
): Promise<T> {
  return verifyOrWaitForOthers(
    db,
    { ...attempt, address: toRateLimitAddress(attempt.address) },
    verify,
    MAX_WAIT_ROUNDS,
  );
}

async function verifyOrWaitForOthers<T>(
  db: Db,
  attempt: Attempt,
  verify: (attempt: RegisteredAttempt) => Promise<T>,
  rounds: number,
): Promise<T> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  // The attempt is added before it is registered, so that another one that reaches the limit meanwhile waits for it.
  const inProgress = { ...attempt, db, over };
  attemptsInProgress.add(inProgress);
  let registered: RegisteredAttempt | { refused: unknown };
  try {
    registered = await registerAttempt(db, attempt).catch((refused: unknown) => ({ refused }));
    if ('id' in registered) return await verify(registered);
  } finally {
    attemptsInProgress.delete(inProgress);
    end();
  }
  const { refused } = registered;
  const isLimit = refused instanceof DomainError && refused.kind === 'too-many';
  const competing = [...attemptsInProgress].filter((one) => one.db === db && sharesLimit(one, attempt));
  if (!isLimit || competing.length === 0 || rounds === 0) throw refused;
  await Promise.all(competing.map((rival) => rival.over));
  return verifyOrWaitForOthers(db, attempt, verify, rounds - 1);
}

const sharesLimit = (one: Attempt, other: Attempt): boolean =>
  one.account === other.account ||
  one.address === other.address ||
  (one.name !== undefined && one.name === other.name);

/**
 * Counts the attempt as failed before its password is checked, so that many at once cannot slip through; success
 * corrects this afterwards. The count is in the database, so it holds across processes and restarts.
 *
 * An attempt counts for the typed name and for the account, because an account has two names (e-mail and username).
 * Where a name was typed, the name's count can lead to a refusal, but the account's cannot: a refusal would reveal that
 * the name belongs to an account that was tried under its other name. If only the account's count is at the limit, the
 * attempt is let in, but its password is not checked. At an address from which the account has signed in, only the
 * wrong passwords sent from there count.
 * @throws DomainError too-many, with the seconds to wait
 */
export async function registerAttempt(
  db: Db,
  { account, name, address, at }: Attempt,
): Promise<RegisteredAttempt> {
  const momentBefore = (age: number) => new Date(at.getTime() - age).toISOString();
  await clampFutureAttempts(db, at); // outside of the transaction, since a refused attempt rolls back what it wrote
  return inTransaction(db, async (trx) => {
    await lockAdvisoryKey(trx, `signin:${account}`);
    if (name !== undefined) await lockAdvisoryKey(trx, `signin:name:${name}`);
    await lockAdvisoryKey(trx, `signin:${address}`);
    const isTrusted = await isTrustedAddress(trx, { account, address }, momentBefore(30 * DAY_MS));
    const waits = await readWaitTimes(trx, { account, name: name ?? '', address, at });
    const longestWait = ({ atAddress, anywhere }: { atAddress: number; anywhere: number }) =>
      isTrusted ? atAddress : Math.max(atAddress, anywhere, waits.address);
    const accountWait = longestWait(waits.account);
    const shownWait = name === undefined ? accountWait : longestWait(waits.name);
    if (shownWait > 0) throw tooManyAttemptsError(shownWait);
    const isAllowed = accountWait <= 0;
    const { id } = await trx
      .insertInto('signin_attempts')
      .values({
        // An attempt whose password is not checked does not count for the account.
        account: isAllowed ? account : unknownAccountKey(name ?? ''),
        name: name ?? '',
        address,
        at: at.toISOString(),
        succeeded: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, isAllowed };
  });
}

/** Milliseconds to wait; 0 or less: none. One query reads all, because attempts may leave the count at any time. */
async function readWaitTimes(trx: Trx, { account, name, address, at }: Required<Attempt>) {
  const buildOldestInLimitQuery = (
    limit: keyof typeof ATTEMPT_LIMITS,
    where: Partial<Record<'account' | 'name' | 'address', string>>,
  ) => {
    const [count, age] = ATTEMPT_LIMITS[limit];
    return trx
      .selectFrom('signin_attempts')
      .select('at')
      .where('succeeded', '=', 0)
      .where('at', '>', new Date(at.getTime() - age).toISOString())
      .where((eb) => eb.and(where))
      .orderBy('at', 'desc')
      .limit(1)
      .offset(count - 1);
  };
  const found = await trx
    .selectNoFrom([
      buildOldestInLimitQuery('pair', { account, address }).as('accountHere'),
      buildOldestInLimitQuery('account', { account }).as('accountAnywhere'),
      buildOldestInLimitQuery('pair', { name, address }).as('nameHere'),
      buildOldestInLimitQuery('account', { name }).as('nameAnywhere'),
      buildOldestInLimitQuery('address', { address }).as('address'),
    ])
    .executeTakeFirstOrThrow();
  // A time in the future counts as now. It comes from a request that overtook this one, or from a clock that was ahead.
  const remainingWait = (oldest: string | null, limit: keyof typeof ATTEMPT_LIMITS) =>
    oldest ? Math.min(Date.parse(oldest) - at.getTime(), 0) + ATTEMPT_LIMITS[limit][1] : 0;
  return {
    account: {
      atAddress: remainingWait(found.accountHere, 'pair'),
      anywhere: remainingWait(found.accountAnywhere, 'account'),
    },
    name: {
      atAddress: remainingWait(found.nameHere, 'pair'),
      anywhere: remainingWait(found.nameAnywhere, 'account'),
    },
    address: remainingWait(found.address, 'address'),
  };
}

async function isTrustedAddress(
  trx: Trx,
  { account, address }: { account: string; address: string },
  since: string,
): Promise<boolean> {
  const signedIn = await trx
    .selectFrom('signin_attempts')
    .select('id')
    .where('account', '=', account)
    .where('address', '=', address)
    .where('succeeded', '=', 1)
    .where('at', '>', since)
    .limit(1)
    .executeTakeFirst();
  return signedIn !== undefined;
}

/** Deletes an attempt that does not count: no password was checked, or only the first half of a sign-in is done. */
export async function deleteAttempt(db: Db, id: number): Promise<void> {
  await db.deleteFrom('signin_attempts').where('id', '=', id).execute();
}

export async function markAttemptSucceeded(trx: Trx, id: number): Promise<void> {
  await trx.updateTable('signin_attempts').set({ succeeded: 1 }).where('id', '=', id).execute();
}

export async function deleteExpiredSignInData(db: Db, now: Date): Promise<void> {
  await clampFutureTimes(db, now);
  const momentBefore = (age: number) => new Date(now.getTime() - age).toISOString();
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('signin_attempts')
      .where('at', '<', momentBefore(DAY_MS))
      .where('succeeded', '=', 0)
      .execute();
    await trx
      .deleteFrom('signin_attempts')
      .where('at', '<', momentBefore(30 * DAY_MS))
      .execute();
    // The settings allow no session to last longer than 30 days.
    await trx
      .deleteFrom('sessions')
      .where('createdAt', '<', momentBefore(30 * DAY_MS))
      .execute();
    await trx.deleteFrom('trusted_devices').where('expiresAt', '<', now.toISOString()).execute();
    await trx
      .deleteFrom('idempotency_keys')
      .where('createdAt', '<', momentBefore(2 * DAY_MS))
      .execute();
  });
}

function tooManyAttemptsError(waitMs: number): DomainError {
  const message = 'Demasiados intentos. Espera unos minutos antes de intentar de nuevo.';
  return new DomainError('too-many', message, { retryAfter: waitMs / 1000 });
}
