import { DomainError } from './errors.ts';

interface LimiterOptions {
  concurrent: number;
  waiting: number;
  /** the longest wait in seconds, so that an answer comes before the connection counts as idle */
  seconds?: number;
  refusal: string;
  retryAfter: number;
}

/** Limits how much work runs at once. Further work is queued, or refused where the queue is full or too slow. */
export class Limiter {
  #free: number;
  readonly #queue: Array<{ go: () => void; isYielding: boolean }> = [];
  readonly #limits: LimiterOptions;

  constructor(limits: LimiterOptions) {
    this.#limits = limits;
    this.#free = limits.concurrent;
  }

  /** @throws DomainError busy; the signal's reason where the client has disconnected */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runThenRelease(this.acquire(signal), work);
  }

  /**
   * Acquires a place for work that ends in other code.
   * @param isYielding lets callers that do not yield go first
   * @returns a function that releases the place; calling it again has no effect
   * @throws like `run`
   */
  async acquire(signal?: AbortSignal, isYielding = false): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal, isYielding);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const next = this.#queue.shift();
      if (next) next.go();
      else this.#free++;
    };
  }

  get isIdle(): boolean {
    return this.#free === this.#limits.concurrent && this.#queue.length === 0;
  }

  get usage(): { running: number; waiting: number } {
    return { running: this.#limits.concurrent - this.#free, waiting: this.#queue.length };
  }

  /** @throws DomainError busy where the queue is full */
  requireQueueSpace(): void {
    if (this.#queue.length >= this.#limits.waiting) throw this.#createBusyError();
  }

  #createBusyError(): DomainError {
    const { refusal, retryAfter } = this.#limits;
    return new DomainError('busy', refusal, { retryAfter });
  }

  #wait(signal: AbortSignal | undefined, isYielding: boolean): Promise<void> {
    this.requireQueueSpace();
    const { seconds } = this.#limits;
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leaveQueue = (reason: unknown) => {
        stopWaiting();
        this.#queue.splice(this.#queue.indexOf(place), 1);
        reject(reason);
      };
      const onAbort = () => leaveQueue(signal?.reason);
      const timer = seconds && setTimeout(() => leaveQueue(this.#createBusyError()), seconds * 1000);
      const go = () => {
        stopWaiting();
        // Without this, queued work that never waits would run in one go, and delay everything else in the process.
        setImmediate(resolve);
      };
      const place = { go, isYielding };
      signal?.addEventListener('abort', onAbort, { once: true });
      const firstYieldingIndex = isYielding ? -1 : this.#queue.findIndex((one) => one.isYielding);
      this.#queue.splice(firstYieldingIndex < 0 ? this.#queue.length : firstYieldingIndex, 0, place);
    });
  }
}

async function runThenRelease<T>(acquiring: Promise<() => void>, work: () => Promise<T>): Promise<T> {
  const release = await acquiring;
  try {
    return await work();
  } finally {
    release();
  }
}

/** Limits work per user and in total. After each piece of work a user queues again, behind the others. */
export class FairLimiter {
  readonly #own: LimiterOptions;
  readonly #all: Limiter;
  readonly #byUser = new Map<number, Limiter>();

  constructor({ perUser: own, all }: { perUser: LimiterOptions; all: LimiterOptions }) {
    this.#own = own;
    this.#all = new Limiter(all);
  }

  /** Like `Limiter.run`. Work without a user counts only against the total limit. */
  async run<T>(userId: number | undefined, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return runThenRelease(this.acquire(userId, signal), work);
  }

  /** Like `Limiter.acquire`. `isYielding` applies only within the user's own queue. */
  async acquire(userId: number | undefined, signal?: AbortSignal, isYielding = false): Promise<() => void> {
    if (userId === undefined) return this.#all.acquire(signal);
    const own = this.#byUser.get(userId) ?? new Limiter(this.#own);
    this.#byUser.set(userId, own);
    const steps = [() => this.#forgetIdleUser(userId, own)];
    const release = () => {
      for (const step of steps.splice(0)) step();
    };
    try {
      steps.unshift(await own.acquire(signal, isYielding));
      steps.unshift(await this.#all.acquire(signal));
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  #forgetIdleUser(userId: number, own: Limiter): void {
    if (own.isIdle && this.#byUser.get(userId) === own) this.#byUser.delete(userId);
  }
}
