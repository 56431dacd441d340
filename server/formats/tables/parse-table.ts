import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { DomainError } from '../../../shared/errors.ts';
import { readCsv } from './csv.ts';
import { decodeText, recognizeFormat } from './decode.ts';
import type { TableInput } from './header.ts';
import {
  formatMegabytes,
  getTableLimits,
  type TableLimits,
  tooLargeTableError,
  unreadableTableError,
} from './limits.ts';
import { splitTableLines } from './split-table.ts';
import type { RawRow, RawTable } from './table.ts';
import { readXlsx } from './xlsx.ts';

export async function parseTable(input: TableInput): Promise<RawTable> {
  const limits = getTableLimits('path' in input ? 'command' : 'upload', input.maxRows);
  const bytes = await readBytes(input, limits);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const splitLines = (all: readonly RawRow[]) => {
    const table = splitTableLines(all, input);
    if (!table) throw noHeadingsError();
    return table;
  };
  if (recognizeFormat(bytes) === 'zip') {
    const { rows, ...sheet } = await readXlsx(bytes, limits, input);
    return { format: 'xlsx', sha256, ...sheet, ...splitLines(rows) };
  }
  if (input.sheet !== undefined)
    throw unreadableTableError('El archivo es de texto: no tiene hojas que elegir.', 'unknown_sheet');
  const { text, encoding } = decodeText(bytes);
  const { rows, delimiter } = readCsv(text, limits);
  return { format: 'csv', sha256, encoding, delimiter, ...splitLines(rows) };
}

async function readBytes(input: TableInput, limits: TableLimits): Promise<Buffer> {
  if ('bytes' in input) {
    const { buffer, byteOffset, byteLength } = input.bytes;
    requireSize(byteLength, limits);
    return Buffer.from(buffer, byteOffset, byteLength);
  }
  const { path } = input;
  try {
    const file = await stat(path);
    if (file.isDirectory())
      throw unreadableTableError(`${path} es una carpeta, no un archivo.`, 'not_a_table');
    requireSize(file.size, limits);
    return await readFile(path);
  } catch (error) {
    throw explainReadError(path, error);
  }
}

function explainReadError(path: string, error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error && 'code' in error)) return error;
  return error.code === 'ENOENT'
    ? new DomainError('not-found', `No existe el archivo ${path}.`, { code: 'file_not_found' })
    : unreadableTableError(`No se pudo leer el archivo ${path}.`, 'unreadable_file');
}

function requireSize(bytes: number, limits: TableLimits): void {
  if (bytes > limits.fileBytes)
    throw tooLargeTableError(
      `El archivo pasa de ${formatMegabytes(limits.fileBytes)}, el límite. Divídelo en varios.`,
    );
}

const noHeadingsError = () =>
  unreadableTableError(
    'No se encontró el renglón de los encabezados: la tabla debe tener uno con los nombres de sus columnas.',
    'no_header',
  );
