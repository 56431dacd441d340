import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { inSnapshot } from '../../db/transaction.ts';
import { useFresh } from '../support/databases.ts';
import { addClient } from '../support/rows.ts';

describe('what is hidden while an import is under way', () => {
  const fresh = useFresh('sqlite');
  beforeEach(async () => {
    await addClient(fresh.db);
    await sql`insert into open_imports values (1, 'x', '2026-11-20T00:00:00.000Z', 0)`.execute(fresh.db);
  });

  const hide = (table: string) =>
    sql`insert into open_import_rows select 1, count(*), ${table}, 1, 9, 1, 1 from open_import_rows`.execute(
      fresh.db,
    );
  const readClients = (db = fresh.db) => db.selectFrom('clients').select('id').execute();

  it('shows once the import has ended, also where hiding it failed midway', async () => {
    await hide('clients');
    await hide('sqlite_x'); // no view can have this name
    await expect(readClients()).rejects.toThrow('sqlite_x');
    await sql`delete from open_imports`.execute(fresh.db);
    expect(await readClients()).toHaveLength(1);
  });

  it('is hidden from the next snapshot where SQLite itself rolled one back', async () => {
    await hide('clients');
    await inSnapshot(fresh.db, (snapshot) => sql`rollback`.execute(snapshot));
    expect(await inSnapshot(fresh.db, readClients)).toEqual([]);
    expect(await inSnapshot(fresh.db, readClients)).toEqual([]);
    await sql`delete from open_imports`.execute(fresh.db);
    await inSnapshot(fresh.db, (snapshot) => sql`rollback`.execute(snapshot));
    expect(await inSnapshot(fresh.db, readClients)).toHaveLength(1);
  });
});
