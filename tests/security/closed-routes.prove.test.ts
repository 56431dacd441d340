import { afterAll, describe, expect, it } from 'vitest';
import type { Db } from '../../db/schema.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { CURRENT_PASSWORD, changes } from '../support/changes.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { readDatedRows, setClosingDate } from '../support/dated-rows.ts';
import { temporaryFolder } from '../support/folder.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addUser } from '../support/rows.ts';
import { readLastRow } from '../support/stored.ts';

enableQuickHashes();

const { folder, remove } = temporaryFolder();
afterAll(remove);

const MOTIVO = 'Llegó tarde la nota';

/** Imports, which nobody may override; each reports every refused row. */
const IMPORTS = ['POST /new-invoice/xml/:id', 'POST /importar/:id'];

/** Routes whose change has a date. A fund's attachments, requests and counts move no money. */
const DATED =
  /\/(facturaproveedores|newfacturaproveedor|new-invoice|payments(?!\/(dobles|:id\/aviso)\b)|new-payment|editinvoicepage\/:id(\/(desligar|eliminar|deshacer))?$|editpaymentpage(?!\/:id\/aviso\b)|pagos-proveedores|saldo-a-favor|nota-de-credito|caja-chica(?!.*\/(adjuntos|reposicion|retirar|arqueo|cerrar|entregar)\b))/;

/** These always have a reason, so an administrator passes. */
const REASONED = /\/arqueos\/:id\/ajustar$|\/movimientos\/:id\/devolver$/;

/** Sends a reason with every change. */
function withReason(client: TestClient): TestClient {
  const overrides: Pick<TestClient, 'form' | 'post' | 'put' | 'delete'> = {
    form: (path, fields, init) => client.form(path, { ...fields, motivo: MOTIVO }, init),
    post: (path, body, init) => client.post(path, { ...(body as object), motivo: MOTIVO }, init),
    put: (path, body, init) => client.put(path, { ...(body as object), motivo: MOTIVO }, init),
    delete: (path, init) =>
      client.delete(`${path}${path.includes('?') ? '&' : '?'}motivo=${encodeURIComponent(MOTIVO)}`, init),
  };
  return Object.assign(Object.create(client) as TestClient, overrides);
}

// Every changing route is listed here; a new one fails the test until it is added.
describe('while every period is closed', () => {
  const fresh = useFreshDatabase('sqlite');

  /** Prepares a change while all is open, then closes everything. */
  async function prepare(route: string, roles: number[]) {
    const { db } = fresh;
    const user = await addUser(db, { roles, password: await hashPassword(CURRENT_PASSWORD) });
    const client = await createTestApp({ db, config: { dataFolder: folder } }).as(user);
    const send = await changes[route]!(db);
    const before = await readDatedRows(db);
    await setClosingDate(db, '2099-12-31');
    return { client, send, before };
  }

  // The monthly close moves the closing date itself.
  it.each(Object.keys(changes).filter((route) => !route.includes(' /cierre') && !REASONED.test(route)))(
    '%s changes nothing that has a date, or is refused until the period is opened',
    async (route) => {
      const { client, send, before } = await prepare(route, [1, 3]);
      const { status } = await send(client);
      expect(await readDatedRows(fresh.db)).toEqual(before);
      if (status < 400) return;
      expect(status).toBe(409);
      await setClosingDate(fresh.db, '');
      expect((await send(client)).status).toBeLessThan(400);
      if (DATED.test(route)) expect(await readDatedRows(fresh.db)).not.toEqual(before);
    },
  );

  it.each(Object.keys(changes).filter((route) => REASONED.test(route)))(
    '%s is accepted from an administrator alone, with the reason that it has anyway',
    async (route) => {
      const { client, send, before } = await prepare(route, [1, 3]);
      const other = await createTestApp({ db: fresh.db }).as([1, 2]);
      expect([403, 409]).toContain((await send(other)).status);
      expect(await readDatedRows(fresh.db)).toEqual(before);
      expect((await send(client)).status).toBeLessThan(400);
      expect(await readDatedRows(fresh.db)).not.toEqual(before);
    },
  );

  const dated = Object.keys(changes).filter((route) => DATED.test(route) && !IMPORTS.includes(route));

  it.each(dated)('%s accepts a reason from an administrator alone, and records it', async (route) => {
    const { client, send, before } = await prepare(route, [1, 3]);
    const other = await createTestApp({ db: fresh.db }).as([1, 2]);
    const isAdministrators = (await send(withReason(other))).status === 403;
    if (!isAdministrators) expect((await send(withReason(other))).status).toBe(409);
    expect(await readDatedRows(fresh.db)).toEqual(before);
    const response = await send(withReason(client));
    expect([response.status < 400, response.ok ? '' : await response.text()]).toEqual([true, '']);
    expect(await readDatedRows(fresh.db)).not.toEqual(before);
    expect(await lastReason(fresh.db)).toBe(MOTIVO);
  });
});

async function lastReason(db: Db): Promise<unknown> {
  const { after } = await readLastRow(db, 'audit', {}, ['after']);
  return (JSON.parse(after ?? '{}') as { motivo?: unknown }).motivo;
}
