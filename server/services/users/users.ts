import { createHash } from 'node:crypto';
import { betterAuthFalse, forUpdate } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { cleanLine, fold, normalizeLoginName } from '../../../shared/text.ts';
import {
  CLI_USERNAME,
  checkNewUser,
  checkUserChange,
  createPlaceholderEmail,
  type User,
  type UserChange,
  type UserInput,
} from '../../../shared/users.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { listOpenFundsOfHolder } from '../petty-cash/reading.ts';
import { hashPassword } from '../session/password-hashing.ts';
import { endSessions } from '../session/session.ts';
import { checkNewPassword, computeTemporaryPasswordExpiry } from './passwords.ts';
import { getUser, hasAdministrator } from './reading.ts';

/**
 * Creates a user with a password that somebody else chose, valid for 72 hours and to be changed. Without a password,
 * nobody signs in as that user until somebody sets one.
 * @throws DomainError invalid (the specification's messages), conflict (username or e-mail taken)
 */
export async function createUser(
  db: Db,
  actor: Actor,
  { password, ...draft }: UserInput & { password?: string; keepsPassword?: boolean },
): Promise<User> {
  const email = normalizeLoginName(draft.email ?? '');
  throwIfRefused(checkNewUser({ ...draft, email }));
  if (password !== undefined)
    throwIfRefused(await checkNewPassword(db, { password, field: 'password', person: draft }));
  const hash = password === undefined ? null : await hashPassword(password);
  const temporary = hash !== null && !draft.keepsPassword;
  return inTransaction(db, async (trx) => {
    await lockUsers(trx);
    const username = await chooseUsername(trx, draft);
    await requireFreeNames(trx, { username, email: email || createPlaceholderEmail(username) });
    const userfirstname = cleanLine(draft.userfirstname, 'Nombre', 'userfirstname', 100);
    const userlastname = cleanLine(draft.userlastname, 'Apellido', 'userlastname', 100);
    const { id } = await trx
      .insertInto('users')
      .values({
        username,
        email: email || createPlaceholderEmail(username),
        name: `${userfirstname} ${userlastname}`,
        emailVerified: betterAuthFalse(trx),
        image: null,
        createdAt: actor.at,
        updatedAt: actor.at,
        employeenumber:
          cleanLine(draft.employeenumber ?? '', 'Número de empleado', 'employeenumber', 50) || null,
        userfirstname,
        userlastname,
        mustChangePassword: temporary ? 1 : 0,
        passwordExpiresAt: temporary ? computeTemporaryPasswordExpiry(actor) : null,
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
      } as never) // the columns left out belong to providers that are not used
      .execute();
    await writeRoles(trx, id, draft.roles);
    const user = await getUser(trx, id);
    queueAuditEntry(trx, actor, { action: 'create', entity: 'users', entityId: id, after: user });
    return user;
  });
}

/**
 * Changed roles and a deactivation end the user's sessions, except the one with `keepToken`, which made the change.
 * @throws DomainError invalid, conflict (taken names; the last active administrator; the holder of a fund), stale
 * (computeUserVersion no longer gives `version`), not-found
 */
export async function updateUser(
  db: Db,
  actor: Actor,
  id: number,
  change: UserChange & { version?: string },
  tokenToKeep?: string,
): Promise<User> {
  return inTransaction(db, async (trx) => {
    await lockUsers(trx);
    const before = await getUser(trx, id);
    const username = normalizeLoginName(change.username ?? before.username);
    const ownEmail = normalizeLoginName(change.email ?? before.email);
    const roles = change.roles ?? before.roles.map((role) => role.id);
    throwIfRefused(checkUserChange({ username, email: ownEmail, roles }));
    requireValidUsername(username);
    if (change.version !== undefined && change.version !== computeUserVersion(before)) {
      throw new DomainError('stale', 'Otra persona guardó este usuario mientras lo editabas.', {
        extra: { current: before },
      });
    }
    const email = ownEmail || createPlaceholderEmail(username);
    await requireFreeNames(trx, { username, email }, id);
    const active = change.active ?? before.active;
    const toSortedText = (ids: readonly number[]) => [...new Set(ids)].sort().join();
    const hasSameRoles = toSortedText(roles) === toSortedText(before.roles.map((role) => role.id));
    if (
      hasSameRoles &&
      computeUserVersion({ ...before, username, email: ownEmail, active }) === computeUserVersion(before)
    )
      return before;
    await trx
      .updateTable('users')
      .set({ username, email, active: active ? 1 : 0, updatedAt: actor.at })
      .where('id', '=', id)
      .execute();
    await writeRoles(trx, id, roles);
    await requireRemainingAdministrator(trx);
    if (before.active && !active) await requireNoFund(trx, before);
    const after = await getUser(trx, id);
    const rolesChanged =
      before.roles.map((role) => role.id).join() !== after.roles.map((role) => role.id).join();
    if (rolesChanged || (before.active && !after.active)) await endSessions(trx, id, tokenToKeep);
    queueAuditEntry(trx, actor, { action: 'update', entity: 'users', entityId: id, before, after });
    return after;
  });
}

