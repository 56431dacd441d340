import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addRubro, addSupplier, addUser } from '../../support/rows.ts';

const API = '/api/facturaproveedores';

describeOneDatabase('the invoices API', (fresh) => {
  const client = async () => createTestApp({ db: fresh.db }).withToken(4);
  const references = async () => ({
    supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'AAA010101AAA' }),
    jobId: await addJob(fresh.db, { jobtitle: 'Torre' }),
    rubroId: await addRubro(fresh.db, { nombrerubro: 'Acero' }),
  });

  it('stores an invoice and answers it with its nested names', async () => {
    const api = await client();
    const sent = {
      ...(await references()),
      numfactura: 'A-1',
      subtotal: 1000.5,
      tasa: 16,
      fechavencimiento: '2026-11-25',
    };
    const response = await api.post(`${API}/newfacturaproveedor`, sent);
    expect(response.status).toBe(201);
    const invoice = await response.json();
    expect(invoice).toMatchObject({
      ...sent,
      iva: 160.08,
      total: 1160.58,
      totalamountpaid: 0,
      status: 'pendiente',
      vence: '2026-11-25',
      vencimientoEstimado: false,
      vencimientoTexto: 'Vence en 5 días (SEM 48)',
      supplier: { suppliername: 'Aceros', rfc: 'AAA010101AAA' },
      job: { jobtitle: 'Torre' },
      rubro: { nombrerubro: 'Acero' },
      payment: [],
      warnings: [],
    });
    for (const path of [`${API}/${invoice.id}`, `${API}/${invoice.id}/`, `${API}?id=${invoice.id}`]) {
      expect(await (await api.get(path)).json()).toMatchObject({ id: invoice.id, total: 1160.58 });
    }
  });

  it.each([
    [{ subtotal: 'mil' }, 400, 'Subtotal: no es una cantidad.'],
    [{ subtotal: 1.005 }, 422, 'Subtotal: a lo más dos decimales.'],
    [{ subtotal: '1e3' }, 400, 'Subtotal: no es una cantidad.'],
    [{ subtotal: true }, 400, 'Subtotal: no es una cantidad.'],
    [{ subtotal: 99_999_999_999 }, 422, 'Subtotal: no puede pasar de $9,999,999,999.99.'],
    [{ tasa: 101 }, 422, 'Tasa: debe estar entre 0 y 100.'],
    [{ fechaemision: '31/12/2026' }, 400, 'Fecha de emisión: no es una fecha (AAAA-MM-DD).'],
    [{ fechaemision: '2026-02-30' }, 400, 'Fecha de emisión: no es una fecha (AAAA-MM-DD).'],
    [{ supplierId: null }, 422, 'Ingrese proveedor, obra y subtotal.'],
    [{ supplierId: [1] }, 400, 'Proveedor: no es un número de registro.'],
    [{ supplierId: 999 }, 422, 'No existe el proveedor 999.'],
    [{ total: 1 }, 422, 'El total debe ser 1160.00.'],
    [{ totalamountpaid: 5 }, 400, 'No existe el campo «totalamountpaid».'],
    [{ id: 5 }, 400, 'No existe el campo «id».'],
  ])('refuses %o with %i', async (wrong, status, message) => {
    const api = await client();
    const response = await api.post(`${API}/newfacturaproveedor`, {
      ...(await references()),
      subtotal: 1000,
      ...wrong,
    });
    expect({ status: response.status, message: (await response.json()).message }).toEqual({
      status,
      message,
    });
    expect((await api.get(API)).headers.get('x-total-count')).toBe('0');
  });

  it('names the existing invoice when the number is taken', async () => {
    const api = await client();
    const sent = { ...(await references()), numfactura: 'A-1', subtotal: 10 };
    const { id } = await (await api.post(`${API}/newfacturaproveedor`, sent)).json();
    const again = await api.post(`${API}/newfacturaproveedor`, sent);
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({
      message: 'Ya existe la factura A-1 de Aceros.',
      code: 'duplicate_invoice',
      existingId: id,
    });
    expect((await api.post(`${API}/newfacturaproveedor`, { ...sent, allowDuplicate: true })).status).toBe(
      201,
    );
  });

  it('takes the old client’s PUT without tasa, and its computed amounts', async () => {
    const api = await client();
    const id = await addInvoice(fresh.db, {});
    const response = await api.put(`${API}/${id}`, {
      subtotal: 2000,
      iva: 320,
      total: 2320,
      numfactura: 'B',
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ tasa: 16, total: 2320, numfactura: 'B', version: 2 });
    const stale = await api.put(`${API}/${id}`, { version: 1, comments: 'x' });
    expect(stale.status).toBe(409);
    expect(await stale.json()).toMatchObject({ code: 'stale', current: { total: 2320, version: 2 } });
    expect((await api.put(`${API}/${id}`, { totalamountpaid: 0, comments: 'x' })).status).toBe(200);
    expect((await api.put(`${API}/${id}`, { totalamountpaid: 5 })).status).toBe(400);
    expect((await api.put(`${API}/${id}`, { id: id + 1, comments: 'x' })).status).toBe(400);
  });

  it('refuses an amount that a change leaves empty, and changes nothing', async () => {
    const api = await client();
    const id = await addInvoice(fresh.db, {});
    const required = 'Ingrese proveedor, obra y subtotal.';
    for (const empty of [null, '', '  ']) {
      const refused = await api.put(`${API}/${id}`, { subtotal: empty, comments: 'x' });
      expect([refused.status, await refused.json()]).toMatchObject([
        422,
        { message: required, fields: { subtotal: required } },
      ]);
      for (const name of ['iva', 'otrosimpuestos', 'retenciones', 'total', 'totalamountpaid', 'tasa']) {
        const { status } = await api.put(`${API}/${id}`, { [name]: empty });
        expect({ name, empty, status }).toEqual({ name, empty, status: 422 });
      }
    }
    for (const huge of [1e20, 1e21, 1e-7]) {
      const { status } = await api.put(`${API}/${id}`, { subtotal: huge });
      expect({ huge, status }).toEqual({ huge, status: 422 });
    }
    expect(await (await api.get(`${API}/${id}`)).json()).toMatchObject({ version: 1, comments: '' });
    expect(await fresh.db.selectFrom('audit').select('id').where('action', '=', 'update').execute()).toEqual(
      [],
    );
    // What was read of a document with several rates may come back as it was read.
    const uuid = 'AAAAAAAA-1111-4222-8333-000000000001';
    const mixed = await addInvoice(fresh.db, { uuid, tasa: null });
    expect((await api.put(`${API}/${mixed}`, { tasa: null, comments: 'x' })).status).toBe(200);
  });

  it('pages with limit and cursor, and sums the whole filter in its headers', async () => {
    const api = await client();
    const user = await addUser(fresh.db, {});
    for (let n = 0; n < 5; n++) {
      const id = await addInvoice(fresh.db, { numfactura: `F-${n}` });
      if (n < 2) await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 1_050, userId: user.id });
    }
    const ids: number[] = [];
    let path: string | undefined = `${API}/search/?numfactura=f-&sortfield=total&sorttype=desc&limit=2`;
    while (path) {
      const response = await api.get(path);
      expect(response.headers.get('x-total-count')).toBe('5');
      expect(response.headers.get('x-sum-total')).toBe('5800.00');
      expect(response.headers.get('x-sum-paid')).toBe('21.00');
      expect(response.headers.get('x-sum-pending')).toBe('5779.00');
      expect(response.headers.get('x-sum-siniva')).toBe('5000.00');
      ids.push(...(await response.json()).map((invoice: { id: number }) => invoice.id));
      path = /^<(.+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
  });

  it.each([
    'sortfield=comments',
    'sorttype=up',
    'limit=0',
    'limit=1001',
    'limit=2.5',
    'cursor=%00',
    'color=red',
    'supplierId=1&supplierId=2',
    'supplierId=-1',
    'status=pagado',
  ])('refuses the search parameter %s', async (query) => {
    const api = await client();
    expect((await api.get(`${API}/search/?${query}`)).status).toBe(400);
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

  it('takes empty, undefined and null parameters for absent ones', async () => {
    const api = await client();
    await addInvoice(fresh.db, {});
    expect(await (await api.get(`${API}?id=undefined`)).json()).toHaveLength(1);
    expect((await api.get(`${API}?id=1&id=2`)).status).toBe(400);
    expect((await api.get(`${API}?id=1&color=red`)).status).toBe(400);
    const query = 'numfactura=&supplierId=undefined&jobId=null&invoiceId=&sortfield=id&sorttype=ASC';
    expect(await (await api.get(`${API}/search?${query}`)).json()).toHaveLength(1);
  });

  it('deletes one, or all of them only for an administrator who confirms', async () => {
    const { as, withToken } = createTestApp({ db: fresh.db });
    const [clerk, administrator] = [await withToken(4), await as(3)];
    const id = await addInvoice(fresh.db, {});
    expect((await clerk.delete(`${API}/${id}`)).status).toBe(204);
    expect((await clerk.get(`${API}/${id}`)).status).toBe(404);
    expect((await clerk.delete(`${API}?confirm=all`)).status).toBe(403);
    expect((await administrator.delete(API)).status).toBe(400);
  });
});
