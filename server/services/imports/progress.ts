/** `fraction` from 0 to 1 of the step under way. A promise is waited for. */
export type TableProgress = (step: 'leer' | 'revisar' | 'guardar', fraction: number) => unknown;

/** Signals are heard, progress is seen and others are served only when the program pauses. */
export class ImportProgress {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: TableProgress;

  constructor(signal: AbortSignal | undefined, onProgress: TableProgress) {
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  async show(...progress: Parameters<TableProgress>): Promise<void> {
    await this.#onProgress(...progress);
    await this.pause();
  }

  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
  }
}
