import { expect, it } from 'vitest';
import { hashPassword } from '../../../../server/services/session/password-hashing.ts';
import { hashToken } from '../../../../server/services/session/tokens.ts';
import { findOrCreateCliUser } from '../../../../server/services/users/cli-user.ts';
import { createFirstAdministrator } from '../../../../server/services/users/first-administrator.ts';
import { changePassword, setTemporaryPassword } from '../../../../server/services/users/passwords.ts';
import { getUser, getUserByNameOrId, listUsers } from '../../../../server/services/users/reading.ts';
import { createUser, updateUser } from '../../../../server/services/users/users.ts';
import type { UserInput } from '../../../../shared/users.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { addActor, addSession, addUser, createActor, NOW } from '../../../support/rows.ts';
import { readRow, readRows } from '../../../support/stored.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);
const ADDRESS = '10.0.0.1';
const draft = (part: Partial<UserInput> = {}) => ({
  userfirstname: 'Ana',
  userlastname: 'Ruiz',
  roles: [2],
  password: PASSWORD,
  ...part,
});

describeEachDatabase('the first administrator', (fresh) => {
  it('gets a generated password that has to be changed within 72 hours', async () => {
    const made = await createFirstAdministrator(fresh.db, createActor(), {});
    expect(made).toEqual({
      email: 'admin@saldo.test',
      password: expect.stringMatching(/^[0-9a-z]{8}$/),
      isGenerated: true,
    });
    const row = await fresh.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      username: 'admin',
      mustChangePassword: 1,
      passwordExpiresAt: '2026-11-23T18:00:00.000Z',
    });
    const user = await getUser(fresh.db, row.id);
    expect(user.roles.map((role) => role.id)).toEqual([1, 3]);
  });

  it('gets the password that SALDO_ADMIN_PASSWORD gives', async () => {
    const given = { email: 'jefa@obras.mx', password: PASSWORD };
    expect(await createFirstAdministrator(fresh.db, createActor(), given)).toEqual({
      ...given,
      isGenerated: false,
    });
    const row = await fresh.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ email: 'jefa@obras.mx', mustChangePassword: 0, passwordExpiresAt: null });
  });

  it('is created once, even by several servers that start at the same moment', async () => {
    const connections = [fresh.db, fresh.database.openAgain().db];
    const made = await Promise.all(connections.map((db) => createFirstAdministrator(db, createActor(), {})));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await createFirstAdministrator(fresh.db, createActor(), {})).toBeUndefined();
    expect(await fresh.db.selectFrom('users').select('id').execute()).toHaveLength(1);
  });

  it('is created even if the command line has been used before', async () => {
    const id = await findOrCreateCliUser(fresh.db, NOW);
    expect(await findOrCreateCliUser(fresh.db, NOW)).toBe(id);
    expect(await createFirstAdministrator(fresh.db, createActor(), { password: PASSWORD })).toBeDefined();
    expect((await listUsers(fresh.db, {})).map((user) => user.username)).toEqual(['admin']);
    await expect(getUser(fresh.db, id)).rejects.toMatchObject({ kind: 'not-found' });
  });
});

