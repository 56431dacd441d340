import type { AuthInstant, Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { normalizeAccount } from '../../shared/text.ts';
import { shownEmail, userTexts } from '../../shared/users.ts';
import { ADDRESS_HEADER, type Auth } from './auth.ts';
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
    .select(['id', 'email', 'active', 'mustChangePassword', 'passwordExpiresAt'])
    .where(login.includes('@') ? 'email' : 'username', '=', login)
    .executeTakeFirst();
  const account = user ? `#${user.id}` : login;
  const attemptId = await registerAttempt(db, { account, address: attempt.address, at: attempt.at });
  // An unknown or deactivated user's password is checked all the same, against nobody, to cost the same time.
  const email = user?.active ? user.email : 'nadie@sin-correo.invalid';
  const headers = new Headers({
    [ADDRESS_HEADER]: attempt.address,
    'user-agent': attempt.userAgent.slice(0, 300),
  });
  let token: string;
  try {
    const answer = await auth.api.signInEmail({ body: { email, password: attempt.password }, headers });
    token = answer.token;
  } catch (error) {
    if (error instanceof Error && 'statusCode' in error && error.statusCode === 401) throw refused();
    throw error;
  }
  if (
    user?.mustChangePassword &&
    user.passwordExpiresAt &&
    user.passwordExpiresAt < attempt.at.toISOString()
  ) {
    await db.deleteFrom('sessions').where('token', '=', token).execute();
    throw new DomainError('unauthenticated', 'La contraseña temporal venció. Pide al administrador otra.', {
      code: 'password_expired',
    });
  }
  const moment = attempt.at.toISOString();
  await inTransaction(db, async (trx) => {
    await forgiveAttempt(trx, attemptId);
    // The session's own clock is ours, so that its limits follow the same time as everything else.
    await trx
      .updateTable('sessions')
      .set({ createdAt: moment, updatedAt: moment })
      .where('token', '=', token)
      .execute();
  });
  return { token, userId: user!.id };
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
  if (now.getTime() - used >= TOUCH_MS) {
    await db
      .updateTable('sessions')
      .set({ updatedAt: now.toISOString() })
      .where('token', '=', token)
      .execute();
  }
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

const refused = () =>
  new DomainError('unauthenticated', userTexts.signInRefused, { code: 'sign_in_refused' });

const toMillis = (moment: AuthInstant['__select__']): number => new Date(moment).getTime();
