import { connect } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createLog, formatLogLine } from '../../../server/http/log.ts';
import { SLOW_MS } from '../../../server/http/request-log.ts';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import { listening } from '../../security/listening.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import { addUser } from '../../support/rows.ts';
import { startServer } from '../../support/server.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);
const SIGN_IN = '/api/auth/signin';

const linesOf = ({ loggedLines }: TestApp) =>
  loggedLines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
const lastOf = (test: TestApp) => linesOf(test).at(-1);

describe('each request', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is one line: who, which route, how it ended, under the id of its answer', async () => {
    const test = createTestApp({ db: fresh.db });
    const ana = await test.as([1, 3]);
    const answer = await ana.get('/editinvoicepage/1?secreto=1');
    expect(linesOf(test)).toEqual([
      {
        level: 'info',
        time: expect.any(Number),
        msg: 'request',
        id: answer.headers.get('x-request-id'),
        userId: ana.user.id,
        method: 'GET',
        route: expect.stringMatching(/^\/editinvoicepage\/:id/),
        path: '/editinvoicepage/1',
        status: 404,
        ms: expect.any(Number),
      },
    ]);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}$/);
    const other = await ana.get('/editinvoicepage/1');
    expect(other.headers.get('x-request-id')).not.toBe(answer.headers.get('x-request-id'));
  });

  it('has no route if its path is unknown, and abbreviates what is too long', async () => {
    const test = createTestApp({ db: fresh.db });
    const ana = await test.as(1);
    await ana.get(`/nada/${ana.token.padEnd(32, 'x')}/fin`);
    const line = lastOf(test);
    expect(line).toMatchObject({ path: '/nada/…/fin', status: 404 });
    expect(line).not.toHaveProperty('route');
    await ana.get(`/${'abc/'.repeat(500)}`);
    expect(lastOf(test).path.length).toBeLessThanOrEqual(200);
  });

  it('is logged at level debug if only a monitor or the page’s own files cause it', async () => {
    const test = createTestApp({ db: fresh.db });
    for (const path of ['/healthz', '/readyz', '/assets/nada.js', '/favicon.ico']) {
      await test.request(path);
      expect(lastOf(test)).toMatchObject({ path, level: 'debug' });
    }
    await sql`DROP TABLE schema_migrations`.execute(fresh.db);
    await test.request('/readyz');
    expect(lastOf(test)).toMatchObject({ status: 503, level: 'warn' });
    const quiet = createTestApp({ db: fresh.db, config: { logLevel: 'info' } });
    await quiet.request('/healthz');
    expect(quiet.loggedLines).toEqual([]);
  });

  it('is logged at level error if it fails, under the id that its reader sees', async () => {
    const test = createTestApp({ db: fresh.db });
    const ana = await test.as(1);
    await sql`ALTER TABLE invoices RENAME TO gone`.execute(fresh.db);
    for (const path of ['/invoices', '/api/facturaproveedores']) {
      const answer = await ana.get(path);
      const [, shown] = /\(id ([0-9a-f]{8})\)/.exec(await answer.text()) ?? [];
      expect(shown).toBe(answer.headers.get('x-request-id'));
      const own = test.loggedLines.map((line) => JSON.parse(line)).filter(({ id }) => id === shown);
      const [first, last] = [own[0], own.at(-1)];
      expect(first).toMatchObject({
        level: 'error',
        msg: 'unexpected error',
        err: { stack: expect.stringContaining('no such table') },
      });
      expect(last).toMatchObject({ level: 'error', msg: 'request', event: 'error', status: 500 });
      expect(last.userId).toBe(ana.user.id);
      expect(last).not.toHaveProperty('address');
    }
  });
});

