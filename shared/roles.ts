const ALL_ROLES: readonly number[] = [1, 2, 3, 4, 5, 6];
export const ADMIN_ROLE = 3;

/** The roles that may enter each area. The menu, the page guard and the API guard all use this. */
export const AREA_ROLES = {
  work: ALL_ROLES, // invoices, payments, lists, reports
  self: ALL_ROLES, // the user's own profile and session, role names
  dashboard: [1],
  admin: [ADMIN_ROLE],
  approval: [1, 2], // signing and paying batches of payments; preparing them belongs to `work`
  budgets: [1, 2], // setting the budgets of obras; everybody may read them
  cash: [1, 2, ADMIN_ROLE], // what is in the bank, and how far it reaches
  trust: [1, 2, ADMIN_ROLE], // confirming accounts of suppliers; capturing them belongs to `work`
  mail: [1, 2, ADMIN_ROLE], // sending mails to suppliers, and the outbox
  fiscal: [1, 2, ADMIN_ROLE], // what the SAT says of the documents, and the month's returns
  helpMenu: [1, 3], // only the menu entry: everybody may open the help page
} as const satisfies Record<string, readonly number[]>;

export type Area = keyof typeof AREA_ROLES;

export const mayEnter = (area: Area, roles: readonly number[]): boolean =>
  AREA_ROLES[area].some((role) => roles.includes(role));

/** The text of the specification (section 6), where {name} stands for the username. */
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
