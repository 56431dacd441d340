import { expect, it } from 'vitest';
import { addAccount, clabeOf } from '../../support/accounts.ts';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addActor, addInvoice } from '../../support/rows.ts';

describeOneDatabase('the API of files for the bank', (fresh) => {
  it('offers the layouts that fit, makes a file once, and hands it out once unless asked again', async () => {
    const app = createTestApp({ db: fresh.db });
    const approver = await app.withToken(2);
    const author = await addActor(fresh.db, { roles: [6], today: '2026-11-02' });
    const { supplierId } = await addAccount(fresh.db, { author, clabe: clabeOf('072', 5), titular: 'Ñañez' });
    const invoiceIds = [await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' })];
    const { id, version } = await addBatch(fresh.db, { estado: 'autorizada', invoiceIds });
    const at = `/api/programaciones/${id}`;
    const offered = { plantilla: 'csv', transferencias: 1, total: 1160 };
    expect(await (await approver.get(`${at}/plantillas`)).json()).toMatchObject([offered]);
    const send = (key: string) => {
      const headers: [string, string][] = [['content-type', 'application/json']];
      const body = JSON.stringify({ plantilla: 'csv', version });
      headers.push(['idempotency-key', key]);
      return approver.send(`${at}/archivos`, { method: 'POST', body, headers });
    };
    const [made, repeated, stale] = [await send('una'), await send('una'), await send('otra')];
    expect([made.status, repeated.status, stale.status]).toEqual([201, 201, 409]);
    const file = await made.json();
    expect(file).toMatchObject({ ...offered, vigente: true, avisos: [] });
    expect(await repeated.json()).toEqual(file);
    const download = (body?: object) => approver.post(`${at}/archivos/${file.id}/descargar`, body);
    const got = await download();
    expect(got.headers.get('content-disposition')).toContain(`programacion-${id}-csv.csv`);
    expect(await got.text()).toContain(',Ñañez,1160.00,');
    expect(await (await download()).json()).toMatchObject({ code: 'already_downloaded' });
    expect((await download({ otraVez: true })).status).toBe(200);
    const files = await (await approver.get(`${at}/archivos`)).json();
    expect(files).toMatchObject([{ id: file.id, vigente: true, descargas: [{}, {}] }]);
    expect(await (await approver.get(at)).json()).toMatchObject({ estado: 'enviada' });
  });
});