describeEachDatabase('a new user', (fresh) => {
  it('is stored with password, roles and audit entry, none of which shows the password', async () => {
    const user = await createUser(
      fresh.db,
      createActor(),
      draft({ employeenumber: ' 17 ', email: 'Ana@Obras.mx', roles: [4, 2, 4] }),
    );
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'ana.ruiz',
      email: 'ana@obras.mx',
      employeenumber: '17',
      userfirstname: 'Ana',
      userlastname: 'Ruiz',
      active: true,
      roles: [
        { id: 2, rolename: 'Contabilidad' },
        { id: 4, rolename: 'Compras' },
      ],
    });
    const [entry, ...more] = await fresh.db.selectFrom('audit').selectAll().execute();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ action: 'create', entity: 'users', entityId: String(user.id) });
    const { password } = await readRow(fresh.db, 'accounts', { userId: user.id }, ['password']);
    // the trail has only a digest of the salted hash
    expect(JSON.stringify(entry)).not.toContain('ladrillo');
    expect(JSON.stringify(entry)).not.toContain(password);
  });

  it('without a username gets one from the names, numbered if it is taken', async () => {
    const made = [];
    const names = [
      ['José María', 'Peña Nieto'],
      ['José', 'PEÑA'],
      ["D'Ávila", 'O’Hara'],
      ['日本', '語'],
      ['Ж', 'Ж'],
    ];
    for (const [userfirstname, userlastname] of names) {
      made.push((await createUser(fresh.db, createActor(), draft({ userfirstname, userlastname }))).username);
    }
    expect(made).toEqual(['jose.pena', 'jose.pena2', 'davila.ohara', 'usuario', 'usuario2']);
  });

  it("without an e-mail shows none, and cannot be given one like another's", async () => {
    const one = await createUser(fresh.db, createActor(), draft({ email: '' }));
    const two = await createUser(fresh.db, createActor(), draft({ email: ' ' }));
    expect([one.email, two.email]).toEqual(['', '']);
    const stored = await fresh.db.selectFrom('users').select('email').orderBy('id').execute();
    expect(stored.map((row) => row.email)).toEqual([
      'ana.ruiz@sin-correo.invalid',
      'ana.ruiz2@sin-correo.invalid',
    ]);
  });

  it.each([
    [{ userfirstname: ' ' }, 'Firstname, lastname and user type can not be empty.'],
    [{ userlastname: '' }, 'Firstname, lastname and user type can not be empty.'],
    [{ roles: [] }, 'Firstname, lastname and user type can not be empty.'],
    [{ email: 'ana' }, 'Email is invalid.'],
    [{ email: 'ana@sin-correo.invalid' }, 'Email is invalid.'],
    [{ roles: [7] }, 'Hay un rol que no existe.'],
    [{ username: 'ana ruiz' }, 'El usuario lleva letras, números, punto, guion o guion bajo, máximo 60.'],
    [{ username: 'a'.repeat(61) }, 'El usuario lleva letras, números, punto, guion o guion bajo, máximo 60.'],
  ])('with %o is refused: %s', async (part, message) => {
    await expect(createUser(fresh.db, createActor(), draft(part))).rejects.toMatchObject({
      kind: 'invalid',
      message,
    });
    expect(await fresh.db.selectFrom('users').select('id').execute()).toEqual([]);
  });

  it.each([
    ['corta', 'La contraseña debe tener al menos 8 caracteres.'],
    ['password1', 'Es una contraseña muy común; elige otra.'],
  ])('with the password «%s» is refused', async (password, message) => {
    const user = createUser(fresh.db, createActor(), { ...draft(), password });
    await expect(user).rejects.toMatchObject({ kind: 'invalid', message });
  });

  it('may not be named like the system’s own user', async () => {
    const user = createUser(fresh.db, createActor(), draft({ username: 'CLI' }));
    await expect(user).rejects.toMatchObject({ kind: 'conflict', code: 'username_taken' });
  });

  it('with the same name as one that is created at the same moment gets another username', async () => {
    const connections = [fresh.db, fresh.database.openAgain().db];
    const users = await Promise.all(connections.map((db) => createUser(db, createActor(), draft())));
    expect(users.map((user) => user.username).sort()).toEqual(['ana.ruiz', 'ana.ruiz2']);
  });
});

describeEachInLongLane('users', (fresh) => {
  it('are found by e-mail, username or id, a name before a number', async () => {
    const ana = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx' });
    const eva = await addUser(fresh.db, { username: 'eva', email: 'eva@sin-correo.invalid' });
    const numbered = await addUser(fresh.db, { username: String(ana.id) });
    for (const [who, id] of [
      ['ANA@obras.mx', ana.id],
      [' eva', eva.id],
      [String(eva.id), eva.id],
      [String(ana.id), numbered.id],
    ]) {
      expect((await getUserByNameOrId(fresh.db, String(who))).id).toBe(id);
    }
    for (const who of ['', 'nadie', '999', 'eva@sin-correo.invalid']) {
      await expect(getUserByNameOrId(fresh.db, who)).rejects.toMatchObject({ kind: 'not-found' });
    }
  });

  it('are searched by any part of the username and sorted by id or name', async () => {
    for (const username of ['beto', 'ángela', 'zoe', 'abel']) await addUser(fresh.db, { username });
    const names = async (query: Parameters<typeof listUsers>[1]) =>
      (await listUsers(fresh.db, query)).map((user) => user.username);
    expect(await names({})).toEqual(['beto', 'ángela', 'zoe', 'abel']);
    expect(await names({ direction: 'desc' })).toEqual(['abel', 'zoe', 'ángela', 'beto']);
    expect(await names({ sort: 'username' })).toEqual(['abel', 'ángela', 'beto', 'zoe']);
    expect(await names({ username: 'ANG' })).toEqual(['ángela']);
    expect(await names({ username: '%' })).toEqual([]);
  });
});

