import { betterAuthFalse } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { CLI_USERNAME, createPlaceholderEmail } from '../../../shared/users.ts';

export async function findOrCreateCliUser(db: Db, at: string): Promise<number> {
  const findCliUser = () =>
    db.selectFrom('users').select('id').where('username', '=', CLI_USERNAME).executeTakeFirst();
  const existing = await findCliUser();
  if (existing) return existing.id;
  await db
    .insertInto('users')
    .values({
      username: CLI_USERNAME,
      email: createPlaceholderEmail(CLI_USERNAME),
      name: 'Línea de comandos',
      emailVerified: betterAuthFalse(db),
      image: null,
      createdAt: at,
      updatedAt: at,
      employeenumber: null,
      userfirstname: 'Línea',
      userlastname: 'de comandos',
      active: 0,
      passwordExpiresAt: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await findCliUser())!.id;
}
