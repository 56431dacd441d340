/** Who may enter each area: the menu, the page guard and the API guard all use this. */
const ALL_ROLES: readonly number[] = [1, 2, 3, 4, 5, 6];
export const ADMIN_ROLE = 3;

export const AREA_ROLES = {
  work: ALL_ROLES, // invoices, payments, lists, reports
  self: ALL_ROLES, // the user's own profile and session, role names
  dashboard: [1],
  admin: [ADMIN_ROLE],
  approval: [1, 2], // signing and paying batches of payments; preparing them is work
  budgets: [1, 2], // saying what obras may cost; everybody reads it
  trust: [1, 2, ADMIN_ROLE], // saying that an account of a supplier's may be paid; capturing one is work
  helpMenu: [1, 3], // the menu entry alone: the help page itself opens for everybody
} as const satisfies Record<string, readonly number[]>;

export type Area = keyof typeof AREA_ROLES;

export const mayEnter = (area: Area, roles: readonly number[]): boolean =>
  AREA_ROLES[area].some((role) => roles.includes(role));

/** {name} is the username (specification, section 6). */
export const describeMissingPrivileges = (username: string, action = 'see this page'): string =>
  `${username} does not have privileges to ${action}.`;

export const ROLE_NAMES: Readonly<Record<number, string>> = {
  1: 'Dirección',
  2: 'Contabilidad',
  3: 'Administrador',
  4: 'Compras',
  5: 'Residente de obra',
  6: 'Auxiliar',
};
