/** `fraction` from 0 to 1 of the step under way. */
export type TableProgress = (step: 'leer' | 'revisar' | 'guardar', fraction: number) => void;

/** Signals are heard, progress is seen and others are served only when the program pauses. */
export class ImportProgress {
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: TableProgress;

  constructor(signal: AbortSignal | undefined, onProgress: TableProgress) {
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  async show(...progress: Parameters<TableProgress>): Promise<void> {
    this.#onProgress(...progress);
    await this.pause();
  }

  async pause(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#signal?.throwIfAborted();
  }
}
