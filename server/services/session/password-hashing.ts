import { Limiter } from '../../../shared/limiter.ts';
import { isHashedWithCost, SCRYPT_COST, scryptHash, scryptVerify } from './scrypt.ts';

/** How many hashes run at once, and how many may wait: a flood of sign-ins must not stall everybody else. */
const hashingLimiter = new Limiter({
  concurrent: 2,
  waiting: 20,
  refusal: 'Hay demasiados inicios de sesión a la vez. Intenta de nuevo en un momento.',
  retryAfter: 5,
});

/** No password is longer; the rest of a longer text is ignored. */
const MAX_HASHED_LENGTH = 256;

/** It has the form of a hash, but no password matches it. */
export const DUMMY_HASH = `$scrypt$ln=${SCRYPT_COST.ln},r=${SCRYPT_COST.r},p=${SCRYPT_COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** @throws DomainError busy where too many wait already */
export const hashPassword = (password: string): Promise<string> =>
  hashingLimiter.run(() => scryptHash(password.normalize('NFKC')));

/** @throws DomainError busy where too many wait already */
export const verifyPassword = ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
  hashingLimiter.run(() => scryptVerify(hash, password.slice(0, MAX_HASHED_LENGTH).normalize('NFKC')));

export const isOutdatedHash = (hash: string): boolean => !isHashedWithCost(hash);

export const readHashingLoad = (): { running: number; waiting: number } => hashingLimiter.usage;

/** Called before anything is written for a sign-in that would find the queue full. @throws DomainError busy */
export const requireHashingCapacity = (): void => hashingLimiter.requireQueueSpace();
