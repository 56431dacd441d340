import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import * as real from '../../server/services/session/scrypt.ts';

/** Under vitest this replaces scrypt.ts (see vite.config.ts): it is the real one unless a test wants it quick. */
export const { SCRYPT_COST } = real;

const QUICK_PREFIX = 'quick:';
const DUMMY_HASH_PATTERN = /A{22}\$A{43}$/;
const scryptAsync = promisify(scrypt) as (
  text: string,
  salt: string,
  bytes: number,
  cost: object,
) => Promise<Buffer>;

let usesQuickHashes = false;
let hashingBlock: Promise<void> | undefined;

/** A real hash takes a fifth of a second. No server process accepts a password that is hashed this way. */
export function enableQuickHashes(): void {
  usesQuickHashes = true;
  afterAll(enableRealHashes);
}

/** Resets it in the setup of every file: a file that failed before its tests did not reset it itself. */
export function enableRealHashes(): void {
  usesQuickHashes = false;
}

/** No hash ends before the returned function is called. */
export function blockHashing(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  hashingBlock = promise;
  return () => {
    hashingBlock = undefined;
    resolve();
  };
}

export async function scryptHash(password: string): Promise<string> {
  await hashingBlock;
  if (!usesQuickHashes) return real.scryptHash(password);
  return QUICK_PREFIX + (await scryptAsync(password, 'salt', 64, { N: 2 })).toString('hex');
}

export async function scryptVerify(hash: string, password: string): Promise<boolean> {
  if (usesQuickHashes && DUMMY_HASH_PATTERN.test(hash)) return (await scryptHash(password)) === hash;
  if (!hash.startsWith(QUICK_PREFIX)) return real.scryptVerify(hash, password);
  return hash === (await scryptHash(password));
}

export const isHashedWithCost = (hash: string): boolean =>
  hash.startsWith(QUICK_PREFIX) || real.isHashedWithCost(hash);

/** Does not compile once scrypt.ts exports another name. */
export default { SCRYPT_COST, scryptHash, scryptVerify, isHashedWithCost } satisfies typeof real;
