import { type RawBuilder, sql } from 'kysely';
import { countRows, digestOf, tableBytes } from '../../../db/copies/contents.ts';
import type { Report } from '../../../db/copies/progress.ts';
import { measureDatabase } from '../../../db/measure.ts';
import { appliedMigrations } from '../../../db/migrate.ts';
import { dialectOf, type OpenDatabase } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { readAuditTail } from '../audit/audit.ts';

export interface DatabaseStats {
  dialect: OpenDatabase['dialect'];
  /** null on PostgreSQL */
  file: string | null;
  /** of the file, or of the whole PostgreSQL database */
  bytes: number;
  /** of the file's write-ahead log */
  walBytes: number;
  /** every table that a backup holds, the largest first; bytes with its indexes */
  tables: { name: string; rows: number; bytes: number }[];
  /** in files beside their rows: search indexes, and what no backup holds */
  otherBytes: number;
  migrations: string[];
  /** by issue and by payment date */
  invoices: { count: number; first: PlainDate | null; last: PlainDate | null };
  payments: { count: number; first: PlainDate | null; last: PlainDate | null };
  totalCents: Cents;
  paidCents: Cents;
  pendingCents: Cents;
  attachments: { files: number; bytes: number };
  lastImport: { at: Instant; kind: string; source: string } | null;
  audit: { entries: number; lastHash: string };
  /** over every row of the firm's data; only where it is asked for, as it reads all of them */
  digest: string | null;
}

/** Only reads. */
export async function readStats(
  { db, dialect, file }: Pick<OpenDatabase, 'db' | 'dialect' | 'file'>,
  { digest = false }: { digest?: boolean } = {},
  report: Report = () => {},
): Promise<DatabaseStats> {
  const rows = await countRows(db);
  const sizes = await tableBytes(db);
  const tables = Object.entries(rows)
    .map(([name, count]) => ({ name, rows: count, bytes: sizes[name] ?? 0 }))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  const counted = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  const { lastId, lastHash } = await readAuditTail(db);
  const { bytes, walBytes = 0 } = await measureDatabase(db, file);
  return {
    dialect,
    file: file ?? null,
    bytes,
    walBytes: file ? walBytes : 0,
    tables,
    otherBytes: Object.values(sizes).reduce((sum, bytes) => sum + bytes, 0) - counted,
    migrations: await appliedMigrations(db),
    invoices: await readSpan(db, 'invoices', 'fechaemision'),
    payments: await readSpan(db, 'payments', 'paymentdate'),
    ...(await readSums(db)),
    attachments: await readFiles(db),
    lastImport:
      (await db
        .selectFrom('imports')
        .select(['at', 'kind', 'source'])
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()) ?? null,
    audit: { entries: lastId, lastHash },
    digest: digest ? await digestOf(db, report) : null,
  };
}

async function readSpan(db: Db, table: 'invoices' | 'payments', column: string) {
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

async function readSums(db: Db): Promise<Pick<DatabaseStats, 'totalCents' | 'paidCents' | 'pendingCents'>> {
  const { total, paid } = await db
    .selectFrom('invoices')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<number>('totalCents'), eb.lit(0)).as('total'),
      eb.fn.coalesce(eb.fn.sum<number>('paidCents'), eb.lit(0)).as('paid'),
    ])
    .executeTakeFirstOrThrow();
  return { totalCents: total, paidCents: paid, pendingCents: total - paid };
}

const readFiles = (db: Db): Promise<DatabaseStats['attachments']> =>
  db
    .selectFrom('files')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      eb.fn.coalesce(eb.fn.sum<number>('size'), eb.lit(0)).as('bytes'),
    ])
    .executeTakeFirstOrThrow();

/** "SQLite 3.54.1", and its size on disk. Reads no table. */
export async function readAbout(db: Db): Promise<{ kind: string; bytes: number }> {
  const [name, asked] =
    dialectOf(db) === 'postgres'
      ? ['PostgreSQL', sql<{ version: string }>`select current_setting('server_version') as version`]
      : ['SQLite', sql<{ version: string }>`select sqlite_version() as version`];
  const { rows } = await (asked as RawBuilder<{ version: string }>).execute(db);
  const { bytes } = await measureDatabase(db);
  return { kind: `${name} ${rows[0]!.version.split(' ')[0]}`, bytes };
}
