import { expect, it } from 'vitest';
import { hashPassword } from '../../../../server/services/session/password-hashing.ts';
import { hashToken } from '../../../../server/services/session/tokens.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { getUser, listUsers } from '../../../../server/services/users/reading.ts';
import { computeUserVersion, updateUser } from '../../../../server/services/users/users.ts';
import { findPasswordProblem } from '../../../../shared/passwords.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { enableQuickHashes } from '../../../support/quick-crypto.ts';
import { addSession, addUser, createActor } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

enableQuickHashes();

const REQUIRED_EDIT = 'Username, password and roles can not be empty.';

const EVA = { roles: '2', userfirstname: 'Eva', userlastname: 'Luna', username: '', email: 'eva@obras.mx' };

type Fields = Record<string, string | number | number[]>;

/** Posts a form with repeated fields, like checkboxes. */
const tick = (client: TestClient, path: string, fields: Fields) =>
  client.send(path, {
    method: 'POST',
    body: new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
    ),
  });

const ticked = (html: string) =>
  [...html.matchAll(/<input type="checkbox" name="(?:roles|active)"[^>]*>/g)].flatMap(([box]) =>
    box.includes('checked') ? [/value="(\d)"/.exec(box)?.[1] ?? 'active'] : [],
  );

describeOneDatabase('the list of users', (fresh) => {
  it('shows all users, each with a button that opens the dialog over the same list', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(
      await addUser(fresh.db, { username: 'zoe', email: 'zoe@obras.mx', roles: [1, 3] }),
    );
    const { id } = await addUser(fresh.db, { username: 'ana', roles: [2], active: false });
    const page = await readPage(admin.get('/admin-users?username=A&sortfield=username&sorttype=DESC'));
    expect(page.rows).toEqual([
      [String(id), 'ana', 'Nombre Apellido', 'ana@saldo.test', 'Contabilidad', 'Desactivado', ''],
    ]);
    const address = `/admin-users?username=A&sortfield=username&sorttype=DESC&edit=${id}`;
    expect(page.links('ana')).toEqual([address]);
    expect(page.links('Click to edit the user. ana')).toEqual([address]);
    expect(page.decodedHtml).toContain('data-tip="Click to edit the user."');
    expect(page.value('username')).toBe('A');
    expect(page.decodedHtml).toContain('>1 usuario<');
    expect(page.links(/Nuevo usuario/)).toEqual(['/new-user']);
    const sorted = await readPage(admin.get('/admin-users?sortfield=username'));
    expect(sorted.rows.map((row) => row[1])).toEqual(['ana', 'zoe']);
    expect(sorted.links('Usuario')).toEqual(['/admin-users?sortfield=username&sorttype=DESC']);
    expect((await readPage(admin.get('/admin-users?username=nadie'))).decodedHtml).toContain(
      'Nadie coincide con «nadie»',
    );
  });
});

