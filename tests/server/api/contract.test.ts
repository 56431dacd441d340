import { afterAll, expect, it } from 'vitest';
import { hashPassword } from '../../../server/services/session/password-hashing.ts';
import type { TestClient } from '../../support/app.ts';
import { createDocumentedApp } from '../../support/documented.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { describeEachInLongLane } from '../../support/proofs.ts';
import { enableQuickHashes } from '../../support/quick-crypto.ts';
import {
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  addUser,
} from '../../support/rows.ts';

enableQuickHashes();

/** The calls of the specification's section 7, line by line, as its client makes them. */

type Row = Record<string, unknown> & { id: number };
const rowOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Row;
const rowsOf = async (answer: Response | Promise<Response>) => (await (await answer).json()) as Row[];
const statusOf = async (answer: Promise<Response>) => (await answer).status;

const PASSWORD = 'ladrillo rojo';
const hash = hashPassword(PASSWORD);
const place = temporaryFolder();
afterAll(place.remove);

/** Each address works with and without a slash at its end. */
const bothWays = (path: string) => {
  const [address = '', query] = path.split('?');
  const rest = query === undefined ? '' : `?${query}`;
  return [`${address.replace(/\/$/, '')}${rest}`, `${address.replace(/\/$/, '')}/${rest}`];
};

/** Requires both addresses to give the same answer, and returns it. */
async function get(client: TestClient, path: string): Promise<unknown> {
  const answers = [];
  for (const way of bothWays(path)) {
    const answer = await client.get(way);
    expect([way, answer.status]).toEqual([way, 200]);
    answers.push(await answer.json());
  }
  expect(answers[1]).toEqual(answers[0]);
  return answers[0];
}

const contact = (list: 'supplier' | 'client' | '', person: string, phone: string, email: string) => ({
  [`${list}contactperson`]: person,
  [`${list}contactphone`]: phone,
  [`${list}contactemail`]: email,
});

const LISTS = [
  {
    line: 'Suppliers',
    base: '/api/suppliers',
    create: '/newsupplier',
    sent: { suppliername: 'Aceros', ...contact('', 'Ana', '5550001001', 'a@b.mx') },
    stored: { suppliername: 'Aceros', ...contact('supplier', 'Ana', '5550001001', 'a@b.mx'), rfc: null },
    alone: { sat69b: null, regimenFiscal: null },
    change: { suppliername: 'Aceros 2', ...contact('supplier', 'Eva', '5550001002', 'e@b.mx') },
    searched: 'suppliername',
    sorts: ['id', 'suppliername', 'suppliercontactperson'],
  },
  {
    line: 'Clients',
    base: '/api/clients',
    create: '/newclient',
    sent: { clientname: 'Lerma', ...contact('client', 'Luis', '5550001001', 'l@b.mx') },
    change: { clientname: 'Lerma 2', ...contact('client', 'Eva', '5550001002', 'e@b.mx') },
    searched: 'clientname',
    sorts: ['id', 'clientname'],
  },
  {
    line: 'Jobs',
    base: '/api/jobs',
    create: '/newjob',
    sent: {
      jobtitle: 'Torre',
      jobdescription: 'Doce pisos',
      jobstartdate: '2026-01-05T00:00:00.000Z',
      jobduedate: '2027-12-31',
      clientId: 1,
    },
    stored: {
      jobtitle: 'Torre',
      jobdescription: 'Doce pisos',
      jobstartdate: '2026-01-05',
      jobduedate: '2027-12-31',
      clientId: 1,
      client: { id: 1, clientname: 'Lerma' },
    },
    change: {
      jobtitle: 'Torre 2',
      jobdescription: '',
      jobstartdate: '2026-02-01',
      jobduedate: '2027-12-31',
      clientId: 1,
    },
    searched: 'jobtitle',
    sorts: ['id', 'jobtitle'],
  },
  {
    line: 'Rubros',
    base: '/api/rubros',
    create: '/newrubro',
    sent: { nombrerubro: 'Acero', descripcionrubro: 'Varilla' },
    change: { nombrerubro: 'Acero 2', descripcionrubro: 'Malla' },
    searched: 'nombrerubro',
    sorts: ['id', 'nombrerubro'],
  },
  {
    line: 'Funding sources',
    base: '/api/origenderecurso',
    create: '/neworiginofresource',
    sent: { origenderecursonombre: 'Banco', origenderecursodescripcion: 'Cuenta 1' },
    change: { origenderecursonombre: 'Banco 2', origenderecursodescripcion: 'Cuenta 2' },
    searched: 'origenderecursonombre',
    sorts: ['id', 'name'],
  },
] as const;

