import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { createTestApp } from '../../support/app.ts';
import { useFreshDatabase } from '../../support/databases.ts';
import { readPage } from '../../support/page.ts';
import { addFund } from '../../support/petty-cash.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import {
  addClient,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
} from '../../support/rows.ts';

const EVERYBODY = [1, 2, 3, 4, 5, 6];

/** The specification's routes and those of the sidebar: address, title, roles. */
const ROUTES: readonly [path: string, title: string, roles: readonly number[]][] = [
  ['/', 'Resultados', EVERYBODY],
  ['/invoices', 'Facturas', EVERYBODY],
  ['/pagos-proveedores', 'Pagos realizados', EVERYBODY],
  ['/suppliers', 'Proveedores', EVERYBODY],
  ['/clients', 'Clientes', EVERYBODY],
  ['/jobs', 'Obras', EVERYBODY],
  ['/rubros', 'Rubros', EVERYBODY],
  ['/origenderecursos', 'Origen de recursos', EVERYBODY],
  ['/admin-users', 'Usuarios', [3]],
  ['/caja-chica', 'Caja chica', EVERYBODY],
  ['/importar', 'Importar', EVERYBODY],
  ['/new-supplier', 'Nuevo proveedor', EVERYBODY],
  ['/new-client', 'Nuevo cliente', EVERYBODY],
  ['/new-job', 'Nueva obra', EVERYBODY],
  ['/new-rubro', 'Nuevo rubro', EVERYBODY],
  ['/new-origen-de-recurso', 'Nuevo origen de recurso', EVERYBODY],
  ['/new-invoice', 'Nueva factura', EVERYBODY],
  ['/new-invoice/xml', 'Cargar XML', EVERYBODY],
  ['/new-payment', 'Nuevo pago', EVERYBODY],
  ['/new-user', 'Nuevo usuario', [3]],
  ['/userprofile', 'Mi perfil', EVERYBODY],
  ['/reporte-saldos', 'Saldos por proveedor', EVERYBODY],
  ['/dashboard', 'Dashboard', [1]],
  ['/admin-settings', 'Configuración', [3]],
  ['/help', 'Ayuda', EVERYBODY],
];

/** The edit screens: address without the id, title, and their list. */
const EDITS = [
  ['/editsupplierpage', 'Editar proveedor', '/suppliers', 'Proveedores', addSupplier],
  ['/editclientpage', 'Editar cliente', '/clients', 'Clientes', addClient],
  ['/editjobpage', 'Editar obra', '/jobs', 'Obras', addJob],
  ['/editrubropage', 'Editar rubro', '/rubros', 'Rubros', addRubro],
  [
    '/editorigenderecursopage',
    'Editar origen de recurso',
    '/origenderecursos',
    'Origen de recursos',
    addFundingSource,
  ],
  ['/editinvoicepage', 'Editar factura', '/invoices', 'Facturas', addInvoice],
  ['/editpaymentpage', 'Editar pago', '/pagos-proveedores', 'Pagos realizados', addOwnPayment],
] as const satisfies readonly (readonly [string, string, string, string, (db: Db) => Promise<number>])[];

async function addOwnPayment(db: Db): Promise<number> {
  const { id: userId } = await addUser(db);
  return addPayment(db, { facturaproveedorId: await addInvoice(db), amountCents: 100, userId });
}

const titleOf = (html: string) => [
  /<title>(.*?) · Saldo<\/title>/.exec(html)?.[1],
  /<h1[^>]*>(.*?)<\/h1>/.exec(html)?.[1],
];

describeOneDatabase('every route of the specification', (fresh) => {
  it.each(ROUTES)('%s is «%s», for its roles and nobody else', async (path, title, roles) => {
    const app = createTestApp({ db: fresh.db });
    for (const role of EVERYBODY) {
      const client = await app.as(role);
      const page = await readPage(client.get(path));
      if (roles.includes(role)) {
        expect([role, page.status, ...titleOf(page.decodedHtml)]).toEqual([role, 200, title, title]);
      } else {
        expect([role, page.status, ...titleOf(page.decodedHtml)]).toEqual([
          role,
          403,
          'Sin permiso',
          'Sin permiso',
        ]);
        expect(page.decodedHtml).toContain(
          `${client.user.username} does not have privileges to see this page.`,
        );
        expect(page.links('Ir a Facturas')).toEqual(['/invoices']);
      }
    }
    const next = path === '/' ? '' : `?${new URLSearchParams({ next: path })}`;
    expect((await app.visitor().get(path)).headers.get('location')).toBe(`/login${next}`);
  });

  it('/login greets whoever is not signed in, and leads on whoever is signed in', async () => {
    const app = createTestApp({ db: fresh.db });
    const page = await readPage(app.visitor().get('/login'));
    expect([page.status, ...titleOf(page.decodedHtml)]).toEqual([
      200,
      'Ingresar',
      'Bienvenido al sistema de costos de obra',
    ]);
    expect((await (await app.as(4)).get('/login')).headers.get('location')).toBe('/invoices');
    const holder = await addUser(fresh.db, { username: 'residente', roles: [5] });
    const { id } = await addFund(fresh.db, { responsableId: holder.id });
    const atCash = await app.as(holder);
    expect((await atCash.get('/login')).headers.get('location')).toBe(`/caja-chica/${id}`);
    await addFund(fresh.db, { responsableId: holder.id });
    expect((await atCash.get('/login')).headers.get('location')).toBe('/caja-chica');
  });

  it.each(EDITS)('%s/{id} is «%s»', async (path, title, _list, _label, add) => {
    const app = createTestApp({ db: fresh.db });
    const id = await add(fresh.db);
    for (const role of EVERYBODY) {
      const page = await readPage((await app.as(role)).get(`${path}/${id}`));
      const [tab, heading] = titleOf(page.decodedHtml);
      expect([role, page.status, tab?.split(' · ').at(-1), heading]).toEqual([role, 200, title, title]);
    }
    const response = await app.visitor().get(`${path}/${id}`);
    expect(response.headers.get('location')).toBe(`/login?next=${encodeURIComponent(`${path}/${id}`)}`);
  });

  it.each(EDITS)(
    '%s of a row that does not exist is a 404 with a way back',
    async (path, _title, list, label) => {
      const { as, loggedLines } = createTestApp({ db: fresh.db });
      const client = await as(4);
      for (const id of [
        '1',
        '0',
        '00',
        '-1',
        '1.5',
        'abc',
        '1e3',
        '99999999999999',
        '9'.repeat(30),
        '1/x',
        '%00',
        '1%27',
      ]) {
        for (const method of ['GET', 'POST']) {
          const page = await readPage(client.send(`${path}/${id}`, { method }));
          expect([method, id, page.status, ...titleOf(page.decodedHtml)]).toEqual([
            method,
            id,
            404,
            'No se encontró',
            'No se encontró',
          ]);
          expect(page.links(`Ir a ${label}`)).toEqual([list]);
          expect(page.links('Ir a Facturas')).toEqual(['/invoices']);
          // in the shell, and without script
          expect(page.decodedHtml).toContain('aria-label="Menú principal"');
          expect(page.decodedHtml).not.toContain('<script');
        }
      }
      expect(loggedLines.join('')).not.toContain('unexpected error');
    },
  );
});

