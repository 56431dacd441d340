import type { Trx } from '../../../db/schema.ts';
import { fold } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { createUser } from '../users/users.ts';

const DEMO_PEOPLE = {
  teresa: ['Teresa', 'Villarreal', [1]],
  ana: ['Ana', 'Ruiz', [2]],
  gerardo: ['Gerardo', 'Leal', [2, 4]],
  lucia: ['Lucía', 'Montemayor', [4]],
  fernando: ['Fernando', 'Ibarra', [5]],
  claudia: ['Claudia', 'Peña', [6]],
} as const;

export type DemoActorsByName = Record<keyof typeof DEMO_PEOPLE, Actor>;

/** The administrator's colleagues have no password until somebody sets one. */
export async function addDemoUsers(trx: Trx, actor: Actor): Promise<DemoActorsByName> {
  const people: Partial<DemoActorsByName> = {};
  for (const [index, [key, [userfirstname, userlastname, roles]]] of Object.entries(DEMO_PEOPLE).entries()) {
    const { id: userId, username } = await createUser(trx, actor, {
      employeenumber: String(101 + index),
      userfirstname,
      userlastname,
      email: `${fold(`${userfirstname}.${userlastname}`)}@valledelroble.test`,
      roles: [...roles],
    });
    people[key as keyof DemoActorsByName] = { ...actor, userId, username, roles };
  }
  return people as DemoActorsByName;
}
