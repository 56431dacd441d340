import { createHash, randomBytes } from 'node:crypto';

/** The token in a browser's cookie or a program's header: 192 random bits. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** Tokens are stored as hashes, so that reading the database or a copy of it lets nobody in. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
