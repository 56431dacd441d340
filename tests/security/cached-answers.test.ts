import { describe, expect, it } from 'vitest';
import { readDataVersion } from '../../db/open.ts';
import { denseRowsPreference } from '../../server/services/preferences/list-views.ts';
import { setPreference } from '../../server/services/preferences/preferences.ts';
import { changeSetting } from '../../server/services/settings/settings.ts';
import { updateUser } from '../../server/services/users/users.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { openFreshDatabase, useFreshDatabase } from '../support/databases.ts';
import { OWN_RFC } from '../support/metadata.ts';
import { chooseRunCount, describeEachInLongLane } from '../support/proofs.ts';
import {
  addActor,
  addInvoice,
  addPayment,
  addUser,
  createActor,
  NOW,
  type StoredUser,
} from '../support/rows.ts';
import { addSmallCompany } from '../support/small-company.ts';
import { CACHED, UNCACHED_ROUTES, whoMay } from './access-table.ts';
import { routesOf } from './routes.ts';

const PATHS = [
  '/invoices',
  '/estado-cuenta/1',
  '/api/suppliers/1/statement',
  '/pagos-proveedores',
  '/',
  '/suppliers',
  '/editinvoicepage/1',
  '/notificaciones/campana',
  '/api/facturaproveedores',
  '/api/payments',
  '/api/audit',
];

describeEachInLongLane('a cached answer', (fresh) => {
  it('is given to nobody else, nor after role, language, choice, day, rows, server or database have changed', async () => {
    const { db } = fresh;
    const roles = [1, 2, 3];
    const [ana, luis] = [
      await addUser(db, { username: 'ana', roles }),
      await addUser(db, { username: 'luis', roles }),
    ];
    const facturaproveedorId = await addInvoice(db, { numfactura: 'SECRETA-1' });
    await addPayment(db, { facturaproveedorId, amountCents: 1, userId: ana.id });
    const administrator = await addActor(db);
    // Another database, in which the same user id has other rows.
    const elsewhere = await openFreshDatabase(fresh.dialect);
    try {
      await addUser(elsewhere.db, { username: 'ana', roles });
      await addInvoice(elsewhere.db, { numfactura: 'DE-OTRA-FIRMA' });
      const servers = [db, fresh.database.openAgain().db, elsewhere.db].map((at) =>
        createTestApp({ db: at }),
      );
      const tags = new Map<string, Set<string>>(PATHS.map((path) => [path, new Set()]));
      /** Every client requests every server with all ETags, and compares with a fresh answer. */
      const askAll = async (when: string) => {
        for (const [at, server] of servers.entries()) {
          const own = [db, db, elsewhere.db][at]!;
          const now = server.clock.now();
          for (const user of at === 2 ? [ana] : [ana, luis]) {
            const anew = await createTestApp({ db: own, now }).as(user);
            const asker = await server.as(user);
            for (const path of PATHS.slice(0, chooseRunCount(3, PATHS.length)))
              await expectSameAnswer(
                { asker, anew, tags: tags.get(path)! },
                path,
                `${when}: ${user.username} at ${at}`,
              );
          }
        }
      };
      await askAll('at first');
      await askAll('once more');
      const changes: [what: string, change: () => Promise<unknown>][] = [
        ['a role less', () => rolesOf(administrator, ana, [2])],
        ['the role again', () => rolesOf(administrator, ana, roles)],
        ['another language', () => changeSetting(db, createActor(), 'idioma', 'es')],
        ['another choice of hers', () => setPreference(db, ana.id, denseRowsPreference, true)],
        ['another row', () => addInvoice(db, { numfactura: 'NUEVA-1' })],
        [
          'another day',
          async () => {
            for (const { clock } of servers) clock.advance({ minutes: 24 * 60 });
          },
        ],
      ];
      for (const [what, change] of changes) {
        await change();
        await askAll(what);
      }
      expect(new Date(servers[0]!.clock.now()).toISOString() > NOW).toBe(true);
    } finally {
      await elsewhere.close();
    }
  });

  const rolesOf = (by: Awaited<ReturnType<typeof addActor>>, { id }: StoredUser, roles: number[]) =>
    updateUser(fresh.db, by, id, { roles });
});

