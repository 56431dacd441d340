import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/app.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { addUser } from '../support/rows.ts';
import { EVERYBODY, TABLE, whoMay } from './access-table.ts';
import { askRoute, isChange, type Route, routesOf } from './routes.ts';

const unlisted = (test: TestApp) =>
  routesOf(test)
    .filter((route) => whoMay(route) === undefined)
    .map(({ method, pattern }) => `${method} ${pattern}`);

describe('T14 · every route', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is listed in the access table', () => {
    const patterns = TABLE.flatMap(([listed]) => listed);
    expect(patterns.filter((pattern, index) => patterns.indexOf(pattern) !== index)).toEqual([]);
    expect(unlisted(createTestApp({ db: fresh.db }))).toEqual([]);
  });

  it('answers those whom the table names and nobody else', async () => {
    const test = createTestApp({ db: fresh.db });
    const clients = await Promise.all(EVERYBODY.map((role) => test.as(role)));
    const routes = routesOf(test);
    expect(routes.length).toBeGreaterThan(100);
    let cells = 0;
    for (const route of routes) {
      const allowed = whoMay(route);
      if (allowed === undefined || allowed === 'public') continue;
      const { method, path } = route;
      await expectTurnedAway(await askRoute(test.visitor(), route), route);
      for (const [index, { user }] of clients.entries()) {
        const role = user.roles[0] ?? 0;
        // Each page is rendered once; for other allowed roles a bad parameter ends the request after the access check.
        const isMade = role === allowed[0] || method !== 'GET' || !allowed.includes(role);
        const request = isMade ? route : { method, path: `${path}?${BAD}` };
        const answer = await askRoute(clients[index]!, request);
        // The request may have ended the session.
        if (isChange(route) && allowed.includes(role)) clients[index] = await test.as(user);
        const cell = `${method} ${path} as role ${role}`;
        expect(answer.status, cell).toBeLessThan(500);
        if (allowed.includes(role)) {
          expect([401, 403], cell).not.toContain(answer.status);
        } else {
          expect(answer.status, cell).toBe(403);
          const text = await answer.text();
          expect(text, cell).toContain(`${user.username} does not have privileges to see this page.`);
        }
        cells++;
      }
    }
    process.stdout.write(`T14: ${routes.length} routes, ${cells} cells of roles as written\n`);
  });

  it('answers nobody, and fails this test, if both the table and the rules lack it', async () => {
    const test = createTestApp({ db: fresh.db });
    test.app.get('/sin-regla', (c) => c.text('abierta'));
    test.app.post('/api/sin-regla', (c) => c.text('abierta'));
    expect(unlisted(test)).toEqual(['GET /sin-regla', 'POST /api/sin-regla']);
    for (const client of [test.visitor(), await test.as(EVERYBODY), await test.withToken(EVERYBODY)]) {
      expect((await client.get('/sin-regla')).status).toBe(404);
      expect((await client.post('/api/sin-regla')).status).toBe(404);
    }
  });

  it('answers without a session if it is public', async () => {
    const test = createTestApp({ db: fresh.db });
    for (const route of routesOf(test).filter((one) => whoMay(one) === 'public')) {
      const { status } = await askRoute(test.visitor(), route);
      expect([200, 303, 404, 422], `${route.method} ${route.path}`).toContain(status);
    }
  });
});

describe('a path without an access rule', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([
    '/nada',
    '/api',
    '/api/',
    '/api/nada',
    '/api/users2',
    '/invoicesx',
    '/Invoices',
    '/admin',
    '/%2Fadmin-users',
    '/..%2fpackage.json',
    '/package.json',
    '/_ui',
    '/api/auth/sign-in/email',
    '/api/auth/sign-up/email',
    '/auth/sign-up/email',
    '/%E0%A4%A',
  ])('is not found by anybody: %s', async (path) => {
    const { as, visitor } = createTestApp({ db: fresh.db });
    for (const client of [visitor(), await as([1, 3])]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        expect((await askRoute(client, { method, path })).status, method).toBe(404);
      }
    }
  });
});

describe('a user who must change the password', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is led to the change by every page and refused by the API, except for what the change needs', async () => {
    const test = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { roles: [1, 3], mustChangePassword: true });
    for (const route of routesOf(test).filter((one) => whoMay(one) !== 'public')) {
      const { path } = route;
      if (/^\/(userprofile|api\/auth\/changepsw|api\/auth\/signout|api\/test\/user)$/.test(path)) continue;
      const answer = await askRoute(await test.as(user), route);
      if (path.startsWith('/api/')) {
        expect(answer.status, path).toBe(403);
        expect(await answer.json()).toMatchObject({ code: 'password_change_required' });
      } else {
        expect(answer.status, path).toBe(303);
        expect(answer.headers.get('location'), path).toBe('/userprofile');
      }
    }
    const ana = await test.as(user);
    expect(await (await ana.get('/userprofile')).text()).toContain('Tu contraseña es temporal.');
    expect((await ana.get('/api/test/user')).status).toBe(200);
  });
});

const BAD = 'sortfield=nada&weeknum=nada&desde=nada&kind=nada';

/** Without a session, a program gets an error, and a browser the sign-in page. */
async function expectTurnedAway(answer: Response, { method, path }: Route): Promise<void> {
  const name = `${method} ${path}`;
  if (path.startsWith('/api/')) {
    expect(answer.status, name).toBe(401);
    expect(await answer.json(), name).toEqual({
      message: 'Inicia sesión para continuar.',
      code: 'unauthenticated',
    });
    return;
  }
  expect(answer.status, name).toBe(303);
  const next = path !== '/' ? `?${new URLSearchParams({ next: path })}` : '';
  expect(answer.headers.get('location'), name).toBe(`/login${next}`);
}
