import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../db/schema.ts';
import { hashPassword } from '../server/services/session/password-hashing.ts';
import { changeSetting } from '../server/services/settings/settings.ts';
import { toSpanish } from '../shared/spanish.ts';
import { createTestApp } from './support/app.ts';
import { useFreshDatabase } from './support/databases.ts';
import { type PageContent, readPage } from './support/page.ts';
import { enableQuickHashes } from './support/quick-crypto.ts';
import {
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
  createActor,
} from './support/rows.ts';

enableQuickHashes();

/**
 * Every message of the specification (sections 5, 6 and 8) and of the product contract (section 9), with a request that
 * produces it. `ana` is a user of role 4; an administrator has role 3, a director role 1. There is one row of
 * everything, with the id 1; the invoice of $1,160.00 has $500.00 paid.
 */
type Row = [kind: Kind, message: string, request: string, fields?: Record<string, string>, more?: More];

/** The kinds of messages: alerts headed Error or Hecho, the list's dialog titled Error!, and words on the page. */
type Kind = 'Error' | 'Hecho' | 'Error!' | 'text';

/** `broken`: a table that is missing, so that the request fails unexpectedly. */
type More = { broken?: string };

const ROLES: Readonly<Record<string, number>> = { admin: 3, director: 1 };

const PASSWORD = 'ladrillo rojo';
const HASH = await hashPassword(PASSWORD);

const SUPPLIER = { suppliername: 'Aceros', suppliercontactperson: 'Ana' };
const CLIENT = { clientname: 'Torre', clientcontactperson: 'Luis' };
const JOB = { jobtitle: 'Nave', clientId: '1' };
const SOURCE = { origenderecursonombre: 'Banco' };
const INVOICE = { supplierId: '1', jobId: '1', numfactura: 'B-7', subtotal: '1000', tasa: '16' };
const PAYMENT = { facturaproveedorId: '1', paymentamount: '100' };
const USER = { roles: '2', userfirstname: 'Eva', userlastname: 'Luna', email: '', password: 'k3v9x0qa' };
const CHANGE = { username: 'ana', email: '', roles: '4', active: 'on' };
const CHOSEN = { currentpassword: PASSWORD, newpassword: 'grúa torre 9', confirmpassword: 'grúa torre 9' };

const NO_PRIVILEGES = 'ana does not have privileges to see this page.';
const NO_INVOICE = 'Seleccione una factura e ingrese la cantidad del pago recibido.';
const BEYOND_TOTAL = 'El total pagado no puede ser mayor que el total de la factura.';
const GENERIC = 'Ocurrió un error. Intenta de nuevo. (id {id})';

