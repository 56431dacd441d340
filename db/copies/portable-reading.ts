import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { z } from 'zod';
import { BoundedZip, type ZipEntry, ZipError, type ZipFault } from '../../server/formats/zip/reading.ts';
import { DomainError } from '../../shared/errors.ts';
import { fileErrorReason } from '../explain-errors.ts';
import type { ReportProgress } from './progress.ts';

const nonNegativeIntSchema = z.int().nonnegative();

/** The manifest.json of a portable copy, whose other files are one `<table>.jsonl` each. */
const manifestSchema = z.object({
  format: z.literal('saldo-portable'),
  version: z.literal(1),
  createdAt: z.string(),
  migrations: z.array(z.string()),
  /** in the order in which they can be filled */
  tables: z
    .array(
      z
        .object({
          name: z.string().regex(/^[a-z][a-z0-9_]*$/),
          file: z.string(),
          rows: nonNegativeIntSchema,
          bytes: nonNegativeIntSchema,
          sha256: z.string(),
          /** the last id ever given to a row, deleted ones included; null where rows have no ids */
          lastId: nonNegativeIntSchema.nullable(),
        })
        .refine(({ name, file }) => file === `${name}.jsonl`),
    )
    .refine((tables) => new Set(tables.map(({ name }) => name)).size === tables.length),
});

export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestTable = Manifest['tables'][number];

/** @throws DomainError not-found (no such file), invalid (neither a SQLite database nor a portable copy) */
export function recognizeBackup(file: string): 'sqlite' | 'portable' {
  const start = Buffer.alloc(16);
  try {
    const opened = openSync(file, 'r');
    try {
      readSync(opened, start);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new DomainError('not-found', `No se pudo leer ${file}: ${fileErrorReason(error)}.`);
  }
  if (start.toString('latin1') === 'SQLite format 3\0') return 'sqlite';
  if (start.toString('latin1').startsWith('PK\u0003\u0004')) return 'portable';
  throw new DomainError('invalid', `${file} no es una copia de Saldo: ni base de datos ni copia portable.`);
}

export const damagedBackupError = (problem: string): DomainError =>
  new DomainError('invalid', `La copia está dañada o incompleta: ${problem}.`, { code: 'damaged_backup' });

/** No real copy reaches these limits. The size is not limited, since a copy comes from the firm itself. */
const ZIP_LIMITS = {
  entries: 500,
  entryBytes: Number.POSITIVE_INFINITY,
  totalBytes: Number.POSITIVE_INFINITY,
  /** A higher compression is refused; JSON lines of equal rows compress to a hundredth. */
  compressionRatio: 300,
  suspiciousBytes: 32 * 1024 * 1024,
};
const MAX_MANIFEST_BYTES = 1024 * 1024;
/** A row may contain a file of 5 MB in base64, which must fit. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

export interface PortableFile {
  manifest: Manifest;
  /** Yields a table's rows as JSON text. @throws DomainError at the end, where they differ from the manifest */
  readLines(table: ManifestTable): AsyncGenerator<string>;
}

/** @throws DomainError invalid (not a complete portable copy), conflict (of a later version) */
export async function withPortable<T>(
  file: string,
  work: (portable: PortableFile) => Promise<T>,
): Promise<T> {
  const zip = await openZip(file);
  try {
    const entries = indexEntriesByName(zip);
    const manifest = await readManifest(zip, entries);
    return await work({ manifest, readLines: (table) => readLines(zip, entries.get(table.file)!, table) });
  } finally {
    zip.close();
  }
}

const ZIP_FAULTS: Partial<Record<ZipFault, string>> = {
  unreadable: 'el zip no se puede leer',
  'too-many': 'tiene demasiadas partes',
};
const UNREADABLE_DIRECTORY = 'el directorio del zip no se puede leer';

