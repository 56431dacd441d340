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
