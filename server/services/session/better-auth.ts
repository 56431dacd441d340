import { betterAuth } from 'better-auth';
import { dialectOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';

export interface AuthOptions {
  secret: string;
  baseURL: string;
}

/**
 * better-auth on our own database, which only makes sessions: its HTTP endpoints, cookies and limiter are not used. The
 * users service writes accounts, so that user, password, roles and audit entry share one transaction. It also checks
 * passwords, since better-auth's sign-in takes no e-mail with an Ñ. Never call better-auth inside a transaction.
 */
export function createBetterAuth(db: Db, { secret, baseURL }: AuthOptions) {
  const type = dialectOf(db);
  return betterAuth({
    baseURL,
    secret,
    telemetry: { enabled: false },
    logger: { level: 'error', disabled: true },
    database: { db, type, transaction: false },
    advanced: { database: { generateId: 'serial', validateSchema: false } },
    rateLimit: { enabled: false },
    session: { modelName: 'sessions', expiresIn: MAX_SESSION_SECONDS, cookieCache: { enabled: false } },
    user: { modelName: 'users' },
    account: { modelName: 'accounts' },
    verification: { modelName: 'verifications' },
  });
}

/** The upper bound of the setting sesion.total; our own limits are checked at every request. */
const MAX_SESSION_SECONDS = 30 * 24 * 3600;

export type BetterAuth = ReturnType<typeof createBetterAuth>;
