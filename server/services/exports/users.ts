import type { Db } from '../../../db/schema.ts';
import type { User } from '../../../shared/users.ts';
import type { ExportFrame, ListExport, SheetColumn } from '../../formats/sheets/sheet.ts';
import { pageOf, searchUsers } from '../users/reading.ts';

type Query = Parameters<typeof searchUsers>[1] & { limit?: number; cursor?: number | null };

/** The users whose name holds a text. A firm has few, so they are read at once. */
export const usersExport = (db: Db, query: Query, { today, facts }: ExportFrame): ListExport<User> => ({
  file: `Usuarios ${today}`,
  title: 'Usuarios',
  filters: facts,
  noun: ['usuario', 'usuarios'],
  sheet: { columns: COLUMNS, pages: readAtOnce(db, query) },
  toRecords: (users) => users,
});

async function* readAtOnce(db: Db, { limit = Number.POSITIVE_INFINITY, cursor, ...query }: Query) {
  yield pageOf(await searchUsers(db, query), { limit, cursor }).rows;
}

/** Passwords and made-up addresses are not among them. */
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
