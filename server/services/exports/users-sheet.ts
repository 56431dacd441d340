import type { Db } from '../../../db/schema.ts';
import type { User } from '../../../shared/users.ts';
import type { Sheet, SheetColumn } from '../../formats/sheets/sheet.ts';
import { pageOf, searchUsers } from '../users/reading.ts';

type Query = Parameters<typeof searchUsers>[1] & { limit?: number; cursor?: number | null };

/** A firm has few users, so they are read at once. Passwords and made-up addresses are not among the columns. */
export function usersSheet(db: Db, query: Query): Sheet<User> {
  return { columns: COLUMNS, pages: readAtOnce(db, query) };
}

async function* readAtOnce(db: Db, { limit = Number.POSITIVE_INFINITY, cursor, ...query }: Query) {
  yield pageOf(await searchUsers(db, query), { limit, cursor }).rows;
}

const COLUMNS: readonly SheetColumn<User>[] = [
  { name: 'id', heading: 'ID', cell: ({ id }) => id },
  { name: 'username', heading: 'Usuario', cell: ({ username }) => username },
  { name: 'userfirstname', heading: 'Nombre', cell: ({ userfirstname }) => userfirstname },
  { name: 'userlastname', heading: 'Apellido', cell: ({ userlastname }) => userlastname },
  { name: 'email', heading: 'Correo', cell: ({ email }) => email },
  { name: 'employeenumber', heading: 'Número de empleado', cell: ({ employeenumber }) => employeenumber },
  { name: 'roles', heading: 'Roles', cell: ({ roles }) => roles.map(({ rolename }) => rolename).join(', ') },
  {
    name: 'roleIds',
    heading: 'Números de rol',
    cell: ({ roles }) => roles.map(({ id }) => id).join(' '),
    paper: false,
  },
  { name: 'active', heading: 'Acceso', cell: ({ active }) => (active ? 'Activo' : 'Desactivado') },
];