const MESSAGES: Record<string, Row[]> = {
  'at the sign-in': [
    ['text', 'Bienvenido al sistema de costos de obra', 'visitor GET /login'],
    ['text', 'Ingresa tu correo y contraseña para continuar', 'visitor GET /login'],
    ['text', 'Correo', 'visitor GET /login'],
    ['text', 'Contraseña', 'visitor GET /login'],
    ['text', 'Ingresar', 'visitor GET /login'],
    ['Error', 'Se requiere el usuario', 'visitor POST /login', { email: '', password: 'x' }],
    ['Error', 'Se requiere la contrasen', 'visitor POST /login', { email: 'ana', password: '' }],
    ['Error', 'Correo o contraseña incorrectos.', 'visitor POST /login', { email: 'ana', password: 'x' }],
  ],
  'of suppliers': [
    ['Error', 'Fields can not be empty.', 'staff POST /new-supplier', { suppliername: 'Aceros' }],
    ['Error', 'Email is invalid.', 'staff POST /new-supplier', { ...SUPPLIER, suppliercontactemail: 'ana' }],
    [
      'Hecho',
      'Supplier has been created. Redirecting to supplier list...',
      'staff POST /new-supplier',
      SUPPLIER,
    ],
    [
      'Error',
      'There are empty required fields.',
      'staff POST /editsupplierpage/1',
      { ...SUPPLIER, suppliername: '' },
    ],
    [
      'Error',
      'Email is invalid.',
      'staff POST /editsupplierpage/1',
      { ...SUPPLIER, suppliercontactemail: 'a@' },
    ],
    [
      'Hecho',
      'Supplier has been updated. Redirecting to supplier list...',
      'staff POST /editsupplierpage/1',
      SUPPLIER,
    ],
    ['Error', GENERIC, 'staff GET /suppliers', {}, { broken: 'suppliers' }],
    ['Error', GENERIC, 'staff POST /new-supplier', SUPPLIER, { broken: 'suppliers' }],
  ],
  'of clients': [
    ['Error', 'Fields can not be empty.', 'staff POST /new-client', { clientcontactperson: 'Luis' }],
    ['Error', 'Email is invalid.', 'staff POST /new-client', { ...CLIENT, clientcontactemail: 'luis' }],
    ['Hecho', 'Client has been created. Redirecting to client list...', 'staff POST /new-client', CLIENT],
    [
      'Error',
      'There are empty required fields.',
      'staff POST /editclientpage/1',
      { clientcontactperson: '' },
    ],
    [
      'Error',
      'Email is invalid.',
      'staff POST /editclientpage/1',
      { ...CLIENT, clientcontactemail: '@b.mx' },
    ],
    [
      'Hecho',
      'Client has been updated. Redirecting to client list...',
      'staff POST /editclientpage/1',
      CLIENT,
    ],
  ],
  'of obras': [
    ['Error', 'Se requiere el nombre de la obra y el cliente.', 'staff POST /new-job', { jobtitle: 'Nave' }],
    ['Hecho', 'Job has been created. Redirecting to job list...', 'staff POST /new-job', JOB],
    ['Error', 'There are empty required fields.', 'staff POST /editjobpage/1', { ...JOB, jobtitle: '' }],
    ['Hecho', 'Job has been updated. Redirecting to job list...', 'staff POST /editjobpage/1', JOB],
  ],
  'of funding sources': [
    ['Error', 'Se requiere el nombre del origen de recurso.', 'staff POST /new-origen-de-recurso'],
    [
      'Hecho',
      'Se creó el origen correctamente. Redirigiendo a la lista de origed de recurso...',
      'staff POST /new-origen-de-recurso',
      SOURCE,
    ],
    [
      'Error',
      'Se requiere un nombre para el origen de recurso.',
      'staff POST /editorigenderecursopage/1',
      { origenderecursonombre: '' },
    ],
    [
      'Hecho',
      'El origen de recurso ha sido actualizado. Redirigiendo a la lista de origen de recurso...',
      'staff POST /editorigenderecursopage/1',
      SOURCE,
    ],
  ],
  'of rubros': [
    ['Error', 'Se requiere el nombre del rubo.', 'staff POST /new-rubro', { nombrerubro: ' ' }],
    [
      'Hecho',
      'Se creó el rubro correctamente. Redirigiendo a la lista de rubros...',
      'staff POST /new-rubro',
      { nombrerubro: 'Acero' },
    ],
    ['Error', 'Se requiere un nombre para el rubro.', 'staff POST /editrubropage/1', { nombrerubro: '' }],
    [
      'Hecho',
      'El rubro ha sido actualizado. Redirigiendo a la lista de rubros...',
      'staff POST /editrubropage/1',
      { nombrerubro: 'Acero' },
    ],
  ],
  'of invoices': [
    ['Error', 'Ingrese proveedor, obra y subtotal.', 'staff POST /new-invoice', { tasa: '16' }],
    ['Hecho', 'Se guardó la factura B-7.', 'staff POST /new-invoice', INVOICE],
    [
      'Error',
      'Ingrese proveedor, obra y subtotal.',
      'staff POST /editinvoicepage/1',
      { ...INVOICE, subtotal: '' },
    ],
    [
      'Error',
      'El total no puede ser menor o igual a la suma de los pagos realizados.',
      'staff POST /editinvoicepage/1',
      { ...INVOICE, subtotal: '500', tasa: '0' },
    ],
    ['Hecho', 'Se guardó la factura B-7.', 'staff POST /editinvoicepage/1', INVOICE],
    ['text', 'Total ya pagado: $500.00', 'staff GET /editinvoicepage/1'],
    ['Error!', 'Ocurrió un error al cargar las facturas.', 'staff GET /invoices', {}, { broken: 'rubros' }],
  ],
  'of payments': [
    ['Error', NO_INVOICE, 'staff POST /new-payment', { paymentamount: '100' }],
    ['Error', NO_INVOICE, 'staff POST /new-payment', { facturaproveedorId: '1' }],
    ['Error', BEYOND_TOTAL, 'staff POST /new-payment', { ...PAYMENT, paymentamount: '660.01' }],
    ['Hecho', 'Se registró el pago.', 'staff POST /new-payment', PAYMENT],
    ['Error', NO_INVOICE, 'staff POST /editpaymentpage/1', { ...PAYMENT, paymentamount: '' }],
    ['Error', BEYOND_TOTAL, 'staff POST /editpaymentpage/1', { ...PAYMENT, paymentamount: '1160.01' }],
    ['Hecho', 'Se actualizó el pago.', 'staff POST /editpaymentpage/1', PAYMENT],
    ['text', 'Creado: Fri, 20 Nov 2026', 'staff GET /editpaymentpage/1'],
    ['text', 'El total pendiente ya incluye este pago.', 'staff GET /editpaymentpage/1'],
    ['Hecho', 'Se eliminó el pago.', 'staff POST /pagos-proveedores/1/eliminar'],
    [
      'Error!',
      'Ocurrió un error al cargar los proveedores.',
      'staff GET /pagos-proveedores',
      {},
      { broken: 'funding_sources' },
    ],
  ],
  'of users': [
    ['text', NO_PRIVILEGES, 'staff GET /admin-users'],
    ['text', NO_PRIVILEGES, 'staff GET /new-user'],
    [
      'Error',
      'Firstname, lastname and user type can not be empty.',
      'admin POST /new-user',
      { ...USER, userlastname: '' },
    ],
    ['Error', 'Email is invalid.', 'admin POST /new-user', { ...USER, email: 'eva' }],
    [
      'Hecho',
      'Se creó el usuario eva.luna. Comparte esta contraseña: k3v9x0qa',
      'admin POST /new-user',
      USER,
    ],
    [
      'Error',
      'Username, password and roles can not be empty.',
      'admin POST /admin-users?edit=1',
      { ...CHANGE, username: '' },
    ],
    ['Error', 'Email is invalid.', 'admin POST /admin-users?edit=1', { ...CHANGE, email: 'ana@' }],
    ['Hecho', 'User has been updated. Redirecting to user list...', 'admin POST /admin-users?edit=1', CHANGE],
    [
      'Hecho',
      'Password has been reset. Please, share this information with ana',
      'admin POST /admin-users?edit=1',
      { ...CHANGE, step: 'reset' },
    ],
  ],
  'of the profile': [
    ['Error', 'Passwords do not match!', 'staff POST /userprofile', { ...CHOSEN, confirmpassword: 'otra' }],
    ['Error', 'New password cannot be null!', 'staff POST /userprofile', { currentpassword: PASSWORD }],
    ['Hecho', 'Your password has been updated!', 'staff POST /userprofile', CHOSEN],
  ],
  'of every page': [
    ['text', 'Ver tus notificaciones', 'staff GET /invoices'],
    ['text', 'Ver y editar tu perfil', 'staff GET /invoices'],
    ['text', 'Clic para cerrar sesión', 'staff GET /invoices'],
    ['text', 'Unexpected Application Error!', 'admin GET /new-user', {}, { broken: 'roles' }],
    ['text', GENERIC, 'admin GET /new-user', {}, { broken: 'roles' }],
    ['text', 'Save User', 'admin GET /new-user'],
    ['text', 'Click to edit the user.', 'admin GET /admin-users'],
    ['text', 'DASHBOARD', 'director GET /invoices'],
    ['text', 'Dashboard', 'director GET /dashboard'],
  ],
};

