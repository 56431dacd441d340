import { hashPassword } from '../../server/services/session/password-hashing.ts';
import type { FreshDatabase } from '../support/databases.ts';
import { type RunningServer, startServer } from '../support/server.ts';

export const PASSWORD = 'ladrillo rojo';
export const HASH = await hashPassword(PASSWORD);
export const SECRET = 'un-secreto-solo-para-las-pruebas-0123456789';

export const serve = (database: FreshDatabase, env: Record<string, string> = {}): Promise<RunningServer> =>
  startServer({ DATABASE_URL: database.url, SALDO_SECRET: SECRET, ...env });
