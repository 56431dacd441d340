import { type Dirent, promises as fs } from 'node:fs';
import { join, resolve } from 'node:path';
import { DomainError } from '../../../shared/errors.ts';
import { isZip, MAX_XML_BYTES } from './xml.ts';
import { type CfdiFile, readZip } from './zip.ts';

export type { CfdiFile } from './zip.ts';

/** Guards against a folder that is given by mistake, such as a whole disk. */
const MAX_FILES = 100_000;

/**
 * Yields the files one at a time, in the order of their names. A given file is read whatever its name, a given folder
 * with all *.xml and *.zip at any depth. Zips are recognised by content and yield the files in them. An unreadable file
 * yields a problem. A file reached in two ways is read once.
 * @throws DomainError not-found where a given path does not exist, before anything is read; invalid where there are
 * more than 100,000 files
 * @param onProgress called before each file (a zip counts as one) with the number of files read so far
 */
export async function* readCfdiFiles(
  paths: readonly string[],
  onProgress: (read: number, found: number) => void = () => {},
): AsyncGenerator<CfdiFile> {
  const found = new Map<string, FoundFile>();
  for (const path of paths) await requireExistingPath(path);
  for (const path of paths) await collectFiles(path, found);
  const byName = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  for (const [index, { path, name, problem }] of byName.entries()) {
    onProgress(index, byName.length);
    if (problem) yield { name, problem };
    else yield* readFileOrZip(path, name);
  }
}

interface FoundFile {
  path: string;
  name: string;
  problem?: string;
}

async function requireExistingPath(path: string): Promise<void> {
  try {
    await fs.stat(path);
  } catch (error) {
    const reason = getErrorCode(error) === 'ENOENT' ? `No existe «${path}».` : `No se puede leer «${path}».`;
    throw new DomainError('not-found', reason, { code: 'file_not_found' });
  }
}

async function collectFiles(path: string, found: Map<string, FoundFile>): Promise<void> {
  if (!(await fs.stat(path)).isDirectory()) await addFileOnce(path, found);
  else if ((await collectFromFolder(path, new Set(), found)) === 0) {
    addFoundFile(found, {
      path: resolve(path),
      name: path,
      problem: 'La carpeta no tiene archivos .xml ni .zip.',
    });
  }
}

/** Follows links, but reads no folder twice. */
async function collectFromFolder(
  folder: string,
  visited: Set<string>,
  found: Map<string, FoundFile>,
): Promise<number> {
  const real = await fs.realpath(folder);
  if (visited.has(real)) return 0;
  visited.add(real);
  let entries: Dirent[];
  try {
    entries = await fs.readdir(folder, { withFileTypes: true });
    // Sorted, because file systems differ; if one file has two names, the first in the order of names counts.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    addFoundFile(found, { path: resolve(folder), name: folder, problem: 'No se puede leer la carpeta.' });
    return 1;
  }
  let count = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const target = entry.isSymbolicLink() ? await fs.stat(path).catch(() => undefined) : entry;
    if (target?.isDirectory()) count += await collectFromFolder(path, visited, found);
    else if (target?.isFile() && isImportableName(entry.name)) {
      await addFileOnce(path, found);
      count += 1;
    }
  }
  return count;
}

/** macOS leaves "._name" files on foreign disks; they are never documents. */
const isImportableName = (name: string): boolean => /\.(xml|zip)$/i.test(name) && !name.startsWith('._');

async function addFileOnce(path: string, found: Map<string, FoundFile>): Promise<void> {
  const real = await fs.realpath(path);
  const isFile = (await fs.stat(real)).isFile();
  if (found.has(real)) return;
  addFoundFile(
    found,
    { path: resolve(path), name: path, ...(isFile ? {} : { problem: 'No es un archivo.' }) },
    real,
  );
}

function addFoundFile(found: Map<string, FoundFile>, item: FoundFile, key = item.path): void {
  if (found.size >= MAX_FILES) {
    throw new DomainError('invalid', 'Son más de 100,000 archivos: impórtalos por partes.', {
      code: 'too_many_files',
    });
  }
  found.set(key, item);
}

async function* readFileOrZip(path: string, name: string): AsyncGenerator<CfdiFile> {
  let bytes: Buffer;
  try {
    bytes = await readAtMost(path, MAX_XML_BYTES + 1);
  } catch {
    yield { name, problem: 'No se puede leer el archivo.' };
    return;
  }
  if (isZip(bytes)) yield* readZip(path, name);
  else if (bytes.length > MAX_XML_BYTES)
    yield { name, problem: 'El archivo pasa de 2 MB, más de lo que mide un CFDI.' };
  else yield { name, bytes };
}

async function readAtMost(path: string, maxBytes: number): Promise<Buffer> {
  const file = await fs.open(path);
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    while (size < maxBytes) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(65_536, maxBytes - size)));
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      size += bytesRead;
    }
    return Buffer.concat(chunks);
  } finally {
    await file.close();
  }
}

const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;