describe('the log names', () => {
  const fresh = useFreshDatabase('sqlite');
  const from = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const behindProxy = () => createTestApp({ db: fresh.db, config: { trustedProxies: 1 } });

  it('a sign-in, a failed one, a locked one and a sign-out, with the address for all but the last', async () => {
    const test = behindProxy();
    const user = await addUser(fresh.db, { username: 'ana', password: HASH });
    const guest = test.visitor();
    await guest.post(SIGN_IN, { email: 'ana', password: 'otra cosa' }, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-in-failed', status: 401, address: '203.0.113.7' });
    await guest.form('/login', { email: 'ana', password: 'otra cosa' }, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-in-failed', status: 401, address: '203.0.113.7' });
    await guest.form('/login', { email: 'ana', password: PASSWORD }, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-in', userId: user.id, address: '203.0.113.7' });
    await guest.form('/logout', {}, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-out', userId: user.id });
    expect(lastOf(test)).not.toHaveProperty('address');
    await guest.post(SIGN_IN, { email: 'ana', password: PASSWORD }, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-in', userId: user.id, route: SIGN_IN });
    await guest.post('/api/auth/signout', {}, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-out', userId: user.id });
    const at = test.clock.now().toISOString();
    const failed = { account: `#${user.id}`, name: 'ana', address: '203.0.113.7', at, succeeded: 0 };
    const rows = Array.from({ length: 10 }, () => failed);
    await fresh.db.insertInto('signin_attempts').values(rows).execute();
    await guest.post(SIGN_IN, { email: 'ana', password: PASSWORD }, from);
    expect(lastOf(test)).toMatchObject({ event: 'sign-in-locked', status: 429, address: '203.0.113.7' });
    expect(lastOf(test)).not.toHaveProperty('userId');
    // The hash of a name is stable and depends on the secret.
    const { account } = lastOf(test);
    expect(account).toMatch(/^[\w-]{16}$/);
    await guest.post(SIGN_IN, { email: ' ANA ', password: 'otra cosa' }, from);
    expect(lastOf(test)).toMatchObject({ account });
    await guest.post(SIGN_IN, { email: 'luis', password: 'otra cosa' }, from);
    expect(lastOf(test).account).not.toBe(account);
    expect(test.loggedLines.join()).not.toMatch(/"ana"|otra cosa|ladrillo/);
  });

  it('who was refused, and why', async () => {
    const test = behindProxy();
    const luis = await test.as(2);
    const address = '203.0.113.7';
    await test.visitor().get('/invoices', from);
    expect(lastOf(test)).toMatchObject({ event: 'unauthenticated', status: 303, address });
    await test.visitor().get('/api/suppliers', from);
    expect(lastOf(test)).toMatchObject({ event: 'unauthenticated', status: 401, address });
    await luis.get('/admin-users', from);
    expect(lastOf(test)).toMatchObject({ event: 'forbidden', status: 403, userId: luis.user.id, address });
    await luis.form('/logout', {}, { headers: { ...from.headers, origin: 'http://otro.test' } });
    expect(lastOf(test)).toMatchObject({ event: 'foreign-origin', status: 403, address });
    const nueva = await test.as(await addUser(fresh.db, { mustChangePassword: true }));
    await nueva.get('/invoices', from);
    expect(lastOf(test)).toMatchObject({ event: 'password-change-required', status: 303, address });
    await nueva.get('/api/suppliers', from);
    expect(lastOf(test)).toMatchObject({ event: 'password-change-required', status: 403, address });
    await luis.get('/userprofile', from);
    expect(lastOf(test)).toMatchObject({ status: 200 });
    expect(lastOf(test)).not.toHaveProperty('event');
    expect(lastOf(test)).not.toHaveProperty('address');
  });

  it('too many wrong passwords during a change, and a server that is busy', async () => {
    const test = createTestApp({ db: fresh.db });
    const user = await addUser(fresh.db, { password: HASH });
    const ana = await test.as(user);
    const failed = { account: `#${user.id}`, address: '127.0.0.1', at: test.clock.now().toISOString() };
    const rows = Array.from({ length: 10 }, () => ({ ...failed, succeeded: 0 }));
    await fresh.db.insertInto('signin_attempts').values(rows).execute();
    await ana.put('/api/auth/changepsw', { currentpassword: PASSWORD, newpassword: 'tabique-y-cal-3' });
    expect(lastOf(test)).toMatchObject({ event: 'too-many', status: 429, address: '127.0.0.1' });
    // Two run, and twenty wait.
    const others = Array.from({ length: 22 }, () => hashPassword(PASSWORD));
    await test.visitor().post(SIGN_IN, { email: 'nadie', password: PASSWORD });
    expect(lastOf(test)).toMatchObject({ event: 'busy', status: 503, level: 'warn', address: '127.0.0.1' });
    await Promise.all(others);
  });

  it('a request whose client has gone, with the time it took', async () => {
    const test = createTestApp({ db: fresh.db });
    const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>();
    const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
    test.app.get('/login/espera', async (c) => {
      markRequested();
      await gone;
      return c.text('tarde');
    });
    const { port } = await listening(test.app.fetch);
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /login/espera HTTP/1.1\r\nHost: saldo.test\r\n\r\n'),
    );
    await requested;
    socket.destroy();
    await expect.poll(() => socket.closed).toBe(true);
    // The server notices the disconnect when it uses the connection again.
    await fetch(`http://127.0.0.1:${port}/healthz`);
    isGone();
    await expect
      .poll(() => linesOf(test).find(({ path }) => path === '/login/espera'))
      .toMatchObject({
        event: 'aborted',
        status: 200,
      });
  });

  it('slow requests', async () => {
    const test = createTestApp({ db: fresh.db });
    const { now } = performance;
    let skew = 0;
    test.app.get('/login/lento', (c) => {
      skew = SLOW_MS;
      return c.text('tarde');
    });
    performance.now = () => now.call(performance) + skew;
    await test.visitor().get('/login/lento');
    performance.now = now;
    expect(lastOf(test)).toMatchObject({ slow: true, route: '/login/lento' });
    await test.visitor().get('/login');
    expect(lastOf(test)).not.toHaveProperty('slow');
  });
});

describe('at a terminal a line', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(formatLogLine(line)) });

  it('begins with what was requested and how it ended', () => {
    log.info(
      {
        id: '1a2b3c4d',
        userId: 3,
        method: 'GET',
        route: '/invoices',
        path: '/invoices',
        status: 200,
        ms: 12.3,
      },
      'request',
    );
    expect(lines.pop()).toMatch(/^\d\d:\d\d:\d\d info GET \/invoices 200 12\.3 ms id=1a2b3c4d userId=3\n$/);
  });

  it('for an error ends with its stack, and what was sent cannot move the cursor', () => {
    log.error({ err: new Error('falla'), id: '1a2b3c4d', path: '/\u001b[2J\n' }, 'unexpected error');
    expect(lines.pop()).toMatch(
      /^\S+ error unexpected error id=1a2b3c4d path=\/\\u001b\[2J\\n\nError: falla\n {4}at /,
    );
  });
});

it('a server whose log nobody reads any more answers and stops as usual', async () => {
  const { folder, remove } = temporaryFolder();
  const server = await startServer({ DATABASE_URL: `file:${folder}/saldo.db` });
  try {
    server.process.stdout?.destroy();
    server.process.stderr?.destroy();
    for (let n = 0; n < 20; n++) expect((await fetch(`${server.url}/login`)).status).toBe(200);
    expect(await server.stop()).toMatchObject({ code: 0 });
  } finally {
    server.process.kill('SIGKILL');
    remove();
  }
});
