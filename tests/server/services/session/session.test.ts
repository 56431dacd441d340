import { describe, expect, it } from 'vitest';
import { createAuth } from '../../../../server/services/session/auth.ts';
import { hashPassword } from '../../../../server/services/session/password-hashing.ts';
import { scryptHash } from '../../../../server/services/session/scrypt.ts';
import { readSession, signOut } from '../../../../server/services/session/session.ts';
import { signIn } from '../../../../server/services/session/sign-in.ts';
import { hashToken } from '../../../../server/services/session/tokens.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { setTemporaryPassword } from '../../../../server/services/users/passwords.ts';
import type { DomainError } from '../../../../shared/errors.ts';
import { startChild } from '../../../support/children.ts';
import { Clock } from '../../../support/clock.ts';
import { describeEachDatabase, useFreshDatabase } from '../../../support/databases.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { addSession, addUser, createActor, NOW } from '../../../support/rows.ts';
import { readRows } from '../../../support/stored.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);
const CHEAPER = await scryptHash(PASSWORD, { ln: 10, r: 8, p: 1 });

describeEachDatabase('signing in', (fresh) => {
  it('accepts e-mail or username, however typed, and creates a new session each time', async () => {
    const { id } = await addUser(fresh.db, { username: 'ana.ruiz', email: 'ana@obras.mx', password: HASH });
    const tokens = [];
    for (const login of ['ana@obras.mx', 'ana.ruiz', ' ANA.Ruiz ', 'ａna@obras.mx', 'ANA＠obras.mx']) {
      const { token, userId } = await enter(login);
      expect(userId).toBe(id);
      expect(token).toMatch(/^[\w-]{32,}$/);
      tokens.push(token);
    }
    expect(new Set(tokens).size).toBe(5);
    const session = await fresh.db.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    expect(session).toMatchObject({ userId: id, ipAddress: '10.0.0.1', userAgent: 'prueba' });
    expect(session.token).toBe(hashToken(tokens[0]!));
    expect(await readSession(fresh.db, session.token, new Date(NOW))).toBeUndefined();
    expect(new Date(session.createdAt).toISOString()).toBe(NOW);
  });

  it('works for a name with an Ñ and without an e-mail', async () => {
    const { id } = await addUser(fresh.db, {
      username: 'begoña.ñuño',
      email: 'begoña.ñuño@sin-correo.invalid',
      password: HASH,
    });
    expect(await enter('Begoña.Ñuño'.normalize('NFD'))).toMatchObject({ userId: id });
  });

  it('gives one answer to an unknown user, a wrong password and a deactivated user', async () => {
    await addUser(fresh.db, { username: 'ana', password: HASH });
    await addUser(fresh.db, { username: 'eva', password: HASH, active: false });
    await addUser(fresh.db, { username: 'sin' });
    const refusal = {
      kind: 'unauthenticated',
      code: 'sign_in_refused',
      message: 'Correo o contraseña incorrectos.',
    };
    for (const [login, password] of [
      ['nadie', PASSWORD],
      ['ana', 'otra'],
      ['eva', PASSWORD],
      ['sin', ''],
      ['ana', ''],
    ]) {
      await expect(enter(login ?? '', password), login).rejects.toMatchObject(refusal);
    }
    expect(await fresh.db.selectFrom('sessions').select('id').execute()).toEqual([]);
  });

  it('accepts a temporary password for 72 hours', async () => {
    const expired = {
      passwordExpiresAt: '2026-11-20T17:59:59.999Z',
      mustChangePassword: true,
      password: HASH,
    };
    await addUser(fresh.db, { username: 'tarde', ...expired });
    await addUser(fresh.db, { username: 'justo', ...expired, passwordExpiresAt: NOW });
    await expect(enter('tarde')).rejects.toMatchObject({ kind: 'unauthenticated', code: 'password_expired' });
    expect(await fresh.db.selectFrom('sessions').select('id').execute()).toEqual([]);
    const { token } = await enter('justo');
    expect(await readSession(fresh.db, token, new Date(NOW))).toMatchObject({ mustChangePassword: true });
  });

  it('accepts right passwords however many arrive at once', async () => {
    await addUser(fresh.db, { username: 'ana', password: HASH });
    const entered = await Promise.all(Array.from({ length: 25 }, () => enter('ana')));
    expect(new Set(entered.map(({ token }) => token)).size).toBe(25);
    const failed = await readRows(fresh.db, 'signin_attempts', { succeeded: 0 }, ['id']);
    expect(failed).toEqual([]);
  });

  it('checks ten wrong passwords even if they arrive at once, right ones among them, and then none', async () => {
    await addUser(fresh.db, { username: 'ana', password: HASH });
    await enter('ana');
    const passwords = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 3 ? PASSWORD : `otra ${index}`,
    );
    const outcomes = await Promise.all(
      passwords.map((password) =>
        enter('ana', password).then(
          () => 'in',
          (error: DomainError) => error.kind,
        ),
      ),
    );
    const wrong = outcomes.filter((_, index) => passwords[index] !== PASSWORD);
    expect(wrong.filter((kind) => kind === 'unauthenticated')).toHaveLength(10);
    expect(new Set(wrong)).toEqual(new Set(['unauthenticated', 'too-many']));
    await expect(enter('ana')).rejects.toMatchObject({ kind: 'too-many' });
  });

  it('replaces a hash of another cost, for all who sign in at once, and keeps current ones', async () => {
    await addUser(fresh.db, { username: 'ana', password: CHEAPER });
    const stored = async () =>
      (await fresh.db.selectFrom('accounts').select('password').executeTakeFirstOrThrow()).password;
    const entered = await Promise.all([enter('ana'), enter('ana'), enter('ana')]);
    const renewed = await stored();
    expect(renewed).toMatch(/^(quick:|\$scrypt\$)/);
    for (const { token } of entered)
      expect(await readSession(fresh.db, token, new Date(NOW))).toMatchObject({ username: 'ana' });
    await enter('ana');
    expect(await stored()).toBe(renewed);
  });

  it('leaves no session behind if the password is reset at the same moment', async () => {
    const { id } = await addUser(fresh.db, { username: 'ana', password: HASH });
    for (let round = 0; round < 3; round++) {
      const [entered] = await Promise.allSettled([
        enter('ana'),
        setTemporaryPassword(fresh.db, createActor(), id, 'k3v9x0qa'),
      ]);
      const token = entered.status === 'fulfilled' ? entered.value.token : '';
      expect(await readSession(fresh.db, token, new Date(NOW))).toBeUndefined();
      await fresh.db.updateTable('accounts').set({ password: HASH }).execute();
    }
  });

  it('does not accept an internal address as a name, and counts it as an unknown name', async () => {
    await addUser(fresh.db, { username: 'luis', email: 'luis@sin-correo.invalid', password: HASH });
    await expect(enter('luis@sin-correo.invalid')).rejects.toMatchObject({ kind: 'unauthenticated' });
    const rows = await fresh.db.selectFrom('signin_attempts').select(['account', 'name']).execute();
    expect(rows).toEqual([{ account: '?luis', name: 'luis' }]);
    expect(await enter('luis')).toMatchObject({ userId: expect.any(Number) });
  });

  it.each([
    ['a username and an e-mail alike', ['ana', 'ana@saldo.test'], ['zoe', 'zoe@saldo.test']],
    ['names of their own', ['ana', 'direccion@obras.mx'], ['zoe', 'compras@obras.mx']],
  ])('answers alike with and without an account, by %s', async (_, known, unknown) => {
    await addUser(fresh.db, { username: 'ana', email: known[1], password: HASH });
    const kinds = async (names: readonly string[], password: string) => {
      const seen: string[] = [];
      for (let i = 0; i < 24; i++) {
        seen.push(
          await enter(names[i % 2]!, password, names[0]).then(
            () => 'in',
            (error) => error.kind,
          ),
        );
      }
      return seen;
    };
    const wrong = await kinds(known, 'otra cosa');
    expect(wrong).toEqual(await kinds(unknown, 'otra cosa'));
    expect(wrong).toContain('too-many');
    // After ten checked passwords the right one is not checked either, under both names.
    for (const name of known)
      await expect(enter(name, PASSWORD, known[0])).rejects.toMatchObject({
        kind: /too-many|unauthenticated/,
      });
  });

  const enter = async (login: string, password = PASSWORD, address = '10.0.0.1') => {
    const auth = createAuth(fresh.db, { secret: 'x'.repeat(40), baseURL: 'http://saldo.test' });
    const from = { address, userAgent: 'prueba', at: new Date(NOW) };
    const entered = await signIn(fresh.db, auth, { login, password, ...from });
    if ('challenge' in entered) throw new Error('nobody here has a second factor');
    return entered;
  };
});

