import { busyError } from './errors.ts';
import { BUSY_LIMIT_MS } from './sqlite-file.ts';

/** One at a time, in the order of asking; who waits too long gives up, so that nothing can hang for ever. */
export class Turn {
  #taken = false;
  readonly #waiting: Array<() => void> = [];

  async take(): Promise<void> {
    if (this.#taken) await this.#wait();
    this.#taken = true;
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(busyError());
      }, BUSY_LIMIT_MS);
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(go);
    });
  }
}
