import { sql } from 'kysely';
import { insertRows, ROWS_PER_QUERY } from '../bulk.ts';
import { getMigrationsNamed, isBefore1_0, migrations } from '../migrate.ts';
import type { Migration } from '../migrations/migration.ts';
import { dialectOf } from '../open.ts';
import type { Schema, Trx } from '../schema.ts';
import { isCopiedTable } from './copy.ts';
import {
  damagedBackupError,
  type Manifest,
  type ManifestTable,
  type PortableFile,
} from './portable-reading.ts';
import type { ReportProgress } from './progress.ts';
import { type PortableTable, readTableDefinitions } from './table-definitions.ts';

type Row = Record<string, unknown>;

const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** A copy from before 1.0 gets only the tables of 1.0. @throws DomainError conflict (a copy of a later version) */
export const getMigrationsOfCopy = ({ migrations: names }: Manifest): readonly Migration[] =>
  isBefore1_0(names) ? migrations.slice(0, 1) : getMigrationsNamed(names);

/**
 * Fills a new database, on which the copy's own migrations have run, with the copy's rows, and verifies them against
 * the manifest again. Triggers build the search indexes. Runs in the caller's transaction. Tables and columns that a
 * copy from before 1.0 lacks stay empty or at their defaults; those of the copy that no longer exist are ignored.
 * @throws DomainError invalid where the copy differs from its manifest, or has other tables than the database
 */
export async function fillDatabase(
  trx: Trx,
  { manifest, readLines: linesOf }: PortableFile,
  onProgress: ReportProgress,
): Promise<void> {
  const isOld = isBefore1_0(manifest.migrations);
  const tables = (await readTableDefinitions(trx)).filter(
    (table) => isCopiedTable(table) && !(isOld && table.name === 'schema_migrations'),
  );
  const missing = tables.find(({ name }) => !manifest.tables.some((table) => table.name === name));
  if (missing && !isOld) throw damagedBackupError(`falta la tabla ${missing.name}`);
  // The copy contains the rows that migrations insert, so they are deleted first. A new database has no audit trail.
  for (const { name } of tables.toReversed())
    if (name !== 'audit' && name !== 'audit_rows') await sql`delete from ${sql.table(name)}`.execute(trx);
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0);
  let processed = 0;
  // PostgreSQL's bytea columns accept bytes as text.
  const toStoredBytes = (bytes: Buffer) =>
    dialectOf(trx) === 'postgres' ? `\\x${bytes.toString('hex')}` : bytes;
  for (const part of manifest.tables) {
    const table = tables.find(({ name }) => name === part.name);
    if (!table && isOld) continue;
    if (!table) throw damagedBackupError(`no hay tabla ${part.name}`);
    for await (const lines of batchLines(linesOf(part))) {
      onProgress(processed / total, part.name);
      const rows = lines.map((line) => decodeBase64Values(parseRow(line, table, isOld), toStoredBytes));
      await insertRows(trx, table.name as keyof Schema, rows as never);
      processed += lines.length;
    }
    await resetIdSequence(trx, part);
  }
}

async function* batchLines(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let batch: string[] = [];
  let length = 0;
  for await (const line of lines) {
    batch.push(line);
    length += line.length;
    if (batch.length < ROWS_PER_QUERY && length < MAX_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

function parseRow(line: string, { name, columns }: PortableTable, isOld: boolean): Row {
  let row: Row;
  try {
    row = JSON.parse(line) as Row;
  } catch {
    throw damagedBackupError(`una fila de ${name} no se puede leer`);
  }
  if (isOld && row)
    return Object.fromEntries(Object.entries(row).filter(([key]) => columns.some((one) => one.name === key)));
  const names = new Set(Object.keys(row ?? {}));
  if (names.size !== columns.length || !columns.every((column) => names.has(column.name)))
    throw damagedBackupError(`una fila de ${name} no tiene sus columnas`);
  return row;
}

function decodeBase64Values(row: Row, toColumn: (bytes: Buffer) => unknown): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null || typeof value !== 'object') return [name, value];
      const { base64 } = value as { base64?: unknown };
      if (typeof base64 !== 'string') throw damagedBackupError(`un valor de ${name} no se puede leer`);
      return [name, toColumn(Buffer.from(base64, 'base64'))];
    }),
  );
}

/** New rows get ids above the last id that was ever given, even if the row with that id was deleted. */
async function resetIdSequence(trx: Trx, { name, lastId }: ManifestTable): Promise<void> {
  if (lastId === null) return;
  if (dialectOf(trx) === 'postgres') {
    const sequence = sql`pg_get_serial_sequence(${`"${name}"`}, 'id')`;
    await sql`select setval(${sequence}, ${Math.max(lastId, 1)}, ${lastId > 0})`.execute(trx);
    return;
  }
  const { numAffectedRows } =
    await sql`update sqlite_sequence set seq = ${lastId} where name = ${name}`.execute(trx);
  if (!numAffectedRows && lastId > 0)
    await sql`insert into sqlite_sequence (name, seq) values (${name}, ${lastId})`.execute(trx);
}
