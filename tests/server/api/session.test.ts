import { expect, it } from 'vitest';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import type { TestClient } from '../../support/app.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { hashQuickly } from '../../support/quick-crypto.ts';
import { addUser } from '../../support/rows.ts';

hashQuickly();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);

describeOneDatabase('POST /api/auth/signin', (fresh) => {
  it.each([
    [{}, 'Se requiere el usuario'],
    [{ email: ' ', password: 'x' }, 'Se requiere el usuario'],
    [{ email: 'ana@obras.mx' }, 'Se requiere la contrasen'],
    [{ username: 'ana', password: '' }, 'Se requiere la contrasen'],
  ])('says what is missing in %o: %s', async (body, message) => {
    const answer = await createTestApp({ db: fresh.db }).visitor().post('/api/auth/signin', body);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ message });
  });

  it('counts tries by the socket’s address, whatever X-Forwarded-For says', async () => {
    const { visitor } = createTestApp({ db: fresh.db });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await tryFrom(visitor(), `10.0.0.${i}`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
  });

  it('counts them by what the trusted proxy saw, and by nothing that was there before', async () => {
    const { visitor } = createTestApp({ db: fresh.db, config: { trustedProxies: 1 } });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await tryFrom(visitor(), `10.0.0.${i}, 192.0.2.7`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    expect((await tryFrom(visitor(), '192.0.2.7, 192.0.2.8')).status).toBe(401);
  });

  it('counts them by the address alone, whatever port the proxy adds, and by the proxy’s where it names none', async () => {
    const { visitor } = createTestApp({ db: fresh.db, config: { trustedProxies: 1 } });
    const statuses = [];
    for (let i = 0; i < 11; i++) statuses.push((await tryFrom(visitor(), `192.0.2.7:${50_000 + i}`)).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    for (let i = 0; i < 11; i++) statuses.push((await tryFrom(visitor(), `cliente-${i}`)).status);
    expect(statuses.slice(11)).toEqual([...Array(10).fill(401), 429]);
    expect((await tryFrom(visitor(), '[2001:db8::7]:50123')).status).toBe(401);
    const rows = await fresh.db.selectFrom('signin_attempts').select('address').distinct().execute();
    expect(rows.map(({ address }) => address).sort()).toEqual([
      '127.0.0.1',
      '192.0.2.7',
      '2001:db8:0:0::/64',
    ]);
  });

  const tryFrom = (client: TestClient, forwarded: string) =>
    client.post(
      '/api/auth/signin',
      { email: 'nadie', password: 'x' },
      { headers: { 'x-forwarded-for': forwarded } },
    );
});

describeOneDatabase('PUT /api/auth/changepsw', (fresh) => {
  it('changes one’s own password and nobody else’s', async () => {
    const { as, visitor } = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { username: 'ana', password: HASH });
    const eva = await addUser(fresh.db, { username: 'eva', password: HASH });
    const ana = await as(user);
    const body = { id: user.id, currpassword: PASSWORD, newpassword: 'grúa torre 9' };
    expect((await ana.put('/api/auth/changepsw', { ...body, id: eva.id })).status).toBe(403);
    const wrong = await ana.put('/api/auth/changepsw', { ...body, currpassword: 'otra' });
    expect(wrong.status).toBe(422);
    expect(await wrong.json()).toMatchObject({
      code: 'wrong_password',
      fields: { currentpassword: expect.any(String) },
    });
    const changed = await ana.put('/api/auth/changepsw/', body);
    expect(changed.status).toBe(200);
    expect(Object.keys(await changed.json()).sort()).toEqual([
      'active',
      'email',
      'employeenumber',
      'id',
      'roles',
      'userfirstname',
      'userlastname',
      'username',
    ]);
    const enter = (username: string, password: string) =>
      visitor().post('/api/auth/signin', { username, password });
    expect((await enter('ana', 'grúa torre 9')).status).toBe(200);
    expect((await enter('ana', PASSWORD)).status).toBe(401);
    expect((await enter('eva', PASSWORD)).status).toBe(200);
  });
});
