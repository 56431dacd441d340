import type { Db } from '../../../db/schema.ts';
import type { AuthOptions, BetterAuth } from './better-auth.ts';
import { generateToken, hashToken } from './tokens.ts';

/** Times are those of the application's clock. */
interface SessionDetails {
  ipAddress: string;
  userAgent: string;
  createdAt: Date;
  updatedAt: Date;
}

export interface Auth {
  /** @returns the new session's token */
  createSession(userId: number, facts: SessionDetails): Promise<string>;
  /** encrypts the text so that only this installation's secret decrypts it */
  seal(text: string): Promise<string>;
  /** returns undefined where the text was sealed with another secret */
  unseal(sealed: string): Promise<string | undefined>;
  warmUp(): Promise<void>;
}

/** Loading better-auth takes half a second, so it is loaded after the server has started, and only if needed. */
export function createAuth(db: Db, options: AuthOptions): Auth {
  let loading: Promise<BetterAuth> | undefined;
  const loadBetterAuth = () => {
    loading ??= import('./better-auth.ts').then(({ createBetterAuth }) => createBetterAuth(db, options));
    return loading;
  };
  return {
    async createSession(userId, facts) {
      const { internalAdapter } = await (await loadBetterAuth()).$context;
      const token = generateToken();
      await internalAdapter.createSession(String(userId), false, { ...facts, token: hashToken(token) }, true);
      return token;
    },
    async seal(data) {
      const { symmetricEncrypt } = await import('better-auth/crypto');
      return symmetricEncrypt({ key: options.secret, data });
    },
    async unseal(data) {
      const { symmetricDecrypt } = await import('better-auth/crypto');
      return symmetricDecrypt({ key: options.secret, data }).catch(() => undefined);
    },
    async warmUp() {
      await (await loadBetterAuth()).$context;
    },
  };
}
