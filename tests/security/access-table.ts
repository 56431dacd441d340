import type { Route } from './routes.ts';

export const EVERYBODY = [1, 2, 3, 4, 5, 6];
const CATALOGS = ['suppliers', 'clients', 'jobs', 'rubros', 'origenderecurso'];
const KINDS = ['supplier', 'client', 'job', 'rubro', 'origenderecurso'];

/** Lists addresses below `base`; a dot stands for `base` itself. */
const below = (base: string, rest: string): string[] =>
  rest.split(' ').map((end) => (end === '.' ? base : `${base}/${end}`));
const EXPORTS = 'export.pdf export.xlsx export.csv export.json';
const list = (path: string) => below(path, `. ${EXPORTS}`);

/**
 * The roles that may request each route, stated independently of the code. A route that no list names fails the test.
 */
const PUBLIC = [
  ...below('', 'healthz readyz assets/:name favicon.ico login login/codigo logout'),
  '/api/auth/signin',
];
const DIRECTION = ['/dashboard'];
const ADMINISTRATORS = [
  ...below('/admin-settings', '. :subject logo respaldos respaldos/:name'),
  ...below('/admin-settings/plantillas', '. :code :code/restablecer'),
  ...below('/empezar', '. empresa obra proveedor origen ocultar'),
  ...below('/cierre', '. reabrir export.pdf'),
  ...list('/bitacora'),
  ...list('/admin-users'),
  '/new-user',
  ...below('/api', 'audit users/search test/getusers test/getusers/:id'),
  ...below('/api/auth', 'signup resetpsw updateusersdata updateusersdata/:id'),
];
/** Bank balances and the cash flow. */
const CASH = [...list('/flujo'), '/api/flujo'];
const FISCAL = [
  ...list('/fiscal/cruce'),
  ...list('/fiscal/polizas'),
  ...list('/fiscal/rep'),
  ...list('/fiscal/69b'),
  ...list('/fiscal/diot'),
  ...list('/fiscal/retenciones'),
  ...below('/fiscal', '. metadatos cancelados cruce/ligar'),
  ...below('/api/fiscal', '. metadatos cruce cruce/ligar rep 69b diot diot/export.txt retenciones polizas'),
];
const MAIL = [
  ...list('/correos'),
  '/correos/:id/reintentar',
  ...below(
    '',
    'estado-cuenta/:id/enviar fiscal/rep/:id/enviar fiscal/rep/enviar editpaymentpage/:id/aviso/enviar programaciones/:id/avisos/enviar',
  ),
  ...below('/api', 'correos correos/:id/reintentar suppliers/:id/statement/enviar suppliers/:id/rep/enviar'),
  ...below('/api', 'payments/:id/aviso/enviar programaciones/:id/avisos/enviar'),
];
const WORK = [
  '/',
  ...below('', EXPORTS),
  ...below('', 'suppliers clients jobs rubros origenderecursos').flatMap(list),
  ...below('', 'new-supplier new-client new-job new-rubro new-origen-de-recurso'),
  ...KINDS.flatMap((kind) => below(`/edit${kind}page/:id`, '. eliminar deshacer')),
  ...below(
    '/editsupplierpage',
    ':id/saldo-a-favor nota-de-credito/:id/eliminar nota-de-credito/:id/deshacer',
  ),
  ...list('/cuentas-bancarias'),
  ...below('/editsupplierpage/:id/cuentas', '. :cuentaId :cuentaId/confianza :cuentaId/eliminar'),
  ...list('/invoices'),
  ...below('/invoices', 'cambiar vistas'),
  ...below('/new-invoice', '. documento/:upload xml xml/:load xml/:load/sin-guardar.zip'),
  ...below('/editinvoicepage/:id', '. eliminar deshacer desligar'),
  ...below('/editinvoicepage/:id/adjuntos', '. :attachment :attachment/ver :attachment/quitar'),
  ...list('/estado-cuenta/:id'),
  ...below('', 'estado-cuenta/:id/aviso.pdf editpaymentpage/:id/aviso.pdf'),
  ...list('/notas-de-credito'),
  '/new-credit-note',
  '/paleta/suggest',
  ...list('/pagos-dobles'),
  '/pagos-dobles/:pair',
  ...list('/pagos-proveedores'),
  ...below('/pagos-proveedores', 'vistas :id/eliminar :id/deshacer'),
  ...below('', 'new-payment editpaymentpage/:id'),
  ...list('/programaciones'),
  ...list('/programaciones/:id'),
  ...below('/programaciones/:id', 'avisos.pdf regresar eliminar'),
  ...below(
    '/programaciones',
    'nueva estados-de-cuenta estados-de-cuenta/:id estados-de-cuenta/movimientos/:id plantillas/:code',
  ),
  ...list('/reporte-saldos'),
  ...list('/presupuestos'),
  ...['', '/:id', '/movimientos'].flatMap((end) => list(`/caja-chica${end}`)),
  ...below('/caja-chica', 'gastos por-comprobar reposiciones/:id reposiciones/:id/retirar arqueos/:id'),
  ...below('/caja-chica/:id', 'nuevo-movimiento leer-xml reposicion arqueo'),
  ...below('/caja-chica/movimientos/:id', '. eliminar deshacer leer-xml'),
  ...below('/caja-chica/movimientos/:id/adjuntos', '. :attachment :attachment/ver :attachment/quitar'),
  ...below('/importar', '. plantilla.csv :id :id/rechazadas.csv'),
  ...CATALOGS.flatMap((name) => below(`/api/${name}`, '. search suggest :id :id/restore findbyid/:id')),
  ...below('/api', 'suppliers/newsupplier clients/newclient jobs/newjob rubros/newrubro'),
  '/api/origenderecurso/neworiginofresource',
  ...below('/api/suppliers/:id', 'statement cuentas cuentas/:cuentaId'),
  ...below('/api/facturaproveedores', '. search suggest usual newfacturaproveedor reporting/pivot'),
  ...below('/api/facturaproveedores/:id', '. restore'),
  ...below('/api/creditos', '. :id :id/restore'),
  ...below(
    '/api/payments',
    '. search :id :id/restore findbyid/:id newpayment pendingpayment dobles dobles/:pair',
  ),
  ...below('/api/presupuestos/:id', '. history'),
  ...below('/api/programaciones', '. :id :id/regresar :id/plantillas plantillas'),
  ...below(
    '/api/programaciones/estados-de-cuenta',
    '. :id movimientos movimientos/:id movimientos/:id/propuestas reglas',
  ),
  ...below('/api/cajachica', '. :id reposiciones/:id movimientos/:id movimientos/:id/restore'),
  ...below('/api/cajachica/:id', 'movimientos reposicion reposiciones arqueo arqueos'),
];
/** Steps that the author of a batch or request may not take alone. */
const APPROVERS = [
  ...['/programaciones', '/api/programaciones'].flatMap((batches) => [
    ...below(`${batches}/:id`, 'autorizar enviar archivos pagar archivos/:archivoId/descargar'),
    ...below(`${batches}/estados-de-cuenta`, 'cargar movimientos/:id/devolver'),
    ...below(`${batches}/estados-de-cuenta/movimientos/:id`, 'resolver soltar'),
  ]),
  '/programaciones/estados-de-cuenta/reglas/:id/eliminar',
  '/api/programaciones/estados-de-cuenta/reglas/:id',
  ...below('/programaciones', ':id/partidas/:line/permitir plantillas/:code/confirmar'),
  ...below('/api/programaciones', ':id/partidas/:facturaproveedorId/permitir plantillas/confirmar'),
  ...below(
    '/caja-chica',
    'nuevo-fondo :id/editar :id/cerrar :id/entregar :id/eliminar reposiciones/:id/deshacer',
  ),
  ...below('/api/cajachica/:id', 'cerrar entregar'),
  ...['/caja-chica', '/api/cajachica'].flatMap((funds) =>
    below(funds, 'movimientos/:id/aceptar reposiciones/:id/autorizar arqueos/:id/ajustar'),
  ),
];
const ANYONE_SIGNED_IN = [
  ...below('/userprofile', '. doble-factor filas sesiones tema'),
  ...below('/notificaciones', '. campana posponer'),
  '/api/firmas',
  ...below('/help', '. :topic'),
  ...below('/api', 'roles/search auth/signout auth/changepsw test/user openapi.json docs'),
];
/** Deleting a whole list requires more than access to the list. */
const WHOLE_LISTS = ['facturaproveedores', 'payments', ...CATALOGS].map((list) => `/api/${list}`);

