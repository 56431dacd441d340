import { MessageChannel, type Worker } from 'node:worker_threads';
import { DomainError } from '../../shared/errors.ts';
import { FairTurns } from '../../shared/turns.ts';
import { addCreatedRows } from '../services/audit/created-rows.ts';
import {
  CHUNKS_AHEAD,
  type HeavyAnswer,
  type HeavyOrder,
  type HeavyReply,
  type HeavyRequest,
} from './heavy-messages.ts';
import type { RequestEvent } from './request-facts.ts';
import { Spool } from './spool.ts';

/** Threads of which each makes one answer at a time. */
const THREADS = 2;

/** The most that somebody waits in line. */
const MOST_SECONDS = 180;

export interface MadeAnswer {
  status: number;
  headers: [string, string][];
  event?: RequestEvent;
  content: Spool;
}

/**
 * Threads beside the one that answers everybody. Each has database connections and the application of its own, and
 * makes the answer to one request at a time, as fast as it can; who reads it slowly keeps nobody waiting. One user's
 * requests are made one after the other, those of others in between; files after what somebody looks at.
 */
export class HeavyThreads {
  readonly #start: () => Worker;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #turns = new FairTurns({
    own: {
      atOnce: 1,
      waiting: 60,
      seconds: MOST_SECONDS,
      refusal: 'Ya tienes otros reportes o archivos en preparación. Espera a que terminen.',
      retryAfter: 10,
    },
    all: {
      atOnce: THREADS,
      waiting: 60,
      seconds: MOST_SECONDS,
      refusal: 'Hay muchos reportes y archivos en preparación. Intenta de nuevo en unos segundos.',
      retryAfter: 10,
    },
  });

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /**
   * Waits for a turn and has the answer made: it comes back with its head, its content while it is made.
   * @throws DomainError busy (the line is full or too slow), too-large (more than a thread's memory); the signal's reason
   */
  async answer(request: HeavyRequest, signal?: AbortSignal): Promise<MadeAnswer> {
    const { kind, asker } = request;
    const leave = await this.#turns.enter(asker.session.userId, signal, kind === 'file');
    const thread = this.#idle.pop() ?? this.#startThread();
    const { head, free } = talk(thread, request, signal);
    void free
      .then(() => void this.#idle.push(thread))
      .catch(() => {}) // it has ended; the next request starts another one
      .finally(leave);
    return head;
  }

  /** They close what they have open; those at work are ended. */
  async stop(): Promise<void> {
    const ends = [...this.#all].map((thread) => {
      const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()));
      if (this.#idle.includes(thread)) thread.postMessage('stop' satisfies HeavyOrder);
      else void thread.terminate();
      return ended;
    });
    await Promise.all(ends);
  }

  #startThread(): Worker {
    const thread = this.#start();
    this.#all.add(thread);
    thread.on('error', () => {}); // whoever waits for it hears of it
    thread.once('exit', () => {
      this.#all.delete(thread);
      if (this.#idle.includes(thread)) this.#idle.splice(this.#idle.indexOf(thread), 1);
    });
    return thread;
  }
}

/** One request and its answer. `free` comes when the thread can take another one, and fails where it never will. */
function talk(
  thread: Worker,
  request: HeavyRequest,
  signal: AbortSignal | undefined,
): { head: Promise<MadeAnswer>; free: Promise<void> } {
  const { port1: port, port2 } = new MessageChannel();
  const content = new Spool();
  const head = Promise.withResolvers<MadeAnswer>();
  const free = Promise.withResolvers<void>();
  const reply = (words: HeavyReply) => port.postMessage(words);
  // What runs in SQLite cannot be interrupted: the thread is free when it says so.
  const onGone = () => reply('gone');
  const end = (error?: Error) => {
    content.end(error);
    if (error) head.reject(error);
    port.close();
    thread.off('error', onBroken).off('exit', onExit);
    signal?.removeEventListener('abort', onGone);
  };
  const onBroken = (error: Error & { code?: string }) => {
    end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error);
    free.reject(error);
  };
  const onExit = () => onBroken(new Error('the thread of a heavy request has ended'));
  let kept = Promise.resolve();
  port.on('message', (answer: HeavyAnswer) => {
    if ('status' in answer) head.resolve({ ...answer, content });
    else if ('chunk' in answer)
      kept = kept
        .then(() => content.put(answer.chunk))
        .then((isWanted) => reply(isWanted ? 'more' : 'gone'))
        .catch((error) => {
          content.end(error);
          onGone();
        });
    else
      void kept.then(() => {
        for (const [entity, rows] of answer.created ?? []) addCreatedRows(entity, rows);
        end(answer.failed === undefined ? undefined : new Error(answer.failed));
        free.resolve();
      });
  });
  thread.once('error', onBroken).once('exit', onExit);
  signal?.addEventListener('abort', onGone, { once: true });
  const moved = request.body ? [port2, request.body.buffer] : [port2];
  thread.postMessage({ request, port: port2 } satisfies HeavyOrder, moved);
  for (let ahead = 0; ahead < CHUNKS_AHEAD; ahead++) reply('more');
  if (signal?.aborted) onGone();
  return { head: head.promise, free: free.promise };
}

function tooLarge(): DomainError {
  const message =
    'Es demasiado para hacerlo de una vez. Acótalo con los filtros o, si es un archivo, divídelo.';
  return new DomainError('too-large', message, { code: 'report_too_large' });
}
