import { catalogs } from '../../shared/catalogs/all.ts';
import { type Area, mayEnter } from '../../shared/roles.ts';
import { EXPORT_FORMATS, exportOf, pages } from '../../shared/urls.ts';
import { LISTS } from '../lists/all.ts';
import type { List } from '../lists/list.ts';

type Access = Area | 'public';

/**
 * Access by the beginning of the path. A path that is not here is not found for anybody: a new route without a rule
 * answers nothing.
 */
const RULES: ReadonlyArray<readonly [prefix: string, access: Access]> = [
  ['/healthz', 'public'],
  ['/readyz', 'public'],
  ['/assets', 'public'],
  ['/favicon.ico', 'public'],
  [pages.login, 'public'],
  [pages.logout, 'public'],
  ...LISTS.flatMap(listRules),
  [pages.newInvoice, 'work'],
  ['/editinvoicepage', 'work'],
  [pages.newPayment, 'work'],
  ['/editpaymentpage', 'work'],
  ...catalogs.flatMap(({ paths: { create, edit, api } }) =>
    [create, edit, api].map((path) => [path, 'work'] as const),
  ),
  ['/estado-cuenta', 'work'],
  [pages.imports, 'work'],
  [pages.dashboard, 'dashboard'],
  [pages.settings, 'admin'],
  [pages.closing, 'admin'],
  [pages.firstSteps, 'admin'],
  [pages.profile, 'self'],
  [pages.notices, 'self'],
  [pages.help, 'self'],
  [pages.newUser, 'admin'],
  ['/api/facturaproveedores', 'work'],
  ['/api/payments', 'work'],
  ['/api/presupuestos', 'work'],
  ['/api/programaciones', 'work'],
  ['/api/cajachica', 'work'],
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

/** A list with what lies below it; below `/` everything lies, so there the exports are named. */
function listRules({ page, area }: List): (typeof RULES)[number][] {
  if (page !== '/') return [[page, area]];
  return EXPORT_FORMATS.map((format) => [exportOf(page, format), area]);
}

/** `/` stands for itself alone. */
export function accessTo(path: string): Access | undefined {
  if (path === '/') return 'work';
  return RULES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}

export const isAllowed = (access: Access, roles: readonly number[]): boolean =>
  access === 'public' || mayEnter(access, roles);

/** A user who must change the password may ask for these alone. */
export const isOwnPasswordPath = (path: string): boolean =>
  isOneOf(path, [pages.profile, '/api/auth/changepsw', '/api/auth/signout', '/api/test/user']);

/** A user who must add a second factor may ask for these alone. */
export const isSecondFactorPath = (path: string): boolean =>
  isOneOf(path, [pages.secondFactor, '/api/auth/signout', '/api/test/user']);

const isOneOf = (path: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => path === one || path === `${one}/`);
