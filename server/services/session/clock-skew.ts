import type { Db } from '../../../db/schema.ts';

/** Clocks of servers that share a database differ by less than this. */
const MAX_SKEW_MS = 60_000;

export const isBeyondClockSkew = (moment: Date, now: Date): boolean =>
  moment.getTime() - now.getTime() > MAX_SKEW_MS;

const latestPlausibleTime = (now: Date): string => new Date(now.getTime() + MAX_SKEW_MS).toISOString();

/** Attempts dated in the future, by a clock that was ahead, get the present time, or they would block sign-ins. */
export async function clampFutureAttempts(db: Db, now: Date): Promise<void> {
  const { last } = await db
    .selectFrom('signin_attempts')
    .select(({ fn }) => fn.max('at').as('last'))
    .executeTakeFirstOrThrow();
  if (!last || !isBeyondClockSkew(new Date(last), now)) return; // usually so: then nothing is written
  await db
    .updateTable('signin_attempts')
    .set({ at: now.toISOString() })
    .where('at', '>', latestPlausibleTime(now))
    .execute();
}

/** Future times, from a clock that was ahead, become now: sessions and stored answers then expire as usual. */
export async function clampFutureTimes(db: Db, now: Date): Promise<void> {
  await clampFutureAttempts(db, now);
  const at = now.toISOString();
  for (const column of ['createdAt', 'updatedAt', 'confirmedAt'] as const)
    await db
      .updateTable('sessions')
      .set({ [column]: at })
      .where(column, '>', latestPlausibleTime(now))
      .execute();
  await db
    .updateTable('idempotency_keys')
    .set({ createdAt: at })
    .where('createdAt', '>', latestPlausibleTime(now))
    .execute();
}