/** Everybody sees funds; only those responsible for money open, hand over and change them. */
const FUNDS = ['/api/cajachica', '/api/cajachica/:id'];

export const TABLE: readonly (readonly [readonly string[], 'public' | readonly number[]])[] = [
  [PUBLIC, 'public'],
  [DIRECTION, [1]],
  [ADMINISTRATORS, [3]],
  [MAIL, [1, 2, 3]],
  [WORK, EVERYBODY],
  [APPROVERS, [1, 2]],
  [CASH, [1, 2, 3]],
  [FISCAL, [1, 2, 3]],
  [ANYONE_SIGNED_IN, EVERYBODY],
];

/** Everybody reads budgets; approvers set them. */
const BUDGETS = ['/presupuestos', '/api/presupuestos/:id'];

export function whoMay({ method, pattern }: Route): 'public' | readonly number[] | undefined {
  if (!['GET', 'HEAD'].includes(method) && BUDGETS.includes(pattern)) return [1, 2];
  if (method === 'DELETE' && WHOLE_LISTS.includes(pattern)) return [3];
  if (method !== 'GET' && FUNDS.includes(pattern)) return [1, 2];
  return TABLE.find(([patterns]) => patterns.includes(pattern))?.[1];
}

/**
 * GET routes in two classes; one that is in neither fails the test. These are answered from the cache until something
 * is written.
 */
