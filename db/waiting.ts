import { closeSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';

/**
 * Beside a database file while somebody writes to it in one short transaction after the other: whoever finds it busy
 * touches this, so that the writer knows when to rest. Nobody makes one but that writer.
 */
export class WaitingMark {
  readonly #path: string;

  constructor(file: string) {
    this.#path = `${file}-waiting`;
  }

  /** By somebody who waits. */
  touch(): void {
    const now = new Date();
    try {
      utimesSync(this.#path, now, now);
    } catch {
      // Nobody asks.
    }
  }

  /** @returns undefined where the folder takes no file: then nobody can tell */
  watch(): Watch | undefined {
    try {
      closeSync(openSync(this.#path, 'a', 0o600));
    } catch {
      return undefined;
    }
    let seen = this.#touched();
    return {
      hasWaited: () => {
        const touched = this.#touched();
        const isNew = touched !== seen;
        seen = touched;
        return isNew;
      },
      end: () => rmSync(this.#path, { force: true }),
    };
  }

  /** Another number once somebody has; gone, it may be that somebody else has ended. */
  #touched = (): number => statSync(this.#path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
}

export interface Watch {
  /** whether anybody has waited since this was asked before */
  hasWaited(): boolean;
  end(): void;
}
