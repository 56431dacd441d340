import { expect, it } from 'vitest';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addFundingSource, addInvoice, TODAY } from '../../support/rows.ts';

const LIST = '/api/programaciones';

describeOneDatabase('the payment batches API', (fresh) => {
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

  it('prepares, signs and pays, each by whoever may, and of the version that was read', async () => {
    const app = createTestApp({ db: fresh.db });
    const [author, approver] = [await app.withToken(6), await app.withToken(2)];
    const origenderecursoId = await addFundingSource(fresh.db);
    const [first, second] = [await addInvoice(fresh.db), await addInvoice(fresh.db)];
    const partidas = [{ facturaproveedorId: first }, { facturaproveedorId: second, importe: '$1,000.00' }];
    const created = await author.post(`${LIST}/`, { fecha: TODAY, origenderecursoId, partidas });
    expect(created.status).toBe(201);
    const { id, version, ...batch } = await created.json();
    const figures = { estado: 'borrador', facturas: 2, total: 2160, pagable: 2160, detenido: 0 };
    expect(batch).toMatchObject({ ...figures, autor: { username: author.user.username } });
    expect(batch.partidas).toMatchObject([
      { facturaproveedorId: first, importe: 1160, veredicto: { paso: 'elegir', hallazgos: [{}] } },
      { facturaproveedorId: second, importe: 1000, pagada: false, permiso: null },
    ]);
    const at = `${LIST}/${id}`;
    const step = async (name: string, body?: object) => (await approver.post(`${at}/${name}`, body)).json();
    for (const name of ['autorizar', 'enviar', 'pagar'])
      expect((await author.post(`${at}/${name}`, {})).status).toBe(403);
    for (const body of [undefined, {}, { version: '' }, { version: null }])
      expect(await step('autorizar', body)).toMatchObject({
        fields: { version: 'Falta la versión que se revisó.' },
      });
    const firmas = [{ username: approver.user.username, vigente: true }];
    expect(await step('autorizar', { version })).toMatchObject({ estado: 'autorizada', firmas });
    expect(await step('pagar', { cheque: '1', referencia: 'x' })).toMatchObject({ code: 'invalid' });
    expect(await step('pagar', { cheque: '007' })).toMatchObject({ estado: 'pagada', pagado: 2160 });
    const payments: { checknum: string }[] = await (await approver.get('/api/payments')).json();
    expect(payments.map(({ checknum }) => checknum)).toEqual(['007', '008']);
    expect(await step('pagar', {})).toMatchObject({ code: 'batch_state' });
    expect(await step('regresar', {})).toMatchObject({ estado: 'autorizada' });
    expect(await (await author.put(at, { comments: 'otra' })).json()).toMatchObject({ estado: 'borrador' });
    const list = await author.get(`${LIST}?estado=borrador&sortfield=fecha&sorttype=DESC`);
    expect([list.headers.get('x-total-count'), await list.json()]).toMatchObject(['1', [{ id }]]);
    expect((await author.delete(at)).status).toBe(204);
    expect((await author.get(at)).status).toBe(404);
  });

  it('carries out each step once for its key, and none on an outdated version', async () => {
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
