import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { ZipWriter } from '../../server/formats/zip/writing.ts';
import type { Instant } from '../../shared/dates.ts';
import { dialectOf } from '../open.ts';
import type { Db } from '../schema.ts';
import { inSnapshot } from '../transaction.ts';
import { isCopiedTable, writeAtomically } from './copy.ts';
import { type Manifest, type ManifestTable, verifyPortable, withPortable } from './portable-reading.ts';
import type { ReportProgress } from './progress.ts';
import { type PortableTable, readTableDefinitions } from './table-definitions.ts';

/** Rows read at a time; fewer where a row may contain a file. */
const ROWS_PER_PAGE = 1000;
const FILES_PER_PAGE = 8;

/**
 * Writes the whole database, as of one moment, into a zip of JSON lines, from which SQLite and PostgreSQL can be
 * filled: money in cents, dates and moments as text (UTC with milliseconds), booleans as 1 and 0, bytes as
 * { "base64": … }. Rows and columns have a fixed order, so that equal databases give equal files. The file is verified
 * before it gets its name.
 * If the handle is inside a transaction, the caller makes sure that nobody else writes meanwhile.
 */
export async function writePortable(
  db: Db,
  target: string,
  at: Instant,
  onProgress: ReportProgress = () => {},
): Promise<Manifest> {
  return inSnapshot(db, (snapshot) => writeSnapshot(snapshot, target, at, onProgress));
}

async function writeSnapshot(db: Db, target: string, at: Instant, report: ReportProgress): Promise<Manifest> {
  const migrations = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
  const manifest: Manifest = {
    format: 'saldo-portable',
    version: 1,
    createdAt: at,
    migrations: migrations.map(({ name }) => name),
    tables: [],
  };
  await writeAtomically(target, async (partial) => {
    const zip = new ZipWriter(partial);
    try {
      const tables = (await readTableDefinitions(db)).filter(isCopiedTable);
      for (const [index, table] of tables.entries()) {
        const onPage = () => report(index / tables.length, table.name);
        manifest.tables.push(await writeTableToZip(db, zip, table, onPage));
      }
      await zip.add('manifest.json', [Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)]);
      await zip.finish();
    } finally {
      await zip.close();
    }
    await withPortable(partial, (portable) => verifyPortable(portable, () => {}));
  });
  return manifest;
}

async function writeTableToZip(
  db: Db,
  zip: ZipWriter,
  table: PortableTable,
  onPage: () => void,
): Promise<ManifestTable> {
  const { name, lastId } = table;
  const file = `${name}.jsonl`;
  const hash = createHash('sha256');
  let rows = 0;
  async function* countRowsAndYieldLines() {
    for await (const page of readTableLines(db, table)) {
      onPage();
      rows += page.rows;
      hash.update(page.lines);
      yield page.lines;
    }
  }
  const bytes = await zip.add(file, countRowsAndYieldLines());
  return { name, file, rows, bytes, sha256: hash.digest('hex'), lastId };
}

export async function* readTableLines(
  db: Db,
  table: PortableTable,
): AsyncGenerator<{ rows: number; lines: Buffer }> {
  for await (const page of readPages(db, table)) {
    const lines = Buffer.from(page.map((row) => `${JSON.stringify(toPortableRow(row))}\n`).join(''));
    yield { rows: page.length, lines };
  }
}

type Row = Record<string, unknown>;

async function* readPages(db: Db, { name, columns, keyColumns }: PortableTable): AsyncGenerator<Row[]> {
  if (keyColumns.length === 0) throw new Error(`a table without a key: ${name}`);
  const limit = columns.some((column) => column.isBytes) ? FILES_PER_PAGE : ROWS_PER_PAGE;
  // texts are ordered by their bytes, whatever the database's locale
  const isText = (part: string) => columns.some((column) => column.name === part && column.isText);
  const keys = keyColumns.map((part) =>
    isText(part) && dialectOf(db) === 'postgres' ? sql`${sql.ref(part)} collate "C"` : sql.ref(part),
  );
  let last: Row | undefined;
  for (;;) {
    const after =
      last && sql`where (${sql.join(keys)}) > (${sql.join(keyColumns.map((part) => last![part]))})`;
    const { rows } = await sql<Row>`
      select ${sql.join(columns.map((column) => sql.ref(column.name)))} from ${sql.table(name)}
      ${after ?? sql``} order by ${sql.join(keys)} limit ${limit}`.execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}

function toPortableRow(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toPortableValue(value)]));
}

function toPortableValue(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  return value; // JSON.stringify writes a Date as a moment in UTC
}
