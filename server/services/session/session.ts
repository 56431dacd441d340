import { setTimeout as delay } from 'node:timers/promises';
import { forUpdate } from '../../../db/expressions.ts';
import { CompiledQueries } from '../../../db/prepared.ts';
import type { AuthInstant, Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { normalizeAccount } from '../../../shared/text.ts';
import { isInternalEmail, shownEmail, userTexts } from '../../../shared/users.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import type { Auth } from './auth.ts';
import {
  hashPassword,
  isOutdated,
  NOBODYS_HASH,
  requireRoomForHash,
  verifyPassword,
} from './password-hashing.ts';
import {
  accountKey,
  forgiveAttempt,
  nameKey,
  unknownKey,
  withAttempt,
  withdrawAttempt,
} from './signin-limit.ts';
import { storedToken } from './tokens.ts';

export interface Session {
  token: string;
  userId: number;
  username: string;
  email: string;
  roles: number[];
  mustChangePassword: boolean;
  /** when the password was last given: at the sign-in, or later */
  confirmedAt: Date;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How far a session's last use may lag behind, so that reading a page is not a write each time. */
const TOUCH_MS = MINUTE;
const TOUCH_WAIT_MS = 200;

/**
 * E-mail or username and password → a new session's token.
 * @throws DomainError unauthenticated (one answer for unknown, wrong and deactivated), too-many, busy
 */
export async function signIn(
  db: Db,
  auth: Auth,
  attempt: { login: string; password: string; address: string; userAgent: string; at: Date },
): Promise<{ token: string; userId: number }> {
  requireRoomForHash();
  const login = normalizeAccount(attempt.login.slice(0, 1000)).slice(0, 254);
  const user = await findByLogin(db, login);
  const { address, at } = attempt;
  const name = nameKey(login);
  const account = user ? accountKey(user.id) : unknownKey(name);
  return withAttempt(db, { account, name, address, at }, async ({ id: attemptId, isOpen }) => {
    // An unknown or deactivated user's password is checked all the same, against nobody's, to cost the same time.
    const hash = (isOpen && user?.active && user.password) || NOBODYS_HASH;
    const isRight = await verifyPassword({ hash, password: attempt.password }).catch(async (error) => {
      await withdrawAttempt(db, attemptId);
      throw error;
    });
    if (!user || !isRight || hash === NOBODYS_HASH) throw refused();
    if (user.mustChangePassword && user.passwordExpiresAt && user.passwordExpiresAt < at.toISOString()) {
      throw new DomainError('unauthenticated', 'La contraseña temporal venció. Pide al administrador otra.', {
        code: 'password_expired',
      });
    }
    // The session's clock is ours, so that its limits follow the same time as everything else.
    const own = {
      ipAddress: address,
      userAgent: attempt.userAgent.slice(0, 300),
      createdAt: at,
      updatedAt: at,
    };
    // A line that is full keeps nobody out: the next sign-in makes it anew.
    const renewed = isOutdated(hash)
      ? await hashPassword(attempt.password).catch(() => undefined)
      : undefined;
    const token = await auth.createSession(user.id, own);
    await keepWhileSame(db, { attemptId, token, userId: user.id, hash, storedAt: user.storedAt, renewed });
    return { token, userId: user.id };
  });
}

/** Whose e-mail or username this is. What stands for a missing address is nobody's to sign in with. */
async function findByLogin(db: Db, login: string) {
  const found = await db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('providerId', '=', 'credential'),
    )
    .select(['users.id', 'active', 'mustChangePassword', 'passwordExpiresAt', 'password'])
    .select('accounts.updatedAt as storedAt')
    .where(login.includes('@') ? 'email' : 'username', '=', login)
    .executeTakeFirst();
  return isInternalEmail(login) ? undefined : found;
}

/**
 * A reset or a deactivation may have come while the password was checked: it ends this session too. The hash of
 * the same password made anew, by this sign-in or another one, does not.
 */
async function keepWhileSame(
  db: Db,
  checked: {
    attemptId: number;
    token: string;
    userId: number;
    hash: string;
    storedAt: AuthMoment | null;
    /** the hash that is to take its place */
    renewed?: string;
  },
): Promise<void> {
  const { attemptId, token, userId, hash, storedAt, renewed } = checked;
  await inTransaction(db, async (trx) => {
    await forgiveAttempt(trx, attemptId);
    const stored = await trx
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.userId')
      .select(['accounts.id', 'password', 'accounts.updatedAt'])
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .where('active', '=', 1)
      .modifyEnd(forUpdate(trx)) // one that is not yet committed is waited for
      .executeTakeFirst();
    const isUntouched =
      isOutdated(hash) && storedAt && stored && toMillis(stored.updatedAt) === toMillis(storedAt);
    if (stored?.password !== hash && !isUntouched) await signOut(trx, token);
    else if (renewed && stored?.password === hash)
      await trx.updateTable('accounts').set({ password: renewed }).where('id', '=', stored.id).execute();
  });
}

/** Who holds this token now, idle and absolute limits kept; undefined where nobody does. */
export async function readSession(db: Db, token: string, now: Date): Promise<Session | undefined> {
  const stored = storedToken(token);
  const rows = await holders.run(db, '', () => selectHolder(db, stored), [stored, 1]);
  const [row] = rows;
  if (!row) return undefined;
  if (isOver(row, now, await readSettings(db))) {
    await signOut(db, token);
    return undefined;
  }
  if (now.getTime() - toMillis(row.updatedAt) >= TOUCH_MS) await touch(db, token, now);
  return {
    token,
    userId: row.id,
    username: row.username,
    email: shownEmail(row.email),
    roles: rows.flatMap((one) => (one.roleId === null ? [] : [one.roleId])).sort((a, b) => a - b),
    mustChangePassword: row.mustChangePassword === 1,
    confirmedAt: new Date(row.confirmedAt ?? row.createdAt),
  };
}

/** One row for each role; the stored token and `active` are its parameters. */
const selectHolder = (db: Db, stored: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('user_roles', 'user_roles.userId', 'users.id')
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
    .where('users.active', '=', 1);

const holders = new CompiledQueries<Holder>();
type Holder = Awaited<ReturnType<ReturnType<typeof selectHolder>['execute']>>[number];

/** A session as its own user sees it. */
export interface OpenSession {
  id: number;
  since: Date;
  lastUse: Date;
  address: string;
  userAgent: string;
  isThis: boolean;
}

/** The user's sessions that still hold, this one first, then by last use. */
export async function listSessions(db: Db, { userId, token }: Session, now: Date): Promise<OpenSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'token', 'createdAt', 'updatedAt', 'ipAddress', 'userAgent'])
    .where('userId', '=', userId)
    .execute();
  const settings = await readSettings(db);
  return rows
    .filter((row) => !isOver(row, now, settings))
    .map((row) => ({
      id: row.id,
      since: new Date(row.createdAt),
      lastUse: new Date(row.updatedAt),
      address: row.ipAddress ?? '',
      userAgent: row.userAgent ?? '',
      isThis: row.token === storedToken(token),
    }))
    .sort((a, b) => Number(b.isThis) - Number(a.isThis) || +b.lastUse - +a.lastUse || b.id - a.id);
}

