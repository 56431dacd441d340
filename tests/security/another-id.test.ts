import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../db/transaction.ts';
import { attachFile } from '../../server/services/attachments.ts';
import { generateFileAndMarkSent } from '../../server/services/bank-files/files.ts';
import { createMovement } from '../../server/services/petty-cash/movements.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { pages } from '../../shared/urls.ts';
import { addAccount } from '../support/accounts.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import { addBatch } from '../support/batches.ts';
import { buildCfdi, bytesOf, uuidOfNumber } from '../support/cfdi.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { buildPdf } from '../support/files.ts';
import { addFund, createExpenseValues } from '../support/petty-cash.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import { enableQuickHashes } from '../support/quick-crypto.ts';
import { addActor, addInvoice, addSupplier, addUser } from '../support/rows.ts';
import { readRows } from '../support/stored.ts';
import { createUploadForm } from '../support/upload.ts';

enableQuickHashes();

const PASSWORD = 'ladrillo rojo 7';

/** Things that belong to one user, and the requests that read them. */
const OWN: Record<
  string,
  (ana: TestClient) => Promise<[method: 'GET' | 'POST', path: string, form?: object]>
> = {
  'a table that waits to be imported': async (ana) => ['GET', await tableOf(ana)],
  'the import of such a table': async (ana) => ['POST', await tableOf(ana)],
  'the rows that it refused': async (ana) => {
    const path = await tableOf(ana);
    return ['GET', path.replace(/\?.*/, '/rechazadas.csv?kind=suppliers')];
  },
  'documents that wait for a decision': async (ana) => ['GET', await loadOf(ana)],
  'the storing of such documents': async (ana) => ['POST', await loadOf(ana)],
  'what was not stored of them': async (ana) => ['GET', `${await loadOf(ana)}/sin-guardar.zip`],
};

async function tableOf(ana: TestClient): Promise<string> {
  const file = { name: 'proveedores.csv', text: 'Proveedor\nSecreto SA\n' };
  const sent = await ana.send(pages.imports, createUploadForm(file, { kind: 'suppliers' }));
  return sent.headers.get('location')!;
}

async function loadOf(ana: TestClient): Promise<string> {
  const xml = (n: number) => [`${n}.xml`, bytesOf(buildCfdi({ uuid: uuidOfNumber(n) }))] as const;
  const sent = await ana.files(pages.loadInvoice, { xml: [xml(1), xml(2)] });
  return new URL(sent.headers.get('location')!, 'http://saldo.test').pathname;
}

describeEachInLongLane('an upload that nobody has stored yet', (fresh) => {
  it.each(Object.keys(OWN))('is accessible to its user alone, whatever the role: %s', async (what) => {
    const app = createTestApp({ db: fresh.db });
    const ana = await app.as([1, 2, 3]);
    const [method, path] = await OWN[what]!(ana);
    const ask = (who: TestClient) => (method === 'GET' ? who.get(path) : who.form(path));
    const stored = async () => [
      await readRows(fresh.db, 'suppliers'),
      await readRows(fresh.db, 'invoices'),
      await readRows(fresh.db, 'uploads', {}, ['id']),
    ];
    const before = await stored();
    for (const roles of [[1, 2, 3], [3], [6]]) {
      const answer = await ask(await app.as(roles));
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toMatch(/Secreto|Escuela Kemper/);
    }
    expect(await stored()).toEqual(before);
    expect((await ask(ana)).status).not.toBe(404);
  });
});

