import { hashPassword as scryptHash, verifyPassword as scryptVerify } from 'better-auth/crypto';
import { DomainError } from '../../shared/errors.ts';

/** Hashes under way at once, and how many may wait: a flood of sign-ins must not stall everybody else. */
const HASHES_AT_ONCE = 2;
const HASHES_WAITING = 20;

let running = 0;
const queue: Array<() => void> = [];

/** @throws DomainError busy where too many wait already */
export const hashPassword = (password: string): Promise<string> =>
  bounded(() => scryptHash(password.normalize('NFKC')));

export const verifyPassword = ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
  bounded(() => scryptVerify({ hash, password: password.normalize('NFKC') }));

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (running >= HASHES_AT_ONCE) {
    if (queue.length >= HASHES_WAITING) {
      throw new DomainError(
        'busy',
        'Hay demasiados inicios de sesión a la vez. Intenta de nuevo en un momento.',
        {
          retryAfter: 5,
        },
      );
    }
    await new Promise<void>((resolve) => queue.push(resolve));
  } else {
    running++;
  }
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running--;
  }
}
