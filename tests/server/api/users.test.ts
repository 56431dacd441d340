import { expect, it } from 'vitest';
import type { TestApp } from '../../support/app.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import { addUser } from '../../support/rows.ts';

enableQuickHashes();

const EVA = {
  employeenumber: 'E-7',
  userfirstname: 'Eva',
  userlastname: 'Luna Ríos',
  username: 'Eva.Luna',
  email: 'Eva@Obras.mx',
  password: 'k3v9x0qa',
  roles: [2, '5'],
};

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
    expect(await statusOf(admin.get('/api/users/search/?cursor=99'))).toBe(400);
  });

  it('creates at signup a user whose password is valid for 72 hours and has to be changed first', async () => {
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

  it('changes nothing by updateusersdata without an id, with two, or with an unknown one', async () => {
    const admin = await createTestApp({ db: fresh.db }).as(3);
    const put = (path: string) => statusOf(admin.put(`/api/auth/updateusersdata${path}`, { username: 'x' }));
    expect([await put(''), await put(`?id=1&id=${admin.user.id}`), await put('/99')]).toEqual([
      400, 400, 404,
    ]);
    expect(await count('audit')).toBe(0);
  });

  it('keeps, when users change their own roles, only the session that made the change', async () => {
    const app = createTestApp({ db: fresh.db });
    const admin = await app.as(3);
    const elsewhere = await app.as(admin.user);
    await admin.put(`/api/auth/updateusersdata/${admin.user.id}`, { roles: [1, 3] });
    expect(await json(admin.get('/api/test/user'))).toMatchObject({ roles: [1, 3] });
    expect(await statusOf(elsewhere.get('/api/test/user'))).toBe(401);
  });
});
