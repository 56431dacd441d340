import type { Db } from '../../db/schema.ts';
import { createTestApp, type TestClient } from '../support/app.ts';
import {
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
} from '../support/rows.ts';

export interface Route {
  method: 'post' | 'put';
  path: string;
  body: Record<string, unknown>;
  table: 'suppliers' | 'clients' | 'jobs' | 'rubros' | 'funding_sources' | 'invoices' | 'payments' | 'users';
}

/** One row of every list, and each route that stores one, with a sound body. */
export async function prepare(db: Db) {
  const { as } = createTestApp({ db, config: { logLevel: 'error' } });
  const admin: TestClient = await as(await addUser(db, { username: 'administradora', roles: [1, 3] }));
  const supplier = await addSupplier(db);
  const client = await addClient(db);
  const job = await addJob(db, { clientId: client });
  const rubro = await addRubro(db);
  const source = await addFundingSource(db);
  const invoice = await addInvoice(db, { supplierId: supplier, jobId: job, rubroId: rubro });
  const payment = await addPayment(db, {
    facturaproveedorId: invoice,
    amountCents: 100,
    userId: admin.user.id,
  });
  const other = await addUser(db, { username: 'otra', roles: [2] });
  const contact = (prefix: string) => ({
    [`${prefix}contactperson`]: 'Ana',
    [`${prefix}contactphone`]: '1',
    [`${prefix}contactemail`]: 'a@b.mx',
  });
  const bodies = {
    supplier: { suppliername: 'Uno', ...contact('supplier'), rfc: 'XAXX010101000', diascredito: 1 },
    client: { clientname: 'Uno', ...contact('client') },
    job: {
      jobtitle: 'Una',
      jobdescription: '',
      jobstartdate: '2026-01-01',
      jobduedate: '2026-02-01',
      clientId: client,
    },
    rubro: { nombrerubro: 'Uno', descripcionrubro: '' },
    source: { origenderecursonombre: 'Uno', origenderecursodescripcion: '' },
    invoice: {
      supplierId: supplier,
      jobId: job,
      rubroId: rubro,
      numfactura: 'Z-1',
      fechaemision: '2026-01-01',
      subtotal: 10,
      tasa: 16,
      comments: '',
    },
    payment: {
      facturaproveedorId: invoice,
      origenderecursoId: source,
      checknum: '1',
      paymentdate: '2026-01-01',
      paymentamount: 1,
      comments: '',
    },
  };
  const both = (table: Route['table'], create: string, change: string, body: object): Route[] => [
    { method: 'post', path: create, body: { ...body }, table },
    { method: 'put', path: change, body: { ...body, version: 1 }, table },
  ];
  const routes = [
    ...both('suppliers', '/api/suppliers/newsupplier', `/api/suppliers/${supplier}`, bodies.supplier),
    ...both('clients', '/api/clients/newclient', `/api/clients/${client}`, bodies.client),
    ...both('jobs', '/api/jobs/newjob', `/api/jobs/${job}`, bodies.job),
    ...both('rubros', '/api/rubros/newrubro', `/api/rubros/${rubro}`, bodies.rubro),
    ...both(
      'funding_sources',
      '/api/origenderecurso/neworiginofresource',
      `/api/origenderecurso/${source}`,
      bodies.source,
    ),
    ...both(
      'invoices',
      '/api/facturaproveedores/newfacturaproveedor',
      `/api/facturaproveedores/${invoice}`,
      bodies.invoice,
    ),
    ...both('payments', '/api/payments/newpayment', `/api/payments/${payment}`, bodies.payment),
    {
      method: 'post',
      path: '/api/auth/signup',
      body: {
        userfirstname: 'Eva',
        userlastname: 'Sol',
        username: 'eva',
        email: 'eva@x.mx',
        employeenumber: '1',
        password: 'andamio-y-cimbra-7',
        roles: [2],
      },
      table: 'users',
    },
    {
      method: 'put',
      path: `/api/auth/updateusersdata/${other.id}`,
      body: { username: 'otra', email: 'o@x.mx', roles: [2] },
      table: 'users',
    },
  ] satisfies Route[] as Route[];
  return { admin, routes, ids: { invoice } };
}

export const rowsOf = (db: Db, table: Route['table']) =>
  db.selectFrom(table).selectAll().orderBy('id').execute();
