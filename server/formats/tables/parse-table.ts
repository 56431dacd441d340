import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { DomainError } from '../../../shared/errors.ts';
import type { TableInput } from '../reading/reading.ts';
import { parseCsv } from './csv.ts';
import { decodeText, recognizeFormat } from './decode.ts';
import { splitTable } from './header.ts';
import { limitsFor, megabytes, type TableLimits, tooLarge, unreadable } from './limits.ts';
import type { RawRow, ReadTable } from './table.ts';
import { readXlsx } from './xlsx.ts';

/**
 * In the reading process: a file → its rows.
 * @throws DomainError with what is wrong with the file
 */
export async function parseTable(input: TableInput): Promise<ReadTable> {
  const limits = limitsFor('path' in input ? 'command' : 'upload');
  const bytes = await readBytes(input, limits);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (recognizeFormat(bytes) === 'zip') {
    const { rows, dates1904, ...sheet } = await readXlsx(bytes, limits, input);
    return { format: 'xlsx', sha256, ...sheet, ...(dates1904 ? { dates1904 } : {}), ...bodyOf(rows, input) };
  }
  if (input.sheet !== undefined) {
    throw unreadable('El archivo es de texto: no tiene hojas que elegir.', 'unknown_sheet');
  }
  const { text, encoding } = decodeText(bytes);
  const { rows, delimiter } = parseCsv(text, limits);
  return { format: 'csv', sha256, encoding, delimiter, ...bodyOf(rows, input) };
}

async function readBytes(input: TableInput, limits: TableLimits): Promise<Buffer> {
  if ('bytes' in input) {
    const { buffer, byteOffset, byteLength } = input.bytes;
    return requireSize(Buffer.from(buffer, byteOffset, byteLength), limits);
  }
  const { path } = input;
  try {
    const file = await stat(path);
    if (file.isDirectory()) throw unreadable(`${path} es una carpeta, no un archivo.`, 'not_a_table');
    if (file.size > limits.fileBytes) throw fileTooLarge(limits);
    return requireSize(await readFile(path), limits);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw missing
      ? new DomainError('not-found', `No existe el archivo ${path}.`, { code: 'file_not_found' })
      : unreadable(`No se pudo leer el archivo ${path}.`, 'unreadable_file');
  }
}

function requireSize(bytes: Buffer, limits: TableLimits): Buffer {
  if (bytes.length > limits.fileBytes) throw fileTooLarge(limits);
  return bytes;
}

const fileTooLarge = (limits: TableLimits) =>
  tooLarge(`El archivo pasa de ${megabytes(limits.fileBytes)}, el límite. Divídelo en varios.`);

function bodyOf(rows: readonly RawRow[], { kind }: TableInput) {
  const body = splitTable(rows, kind);
  if (body) return body;
  throw unreadable(
    'No se encontró el renglón de los encabezados: la tabla debe tener uno con los nombres de sus columnas.',
    'no_header',
  );
}
