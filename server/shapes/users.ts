import { z } from 'zod';
import { USER_SORTS } from '../../shared/users.ts';
import {
  choiceField,
  directionField,
  flagField,
  idField,
  idsField,
  textField,
  wholeField,
} from './fields.ts';

const passwordField = z.string().max(200).optional();

const pageFields = { limit: wholeField('limit', 1, 1000), cursor: idField('cursor') };

/** The parameters of a list of users, and of one by its id. */
export const userQueryShape = z.strictObject({
  id: idField('id'),
  username: textField('Usuario', 200, 'username'),
  sortfield: choiceField('sortfield', USER_SORTS),
  sorttype: directionField,
  ...pageFields,
});

export const roleQueryShape = z.strictObject(pageFields);

/** Where a user is named in the address alone. */
export const userIdShape = z.strictObject({ id: idField('id') });

const account = {
  username: textField('Usuario', 200, 'username'),
  email: textField('Correo', 254, 'email'),
  /** numbers of roles */
  roles: idsField('roles'),
};

export const newUserShape = z.strictObject({
  employeenumber: textField('Número de empleado', 50, 'employeenumber'),
  userfirstname: textField('Nombre', 100, 'userfirstname'),
  userlastname: textField('Apellido', 100, 'userlastname'),
  ...account,
  password: passwordField,
});

/** All or some of what an administrator may change. */
export const userChangeShape = z.strictObject({ ...account, active: flagField('active'), id: idField('id') });

export const resetShape = z.strictObject({
  /** the one who asks; it has to be whom the session names */
  requesteriduser: idField('requesteriduser'),
  iduser: idField('iduser'),
  newpassword: passwordField,
});

/** What is missing is for the rules to say. */
export const toUserDraft = ({
  userfirstname = '',
  userlastname = '',
  roles = [],
  password = '',
  ...rest
}: z.output<typeof newUserShape>) => ({ ...rest, userfirstname, userlastname, roles, password });
