import { type RawBuilder, sql } from 'kysely';
import { postgresBytes } from '../../../db/copies/sizes.ts';
import { dialectOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';

/** "SQLite 3.54.1", and its size on disk. Reads no table. */
export async function readAbout(db: Db): Promise<{ kind: string; bytes: number }> {
  const one = async <T>(asked: RawBuilder<{ value: T }>): Promise<T> =>
    (await asked.execute(db)).rows[0]!.value;
  if (dialectOf(db) === 'postgres') {
    const version = await one(sql<{ value: string }>`select current_setting('server_version') as value`);
    return { kind: `PostgreSQL ${version.split(' ')[0]}`, bytes: await postgresBytes(db) };
  }
  const version = await one(sql<{ value: string }>`select sqlite_version() as value`);
  const bytes = await one(
    sql<{
      value: number;
    }>`select page_count * page_size as value from pragma_page_count(), pragma_page_size()`,
  );
  return { kind: `SQLite ${version}`, bytes };
}
