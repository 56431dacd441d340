import { setImmediate } from 'node:timers/promises';

/** Signals and other requests are handled between two steps of an export. */
export const yieldToEventLoop = (): Promise<void> => setImmediate();

export async function* splitIntoSteps<Row>(
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  rows: number,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages)
    for (let from = 0; from < page.length; from += rows) {
      yield page.slice(from, from + rows);
      await yieldToEventLoop();
    }
}
