import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { User } from '../../../shared/users.ts';
import type { ListExport } from '../../formats/sheets/list-export.ts';
import type { searchUsers } from '../users/reading.ts';
import { factsOf } from './filter-words.ts';
import { usersSheet } from './users-sheet.ts';

/** The users whose name holds a text. */
export const usersExport = (
  db: Db,
  query: Parameters<typeof searchUsers>[1] & { limit?: number; cursor?: number | null },
  today: PlainDate,
): ListExport<User> => ({
  file: `Usuarios ${today}`,
  title: 'Usuarios',
  filters: factsOf({ Usuario: query.username }),
  noun: ['usuario', 'usuarios'],
  sheet: usersSheet(db, query),
  toRecords: (users) => users,
});