describeEachInLongLane('changing a user', (fresh) => {
  it('stores it with one audit entry that shows before and after', async () => {
    const boss = await addActor(fresh.db, { roles: [3] });
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx', roles: [2] });
    const after = await updateUser(fresh.db, boss, id, { username: 'Ana.Ruiz', email: '', roles: [2, 5] });
    expect(after).toMatchObject({ username: 'ana.ruiz', email: '', active: true });
    expect(after.roles.map((role) => role.id)).toEqual([2, 5]);
    const entry = await fresh.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow();
    expect(JSON.parse(entry.before ?? '')).toMatchObject({ username: 'ana', email: 'ana@obras.mx' });
    expect(JSON.parse(entry.after ?? '')).toEqual(after);
    expect(entry).toMatchObject({
      userId: boss.userId,
      action: 'update',
      entity: 'users',
      entityId: String(id),
    });
  });

  it('ends the sessions of somebody who gets other roles or is deactivated, not of others', async () => {
    await addActor(fresh.db, { roles: [3] });
    const { id, username, email } = await addUser(fresh.db, { roles: [2] });
    const bystander = await addUser(fresh.db);
    await addSession(fresh.db, bystander.id);
    const leftAfter = async (part: object) => {
      await addSession(fresh.db, id);
      await updateUser(fresh.db, createActor(), id, { username, email, roles: [2], active: true, ...part });
      const left = await readRows(fresh.db, 'sessions', {}, ['userId']);
      await fresh.db.deleteFrom('sessions').where('userId', '=', id).execute();
      return left.map(({ userId }) => userId === id);
    };
    expect(await leftAfter({ email: 'otra@obras.mx' })).toEqual([false, true]);
    expect(await leftAfter({ roles: [2, 1] })).toEqual([false]);
    expect(await leftAfter({ roles: [1, 2], email: 'mas@obras.mx' })).toEqual([false, true]);
    expect(await leftAfter({ active: false })).toEqual([false]);
  });
});

describeEachInLongLane('a password', (fresh) => {
  it('that is reset ends every session, is valid for 72 hours and must be changed', async () => {
    const boss = await addActor(fresh.db, { roles: [3] });
    const { id } = await addUser(fresh.db, { password: HASH });
    await addSession(fresh.db, id);
    await setTemporaryPassword(fresh.db, boss, id, 'k3v9x0qa');
    expect(await fresh.db.selectFrom('sessions').select('id').execute()).toEqual([]);
    const row = await fresh.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ mustChangePassword: 1, passwordExpiresAt: '2026-11-23T18:00:00.000Z' });
    expect(await storedHash(id)).not.toBe(HASH);
    const entry = await fresh.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({
      action: 'password',
      entityId: String(id),
      before: null,
      after: '{"reset":true}',
    });
    await expect(setTemporaryPassword(fresh.db, boss, id, '12345678')).rejects.toMatchObject({
      kind: 'invalid',
    });
    await expect(setTemporaryPassword(fresh.db, boss, 99, 'k3v9x0qa')).rejects.toMatchObject({
      kind: 'not-found',
    });
  });

  it('that its owner changes ends the other sessions and need not be changed again', async () => {
    const { id } = await addUser(fresh.db, { password: HASH, mustChangePassword: true });
    const keepToken = await addSession(fresh.db, id);
    await addSession(fresh.db, id);
    await change(id, { next: 'grúa torre 9', keepToken });
    expect(await fresh.db.selectFrom('sessions').select('token').execute()).toEqual([
      { token: hashToken(keepToken) },
    ]);
    const row = await fresh.db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ mustChangePassword: 0, passwordExpiresAt: null });
    const entry = await fresh.db.selectFrom('audit').selectAll().executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ action: 'password', userId: id, after: '{"changed":true}' });
    expect(JSON.stringify(entry)).not.toContain('torre');
  });

  it('is not changed without the current one, to nothing, to the same, or to a weak one', async () => {
    const { id } = await addUser(fresh.db, { username: 'pedro.rivas', password: HASH });
    await expect(change(id, { current: 'otra cosa' })).rejects.toMatchObject({
      code: 'wrong_password',
      kind: 'invalid',
    });
    await expect(change(id, { next: '' })).rejects.toThrow('New password cannot be null!');
    await expect(change(id, { next: PASSWORD })).rejects.toThrow('distinta de la actual');
    await expect(change(id, { next: 'password1' })).rejects.toThrow('muy común');
    await expect(change(id, { next: 'Pedro.Rivas' })).rejects.toThrow('muy común');
    expect(await storedHash(id)).toBe(HASH);
  });

  it('may be guessed ten times by whoever has the session', async () => {
    const { id } = await addUser(fresh.db, { password: HASH });
    for (let i = 0; i < 9; i++) {
      const at = new Date(NOW).toISOString();
      const attempt = { account: `#${id}`, address: ADDRESS, at, succeeded: 0 };
      await fresh.db.insertInto('signin_attempts').values(attempt).execute();
    }
    await expect(change(id, { current: 'otra cosa' })).rejects.toMatchObject({ code: 'wrong_password' });
    await expect(change(id, {})).rejects.toMatchObject({ kind: 'too-many' });
  });

  const change = (id: number, part: object) =>
    changePassword(fresh.db, createActor({ userId: id }), {
      current: PASSWORD,
      next: 'grúa torre 9',
      address: ADDRESS,
      ...part,
    });

  const storedHash = async (id: number) =>
    (await fresh.db.selectFrom('accounts').select('password').where('userId', '=', id).executeTakeFirst())
      ?.password;
});
