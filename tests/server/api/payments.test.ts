import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice } from '../../support/rows.ts';

const NEW = '/api/payments/newpayment';

describeOneDatabase('the payments API', (fresh) => {
  it('restores a deleted payment under its id, once for its key', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const { id } = await (await api.post(NEW, { facturaproveedorId, paymentamount: 20.5 })).json();
    expect((await api.delete(`/api/payments/${id}/`)).status).toBe(204);
    const again = { headers: { 'idempotency-key': 'deshacer-1' } };
    const restore = (options = {}) => api.post(`/api/payments/${id}/restore`, {}, options);
    const [first, second] = [await restore(again), await restore(again)];
    expect([first.status, second.status, (await restore()).status]).toEqual([200, 200, 409]);
    expect(await first.json()).toMatchObject({ id, paymentamount: 20.5 });
  });

  it('understands the search of the old screen, with three values in the wrong places', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    for (const [checknum, paymentdate] of [
      ['CH-1', '2026-11-03'],
      ['CH-2', '2026-11-01'],
      ['X', '2026-11-02'],
    ]) {
      await api.post(NEW, { facturaproveedorId, paymentamount: 1, checknum, paymentdate });
    }
    const numbers = async (query: string) =>
      (await (await api.get(`/api/payments/search/?${query}`)).json()).map(
        (one: { checknum: string }) => one.checknum,
      );
    expect(await numbers('userId=ch&facturaproveedorId=fechavencimiento&checknum=ASC')).toEqual([
      'CH-2',
      'CH-1',
    ]);
    expect(await numbers('userId=&facturaproveedorId=id&checknum=DESC')).toEqual(['X', 'CH-2', 'CH-1']);
    expect(await numbers(`checknum=x&facturaproveedorId=${facturaproveedorId}`)).toEqual(['X']);
    expect(await numbers('sortfield=paymentdate&sorttype=desc')).toEqual(['CH-1', 'X', 'CH-2']);
  });
});