describeEachDatabase('a session', (fresh) => {
  it('states its user, without an internal e-mail', async () => {
    const { id } = await addUser(fresh.db, {
      username: 'ana',
      email: 'ana@sin-correo.invalid',
      roles: [4, 2],
    });
    const token = await addSession(fresh.db, id);
    expect(await readSession(fresh.db, token, new Date(NOW))).toEqual({
      token,
      userId: id,
      username: 'ana',
      email: '',
      roles: [2, 4],
      mustChangePassword: false,
      mustAddSecondFactor: false,
      confirmedAt: new Date(NOW),
    });
  });

  it('follows the settings at once', async () => {
    const { clock, read } = await open();
    clock.advance({ hours: 2 });
    expect(await read()).toBeDefined();
    await changeSetting(fresh.db, createActor(), 'sesion.inactiva', '1');
    clock.advance({ hours: 1 });
    expect(await read()).toBeUndefined();
  });

  it('does not exist while its user is deactivated, nor after signing out', async () => {
    const { token, read, userId } = await open();
    const setActive = (active: 0 | 1) =>
      fresh.db.updateTable('users').set({ active }).where('id', '=', userId).execute();
    await setActive(0);
    expect(await read()).toBeUndefined();
    await setActive(1);
    expect(await read()).toBeDefined();
    await signOut(fresh.db, token);
    expect(await read()).toBeUndefined();
  });

  it('is updated at most once a minute', async () => {
    const { clock, read, token } = await open();
    const used = async () => {
      const row = await fresh.db
        .selectFrom('sessions')
        .select('updatedAt')
        .where('token', '=', hashToken(token))
        .executeTakeFirst();
      return new Date(row?.updatedAt ?? 0).toISOString();
    };
    clock.advance({ ms: 59_999 });
    await read();
    expect(await used()).toBe(NOW);
    clock.advance({ ms: 1 });
    await read();
    expect(await used()).toBe('2026-11-20T18:01:00.000Z');
  });

  const open = async () => {
    const clock = new Clock(NOW);
    const { id: userId } = await addUser(fresh.db);
    const token = await addSession(fresh.db, userId);
    return { clock, token, userId, read: () => readSession(fresh.db, token, clock.now()) };
  };
});

describe('a session on SQLite', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is read while another process locks the database, and its use is recorded later', async () => {
    const { id } = await addUser(fresh.db);
    const token = await addSession(fresh.db, id);
    const child = await startChild();
    await child.run('hold', fresh.database.url);
    const later = new Date(Date.parse(NOW) + 3600_000);
    expect(await readSession(fresh.db, token, later)).toMatchObject({ userId: id });
    expect(await readSession(fresh.db, token, later)).toMatchObject({ userId: id });
    await child.run('release');
    await expect
      .poll(async () => (await fresh.db.selectFrom('sessions').select('updatedAt').execute())[0]?.updatedAt)
      .toBe(later.toISOString());
  });
});

describe('a hash', () => {
  it('is computed two at a time with twenty waiting; beyond that users are told to come back', async () => {
    const attempts = await Promise.allSettled(
      Array.from({ length: 30 }, () => hashPassword('ladrillo rojo')),
    );
    const refused = attempts.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ kind: 'busy', retryAfter: 5 });
    await hashPassword('ladrillo rojo');
  });
});
