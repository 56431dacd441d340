import type { Db } from '../../../db/schema.ts';
import type { User } from '../../../shared/users.ts';
import {
  createSheetColumns,
  type LimitAndCursor,
  type ListResult,
  listResultFromSearch,
} from '../../formats/sheets/sheet.ts';
import { takePage } from '../rows-in-memory.ts';
import { searchUsers } from '../users/reading.ts';

type Query = Parameters<typeof searchUsers>[1] & LimitAndCursor;

/** A firm has few users, so they are read at once. */
export async function usersExport(db: Db, query: Query): Promise<ListResult<User>> {
  const users = await searchUsers(db, query);
  return listResultFromSearch<User>(query, {
    // Passwords and placeholder addresses are left out.
    columns: createSheetColumns([
      { name: 'id', heading: 'ID' },
      { name: 'username', heading: 'Usuario' },
      { name: 'userfirstname', heading: 'Nombre' },
      { name: 'userlastname', heading: 'Apellido' },
      { name: 'email', heading: 'Correo' },
      { name: 'employeenumber', heading: 'Número de empleado' },
      {
        name: 'roles',
        heading: 'Roles',
        cell: ({ roles }) => roles.map(({ rolename }) => rolename).join(', '),
      },
      {
        name: 'roleIds',
        heading: 'Números de rol',
        cell: ({ roles }) => roles.map(({ id }) => id).join(' '),
        paper: false,
      },
      { name: 'active', heading: 'Acceso', cell: ({ active }) => (active ? 'Activo' : 'Desactivado') },
    ]),
    search: async (page) => takePage(users, page),
    count: async () => users.length,
    toRecords: (rows) => rows,
  });
}
