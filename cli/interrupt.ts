/**
 * Runs `work` with a signal that Ctrl-C (SIGINT) or SIGTERM aborts, so that it can end at a point where
 * nothing is half-written. A second Ctrl-C ends the program at once, which databases survive too.
 */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', abort);
    process.off('SIGTERM', abort);
  }
}

/** What a shell makes of a program that Ctrl-C ended: 128 + SIGINT. */
export const INTERRUPTED = 130;
