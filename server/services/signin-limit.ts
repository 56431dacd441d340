import { sql } from 'kysely';
import { lockKey } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Wrong passwords (product contract, section 5): one account from one address, one account, one address. */
const LIMITS = { pair: [10, 15 * MINUTE], account: [100, HOUR], address: [30, MINUTE] } as const;

/**
 * Counts the attempt as failed before its password is looked at, so that many at once cannot slip through;
 * one that succeeds is corrected afterwards. In the database, so it holds across processes and restarts.
 * @throws DomainError too-many, with the seconds to wait
 */
export async function registerAttempt(
  db: Db,
  { account, address, at }: { account: string; address: string; at: Date },
): Promise<number> {
  const since = (age: number) => new Date(at.getTime() - age).toISOString();
  return inTransaction(db, async (trx) => {
    await lockKey(trx, `signin:${account}`);
    await lockKey(trx, `signin:${address}`);
    const count = async (where: { account?: string; address?: string }, age: number) => {
      const { n } = await trx
        .selectFrom('signin_attempts')
        .select(sql<number>`count(*)`.as('n'))
        .where('succeeded', '=', 0)
        .where('at', '>', since(age))
        .$if(where.account !== undefined, (query) => query.where('account', '=', where.account!))
        .$if(where.address !== undefined, (query) => query.where('address', '=', where.address!))
        .executeTakeFirstOrThrow();
      return n;
    };
    const [pairLimit, pairAge] = LIMITS.pair;
    if ((await count({ account, address }, pairAge)) >= pairLimit) throw tooMany(pairAge);
    const [addressLimit, addressAge] = LIMITS.address;
    if ((await count({ address }, addressAge)) >= addressLimit) throw tooMany(addressAge);
    const [accountLimit, accountAge] = LIMITS.account;
    if ((await count({ account }, accountAge)) >= accountLimit) {
      const known = await trx
        .selectFrom('signin_attempts')
        .select('id')
        .where('account', '=', account)
        .where('address', '=', address)
        .where('succeeded', '=', 1)
        .where('at', '>', since(30 * DAY))
        .limit(1)
        .executeTakeFirst();
      if (!known) throw tooMany(accountAge);
    }
    const { id } = await trx
      .insertInto('signin_attempts')
      .values({ account, address, at: at.toISOString(), succeeded: 0 })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  });
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
  await db
    .deleteFrom('idempotency_keys')
    .where('createdAt', '<', before(2 * DAY))
    .execute();
}

function tooMany(age: number): DomainError {
  const message = 'Demasiados intentos. Espera unos minutos antes de intentar de nuevo.';
  return new DomainError('too-many', message, { retryAfter: age / 1000 });
}
