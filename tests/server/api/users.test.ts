import { expect, it } from 'vitest';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import type { TestApp, TestClient } from '../../support/app.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { hashQuickly } from '../../support/quick-crypto.ts';
import { addActor, addUser, NOW } from '../../support/rows.ts';

hashQuickly();

const EVA = {
  employeenumber: 'E-7',
  userfirstname: 'Eva',
  userlastname: 'Luna Ríos',
  username: 'Eva.Luna',
  email: 'Eva@Obras.mx',
  password: 'k3v9x0qa',
  roles: [2, '5'],
};

const REQUIRED = 'Username, password and roles can not be empty.';

const json = async (answer: Response | Promise<Response>) => (await answer).json();
const statusOf = async (answer: Promise<Response>) => (await answer).status;

describeOneDatabase('the API of users', (fresh) => {
  const signIn = (app: TestApp, email: string, password: string) =>
    app.visitor().post('/api/auth/signin', { email, password });

  const count = async (table: 'users' | 'sessions' | 'audit' | 'idempotency_keys') =>
    (
      await fresh.db
        .selectFrom(table)
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n;

  it('takes role 3: every other role is refused, without a session nobody is known', async () => {
    const app = createTestApp({ db: fresh.db });
    const { id } = await addUser(fresh.db);
    const calls: Array<(client: TestClient) => Promise<Response>> = [
      (client) => client.get('/api/users/search/?username=a'),
      (client) => client.get('/api/test/getusers'),
      (client) => client.get(`/api/test/getusers/?id=${id}`),
      (client) => client.get(`/api/test/getusers/${id}`),
      (client) => client.post('/api/auth/signup', EVA),
      (client) => client.put(`/api/auth/updateusersdata/?id=${id}`, { roles: [3] }),
      (client) => client.put(`/api/auth/updateusersdata/${id}`, { roles: [3] }),
      (client) => client.put('/api/auth/resetpsw', { iduser: id, newpassword: 'k3v9x0qa' }),
    ];
    for (const call of calls) expect(await statusOf(call(app.visitor()))).toBe(401);
    for (const role of [1, 2, 4, 5, 6]) {
      const client = await app.as(role);
      for (const call of calls) {
        const answer = await call(client);
        expect(answer.status).toBe(403);
        expect(await answer.json()).toEqual({
          message: `${client.user.username} does not have privileges to see this page.`,
          code: 'forbidden',
        });
      }
    }
    const stored = await json((await app.as(3)).get(`/api/test/getusers/${id}`));
    expect(stored.roles).toEqual([{ id: 1, rolename: 'Dirección' }]);
    expect(await count('audit')).toBe(0);
  });

  it('lists users with their roles, by any piece of the username, in the order asked for', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(
      await addUser(fresh.db, { username: 'zoe', roles: [3] }),
    );
    await addUser(fresh.db, { username: 'ñandú', roles: [2, 4] });
    await addUser(fresh.db, { username: 'ana', email: 'ana@sin-correo.invalid', active: false });
    const names = async (query: string) =>
      (await json(admin.get(`/api/users/search/${query}`))).map(
        (user: { username: string }) => user.username,
      );
    expect(await names('')).toEqual(['zoe', 'ñandú', 'ana']);
    expect(await names('?username=NAN')).toEqual(['ñandú']);
    expect(await names('?sortfield=username&sorttype=asc')).toEqual(['ana', 'ñandú', 'zoe']);
    expect(await names('?sortfield=username&sorttype=DESC&username=undefined')).toEqual([
      'zoe',
      'ñandú',
      'ana',
    ]);
    const all = await admin.get('/api/test/getusers');
    expect(all.headers.get('x-total-count')).toBe('3');
    expect(await all.json()).toEqual(await json(admin.get('/api/users/search?sortfield=id')));
    expect(await json(admin.get('/api/test/getusers?username=ana'))).toEqual([
      {
        id: expect.any(Number),
        username: 'ana',
        email: '',
        employeenumber: '',
        userfirstname: 'Nombre',
        userlastname: 'Apellido',
        active: false,
        roles: [{ id: 1, rolename: 'Dirección' }],
      },
    ]);
  });

  it('pages through the list in its order', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    for (const username of ['d', 'b', 'c', 'a']) await addUser(fresh.db, { username });
    const seen: string[] = [];
    let next: string | undefined = '/api/users/search/?sortfield=username&limit=2';
    while (next) {
      const page = await admin.get(next);
      seen.push(...(await page.json()).map((user: { username: string }) => user.username));
      next = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', admin.user.username]);
    for (const query of [
      'limit=0',
      'limit=1001',
      'cursor=99',
      'cursor=x',
      'sortfield=email',
      'sorttype=up',
      'x=1',
    ]) {
      expect(await statusOf(admin.get(`/api/users/search/?${query}`)), query).toBe(400);
    }
  });

  it('answers one user by ?id= and by path, and 404 where there is none', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const { id } = await addUser(fresh.db, { username: 'ana' });
    for (const path of [`?id=${id}`, `/?id=${id}`, `/${id}`, `/${id}/`])
      expect(await json(admin.get(`/api/test/getusers${path}`))).toMatchObject({ id, username: 'ana' });
    expect(await json(admin.get('/api/test/getusers/99'))).toMatchObject({
      message: 'No existe el usuario 99.',
    });
    expect(await statusOf(admin.get('/api/test/getusers?id=99'))).toBe(404);
    expect(await statusOf(admin.get('/api/test/getusers?id=1x'))).toBe(400);
  });

  it('signup creates a user whose password serves 72 hours and has to be changed first', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const answer = await admin.post('/api/auth/signup/', EVA, { headers: { 'idempotency-key': 'k1' } });
    expect(answer.status).toBe(201);
    const user = await answer.json();
    expect(user).toEqual({
      id: expect.any(Number),
      username: 'eva.luna',
      email: 'eva@obras.mx',
      employeenumber: 'E-7',
      userfirstname: 'Eva',
      userlastname: 'Luna Ríos',
      active: true,
      roles: [
        { id: 2, rolename: 'Contabilidad' },
        { id: 5, rolename: 'Residente de obra' },
      ],
    });
    expect(await count('idempotency_keys')).toBe(0);
    const eva = app.visitor();
    expect(
      (await eva.post('/api/auth/signin', { email: 'eva@obras.mx', password: EVA.password })).status,
    ).toBe(200);
    expect(await json(eva.get('/api/suppliers'))).toMatchObject({ code: 'password_change_required' });
    const changed = await eva.put('/api/auth/changepsw', {
      id: user.id,
      currpassword: EVA.password,
      newpassword: 'ladrillo rojo',
    });
    expect(changed.status).toBe(200);
    expect(await statusOf(eva.get('/api/suppliers'))).toBe(200);
    const late = await addUser(fresh.db, { username: 'tarde', roles: [2] });
    await admin.put('/api/auth/resetpsw', { iduser: late.id, newpassword: 'k3v9x0qa' });
    app.clock.advance({ hours: 73 });
    expect(await json(signIn(app, 'tarde', 'k3v9x0qa'))).toMatchObject({ code: 'password_expired' });
  });

  it('signup makes a username from the names, and needs no e-mail', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const { username: _username, email: _email, ...nameless } = EVA;
    const first = await json(admin.post('/api/auth/signup', nameless));
    const second = await json(admin.post('/api/auth/signup', { ...nameless, username: '', email: null }));
    expect([first, second]).toMatchObject([
      { username: 'eva.luna', email: '' },
      { username: 'eva.luna2', email: '' },
    ]);
  });

  it.each([
    [{ userfirstname: ' ' }, 422, 'Firstname, lastname and user type can not be empty.', 'userfirstname'],
    [{ userlastname: undefined }, 422, 'Firstname, lastname and user type can not be empty.', 'userlastname'],
    [{ roles: [] }, 422, 'Firstname, lastname and user type can not be empty.', 'roles'],
    [{ roles: undefined }, 422, 'Firstname, lastname and user type can not be empty.', 'roles'],
    [{ roles: [99] }, 422, 'Hay un rol que no existe.', 'roles'],
    [{ email: 'eva' }, 422, 'Email is invalid.', 'email'],
    [{ email: 'eva@sin-correo.invalid' }, 422, 'Email is invalid.', 'email'],
    [{ password: undefined }, 422, 'La contraseña debe tener al menos 8 caracteres.', 'password'],
    [{ password: 'password1' }, 422, 'Es una contraseña muy común; elige otra.', 'password'],
    [{ username: 'Ana' }, 409, 'Ya existe el usuario ana.', 'username'],
    [{ email: 'ANA@obras.mx' }, 409, 'Ya existe un usuario con el correo ana@obras.mx.', 'email'],
    [{ roles: 3 }, 400, 'roles: se espera una lista de números.', 'roles'],
    [{ roles: ['administrador'] }, 400, 'roles: no es un número de registro.', 'roles'],
    [{ userfirstname: 7 }, 400, 'Nombre: se espera un texto.', 'userfirstname'],
  ])('signup with %j is %i: %s', async (part, status, message, field) => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx' });
    const answer = await admin.post('/api/auth/signup', { ...EVA, ...part });
    expect(answer.status).toBe(status);
    const body = await answer.json();
    expect(body.message).toBe(message);
    expect(body.fields).toHaveProperty(
      [field],
      message.startsWith('Firstname') || message === REQUIRED ? 'Falta este dato.' : message,
    );
    expect(await count('users')).toBe(2);
  });

  it('takes no field but its own: nothing can be slipped in beside them', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const { id } = await addUser(fresh.db, { username: 'ana', roles: [2] });
    const before = await fresh.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    const extras = {
      createdAt: NOW,
      updatedAt: NOW,
      emailVerified: true,
      mustChangePassword: 0,
      passwordExpiresAt: null,
      name: 'x',
      image: 'x',
      password: 'k3v9x0qa',
      hash: 'x',
      token: 'x',
      deletedAt: NOW,
    };
    for (const [name, value] of Object.entries(extras)) {
      const change = await admin.put(`/api/auth/updateusersdata/${id}`, { username: 'otra', [name]: value });
      expect([name, change.status]).toEqual([name, 400]);
      if (name === 'password') continue;
      expect([name, await statusOf(admin.post('/api/auth/signup', { ...EVA, [name]: value }))]).toEqual([
        name,
        400,
      ]);
    }
    for (const name of ['id', 'active'])
      expect(await statusOf(admin.post('/api/auth/signup', { ...EVA, [name]: 9 }))).toBe(400);
    expect(await fresh.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()).toEqual(
      before,
    );
    expect(await count('users')).toBe(2);
  });

  it('updateusersdata changes what it is sent and leaves the rest', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obras.mx', roles: [2] });
    const put = (path: string, body: object) => json(admin.put(`/api/auth/updateusersdata${path}`, body));
    expect(
      await put(`/?id=${id}`, { username: 'Ana.R', email: 'r@obras.mx', roles: ['4', 2, 2] }),
    ).toMatchObject({
      id,
      username: 'ana.r',
      email: 'r@obras.mx',
      active: true,
      roles: [{ id: 2 }, { id: 4 }],
    });
    expect(await put(`/${id}`, { id, email: '' })).toMatchObject({ username: 'ana.r', email: '' });
    expect(await put(`?id=${id}`, { active: false })).toMatchObject({
      email: '',
      active: false,
      roles: [{ id: 2 }, { id: 4 }],
    });
    expect(await put(`/${id}`, { username: 'ana' })).toMatchObject({ username: 'ana', email: '' });
    expect(await count('audit')).toBe(4);
  });

  it.each([
    [{ username: ' ' }, 422, REQUIRED, 'username'],
    [{ username: null }, 422, REQUIRED, 'username'],
    [{ roles: [] }, 422, REQUIRED, 'roles'],
    [{ email: 'x' }, 422, 'Email is invalid.', 'email'],
    [{ username: 'EVA' }, 409, 'Ya existe el usuario eva.', 'username'],
    [{ email: 'eva@obras.mx' }, 409, 'Ya existe un usuario con el correo eva@obras.mx.', 'email'],
    [{ active: 'quizá' }, 400, 'active: se espera sí o no.', 'active'],
    [{ id: 99 }, 400, 'El id del cuerpo no es el de la dirección.', 'id'],
  ])('updateusersdata with %j is %i: %s', async (body, status, message, field) => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    await addUser(fresh.db, { username: 'eva', email: 'eva@obras.mx' });
    const { id } = await addUser(fresh.db, { username: 'ana' });
    const answer = await admin.put(`/api/auth/updateusersdata/${id}`, body);
    expect(answer.status).toBe(status);
    const problem = await answer.json();
    expect(problem.message).toBe(message);
    expect(problem.fields).toHaveProperty(field);
    expect(await count('audit')).toBe(0);
  });

  it('updateusersdata without an id, with two, or of nobody changes nothing', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const put = (path: string) => statusOf(admin.put(`/api/auth/updateusersdata${path}`, { username: 'x' }));
    expect(await put('')).toBe(400);
    expect(await put(`?id=1&id=${admin.user.id}`)).toBe(400);
    expect(await put('/99')).toBe(404);
  });

  it('other roles and a deactivation count from the next request on', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const [first, second] = [await app.as(1), await app.withToken(1)];
    await admin.put(`/api/auth/updateusersdata/${first.user.id}`, { roles: [1, 2] });
    expect(await statusOf(first.get('/api/test/user'))).toBe(401);
    await admin.put(`/api/auth/updateusersdata/${second.user.id}`, { active: false });
    expect(await statusOf(second.get('/api/test/user'))).toBe(401);
  });

  it('whoever changes the own roles keeps the session it came from, and no other', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const elsewhere = await app.as(admin.user);
    await admin.put(`/api/auth/updateusersdata/${admin.user.id}`, { roles: [1, 3] });
    expect(await json(admin.get('/api/test/user'))).toMatchObject({ roles: [1, 3] });
    expect(await statusOf(elsewhere.get('/api/test/user'))).toBe(401);
  });

  it('the last active administrator stays one, also where two demote each other at once', async () => {
    const app = createTestApp({ db: fresh.db });
    await addUser(fresh.db, { roles: [3], active: false });
    const [ana, eva] = [await app.as(3), await app.as(3)];
    const demote = (by: TestClient, whom: TestClient) =>
      by.put(`/api/auth/updateusersdata/${whom.user.id}`, { roles: [1] });
    const answers = await Promise.all([demote(ana, eva), demote(eva, ana)]);
    expect(answers.map((answer) => answer.status).filter((status) => status === 200)).toHaveLength(1);
    const left = answers[0]?.status === 200 ? ana : eva;
    for (const body of [{ roles: [1] }, { active: false }]) {
      const answer = await left.put(`/api/auth/updateusersdata/${left.user.id}`, body);
      expect(answer.status).toBe(409);
      expect(await answer.json()).toEqual({
        message: 'Debe quedar al menos un administrador activo.',
        code: 'last_administrator',
      });
    }
  });

  it('resetpsw sets a password to be shared, and ends the sessions of its user', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const password = await hashPassword('la de antes');
    const ana = await addUser(fresh.db, { username: 'ana', roles: [2], password });
    const before = await app.as(ana);
    const answer = await admin.put('/api/auth/resetpsw', {
      requesteriduser: admin.user.id,
      iduser: String(ana.id),
      newpassword: 'k3v9x0qa',
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      message: 'Password has been reset. Please, share this information with ana',
      id: ana.id,
    });
    expect(await statusOf(before.get('/api/test/user'))).toBe(401);
    expect(await statusOf(signIn(app, 'ana', 'la de antes'))).toBe(401);
    expect(await statusOf(signIn(app, 'ana', 'k3v9x0qa'))).toBe(200);
  });

  it('resetpsw is asked for by whom the session names, whatever the payload says', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const password = await hashPassword('la de antes');
    const ana = await addUser(fresh.db, { username: 'ana', roles: [2], password });
    const reset = (client: TestClient, requesteriduser: number) =>
      statusOf(
        client.put('/api/auth/resetpsw', { requesteriduser, iduser: ana.id, newpassword: 'k3v9x0qa' }),
      );
    expect(await reset(await app.as(1), admin.user.id)).toBe(403);
    expect(await reset(admin, ana.id)).toBe(403);
    expect(await statusOf(signIn(app, 'ana', 'la de antes'))).toBe(200);
    expect(await reset(admin, admin.user.id)).toBe(200);
    const entry = await fresh.db.selectFrom('audit').select(['userId', 'entityId']).executeTakeFirst();
    expect(entry).toEqual({ userId: admin.user.id, entityId: String(ana.id) });
  });

  it('resetpsw refuses weak passwords, nobody, and unknown users', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const { id } = await addUser(fresh.db);
    const reset = (body: object) => admin.put('/api/auth/resetpsw', body);
    expect(await json(reset({ iduser: id, newpassword: 'corta' }))).toMatchObject({
      fields: { newpassword: 'La contraseña debe tener al menos 8 caracteres.' },
    });
    expect(await statusOf(reset({ iduser: id }))).toBe(422);
    expect(await statusOf(reset({ newpassword: 'k3v9x0qa' }))).toBe(422);
    expect(await statusOf(reset({ iduser: 99, newpassword: 'k3v9x0qa' }))).toBe(404);
    expect(await statusOf(reset({ iduser: id, newpassword: 'k3v9x0qa', userid: 1 }))).toBe(400);
  });

  it('one changes only the own password, whichever id the body names', async () => {
    const app = createTestApp({ db: fresh.db });
    const client = await app.as(1);
    const other = await addUser(fresh.db, { password: await hashPassword('la de antes') });
    for (const name of ['id', 'userid']) {
      const body = { [name]: other.id, currpassword: 'la de antes', newpassword: 'ladrillo rojo' };
      expect(await statusOf(client.put('/api/auth/changepsw', body))).toBe(403);
    }
    expect(await statusOf(signIn(app, other.username, 'la de antes'))).toBe(200);
  });

  it('no answer, audit entry or log line holds a hash, a token or a password', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const answers: string[] = [];
    const say = async (answer: Promise<Response>) => {
      answers.push(await (await answer).text());
    };
    await say(admin.post('/api/auth/signup', EVA));
    const { id } = JSON.parse(answers[0] ?? '');
    await say(admin.get('/api/test/getusers'));
    await say(admin.get(`/api/test/getusers/${id}`));
    await say(admin.get('/api/users/search/'));
    await say(admin.put(`/api/auth/updateusersdata/${id}`, { active: false }));
    await say(admin.put('/api/auth/resetpsw', { iduser: id, newpassword: 'zx81k3v9' }));
    const spoken = answers.map((text) => text.replace('Password has been reset.', '')).join('\n');
    expect(spoken).not.toMatch(/hash|token|password|contraseña/i);
    const stored = await fresh.db
      .selectFrom('accounts')
      .select('password')
      .where('userId', '=', id)
      .executeTakeFirstOrThrow();
    const entries = JSON.stringify(await fresh.db.selectFrom('audit').selectAll().execute());
    for (const secret of [EVA.password, 'zx81k3v9', stored.password ?? '', admin.token]) {
      expect(secret).not.toBe('');
      for (const place of [spoken, entries, app.logged.join('\n')]) expect(place).not.toContain(secret);
    }
    expect(await count('audit')).toBe(3);
  });

  it('the roles are for everybody who is signed in', async () => {
    const app = createTestApp({ db: fresh.db });
    await addActor(fresh.db);
    expect(await statusOf(app.visitor().get('/api/roles/search'))).toBe(401);
    for (const role of [1, 2, 3, 4, 5, 6]) {
      const answer = await (await app.as(role)).get('/api/roles/search/');
      expect(await answer.json()).toEqual([
        { id: 1, rolename: 'Dirección' },
        { id: 2, rolename: 'Contabilidad' },
        { id: 3, rolename: 'Administrador' },
        { id: 4, rolename: 'Compras' },
        { id: 5, rolename: 'Residente de obra' },
        { id: 6, rolename: 'Auxiliar' },
      ]);
      expect(answer.headers.get('x-total-count')).toBe('6');
    }
  });
});