describeOneDatabase('the edit dialog of a user', (fresh) => {
  const signedIn = async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const ana = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx', roles: [2, 4] });
    return { app, admin, id: ana.id, address: `/admin-users?edit=${ana.id}` };
  };

  it('is open at its own address, without a script', async () => {
    const { admin, id, address } = await signedIn();
    const page = await readPage(admin.get(address));
    expect(page.status).toBe(200);
    expect(page.decodedHtml).toMatch(/<dialog open="" class="dialog sent" aria-labelledby="user-edit">/);
    expect(page.decodedHtml).toContain('<h2 id="user-edit">Actualizar</h2>');
    expect(page.decodedHtml).toMatch(/<input(?=[^>]*name="id")(?=[^>]*readonly)[^>]*>/i);
    expect(page.decodedHtml).toMatch(/<input(?=[^>]*name="newpassword")(?=[^>]*readonly)[^>]*>/i);
    expect([page.value('id'), page.value('email'), page.value('newpassword')]).toEqual([
      String(id),
      'ana@obras.mx',
      '',
    ]);
    expect(page.decodedHtml).toMatch(/id="user-username"[^>]*value="ana"/);
    expect(ticked(page.decodedHtml)).toEqual(['active', '2', '4']);
    expect(page.focusedControlName).toBe('username');
    expect(page.links('Cerrar')).toEqual(['/admin-users']);
    expect(page.rows).toHaveLength(2);
    // Enter presses the first submit button: that must be no reset
    expect(
      /<(?:input type="submit"|button)[^>]*>/.exec(page.decodedHtml.split('<dialog')[1] ?? '')?.[0],
    ).toContain('hidden');
  });

  it('saves and leads back to the list with its filter', async () => {
    const { admin, id, address } = await signedIn();
    const page = await readPage(admin.get(`${address}&username=an`));
    const saved = await tick(admin, `/admin-users?username=an&edit=${id}`, {
      version: page.value('version') ?? '',
      id,
      username: 'Ana.Ruiz',
      email: '',
      roles: [5, 1],
      newpassword: '',
    });
    expect(saved.headers.get('location')).toBe('/admin-users?username=an');
    const list = await readPage(admin.follow(saved));
    expect(list.alerts).toEqual(['success: User has been updated. Redirecting to user list...']);
    expect(await getUser(fresh.db, id)).toMatchObject({
      username: 'ana.ruiz',
      email: '',
      active: false,
      roles: [{ id: 1 }, { id: 5 }],
    });
    const plain = await tick(admin, address, { username: 'ana', roles: 1, active: 'on' });
    expect(plain.headers.get('location')).toBe('/admin-users');
    expect(await getUser(fresh.db, id)).toMatchObject({ username: 'ana', active: true });
  });

  it.each<[string, Fields, number, string, string]>([
    ['an empty username', { username: ' ', roles: '1' }, 422, REQUIRED_EDIT, 'username'],
    ['no role', { username: 'otra' }, 422, REQUIRED_EDIT, 'roles'],
    ['a wrong e-mail', { username: 'otra', email: 'x', roles: '1' }, 422, 'Email is invalid.', 'email'],
    ['a taken username', { username: 'EVA', roles: '1' }, 409, 'Ya existe el usuario eva.', 'username'],
    [
      'a taken e-mail',
      { username: 'otra', email: 'eva@obras.mx', roles: '1' },
      409,
      'Ya existe un usuario con el correo eva@obras.mx.',
      'email',
    ],
  ])('with %s opens again, with what was typed', async (_what, fields, status, message, focused) => {
    const { admin, id, address } = await signedIn();
    await addUser(fresh.db, { username: 'eva', email: 'eva@obras.mx' });
    const page = await readPage(tick(admin, address, fields));
    expect(page.status).toBe(status);
    expect(page.alerts).toEqual([`error: ${message}`]);
    expect(page.decodedHtml).toContain('<dialog open');
    expect(page.decodedHtml).toContain(message);
    expect(page.focusedControlName).toBe(focused);
    expect(/id="user-username"[^>]*value="(.*?)"/.exec(page.decodedHtml)?.[1]).toBe(fields.username);
    expect(page.value('email')).toBe(fields.email ?? '');
    expect(ticked(page.decodedHtml)).toEqual(fields.roles ? ['1'] : []);
    expect(await getUser(fresh.db, id)).toMatchObject({ username: 'ana', email: 'ana@obras.mx' });
  });

  it('leads an administrator who gave up the role to the page of other users', async () => {
    const { app, admin } = await signedIn();
    await app.as(3);
    const { username } = admin.user;
    const saved = await tick(admin, `/admin-users?edit=${admin.user.id}`, {
      username,
      roles: 1,
      active: 'on',
    });
    expect(saved.headers.get('location')).toBe('/invoices');
    expect((await admin.follow(saved)).status).toBe(200);
  });

  it('is refused over a newer save and shows both values; saved again, it overwrites', async () => {
    const { admin, id, address } = await signedIn();
    const seen = computeUserVersion(await getUser(fresh.db, id));
    await updateUser(fresh.db, createActor(), id, { username: 'anita', roles: [6], active: false });
    const fields = { username: 'ana', email: 'ana@obras.mx', roles: 4, active: 'on' };
    const page = await readPage(tick(admin, address, { ...fields, version: seen }));
    expect(page.status).toBe(409);
    expect(page.alerts).toEqual([
      'error: Otra persona guardó este usuario mientras lo editabas. Si guardas de nuevo, queda lo tuyo.',
    ]);
    for (const text of ['anita', 'Auxiliar', 'desactivado'])
      expect(page.decodedHtml).toContain(`Guardado por otra persona: ${text}`);
    const again = await tick(admin, address, { ...fields, version: page.value('version') ?? '' });
    expect(again.status).toBe(303);
    expect(await getUser(fresh.db, id)).toMatchObject({ username: 'ana', active: true, roles: [{ id: 4 }] });
  });

  it('resets the password to the one generated in the browser, keeps what was typed, and shows it once', async () => {
    const { app, admin, id, address } = await signedIn();
    const theirs = await app.as({ ...(await getUser(fresh.db, id)), roles: [] });
    const answer = await tick(admin, address, {
      username: 'sin guardar',
      roles: 6,
      newpassword: 'k3v9x0qa',
      step: 'reset',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([]);
    const page = await readPage(answer);
    expect(page.alerts).toEqual([
      'success: Password has been reset. Please, share this information with ana',
    ]);
    expect(page.value('newpassword')).toBe('k3v9x0qa');
    expect(page.focusedControlName).toBe('newpassword');
    expect(page.decodedHtml).toContain('value="sin guardar"');
    expect(ticked(page.decodedHtml)).toEqual(['6']);
    expect((await getUser(fresh.db, id)).username).toBe('ana');
    expect((await theirs.get('/invoices')).status).toBe(303);
    expect((await readPage(admin.get(address))).value('newpassword')).toBe('');
    expect(app.loggedLines.join('')).not.toContain('k3v9x0qa');
    const login = await app.visitor().form('/login', { email: 'ana', password: 'k3v9x0qa' });
    expect(login.status).toBe(303);
  });

  it('resets the password without a script too: the server generates one', async () => {
    const { app, admin, address } = await signedIn();
    const page = await readPage(tick(admin, address, { username: 'ana', newpassword: '', step: 'reset' }));
    const password = page.value('newpassword') ?? '';
    expect(password).toMatch(/^[0-9a-z]{8}$/);
    expect(findPasswordProblem(password)).toBeUndefined();
    expect((await app.visitor().form('/login', { email: 'ana', password })).status).toBe(303);
  });

  it('still shows a password that was just set if a save is refused', async () => {
    const { admin, address } = await signedIn();
    const page = await readPage(tick(admin, address, { username: '', newpassword: 'k3v9x0qa' }));
    expect(page.status).toBe(422);
    expect(page.value('newpassword')).toBe('k3v9x0qa');
  });

  it('refuses a weak password at its field', async () => {
    const { admin, address } = await signedIn();
    const page = await readPage(
      tick(admin, address, { username: 'ana', newpassword: 'corta', step: 'reset' }),
    );
    expect(page.status).toBe(422);
    expect(page.errors).toEqual(['La contraseña debe tener al menos 8 caracteres.']);
    expect(page.value('newpassword')).toBe('');
  });

  it('of an unknown user is not found', async () => {
    const { admin } = await signedIn();
    expect((await admin.get('/admin-users?edit=99')).status).toBe(404);
    expect((await admin.form('/admin-users?edit=99', { username: 'x' })).status).toBe(404);
    expect((await admin.form('/admin-users', { username: 'x' })).status).toBe(404);
    expect((await admin.get('/admin-users?edit=uno')).status).toBe(400);
  });
});

describeOneDatabase('the new-user screen', (fresh) => {
  it('asks for the data of a user, with a password generated in the browser', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const page = await readPage(admin.get('/new-user'));
    const labels = [...page.decodedHtml.matchAll(/<label class="label[^"]*" for="\w+">(.*?)<\/label>/g)].map(
      ([, text]) => text,
    );
    expect(labels).toEqual([
      'Tipo de usuario',
      'Número de empleado',
      'Nombre',
      'Apellido',
      'Usuario',
      'Correo',
      'Contraseña',
    ]);
    expect(
      [...page.decodedHtml.matchAll(/<option value="(\d)">(.*?)<\/option>/g)].map(
        ([, id, name]) => `${id} ${name}`,
      ),
    ).toEqual([
      '1 Dirección',
      '2 Contabilidad',
      '3 Administrador',
      '4 Compras',
      '5 Residente de obra',
      '6 Auxiliar',
    ]);
    expect(page.decodedHtml).toMatch(/<is-land[^>]*name="NewPassword"[^>]*on="idle"/);
    expect(page.decodedHtml).toMatch(/<input(?=[^>]*name="password")(?=[^>]*readonly)[^>]*value=""/i);
    expect(page.decodedHtml).toContain('>Save User</button>');
    expect(page.links('Regresar')).toEqual(['/admin-users']);
  });

  it('is named in Spanish after what it does, and has the same cancel button as all forms', async () => {
    await changeSetting(fresh.db, createActor(), 'idioma', 'es');
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const dialog = await readPage(admin.get(`/admin-users?edit=${admin.user.id}`));
    expect(dialog.decodedHtml).toContain('<h2 id="user-edit">Editar usuario</h2>');
    expect(dialog.decodedHtml).not.toContain('name="id"');
    expect(dialog.links('Cancelar')).toEqual(['/admin-users']);
    const form = await readPage(admin.get('/new-user'));
    expect(form.decodedHtml).toMatch(/<button[^>]*>Guardar<\/button>/);
    expect(form.links('Cancelar')).toEqual(['/admin-users']);
    const created = await readPage(admin.form('/new-user', { ...EVA, password: 'k3v9x0qa' }));
    expect([created.links('Cerrar'), created.links('Cancelar')]).toEqual([['/admin-users'], []]);
  });

  it('creates the user and shows the password only in that answer', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const answer = await admin.form('/new-user', { ...EVA, employeenumber: 'E-7', password: 'k3v9x0qa' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.getSetCookie()).toEqual([]);
    const page = await readPage(answer);
    expect(page.alerts).toEqual(['success: Se creó el usuario eva.luna. Comparte esta contraseña: k3v9x0qa']);
    expect(page.value('password')).toBe('k3v9x0qa');
    expect(page.links('Regresar')).toEqual(['/admin-users']);
    expect(app.loggedLines.join('')).not.toContain('k3v9x0qa');
    expect((await readPage(admin.get('/admin-users'))).decodedHtml).not.toContain('k3v9x0qa');
    expect((await readPage(admin.get('/new-user'))).value('password')).toBe('');
    expect(await listUsers(fresh.db, { username: 'eva' })).toMatchObject([
      { username: 'eva.luna', email: 'eva@obras.mx', employeenumber: 'E-7', roles: [{ id: 2 }] },
    ]);
  });

  it('generates the password on the server without a script; at the first sign-in it has to be changed', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const page = await readPage(admin.form('/new-user', { ...EVA, password: '' }));
    const password = page.value('password') ?? '';
    expect(password).toMatch(/^[0-9a-z]{8}$/);
    expect(page.alerts).toEqual([
      `success: Se creó el usuario eva.luna. Comparte esta contraseña: ${password}`,
    ]);

    const eva = app.visitor();
    await eva.form('/login', { email: 'eva@obras.mx', password });
    for (const path of ['/invoices', '/', '/userprofile/sesiones']) {
      const answer = await eva.get(path);
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/userprofile']);
    }
    const profile = await readPage(eva.get('/userprofile'));
    expect(profile.alerts).toEqual(['warning: Tu contraseña es temporal. Cámbiala para continuar.']);
    expect(profile.decodedHtml).not.toContain('Mis sesiones');
    const changed = await eva.form('/userprofile', {
      currentpassword: password,
      newpassword: 'ladrillo rojo',
      confirmpassword: 'ladrillo rojo',
    });
    expect((await readPage(eva.follow(changed))).alerts).toEqual([
      'success: Your password has been updated!',
    ]);
    expect((await eva.get('/invoices')).status).toBe(200);
  });
});

