import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialectOf } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { serveMetrics } from '../../server/http/metrics.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { createTestApp } from '../support/app.ts';
import { newDatabaseUrl } from '../support/databases.ts';
import { describeEachInLongLane, IS_LONG_LANE } from '../support/proofs.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addUser } from '../support/rows.ts';
import { startServer } from '../support/server.ts';
import { plant } from './planted.ts';

enableQuickHashes();

const PASSWORD = 'marca-contrasena-7';
const WRONG = 'marca-equivocada-8';
const SECRET = 'marca-secreto-0123456789-abcdefghijkl';
const DATABASE_PASSWORD = 'marca-base-de-datos';

/** Internals that no answer may contain. */
const INNER =
  /\bat \S+ \(|node_modules|\.tsx?\b|dist\/server|(?<!<)\bselect \w|insert into|no such table|relation "|SQLITE_|Failing row/i;

describeEachInLongLane('T53 · secrets', (fresh) => {
  it('are in no log line, and in no answer except the one that hands them out', async () => {
    const metrics = await serveMetrics(fresh.database, 0);
    onTestFinished(metrics.close);
    const test = createTestApp({
      db: fresh.db,
      metrics,
      config: { secret: SECRET, databaseUrl: `postgres://saldo:${DATABASE_PASSWORD}@localhost/saldo` },
    });
    const hash = await hashPassword(PASSWORD);
    const ana = await addUser(fresh.db, { username: 'ana', roles: [1, 3], password: hash });
    const other = await addUser(fresh.db, { username: 'luis', roles: [2], password: hash });
    const guest = test.visitor();
    const bodies: string[] = [];
    const secrets = new Set([PASSWORD, WRONG, SECRET, DATABASE_PASSWORD, hash, hash.split(':')[1]!]);
    const keep = async (answer: Response | Promise<Response>, handedOver: string[] = []) => {
      let body = await (await answer).text();
      for (const secret of handedOver) body = body.replaceAll(secret, '');
      bodies.push(body);
      return body;
    };
    const { accessToken } = await (
      await guest.post('/api/auth/signin', { email: ana.email, password: PASSWORD })
    ).json();
    secrets.add(accessToken);
    const [cookie = ''] = guest.cookies.values();
    secrets.add(decodeURIComponent(cookie)).add(cookie);
    await plant(fresh.db, await test.withToken(ana), ['Texto']);
    for (const login of [ana.email, 'nadie@x.mx']) {
      await keep(test.visitor().post('/api/auth/signin', { email: login, password: WRONG }));
      await keep(test.visitor().form('/login', { email: login, password: WRONG }));
    }
    // A secret in the wrong parameter must not be logged either.
    await keep(guest.get(`/invoices?token=${accessToken}&password=${PASSWORD}`));
    await keep(guest.get(`/nada/${accessToken}`));
    await keep(guest.get(`/nada/${encodeURIComponent(cookie)}/editar`));
    await keep(guest.get('/invoices', { headers: { referer: `http://saldo.test/?token=${accessToken}` } }));
    await keep(guest.post('/api/auth/signin', { email: PASSWORD, password: WRONG }));
    await keep(guest.form('/logout', {}, { headers: { origin: `http://${WRONG}.test` } }));
    await keep(guest.get(`/api/suppliers?suppliername=${PASSWORD}`));
    await keep(guest.post('/api/auth/signin', `{"password":"${PASSWORD}",`));
    await keep(guest.post('/api/auth/signin', { email: 'x', password: [PASSWORD] }));
    await keep(test.visitor().get('/api/test/user', { headers: { authorization: `Bearer ${WRONG}` } }));
    await keep(test.visitor().get('/api/test/user', { headers: { cookie: `saldo=${WRONG}.${SECRET}` } }));
    await keep(guest.put('/api/auth/changepsw', { currentpassword: WRONG, newpassword: PASSWORD }));
    await keep(
      guest.form('/userprofile', { currentpassword: WRONG, newpassword: PASSWORD, confirmpassword: WRONG }),
    );
    await keep(guest.put('/api/auth/resetpsw', { iduser: other.id, newpassword: PASSWORD }));
    await keep(guest.get('/api/test/user', { headers: { authorization: `Bearer ${accessToken}` } }), [
      accessToken,
    ]);
    const gets = test.app.routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
    for (const path of new Set(gets)) await keep(guest.get(path.replace(/:\w+(\{[^/]*\})?/g, '1')));
    bodies.push(await (await fetch(`http://127.0.0.1:${metrics.port}/metrics`)).text());
    const audit = await fresh.db.selectFrom('audit').selectAll().execute();
    bodies.push(JSON.stringify(audit));
    const events = test.loggedLines.map((line) => JSON.parse(line).event);
    expect(events).toEqual(
      expect.arrayContaining(['sign-in', 'sign-in-failed', 'foreign-origin', 'unauthenticated']),
    );
    for (const secret of secrets) {
      expect(test.loggedLines.filter((line) => line.includes(secret))).toEqual([]);
      expect(bodies.filter((body) => body.includes(secret)).map((body) => body.slice(0, 200))).toEqual([]);
    }
    console.info(
      `T53, ${dialectOf(fresh.db)}: ${secrets.size} secrets in none of ${bodies.length} answers and ${test.loggedLines.length} log lines`,
    );
  });

  it("are not in the database's message about a row that it refuses, and no answer has more than an id", async () => {
    const test = createTestApp({ db: fresh.db, config: { secret: SECRET } });
    const hash = await hashPassword(PASSWORD);
    const ana = await addUser(fresh.db, { username: 'ana', roles: [1, 3], password: hash });
    const admin = await test.as(ana);
    await plant(fresh.db, await test.withToken(ana), ['Texto']);
    await refuseNewSessions(fresh.db);
    const refused = await test.visitor().post('/api/auth/signin', { email: ana.email, password: PASSWORD });
    expect(refused.status).toBe(500);
    const answers = [await refused.text()];
    await sql`ALTER TABLE invoices RENAME TO gone`.execute(fresh.db);
    const paths = [
      '/invoices',
      '/',
      '/reporte-saldos',
      '/editinvoicepage/1',
      '/invoices/export.csv',
      '/invoices/export.pdf',
    ];
    for (const path of [
      ...paths,
      '/api/facturaproveedores',
      '/api/facturaproveedores/1',
      '/api/facturaproveedores/reporting/pivot',
    ]) {
      const answer = await admin.get(path);
      expect({ path, status: answer.status }).toEqual({ path, status: 500 });
      answers.push(await answer.text());
    }
    const form = { supplierId: 1, jobId: 1, subtotal: '100', tasa: '16' };
    answers.push(await (await admin.form('/new-invoice', form)).text());
    answers.push(
      await (await admin.post('/api/facturaproveedores/newfacturaproveedor', { ...form, tasa: 16 })).text(),
    );
    for (const answer of answers) {
      const [, id = 'no id'] = /\(id ([0-9a-f]{8})\)/.exec(answer) ?? [];
      const line = test.loggedLines.find((one) => one.includes(id));
      expect({ answer: answer.slice(0, 200), isLogged: line !== undefined }).toMatchObject({
        isLogged: true,
      });
      expect(JSON.parse(line!).err.stack).toContain('    at ');
      // The shell links to its own scripts.
      expect(answer.replace(/<script[^>]*>/g, '')).not.toMatch(INNER);
    }
    const tokens = await fresh.db.selectFrom('sessions').select('token').execute();
    for (const secret of [PASSWORD, SECRET, hash, 'Failing row', ...tokens.map(({ token }) => token)])
      expect(test.loggedLines.filter((line) => line.includes(secret))).toEqual([]);
    console.info(
      `T53, ${dialectOf(fresh.db)}: ${answers.length} answers 500, each with an id of the log and no more`,
    );
  });
});

describe.runIf(IS_LONG_LANE)('T53 · the server', () => {
  it('prints no secret, whatever it is asked and whatever its log level', async () => {
    const url = new URL(await newDatabaseUrl('postgres'));
    url.password = DATABASE_PASSWORD;
    const server = await startServer({
      DATABASE_URL: url.href,
      SALDO_SECRET: SECRET,
      SALDO_ADMIN_EMAIL: 'jefa@obra.test',
      SALDO_ADMIN_PASSWORD: PASSWORD,
      LOG_LEVEL: 'trace',
    });
    onTestFinished(() => server.stop().then(() => {}));
    const signIn = (password: string) =>
      fetch(`${server.url}/api/auth/signin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'jefa@obra.test', password }),
      });
    expect((await signIn(WRONG)).status).toBe(401);
    const { accessToken } = await (await signIn(PASSWORD)).json();
    const headers = { 'x-access-token': accessToken };
    for (const path of ['/invoices', '/api/suppliers?x=1', `/nada?${PASSWORD}`, '/api/test/user'])
      await fetch(server.url + path, { headers });
    await server.stop();
    const printed = server.output();
    expect(printed).toContain('request');
    for (const secret of [PASSWORD, WRONG, SECRET, DATABASE_PASSWORD, accessToken])
      expect(printed).not.toContain(secret);
  });

  const ADDRESSES = [
    `postgres://saldo:${DATABASE_PASSWORD}@127.0.0.1:1/saldo`,
    `postgres://saldo:${DATABASE_PASSWORD}@127.0.0.1:puerto/saldo`,
    `postgres://saldo:${DATABASE_PASSWORD}%ZZ@127.0.0.1:1/saldo`,
    `postgres://saldo:${DATABASE_PASSWORD}@[::1/saldo`,
    `mysql://saldo:${DATABASE_PASSWORD}@127.0.0.1/saldo`,
  ];

  it.each(ADDRESSES)('prints no password if it cannot open its database (%s)', async (url) => {
    const failed = await startServer({ DATABASE_URL: url, SALDO_SECRET: SECRET }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(failed).toContain('the server ended with 1');
    expect(failed).not.toContain(DATABASE_PASSWORD);
    expect(failed).not.toContain(SECRET);
  });
});

/** PostgreSQL's error message contains the whole row, with its token. */
async function refuseNewSessions(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres')
    await sql`ALTER TABLE sessions ADD CONSTRAINT none_more CHECK ("userAgent" = 'prueba')`.execute(db);
  else
    await sql`CREATE TRIGGER none_more BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'none more'); END`.execute(
      db,
    );
}
