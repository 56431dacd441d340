import type { Opened, OpenOptions, Runtime } from './runtime.ts';

/** Opens the database for one command and closes it whatever happens. */
export async function withDatabase<T>(
  runtime: Runtime,
  options: OpenOptions,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await runtime.open(options);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
