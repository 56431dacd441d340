import { setImmediate } from 'node:timers/promises';
import { moneyText } from '../../shared/money.ts';
import type { Cell, Sheet } from './sheet.ts';

/** The whole of a sheet in one text: for the command line, and what is small by nature. */
export async function writeCsv<Row>(sheet: Sheet<Row>): Promise<string> {
  let text = '';
  for await (const chunk of csvChunks(sheet)) text += chunk;
  return text;
}

/**
 * A sheet as an answer's body. The first page is read before there is a body, so that what can't be read at
 * all is an ordinary error; each further one when the reader asks for it, and none once it has gone. What
 * goes wrong later reaches `onError` and breaks the body off, for half a list must not look like a whole one.
 */
export async function streamCsv<Row>(
  sheet: Sheet<Row>,
  onError: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const chunks = csvChunks(sheet);
  let next = await chunks.next();
  let gone = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          if (!next.done) controller.enqueue(new TextEncoder().encode(next.value));
          next = await chunks.next();
          if (next.done && !gone) controller.close();
        } catch (error) {
          if (gone) return;
          onError(error);
          controller.error(new Error('the export broke off')); // its own words would reach the reader
        }
      },
      async cancel() {
        gone = true;
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** RFC 4180 with a byte order mark, without which Excel does not read UTF-8: the headings, then page by page. */
async function* csvChunks<Row>({ columns, pages }: Sheet<Row>): AsyncGenerator<string> {
  let before = `\ufeff${line(columns.map((column) => column.heading))}`;
  for await (const rows of pages) {
    yield before + rows.map((row) => line(columns.map((column) => column.cell(row)))).join('');
    before = '';
    await setImmediate(); // other requests between two pages
  }
  if (before) yield before;
}

const line = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return 'cents' in cell ? moneyText(cell.cents) : cell.date;
  const text = neutralizeFormula(cell);
  // Semicolons and tabs too: some programs take them for separators beside the comma.
  return /["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet takes text that begins like this, full-width forms included, for a formula and runs it. */
export const neutralizeFormula = (text: string): string =>
  /^([\s\p{C}]*[=+\-@＝＋－＠]|[\t\r])/u.test(text) ? `'${text}` : text;
