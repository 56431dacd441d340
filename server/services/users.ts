import { createHash } from 'node:crypto';
import { forUpdate } from '../../db/expressions.ts';
import { dialectOf } from '../../db/open.ts';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { type Refusal, refusal } from '../../shared/invoices.ts';
import { generatePassword, passwordProblem } from '../../shared/passwords.ts';
import { ADMIN_ROLE } from '../../shared/roles.ts';
import { cleanText, fold, normalizeAccount } from '../../shared/text.ts';
import {
  checkNewUser,
  checkUserChange,
  internalEmail,
  type Role,
  shownEmail,
  type User,
  type UserChange,
  type UserDraft,
  type UserSort,
  userTexts,
} from '../../shared/users.ts';
import { type Actor, audit } from './audit.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { forgiveAttempt, registerAttempt } from './signin-limit.ts';

const TEMPORARY_PASSWORD_MS = 72 * 3600 * 1000;

/** The user behind the command line where nobody is named; it has no password and cannot sign in. */
const CLI_USERNAME = 'cli';

export async function searchUsers(
  db: Db,
  {
    username = '',
    sort = 'id',
    direction = 'asc',
  }: { username?: string; sort?: UserSort; direction?: 'asc' | 'desc' },
): Promise<User[]> {
  const needle = fold(username);
  const users = await loadUsers(db);
  return users
    .filter((user) => fold(user.username).includes(needle))
    .sort(
      (a, b) =>
        (sort === 'id' ? a.id - b.id : a.username.localeCompare(b.username, 'es') || a.id - b.id) *
        (direction === 'asc' ? 1 : -1),
    );
}

/**
 * A page of users or roles, after the one whose id is the cursor; a firm has few, so the list is read whole.
 * @throws DomainError malformed where the list has no such row
 */
export function pageOf<Row extends { id: number }>(
  rows: readonly Row[],
  { limit, cursor }: { limit: number; cursor?: number | null },
): { rows: Row[]; total: number; before: number; cursor?: string } {
  const last = rows.findIndex((row) => row.id === cursor);
  if (cursor && last < 0)
    throw new DomainError('malformed', 'cursor: no es una página de esta lista.', { code: 'bad_cursor' });
  const page = rows.slice(last + 1, last + 1 + limit);
  const isEnd = last + 1 + page.length === rows.length;
  return {
    rows: page,
    total: rows.length,
    before: last + 1,
    cursor: isEnd ? undefined : String(page.at(-1)?.id),
  };
}

/** @throws DomainError not-found */
export async function getUser(db: Db, id: number): Promise<User> {
  const [user] = await loadUsers(db, id);
  if (!user) throw new DomainError('not-found', `No existe el usuario ${id}.`);
  return user;
}

/** By e-mail, username or id, as the command line names people. @throws DomainError not-found */
export async function findUser(db: Db, who: string): Promise<User> {
  const name = normalizeAccount(who);
  const users = await loadUsers(db);
  const isNamed = (user: User) => user.username === name || (user.email !== '' && user.email === name);
  const user = users.find(isNamed) ?? users.find((one) => String(one.id) === name);
  if (!user) throw new DomainError('not-found', `No existe el usuario «${who}».`);
  return user;
}

export const listRoles = (db: Db): Promise<Role[]> =>
  db.selectFrom('roles').select(['id', 'rolename']).orderBy('id').execute();

/**
 * Creates a user with a password that somebody else chose: it serves 72 hours and must be changed.
 * @throws DomainError invalid (the specification's messages), conflict (username or e-mail taken)
 */
