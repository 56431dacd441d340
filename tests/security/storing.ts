import type { Db } from '../../db/schema.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
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

/** In the order of the catalogs. */
const ADDERS = [addSupplier, addClient, addJob, addRubro, addFundingSource];

/** Stores a row of every list; returns each route that stores one, with a valid body. */
export async function prepare(db: Db) {
  const { as } = createTestApp({ db, config: { logLevel: 'error' } });
  const admin: TestClient = await as(await addUser(db, { username: 'administradora', roles: [1, 3] }));
  await addClient(db); // whom the example of an obra refers to
  const ids: number[] = [];
  for (const add of ADDERS) ids.push(await add(db));
  const [supplierId = 0, , jobId = 0, rubroId = 0, origenderecursoId = 0] = ids;
  const invoice = await addInvoice(db, { supplierId, jobId, rubroId });
  const paid = { facturaproveedorId: invoice, amountCents: 100, userId: admin.user.id };
  const payment = await addPayment(db, paid);
  const other = await addUser(db, { username: 'otra', roles: [2] });
  const both = (table: Route['table'], create: string, change: string, body: object): Route[] => [
    { method: 'post', path: create, body: { ...body }, table },
    { method: 'put', path: change, body: { ...body, version: 1 }, table },
  ];
  const API = { invoices: '/api/facturaproveedores', payments: '/api/payments' };
  const places = { supplierId, jobId, rubroId };
  const amounts = { subtotal: 10, tasa: 16, fechaemision: '2026-01-01' };
  const settled = { facturaproveedorId: invoice, origenderecursoId, paymentdate: '2026-01-01' };
  const user = { userfirstname: 'Eva', userlastname: 'Sol', username: 'eva', email: 'eva@x.mx' };
  const routes: Route[] = [
    ...catalogs.flatMap(({ table, paths, schema }, index) =>
      both(
        table as Route['table'],
        paths.api + paths.apiCreate,
        `${paths.api}/${ids[index]}`,
        schema.example,
      ),
    ),
    ...both('invoices', `${API.invoices}/newfacturaproveedor`, `${API.invoices}/${invoice}`, {
      ...places,
      ...amounts,
      ...{ numfactura: 'Z-1', comments: '' },
    }),
    ...both('payments', `${API.payments}/newpayment`, `${API.payments}/${payment}`, {
      ...settled,
      ...{ checknum: '1', paymentamount: 1, comments: '' },
    }),
    {
      method: 'post',
      path: '/api/auth/signup',
      body: { ...user, employeenumber: '1', password: 'andamio-y-cimbra-7', roles: [2] },
      table: 'users',
    },
    {
      method: 'put',
      path: `/api/auth/updateusersdata/${other.id}`,
      body: { username: 'otra', email: 'o@x.mx', roles: [2] },
      table: 'users',
    },
  ];
  return { admin, routes, ids: { invoice } };
}

export const rowsOf = (db: Db, table: Route['table']) =>
  db.selectFrom(table).selectAll().orderBy('id').execute();
