import { expect, it } from 'vitest';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addRubro, addSupplier } from '../../support/rows.ts';

/** A creation's payload with everything the list requires. */
const PAYLOADS = {
  suppliers: { suppliername: 'Aceros', contactperson: 'Ana' },
  clients: { clientname: 'Lerma', clientcontactperson: 'Luis' },
  rubros: { nombrerubro: 'Acero' },
} as const;

type Body = Record<string, unknown> & { id: number };
const bodyOf = async (response: Response) => (await response.json()) as Body;
const rowsOf = async (response: Response) => (await response.json()) as Body[];

describeOneDatabase('the API of the lists', (fresh) => {
  const signedIn = (roles: number | number[] = 1) => createTestApp({ db: fresh.db }).as(roles);

  it.each([
    ['?sortfield=jobdescription'],
    ['?sorttype=up'],
    ['?limit=0'],
    ['?limit=1001'],
    ['?limit=1.5'],
    ['?cursor=basura'],
    ['?color=rojo'],
    ['?jobtitle=a&jobtitle=b'],
    ['?id=x'],
  ])('a list asked for with %s is 400', async (query) => {
    const api = await signedIn();
    expect((await api.get(`/api/jobs/search/${query}`)).status).toBe(400);
  });

  it('a limit pages through the list by the Link header, and the count is always there', async () => {
    const api = await signedIn();
    for (const name of ['B', 'A', 'b', 'C', 'a']) await addSupplier(fresh.db, { suppliername: name });
    let path: string | undefined = '/api/suppliers/search/?sortfield=suppliername&limit=2';
    const ids: number[] = [];
    while (path) {
      const response: Response = await api.get(path);
      expect(response.headers.get('x-total-count')).toBe('5');
      ids.push(...(await rowsOf(response)).map((row) => row.id));
      path = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
    }
    const whole = await api.get('/api/suppliers?sortfield=suppliername');
    expect(ids).toEqual((await rowsOf(whole)).map((row) => row.id));
    expect([whole.headers.get('x-total-count'), whole.headers.get('link')]).toEqual(['5', null]);
  });

  it('a save with an old version is 409 stale with both values, without a version it overwrites', async () => {
    const api = await signedIn();
    const id = await addRubro(fresh.db, { nombrerubro: 'Uno' });
    expect((await api.put(`/api/rubros/${id}`, { nombrerubro: 'Dos', version: 1 })).status).toBe(200);
    const stale = await api.put(`/api/rubros/${id}`, { nombrerubro: 'Tres', version: 1 });
    expect(stale.status).toBe(409);
    expect(await bodyOf(stale)).toMatchObject({
      code: 'stale',
      current: { id, nombrerubro: 'Dos', version: 2 },
      sent: { nombrerubro: 'Tres' },
    });
    expect((await api.put(`/api/rubros/${id}`, { nombrerubro: 'Tres' })).status).toBe(200);
  });

  it('what is in use, and an RFC that is taken, are conflicts', async () => {
    const api = await signedIn();
    const id = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'EKU9003173C9' });
    await addInvoice(fresh.db, { supplierId: id });
    const used = await api.delete(`/api/suppliers/${id}`);
    expect([used.status, await used.json()]).toEqual([
      409,
      { message: 'No se puede eliminar el proveedor «Aceros»: una factura lo usa.', code: 'in_use' },
    ]);
    const taken = await api.post('/api/suppliers/newsupplier', {
      ...PAYLOADS.suppliers,
      rfc: 'EKU9003173C9',
    });
    expect(taken.status).toBe(409);
    expect(await bodyOf(taken)).toMatchObject({ code: 'rfc_taken', existingId: id });
  });

  it.each(['/api/suppliers/0', '/api/suppliers/99999999999999999999'])('%s is no id', async (path) => {
    const api = await signedIn();
    expect((await api.get(path)).status).toBe(400);
  });

  it.each(['/api/suppliers/-1', '/api/suppliers/abc', '/api/suppliers/7/x'])(
    '%s is no address',
    async (path) => {
      const api = await signedIn();
      expect((await api.get(path)).status).toBe(404);
    },
  );
});
