import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import type { User } from '../../../shared/users.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import type { Auth } from '../session/auth.ts';
import {
  codeRefusedError,
  consumeCode,
  formatAuthenticatorUrl,
  formatSecret,
  generateBackupCodes,
  generateSecret,
  hasSecondFactor,
  matchTotp,
  removeTrustedDevices,
  requiresSecondFactor,
} from '../session/second-factor.ts';
import { endSessions } from '../session/session.ts';
import { accountKey, markAttemptSucceeded, verifyWithinLimit } from '../session/sign-in-limit.ts';
import { readSettings } from '../settings/settings.ts';
import { getUser } from './reading.ts';

/** The secret of an authenticator app, to be typed (`secretText`) or scanned as a QR code (`otpauthUri`). */
export interface Enrolment {
  secretText: string;
  otpauthUri: string;
}

/** The secret takes effect with `confirmSecondFactor`. @throws DomainError conflict where there is a second factor */
export async function startSecondFactor(db: Db, auth: Auth, actor: Actor): Promise<Enrolment> {
  const secret = generateSecret();
  const values = { secret: await auth.seal(secret), confirmed: 0, lastStep: 0, createdAt: actor.at };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('second_factors')
    .values({ userId: actor.userId, ...values })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet(values).where('second_factors.confirmed', '=', 0),
    )
    .executeTakeFirstOrThrow();
  if (!numInsertedOrUpdatedRows) throw alreadyEnabledError();
  return toEnrolment(secret, actor);
}

export async function readPendingEnrolment(db: Db, auth: Auth, actor: Actor): Promise<Enrolment | undefined> {
  const pending = await db
    .selectFrom('second_factors')
    .select('secret')
    .where('userId', '=', actor.userId)
    .where('confirmed', '=', 0)
    .executeTakeFirst();
  const secret = pending && (await auth.unseal(pending.secret));
  return secret ? toEnrolment(secret, actor) : undefined;
}

/**
 * From the first right code on, signing in requires a code. Ends the user's other sessions.
 * @returns the backup codes, only this once
 * @throws DomainError invalid where the code is wrong; conflict where there is a second factor
 */
export async function confirmSecondFactor(
  db: Db,
  auth: Auth,
  actor: Actor,
  { code, keepToken: tokenToKeep }: { code: string; keepToken: string },
): Promise<string[]> {
  const { userId } = actor;
  const typed = { userId, code: code.replace(/\s/g, ''), at: new Date(actor.at) };
  const { secret, step } = (await matchTotp(db, auth, typed)) ?? {};
  return inTransaction(db, async (trx) => {
    // Checked in the query itself: of two enrolments at once, the one whose code was right counts.
    const { numUpdatedRows } = await trx
      .updateTable('second_factors')
      .set({ confirmed: 1, lastStep: step })
      .where('userId', '=', userId)
      .where('secret', '=', secret ?? '')
      .where('confirmed', '=', 0)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      if (await hasSecondFactor(trx, userId)) throw alreadyEnabledError();
      throwIfRefused(createRefusal('El código no es correcto. Revisa también la hora del teléfono.', 'code'));
    }
    await endSessions(trx, userId, tokenToKeep);
    auditSecondFactor(trx, actor, userId, { enabled: true });
    return replaceBackupCodes(trx, userId);
  });
}

interface GivenCode {
  code: string;
  address: string;
}

/** @throws DomainError not-found where there is no second factor; invalid (wrong code), too-many as at the sign-in */
export async function renewBackupCodes(
  db: Db,
  auth: Auth,
  actor: Actor,
  given: GivenCode,
): Promise<string[]> {
  await requireSecondFactor(db, actor.userId);
  return changeAfterOwnCode(db, auth, actor, given, async (trx) => {
    auditSecondFactor(trx, actor, actor.userId, { backupCodes: 'new' });
    return replaceBackupCodes(trx, actor.userId);
  });
}

