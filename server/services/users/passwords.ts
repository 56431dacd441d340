import { forUpdate } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { createRefusal, type Refusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import { type User, type UserInput, userTexts } from '../../../shared/users.ts';
import { findWeakness } from '../../formats/passwords/common-passwords.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { isBeyondClockSkew } from '../session/clock-skew.ts';
import { hashPassword, verifyPassword } from '../session/password-hashing.ts';
import { removeTrustedDevices } from '../session/second-factor.ts';
import { endSessions, markPasswordConfirmed, type Session } from '../session/session.ts';
import {
  accountKey,
  deleteAttempt,
  markAttemptSucceeded,
  verifyWithinLimit,
} from '../session/sign-in-limit.ts';
import { readSettings } from '../settings/settings.ts';
import { getUser } from './reading.ts';

const TEMPORARY_PASSWORD_MS = 72 * 3600 * 1000;

/**
 * Ends the user's sessions; the password has to be changed. Users can reset their own only at the command line.
 * @throws DomainError invalid (weak; one's own), not-found
 */
export async function setTemporaryPassword(
  db: Db,
  actor: Actor,
  id: number,
  password: string,
): Promise<User> {
  if (id === actor.userId && actor.origin !== 'cli') throw ownPasswordError();
  const user = await getUser(db, id);
  throwIfRefused(await checkNewPassword(db, { password, field: 'newpassword', person: user }));
  const hash = await hashPassword(password);
  return inTransaction(db, async (trx) => {
    await storePassword(trx, actor, id, hash, computeTemporaryPasswordExpiry(actor));
    await endSessions(trx, id);
    queueAuditEntry(trx, actor, {
      action: 'password',
      entity: 'users',
      entityId: id,
      after: { reset: true },
    });
    return getUser(trx, id);
  });
}

/** Ends the user's other sessions. @throws DomainError invalid (wrong current password, weak or empty new one) */
export async function changePassword(
  db: Db,
  actor: Actor,
  {
    current: currentPassword,
    next: newPassword,
    keepToken: tokenToKeep,
    address,
  }: { current: string; next: string; keepToken?: string; address: string },
): Promise<void> {
  if (!newPassword) throwIfRefused(createRefusal(userTexts.passwordEmpty, 'newpassword'));
  const user = await getUser(db, actor.userId);
  throwIfRefused(await checkNewPassword(db, { password: newPassword, field: 'newpassword', person: user }));
  if (currentPassword === newPassword)
    throwIfRefused(createRefusal('La contraseña nueva debe ser distinta de la actual.', 'newpassword'));
  const given = { userId: user.id, password: currentPassword, address, at: new Date(actor.at) };
  await verifyOwnPassword(db, given, async (previous, attemptId) => {
    const hash = await hashPassword(newPassword);
    await inTransaction(db, async (trx) => {
      await requirePasswordUnchanged(trx, user.id, previous);
      await markAttemptSucceeded(trx, attemptId);
      await storePassword(trx, actor, user.id, hash, null);
      await endSessions(trx, user.id, tokenToKeep);
      queueAuditEntry(trx, actor, {
        action: 'password',
        entity: 'users',
        entityId: user.id,
        after: { changed: true },
      });
    });
  });
}

/** Calls `onVerified`, which marks the attempt as successful. @throws DomainError invalid (wrong), too-many, busy */
async function verifyOwnPassword(
  db: Db,
  { userId, password, address, at }: { userId: number; password: string; address: string; at: Date },
  onVerified: (hash: string, attemptId: number) => Promise<void>,
): Promise<void> {
  await verifyWithinLimit(db, { account: accountKey(userId), address, at }, async ({ id: attemptId }) => {
    const stored = await db
      .selectFrom('accounts')
      .select('password')
      .where('userId', '=', userId)
      .where('providerId', '=', 'credential')
      .executeTakeFirst();
    const hash = stored?.password;
    try {
      if (!hash || !(await verifyPassword({ hash, password }))) throw wrongPasswordError();
      await onVerified(hash, attemptId);
    } catch (error) {
      // The queue was full: no password was checked.
      if (error instanceof DomainError && error.kind === 'busy') await deleteAttempt(db, attemptId);
      throw error;
    }
  });
}

/** For this long after the password was given, further steps do not ask for it. */
const PASSWORD_CONFIRMED_MS = 10 * 60_000;

export const isPasswordConfirmed = ({ confirmedAt }: Session, now: Date): boolean =>
  now.getTime() - confirmedAt.getTime() < PASSWORD_CONFIRMED_MS && !isBeyondClockSkew(confirmedAt, now);

/** @throws DomainError invalid (wrong), too-many as at the sign-in, busy */
export async function confirmPassword(
  db: Db,
  { userId, token }: Session,
  { password, address, at }: { password: string; address: string; at: Date },
): Promise<void> {
  await verifyOwnPassword(db, { userId, password, address, at }, async (_, attemptId) => {
    await inTransaction(db, async (trx) => {
      await markAttemptSucceeded(trx, attemptId);
      await markPasswordConfirmed(trx, token, at);
    });
  });
}

/** Refuses the change if a reset or a deactivation came while the passwords were hashed. */
async function requirePasswordUnchanged(trx: Trx, userId: number, hash: string): Promise<void> {
  const same = await trx
    .selectFrom('accounts')
    .innerJoin('users', 'users.id', 'accounts.userId')
    .select('accounts.id')
    .where('userId', '=', userId)
    .where('password', '=', hash)
    .where('active', '=', 1)
    .modifyEnd(forUpdate(trx))
    .executeTakeFirst();
  if (!same) throw wrongPasswordError();
}

const wrongPasswordError = () =>
  toDomainError({
    ...createRefusal('La contraseña actual no es correcta.', 'currentpassword'),
    code: 'wrong_password',
  });

const ownPasswordError = () =>
  toDomainError({
    ...createRefusal('Tu propia contraseña se cambia en Mi perfil, con la actual.', 'newpassword'),
    code: 'own_password',
  });

type UserNames = Pick<UserInput, 'username' | 'email' | 'userfirstname' | 'userlastname'>;

export async function checkNewPassword(
  db: Db,
  { password, field, person }: { password: string; field: string; person: UserNames },
): Promise<Refusal | undefined> {
  const { empresa } = await readSettings(db);
  const { username = '', email = '', userfirstname, userlastname } = person;
  const forbiddenWords = [username, email, userfirstname, userlastname, empresa, ...(await readJobWords(db))];
  const problem = findWeakness(password, forbiddenWords);
  if (!problem) return undefined;
  const isCommon = problem.startsWith('una ');
  return createRefusal(
    isCommon ? 'Es una contraseña muy común; elige otra.' : `La contraseña debe tener ${problem}.`,
    field,
  );
}

/** Shorter words occur by chance in generated passwords. */
const MIN_JOB_WORD_LENGTH = 4;

/** Words in the names of obras, which everybody in the firm knows. */
async function readJobWords(db: Db): Promise<string[]> {
  const jobs = await db.selectFrom('jobs').select('jobtitle').execute();
  const words = jobs.flatMap(({ jobtitle }) => jobtitle.match(/\p{L}+/gu) ?? []);
  return [...new Set(words)].filter(({ length }) => length >= MIN_JOB_WORD_LENGTH);
}

export const computeTemporaryPasswordExpiry = (actor: Actor): string =>
  new Date(Date.parse(actor.at) + TEMPORARY_PASSWORD_MS).toISOString();

async function storePassword(
  trx: Trx,
  actor: Actor,
  userId: number,
  hash: string,
  until: string | null,
): Promise<void> {
  await removeTrustedDevices(trx, userId);
  await trx
    .updateTable('accounts')
    .set({ password: hash, updatedAt: actor.at })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .execute();
  await trx
    .updateTable('users')
    .set({ mustChangePassword: until ? 1 : 0, passwordExpiresAt: until, updatedAt: actor.at })
    .where('id', '=', userId)
    .execute();
}
