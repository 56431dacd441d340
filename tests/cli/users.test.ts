import { expect, it } from 'vitest';
import { verifyPassword } from '../../server/services/session/password-hashing.ts';
import { getUser } from '../../server/services/users/reading.ts';
import { runSaldo } from '../support/cli.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addSession, addUser } from '../support/rows.ts';

enableQuickHashes();

describeOneDatabase('saldo users', (fresh) => {
  const saldo = (...args: string[]) => runSaldo(fresh, ['users', ...args]);

  const rolesOf = async (id: number) => (await getUser(fresh.db, id)).roles.map((role) => role.id);
  const sessions = () => fresh.db.selectFrom('sessions').select('userId').execute();
  const audited = () =>
    fresh.db.selectFrom('audit').select(['action', 'entity', 'entityId', 'origin']).execute();

  it('list shows all users, as a table or as JSON', async () => {
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx', roles: [1, 3] });
    await addUser(fresh.db, { username: 'eva', email: 'eva@sin-correo.invalid', active: false });
    const table = (await saldo('list')).out.split('\n').map((line) => line.split(/ {2,}/));
    expect(table[0]).toEqual(['ID', 'Usuario', 'Correo', 'Nombre', 'Roles', 'Activo']);
    expect(table[2]).toEqual([
      String(id),
      'ana',
      'ana@obras.mx',
      'Nombre Apellido',
      'Dirección, Administrador',
      'sí',
    ]);
    expect((await saldo('list')).out).not.toContain('sin-correo');
    expect(JSON.parse((await saldo('list', '--json')).out)).toMatchObject([
      { id, username: 'ana', active: true },
      { username: 'eva', email: '', active: false },
    ]);
  });

  it('create prints the generated password once, and it has to be changed', async () => {
    const { out, log, code } = await saldo(
      ...['create', '--firstname', 'Ana', '--lastname', 'Ruiz', '--email', 'ana@obras.mx'],
      ...['--roles', '1,3', '--json'],
    );
    expect([log, code]).toEqual(['', 0]);
    const made = JSON.parse(out);
    expect(made).toEqual({
      id: expect.any(Number),
      username: 'ana.ruiz',
      email: 'ana@obras.mx',
      password: expect.stringMatching(/^[0-9a-z]{8}$/),
    });
    const stored = await fresh.db
      .selectFrom('accounts')
      .innerJoin('users', 'users.id', 'accounts.userId')
      .select(['password', 'mustChangePassword'])
      .executeTakeFirstOrThrow();
    expect(stored.mustChangePassword).toBe(1);
    expect(await verifyPassword({ hash: stored.password!, password: made.password })).toBe(true);
    expect(await rolesOf(made.id)).toEqual([1, 3]);
  });

  it('reset-password accepts an e-mail, a username or an id, and ends the sessions', async () => {
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx' });
    for (const who of ['ANA@obras.mx', 'ana', String(id)]) {
      await addSession(fresh.db, id);
      const { out, log, code } = await saldo('reset-password', who);
      expect(code).toBe(0);
      expect(out).toMatch(/^Contraseña nueva de ana: [0-9a-z]{8}\n$/);
      expect(log).toContain('Se muestra una sola vez');
      expect(await sessions()).toEqual([]);
    }
  });

  it('set-roles accepts roles one by one or as a list, and ends the sessions', async () => {
    await addUser(fresh.db, { roles: [3] });
    const { id } = await addUser(fresh.db, { username: 'ana', roles: [2] });
    await addSession(fresh.db, id);
    expect((await saldo('set-roles', 'ana', '1', '3')).out).toBe('Roles de ana: Dirección, Administrador\n');
    expect(await rolesOf(id)).toEqual([1, 3]);
    expect(await sessions()).toEqual([]);
    const { out } = await saldo('set-roles', String(id), '4,5', '6', '--json');
    expect(JSON.parse(out)).toMatchObject({ id, username: 'ana', roles: [{ id: 4 }, { id: 5 }, { id: 6 }] });
    expect(await audited()).toEqual(
      Array(2).fill({ action: 'update', entity: 'users', entityId: String(id), origin: 'cli:root' }),
    );
  });

  it('deactivate locks a user out, activate lets the user in again', async () => {
    await addUser(fresh.db, { roles: [3] });
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx' });
    await addSession(fresh.db, id);
    expect((await saldo('deactivate', 'ana')).out).toBe('Se desactivó ana.\n');
    expect(await getUser(fresh.db, id)).toMatchObject({
      active: false,
      email: 'ana@obras.mx',
      roles: [{ id: 1 }],
    });
    expect(await sessions()).toEqual([]);
    expect((await saldo('activate', 'ana@obras.mx')).out).toBe('Se activó ana.\n');
    expect(JSON.parse((await saldo('activate', 'ana', '--json')).out)).toMatchObject({ id, active: true });
  });

  it('exits with 1 for an unknown user, and with 2 for wrong usage', async () => {
    for (const command of ['deactivate', 'activate', 'reset-password'])
      expect(await saldo(command, 'nadie')).toMatchObject({
        log: 'saldo: No existe el usuario «nadie».\n',
        code: 1,
      });
    const named = '--firstname Ana --lastname Ruiz';
    for (const usage of [
      'set-roles ana',
      'set-roles ana 7',
      'set-roles ana 1,',
      'deactivate',
      `create ${named}`,
      `create ${named} --roles x`,
    ])
      expect((await saldo(...usage.split(' '))).code, usage).toBe(2);
    expect(await audited()).toEqual([]);
  });
});
