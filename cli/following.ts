import { withInterrupt } from './interrupt.ts';
import { createProgress } from './progress.ts';
import type { Runtime } from './runtime.ts';

/** Long work with its progress; Ctrl-C ends it at its next step, with nothing left behind. */
export async function following<T>(
  runtime: Runtime,
  work: (report: (fraction: number, text: string) => void) => Promise<T>,
): Promise<T> {
  const progress = createProgress(runtime);
  try {
    return await withInterrupt((signal) =>
      work((fraction, text) => {
        signal.throwIfAborted();
        progress.show(fraction, text);
      }),
    );
  } finally {
    progress.end();
  }
}
