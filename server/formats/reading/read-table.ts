import type { DomainError } from '../../../shared/errors.ts';
import type { TableHints } from '../tables/header.ts';
import type { RawTable } from '../tables/table.ts';
import { readIsolated } from './isolated-reader.ts';

/** At a terminal a file may take longer than the five seconds of an upload. */
const MAX_COMMAND_SECONDS = 300;

/**
 * Reads a CSV, TSV or XLSX file in a separate process (isolated-reader.ts), whose memory is freed when it ends.
 * @param options.sheet name of the worksheet; without it, the visible one whose headings fit `kind` best
 * @param options.headings headings that the user has named: the line that contains them is the header
 * @throws DomainError with what is wrong with the file, or which limit it exceeds
 */
export function readTable(
  source: { path: string } | { bytes: Uint8Array; filename: string },
  options: TableHints & { sheet?: string; maxRows?: number; signal?: AbortSignal; userId?: number } = {},
): Promise<RawTable> {
  const { signal, userId, ...choice } = options;
  const limits = 'path' in source ? { seconds: MAX_COMMAND_SECONDS } : { userId };
  return readIsolated('table', { ...source, ...choice }, { signal, ...limits });
}

/** The worksheets to choose from, where a workbook was refused because none was named, or a name that it lacks. */
export const worksheetChoicesFromError = ({
  extra,
}: DomainError): NonNullable<RawTable['sheets']> | undefined => extra?.sheets as RawTable['sheets'];
