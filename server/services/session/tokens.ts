import { createHash, randomBytes } from 'node:crypto';

/** What a browser's cookie or a program's header holds: 192 random bits. */
export const newToken = (): string => randomBytes(24).toString('base64url');

/** A token as it is stored: whoever reads the database, or a copy of it, enters by none of them. */
export const storedToken = (token: string): string => createHash('sha256').update(token).digest('base64url');