describe('an address that leads nowhere', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each(['/nothing', '/editpaymentpage', '/nothing/at/all', '/invoices/7', '/%E0%A4%A', '/.env'])(
    'is a page with a way on: %s',
    async (path) => {
      const { as, visitor } = createTestApp({ db: fresh.db });
      const page = await readPage((await as(2)).get(path));
      expect([page.status, ...titleOf(page.decodedHtml)]).toEqual([404, 'No se encontró', 'No se encontró']);
      expect(page.decodedHtml).toContain('No existe esta página.');
      expect(page.links('Ir a Facturas')).toEqual(['/invoices']);
      const answer = await visitor().get(path);
      if (answer.status === 303) expect(answer.headers.get('location')).toMatch(/^\/login\?next=/);
      else {
        const signedOut = await readPage(answer);
        expect([signedOut.status, signedOut.links('Ingresar')]).toEqual([404, ['/login']]);
        expect(signedOut.decodedHtml).not.toContain('Menú principal');
      }
    },
  );

  it('offers a user without a role only signing out, and shows nothing of the firm', async () => {
    await addInvoice(fresh.db, { fechavencimiento: '2026-11-01' });
    const nobody = await createTestApp({ db: fresh.db }).as([]);
    const page = await readPage(nobody.get('/invoices'));
    expect([page.status, ...titleOf(page.decodedHtml)]).toEqual([403, 'Sin permiso', 'Sin permiso']);
    expect(page.decodedHtml).toContain(`${nobody.user.username} does not have privileges to see this page.`);
    expect(page.decodedHtml).toMatch(/<form action="\/logout" method="post"><button[^>]*>Cerrar sesión/);
    expect(page.decodedHtml.replace(/<head>.*<\/head>/s, '')).not.toMatch(/<a |vencida|Menú/);
  });
});

describe('a page that cannot be answered', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each([
    ['/admin-users?edit=uno', 400, 'Usuarios', 'edit: no es un número de registro.'],
    ['/admin-users?edit=1&edit=2', 400, 'Usuarios', 'El parámetro «edit» viene más de una vez.'],
  ])('because of the request says so inside the frame: %s', async (path, status, title, message) => {
    const page = await readPage((await createTestApp({ db: fresh.db }).as(3)).get(path));
    expect([page.status, ...titleOf(page.decodedHtml)]).toEqual([status, title, title]);
    expect(page.decodedHtml).toContain(message);
    expect(page.decodedHtml).toContain('Menú principal');
  });

  it('because of the size of the request says so inside the frame', async () => {
    const client = await createTestApp({ db: fresh.db }).as(4);
    const page = await readPage(client.form('/new-supplier', { suppliername: 'x'.repeat(300_000) }));
    expect([page.status, ...titleOf(page.decodedHtml)]).toEqual([
      413,
      'Demasiado grande',
      'Demasiado grande',
    ]);
    expect(page.decodedHtml).toContain('La solicitud pasa de 256 KB.');
    expect(page.decodedHtml).toContain('Menú principal');
  });

  it('because something failed has the specified title, the id of the log and no stack', async () => {
    const { as, loggedLines } = createTestApp({ db: fresh.db });
    const client = await as(3);
    await sql`ALTER TABLE roles RENAME TO gone`.execute(fresh.db);
    const page = await readPage(client.get('/new-user'));
    expect([page.status, ...titleOf(page.decodedHtml)]).toEqual([
      500,
      'Unexpected Application Error!',
      'Unexpected Application Error!',
    ]);
    const [, id = '?'] =
      /Ocurrió un error\. Intenta de nuevo\. \(id ([0-9a-f]{8})\)/.exec(page.decodedHtml) ?? [];
    expect(loggedLines.filter((line) => line.includes(id) && line.includes('no such table'))).toHaveLength(1);
    const html = page.decodedHtml.replace(/<link rel="preload" as="font"[^>]*>/, '');
    expect(html).not.toMatch(/no such table|SQLITE|at \w+ \(|node_modules|<script/);
    expect(page.links('Ir a Facturas')).toEqual(['/invoices']);
  });
});
