import { open } from 'node:fs/promises';
import type { DomainError } from '../../../shared/errors.ts';
import { readApart } from '../reading/reading.ts';
import type { ReadTable, TableKind } from './table.ts';

/** What somebody at a terminal waits for; a browser's files have the five seconds of every upload. */
const COMMAND_SECONDS = 30;

/**
 * A CSV, TSV or XLSX file as rows. It is read in a process of its own (see reading/reading.ts), but for text that the
 * command line names: text cannot grow, and to cross over takes a large one longer than to be read.
 * @param options.sheet of a workbook, by name
 * @param options.userId whose it is: of one user's one is read at a time
 * @param options.kind what the table is to become: without `sheet`, the visible one whose headings fit it
 * @throws DomainError with what is wrong with the file, or which limit it breaks
 */
export async function readTable(
  source: { path: string } | { bytes: Uint8Array; filename: string },
  options: { sheet?: string; kind?: TableKind; signal?: AbortSignal; userId?: number } = {},
): Promise<ReadTable> {
  const { signal, userId, ...choice } = options;
  const input = { ...source, ...choice };
  if (!('path' in source)) return readApart('table', input, { signal, userId });
  if (await isZip(source.path)) return readApart('table', input, { signal, seconds: COMMAND_SECONDS });
  const { parseTable } = await import('./parse-table.ts');
  signal?.throwIfAborted();
  return parseTable(input);
}

/** The sheets of a workbook that was not read because none of them was named, or one that it does not have. */
export const sheetsToChoose = ({ extra }: DomainError): NonNullable<ReadTable['sheets']> | undefined =>
  extra?.sheets as ReadTable['sheets'];

/** What cannot be opened is no zip: reading it says why. */
async function isZip(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      return bytesRead === 2 && buffer.toString('latin1') === 'PK';
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
