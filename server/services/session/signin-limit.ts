import { lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { networkOf } from './network.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Wrong passwords (product contract, section 5): one account from one address, one account, one address. */
const LIMITS = { pair: [10, 15 * MINUTE], account: [100, HOUR], address: [30, MINUTE] } as const;

interface Attempt {
  /** accountKey, or what was typed where no account has that name */
  account: string;
  address: string;
  at: Date;
}

/** An account's own attempts, whether they name it by e-mail or by username. */
export const accountKey = (userId: number): string => `#${userId}`;

/** Attempts of this process whose password is being looked at. */
const underWay = new Set<Attempt & { db: Db; over: Promise<void> }>();

/** So often at most does an attempt wait for those before it; each time lets in as many as the limit allows. */
const ROUNDS = 10;

/**
 * Registers the attempt and lets `look` look at the password; `look` forgives it where that is right. Where
 * the limit is reached only because others are being looked at, it waits for them: if they are right they
 * count for nothing, if they are wrong it is refused as it would have been. So right ones may come together,
 * and never more wrong ones are looked at than the limit allows.
 * @throws DomainError too-many, with the seconds to wait
 */
export function withAttempt<T>(
  db: Db,
  attempt: Attempt,
  look: (attemptId: number) => Promise<T>,
): Promise<T> {
  return attemptInTurn(db, { ...attempt, address: networkOf(attempt.address) }, look, ROUNDS);
}

async function attemptInTurn<T>(
  db: Db,
  attempt: Attempt,
  look: (attemptId: number) => Promise<T>,
  rounds: number,
): Promise<T> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  // There from before it is registered: whoever the limit stops meanwhile sees it, and waits.
  const own = { ...attempt, db, over };
  underWay.add(own);
  let registered: { id: number } | { refused: unknown };
  try {
    registered = await registerAttempt(db, attempt).then(
      (id) => ({ id }),
      (refused: unknown) => ({ refused }),
    );
    if ('id' in registered) return await look(registered.id);
  } finally {
    underWay.delete(own);
    end();
  }
  const { refused } = registered;
  const isLimit = refused instanceof DomainError && refused.kind === 'too-many';
  const rivals = [...underWay].filter(
    (one) => one.db === db && (one.account === attempt.account || one.address === attempt.address),
  );
  if (!isLimit || rivals.length === 0 || rounds === 0) throw refused;
  await Promise.all(rivals.map((rival) => rival.over));
  return attemptInTurn(db, attempt, look, rounds - 1);
}

/**
 * Counts the attempt as failed before its password is looked at, so that many at once cannot slip through;
 * one that succeeds is corrected afterwards. In the database, so it holds across processes and restarts.
 * @throws DomainError too-many, with the seconds to wait
 */
export async function registerAttempt(db: Db, { account, address, at }: Attempt): Promise<number> {
  const since = (age: number) => new Date(at.getTime() - age).toISOString();
  return inTransaction(db, async (trx) => {
    await lockKey(trx, `signin:${account}`);
    await lockKey(trx, `signin:${address}`);
    /** Milliseconds until one more is allowed; 0 or less: now. */
    const wait = async (
      where: { account?: string; address?: string },
      [limit, age]: readonly [number, number],
    ) => {
      const failures = await trx
        .selectFrom('signin_attempts')
        .select('at')
        .where('succeeded', '=', 0)
        .where('at', '>', since(age))
        .$if(where.account !== undefined, (query) => query.where('account', '=', where.account!))
        .$if(where.address !== undefined, (query) => query.where('address', '=', where.address!))
        .orderBy('at', 'desc')
        .limit(limit)
        .execute();
      const oldest = failures[limit - 1];
      return oldest ? Date.parse(oldest.at) + age - at.getTime() : 0;
    };
    const waits = [await wait({ account, address }, LIMITS.pair), await wait({ address }, LIMITS.address)];
    const accountWait = await wait({ account }, LIMITS.account);
    if (accountWait > 0 && !(await isKnown(trx, { account, address }, since(30 * DAY))))
      waits.push(accountWait);
    if (Math.max(...waits) > 0) throw tooMany(Math.max(...waits));
    const { id } = await trx
      .insertInto('signin_attempts')
      .values({ account, address, at: at.toISOString(), succeeded: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
}

/** Whether the account signed in from this address since then. */
async function isKnown(
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

/** The password was never looked at: there was no attempt. */
export async function withdrawAttempt(db: Db, id: number): Promise<void> {
  await db.deleteFrom('signin_attempts').where('id', '=', id).execute();
}

/** The password was right: the attempt no longer counts, and the address is known for this account. */
export async function forgiveAttempt(trx: Trx, id: number): Promise<void> {
  await trx.updateTable('signin_attempts').set({ succeeded: 1 }).where('id', '=', id).execute();
}

/** Old attempts and stored answers go; called now and then by the server. */
export async function forgetOldAttempts(db: Db, now: Date): Promise<void> {
  const before = (age: number) => new Date(now.getTime() - age).toISOString();
  await db.deleteFrom('signin_attempts').where('at', '<', before(DAY)).where('succeeded', '=', 0).execute();
  await db
    .deleteFrom('signin_attempts')
    .where('at', '<', before(30 * DAY))
    .execute();
  // No session outlives the longest that the settings allow.
  await db
    .deleteFrom('sessions')
    .where('createdAt', '<', before(30 * DAY))
    .execute();
  await db
    .deleteFrom('idempotency_keys')
    .where('createdAt', '<', before(2 * DAY))
    .execute();
}

function tooMany(waitMs: number): DomainError {
  const message = 'Demasiados intentos. Espera unos minutos antes de intentar de nuevo.';
  return new DomainError('too-many', message, { retryAfter: waitMs / 1000 });
}
