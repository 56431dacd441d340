import { open } from 'node:fs/promises';
import type { DomainError } from '../../../shared/errors.ts';
import type { TableHints } from '../tables/header.ts';
import type { ReadTable } from '../tables/table.ts';
import { readApart } from './reading.ts';

/** Somebody at a terminal waits so long; a browser's files have the five seconds of every upload. */
const COMMAND_SECONDS = 300;

/** Small text that the command line names is not worth a process: it cannot grow. */
const SMALL_TEXT = 4 * 1024 * 1024;

/**
 * Reads a CSV, TSV or XLSX file in a process of its own (see reading/reading.ts), with which the memory that it took
 * ends.
 * @param options.sheet of a workbook, by name; without it, the visible one whose headings fit `kind`
 * @param options.headings those that somebody has named: the line that has them is the one of the headings
 * @throws DomainError with what is wrong with the file, or which limit it breaks
 */
export async function readTable(
  source: { path: string } | { bytes: Uint8Array; filename: string },
  options: TableHints & { sheet?: string; most?: number; signal?: AbortSignal; userId?: number } = {},
): Promise<ReadTable> {
  const { signal, userId, ...choice } = options;
  const input = { ...source, ...choice };
  if (!('path' in source)) return readApart('table', input, { signal, userId });
  if (!(await isSmallText(source.path)))
    return readApart('table', input, { signal, seconds: COMMAND_SECONDS });
  const { parseTable } = await import('../tables/parse-table.ts');
  signal?.throwIfAborted();
  return parseTable(input);
}

/** Answers the sheets of a workbook that was not read because none of them was named, or one that it does not have. */
export const sheetsToChoose = ({ extra }: DomainError): NonNullable<ReadTable['sheets']> | undefined =>
  extra?.sheets as ReadTable['sheets'];

/** A file that cannot be opened is read all the same: that says why. */
async function isSmallText(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(2), 0, 2, 0);
      if (bytesRead === 2 && buffer.toString('latin1') === 'PK') return false;
      return (await file.stat()).size <= SMALL_TEXT;
    } finally {
      await file.close();
    }
  } catch {
    return true;
  }
}
