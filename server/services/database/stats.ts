import { sql } from 'kysely';
import type { ReportProgress } from '../../../db/copies/progress.ts';
import { computeDigest, countRowsByTable, measureTableBytes } from '../../../db/copies/table-statistics.ts';
import { measureDatabase } from '../../../db/measure.ts';
import { readAppliedMigrations } from '../../../db/migrate.ts';
import { dialectOf, type OpenDatabase } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { readAuditTail } from '../audit/audit.ts';

export type DatabaseStats = Awaited<ReturnType<typeof readStats>>;

export async function readStats(
  { db, dialect, file }: Pick<OpenDatabase, 'db' | 'dialect' | 'file'>,
  { digest = false }: { digest?: boolean } = {},
  report: ReportProgress = () => {},
) {
  const rows = await countRowsByTable(db);
  const sizes = await measureTableBytes(db);
  const tables = Object.entries(rows)
    .map(([name, count]) => ({ name, rows: count, bytes: sizes[name] ?? 0 }))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  const tableBytesSum = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const { lastId, lastHash } = await readAuditTail(db);
  const { bytes, walBytes = 0 } = await measureDatabase(db, file);
  const sumOfColumn = (table: 'invoices' | 'files', column: string) =>
    sql<number>`(select coalesce(sum(${sql.ref(column)}), 0) from ${sql.table(table)})`;
  const { totalCents, paidCents, size } = await db
    .selectNoFrom([
      sumOfColumn('invoices', 'totalCents').as('totalCents'),
      sumOfColumn('invoices', 'paidCents').as('paidCents'),
      sumOfColumn('files', 'size').as('size'),
    ])
    .executeTakeFirstOrThrow();
  const imports = db.selectFrom('imports').select(['at', 'kind', 'source']).orderBy('id', 'desc').limit(1);
  return {
    dialect,
    /** null on PostgreSQL */
    file: file ?? null,
    /** This is the size of the file, or of the whole PostgreSQL database. */
    bytes,
    walBytes: file ? walBytes : 0,
    /** every table that a backup holds, largest first; bytes include its indexes */
    tables,
    /** bytes outside of these tables: search indexes, and tables that no backup holds */
    otherBytes: Object.values(sizes).reduce((sum, one) => sum + one, 0) - tableBytesSum,
    migrations: await readAppliedMigrations(db),
    invoices: await readCountAndDateSpan(db, 'invoices', 'fechaemision'),
    payments: await readCountAndDateSpan(db, 'payments', 'paymentdate'),
    totalCents,
    paidCents,
    pendingCents: totalCents - paidCents,
    attachments: { files: rows.files!, bytes: size },
    lastImport: (await imports.executeTakeFirst()) ?? null,
    audit: { entries: lastId, lastHash },
    /** computed over every row of the firm's data; only on request, because it reads all of them */
    digest: digest ? await computeDigest(db, report) : null,
  };
}

async function readCountAndDateSpan(db: Db, table: 'invoices' | 'payments', column: string) {
  const date = db.dynamic.ref<PlainDate>(column);
  return db
    .selectFrom(table)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<PlainDate | null>(date).as('first'),
      eb.fn.max<PlainDate | null>(date).as('last'),
    ])
    .executeTakeFirstOrThrow();
}

/** `kind` is like "SQLite 3.54.1". Reads no table. */
export async function readEngineAndSize(db: Db): Promise<{ kind: string; bytes: number }> {
  const isPostgres = dialectOf(db) === 'postgres';
  const versionExpression = isPostgres ? sql`current_setting('server_version')` : sql`sqlite_version()`;
  const { rows } = await sql<{ version: string }>`select ${versionExpression} as version`.execute(db);
  const { bytes } = await measureDatabase(db);
  return { kind: `${isPostgres ? 'PostgreSQL' : 'SQLite'} ${rows[0]!.version.split(' ')[0]}`, bytes };
}
