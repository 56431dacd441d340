import type { Route } from './routes.ts';

export const EVERYBODY = [1, 2, 3, 4, 5, 6];
const CATALOGS = ['suppliers', 'clients', 'jobs', 'rubros', 'origenderecurso'];
const KINDS = ['supplier', 'client', 'job', 'rubro', 'origenderecurso'];

/** A list's own files. */
function exportsOf(list: string): string[] {
  return ['pdf', 'xlsx', 'csv', 'json'].map((format) => `${list}/export.${format}`);
}

/**
 * Who may ask for what, written down once more: a route that is in none of these lists fails the test, and
 * whoever adds it decides here who may.
 */
const PUBLIC = [
  '/healthz',
  '/readyz',
  '/assets/:name',
  '/favicon.ico',
  '/login',
  '/login/codigo',
  '/logout',
  '/api/auth/signin',
];
const DIRECTION = ['/dashboard'];
const ADMINISTRATORS = [
  '/admin-settings',
  '/empezar',
  '/empezar/empresa',
  '/empezar/ocultar',
  '/bitacora',
  '/cierre',
  '/cierre/reabrir',
  '/cierre/export.pdf',
  ...exportsOf('/bitacora'),
  '/admin-settings/idioma',
  '/admin-settings/logo',
  '/admin-settings/respaldos',
  '/admin-settings/respaldos/:name',
  '/admin-users',
  ...exportsOf('/admin-users'),
  '/new-user',
  '/api/users/search',
  '/api/test/getusers',
  '/api/test/getusers/:id',
  '/api/auth/signup',
  '/api/auth/resetpsw',
  '/api/auth/updateusersdata',
  '/api/auth/updateusersdata/:id',
  '/api/audit',
];
const WORK = [
  '/',
  ...exportsOf(''),
  '/invoices',
  '/invoices/vistas',
  ...exportsOf('/invoices'),
  '/new-invoice',
  '/editsupplierpage/:id/saldo-a-favor',
  '/editsupplierpage/nota-de-credito/:id/eliminar',
  '/editinvoicepage/:id',
  '/editinvoicepage/:id/eliminar',
  '/editinvoicepage/:id/deshacer',
  '/editinvoicepage/:id/desligar',
  '/editinvoicepage/:id/adjuntos',
  '/editinvoicepage/:id/adjuntos/:attachment',
  '/editinvoicepage/:id/adjuntos/:attachment/quitar',
  '/new-invoice/xml',
  '/new-invoice/xml/:load',
  '/new-invoice/xml/:load/sin-guardar.zip',
  '/estado-cuenta/:id',
  ...exportsOf('/estado-cuenta/:id'),
  '/estado-cuenta/:id/aviso.pdf',
  '/editpaymentpage/:id/aviso.pdf',
  '/pagos-proveedores',
  '/pagos-proveedores/vistas',
  ...exportsOf('/pagos-proveedores'),
  '/pagos-proveedores/:id/eliminar',
  '/pagos-proveedores/:id/deshacer',
  '/programaciones',
  ...exportsOf('/programaciones'),
  '/programaciones/nueva',
  '/programaciones/:id',
  ...exportsOf('/programaciones/:id'),
  '/programaciones/:id/avisos.pdf',
  '/programaciones/:id/regresar',
  '/programaciones/:id/eliminar',
  '/new-payment',
  '/editpaymentpage/:id',
  '/reporte-saldos',
  ...exportsOf('/reporte-saldos'),
  '/presupuestos',
  ...exportsOf('/presupuestos'),
  '/caja-chica',
  '/caja-chica/gastos',
  '/caja-chica/nuevo-fondo',
  '/caja-chica/:id',
  ...exportsOf('/caja-chica'),
  ...exportsOf('/caja-chica/:id'),
  '/caja-chica/:id/editar',
  '/caja-chica/:id/eliminar',
  '/caja-chica/:id/nuevo-movimiento',
  '/caja-chica/movimientos/:id',
  '/caja-chica/movimientos/:id/eliminar',
  '/caja-chica/movimientos/:id/deshacer',
  '/importar',
  '/importar/plantilla.csv',
  '/importar/:id',
  '/importar/:id/rechazadas.csv',
  '/new-supplier',
  '/new-client',
  '/new-job',
  '/new-rubro',
  '/new-origen-de-recurso',
  ...['suppliers', 'clients', 'jobs', 'rubros', 'origenderecursos'].flatMap((list) => [
    `/${list}`,
    ...exportsOf(`/${list}`),
  ]),
  ...KINDS.flatMap((kind) => [
    `/edit${kind}page/:id`,
    `/edit${kind}page/:id/eliminar`,
    `/edit${kind}page/:id/deshacer`,
  ]),
  ...CATALOGS.flatMap((list) => [
    `/api/${list}`,
    `/api/${list}/search`,
    `/api/${list}/suggest`,
    `/api/${list}/:id`,
    `/api/${list}/findbyid/:id`,
  ]),
  '/api/suppliers/newsupplier',
  '/api/suppliers/:id/statement',
  '/api/clients/newclient',
  '/api/jobs/newjob',
  '/api/rubros/newrubro',
  '/api/origenderecurso/neworiginofresource',
  '/api/facturaproveedores',
  '/api/facturaproveedores/search',
  '/api/facturaproveedores/suggest',
  '/api/facturaproveedores/usual',
  '/api/facturaproveedores/:id',
  '/api/facturaproveedores/newfacturaproveedor',
  '/api/facturaproveedores/reporting/pivot',
  '/api/payments',
  '/api/payments/search',
  '/api/payments/:id',
  '/api/payments/:id/restore',
  '/api/facturaproveedores/:id/restore',
  ...CATALOGS.map((name) => `/api/${name}/:id/restore`),
  '/api/payments/findbyid/:id',
  '/api/payments/newpayment',
  '/api/payments/pendingpayment',
  '/api/presupuestos/:id',
  '/api/programaciones',
  '/api/programaciones/:id',
  '/api/programaciones/:id/regresar',
  '/api/presupuestos/:id/history',
];
/** Steps of a batch of payments that its author alone may not take. */
const APPROVERS = [
  ...['autorizar', 'enviar', 'pagar'].flatMap((step) => [
    `/programaciones/:id/${step}`,
    `/api/programaciones/:id/${step}`,
  ]),
  '/programaciones/:id/partidas/:line/permitir',
  '/api/programaciones/:id/partidas/:facturaproveedorId/permitir',
];
const ANYONE_SIGNED_IN = [
  '/userprofile',
  '/userprofile/doble-factor',
  '/userprofile/filas',
  '/userprofile/sesiones',
  '/userprofile/tema',
  '/notificaciones',
  '/notificaciones/vistas',
  '/notificaciones/posponer',
  '/help',
  '/help/:topic',
  '/api/roles/search',
  '/api/auth/signout',
  '/api/auth/changepsw',
  '/api/test/user',
  '/api/openapi.json',
  '/api/docs',
];
/** A whole list at once, which takes more than the list itself does. */
const WHOLE_LISTS = ['facturaproveedores', 'payments', ...CATALOGS].map((list) => `/api/${list}`);

export const TABLE: readonly (readonly [readonly string[], 'public' | readonly number[]])[] = [
  [PUBLIC, 'public'],
  [DIRECTION, [1]],
  [ADMINISTRATORS, [3]],
  [WORK, EVERYBODY],
  [APPROVERS, [1, 2]],
  [ANYONE_SIGNED_IN, EVERYBODY],
];

/** Who may ask for the route; undefined where nobody wrote it down. */
export function whoMay({ method, pattern }: Route): 'public' | readonly number[] | undefined {
  if (method === 'DELETE' && WHOLE_LISTS.includes(pattern)) return [3];
  return TABLE.find(([patterns]) => patterns.includes(pattern))?.[1];
}