/** @throws DomainError conflict where the user's role requires a second factor; and as `renewBackupCodes` */
export async function removeSecondFactor(
  db: Db,
  auth: Auth,
  actor: Actor,
  { keepToken: tokenToKeep, ...given }: GivenCode & { keepToken: string },
): Promise<void> {
  await requireSecondFactor(db, actor.userId);
  if (requiresSecondFactor(await readSettings(db), actor.roles))
    throw new DomainError('conflict', 'Tu rol pide el doble factor: no se puede quitar.');
  await changeAfterOwnCode(db, auth, actor, given, (trx) =>
    deleteFactorAndSessions(trx, actor, actor.userId, tokenToKeep),
  );
}

/** Wrong codes count as wrong passwords of the account, so that nobody can guess codes from within a session. */
async function changeAfterOwnCode<T>(
  db: Db,
  auth: Auth,
  { userId, at: moment }: Actor,
  { code, address }: GivenCode,
  change: (trx: Trx) => Promise<T>,
): Promise<T> {
  if (!code.trim()) throwIfRefused(createRefusal('Escribe el código.', 'code'));
  const at = new Date(moment);
  return verifyWithinLimit(db, { account: accountKey(userId), address, at }, async ({ id: attemptId }) => {
    if (!(await consumeCode(db, auth, { userId, code, at }))) throw codeRefusedError('invalid');
    return inTransaction(db, async (trx) => {
      await markAttemptSucceeded(trx, attemptId);
      await requireSecondFactor(trx, userId);
      return change(trx);
    });
  });
}

/** For users who have lost both phone and codes: the password alone lets them in again. Ends the user's sessions. */
export async function resetSecondFactor(db: Db, actor: Actor, id: number): Promise<User> {
  await requireSecondFactor(db, id);
  return inTransaction(db, async (trx) => {
    await deleteFactorAndSessions(trx, actor, id);
    return getUser(trx, id);
  });
}

export async function removeOwnTrustedDevices(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (trx) => {
    await removeTrustedDevices(trx, actor.userId);
    auditSecondFactor(trx, actor, actor.userId, { devices: 'none' });
  });
}

export async function countBackupCodes(db: Db, userId: number): Promise<number> {
  return (await db.selectFrom('backup_codes').select('hash').where('userId', '=', userId).execute()).length;
}

function toEnrolment(secret: string, { username }: Actor): Enrolment {
  return {
    secretText: formatSecret(secret).replace(/(.{4})(?=.)/g, '$1 '),
    otpauthUri: formatAuthenticatorUrl(secret, { issuer: 'Saldo', account: username }),
  };
}

async function replaceBackupCodes(trx: Trx, userId: number): Promise<string[]> {
  const { codes, hashes } = generateBackupCodes();
  await trx.deleteFrom('backup_codes').where('userId', '=', userId).execute();
  await trx
    .insertInto('backup_codes')
    .values(hashes.map((hash) => ({ userId, hash })))
    .execute();
  return codes;
}

async function deleteFactorAndSessions(
  trx: Trx,
  actor: Actor,
  userId: number,
  keepToken?: string,
): Promise<void> {
  await trx.deleteFrom('second_factors').where('userId', '=', userId).execute();
  await trx.deleteFrom('backup_codes').where('userId', '=', userId).execute();
  await removeTrustedDevices(trx, userId);
  await endSessions(trx, userId, keepToken);
  auditSecondFactor(trx, actor, userId, { enabled: false });
}

async function requireSecondFactor(db: Db, userId: number): Promise<void> {
  if (await hasSecondFactor(db, userId)) return;
  throw new DomainError('not-found', 'Ese usuario no tiene doble factor.');
}

const alreadyEnabledError = () => new DomainError('conflict', 'Ya tienes doble factor.');

const auditSecondFactor = (trx: Trx, actor: Actor, entityId: number, after: object): void =>
  queueAuditEntry(trx, actor, { action: 'second-factor', entity: 'users', entityId, after });
