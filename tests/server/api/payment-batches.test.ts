import { expect, it } from 'vitest';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addFundingSource, addInvoice, addSupplier, TODAY } from '../../support/rows.ts';

const LIST = '/api/programaciones';

const lineOf = ({ facturaproveedorId, importe }: { facturaproveedorId: number; importe: number }) => ({
  facturaproveedorId,
  importe,
});

describeOneDatabase('the payment batches API', (fresh) => {
  it('prepares, signs and pays, each by who may', async () => {
    const app = createTestApp({ db: fresh.db });
    const [author, approver] = [await app.withToken(6), await app.withToken(2)];
    const origenderecursoId = await addFundingSource(fresh.db);
    const invoiceOf = async (suppliername: string) =>
      addInvoice(fresh.db, { supplierId: await addSupplier(fresh.db, { suppliername }) });
    const [first, second] = [await invoiceOf('Aceros'), await invoiceOf('Bloques')];
    const created = await author.post(`${LIST}/`, {
      fecha: TODAY,
      origenderecursoId,
      partidas: [{ facturaproveedorId: first }, { facturaproveedorId: second, importe: '$1,000.00' }],
    });
    expect(created.status).toBe(201);
    const batch = await created.json();
    expect(batch).toMatchObject({
      estado: 'borrador',
      facturas: 2,
      total: 2160,
      pagable: 2160,
      detenido: 0,
      autor: { username: author.user.username },
      partidas: [
        { facturaproveedorId: first, importe: 1160, veredicto: { paso: 'elegir', hallazgos: [{}] } },
        { facturaproveedorId: second, importe: 1000, pagada: false, permiso: null },
      ],
    });
    const at = `${LIST}/${batch.id}`;
    for (const step of ['autorizar', 'enviar', 'pagar'])
      expect((await author.post(`${at}/${step}`, {})).status).toBe(403);
    // Of a version that nobody says to have read there is no signature.
    for (const body of [undefined, {}, { version: '' }, { version: null }]) {
      const unread = await approver.post(`${at}/autorizar`, body);
      expect([unread.status, await unread.json()]).toMatchObject([
        422,
        { code: 'invalid', fields: { version: 'Falta la versión que se revisó.' } },
      ]);
    }
    const { version } = await (await author.put(at, { partidas: batch.partidas.map(lineOf) })).json();
    expect(version).toBe(batch.version);
    expect(await (await approver.post(`${at}/autorizar`, { version })).json()).toMatchObject({
      estado: 'autorizada',
      firmas: [{ username: approver.user.username, vigente: true }],
    });
    const both = await approver.post(`${at}/pagar`, { cheque: '1', referencia: 'x' });
    expect(both.status).toBe(422);
    const paid = await approver.post(`${at}/pagar`, { cheque: '007' });
    expect(await paid.json()).toMatchObject({ estado: 'pagada', parcial: false, pagado: 2160 });
    const payments = await (await approver.get('/api/payments')).json();
    expect(payments.map((one: { checknum: string }) => one.checknum)).toEqual(['007', '008']);
    const again = await approver.post(`${at}/pagar`, {});
    expect([again.status, (await again.json()).code]).toEqual([409, 'batch_state']);
    expect(await (await approver.post(`${at}/regresar`, {})).json()).toMatchObject({ estado: 'autorizada' });
    expect(await (await author.put(at, { comments: 'otra' })).json()).toMatchObject({ estado: 'borrador' });
    const list = await author.get(`${LIST}?estado=borrador&sortfield=fecha&sorttype=DESC`);
    expect([list.headers.get('x-total-count'), await list.json()]).toMatchObject(['1', [{ id: batch.id }]]);
    expect((await author.delete(at)).status).toBe(204);
    expect((await author.get(at)).status).toBe(404);
  });

  it('says what is wrong, and where', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(6);
    const origenderecursoId = await addFundingSource(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db);
    const post = async (partidas: object[], rest: object = {}) => {
      const answer = await api.post(`${LIST}/`, { fecha: TODAY, origenderecursoId, partidas, ...rest });
      return [answer.status, await answer.json()] as const;
    };
    expect(await post([])).toMatchObject([422, { fields: { partidas: expect.anything() } }]);
    expect(await post([{}])).toMatchObject([422, { fields: { partidas: 'Partida 1: falta la factura.' } }]);
    expect(await post([{ facturaproveedorId, importe: 0 }])).toMatchObject([422, { code: 'invalid' }]);
    expect(await post([{ facturaproveedorId, importe: 1160.01 }])).toMatchObject([
      422,
      { code: 'over_committed', facturaproveedorId },
    ]);
    expect(await post([{ facturaproveedorId }, { facturaproveedorId }])).toMatchObject([
      400,
      { code: 'malformed' },
    ]);
    expect(await post([{ facturaproveedorId }], { origenderecursoId: 99 })).toMatchObject([
      422,
      { fields: { origenderecursoId: 'No existe el origen de recurso 99.' } },
    ]);
    expect(await post([{ facturaproveedorId, otro: 1 }])).toMatchObject([400, { code: 'malformed' }]);
  });

  it('takes each step once for its key, and none over a newer version', async () => {
    const app = createTestApp({ db: fresh.db });
    const approver = await app.withToken(1);
    const { id, version } = await addBatch(fresh.db, { estado: 'autorizada' });
    const pay = (key: string) =>
      approver.send(`${LIST}/${id}/pagar`, {
        method: 'POST',
        body: JSON.stringify({ version }),
        headers: [
          ['content-type', 'application/json'],
          ['idempotency-key', key],
        ],
      });
    const answers = [await pay('una'), await pay('una')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await answers[1]!.json()).toEqual(await answers[0]!.json());
    const stale = await pay('otra');
    expect([stale.status, await stale.json()]).toMatchObject([
      409,
      { code: 'stale', current: { id, estado: 'pagada' } },
    ]);
  });
});
