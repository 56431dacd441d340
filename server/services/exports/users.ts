import type { Db } from '../../../db/schema.ts';
import type { User } from '../../../shared/users.ts';
import { columnsOf, type ListRows } from '../../formats/sheets/sheet.ts';
import { pageOf, searchUsers } from '../users/reading.ts';

type Query = Parameters<typeof searchUsers>[1] & { limit?: number; cursor?: number | null };

/** The users whose name holds a text. A firm has few, so they are read at once. */
export async function usersExport(
  db: Db,
  { limit = Number.POSITIVE_INFINITY, cursor, ...query }: Query,
): Promise<ListRows<User>> {
  return {
    sheet: {
      // Passwords and made-up addresses are not among them.
      columns: columnsOf([
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
      pages: [pageOf(await searchUsers(db, query), { limit, cursor }).rows],
    },
    toRecords: (users) => users,
  };
}