describeEachInLongLane('the calls of the specification', (fresh) => {
  const newApp = () => createDocumentedApp({ db: fresh.db, config: { dataFolder: place.folder } });

  it.each(LISTS)('$line', async ({ base, create, sent, change, searched, sorts, ...list }) => {
    const api = await newApp().withToken([1, 3]);
    if (base === '/api/jobs') await addClient(fresh.db, { clientname: 'Lerma' });
    const created = await api.post(base + create, sent);
    expect(created.status).toBe(201);
    const row = await rowOf(created);
    expect(row).toMatchObject({ ...('stored' in list ? list.stored : sent), warnings: [] });
    const { warnings: _warnings, ...known } = row;
    expect(await get(api, base)).toEqual([known]);

    for (const path of [`/${row.id}`, `?id=${row.id}`, `/findbyid/${row.id}`])
      expect(await get(api, base + path)).toEqual({ ...known, ...('alone' in list && list.alone) });
    for (const sort of sorts) {
      for (const direction of ['ASC', 'DESC']) {
        const query = `${searched}=${row[searched]}&sortfield=${sort}&sorttype=${direction}`;
        expect(await get(api, `${base}/search/?${query}`)).toEqual([known]);
      }
    }
    expect(await get(api, `${base}/search/?${searched}=otro&sortfield=id&sorttype=ASC`)).toEqual([]);
    expect(await get(api, `${base}/search/?${searched}=&sortfield=undefined&sorttype=null`)).toEqual([known]);
    const changed = await api.put(`${base}/${row.id}`, change);
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ id: row.id, ...change });
    expect(await statusOf(api.delete(`${base}/${row.id}`))).toBe(204);
    expect(await statusOf(api.delete(`${base}/${row.id}`))).toBe(404);
    expect(await statusOf(api.post(`${base}${create}/`, sent))).toBe(201);
    expect(await statusOf(api.delete(base))).toBe(400);
    expect(await statusOf(api.delete(`${base}/?confirm=all`))).toBe(204);
    expect(await get(api, base)).toEqual([]);
  });

  it('Invoices', async () => {
    const api = await newApp().withToken([1, 3]);
    const base = '/api/facturaproveedores';
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros', rfc: 'EKU9003173C9' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero' });
    const sent = {
      supplierId,
      jobId,
      rubroId,
      numfactura: 'A-1',
      fechaemision: '2026-11-01',
      fecharecepcion: '2026-11-02T06:00:00.000Z',
      fechavencimiento: '2026-11-15',
      subtotal: 1000.5,
      iva: 160.08,
      total: 1160.58,
      tasa: 16,
      comments: 'Varilla',
    };
    const created = await api.post(`${base}/newfacturaproveedor`, sent);
    expect(created.status).toBe(201);
    const { warnings: _warnings, ...invoice } = await rowOf(created);
    expect(invoice).toMatchObject({
      ...sent,
      fecharecepcion: '2026-11-02',
      vencimientoTexto: 'Vencida hace 5 días',
      status: 'vencida',
      otrosimpuestos: 0,
      retenciones: 0,
      totalamountpaid: 0,
      supplier: { suppliername: 'Aceros', rfc: 'EKU9003173C9' },
      job: { jobtitle: 'Torre' },
      rubro: { nombrerubro: 'Acero' },
      payment: [],
    });
    expect(await get(api, base)).toEqual([invoice]);
    const alone = {
      ...invoice,
      ...{ sat: null, sello: null, programaciones: [], cuenta: null, pendientemoneda: null },
    };
    expect(await get(api, `${base}/${invoice.id}`)).toEqual(alone);
    expect(await get(api, `${base}?id=${invoice.id}`)).toEqual(alone);
    for (const sortfield of ['id', 'fechavencimiento', 'total']) {
      const query = `numfactura=a-1&supplierId=${supplierId}&jobId=${jobId}&invoiceId=${invoice.id}`;
      const path = `${base}/search/?${query}&sortfield=${sortfield}&sorttype=DESC`;
      expect(await get(api, path)).toEqual([invoice]);
      const { headers } = await api.get(path);
      const sums = ['x-total-count', 'x-sum-total', 'x-sum-paid', 'x-sum-pending', 'x-sum-siniva'];
      expect(sums.map((name) => headers.get(name))).toEqual(['1', '1160.58', '0.00', '1160.58', '1000.50']);
    }
    for (const filter of [
      `rubroId=${rubroId}`,
      'status=vencida',
      'fechaemisionDesde=2026-11-01&fechaemisionHasta=2026-11-01',
      'fechavencimientoDesde=2026-11-15&fechavencimientoHasta=2026-11-15',
      'corte=2026-11-01',
    ]) {
      expect(await rowsOf(api.get(`${base}/search/?${filter}`))).toMatchObject([{ id: invoice.id }]);
    }
    expect(await get(api, `${base}/search/?corte=2026-10-31`)).toEqual([]);
    const pivot = (await get(api, `${base}/reporting/pivot/?weeknum=47&yr=2026`)) as Row[];
    expect(pivot).toMatchObject([
      { suppliername: 'Aceros', jobtitle: 'Torre', numfactura: 'A-1', isSummary: false, ANTERIORES: 1160.58 },
      { jobtitle: 'Total Aceros', isSummary: true, 'SEM 47': 0 },
      { suppliername: 'Total general', isSummary: true, total: 1160.58 },
    ]);
    const { tasa: _tasa, ...withoutRate } = sent;
    const change = { ...withoutRate, subtotal: 2000, iva: 320, total: 2320 };
    const changed = await api.put(`${base}/${invoice.id}`, change);
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ subtotal: 2000, tasa: 16, iva: 320, total: 2320 });
    expect(await statusOf(api.put(`${base}/${invoice.id}`, { ...change, iva: 320.01 }))).toBe(422);
    const payment = { facturaproveedorId: invoice.id, paymentamount: 2320 };
    await api.post('/api/payments/newpayment', payment);
    const lowered = await api.put(`${base}/${invoice.id}`, { subtotal: 1000 });
    expect([lowered.status, (await rowOf(lowered)).message]).toEqual([
      422,
      'El total no puede ser menor o igual a la suma de los pagos realizados.',
    ]);
    expect(await statusOf(api.delete(`${base}/${invoice.id}`))).toBe(409);
    expect(await statusOf(api.delete(`${base}?confirm=all`))).toBe(409);
    await api.delete('/api/payments?confirm=all');
    expect(await statusOf(api.delete(base))).toBe(400);
    expect(await statusOf(api.delete(`${base}/${invoice.id}`))).toBe(204);
    await addInvoice(fresh.db);
    expect(await statusOf(api.delete(`${base}/?confirm=all`))).toBe(204);
    expect(await get(api, base)).toEqual([]);
  });

  it('Payments', async () => {
    const api = await newApp().withToken([1, 3]);
    const base = '/api/payments';
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const origenderecursoId = await addFundingSource(fresh.db, { origenderecursonombre: 'Banco' });
    const sent = {
      origenderecursoId,
      facturaproveedorId,
      checknum: 'CH-7',
      paymentdate: '2026-11-03T06:00:00.000Z',
      paymentamount: 500.25,
      comments: 'Anticipo',
      userId: 99,
    };
    const created = await api.post(`${base}/newpayment`, sent);
    expect(created.status).toBe(201);
    const { warnings: _warnings, ...payment } = await rowOf(created);
    expect(payment).toEqual({
      ...sent,
      id: payment.id,
      paymentdate: '2026-11-03',
      userId: api.user.id,
      createdAt: '2026-11-20T18:00:00.000Z',
      version: 1,
      kind: 'pago',
      creditNoteId: null,
      rep: null,
      importebanco: null,
      importemoneda: null,
      facturaproveedor: { id: facturaproveedorId, numfactura: 'A-1', supplier: { suppliername: 'Aceros' } },
      origenderecurso: { id: origenderecursoId, origenderecursonombre: 'Banco' },
    });
    expect(await get(api, base)).toEqual([payment]);
    for (const path of [`/${payment.id}`, `/findbyid/${payment.id}`, `?id=${payment.id}`])
      expect(await get(api, base + path)).toEqual(payment);
    for (const query of [
      `userId=${api.user.id}&facturaproveedorId=${facturaproveedorId}&checknum=ch-7&sortfield=id&sorttype=ASC`,
      'sortfield=fechavencimiento&sorttype=DESC',
      'sortfield=paymentdate&sorttype=asc',
      // the list screen's three slots: check number, sort field, direction
      'userId=CH-7&facturaproveedorId=id&checknum=ASC',
      'userId=&facturaproveedorId=fechavencimiento&checknum=DESC&sortfield=undefined&sorttype=undefined',
    ])
      expect(await get(api, `${base}/search/?${query}`)).toEqual([payment]);
    expect(await get(api, `${base}/search/?userId=otro&facturaproveedorId=id&checknum=ASC`)).toEqual([]);
    expect(await get(api, `${base}/pendingpayment/?facturaproveedorid=${facturaproveedorId}`)).toEqual({
      facturaproveedorId,
      total: 1160,
      totalamountpaid: 500.25,
      pending: 659.75,
    });
    for (const query of ['', '?facturaproveedorid=undefined', '?facturaproveedorid=1&color=rojo'])
      expect([query, await statusOf(api.get(`${base}/pendingpayment/${query}`))]).toEqual([query, 400]);
    expect(await statusOf(api.get(`${base}/pendingpayment/?facturaproveedorid=99`))).toBe(404);
    const beyond = await api.put(`${base}/${payment.id}`, { ...sent, paymentamount: 1160.01 });
    expect([beyond.status, await rowOf(beyond)]).toMatchObject([
      422,
      { message: 'El total pagado no puede ser mayor que el total de la factura.', code: 'overpayment' },
    ]);
    const changed = await api.put(`${base}/${payment.id}`, { ...sent, paymentamount: 1160 });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ paymentamount: 1160, version: 2, warnings: [] });
    expect(await statusOf(api.post(`${base}/newpayment`, { ...sent, paymentamount: 0.01 }))).toBe(422);
    expect(await statusOf(api.delete(`${base}/${payment.id}`))).toBe(204);
    expect(await rowOf(api.post(`${base}/${payment.id}/restore/`))).toMatchObject({ id: payment.id });
    expect(await statusOf(api.delete(base))).toBe(400);
    expect(await statusOf(api.delete(`${base}/?confirm=all`))).toBe(204);
    expect(await get(api, base)).toEqual([]);
    expect(await rowOf(api.get(`/api/facturaproveedores/${facturaproveedorId}`))).toMatchObject({
      totalamountpaid: 0,
    });
  });

  it('Users and Roles', async () => {
    const api = await newApp().withToken([1, 3]);
    const { id } = await addUser(fresh.db, { username: 'ana', email: 'ana@obra.mx', roles: [2] });
    const ana = { id, username: 'ana', email: 'ana@obra.mx', roles: [{ id: 2, rolename: 'Contabilidad' }] };
    expect(await get(api, '/api/test/getusers')).toMatchObject([{ id: api.user.id }, ana]);
    expect(await get(api, '/api/users/search/?username=an&sortfield=username&sorttype=ASC')).toMatchObject([
      ana,
    ]);
    expect(await get(api, `/api/test/getusers/?id=${id}`)).toMatchObject(ana);
    expect(await get(api, `/api/test/getusers/${id}`)).toMatchObject(ana);
    const change = { username: 'ana.r', email: 'r@obra.mx', roles: [2, 4] };
    for (const path of [
      ...bothWays(`/api/auth/updateusersdata/?id=${id}`),
      ...bothWays(`/api/auth/updateusersdata/${id}`),
    ]) {
      const changed = await api.put(path, change);
      expect([path, changed.status]).toEqual([path, 200]);
      expect(await changed.json()).toMatchObject({ ...change, roles: [{ id: 2 }, { id: 4 }] });
    }
    expect(await get(api, '/api/roles/search')).toMatchObject(
      [1, 2, 3, 4, 5, 6].map((role) => ({ id: role, rolename: expect.any(String) })),
    );
  });

  it('Auth and the session check', async () => {
    const app = newApp();
    const boss = await addUser(fresh.db, { username: 'jefa', roles: [1, 3], password: await hash });
    const visitor = app.visitor();
    visitor.headers.delete('origin');
    const signedIn = await visitor.post('/api/auth/signin', { email: boss.email, password: PASSWORD });
    expect(signedIn.status).toBe(200);
    const session = await rowOf(signedIn);
    expect(session).toMatchObject({ id: boss.id, username: 'jefa', roles: [1, 3] });
    for (const header of [
      ['x-access-token', String(session.accessToken)],
      ['authorization', `Bearer ${session.accessToken}`],
    ] as [string, string][]) {
      for (const way of bothWays('/api/test/user'))
        expect(await rowOf(visitor.get(way, { headers: [header] }))).toEqual(session);
    }
    expect(await statusOf(visitor.get('/api/test/user'))).toBe(401);
    visitor.headers.set('x-access-token', String(session.accessToken));
    const newcomer = {
      employeenumber: '7',
      userfirstname: 'Eva',
      userlastname: 'Luna',
      username: 'eva',
      email: 'eva@obra.mx',
      password: 'k3v9x0qa',
      roles: [2],
    };
    const created = await visitor.post('/api/auth/signup', newcomer);
    expect(created.status).toBe(201);
    const eva = await rowOf(created);
    const reset = { requesteriduser: boss.id, iduser: eva.id, newpassword: 'zx81k3v9' };
    expect(await rowOf(visitor.put('/api/auth/resetpsw', reset))).toMatchObject({
      message: 'Password has been reset. Please, share this information with eva',
    });
    const change = { id: boss.id, currpassword: PASSWORD, newpassword: 'grúa torre 9' };
    expect(await statusOf(visitor.put('/api/auth/changepsw', { ...change, currpassword: 'otra' }))).toBe(422);
    expect(await statusOf(visitor.put('/api/auth/changepsw/', change))).toBe(200);
    expect(await statusOf(visitor.post('/api/auth/signout'))).toBe(204);
    expect(await statusOf(visitor.get('/api/test/user'))).toBe(401);
  });
});
