import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addJob, addRubro, addSupplier } from '../../support/rows.ts';

const API = '/api/facturaproveedores';

describeOneDatabase('the invoices API', (fresh) => {
  const client = async () => createTestApp({ db: fresh.db }).withToken(4);
  const references = async () => ({
    supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'AAA010101AAA' }),
    jobId: await addJob(fresh.db, { jobtitle: 'Torre' }),
    rubroId: await addRubro(fresh.db, { nombrerubro: 'Acero' }),
  });

  it('accepts the rate of a document with several rates as it was read', async () => {
    const api = await client();
    const uuid = 'AAAAAAAA-1111-4222-8333-000000000001';
    const [mixed, plain] = [await addInvoice(fresh.db, { uuid, tasa: null }), await addInvoice(fresh.db)];
    const put = async (id: number) => (await api.put(`${API}/${id}`, { tasa: null, comments: 'x' })).status;
    expect([await put(mixed), await put(plain)]).toEqual([200, 422]);
  });

  it('answers the day on which an invoice without a due date is due, and finds it by that day', async () => {
    const api = await client();
    const { supplierId, jobId } = await references();
    const sent = {
      supplierId,
      jobId,
      subtotal: 100,
      fechaemision: '2026-11-01',
      fecharecepcion: '2026-11-05',
    };
    const { id } = await (await api.post(`${API}/newfacturaproveedor`, sent)).json();
    const dueNow = async () => {
      const { vence, vencimientoEstimado, vencimientoTexto, status } = await (
        await api.get(`${API}/${id}`)
      ).json();
      return [vence, vencimientoEstimado, vencimientoTexto, status];
    };
    const found = async (query: string) =>
      (await (await api.get(`${API}/search/?${query}`)).json()).map((row: { id: number }) => row.id);
    expect(await dueNow()).toEqual(['2026-11-05', true, 'Vencida hace 15 días (estimado)', 'vencida']);
    expect((await api.put(`/api/suppliers/${supplierId}`, { diascredito: 16 })).status).toBe(200);
    expect(await dueNow()).toEqual(['2026-11-21', true, 'Vence mañana (estimado)', 'pendiente']);
    expect(await found('venceDesde=2026-11-21&venceHasta=2026-11-21&status=por-pagar')).toEqual([id]);
    expect(await found('status=sin-vencimiento')).toEqual([id]);
    expect(await found('venceDesde=2026-11-22')).toEqual([]);
    expect(await found('fechavencimientoDesde=2026-11-01')).toEqual([]);
    expect((await api.put(`${API}/${id}`, { fechavencimiento: '2026-11-20' })).status).toBe(200);
    expect(await dueNow()).toEqual(['2026-11-20', false, 'Vence hoy', 'pendiente']);
    expect(await found('status=sin-vencimiento')).toEqual([]);
  });

  it('treats empty, undefined and null parameters as absent', async () => {
    const api = await client();
    await addInvoice(fresh.db, {});
    expect(await (await api.get(`${API}?id=undefined`)).json()).toHaveLength(1);
    expect((await api.get(`${API}?id=1&id=2`)).status).toBe(400);
    expect((await api.get(`${API}?id=1&color=red`)).status).toBe(400);
    const query = 'numfactura=&supplierId=undefined&jobId=null&invoiceId=&sortfield=id&sorttype=ASC';
    expect(await (await api.get(`${API}/search?${query}`)).json()).toHaveLength(1);
  });
});