describeOneDatabase('"Mis sesiones" on the profile', (fresh) => {
  const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

  const signedIn = async () => {
    const app = createTestApp({ db: fresh.db });
    const ana = await addUser(fresh.db, { username: 'ana', password: await hashPassword('ladrillo rojo') });
    const here = app.visitor();
    await here.form(
      '/login',
      { email: 'ana', password: 'ladrillo rojo' },
      { headers: { 'user-agent': FIREFOX } },
    );
    app.clock.advance({ minutes: 5 });
    const elsewhere = await app.as(ana);
    const profile = async () => readPage(here.get('/userprofile'));
    return { app, ana, here, elsewhere, profile };
  };

  it('shows where the user is signed in: since when, last used, from where, with which program', async () => {
    const { profile } = await signedIn();
    expect((await profile()).rows).toEqual([
      [
        'Firefox en Windows Esta sesión',
        '127.0.0.1',
        'Fri, 20 Nov 2026 12:00',
        'Fri, 20 Nov 2026 12:05',
        'Cerrar',
      ],
      ['prueba', '127.0.0.1', 'Fri, 20 Nov 2026 12:05', 'Fri, 20 Nov 2026 12:05', 'Cerrar'],
    ]);
  });

  it('ends another session, and keeps this one', async () => {
    const { here, elsewhere, profile } = await signedIn();
    const ids = [...(await profile()).decodedHtml.matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => id);
    const closed = await here.form('/userprofile/sesiones', { id: ids[1] });
    expect((await readPage(here.follow(closed))).alerts).toEqual(['success: Se cerró la sesión.']);
    expect((await elsewhere.get('/userprofile')).headers.get('location')).toContain('/login');
    expect((await profile()).rows).toHaveLength(1);
    expect((await profile()).decodedHtml).not.toContain('Cerrar las demás');
    const own = await here.form('/userprofile/sesiones', { id: ids[0] });
    expect((await here.follow(own)).headers.get('location')).toContain('/login');
  });

  it("ends all other sessions at once, and nobody else's", async () => {
    const { app, here, elsewhere, profile } = await signedIn();
    const stranger = await app.as(1);
    const closed = await here.form('/userprofile/sesiones', { id: 'others' });
    expect((await readPage(here.follow(closed))).alerts).toEqual([
      'success: Se cerraron las demás sesiones.',
    ]);
    expect((await elsewhere.get('/userprofile')).status).toBe(303);
    expect((await stranger.get('/userprofile')).status).toBe(200);
    expect((await profile()).rows).toHaveLength(1);
  });

  it('leaves out ended sessions, and never ends or shows those of another user', async () => {
    const { app, ana, here, profile } = await signedIn();
    await addSession(fresh.db, ana.id, new Date(app.clock.now().getTime() - 9 * 3600_000));
    const stranger = await app.as(1);
    const { id } = await readRow(fresh.db, 'sessions', { token: hashToken(stranger.token) }, ['id']);
    const page = await profile();
    expect(page.rows).toHaveLength(2);
    expect(page.decodedHtml).not.toContain('token');
    expect((await here.form('/userprofile/sesiones', { id })).status).toBe(404);
    expect((await here.form('/userprofile/sesiones', { id: 'x' })).status).toBe(400);
    expect((await stranger.get('/userprofile')).status).toBe(200);
  });
});
