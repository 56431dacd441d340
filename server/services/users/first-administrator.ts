import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { CLI_USERNAME } from '../../../shared/users.ts';
import { generateStrongPassword } from '../../formats/passwords/common-passwords.ts';
import type { Actor } from '../audit/audit.ts';
import { createUser } from './users.ts';

/** @returns what to print once; undefined where there are users already */
export async function createFirstAdministrator(
  db: Db,
  actor: Actor,
  { email = 'admin@saldo.test', password }: { email?: string; password?: string },
): Promise<{ email: string; password: string; isGenerated: boolean } | undefined> {
  const exists = await db
    .selectFrom('users')
    .select('id')
    .where('username', '<>', CLI_USERNAME)
    .limit(1)
    .execute();
  if (exists.length > 0) return undefined;
  const chosen = password ?? generateStrongPassword();
  try {
    await createUser(db, actor, {
      userfirstname: 'Administrador',
      userlastname: 'Saldo',
      username: 'admin',
      email,
      roles: [1, ADMIN_ROLE],
      password: chosen,
      keepsPassword: password !== undefined,
    });
  } catch (error) {
    // Another server, which started at the same time, has created the administrator.
    if (error instanceof DomainError && error.kind === 'conflict') return undefined;
    throw error;
  }
  return { email, password: chosen, isGenerated: password === undefined };
}
