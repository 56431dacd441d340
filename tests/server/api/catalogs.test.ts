import { expect, it } from 'vitest';
import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { TestClient } from '../../support/app.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addClient, addInvoice, addJob, addRubro, addSupplier } from '../../support/rows.ts';

const suppliers = catalogOf('suppliers');

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

  const auditCount = async () => (await fresh.db.selectFrom('audit').select('id').execute()).length;

  it.each(catalogs)('$noun: created, found, changed and deleted under its own paths', async (catalog) => {
    const api = await signedIn();
    const references = catalog.noun === 'jobs' ? { clientId: await addClient(fresh.db) } : {};
    const { api: base, apiCreate } = catalog.paths;
    const created = await api.post(`${base}${apiCreate}`, { ...catalog.schema.example, ...references });
    expect(created.status).toBe(201);
    const { warnings, ...row } = await bodyOf(created);
    expect(warnings).toEqual([]);
    for (const path of [
      `/${row.id}`,
      `/${row.id}/`,
      `?id=${row.id}`,
      `/?id=${row.id}`,
      `/findbyid/${row.id}`,
    ]) {
      expect(await bodyOf(await api.get(base + path))).toEqual(row);
    }
    for (const path of ['', '/', '/search', '/search/', '/?id=&limit=null&cursor=undefined']) {
      expect(await rowsOf(await api.get(base + path))).toEqual([row]);
    }
    const changed = await api.put(`${base}/${row.id}/`, { [catalog.nameField]: 'Otro', id: row.id });
    expect(changed.status).toBe(200);
    expect(await bodyOf(changed)).toEqual({ ...row, [catalog.nameField]: 'Otro', version: 2, warnings: [] });
    const deleted = await api.delete(`${base}/${row.id}`);
    expect([deleted.status, await deleted.text()]).toEqual([204, '']);
    expect((await api.get(`${base}/${row.id}`)).status).toBe(404);
    expect(await auditCount()).toBe(3);
  });

  it('a supplier is created with the old payload and with the long names', async () => {
    const api = await signedIn();
    const old = { suppliername: 'A', contactperson: 'Ana', contactphone: '55', contactemail: 'a@b.mx' };
    expect(await bodyOf(await api.post('/api/suppliers/newsupplier', old))).toMatchObject({
      suppliername: 'A',
      suppliercontactperson: 'Ana',
      suppliercontactphone: '55',
      suppliercontactemail: 'a@b.mx',
      rfc: null,
      diascredito: 0,
    });
    const long = { suppliername: 'B', suppliercontactperson: 'Berta', rfc: 'EKU9003173C9', diascredito: 30 };
    expect(await bodyOf(await api.post('/api/suppliers/newsupplier/', long))).toMatchObject(long);
  });

  it('a job of the search holds its client', async () => {
    const api = await signedIn();
    const clientId = await addClient(fresh.db, { clientname: 'Lerma' });
    await addJob(fresh.db, { jobtitle: 'Torre', clientId });
    const [job] = await rowsOf(
      await api.get('/api/jobs/search/?jobtitle=torre&sortfield=jobtitle&sorttype=desc'),
    );
    expect(job).toMatchObject({ jobtitle: 'Torre', clientId, client: { id: clientId, clientname: 'Lerma' } });
  });

  it.each([
    ['/api/suppliers/newsupplier', { suppliername: 'A' }, 'Fields can not be empty.'],
    ['/api/suppliers/newsupplier', { ...PAYLOADS.suppliers, contactemail: 'x' }, 'Email is invalid.'],
    ['/api/clients/newclient', { clientname: 'A' }, 'Fields can not be empty.'],
    ['/api/clients/newclient', { ...PAYLOADS.clients, clientcontactemail: 'x' }, 'Email is invalid.'],
    ['/api/jobs/newjob', { jobtitle: 'A' }, 'Se requiere el nombre de la obra y el cliente.'],
    ['/api/jobs/newjob', { jobtitle: 'A', clientId: 99 }, 'No existe el cliente 99.'],
    ['/api/rubros/newrubro', { nombrerubro: ' ' }, 'Se requiere el nombre del rubo.'],
    ['/api/origenderecurso/neworiginofresource', {}, 'Se requiere el nombre del origen de recurso.'],
  ])('a creation at %s of %j: 422 %s', async (path, payload, message) => {
    const api = await signedIn();
    const response = await api.post(path, payload);
    expect(response.status).toBe(422);
    expect(await bodyOf(response)).toMatchObject({ message, code: 'invalid' });
    expect(await auditCount()).toBe(0);
  });

  it('an emptied required field is refused with the words of the edit screens', async () => {
    const api = await signedIn();
    const supplier = await addSupplier(fresh.db);
    const job = await addJob(fresh.db);
    const rubro = await addRubro(fresh.db);
    const answers = [
      await api.put(`/api/suppliers/${supplier}`, { suppliername: '' }),
      await api.put(`/api/jobs/${job}`, { clientId: null }),
      await api.put(`/api/rubros/${rubro}`, { nombrerubro: null }),
      await api.put(`/api/suppliers/${supplier}`, { diascredito: null }),
    ];
    expect(answers.map((answer) => answer.status)).toEqual([422, 422, 422, 422]);
    expect(await Promise.all(answers.map(async (answer) => (await bodyOf(answer)).message))).toEqual([
      'There are empty required fields.',
      'There are empty required fields.',
      'Se requiere un nombre para el rubro.',
      'Días de crédito: debe estar entre 0 y 365.',
    ]);
  });

  it.each([
    ['an unknown field', { ...PAYLOADS.rubros, total: 1 }],
    ['a number for a text', { nombrerubro: 7 }],
    ['an object for a text', { nombrerubro: {} }],
    ['no object', []],
    ['no JSON', '{'],
  ])('%s is 400', async (_what, payload) => {
    const api = await signedIn();
    const response = await api.post('/api/rubros/newrubro', payload);
    expect([response.status, (await bodyOf(response)).code]).toEqual([400, 'malformed']);
  });

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

  it('sort fields are those of the specification, directions come in any case', async () => {
    const api = await signedIn();
    for (const { paths, sortFields, nameField } of catalogs) {
      for (const field of [...Object.keys(sortFields), nameField]) {
        const response = await api.get(`${paths.api}/search/?sortfield=${field}&sorttype=Desc`);
        expect(response.status).toBe(200);
      }
    }
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

  it('a body may repeat the id of the path, and no other', async () => {
    const api = await signedIn();
    const id = await addRubro(fresh.db);
    expect((await api.put(`/api/rubros/${id}`, { id, nombrerubro: 'X' })).status).toBe(200);
    expect((await api.put(`/api/rubros/${id}`, { id: id + 1, nombrerubro: 'Y' })).status).toBe(400);
    expect((await api.put(`/api/rubros/${id}`, { createdAt: 'x' })).status).toBe(400);
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

  it('a repeated Idempotency-Key answers the same and creates nothing, with another body it is refused', async () => {
    const api = await signedIn();
    const init = { headers: { 'idempotency-key': 'uno' } };
    const create = (name: string) => api.post('/api/rubros/newrubro', { nombrerubro: name }, init);
    const [first, second] = [await create('Acero'), await create('Acero')];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(await second.json()).toEqual(await first.json());
    expect((await create('Otro')).status).toBe(409);
    expect((await api.get('/api/rubros')).headers.get('x-total-count')).toBe('1');
    expect(await auditCount()).toBe(1);
  });

  it('a whole list is deleted by role 3 alone, and only where it says so', async () => {
    const clerk = await signedIn([1, 2, 4, 5, 6]);
    const admin = await createTestApp({ db: fresh.db }).as(3);
    await addSupplier(fresh.db);
    await addInvoice(fresh.db);
    for (const { paths } of catalogs) {
      expect((await clerk.delete(`${paths.api}?confirm=all`)).status).toBe(403);
      expect((await admin.delete(paths.api)).status).toBe(400);
      expect((await admin.delete(`${paths.api}/?confirm=yes`)).status).toBe(400);
    }
    expect((await admin.delete('/api/suppliers?confirm=all')).status).toBe(409);
    expect((await rowsOf(await admin.get('/api/suppliers'))).length).toBe(2);
  });

  it('every role may work with the lists, nobody without a session', async () => {
    const tests = createTestApp({ db: fresh.db });
    const visitor = tests.visitor();
    for (const { paths } of catalogs) {
      expect((await visitor.get(paths.api)).status).toBe(401);
      expect((await visitor.post(`${paths.api}${paths.apiCreate}`, {})).status).toBe(401);
    }
    for (const role of [1, 2, 3, 4, 5, 6]) {
      const api: TestClient = await tests.as(role);
      expect((await api.post(`${suppliers.paths.api}/newsupplier`, PAYLOADS.suppliers)).status).toBe(201);
    }
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