describe.each(Object.entries(MESSAGES))('the messages %s', (_where, rows) => {
  const fresh = useFreshDatabase('sqlite');

  it.each(rows)('%s «%s»: %s', async (kind, message, request, fields, more) => {
    const page = await provoke(fresh.db, request, fields, more);
    expect(textsOf(page, kind)).toMatch(exactly(message));
  });
});

describe('the messages of a firm in Spanish', () => {
  const fresh = useFreshDatabase('sqlite');
  const others = Object.values(MESSAGES)
    .flat()
    .filter(([, message]) => toSpanish(message) !== message)
    .map(([kind, message, request, fields, more]) => ({ kind, message, request, fields, more }));

  it.each(others)('$kind «$message»', async ({ kind, message, request, fields, more }) => {
    await changeSetting(fresh.db, createActor(), 'idioma', 'es');
    const page = await provoke(fresh.db, request, fields, more);
    expect(textsOf(page, kind)).toMatch(exactly(toSpanish(message)));
    expect(page.decodedHtml).not.toContain(message);
    expect(page.decodedHtml).toContain('<html lang="es-MX" data-idioma="es">');
  });

  it('include, for programs, the messages that the specification gives', async () => {
    await changeSetting(fresh.db, createActor(), 'idioma', 'es');
    const client = await createTestApp({ db: fresh.db }).as(4);
    const refused = await client.post('/api/suppliers/newsupplier', { suppliername: 'Aceros' });
    expect(await refused.json()).toMatchObject({ message: 'Fields can not be empty.' });
    const users = await client.get('/api/users/search/');
    expect(await users.json()).toMatchObject({
      message: `${client.user.username} does not have privileges to see this page.`,
    });
  });
});

