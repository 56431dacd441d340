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

export interface UserDraft {
  employeenumber?: string;
  userfirstname: string;
  userlastname: string;
  username?: string;
  email?: string;
  roles: number[];
}

export interface UserChange {
  username: string;
  email: string;
  roles: number[];
  active?: boolean;
}

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

/** The specification's message for a new user, or nothing. */
export function checkNewUser(draft: UserDraft): string | undefined {
  if (!draft.userfirstname.trim() || !draft.userlastname.trim() || draft.roles.length === 0) {
    return userTexts.newRequired;
  }
  return draft.email?.trim() && !isUserEmail(draft.email.trim()) ? userTexts.email : undefined;
}

/** The specification's message for a changed user, or nothing. */
export function checkUserChange(change: UserChange): string | undefined {
  if (!change.username.trim() || change.roles.length === 0) return userTexts.editRequired;
  return change.email.trim() && !isUserEmail(change.email.trim()) ? userTexts.email : undefined;
}

const INTERNAL_DOMAIN = '@sin-correo.invalid';

/** What stands for the missing address of a user; never shown. */
export const internalEmail = (username: string): string => `${username}${INTERNAL_DOMAIN}`;

/** An address of a person's own, which an internal one is not. */
const isUserEmail = (email: string): boolean => isEmail(email) && shownEmail(email) !== '';

export const shownEmail = (email: string): string => (email.endsWith(INTERNAL_DOMAIN) ? '' : email);
