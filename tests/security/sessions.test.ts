import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashToken } from '../../server/services/session/tokens.ts';
import { createTestApp } from '../support/app.ts';
import { runSaldo } from '../support/cli.ts';
import { DIALECTS, type FreshDatabase, openFreshDatabase, useFreshDatabase } from '../support/databases.ts';
import { type AskOptions, ask } from '../support/http.ts';
import { timeLimitFactor } from '../support/patience.ts';
import { IS_LONG_LANE } from '../support/proofs.ts';
import { addInvoice, addSession, addUser, type StoredUser } from '../support/rows.ts';
import type { RunningServer } from '../support/server.ts';
import { routesOf } from './routes.ts';
import { HASH, PASSWORD, SECRET, serve } from './servers.ts';

const HOUR = 3600_000;
const MINUTE = 60_000;
const IDLE = 8 * HOUR;
const TOTAL = 24 * HOUR;

describe.runIf(IS_LONG_LANE)('T07 · the cookie of a session', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([
    ['over https', { SALDO_URL: 'https://saldo.obras.mx' }, 'https://saldo.obras.mx', '__Host-saldo', true],
    ['on this machine', {}, undefined, 'saldo', false],
  ] as const)(
    '%s cannot be reached by scripts, other sites and other hosts, and ends with the browser',
    async (_, env, origin, name, isSecure) => {
      const user = await addUser(fresh.db, { roles: [1, 3], password: HASH });
      const server = await serve(fresh.database, env);
      try {
        // Behind TLS without a trusted proxy it warns that all users would have one address.
        expect(server.output().includes('SALDO_TRUST_PROXY')).toBe(isSecure);
        const headers = { origin: origin ?? server.url };
        const form = { email: user.username, password: PASSWORD };
        const byPage = await ask(`${server.url}/login`, { form, headers });
        const byApi = await ask(`${server.url}/api/auth/signin`, { json: form, headers });
        for (const answer of [byPage, byApi]) {
          expect(answer.cookies).toHaveLength(1);
          const [pair = '', ...attributes] = answer.cookies[0]!.split(/; */);
          expect(pair.startsWith(`${name}=`)).toBe(true);
          const expected = ['HttpOnly', 'Path=/', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])];
          expect(attributes.sort()).toEqual(expected);
          const page = await ask(`${server.url}/invoices`, { headers: { cookie: pair } });
          expect(page.status).toBe(200);
          const [, signed = ''] = pair.split('=');
          for (const forged of [
            decodeURIComponent(signed).split('.')[0],
            `${signed.slice(0, -6)}AAAA%3D`,
            `${encodeURIComponent(`x${decodeURIComponent(signed)}`)}`,
          ]) {
            const refused = await ask(`${server.url}/invoices`, { headers: { cookie: `${name}=${forged}` } });
            expect(refused.headers.location).toBe('/login?next=%2Finvoices');
          }
        }
      } finally {
        await server.stop();
      }
    },
  );
});

