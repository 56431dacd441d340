import { type Area, mayEnter } from '../../shared/roles.ts';
import { EXPORT_FORMATS, exportOf, pages } from '../../shared/urls.ts';

export type Access = Area | 'public';

/**
 * Who may ask for what, by the beginning of the path. A path that is not here is not found for anybody: a
 * new route without a rule answers nothing.
 */
const RULES: ReadonlyArray<readonly [prefix: string, access: Access]> = [
  ['/healthz', 'public'],
  ['/readyz', 'public'],
  ['/assets', 'public'],
  ['/favicon.ico', 'public'],
  [pages.login, 'public'],
  [pages.logout, 'public'],
  ...EXPORT_FORMATS.map((format) => [exportOf(pages.results, format), 'work'] as const),
  [pages.invoices, 'work'],
  [pages.newInvoice, 'work'],
  ['/editinvoicepage', 'work'],
  [pages.payments, 'work'],
  [pages.newPayment, 'work'],
  ['/editpaymentpage', 'work'],
  [pages.suppliers, 'work'],
  ['/new-supplier', 'work'],
  ['/editsupplierpage', 'work'],
  [pages.clients, 'work'],
  ['/new-client', 'work'],
  ['/editclientpage', 'work'],
  [pages.jobs, 'work'],
  ['/new-job', 'work'],
  ['/editjobpage', 'work'],
  [pages.rubros, 'work'],
  ['/new-rubro', 'work'],
  ['/editrubropage', 'work'],
  [pages.fundingSources, 'work'],
  ['/new-origen-de-recurso', 'work'],
  ['/editorigenderecursopage', 'work'],
  [pages.balances, 'work'],
  [pages.pettyCash, 'work'],
  [pages.imports, 'work'],
  [pages.dashboard, 'dashboard'],
  [pages.settings, 'admin'],
  [pages.profile, 'self'],
  [pages.help, 'self'],
  [pages.users, 'admin'],
  [pages.newUser, 'admin'],
  ['/api/suppliers', 'work'],
  ['/api/clients', 'work'],
  ['/api/jobs', 'work'],
  ['/api/rubros', 'work'],
  ['/api/origenderecurso', 'work'],
  ['/api/facturaproveedores', 'work'],
  ['/api/payments', 'work'],
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

/** The rule of a path, or undefined where there is none. `/` stands for itself alone. */
export function accessTo(path: string): Access | undefined {
  if (path === '/') return 'work';
  return RULES.find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))?.[1];
}

export const isAllowed = (access: Access, roles: readonly number[]): boolean =>
  access === 'public' || mayEnter(access, roles);

/** What a user who must change the password may still ask for. */
export const isOwnPasswordPath = (path: string): boolean =>
  [pages.profile, '/api/auth/changepsw', '/api/auth/signout', '/api/test/user'].some(
    (allowed) => path === allowed || path === `${allowed}/`,
  );
