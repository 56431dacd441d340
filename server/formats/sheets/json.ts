import { toDecimal } from '../../../shared/money.ts';
import { splitIntoSteps } from './event-loop.ts';
import type { ListExport, SheetColumn } from './sheet.ts';

const ROWS_PER_STEP = 250;

/** Writes a JSON array with an object per row. A list's `toRecords` leaves out rows such as an opening balance. */
export async function* generateJsonChunks<Row>({
  sheet,
  toRecords = (rows) => rows.map((row) => toCellRecord(sheet.columns, row)),
}: ListExport<Row>): AsyncGenerator<string> {
  let separator = '[';
  for await (const rows of splitIntoSteps(sheet.pages, ROWS_PER_STEP)) {
    const records = await toRecords(rows);
    if (records.length === 0) continue;
    yield `${separator}\n${records.map((record) => JSON.stringify(record)).join(',\n')}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

function toCellRecord<Row>(columns: readonly SheetColumn<Row>[], row: Row): Record<string, unknown> {
  const entries = columns.map(({ name, cell }) => {
    const value = cell(row);
    if (value === null || typeof value !== 'object') return [name, value];
    return [name, 'cents' in value ? toDecimal(value.cents) : value.date];
  });
  return Object.fromEntries(entries);
}