export async function createUser(
  db: Db,
  actor: Actor,
  draft: UserDraft & { password: string; keepsPassword?: boolean },
): Promise<User> {
  const email = normalizeAccount(draft.email ?? '');
  refuse(checkNewUser({ ...draft, email }) ?? passwordRefusal(draft.password, 'password'));
  const hash = await hashPassword(draft.password);
  const temporary = !draft.keepsPassword;
  return inTransaction(db, async (trx) => {
    await lockUsers(trx);
    const username = await chooseUsername(trx, draft);
    await requireFree(trx, { username, email: email || internalEmail(username) });
    const userfirstname = cleanText(draft.userfirstname, 'Nombre', 'userfirstname', 100);
    const userlastname = cleanText(draft.userlastname, 'Apellido', 'userlastname', 100);
    const { id } = await trx
      .insertInto('users')
      .values({
        username,
        email: email || internalEmail(username),
        name: `${userfirstname} ${userlastname}`,
        emailVerified: emptyFlag(trx),
        image: null,
        createdAt: actor.at,
        updatedAt: actor.at,
        employeenumber:
          cleanText(draft.employeenumber ?? '', 'Número de empleado', 'employeenumber', 50) || null,
        userfirstname,
        userlastname,
        mustChangePassword: temporary ? 1 : 0,
        passwordExpiresAt: temporary ? temporaryUntil(actor) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('accounts')
      .values({
        accountId: String(id),
        providerId: 'credential',
        userId: id,
        password: hash,
        createdAt: actor.at,
        updatedAt: actor.at,
      } as never) // the columns left out are those of providers that are not used
      .execute();
    await writeRoles(trx, id, draft.roles);
    const user = await getUser(trx, id);
    audit(trx, actor, { action: 'create', entity: 'users', entityId: id, after: user });
    return user;
  });
}

/**
 * Changes what is given. A change of roles and a deactivation end the user's sessions but `keepToken`, which
 * is the one that the change came from.
 * @throws DomainError invalid, conflict (taken names; the last active administrator), stale (another
 * `version` than userVersion gives now), not-found
 */
export async function updateUser(
  db: Db,
  actor: Actor,
  id: number,
  change: UserChange & { version?: string },
  keepToken?: string,
): Promise<User> {
  return inTransaction(db, async (trx) => {
    await lockUsers(trx);
    const before = await getUser(trx, id);
    const username = normalizeAccount(change.username ?? before.username);
    const ownEmail = normalizeAccount(change.email ?? before.email);
    const roles = change.roles ?? before.roles.map((role) => role.id);
    refuse(checkUserChange({ username, email: ownEmail, roles }));
    checkUsername(username);
    if (change.version !== undefined && change.version !== userVersion(before)) {
      throw new DomainError('stale', 'Otra persona guardó este usuario mientras lo editabas.', {
        extra: { current: before },
      });
    }
    const email = ownEmail || internalEmail(username);
    await requireFree(trx, { username, email }, id);
    const active = change.active ?? before.active;
    await trx
      .updateTable('users')
      .set({ username, email, active: active ? 1 : 0, updatedAt: actor.at })
      .where('id', '=', id)
      .execute();
    await writeRoles(trx, id, roles);
    await requireAdministrator(trx);
    const after = await getUser(trx, id);
    const rolesChanged =
      before.roles.map((role) => role.id).join() !== after.roles.map((role) => role.id).join();
    if (rolesChanged || (before.active && !after.active)) await endSessions(trx, id, keepToken);
    audit(trx, actor, { action: 'update', entity: 'users', entityId: id, before, after });
    return after;
  });
}

/** Stands for what an edit of the user can change: two that are equal have the same. */
export function userVersion({ username, email, active, roles }: User): string {
  const content = JSON.stringify([username, email, active, roles.map((role) => role.id)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}

/** A password set by somebody else: ends the user's sessions but `keepToken` and has to be changed. */
export async function resetPassword(
  db: Db,
  actor: Actor,
  id: number,
  password: string,
  keepToken?: string,
): Promise<User> {
  refuse(passwordRefusal(password, 'newpassword'));
  const hash = await hashPassword(password);
  return inTransaction(db, async (trx) => {
    const user = await getUser(trx, id);
    await storePassword(trx, actor, id, hash, temporaryUntil(actor));
    await endSessions(trx, id, keepToken);
    audit(trx, actor, { action: 'password', entity: 'users', entityId: id, after: { reset: true } });
    return user;
  });
}

/**
 * The user's own change: takes the current password and ends the user's other sessions.
 * @throws DomainError invalid (wrong current password, weak or empty new one)
 */
export async function changePassword(
  db: Db,
  actor: Actor,
  {
    current,
    next,
    keepToken,
    address,
  }: { current: string; next: string; keepToken?: string; address: string },
): Promise<void> {
  if (!next) refuse(refusal(userTexts.passwordEmpty, 'newpassword'));
  const user = await getUser(db, actor.userId);
  const own = [user.username, user.email, user.userfirstname, user.userlastname];
  refuse(passwordRefusal(next, 'newpassword', own));
  if (current === next) refuse(refusal('La contraseña nueva debe ser distinta de la actual.', 'newpassword'));
  const attempt = await registerAttempt(db, { account: `#${user.id}`, address, at: new Date(actor.at) });
  const stored = await db
    .selectFrom('accounts')
    .select('password')
    .where('userId', '=', user.id)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  if (!stored?.password || !(await verifyPassword({ hash: stored.password, password: current }))) {
    const message = 'La contraseña actual no es correcta.';
    throw new DomainError('invalid', message, {
      code: 'wrong_password',
      fields: { currentpassword: message },
    });
  }
  const hash = await hashPassword(next);
  await inTransaction(db, async (trx) => {
    await forgiveAttempt(trx, attempt);
    await storePassword(trx, actor, user.id, hash, null);
    await endSessions(trx, user.id, keepToken);
    audit(trx, actor, { action: 'password', entity: 'users', entityId: user.id, after: { changed: true } });
  });
}

/**
 * Where there are no users yet: the first administrator (roles 1 and 3), with the given password or a
 * generated one that must be changed.
 * @returns what to print once, or nothing where users exist
 */
export async function createFirstAdministrator(
  db: Db,
  actor: Actor,
  { email = 'admin@saldo.test', password }: { email?: string; password?: string },
): Promise<{ email: string; password: string; generated: boolean } | undefined> {
  const exists = await db
    .selectFrom('users')
    .select('id')
    .where('username', '<>', CLI_USERNAME)
    .limit(1)
    .execute();
  if (exists.length > 0) return undefined;
  const chosen = password ?? generatePassword();
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
    // Of two starters at once, the other one was first.
    if (error instanceof DomainError && error.kind === 'conflict') return undefined;
    throw error;
  }
  return { email, password: chosen, generated: password === undefined };
}

/** The id of the system user `cli`, made on first use. */
export async function cliUserId(db: Db, at: string): Promise<number> {
  const find = () =>
    db.selectFrom('users').select('id').where('username', '=', CLI_USERNAME).executeTakeFirst();
  const known = await find();
  if (known) return known.id;
  await db
    .insertInto('users')
    .values({
      username: CLI_USERNAME,
      email: internalEmail(CLI_USERNAME),
      name: 'Línea de comandos',
      emailVerified: emptyFlag(db),
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
  return (await find())!.id;
}

async function loadUsers(db: Db, id?: number): Promise<User[]> {
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
      email: shownEmail(row.email),
      employeenumber: row.employeenumber ?? '',
      active: row.active === 1,
      roles: [],
    };
    if (roleId !== null) user.roles.push({ id: roleId, rolename: rolename ?? '' });
    users.set(row.id, user);
  }
  return [...users.values()];
}

async function chooseUsername(trx: Trx, draft: UserDraft): Promise<string> {
  const given = normalizeAccount(draft.username ?? '');
  if (given) return checkUsername(given);
  const word = (name: string) =>
    fold(name)
      .split(' ')[0]
      ?.replace(/[^a-z0-9]/g, '') ?? '';
  const words = [word(draft.userfirstname), word(draft.userlastname)].filter(Boolean);
  const base = words.join('.').slice(0, 50) || 'usuario';
  for (let number = 1; ; number++) {
    const username = number === 1 ? base : `${base}${number}`;
    const taken = await trx
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    if (!taken && username !== CLI_USERNAME) return username;
  }
}

function checkUsername(username: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u.test(username)) return username;
  const message = 'El usuario lleva letras, números, punto, guion o guion bajo, a lo más 60.';
  throw new DomainError('invalid', message, { fields: { username: message } });
}

async function requireFree(
  trx: Trx,
  { username, email }: { username: string; email: string },
  self = 0,
): Promise<void> {
  const taken = await trx
    .selectFrom('users')
    .select(['username', 'email'])
    .where((eb) => eb.or([eb('username', '=', username), eb('email', '=', email)]))
    .where('id', '<>', self)
    .executeTakeFirst();
  const reserved = username === CLI_USERNAME;
  if (!taken && !reserved) return;
  const [field, code, message] =
    reserved || taken?.username === username
      ? (['username', 'username_taken', `Ya existe el usuario ${username}.`] as const)
      : (['email', 'email_taken', `Ya existe un usuario con el correo ${email}.`] as const);
  throw new DomainError('conflict', message, { code, fields: { [field]: message } });
}

async function writeRoles(trx: Trx, userId: number, roles: readonly number[]): Promise<void> {
  const ids = [...new Set(roles)].sort((a, b) => a - b);
  const known = await trx.selectFrom('roles').select('id').where('id', 'in', ids).execute();
  if (known.length !== ids.length) refuse(refusal('Hay un rol que no existe.', 'roles'));
  await trx.deleteFrom('user_roles').where('userId', '=', userId).execute();
  await trx
    .insertInto('user_roles')
    .values(ids.map((roleId) => ({ userId, roleId })))
    .execute();
}

/** Checked after the change, inside its transaction: two administrators cannot remove one another at once. */
async function requireAdministrator(trx: Trx): Promise<void> {
  const left = await trx
    .selectFrom('users')
    .innerJoin('user_roles', 'user_roles.userId', 'users.id')
    .select('users.id')
    .where('active', '=', 1)
    .where('roleId', '=', ADMIN_ROLE)
    .limit(1)
    .execute();
  if (left.length > 0) return;
  const message = 'Debe quedar al menos un administrador activo.';
  throw new DomainError('conflict', message, { code: 'last_administrator' });
}

/** Changes of users wait for one another, so that the last administrator is counted on settled ground. */
async function lockUsers(trx: Trx): Promise<void> {
  await trx.selectFrom('roles').select('id').where('id', '=', ADMIN_ROLE).modifyEnd(forUpdate(trx)).execute();
}

async function storePassword(
  trx: Trx,
  actor: Actor,
  userId: number,
  hash: string,
  until: string | null,
): Promise<void> {
  await trx
    .updateTable('accounts')
    .set({ password: hash, updatedAt: actor.at })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .execute();
  await trx
    .updateTable('users')
    .set({ mustChangePassword: until ? 1 : 0, passwordExpiresAt: until, updatedAt: actor.at })
    .where('id', '=', userId)
    .execute();
}

async function endSessions(trx: Trx, userId: number, keepToken = ''): Promise<void> {
  await trx.deleteFrom('sessions').where('userId', '=', userId).where('token', '<>', keepToken).execute();
}

function passwordRefusal(password: string, field: string, own?: readonly string[]): Refusal | undefined {
  const problem = passwordProblem(password, own);
  if (!problem) return undefined;
  return refusal(`La contraseña debe tener ${problem}.`.replace('tener una', 'ser una'), field);
}

function refuse(problem: Refusal | undefined): void {
  if (problem) throw new DomainError('invalid', problem.message, { fields: problem.fields });
}

const temporaryUntil = (actor: Actor): string =>
  new Date(Date.parse(actor.at) + TEMPORARY_PASSWORD_MS).toISOString();

/** better-auth keeps a boolean on PostgreSQL and 0 or 1 on SQLite. */
const emptyFlag = (db: Db): number | boolean => (dialectOf(db) === 'postgres' ? false : 0);
