import { afterAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { createApp } from '../../server/app.ts';
import type { Deps } from '../../server/http/session.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { createTestApp } from '../support/app.ts';
import { CURRENT_PASSWORD, changes } from '../support/changes.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/folder.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { listDifferencesFromTrail } from '../support/replay.ts';
import { addInvoice, addUser, createActor } from '../support/rows.ts';
import { auditAllRows } from '../support/vouching.ts';

enableQuickHashes();

/**
 * Routes without audit entries: sessions have their own log, an upload or a screen preference changes no data of the
 * firm, and reading an XML into a form stores nothing.
 */
const UNRECORDED =
  /^POST (\/login|\/login\/codigo|\/logout|\/userprofile\/(sesiones|filas|tema)|\/api\/auth\/sign(in|out)|\/importar|\/empezar\/ocultar|\/new-invoice\/xml|\/(invoices|pagos-proveedores)\/vistas|\/notificaciones\/posponer|\/admin-settings\/respaldos\/:id|\/caja-chica\/(movimientos\/)?:id\/leer-xml)$/;

/**
 * These routes write an entry for the batch or request, and one for each payment or movement; the first obra comes with
 * its client, and a handover with its count.
 */
const LEAVES_TWO =
  /(\/empezar\/obra|\/(cajachica|caja-chica)\/:id\/entregar|\/programaciones\/:id\/pagar|\/reposiciones\/:id\/(autorizar|deshacer))$/;

const routes = new Set(
  createApp({ config: {} } as Deps)
    .routes.filter(({ method }) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method))
    .map(({ method, path }) => `${method} ${path.replace(/:\w+(\{[^/]*\})?/g, ':id')}`)
    .filter((route) => !UNRECORDED.test(route)),
);

const { folder, remove } = temporaryFolder();
afterAll(remove);

describe('the audit trail', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([...routes])('T40 · gets exactly one entry from %s, with what is stored', async (route) => {
    const { db } = fresh;
    const user = await addUser(db, { roles: [1, 3], password: await passwordFor(route) });
    const client = await createTestApp({ db, config: { dataFolder: folder } }).as(user);
    const make = changes[route];
    if (!make) throw new Error(`${route} is new: say in changes.ts how a change through it is made`);
    const send = await make(db);
    await auditAllRows(db, createActor());
    const before = await lastEntry(db);
    const { status } = await send(client);
    expect(status).toBeLessThan(400);
    const entries = await db
      .selectFrom('audit')
      .select(['userId', 'username', 'origin'])
      .where('id', '>', before)
      .execute();
    const origin = route.includes(' /api/') ? 'api' : 'page';
    const entry = { userId: user.id, username: user.username, origin };
    // A returned movement: entries for its payment, its batch and its statement.
    const count = route.endsWith('/movimientos/:id/devolver') ? 3 : LEAVES_TWO.test(route) ? 2 : 1;
    expect(entries).toEqual(Array(count).fill(entry));
    expect(await listDifferencesFromTrail(db)).toEqual([]);
  });

  it('T40 · gets no entry from a change that is refused', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as([1, 3]);
    const invoice = await addInvoice(db);
    for (const refused of [
      await client.post('/api/facturaproveedores/newfacturaproveedor', { supplierId: 1 }),
      await client.put(`/api/facturaproveedores/${invoice}`, { subtotal: 5, version: 9 }),
      await client.post('/api/payments/newpayment', { facturaproveedorId: invoice, paymentamount: 9e9 }),
      await client.delete('/api/suppliers/1'),
      await client.form('/new-supplier', { suppliername: '' }),
    ])
      expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(await lastEntry(db)).toBe(0);
  });
});

const passwordFor = async (route: string) =>
  /changepsw|POST \/userprofile/.test(route) ? hashPassword(CURRENT_PASSWORD) : undefined;

async function lastEntry(db: Db): Promise<number> {
  return (await db.selectFrom('audit_tail').select('lastId').executeTakeFirstOrThrow()).lastId;
}
