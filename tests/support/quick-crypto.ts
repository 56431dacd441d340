import { scrypt } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';

/** Under vitest this is better-auth/crypto (see vite.config.ts): the real one, but where a test wants it quick. */
const real: Promise<typeof import('better-auth/crypto')> = import(
  /* @vite-ignore */ createRequire(import.meta.url).resolve('better-auth/crypto')
);

const QUICK = 'quick:';
const NOBODYS = /^0+:0+$/;
const stretch = promisify(scrypt) as (
  text: string,
  salt: string,
  bytes: number,
  cost: object,
) => Promise<Buffer>;

let isQuick = false;

/**
 * For the head of a file whose tests are not about hashes, which take a tenth of a second each. No server process
 * takes a password that is hashed so.
 */
export function hashQuickly(): void {
  isQuick = true;
  afterAll(() => {
    isQuick = false;
  });
}

export async function hashPassword(password: string): Promise<string> {
  if (!isQuick) return (await real).hashPassword(password);
  return QUICK + (await stretch(password, 'salt', 64, { N: 2 })).toString('hex');
}

export async function verifyPassword({
  hash,
  password,
}: {
  hash: string;
  password: string;
}): Promise<boolean> {
  if (isQuick && NOBODYS.test(hash)) return (await hashPassword(password)) === hash;
  if (!hash.startsWith(QUICK)) return (await real).verifyPassword({ hash, password });
  return hash === (await hashPassword(password));
}