describe.runIf(IS_LONG_LANE)('T07 · the token of a session', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is in no page, address, header or log line', async () => {
    const user = await addUser(fresh.db, { roles: [1, 2, 3, 4, 5, 6], password: HASH });
    await addInvoice(fresh.db, {});
    const server = await serve(fresh.database, { LOG_LEVEL: 'trace' });
    try {
      const form = { email: user.username, password: PASSWORD };
      const entered = await ask(`${server.url}/login`, { form, headers: { origin: server.url } });
      const [cookie = ''] = entered.cookies[0]!.split(';');
      const [token = '', signature = ''] = decodeURIComponent(cookie.split('=')[1] ?? '').split('.');
      expect(token).toMatch(/^[\w-]{32,}$/);
      expect(signature.length).toBeGreaterThan(40);
      const secrets = [token, signature, encodeURIComponent(signature)];
      const routes = routesOf(createTestApp({ db: fresh.db })).filter(({ method }) => method === 'GET');
      const seen: string[] = [entered.body, entered.headers.location ?? ''];
      for (const path of [...routes.map((route) => route.path), '/nada', '/api/nada', '/invoices?limit=x']) {
        const { headers, body } = await ask(server.url + path, { headers: { cookie } });
        seen.push(JSON.stringify(headers), body);
      }
      expect(seen.length).toBeGreaterThan(100);
      const closed = await ask(`${server.url}/logout`, {
        method: 'POST',
        headers: { cookie, origin: server.url },
      });
      seen.push(closed.body, closed.headers.location ?? '');
      // A program sends its token by either header; only the session endpoint returns it.
      const byToken = await addSession(fresh.db, user.id, new Date());
      for (const headers of [bearer(byToken), { 'x-access-token': byToken }] as Record<string, string>[]) {
        for (const path of ['/api/facturaproveedores', '/invoices', '/api/nada', '/userprofile']) {
          const answer = await ask(server.url + path, { headers });
          seen.push(JSON.stringify(answer.headers), answer.body);
        }
      }
      secrets.push(byToken);
      seen.push(server.output());
      for (const secret of [...secrets, PASSWORD, HASH, SECRET]) {
        expect(seen.filter((text) => text.includes(secret))).toEqual([]);
      }
      const audit = await fresh.db.selectFrom('audit').selectAll().execute();
      expect(secrets.filter((secret) => JSON.stringify(audit).includes(secret))).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

describe.each(IS_LONG_LANE ? DIALECTS : (['sqlite'] as const))(
  'two server processes on one database (%s)',
  (dialect) => {
    let database: FreshDatabase;
    let servers: RunningServer[];
    let admin: { headers: Record<string, string> };

    beforeAll(async () => {
      database = await openFreshDatabase(dialect);
      const { id } = await addUser(database.db, { roles: [1, 3], password: HASH });
      admin = { headers: { 'x-access-token': await addSession(database.db, id, new Date()) } };
      servers = await Promise.all([serve(database), serve(database)]);
    });
    afterAll(async () => {
      await Promise.all(servers.map((server) => server.stop()));
      await database.close();
    });

    it('T07 · end a session after 8 hours without use and 24 hours in all', async () => {
      const { id } = await addUser(database.db);
      const token = await addSession(database.db, id, new Date());
      const age = (created: number, used: number) =>
        database.db
          .updateTable('sessions')
          .set({ createdAt: ago(created), updatedAt: ago(used) })
          .where('token', '=', hashToken(token))
          .execute();
      const status = async () => (await call(1, '/api/test/user', { headers: bearer(token) })).status;
      await age(IDLE - MINUTE, IDLE - MINUTE);
      expect(await status()).toBe(200);
      await age(TOTAL - MINUTE, 0);
      expect(await status()).toBe(200);
      await age(TOTAL - MINUTE, IDLE);
      expect(await status()).toBe(401);
      await age(0, 0);
      expect(await status()).toBe(401); // it is gone, not only refused
      const other = await addSession(database.db, id, ago(TOTAL));
      await database.db
        .updateTable('sessions')
        .set({ updatedAt: ago(0) })
        .where('token', '=', hashToken(other))
        .execute();
      expect((await call(0, '/api/test/user', { headers: bearer(other) })).status).toBe(401);
    });

    const change = (path: string, json: object) =>
      call(0, `/api/auth/${path}`, { method: 'PUT', json, ...admin });
    const byCommand = async (...args: string[]) => {
      const { code } = await runSaldo({ database }, ['users', ...args]);
      return { status: code === 0 ? 200 : code };
    };
    const next = { newpassword: 'teja de barro 7' };
    const EVENTS: [string, (user: StoredUser) => Promise<unknown>][] = [
      ['a reset by an administrator', ({ id }) => change('resetpsw', { iduser: id, ...next })],
      ['a change of roles', ({ id }) => change(`updateusersdata/${id}`, { roles: [4] })],
      ['a deactivation', ({ id }) => change(`updateusersdata/${id}`, { active: false })],
      ['a reset from the command line', ({ username }) => byCommand('reset-password', username)],
      ['a deactivation from the command line', ({ username }) => byCommand('deactivate', username)],
      [
        'its user’s own change of the password elsewhere',
        async ({ id }) =>
          call(1, '/api/auth/changepsw', {
            method: 'PUT',
            json: { id, currpassword: PASSWORD, ...next },
            headers: bearer(await addSession(database.db, id, new Date())),
          }),
      ],
    ];

    it.each(EVENTS)('T08 · refuse every session from its next request on after %s', async (_, event) => {
      const user = await addUser(database.db, { roles: [1], password: HASH });
      const tokens = [
        await addSession(database.db, user.id, new Date()),
        await addSession(database.db, user.id, new Date()),
      ];
      const statuses = () =>
        Promise.all(
          tokens.flatMap((token) =>
            [0, 1].map(
              async (server) => (await call(server, '/api/test/user', { headers: bearer(token) })).status,
            ),
          ),
        );
      expect(await statuses()).toEqual([200, 200, 200, 200]);
      expect(await event(user)).toMatchObject({ status: 200 });
      const began = performance.now();
      expect(await statuses()).toEqual([401, 401, 401, 401]);
      expect(performance.now() - began).toBeLessThan(1000 * timeLimitFactor());
    });

    it('T08 · refuse a session that was closed, and only that one', async () => {
      const user = await addUser(database.db, { roles: [1] });
      const [closed, open] = [
        await addSession(database.db, user.id, new Date()),
        await addSession(database.db, user.id, new Date()),
      ];
      const out = await call(0, '/api/auth/signout', { method: 'POST', headers: bearer(closed) });
      expect(out.status).toBe(204);
      expect((await call(1, '/api/test/user', { headers: bearer(closed) })).status).toBe(401);
      expect((await call(1, '/api/test/user', { headers: bearer(open) })).status).toBe(200);
    });

    const call = (server: number, path: string, options: AskOptions) =>
      ask(servers[server]!.url + path, options);
  },
);

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
