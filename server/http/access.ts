import { catalogs } from '../../shared/catalogs/all.ts';
import { type Area, mayEnter } from '../../shared/roles.ts';
import { EXPORT_FORMATS, exportPath, pages } from '../../shared/urls.ts';
import { LISTS } from '../lists/all.ts';

type Access = Area | 'public';

interface ScreenAccess {
  /** The rule also covers all paths below this one. */
  path: string;
  area: Area;
  help: string;
  /** For a page that belongs to a list: the list that it returns to, and that the menu marks as current. */
  list?: string;
}

export const coversPath = (path: string, requestedPath: string) =>
  requestedPath === path || (path !== '/' && requestedPath.startsWith(`${path}/`));

/** Where two of these paths cover a requested one, the first applies. */
const SCREENS: readonly ScreenAccess[] = [
  { path: pages.loadInvoice, area: 'work', help: 'cargar-xml', list: pages.invoices },
  { path: pages.newInvoice, area: 'work', help: 'capturar-factura', list: pages.invoices },
  { path: pages.changeInvoices, area: 'work', help: 'corregir-factura', list: pages.invoices },
  { path: '/editinvoicepage', area: 'work', help: 'corregir-factura', list: pages.invoices },
  { path: pages.newCreditNote, area: 'work', help: 'notas-de-credito', list: pages.creditNotes },
  { path: pages.newPayment, area: 'work', help: 'registrar-pago', list: pages.payments },
  { path: '/editpaymentpage', area: 'work', help: 'registrar-pago', list: pages.payments },
  ...catalogs.flatMap(({ paths: { list, create, edit }, help }) =>
    [create, edit].map((path) => ({ path, area: 'work' as const, help, list })),
  ),
  { path: pages.imports, area: 'work', help: 'importar', list: pages.imports },
  { path: '/estado-cuenta', area: 'work', help: 'estado-de-cuenta', list: pages.balances },
  { path: pages.dashboard, area: 'dashboard', help: 'dashboard' },
  { path: pages.settings, area: 'admin', help: 'configuracion', list: pages.settings },
  { path: pages.closing, area: 'admin', help: 'cierre' },
  { path: pages.firstSteps, area: 'admin', help: 'configuracion' },
  { path: pages.newUser, area: 'admin', help: 'usuarios', list: pages.users },
  { path: pages.profile, area: 'self', help: 'perfil' },
  { path: pages.notices, area: 'self', help: 'campana' },
  { path: pages.doublePayments, area: 'work', help: 'pagos-dobles', list: pages.payments },
  ...LISTS.map(({ page, area, help }) => ({
    ...{ path: page, area, help },
    list: coversPath(pages.fiscal, page) ? pages.fiscal : page,
  })),
  { path: pages.fiscal, area: 'fiscal', help: 'fiscal', list: pages.fiscal },
];

export const findScreen = (requestedPath: string): ScreenAccess | undefined =>
  SCREENS.find(({ path }) => coversPath(path, requestedPath));

const ACCESS_RULES: ReadonlyArray<readonly [prefix: string, access: Access]> = [
  ['/healthz', 'public'],
  ['/readyz', 'public'],
  ['/assets', 'public'],
  ['/favicon.ico', 'public'],
  [pages.login, 'public'],
  [pages.logout, 'public'],
  [pages.help, 'self'],
  ['/paleta', 'self'],
  ...EXPORT_FORMATS.map((format) => [exportPath(pages.results, format), 'work'] as const),
  ...catalogs.map(({ paths: { api } }) => [api, 'work'] as const),
  ['/api/facturaproveedores', 'work'],
  ['/api/payments', 'work'],
  ['/api/creditos', 'work'],
  ['/api/presupuestos', 'work'],
  ['/api/flujo', 'cash'],
  ['/api/fiscal', 'fiscal'],
  ['/api/programaciones', 'work'],
  ['/api/cajachica', 'work'],
  ['/api/firmas', 'self'],
  ['/api/correos', 'mail'],
  ['/api/audit', 'admin'],
  ['/api/users', 'admin'],
  ['/api/test/getusers', 'admin'],
  ['/api/auth/signup', 'admin'],
  ['/api/auth/updateusersdata', 'admin'],
  ['/api/auth/resetpsw', 'admin'],
  ['/api/roles', 'self'],
  ['/api/openapi.json', 'self'],
  ['/api/docs', 'self'],
  ['/api/auth/signin', 'public'],
  ['/api/auth/signout', 'self'],
  ['/api/auth/changepsw', 'self'],
  ['/api/test/user', 'self'],
];

/** @returns undefined for a path without a rule, which is then not found for anybody */
export const findAccess = (path: string): Access | undefined =>
  findScreen(path)?.area ?? ACCESS_RULES.find(([prefix]) => coversPath(prefix, path))?.[1];

export const isAllowed = (access: Access, roles: readonly number[]): boolean =>
  access === 'public' || mayEnter(access, roles);

/** A user who must change the password may request only these paths. */
export const isPasswordChangePath = (path: string): boolean =>
  includesPath(path, [pages.profile, '/api/auth/changepsw', '/api/auth/signout', '/api/test/user']);

export const isSecondFactorPath = (path: string): boolean =>
  includesPath(path, [pages.secondFactor, '/api/auth/signout', '/api/test/user']);

const includesPath = (path: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => path === one || path === `${one}/`);
