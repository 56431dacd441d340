import { setTimeout as delay } from 'node:timers/promises';
import type { AuthInstant, Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { normalizeAccount } from '../../shared/text.ts';
import { shownEmail, userTexts } from '../../shared/users.ts';
import type { Auth } from './auth.ts';
import { verifyPassword } from './passwords.ts';
import { readSettings } from './settings.ts';
import { forgiveAttempt, registerAttempt } from './signin-limit.ts';

export interface Session {
  token: string;
  userId: number;
  username: string;
  email: string;
  roles: number[];
  mustChangePassword: boolean;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How far a session's last use may lag behind, so that reading a page is not a write each time. */
const TOUCH_MS = MINUTE;
const TOUCH_WAIT_MS = 200;

/** In the form of better-auth's hashes, and made from no password. */
const NOBODYS_HASH = `${'0'.repeat(32)}:${'0'.repeat(128)}`;

/**
 * E-mail or username and password → a new session's token.
 * @throws DomainError unauthenticated (one answer for unknown, wrong and deactivated), too-many, busy
 */
export async function signIn(
  db: Db,
  auth: Auth,
  attempt: { login: string; password: string; address: string; userAgent: string; at: Date },
): Promise<{ token: string; userId: number }> {
  const login = normalizeAccount(attempt.login).slice(0, 254);
  const user = await db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('providerId', '=', 'credential'),
    )
    .select(['users.id', 'active', 'mustChangePassword', 'passwordExpiresAt', 'password'])
    .where(login.includes('@') ? 'email' : 'username', '=', login)
    .executeTakeFirst();
  const { address, at } = attempt;
  const attemptId = await registerAttempt(db, { account: user ? `#${user.id}` : login, address, at });
  // An unknown or deactivated user's password is checked all the same, against nobody's, to cost the same time.
  const hash = (user?.active && user.password) || NOBODYS_HASH;
  const isRight = await verifyPassword({ hash, password: attempt.password });
  if (!user || !isRight || hash === NOBODYS_HASH) throw refused();
  if (user.mustChangePassword && user.passwordExpiresAt && user.passwordExpiresAt < at.toISOString()) {
    throw new DomainError('unauthenticated', 'La contraseña temporal venció. Pide al administrador otra.', {
      code: 'password_expired',
    });
  }
  const { internalAdapter } = await auth.$context;
  // The session's clock is ours, so that its limits follow the same time as everything else.
  const own = {
    ipAddress: address,
    userAgent: attempt.userAgent.slice(0, 300),
    createdAt: at,
    updatedAt: at,
  };
  const { token } = await internalAdapter.createSession(String(user.id), false, own, true);
  await inTransaction(db, async (trx) => {
    await forgiveAttempt(trx, attemptId);
    // A reset or a deactivation may have come while the password was checked: it ends this session too.
    const same = await trx
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.userId')
      .select('accounts.id')
      .where('userId', '=', user.id)
      .where('password', '=', hash)
      .where('active', '=', 1)
      .executeTakeFirst();
    if (!same) await trx.deleteFrom('sessions').where('token', '=', token).execute();
  });
  return { token, userId: user.id };
}

/** Who holds this token now, idle and absolute limits kept; undefined where nobody does. */
export async function readSession(db: Db, token: string, now: Date): Promise<Session | undefined> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .leftJoin('user_roles', 'user_roles.userId', 'users.id')
    .select([
      'sessions.createdAt',
      'sessions.updatedAt',
      'users.id',
      'username',
      'email',
      'mustChangePassword',
    ])
    .select('roleId')
    .where('sessions.token', '=', token)
    .where('users.active', '=', 1)
    .execute();
  const [row] = rows;
  if (!row) return undefined;
  const settings = await readSettings(db);
  const used = toMillis(row.updatedAt);
  const tooOld = now.getTime() - toMillis(row.createdAt) >= Number(settings['sesion.total']) * HOUR;
  const tooIdle = now.getTime() - used >= Number(settings['sesion.inactiva']) * HOUR;
  if (tooOld || tooIdle) {
    await signOut(db, token);
    return undefined;
  }
  if (now.getTime() - used >= TOUCH_MS) await touch(db, token, now);
  return {
    token,
    userId: row.id,
    username: row.username,
    email: shownEmail(row.email),
    roles: rows.flatMap((one) => (one.roleId === null ? [] : [one.roleId])).sort((a, b) => a - b),
    mustChangePassword: row.mustChangePassword === 1,
  };
}

export async function signOut(db: Db, token: string): Promise<void> {
  await db.deleteFrom('sessions').where('token', '=', token).execute();
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
    .where('token', '=', token)
    .execute()
    .catch(() => {}) // the next request notes it
    .finally(() => touching.delete(token));
  await Promise.race([noted, delay(TOUCH_WAIT_MS, undefined, { ref: false })]);
}

const refused = () =>
  new DomainError('unauthenticated', userTexts.signInRefused, { code: 'sign_in_refused' });

const toMillis = (moment: AuthInstant['__select__']): number => new Date(moment).getTime();
