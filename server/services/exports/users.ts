import type { Db } from '../../../db/schema.ts';
import type { User } from '../../../shared/users.ts';
import {
  createSheetColumns,
  exportFromSearch,
  type LimitAndCursor,
  type PartialListExport,
} from '../../formats/sheets/sheet.ts';
import { takePage } from '../rows-in-memory.ts';
import { listUsers } from '../users/reading.ts';

type UsersExportQuery = Parameters<typeof listUsers>[1] & LimitAndCursor;

/** A firm has few users, so they are read at once. */
export async function usersExport(db: Db, query: UsersExportQuery): Promise<PartialListExport<User>> {
  const users = await listUsers(db, query);
  return exportFromSearch<User>(query, {
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
        paperCell: false,
      },
      { name: 'active', heading: 'Acceso', cell: ({ active }) => (active ? 'Activo' : 'Desactivado') },
    ]),
    search: async (page) => takePage(users, page),
    count: async () => users.length,
    toRecords: (rows) => rows,
  });
}
