import { expect, it } from 'vitest';
import { addAccount, clabeOf } from '../../support/accounts.ts';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addActor, addInvoice } from '../../support/rows.ts';

describeOneDatabase('the API of files for the bank', (fresh) => {
  it('offers what serves, makes a file once, and hands it out once unless asked again', async () => {
    const app = createTestApp({ db: fresh.db });
    const [author, approver] = [await app.withToken(6), await app.withToken(2)];
    const long = { author: await addActor(fresh.db, { roles: [6], today: '2026-11-02' }) };
    const titular = 'Señor Ñañez, S.A.';
    const { supplierId } = await addAccount(fresh.db, { ...long, clabe: clabeOf('072', 5), titular });
    const invoiceIds = [await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' })];
    const { id, version } = await addBatch(fresh.db, { estado: 'autorizada', invoiceIds });
    const at = `/api/programaciones/${id}`;
    expect(await (await author.get(`${at}/plantillas`)).json()).toMatchObject([
      { plantilla: 'csv', transferencias: 1, total: 1160 },
    ]);
    expect((await author.post(`${at}/archivos`, { plantilla: 'csv' })).status).toBe(403);
    const send = (key: string) =>
      approver.send(`${at}/archivos`, {
        method: 'POST',
        body: JSON.stringify({ plantilla: 'csv', version }),
        headers: [
          ['content-type', 'application/json'],
          ['idempotency-key', key],
        ],
      });
    const [made, repeated, stale] = [await send('una'), await send('una'), await send('otra')];
    expect([made.status, repeated.status, stale.status]).toEqual([201, 201, 409]);
    const file = await made.json();
    expect(file).toMatchObject({
      plantilla: 'csv',
      transferencias: 1,
      total: 1160,
      vigente: true,
      avisos: [],
    });
    expect(await repeated.json()).toEqual(file);
    const download = (body?: object) => approver.post(`${at}/archivos/${file.id}/descargar`, body);
    const got = await download();
    expect([got.status, got.headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining(`programacion-${id}-csv.csv`),
    ]);
    expect(await got.text()).toContain(`"${titular}",1160.00,`);
    const second = await download();
    expect([second.status, (await second.json()).code]).toEqual([409, 'already_downloaded']);
    expect((await download({ otraVez: true })).status).toBe(200);
    expect(await (await approver.get(`${at}/archivos`)).json()).toMatchObject([
      { id: file.id, vigente: true, descargas: [{}, {}] },
    ]);
    expect(await (await approver.get(at)).json()).toMatchObject({ estado: 'enviada' });
    const nowhere = await approver.post(`${at}/archivos`, { plantilla: 'bbva-spei' });
    expect([nowhere.status, (await nowhere.json()).code]).toEqual([409, 'nothing_to_send']);
  });
});
