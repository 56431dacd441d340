import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { User } from '../../../shared/users.ts';
import type { FilterFact, ListExport } from '../../formats/sheets/list-export.ts';
import type { searchUsers } from '../users/reading.ts';
import { usersSheet } from './users-sheet.ts';

/** The users whose name holds a text. */
export const usersExport = (
  db: Db,
  query: Parameters<typeof searchUsers>[1] & { limit?: number; cursor?: number | null },
  { today, facts }: { today: PlainDate; facts: readonly FilterFact[] },
): ListExport<User> => ({
  file: `Usuarios ${today}`,
  title: 'Usuarios',
  filters: facts,
  noun: ['usuario', 'usuarios'],
  sheet: usersSheet(db, query),
  toRecords: (users) => users,
});
