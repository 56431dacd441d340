import { describe, expect, it } from 'vitest';
import { createTestApp, type TestApp, type TestClient } from '../support/app.ts';
import { useFresh } from '../support/databases.ts';
import { addUser } from '../support/rows.ts';

const EVERYBODY = [1, 2, 3, 4, 5, 6];

/** Written down once more, so that a slip in the application's own table shows. */
const PUBLIC = /^\/(healthz|readyz|assets\/.*|favicon\.ico|login|logout|api\/auth\/signin)$/;
const ADMINISTRATORS =
  /^\/(admin-settings|admin-users|new-user|api\/(audit|users|settings|test\/getusers|auth\/(signup|updateusersdata|resetpsw)))(\/|$)/;
const rolesOf = (path: string) =>
  ADMINISTRATORS.test(path) ? [3] : /^\/dashboard(\/|$)/.test(path) ? [1] : EVERYBODY;

describe('every route', () => {
  const fresh = useFresh('sqlite');

  it('has a rule, and answers whom the rule names and nobody else', async () => {
    const test = createTestApp({ db: fresh.db });
    const users = await Promise.all(EVERYBODY.map((role) => addUser(fresh.db, { roles: [role] })));
    const routes = routesOf(test);
    expect(routes.length).toBeGreaterThan(30);
    for (const { method, path } of routes.filter((route) => !PUBLIC.test(route.path))) {
      const name = `${method} ${path}`;
      const anonymous = await ask(test.visitor(), method, path);
      if (path.startsWith('/api/')) {
        expect(anonymous.status, name).toBe(401);
        expect(await anonymous.json(), name).toEqual({
          message: 'Inicia sesión para continuar.',
          code: 'unauthenticated',
        });
      } else {
        expect(anonymous.status, name).toBe(303);
        const next = method === 'GET' && path !== '/' ? `?${new URLSearchParams({ next: path })}` : '';
        expect(anonymous.headers.get('location'), name).toBe(`/login${next}`);
      }
      for (const user of users) {
        const role = user.roles[0] ?? 0;
        const answer = await ask(await test.as(user), method, path);
        expect(answer.status, `${name} as role ${role}`).toBeLessThan(500);
        if (rolesOf(path).includes(role)) {
          expect(answer.status, `${name} as role ${role}`).not.toBe(401);
          const needsMore = method === 'DELETE' && role !== 3; // a whole list goes by role 3 alone
          if (!needsMore) expect(answer.status, `${name} as role ${role}`).not.toBe(403);
        } else {
          expect(answer.status, `${name} as role ${role}`).toBe(403);
          expect(await answer.text()).toContain(
            `${user.username} does not have privileges to see this page.`,
          );
        }
      }
    }
  }, 60_000);

  it('that is public answers without a session', async () => {
    const test = createTestApp({ db: fresh.db });
    for (const { method, path } of routesOf(test).filter((route) => PUBLIC.test(route.path))) {
      const { status } = await ask(test.visitor(), method, path);
      expect([200, 303, 404, 422], `${method} ${path}`).toContain(status);
    }
  });

  it('keeps somebody without any role out', async () => {
    const { as } = createTestApp({ db: fresh.db });
    const nobody = await as([]);
    for (const path of ['/', '/invoices', '/userprofile', '/api/suppliers', '/api/test/user']) {
      expect((await nobody.get(path)).status, path).toBe(403);
    }
  });

  it('is found with and without a slash at its end', async () => {
    const { as } = createTestApp({ db: fresh.db });
    const ana = await as(1);
    for (const path of ['/api/test/user', '/api/test/user/', '/userprofile', '/userprofile/']) {
      expect((await ana.get(path)).status, path).toBe(200);
    }
  });
});

describe('a path that nobody wrote a rule for', () => {
  const fresh = useFresh('sqlite');

  it.each([
    '/nada',
    '/api',
    '/api/',
    '/api/nada',
    '/api/users2',
    '/invoicesx',
    '/Invoices',
    '/admin',
    '//admin-users',
    '/%2Fadmin-users',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..\\package.json',
    '/package.json',
    '/data/saldo.db',
    '/.git/config',
    '/_ui',
    '/api/auth/sign-in/email',
    '/api/auth/sign-up/email',
    '/auth/sign-up/email',
    '/%E0%A4%A',
  ])('is not found, for anybody: %s', async (path) => {
    const { as, visitor } = createTestApp({ db: fresh.db });
    for (const client of [visitor(), await as([1, 3])]) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
        expect((await ask(client, method, path)).status, method).toBe(404);
      }
    }
  });
});

describe('somebody who must change the password', () => {
  const fresh = useFresh('sqlite');

  it('is led to the change by every page and refused by the API, but for what the change needs', async () => {
    const test = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { roles: [1, 3], mustChangePassword: true });
    for (const { method, path } of routesOf(test).filter((route) => !PUBLIC.test(route.path))) {
      if (/^\/(userprofile|api\/auth\/changepsw|api\/auth\/signout|api\/test\/user)$/.test(path)) continue;
      const answer = await ask(await test.as(user), method, path);
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

/** What the application has registered, with 1 for every parameter; /_ is the development server's alone. */
function routesOf({ app }: TestApp): { method: string; path: string }[] {
  const routes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*') && !path.startsWith('/_'))
    .map(({ method, path }) => ({ method, path: path.replace(/:\w+(\{[^/]*\})?\??/g, '1') }));
  const unique = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]));
  return [...unique.values()];
}

function ask(client: TestClient, method: string, path: string): Promise<Response> {
  if (method === 'GET' || method === 'DELETE') return client.send(path, { method });
  if (!path.startsWith('/api/')) return client.form(path, {});
  return method === 'PUT' ? client.put(path) : client.post(path);
}
