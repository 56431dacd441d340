import { forUpdate } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { normalizeLoginName } from '../../../shared/text.ts';
import { isPlaceholderEmail, userTexts } from '../../../shared/users.ts';
import { queueAuditEntry } from '../audit/audit.ts';
import type { Auth } from './auth.ts';
import {
  DUMMY_HASH,
  hashPassword,
  isOutdatedHash,
  requireHashingCapacity,
  verifyPassword,
} from './password-hashing.ts';
import { codeRefusedError, consumeCode, hasSecondFactor, isTrustedDevice } from './second-factor.ts';
import { type AuthTimestamp, signOut, toMilliseconds } from './session.ts';
import {
  accountKey,
  deleteAttempt,
  loginNameStem,
  markAttemptSucceeded,
  unknownAccountKey,
  verifyWithinLimit,
} from './sign-in-limit.ts';
import { hashToken } from './tokens.ts';

interface SignInOrigin {
  address: string;
  userAgent: string;
  at: Date;
}

/** The password was right, and a code is required. */
export interface SecondFactorChallenge {
  userId: number;
  /** a hash of the stored password hash: a new password ends the challenge */
  passwordFingerprint: string;
}

export interface OpenedSession {
  token: string;
  userId: number;
}

/**
 * @param device the token that a trusted device keeps
 * @throws DomainError unauthenticated (one answer for unknown, wrong and deactivated), too-many, busy
 */
export async function signIn(
  db: Db,
  auth: Auth,
  attempt: SignInOrigin & { login: string; password: string; device?: string },
): Promise<OpenedSession | { challenge: SecondFactorChallenge }> {
  requireHashingCapacity();
  const login = normalizeLoginName(attempt.login.slice(0, 1000)).slice(0, 254);
  const user = await findUserByLogin(db, login);
  const { address, at, device } = attempt;
  const name = loginNameStem(login);
  const account = user ? accountKey(user.id) : unknownAccountKey(name);
  return verifyWithinLimit(db, { account, name, address, at }, async ({ id: attemptId, isAllowed }) => {
    // An unknown or deactivated user's password is checked too, against a dummy hash, so that it takes the same time.
    const hash = (isAllowed && user?.active && user.password) || DUMMY_HASH;
    const isRight = await verifyPassword({ hash, password: attempt.password }).catch(async (error) => {
      await deleteAttempt(db, attemptId);
      throw error;
    });
    if (!user || !isRight || hash === DUMMY_HASH) throw signInRefusedError();
    if (user.mustChangePassword && user.passwordExpiresAt && user.passwordExpiresAt < at.toISOString()) {
      throw new DomainError('unauthenticated', 'La contraseña temporal venció. Pide al administrador otra.', {
        code: 'password_expired',
      });
    }
    const current = isOutdatedHash(hash) ? await rehashPassword(db, { ...user, hash }, attempt) : hash;
    if ((await hasSecondFactor(db, user.id)) && !(await isTrustedDevice(db, user.id, device, at))) {
      // The first half of a sign-in counts neither as a wrong password nor as a sign-in from this address.
      await deleteAttempt(db, attemptId);
      return { challenge: { userId: user.id, passwordFingerprint: hashToken(current) } };
    }
    const checked = { userId: user.id, hash: current, storedAt: user.storedAt };
    return openSession(db, auth, { ...attempt, ...checked, attemptId });
  });
}

/** Wrong codes count as wrong passwords. @throws DomainError unauthenticated (also after a new password), too-many */
export async function signInByCode(
  db: Db,
  auth: Auth,
  {
    challenge: { userId, passwordFingerprint },
    code,
    ...origin
  }: SignInOrigin & { challenge: SecondFactorChallenge; code: string },
): Promise<OpenedSession> {
  const { address, at } = origin;
  return verifyWithinLimit(db, { account: accountKey(userId), address, at }, async ({ id: attemptId }) => {
    const stored = await db
      .selectFrom('accounts')
      .select(['password', 'updatedAt'])
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .executeTakeFirst();
    const hash = stored?.password;
    if (!hash || hashToken(hash) !== passwordFingerprint) throw signInRefusedError();
    if (!(await consumeCode(db, auth, { userId, code, at }))) throw codeRefusedError('unauthenticated');
    return openSession(db, auth, { ...origin, userId, hash, storedAt: stored.updatedAt, attemptId });
  });
}

interface VerifiedPassword {
  userId: number;
  /** the stored hash against which the password was checked, or its renewal */
  hash: string;
  storedAt: AuthTimestamp | null;
  attemptId: number;
}

async function openSession(
  db: Db,
  auth: Auth,
  { address, userAgent, at, ...checked }: SignInOrigin & VerifiedPassword,
): Promise<OpenedSession> {
  // The session uses our clock, so that its limits follow the same time as everything else.
  const facts = { ipAddress: address, userAgent: userAgent.slice(0, 300), createdAt: at, updatedAt: at };
  const { userId } = checked;
  const token = await auth.createSession(userId, facts);
  await endSessionIfPasswordChanged(db, token, checked);
  return { token, userId };
}

/** @returns the hash at today's cost, or the previous one where the queue is full */
async function rehashPassword(
  db: Db,
  { id, username, hash }: { id: number; username: string; hash: string },
  { password, at }: { password: string; at: Date },
): Promise<string> {
  const renewed = await hashPassword(password).catch(() => undefined);
  if (!renewed) return hash;
  return inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('accounts')
      .set({ password: renewed })
      .where('userId', '=', id)
      .where('password', '=', hash)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return hash;
    const actor = {
      userId: id,
      username,
      roles: [],
      origin: 'system',
      at: at.toISOString(),
      today: '',
    } as const;
    queueAuditEntry(trx, actor, {
      action: 'password',
      entity: 'users',
      entityId: id,
      after: { renewed: true },
    });
    return renewed;
  });
}

/** Nobody can sign in by a placeholder address. */
async function findUserByLogin(db: Db, login: string) {
  const found = await db
    .selectFrom('users')
    .leftJoin('accounts', (join) =>
      join.onRef('accounts.userId', '=', 'users.id').on('providerId', '=', 'credential'),
    )
    .select(['users.id', 'username', 'active', 'mustChangePassword', 'passwordExpiresAt', 'password'])
    .select('accounts.updatedAt as storedAt')
    .where(login.includes('@') ? 'email' : 'username', '=', login)
    .executeTakeFirst();
  return isPlaceholderEmail(login) ? undefined : found;
}

/** A reset or a deactivation during the check ends this session; a new hash of the same password does not. */
async function endSessionIfPasswordChanged(
  db: Db,
  token: string,
  { attemptId, userId, hash, storedAt }: VerifiedPassword,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await markAttemptSucceeded(trx, attemptId);
    const stored = await trx
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.userId')
      .select(['password', 'accounts.updatedAt'])
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .where('active', '=', 1)
      .modifyEnd(forUpdate(trx)) // waits for one that is not yet committed
      .executeTakeFirst();
    const isUntouched =
      isOutdatedHash(hash) &&
      storedAt &&
      stored &&
      toMilliseconds(stored.updatedAt) === toMilliseconds(storedAt);
    if (stored?.password !== hash && !isUntouched) await signOut(trx, token);
  });
}

const signInRefusedError = () =>
  new DomainError('unauthenticated', userTexts.signInRefused, { code: 'sign_in_refused' });