/** A 304 is right only if the client would get the same bytes now. */
async function expectSameAnswer(
  { asker, anew, tags }: { asker: TestClient; anew: TestClient; tags: Set<string> },
  path: string,
  when: string,
): Promise<void> {
  const [kept, made] = [await asker.get(path), await anew.get(path)];
  expect(kept.status, `${path} ${when}`).toBe(made.status);
  expect(await kept.text(), `${path} ${when}`).toBe(await made.text());
  const own = kept.headers.get('etag');
  const foreign = [...tags].filter((tag) => tag !== own).join(', ');
  if (own) tags.add(own);
  if (foreign && kept.status === 200)
    expect((await asker.get(path, { headers: { 'if-none-match': foreign } })).status, `${path} ${when}`).toBe(
      200,
    );
}

/** Values for parameters that are names. */
const NAMES: Record<string, string> = {
  '/help/:topic': '/help/facturas',
  '/admin-settings/:subject': '/admin-settings/pagos',
};

/** Routes without rows in the small company, and those that need a parameter. */
const NOT_SHOWN =
  /estados-de-cuenta\/(movimientos\/)?:id(\/propuestas)?$|\/pagos-dobles\/:pair$|\/plantillas\/:code$|^\/api\/(facturaproveedores\/usual|payments\/pendingpayment)$/;

describe('an answer to GET', () => {
  const fresh = useFreshDatabase('sqlite');
  const readable = () =>
    routesOf(createTestApp({ db: fresh.db })).filter(
      (route) => route.method === 'GET' && whoMay(route) !== 'public',
    );

  it('is cached or made anew, by a list that names each route once', () => {
    const patterns = readable().map(({ pattern }) => pattern);
    expect([...CACHED, ...UNCACHED_ROUTES].sort()).toEqual(patterns.sort());
  });

  it('that is cached writes nothing, is the same if made anew, and is said to be unchanged to its user alone', async () => {
    const { db } = fresh;
    await addSmallCompany(db);
    await changeSetting(db, createActor(), 'rfc', OWN_RFC);
    const app = createTestApp({ db });
    const [ana, luis] = [await app.as([1, 2, 3]), await app.as([1, 2, 3])];
    for (const { path, pattern } of readable().filter((route) => CACHED.includes(route.pattern))) {
      const address = NAMES[pattern] ?? path;
      const version = await readDataVersion(db);
      const answer = await ana.get(address);
      const text = await answer.text();
      expect([pattern, answer.status === 200]).toEqual([pattern, !NOT_SHOWN.test(pattern)]);
      if (answer.status !== 200) continue;
      expect(text, pattern).not.toContain('idempotencyKey');
      const anew = createTestApp({ db });
      const again = await anew.request(address, { headers: { cookie: `saldo=${ana.cookies.get('saldo')}` } });
      expect(await again.text(), pattern).toBe(text);
      expect([pattern, await readDataVersion(db)]).toEqual([pattern, version]);
      const headers = { 'if-none-match': answer.headers.get('etag') ?? '' };
      expect([pattern, (await ana.get(address, { headers })).status]).toEqual([pattern, 304]);
      expect([pattern, (await luis.get(address, { headers })).status]).toEqual([pattern, 200]);
    }
  });

  it('that is made anew is never said to be unchanged', async () => {
    await addSmallCompany(fresh.db);
    const ana = await createTestApp({ db: fresh.db }).as([1, 2, 3]);
    const isFile = (path: string) => /\/export\./.test(path) && path !== '/rubros/export.csv';
    const routes = readable().filter(
      ({ path, pattern }) => UNCACHED_ROUTES.includes(pattern) && !isFile(path),
    );
    const paths = routes.map(({ path }) => path);
    for (const path of [
      ...paths,
      '/admin-settings/respaldos',
      '/bitacora?comprobar=1',
      '/api/rubros?format=csv',
    ])
      expect([path, (await ana.get(path)).headers.get('etag')]).toEqual([path, null]);
    expect(paths.length).toBeGreaterThan(30);
  });
});
