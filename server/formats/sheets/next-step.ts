import { setImmediate } from 'node:timers/promises';

/** A turn of the event loop lets signals be heard and others be served between two steps of an export. */
export const nextStep = (): Promise<void> => setImmediate();

/** Cuts pages of rows into parts, and takes such a turn after each. */
export async function* inSteps<Row>(
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  rows: number,
): AsyncGenerator<readonly Row[]> {
  for await (const page of pages)
    for (let from = 0; from < page.length; from += rows) {
      yield page.slice(from, from + rows);
      await nextStep();
    }
}
