import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The cost of a hash: rounds as a power of two, block size, repetitions. */
interface ScryptCost {
  ln: number;
  r: number;
  p: number;
}

/** OWASP's advice of 2026 at 32 MB per hash: as much work as N = 2^17, which takes four times the memory. */
export const SCRYPT_COST: ScryptCost = { ln: 15, r: 8, p: 3 };

const HASH_BYTES = 32;
const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** `$scrypt$ln=15,r=8,p=3$salt$hash`: the hash names its cost, so that the cost can be raised later. */
export async function scryptHash(password: string, cost: ScryptCost = SCRYPT_COST): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveKey(password, salt, cost);
  const { ln, r, p } = cost;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** @returns false also where `stored` is no hash of ours */
export async function scryptVerify(stored: string, password: string): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] =
    /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(stored) ?? [];
  if (!hash) return false;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, 'base64url');
  const derived = await deriveKey(password, Buffer.from(salt, 'base64url'), cost);
  return expected.length === derived.length && timingSafeEqual(expected, derived);
}

export const isHashedWithCost = (stored: string, { ln, r, p }: ScryptCost = SCRYPT_COST): boolean =>
  stored.startsWith(`$scrypt$ln=${ln},r=${r},p=${p}$`);

const deriveKey = (password: string, salt: Buffer, { ln, r, p }: ScryptCost): Promise<Buffer> =>
  scryptAsync(password, salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 256 });
