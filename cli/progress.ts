export interface Progress {
  show(fraction: number, text: string): void;
  end(): void;
}

const REDRAW_INTERVAL_MS = 80;
const BAR_WIDTH = 24;

/** Rewrites one line on standard error if that is a terminal, and shows nothing elsewhere. */
export function createProgress(
  { isTerminal }: { isTerminal: boolean },
  write: (text: string) => void = (text) => process.stderr.write(text),
  terminalWidth: number = process.stderr.columns || 80,
): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(fraction, text) {
      if (!isTerminal || performance.now() - shownAt < REDRAW_INTERVAL_MS) return;
      shownAt = performance.now();
      write(`\r${formatProgressLine(fraction, text, terminalWidth - 1)}\u001b[K`);
    },
    end() {
      if (shownAt >= 0) write('\r\u001b[K');
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}

export function formatProgressLine(fraction: number, text: string, width: number): string {
  const full = Math.max(0, Math.min(1, fraction));
  const filled = Math.floor(full * BAR_WIDTH);
  const percent = String(Math.floor(full * 100)).padStart(3, ' ');
  const line = `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${percent} %  ${text}`;
  return [...line].slice(0, width).join('');
}

/** Shells expect this exit code of a program that Ctrl-C ended: 128 + SIGINT. */
export const EXIT_INTERRUPTED = 130;

/** Ctrl-C or SIGTERM stops the work at a point where nothing is half-written. A second one ends the process at once. */
export async function runWithProgress<T>(
  terminal: { isTerminal: boolean },
  work: (progress: Progress, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const progress = createProgress(terminal);
  const controller = new AbortController();
  const abortWork = () => controller.abort();
  process.once('SIGINT', abortWork);
  process.once('SIGTERM', abortWork);
  try {
    return await work(progress, controller.signal);
  } finally {
    process.off('SIGINT', abortWork);
    process.off('SIGTERM', abortWork);
    progress.end();
  }
}

export const runWithProgressCallback = <T>(
  terminal: { isTerminal: boolean },
  work: (report: Progress['show']) => Promise<T>,
): Promise<T> =>
  runWithProgress(terminal, ({ show }, signal) =>
    work((fraction, text) => {
      signal.throwIfAborted();
      show(fraction, text);
    }),
  );

export const isAbortError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';
