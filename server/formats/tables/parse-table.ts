import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DomainError } from '../../../shared/errors.ts';
import { readCsv } from './csv.ts';
import { type ByteSource, decodeText, recognizeEncoding, recognizeFormat } from './decode.ts';
import type { TableInput } from './header.ts';
import { limitsFor, megabytes, type TableLimits, tooLarge, unreadable } from './limits.ts';
import { splitTable } from './split.ts';
import type { RawRow, ReadTable } from './table.ts';
import { readXlsx } from './xlsx.ts';

/** @throws DomainError with what is wrong with the file */
export async function parseTable(input: TableInput): Promise<ReadTable> {
  const limits = limitsFor('path' in input ? 'command' : 'upload', input.most);
  const { source, sha256, isZip, lines } = await openFile(input, limits);
  const split = (all: readonly RawRow[]) => {
    const table = splitTable(all, input);
    if (!table) throw noHeadings();
    return table;
  };
  if (isZip) {
    const whole = 'path' in input ? input.path : Buffer.from(input.bytes);
    const { rows, ...sheet } = await readXlsx(whole, limits, input);
    return { format: 'xlsx', sha256, ...sheet, ...split(rows) };
  }
  if (input.sheet !== undefined) {
    throw unreadable('El archivo es de texto: no tiene hojas que elegir.', 'unknown_sheet');
  }
  const encoding = await recognizeEncoding(source);
  const rows: RawRow[] = [];
  const delimiter = await readCsv(decodeText(source, encoding), limits, (row) => rows.push(row), lines);
  return { format: 'csv', sha256, encoding, delimiter, ...split(rows) };
}

async function openFile(input: TableInput, limits: TableLimits) {
  const source = await sourceOf(input, limits);
  const hash = createHash('sha256');
  let isZip: boolean | undefined;
  let [lines, last] = [0, BREAK];
  for await (const bytes of source()) {
    isZip ??= recognizeFormat(bytes) === 'zip';
    hash.update(bytes);
    if (!isZip) for (let at = bytes.indexOf(BREAK); at >= 0; at = bytes.indexOf(BREAK, at + 1)) lines += 1;
    last = bytes.at(-1) ?? last;
  }
  if (last !== BREAK) lines += 1;
  isZip ??= recognizeFormat(new Uint8Array()) === 'zip';
  return { source, sha256: hash.digest('hex'), isZip, lines };
}

const BREAK = 0x0a;

const PIECE = 1024 * 1024;

async function sourceOf(input: TableInput, limits: TableLimits): Promise<ByteSource> {
  if ('bytes' in input) {
    const { bytes } = input;
    requireSize(bytes.length, limits);
    return async function* () {
      for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
    };
  }
  const { path } = input;
  try {
    const file = await stat(path);
    if (file.isDirectory()) throw unreadable(`${path} es una carpeta, no un archivo.`, 'not_a_table');
    requireSize(file.size, limits);
  } catch (error) {
    throw unopened(path, error);
  }
  return async function* () {
    try {
      yield* createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>;
    } catch (error) {
      throw unopened(path, error);
    }
  };
}

function unopened(path: string, error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error && 'code' in error)) return error;
  return error.code === 'ENOENT'
    ? new DomainError('not-found', `No existe el archivo ${path}.`, { code: 'file_not_found' })
    : unreadable(`No se pudo leer el archivo ${path}.`, 'unreadable_file');
}

function requireSize(bytes: number, limits: TableLimits): void {
  if (bytes > limits.fileBytes)
    throw tooLarge(`El archivo pasa de ${megabytes(limits.fileBytes)}, el límite. Divídelo en varios.`);
}

const noHeadings = () =>
  unreadable(
    'No se encontró el renglón de los encabezados: la tabla debe tener uno con los nombres de sus columnas.',
    'no_header',
  );