export const CACHED = [
  '/',
  ...below('', 'suppliers clients jobs rubros origenderecursos invoices invoices/vistas pagos-proveedores'),
  ...below(
    '',
    'pagos-dobles pagos-dobles/:pair pagos-proveedores/vistas notas-de-credito cuentas-bancarias presupuestos reporte-saldos flujo',
  ),
  ...below('/fiscal', '. cruce cancelados rep 69b diot retenciones polizas'),
  ...below('', 'correos bitacora dashboard cierre admin-users importar estado-cuenta/:id help help/:topic'),
  ...KINDS.filter((kind) => kind !== 'supplier').map((kind) => `/edit${kind}page/:id`),
  ...below('', 'editinvoicepage/:id editpaymentpage/:id admin-settings admin-settings/:subject'),
  ...below('', 'admin-settings/plantillas/:code notificaciones notificaciones/campana paleta/suggest'),
  ...below('', 'userprofile userprofile/doble-factor'),
  ...below('/programaciones', '. :id plantillas/:code estados-de-cuenta estados-de-cuenta/:id'),
  '/programaciones/estados-de-cuenta/movimientos/:id',
  ...below('/caja-chica', '. :id :id/editar :id/reposicion movimientos movimientos/:id por-comprobar gastos'),
  ...below('/caja-chica', 'reposiciones/:id arqueos/:id'),
  ...CATALOGS.flatMap((name) => below(`/api/${name}`, '. search suggest :id findbyid/:id')),
  ...below('/api/suppliers/:id', 'statement cuentas cuentas/:cuentaId'),
  ...below('/api/facturaproveedores', '. search suggest usual reporting/pivot :id'),
  ...below('/api/payments', '. search :id findbyid/:id pendingpayment dobles'),
  ...below(
    '/api',
    'creditos creditos/:id presupuestos/:id presupuestos/:id/history audit firmas flujo fiscal fiscal/cruce fiscal/rep fiscal/69b fiscal/diot fiscal/retenciones fiscal/polizas docs test/user',
  ),
  ...below('/api/programaciones', '. :id plantillas :id/plantillas :id/archivos estados-de-cuenta'),
  ...below(
    '/api/programaciones/estados-de-cuenta',
    ':id movimientos movimientos/:id movimientos/:id/propuestas reglas',
  ),
  '/api/correos',
  ...below('/api', 'users/search roles/search test/getusers'),
  ...below('/api/cajachica', '. :id :id/movimientos movimientos/:id :id/reposiciones :id/arqueos'),
  '/api/test/getusers/:id',
];

/** The answers of these addresses are never cached: files, forms with a key, pages about more than the database, redirects. */
export const UNCACHED_ROUTES = [
  ...below('', 'new-supplier new-client new-job new-rubro new-origen-de-recurso new-user new-credit-note'),
  ...below('/new-invoice', '. documento/:upload xml xml/:load xml/:load/sin-guardar.zip'),
  '/invoices/cambiar',
  ...below('', 'new-payment empezar editsupplierpage/:id importar/:id importar/:id/rechazadas.csv'),
  ...below(
    '',
    'programaciones/nueva caja-chica/nuevo-fondo caja-chica/:id/nuevo-movimiento caja-chica/:id/arqueo caja-chica/:id/cerrar caja-chica/:id/entregar',
  ),
  ...below('/admin-settings', 'logo respaldos/:name plantillas plantillas/:code/restablecer'),
  '/editsupplierpage/nota-de-credito/:id/eliminar',
  ...['/editinvoicepage/:id', '/caja-chica/movimientos/:id'].flatMap((path) =>
    below(`${path}/adjuntos`, ':attachment :attachment/ver :attachment/quitar'),
  ),
  ...below('', 'importar/plantilla.csv api/openapi.json programaciones/:id/avisos.pdf'),
  ...below('', 'estado-cuenta/:id/aviso.pdf editpaymentpage/:id/aviso.pdf'),
  ...below(
    '',
    'estado-cuenta/:id/enviar fiscal/rep/:id/enviar fiscal/rep/enviar editpaymentpage/:id/aviso/enviar programaciones/:id/avisos/enviar',
  ),
  ...TABLE.flatMap(([patterns]) => patterns).filter((pattern) => /\/export\.\w+$/.test(pattern)),
];
