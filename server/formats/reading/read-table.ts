import type { DomainError } from '../../../shared/errors.ts';
import type { TableHints } from '../tables/header.ts';
import type { ReadTable } from '../tables/table.ts';
import { readIsolated } from './reading.ts';

/** Somebody at a terminal waits so long; a browser's files have the five seconds of every upload. */
const COMMAND_SECONDS = 300;

/**
 * Reads a CSV, TSV or XLSX file in a process of its own (see reading/reading.ts), whose memory ends with it.
 * @param options.sheet of a workbook, by name; without it, the visible one whose headings fit `kind`
 * @param options.headings those that somebody has named: the line with them is the one of the headings
 * @throws DomainError with what is wrong with the file, or which limit it breaks
 */
export function readTable(
  source: { path: string } | { bytes: Uint8Array; filename: string },
  options: TableHints & { sheet?: string; maxRows?: number; signal?: AbortSignal; userId?: number } = {},
): Promise<ReadTable> {
  const { signal, userId, ...choice } = options;
  const limits = 'path' in source ? { seconds: COMMAND_SECONDS } : { userId };
  return readIsolated('table', { ...source, ...choice }, { signal, ...limits });
}

/** The sheets of a workbook that was not read because none was named, or a missing one. */
export const sheetsToChoose = ({ extra }: DomainError): NonNullable<ReadTable['sheets']> | undefined =>
  extra?.sheets as ReadTable['sheets'];
