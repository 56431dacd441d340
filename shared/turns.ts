import { DomainError } from './errors.ts';

interface TurnLimits {
  atOnce: number;
  waiting: number;
  /** the longest wait, so that an answer comes before the connection counts as idle */
  seconds?: number;
  refusal: string;
  retryAfter: number;
}

/** Limits how much work runs at once in a process: others queue, or are refused where the queue is full or too slow. */
export class Turns {
  #free: number;
  readonly #queue: Array<{ go: () => void; canWait: boolean }> = [];
  readonly #limits: TurnLimits;

  constructor(limits: TurnLimits) {
    this.#limits = limits;
    this.#free = limits.atOnce;
  }

  /** @throws DomainError busy; the signal's reason where the caller has gone */
  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return during(this.enter(signal), work);
  }

  /**
   * A turn for work that ends elsewhere, by calling the function returned here, which counts once. Throws like `take`.
   * @param canWait it lets callers go first that cannot
   */
  async enter(signal?: AbortSignal, canWait = false): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal, canWait);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const next = this.#queue.shift();
      if (next) next.go();
      else this.#free++;
    };
  }

  get isIdle(): boolean {
    return this.#free === this.#limits.atOnce && this.#queue.length === 0;
  }

  get load(): { running: number; waiting: number } {
    return { running: this.#limits.atOnce - this.#free, waiting: this.#queue.length };
  }

  /** @throws DomainError busy where the line is full */
  requireRoom(): void {
    if (this.#queue.length >= this.#limits.waiting) throw this.#refusal();
  }

  #refusal(): DomainError {
    const { refusal, retryAfter } = this.#limits;
    return new DomainError('busy', refusal, { retryAfter });
  }

  #wait(signal: AbortSignal | undefined, canWait: boolean): Promise<void> {
    this.requireRoom();
    const { seconds } = this.#limits;
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown) => {
        end();
        this.#queue.splice(this.#queue.indexOf(place), 1);
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const timer = seconds && setTimeout(() => leave(this.#refusal()), seconds * 1000);
      const go = () => {
        end();
        // Otherwise works that wait for nothing would run as one, and keep everybody waiting who needs no turn.
        setImmediate(resolve);
      };
      const place = { go, canWait };
      signal?.addEventListener('abort', onAbort, { once: true });
      const firstPatient = canWait ? -1 : this.#queue.findIndex((one) => one.canWait);
      this.#queue.splice(firstPatient < 0 ? this.#queue.length : firstPatient, 0, place);
    });
  }
}

async function during<T>(entering: Promise<() => void>, work: () => Promise<T>): Promise<T> {
  const leave = await entering;
  try {
    return await work();
  } finally {
    leave();
  }
}

/** Turns are limited for each user and for all. Whoever has had one queues behind the others for the next one. */
export class FairTurns {
  readonly #own: TurnLimits;
  readonly #all: Turns;
  readonly #byUser = new Map<number, Turns>();

  constructor({ own, all }: { own: TurnLimits; all: TurnLimits }) {
    this.#own = own;
    this.#all = new Turns(all);
  }

  /** Like `Turns.take`; work of no user counts against the common limit alone. */
  async take<T>(userId: number | undefined, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return during(this.enter(userId, signal), work);
  }

  /** Like `Turns.enter`; `canWait` counts among the user's own works alone. */
  async enter(userId: number | undefined, signal?: AbortSignal, canWait = false): Promise<() => void> {
    if (userId === undefined) return this.#all.enter(signal);
    const own = this.#byUser.get(userId) ?? new Turns(this.#own);
    this.#byUser.set(userId, own);
    const steps = [() => this.#forget(userId, own)];
    const leave = () => {
      for (const step of steps.splice(0)) step();
    };
    try {
      steps.unshift(await own.enter(signal, canWait));
      steps.unshift(await this.#all.enter(signal));
      return leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  #forget(userId: number, own: Turns): void {
    if (own.isIdle && this.#byUser.get(userId) === own) this.#byUser.delete(userId);
  }
}