/** Identifies all that an edit of the user can change: equal states have equal versions. */
export function computeUserVersion({ username, email, active, roles }: User): string {
  const content = JSON.stringify([username, email, active, roles.map((role) => role.id)]);
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}

async function chooseUsername(trx: Trx, draft: UserInput): Promise<string> {
  const given = normalizeLoginName(draft.username ?? '');
  if (given) return requireValidUsername(given);
  const toUsernameWord = (name: string) =>
    fold(name)
      .split(' ')[0]
      ?.replace(/[^a-z0-9]/g, '') ?? '';
  const words = [toUsernameWord(draft.userfirstname), toUsernameWord(draft.userlastname)].filter(Boolean);
  const base = words.join('.').slice(0, 50) || 'usuario';
  for (let number = 1; ; number++) {
    const username = number === 1 ? base : `${base}${number}`;
    const conflicting = await trx
      .selectFrom('users')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirst();
    if (!conflicting && username !== CLI_USERNAME) return username;
  }
}

function requireValidUsername(username: string): string {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u.test(username))
    throwIfRefused(
      createRefusal('El usuario lleva letras, números, punto, guion o guion bajo, máximo 60.', 'username'),
    );
  return username;
}

async function requireFreeNames(
  trx: Trx,
  { username, email }: { username: string; email: string },
  self = 0,
): Promise<void> {
  const conflicting = await trx
    .selectFrom('users')
    .select(['username', 'email'])
    .where((eb) => eb.or([eb('username', '=', username), eb('email', '=', email)]))
    .where('id', '<>', self)
    .executeTakeFirst();
  const reserved = username === CLI_USERNAME;
  if (!conflicting && !reserved) return;
  const [field, code, message] =
    reserved || conflicting?.username === username
      ? (['username', 'username_taken', `Ya existe el usuario ${username}.`] as const)
      : (['email', 'email_taken', `Ya existe un usuario con el correo ${email}.`] as const);
  throwIfRefused({ ...createRefusal(message, field), kind: 'conflict', code });
}

async function writeRoles(trx: Trx, userId: number, roles: readonly number[]): Promise<void> {
  const ids = [...new Set(roles)].sort((a, b) => a - b);
  const existing = await trx.selectFrom('roles').select('id').where('id', 'in', ids).execute();
  if (existing.length !== ids.length) throwIfRefused(createRefusal('Hay un rol que no existe.', 'roles'));
  await trx.deleteFrom('user_roles').where('userId', '=', userId).execute();
  await trx
    .insertInto('user_roles')
    .values(ids.map((roleId) => ({ userId, roleId })))
    .execute();
}

/** Checked after the change, inside its transaction, so that two administrators cannot remove one another at once. */
async function requireRemainingAdministrator(trx: Trx): Promise<void> {
  if (await hasAdministrator(trx)) return;
  throw new DomainError('conflict', 'Debe quedar al menos un administrador activo.', {
    code: 'last_administrator',
  });
}

/** The holder of a petty cash fund has to be able to sign in. */
async function requireNoFund(trx: Trx, { id, username }: User): Promise<void> {
  const [fund] = await listOpenFundsOfHolder(trx, id);
  if (!fund) return;
  throw new DomainError('conflict', pettyCashTexts.holds(username, fund.nombre), { code: 'holds_fund' });
}

/** Changes of users wait for one another, so that administrators are counted on a stable state. */
async function lockUsers(trx: Trx): Promise<void> {
  await trx.selectFrom('roles').select('id').where('id', '=', ADMIN_ROLE).modifyEnd(forUpdate(trx)).execute();
}
