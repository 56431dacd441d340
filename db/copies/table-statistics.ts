import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { dialectOf } from '../open.ts';
import type { Db } from '../schema.ts';
import { isCopiedTable } from './copy.ts';
import { readTableLines } from './portable-writing.ts';
import type { ReportProgress } from './progress.ts';
import { readTableDefinitions } from './table-definitions.ts';

export async function countRowsByTable(db: Db): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { name } of (await readTableDefinitions(db)).filter(isCopiedTable)) {
    const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    rows[name] = counted.rows[0]!.n;
  }
  return rows;
}

/** Returns the bytes on disk of each table with its indexes; SQLite's search indexes count as tables of their own. */
export async function measureTableBytes(db: Db): Promise<Record<string, number>> {
  const { rows } = await (dialectOf(db) === 'postgres'
    ? sql<{ name: string; bytes: number }>`
        select relname as name, pg_total_relation_size(oid) as bytes from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`
    : sql<{ name: string; bytes: number }>`
        select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes
        from dbstat('main', 1) s left join sqlite_master m on m.name = s.name
        group by 1`
  ).execute(db);
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Backup and restore themselves change these tables: a restore, for example, marks waiting mails as failed. */
const EXCLUDED_FROM_DIGEST = [
  'mails',
  'audit',
  'audit_rows',
  'audit_anchors',
  'audit_tail',
  'schema_migrations',
];

/** Computes SHA-256 over all rows except sessions, mails, audit trail and migrations; the same on both dialects. */
export async function computeDigest(db: Db, onProgress: ReportProgress = () => {}): Promise<string> {
  const all = createHash('sha256');
  const carried = (await readTableDefinitions(db)).filter(isCopiedTable);
  const tables = carried.filter(({ name }) => !EXCLUDED_FROM_DIGEST.includes(name));
  for (const [index, table] of tables.entries()) {
    const tableHash = createHash('sha256');
    for await (const { lines } of readTableLines(db, table)) {
      onProgress(index / tables.length, table.name);
      tableHash.update(lines);
    }
    all.update(`${table.name} ${tableHash.digest('hex')}\n`);
  }
  return all.digest('hex');
}