describe('a part of a row', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is not found under the address of another row', async () => {
    const { db } = fresh;
    const client = await createTestApp({ db }).as([1, 2, 3]);
    const clerk = await addActor(db, { roles: [2] });
    const author = await addActor(db, { roles: [6], today: '2026-11-02' });
    const account = await addAccount(db, { author });
    const other = await addSupplier(db);
    const invoices = [await addInvoice(db, { supplierId: account.supplierId }), await addInvoice(db)];
    const fund = await addFund(db);
    const spend = async () => (await createMovement(db, clerk, fund.id, createExpenseValues())).movement.id;
    const movements = [await spend(), await spend()];
    const file = { filename: 'a.pdf', bytes: buildPdf() };
    const [ofInvoice, ofMovement] = await inTransaction(db, async (trx) => [
      await attachFile(trx, clerk, invoices[0]!, file),
      await attachFile(trx, clerk, { movementId: movements[0]! }, file),
    ]);
    const sent = await addBatch(db, { estado: 'autorizada', invoiceIds: [invoices[0]!] });
    const { file: made } = await generateFileAndMarkSent(db, clerk, sent.id, { layout: 'csv' });
    const foreign = await addBatch(db, { estado: 'autorizada' });
    const attachmentsAt = (owner: string, id: number) => `${owner}/adjuntos/${id}`;
    const invoice = (n: number) => pages.editInvoice(invoices[n]!);
    const movement = (n: number) => `/caja-chica/movimientos/${movements[n]}`;
    const places: [right: string, wrong: readonly string[]][] = [
      [
        attachmentsAt(invoice(0), ofInvoice!),
        [attachmentsAt(invoice(1), ofInvoice!), attachmentsAt(movement(0), ofInvoice!)],
      ],
      [
        attachmentsAt(movement(0), ofMovement!),
        [attachmentsAt(movement(1), ofMovement!), attachmentsAt(invoice(0), ofMovement!)],
      ],
    ];
    for (const [right, wrong] of places) {
      for (const path of wrong) {
        expect((await client.get(path)).status, path).toBe(404);
        expect((await client.form(`${path}/quitar`)).status, path).toBe(404);
      }
      expect((await client.get(right)).status, right).toBe(200);
    }
    const download = (id: number) => client.post(`/api/programaciones/${id}/archivos/${made.id}/descargar`);
    expect((await download(foreign.id)).status).toBe(404);
    const page = `/programaciones/${foreign.id}/archivos/${made.id}/descargar`;
    expect((await client.form(page)).status).toBe(404);
    expect((await download(sent.id)).status).toBe(200);
    const at = (supplierId: number) => `/api/suppliers/${supplierId}/cuentas/${account.id}`;
    expect((await client.put(at(other), { titular: 'Otro' })).status).toBe(404);
    expect((await client.delete(at(other))).status).toBe(404);
    const [line] = sent.lines;
    const permit = `/api/programaciones/${foreign.id}/partidas/${line!.invoiceId}/permitir`;
    expect((await client.post(permit, { motivo: 'x', version: foreign.version })).status).toBe(404);
    expect(await readRows(db, 'attachments')).toHaveLength(2);
    expect(await readRows(db, 'supplier_accounts', {}, ['titular'])).toEqual([{ titular: 'Aceros SA' }]);
  });

  it("is the user's own, whatever names and ids are sent: views, snoozed notices, sessions", async () => {
    const { db } = fresh;
    const app = createTestApp({ db });
    const roles = [1, 2, 3];
    const ana = await app.as(roles);
    const luis = await app.as(await addUser(db, { roles, password: await hashPassword(PASSWORD) }));
    const views = `${pages.invoices}/vistas`;
    await ana.form(`${views}?numfactura=secreta`, { nombre: 'La de Ana' });
    expect(await (await ana.get(views)).text()).toContain('La de Ana');
    expect(await (await luis.get(views)).text()).not.toContain('La de Ana');
    for (const form of [
      { vista: 'La de Ana', nombre: 'Mía' },
      { vista: 'La de Ana', quitar: '' },
    ])
      expect((await luis.form(views, form)).status).toBe(404);
    expect(await (await ana.get(views)).text()).toContain('La de Ana');
    const ids = await readRows(db, 'sessions', { userId: ana.user.id }, ['id']);
    for (const { id } of ids) await luis.form(`${pages.profile}/sesiones`, { id, currentpassword: PASSWORD });
    expect((await ana.get(pages.invoices)).status).toBe(200);
  });
});
