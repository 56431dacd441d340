import { pages } from '../../shared/urls.ts';
import { USER_SORTS, type UserSort } from '../../shared/users.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  {
    kind: 'text',
    name: 'username',
    label: 'Usuario',
    apiLabel: 'Parte del nombre de usuario',
    max: 200,
    flag: ['--name <texto>', 'parte del nombre'],
  },
] as const satisfies readonly Filter[];

export const userList: List<typeof filters, UserSort> = {
  title: 'Usuarios',
  noun: ['usuario', 'usuarios'],
  page: pages.users,
  area: 'admin',
  help: 'usuarios',
  filters,
  sorts: USER_SORTS,
  openingView: { sort: 'username' },
  command: { name: 'users', description: 'los usuarios, sin contraseñas' },
  async readExport(query, { db }) {
    const { usersExport } = await import('../services/exports/users.ts');
    return usersExport(db, query);
  },
};
