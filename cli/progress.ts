export interface Progress {
  /** `fraction` from 0 to 1 */
  show(fraction: number, text: string): void;
  /** takes the bar away */
  end(): void;
}

const EVERY_MS = 80;
const BAR = 24;

/** One line on standard error that rewrites itself, where that is a terminal; nothing elsewhere. */
export function createProgress(
  { isTerminal }: { isTerminal: boolean },
  write: (text: string) => void = (text) => process.stderr.write(text),
  columns: number = process.stderr.columns || 80,
): Progress {
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    show(fraction, text) {
      if (!isTerminal || performance.now() - shownAt < EVERY_MS) return;
      shownAt = performance.now();
      write(`\r${progressLine(fraction, text, columns - 1)}\u001b[K`);
    },
    end() {
      if (shownAt >= 0) write('\r\u001b[K');
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** "████████░░░░░░░░░░░░░░░░  33 %  1,204  carpeta/a.xml", cut to the width. */
export function progressLine(fraction: number, text: string, width: number): string {
  const full = Math.max(0, Math.min(1, fraction));
  const filled = Math.floor(full * BAR);
  const percent = String(Math.floor(full * 100)).padStart(3, ' ');
  const line = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${percent} %  ${text}`;
  return [...line].slice(0, width).join('');
}
