import { createRefusal, listEmptyNames, type Refusal } from './refusal.ts';
import { isEmail } from './text.ts';

export interface Role {
  id: number;
  rolename: string;
}

export interface User {
  id: number;
  username: string;
  email: string;
  employeenumber: string;
  userfirstname: string;
  userlastname: string;
  active: boolean;
  roles: Role[];
}

export interface UserInput {
  employeenumber?: string;
  userfirstname: string;
  userlastname: string;
  username?: string;
  email?: string;
  roles: number[];
}

export interface UserChange {
  username?: string;
  email?: string;
  roles?: number[];
  active?: boolean;
}

export const USER_SORTS = {
  id: 'ID',
  username: 'Usuario',
  name: 'Nombre',
  email: 'Correo',
  roles: 'Roles',
  active: 'Acceso',
} as const;
export type UserSort = keyof typeof USER_SORTS;

export const userTexts = {
  newRequired: 'Firstname, lastname and user type can not be empty.',
  editRequired: 'Username, password and roles can not be empty.',
  email: 'Email is invalid.',
  passwordMismatch: 'Passwords do not match!',
  passwordEmpty: 'New password cannot be null!',
  passwordUpdated: 'Your password has been updated!',
  passwordReset: (name: string) => `Password has been reset. Please, share this information with ${name}`,
  updated: 'User has been updated. Redirecting to user list...',
  created: (username: string, password: string) =>
    `Se creó el usuario ${username}. Comparte esta contraseña: ${password}`,
  signInUserMissing: 'Se requiere el usuario',
  signInPasswordMissing: 'Se requiere la contrasen',
  signInRefused: 'Correo o contraseña incorrectos.',
} as const;

export function checkNewUser(draft: UserInput): Refusal | undefined {
  const [userfirstname, userlastname] = [draft.userfirstname.trim(), draft.userlastname.trim()];
  const missing = listEmptyNames({ roles: draft.roles.length, userfirstname, userlastname });
  if (missing.length > 0) return missingFieldsRefusal(userTexts.newRequired, missing);
  return checkEmail(draft.email ?? '');
}

export function checkUserChange(change: Required<Omit<UserChange, 'active'>>): Refusal | undefined {
  const missing = listEmptyNames({ username: change.username.trim(), roles: change.roles.length });
  if (missing.length > 0) return missingFieldsRefusal(userTexts.editRequired, missing);
  return checkEmail(change.email);
}

export function checkNewPassword(newPassword: string, confirmation: string): Refusal | undefined {
  if (!newPassword && !confirmation) return missingFieldsRefusal(userTexts.passwordEmpty, ['newpassword']);
  if (newPassword === confirmation) return undefined;
  return { message: userTexts.passwordMismatch, fields: { confirmpassword: 'No es igual a la nueva.' } };
}

const missingFieldsRefusal = (message: string, names: readonly string[]): Refusal => ({
  message,
  fields: Object.fromEntries(names.map((name) => [name, 'Falta este dato.'])),
});

const PLACEHOLDER_DOMAIN = '@sin-correo.invalid';

/** The address that is stored, but never shown, for a user without an email address. */
export const createPlaceholderEmail = (username: string): string => `${username}${PLACEHOLDER_DOMAIN}`;

export const isPlaceholderEmail = (email: string): boolean => email.endsWith(PLACEHOLDER_DOMAIN);

export const hidePlaceholderEmail = (email: string): string => (isPlaceholderEmail(email) ? '' : email);

function checkEmail(email: string): Refusal | undefined {
  const text = email.trim();
  return text && !(isEmail(text) && hidePlaceholderEmail(text))
    ? createRefusal(userTexts.email, 'email')
    : undefined;
}

/** The command line acts as this user where nobody is named; it has no password and cannot sign in. */
export const CLI_USERNAME = 'cli';