async function provoke(
  db: Db,
  request: string,
  fields: Record<string, string> = {},
  { broken }: More = {},
): Promise<PageContent> {
  const ana = await addUser(db, { username: 'ana', roles: [4], password: HASH });
  await addOneOfEach(db, ana.id);
  const app = createTestApp({ db });
  const [who = '', method, path = ''] = request.split(' ');
  const client = who === 'visitor' ? app.visitor() : await app.as(ROLES[who] ?? ana);
  if (broken) await sql`ALTER TABLE ${sql.table(broken)} RENAME TO gone`.execute(db);
  const answer = await (method === 'GET' ? client.get(path) : client.form(path, fields));
  return readPage(answer.status === 303 ? client.follow(answer) : answer);
}

async function addOneOfEach(db: Db, userId: number): Promise<void> {
  const clientId = await addClient(db);
  const part = {
    supplierId: await addSupplier(db),
    jobId: await addJob(db, { clientId }),
    numfactura: 'A-1',
  };
  await addRubro(db);
  await addFundingSource(db);
  const facturaproveedorId = await addInvoice(db, part);
  await addPayment(db, { facturaproveedorId, amountCents: 50_000, userId });
}

function textsOf({ alerts, decodedHtml }: PageContent, kind: Kind): string {
  if (kind === 'text') return decodedHtml.replace(/<head>.*?<\/head>/s, '');
  if (kind === 'Error!')
    return (
      /<dialog open.*?<h2[^>]*>Error!<\/h2>.*?role="alert"[^>]*>(.*?)<\/div>.*?>Cerrar</s.exec(
        decodedHtml,
      )?.[1] ?? ''
    );
  const tone = kind === 'Error' ? 'error: ' : 'success: ';
  return alerts.flatMap((alert) => (alert.startsWith(tone) ? [alert.slice(tone.length)] : [])).join('\n');
}

/** Matches a whole text; {id} is the id under which the log has the details. */
function exactly(message: string): RegExp {
  const plain = message.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{id}', '[0-9a-f]{8}');
  return new RegExp(`(^|\\n|>|")${plain}($|\\n|<|"| Intenta de nuevo| ?Deshacer)`);
}