async function openZip(file: string): Promise<BoundedZip> {
  try {
    return await BoundedZip.open(file, ZIP_LIMITS);
  } catch (error) {
    if (error instanceof ZipError) throw damagedBackupError(ZIP_FAULTS[error.fault] ?? UNREADABLE_DIRECTORY);
    throw error;
  }
}

export async function verifyPortable(
  { manifest, readLines: read }: PortableFile,
  onProgress: ReportProgress,
): Promise<void> {
  for (const [index, table] of manifest.tables.entries()) {
    let rows = 0;
    for await (const _ of read(table)) {
      if (rows++ % 1000 === 0) onProgress(index / manifest.tables.length, table.name);
    }
  }
}

function indexEntriesByName(zip: BoundedZip): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>();
  for (const entry of zip.entries) {
    if (!entry.isPlainName) throw damagedBackupError(UNREADABLE_DIRECTORY);
    if (entries.has(entry.name)) throw damagedBackupError(`${entry.name} está dos veces`);
    entries.set(entry.name, entry);
  }
  return entries;
}

async function readManifest(zip: BoundedZip, entries: ReadonlyMap<string, ZipEntry>): Promise<Manifest> {
  const entry = entries.get('manifest.json');
  if (!entry) throw damagedBackupError('falta manifest.json');
  if (entry.size > MAX_MANIFEST_BYTES) throw damagedBackupError('manifest.json es demasiado grande');
  let parsed: unknown;
  try {
    parsed = JSON.parse((await buffer(zip.read(entry))).toString('utf8'));
  } catch {
    throw damagedBackupError('manifest.json no se puede leer');
  }
  const { format, version } = (parsed ?? {}) as Partial<Manifest>;
  if (format !== 'saldo-portable') throw damagedBackupError('manifest.json no es de Saldo');
  if (version !== 1) {
    const message = `La copia es de una versión más nueva de Saldo (formato ${String(version)}).`;
    throw new DomainError('conflict', message, { code: 'newer_backup' });
  }
  const { data: manifest } = manifestSchema.safeParse(parsed);
  if (!manifest) throw damagedBackupError('manifest.json no dice lo que debe');
  for (const { file } of manifest.tables) if (!entries.has(file)) throw damagedBackupError(`falta ${file}`);
  const expected = new Set(['manifest.json', ...manifest.tables.map(({ file }) => file)]);
  for (const name of entries.keys()) if (!expected.has(name)) throw damagedBackupError(`${name} está de más`);
  for (const { file } of manifest.tables)
    if (entries.get(file)!.fault === 'suspicious') throw damagedBackupError(`${file} se expande demasiado`);
  return manifest;
}

async function* readLines(
  zip: BoundedZip,
  entry: ZipEntry,
  { file, rows, bytes, sha256 }: ManifestTable,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let read = 0;
  let count = 0;
  for await (const line of splitLines(inflateEntry(zip, entry), file)) {
    hash.update(line);
    read += line.length;
    count++;
    if (count > rows || read > bytes)
      throw damagedBackupError(`${file} tiene más de lo que dice el manifiesto`);
    yield line.toString('utf8');
  }
  if (count !== rows) throw damagedBackupError(`${file} tiene ${count} filas y no ${rows}`);
  if (hash.digest('hex') !== sha256) throw damagedBackupError(`${file} no tiene el SHA-256 del manifiesto`);
}

async function* inflateEntry(zip: BoundedZip, entry: ZipEntry): AsyncGenerator<Buffer> {
  try {
    yield* zip.read(entry);
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    throw damagedBackupError(`${entry.name} no se puede descomprimir`);
  }
}

const LINE_END = 0x0a;

async function* splitLines(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      const last = chunk.subarray(from, end + 1);
      yield pending.length === 0 ? last : Buffer.concat([...pending, last]);
      pending = [];
      length = 0;
      from = end + 1;
    }
    if (from < chunk.length) pending.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > MAX_LINE_BYTES) throw damagedBackupError(`${file} tiene una fila demasiado larga`);
  }
  if (pending.length > 0) throw damagedBackupError(`${file} termina a media fila`);
}
