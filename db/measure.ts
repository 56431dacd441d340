import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

export interface DatabaseSize {
  bytes: number;
  /** size of the write-ahead log; undefined where this user may not see it */
  walBytes?: number;
}

export async function measureDatabase(db: Db, file?: string): Promise<DatabaseSize> {
  if (dialectOf(db) === 'sqlite') {
    const size = sql<{ bytes: number }>`
      select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
    const { bytes } = (await size.execute(db)).rows[0]!;
    const wal = file === undefined ? undefined : statSync(`${file}-wal`, { throwIfNoEntry: false });
    return { bytes, walBytes: wal?.size ?? 0 };
  }
  const { rows } = await sql<{ bytes: number; mayLook: boolean }>`
    select pg_database_size(current_database()) as bytes,
      has_function_privilege('pg_ls_waldir()', 'execute') as "mayLook"`.execute(db);
  const { bytes, mayLook } = rows[0]!;
  // PostgreSQL's log belongs to the whole server, and only monitoring roles may see its size.
  if (!mayLook) return { bytes };
  const wal = await sql<{
    bytes: number;
  }>`select coalesce(sum(size), 0) as bytes from pg_ls_waldir()`.execute(db);
  return { bytes, walBytes: wal.rows[0]!.bytes };
}
