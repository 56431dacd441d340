import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { fold, normalizeLoginName } from '../../../shared/text.ts';
import {
  CLI_USERNAME,
  hidePlaceholderEmail,
  type Role,
  type User,
  type UserSort,
} from '../../../shared/users.ts';
import { sortRows } from '../rows-in-memory.ts';

export async function listUsers(
  db: Db,
  {
    username = '',
    sort = 'id',
    direction = 'asc',
  }: { username?: string; sort?: UserSort; direction?: 'asc' | 'desc' },
): Promise<User[]> {
  const needle = fold(username);
  const users = await readUsers(db);
  const found = users.filter((user) => fold(user.username).includes(needle));
  return sortRows(found, SORT_VALUES[sort], direction);
}

const SORT_VALUES: Record<UserSort, (user: User) => string | number> = {
  id: ({ id }) => id,
  username: ({ username }) => username,
  name: ({ userfirstname, userlastname }) => `${userfirstname} ${userlastname}`,
  email: ({ email }) => email,
  roles: ({ roles }) => roles.map(({ rolename }) => rolename).join(', '),
  active: ({ active }) => (active ? 'Activo' : 'Desactivado'),
};

/** @throws DomainError not-found */
export async function getUser(db: Db, id: number): Promise<User> {
  const [user] = await readUsers(db, id);
  if (!user) throw new DomainError('not-found', `No existe el usuario ${id}.`);
  return user;
}

/** By e-mail, username or id, as the command line names people. @throws DomainError not-found */
export async function getUserByNameOrId(db: Db, identifier: string): Promise<User> {
  const name = normalizeLoginName(identifier);
  const users = await readUsers(db);
  const isNamed = (user: User) => user.username === name || (user.email !== '' && user.email === name);
  const user = users.find(isNamed) ?? users.find((one) => String(one.id) === name);
  if (!user) throw new DomainError('not-found', `No existe el usuario «${identifier}».`);
  return user;
}

export const listRoles = (db: Db): Promise<Role[]> =>
  db.selectFrom('roles').select(['id', 'rolename']).orderBy('id').execute();

async function readUsers(db: Db, id?: number): Promise<User[]> {
  const rows = await db
    .selectFrom('users')
    .leftJoin('user_roles', 'user_roles.userId', 'users.id')
    .leftJoin('roles', 'roles.id', 'user_roles.roleId')
    .select(['users.id', 'username', 'email', 'employeenumber', 'userfirstname', 'userlastname', 'active'])
    .select(['roles.id as roleId', 'rolename'])
    .where('username', '<>', CLI_USERNAME)
    .$if(id !== undefined, (query) => query.where('users.id', '=', id!))
    .orderBy('users.id')
    .orderBy('roles.id')
    .execute();
  const users = new Map<number, User>();
  for (const { roleId, rolename, ...row } of rows) {
    const user = users.get(row.id) ?? {
      ...row,
      email: hidePlaceholderEmail(row.email),
      employeenumber: row.employeenumber ?? '',
      active: row.active === 1,
      roles: [],
    };
    if (roleId !== null) user.roles.push({ id: roleId, rolename: rolename ?? '' });
    users.set(row.id, user);
  }
  return [...users.values()];
}

export async function hasAdministrator(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.userId', 'users.id')
    .select('users.id')
    .where('active', '=', 1)
    .where('roleId', '=', ADMIN_ROLE)
    .limit(1)
    .execute();
  return found.length > 0;
}
