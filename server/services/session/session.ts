import { setTimeout as delay } from 'node:timers/promises';
import { compileQueryOnce } from '../../../db/compile-once.ts';
import type { Db } from '../../../db/schema.ts';
import type { AuthInstant } from '../../../db/tables/users.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { hidePlaceholderEmail } from '../../../shared/users.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { clampFutureTimes, isBeyondClockSkew } from './clock-skew.ts';
import { removeTrustedDevices, requiresSecondFactor } from './second-factor.ts';
import { hashToken } from './tokens.ts';

export interface Session {
  token: string;
  userId: number;
  username: string;
  email: string;
  roles: number[];
  mustChangePassword: boolean;
  mustAddSecondFactor: boolean;
  /** when the password was last given, at the sign-in or later */
  confirmedAt: Date;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How far the stored last use of a session may lag behind, so that not every page view is a write. */
const TOUCH_INTERVAL_MS = MINUTE_MS;
const MAX_TOUCH_WAIT_MS = 200;

export async function readSession(
  db: Db,
  token: string,
  now: Date,
  loadSettings = () => readSettings(db),
): Promise<Session | undefined> {
  const [rows, settings] = await Promise.all([readSessionUser(db, hashToken(token)), loadSettings()]);
  const [row] = rows;
  if (!row) return undefined;
  if (isSessionExpired(row, now, settings)) {
    await signOut(db, token).catch(() => {}); // the session is over, even if that cannot be stored
    return undefined;
  }
  if (isBeyondClockSkew(new Date(row.updatedAt), now)) await clampFutureTimes(db, now).catch(() => {});
  if (now.getTime() - toMilliseconds(row.updatedAt) >= TOUCH_INTERVAL_MS) await touchSession(db, token, now);
  const roles = rows.flatMap((one) => (one.roleId === null ? [] : [one.roleId])).sort((a, b) => a - b);
  return {
    token,
    userId: row.id,
    username: row.username,
    email: hidePlaceholderEmail(row.email),
    roles,
    mustAddSecondFactor: row.factor === null && requiresSecondFactor(settings, roles),
    mustChangePassword: row.mustChangePassword === 1,
    confirmedAt: new Date(row.confirmedAt ?? row.createdAt),
  };
}

const readSessionUser = compileQueryOnce((db, stored: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('user_roles', 'user_roles.userId', 'users.id')
    .leftJoin('second_factors', (join) =>
      join.onRef('second_factors.userId', '=', 'users.id').on('second_factors.confirmed', '=', 1),
    )
    .select('second_factors.userId as factor')
    .select([
      'sessions.createdAt',
      'sessions.updatedAt',
      'sessions.confirmedAt',
      'users.id',
      'username',
      'email',
      'mustChangePassword',
    ])
    .select('roleId')
    .where('sessions.token', '=', stored)
    .where('users.active', '=', 1),
);

export interface SessionSummary {
  id: number;
  startedAt: Date;
  lastUsedAt: Date;
  address: string;
  userAgent: string;
  isCurrent: boolean;
}

/** This session comes first, then the others by last use. */
export async function listSessions(db: Db, { userId, token }: Session, now: Date): Promise<SessionSummary[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'token', 'createdAt', 'updatedAt', 'ipAddress', 'userAgent'])
    .where('userId', '=', userId)
    .execute();
  const settings = await readSettings(db);
  return rows
    .filter((row) => !isSessionExpired(row, now, settings))
    .map((row) => ({
      id: row.id,
      startedAt: new Date(row.createdAt),
      lastUsedAt: new Date(row.updatedAt),
      address: row.ipAddress ?? '',
      userAgent: row.userAgent ?? '',
      isCurrent: row.token === hashToken(token),
    }))
    .sort(
      (a, b) => Number(b.isCurrent) - Number(a.isCurrent) || +b.lastUsedAt - +a.lastUsedAt || b.id - a.id,
    );
}

/** @throws DomainError not-found, even if the session is another user's */
export async function endSession(db: Db, { userId }: Session, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new DomainError('not-found', 'Esa sesión ya no existe.');
}

export async function endSessions(db: Db, userId: number, tokenToKeep = ''): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('token', '<>', hashToken(tokenToKeep))
    .execute();
}

/** "Cerrar las demás": every other session ends, and every device is asked for a code again. */
export async function endOtherSessionsAndTrustedDevices(db: Db, { userId, token }: Session): Promise<void> {
  await inTransaction(db, async (trx) => {
    await endSessions(trx, userId, token);
    await removeTrustedDevices(trx, userId);
  });
}

export async function markPasswordConfirmed(db: Db, token: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ confirmedAt: at.toISOString() })
    .where('token', '=', hashToken(token))
    .execute();
}

export async function signOut(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token', '=', hashToken(token)).execute();
}

function isSessionExpired(
  { createdAt, updatedAt }: { createdAt: AuthTimestamp; updatedAt: AuthTimestamp },
  now: Date,
  settings: Settings,
): boolean {
  const age = now.getTime() - toMilliseconds(createdAt);
  const idle = now.getTime() - toMilliseconds(updatedAt);
  return (
    age >= Number(settings['sesion.total']) * HOUR_MS || idle >= Number(settings['sesion.inactiva']) * HOUR_MS
  );
}

const tokensBeingTouched = new Set<string>();

/** Waits only briefly for the update, so that a page view is not delayed by a long write. */
async function touchSession(db: Db, token: string, now: Date): Promise<void> {
  if (tokensBeingTouched.has(token)) return;
  tokensBeingTouched.add(token);
  const update = db
    .updateTable('sessions')
    .set({ updatedAt: now.toISOString() })
    .where('token', '=', hashToken(token))
    .execute()
    .catch(() => {}) // if this fails, the next request notes the use
    .finally(() => tokensBeingTouched.delete(token));
  await Promise.race([update, delay(MAX_TOUCH_WAIT_MS, undefined, { ref: false })]);
}

export type AuthTimestamp = AuthInstant['__select__'];

export const toMilliseconds = (moment: AuthTimestamp): number => new Date(moment).getTime();
