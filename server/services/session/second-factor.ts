import { randomBytes } from 'node:crypto';
import { base32 } from '@better-auth/utils/base32';
import { createOTP } from '@better-auth/utils/otp';
import { forUpdateInTransaction } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Settings } from '../settings/definitions.ts';
import type { Auth } from './auth.ts';
import { generateToken, hashToken } from './tokens.ts';

const TOTP_STEP_MS = 30_000;
/** Half minutes by which a clock may be wrong, or a code may be typed late. */
const TOLERATED_STEPS = 1;
const TRUSTED_DEVICE_MS = 30 * 24 * 3600_000;
const BACKUP_CODE_COUNT = 10;

export const requiresSecondFactor = ({ doblefactor }: Settings, roles: readonly number[]): boolean =>
  doblefactor === 'all' || roles.some((role) => doblefactor.split(',').includes(String(role)));

/** Inside a transaction the answer stays true until the transaction ends. */
export async function hasSecondFactor(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .selectFrom('second_factors')
    .select('userId')
    .where('userId', '=', userId)
    .where('confirmed', '=', 1)
    .modifyEnd(forUpdateInTransaction(db, 'second_factors'))
    .executeTakeFirst();
  return found !== undefined;
}

/** Accepts a code of the user's authenticator, or a backup code, each only once. @returns whether it was right */
export async function consumeCode(db: Db, auth: Auth, { userId, code, at }: TypedCode): Promise<boolean> {
  const typed = code.replace(/[\s-]/g, '');
  if (/^\d{6}$/.test(typed)) return consumeTotp(db, auth, { userId, code: typed, at });
  const { numDeletedRows } = await db
    .deleteFrom('backup_codes')
    .where('userId', '=', userId)
    .where('hash', '=', hashBackupCode(typed))
    .where('userId', 'in', (eb) =>
      eb.selectFrom('second_factors').select('userId').where('confirmed', '=', 1),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** In half minutes. Servers' clocks differ by less, so a stored step further ahead is an error, and is ignored. */
const MAX_LAST_STEP_AHEAD = 4;

async function consumeTotp(db: Db, auth: Auth, given: TypedCode): Promise<boolean> {
  const found = await matchTotp(db, auth, given);
  if (!found) return false;
  const { secret, step, now } = found;
  // Checked in the statement itself: of two uses of one code at once, one succeeds.
  const { numUpdatedRows } = await db
    .updateTable('second_factors')
    .set({ lastStep: step })
    .where('userId', '=', given.userId)
    .where('secret', '=', secret)
    .where('confirmed', '=', 1)
    .where((eb) => eb.or([eb('lastStep', '<', step), eb('lastStep', '>', now + MAX_LAST_STEP_AHEAD)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

interface TypedCode {
  userId: number;
  code: string;
  at: Date;
}

/** Returns the half minute of the typed authenticator code, and the secret as stored, confirmed or not. */
export async function matchTotp(
  db: Db,
  auth: Auth,
  { userId, code, at }: TypedCode,
): Promise<{ secret: string; step: number; now: number } | undefined> {
  const factor = await db
    .selectFrom('second_factors')
    .select('secret')
    .where('userId', '=', userId)
    .executeTakeFirst();
  const secret = factor && (await auth.unseal(factor.secret));
  if (!secret) return undefined;
  const now = Math.floor(at.getTime() / TOTP_STEP_MS);
  for (let step = now - TOLERATED_STEPS; step <= now + TOLERATED_STEPS; step++) {
    if ((await createOTP(secret).hotp(step)) === code) return { secret: factor.secret, step, now };
  }
  return undefined;
}

export function codeRefusedError(kind: 'unauthenticated' | 'invalid'): DomainError {
  const message = 'El código no es correcto, o ya se usó.';
  return new DomainError(kind, message, { code: 'second_factor_refused', fields: { code: message } });
}

export const generateSecret = (): string => randomBytes(16).toString('base64url');

export const formatSecret = (secret: string): string => base32.encode(secret, { padding: false });

export const formatAuthenticatorUrl = (
  secret: string,
  { issuer, account }: { issuer: string; account: string },
) => createOTP(secret).url(issuer, account);

export function generateBackupCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: BACKUP_CODE_COUNT }, () => {
    const text = base32.encode(randomBytes(14), { padding: false }).toLowerCase();
    return text.replace(/.{8}(?=.)/g, '$&-');
  });
  return { codes, hashes: codes.map((code) => hashBackupCode(code.replaceAll('-', ''))) };
}

/** 112 random bits need no slow hash. */
const hashBackupCode = (code: string): string => hashToken(`backup:${code.toLowerCase()}`);

export async function isTrustedDevice(
  db: Db,
  userId: number,
  device: string | undefined,
  at: Date,
): Promise<boolean> {
  if (!device) return false;
  const found = await db
    .selectFrom('trusted_devices')
    .select('userId')
    .where('hash', '=', hashToken(device))
    .where('userId', '=', userId)
    .where('expiresAt', '>', at.toISOString())
    .executeTakeFirst();
  return found !== undefined;
}

/** @returns the token that the device keeps, and for how many seconds */
export async function trustDevice(
  db: Db,
  userId: number,
  at: Date,
): Promise<{ device: string; seconds: number }> {
  const device = generateToken();
  const expiresAt = new Date(at.getTime() + TRUSTED_DEVICE_MS).toISOString();
  await db
    .insertInto('trusted_devices')
    .values({ hash: hashToken(device), userId, expiresAt })
    .execute();
  return { device, seconds: TRUSTED_DEVICE_MS / 1000 };
}

export async function removeTrustedDevices(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('trusted_devices').where('userId', '=', userId).execute();
}