/** Ends one of the user's own sessions. @throws DomainError not-found, also for another user's */
export async function endSession(db: Db, { userId }: Session, id: number): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new DomainError('not-found', 'Esa sesión ya no existe.');
}

/** Ends a user's sessions, all or all but the one with `keepToken`. */
export async function endSessions(db: Db, userId: number, keepToken = ''): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where('token', '<>', storedToken(keepToken))
    .execute();
}

/** The password was given once more. */
export async function markConfirmed(db: Db, token: string, at: Date): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ confirmedAt: at.toISOString() })
    .where('token', '=', storedToken(token))
    .execute();
}

export async function signOut(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token', '=', storedToken(token)).execute();
}

/** Idle for too long, or begun too long ago. */
function isOver(
  { createdAt, updatedAt }: { createdAt: AuthMoment; updatedAt: AuthMoment },
  now: Date,
  settings: Settings,
): boolean {
  const age = now.getTime() - toMillis(createdAt);
  const idle = now.getTime() - toMillis(updatedAt);
  return age >= Number(settings['sesion.total']) * HOUR || idle >= Number(settings['sesion.inactiva']) * HOUR;
}

/** Session writes under way, by token. */
const touching = new Set<string>();

/** Notes the use of a session. A reader is not kept waiting for it behind somebody's long write. */
async function touch(db: Db, token: string, now: Date): Promise<void> {
  if (touching.has(token)) return;
  touching.add(token);
  const noted = db
    .updateTable('sessions')
    .set({ updatedAt: now.toISOString() })
    .where('token', '=', storedToken(token))
    .execute()
    .catch(() => {}) // the next request notes it
    .finally(() => touching.delete(token));
  await Promise.race([noted, delay(TOUCH_WAIT_MS, undefined, { ref: false })]);
}

const refused = () =>
  new DomainError('unauthenticated', userTexts.signInRefused, { code: 'sign_in_refused' });

type AuthMoment = AuthInstant['__select__'];

const toMillis = (moment: AuthMoment): number => new Date(moment).getTime();
