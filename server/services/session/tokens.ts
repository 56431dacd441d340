import { createHash, randomBytes } from 'node:crypto';

export const generateToken = (): string => randomBytes(24).toString('base64url');

/** Tokens are stored as hashes, so that reading the database or a copy of it lets nobody in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
