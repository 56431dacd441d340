import { once } from 'node:events';
import { createReadStream, openSync, type ReadStream, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Transferable, Worker } from 'node:worker_threads';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { FairLimiter } from '../../shared/limiter.ts';
import { addCreatedCount } from '../services/audit/created-counts.ts';
import type { Session } from '../services/session/session.ts';
import type { RequestEvent } from './request-facts.ts';

/** Reports and exports read one snapshot and write nothing. Exports let the user's other waiting jobs go first. */
export type RequestJobKind = 'report' | 'export' | 'import' | 'backup';

export type Job = { kind: RequestJobKind; request: JobRequest; file: number } | { kind: 'check' | 'load' };

export interface JobRequest {
  method: string;
  url: string;
  headers: [string, string][];
  body?: Uint8Array<ArrayBuffer>;
  context: { requestId: string; session: Session; byToken: boolean; now: Date; today: PlainDate };
  damage?: string;
}

/** Status and headers of an answer, whose body is in the job's file. */
export interface JobAnswer {
  status: number;
  headers: [string, string][];
  bytes: number;
  event?: RequestEvent;
  damage?: string;
  createdCounts: [entity: string, rows: number][];
}

export const CANCEL_MESSAGE = 'cancel';

/** The worker's message at the end of a job. Errors are sent as plain objects: SQLite's cannot be cloned. */
export type JobReply = { result: unknown } | { error: { message: string; stack?: string; code?: string } };

const WORKER_COUNT = 2;
/** Each job needs a file for its answer until the answer has been sent. These limit the files per user and in all. */
const MAX_ANSWER_FILES_PER_USER = 8;
const MAX_ANSWER_FILES = 60;
const CHUNK_BYTES = 256 * 1024;

const QUEUE_LIMITS = { waiting: 60, seconds: 180, retryAfter: 10 };
const USER_QUEUE_LIMITS = {
  ...QUEUE_LIMITS,
  refusal: 'Ya tienes otros reportes o archivos en preparación. Espera a que terminen.',
};
const TOTAL_QUEUE_LIMITS = {
  ...QUEUE_LIMITS,
  refusal: 'Hay muchos reportes y archivos en preparación. Intenta de nuevo en unos segundos.',
};

/**
 * Runs work that would block the main thread, which serves everybody, in worker threads (server/worker.ts). Each user's
 * jobs run one after another, in turn with those of others. A worker writes its answer to a file, which is sent when it
 * is complete, so that a slow client does not occupy a worker.
 */
export class JobRunner {
  readonly #start: () => Worker;
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();
  readonly #files = new FairLimiter({
    perUser: { ...USER_QUEUE_LIMITS, concurrent: MAX_ANSWER_FILES_PER_USER },
    all: { ...TOTAL_QUEUE_LIMITS, concurrent: MAX_ANSWER_FILES },
  });
  readonly #turns = new FairLimiter({
    perUser: { ...USER_QUEUE_LIMITS, concurrent: 1 },
    all: { ...TOTAL_QUEUE_LIMITS, concurrent: WORKER_COUNT },
  });

  constructor(start: () => Worker) {
    this.#start = start;
  }

  /** The file is released when the body is read to its end or cancelled. @throws DomainError busy, too-large */
  async runRequest(
    kind: RequestJobKind,
    request: JobRequest,
    signal?: AbortSignal,
  ): Promise<Omit<JobAnswer, 'createdCounts'> & { body: ReadableStream<Uint8Array> | null }> {
    const { userId } = request.context.session;
    const canWait = kind === 'export';
    const releaseFile = await this.#files.acquire(userId, signal, canWait);
    let stream: ReadStream | undefined;
    try {
      const file = openUnlinkedFile();
      stream = createReadStream('', { fd: file, start: 0, highWaterMark: CHUNK_BYTES });
      stream.once('close', releaseFile);
      const leaveQueue = await this.#turns.acquire(userId, signal, canWait);
      const transfer = request.body ? [request.body.buffer] : [];
      const job: Job = { kind, request, file };
      const { createdCounts, ...answer } = await this.#runInWorker<JobAnswer>(job, signal, transfer).finally(
        leaveQueue,
      );
      for (const [entity, rows] of createdCounts) addCreatedCount(entity, rows);
      if (answer.bytes === 0) stream.destroy();
      const body = answer.bytes === 0 ? null : (Readable.toWeb(stream) as ReadableStream<Uint8Array>);
      return { ...answer, body };
    } catch (error) {
      if (stream) stream.destroy();
      else releaseFile();
      throw error;
    }
  }

  checkForDamage(): Promise<string | undefined> {
    return this.#runForServer<string | undefined>('check');
  }

  warmUp(): Promise<void> {
    return this.#runForServer<void>('load');
  }

  async #runForServer<Result>(kind: 'check' | 'load'): Promise<Result> {
    const leaveQueue = await this.#turns.acquire(undefined);
    return this.#runInWorker<Result>({ kind }).finally(leaveQueue);
  }

  async terminateWorkers(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  /** A cancelled job goes on to the end of its current SQLite query: only then does its worker read the message. */
  async #runInWorker<Result>(job: Job, signal?: AbortSignal, transfer: Transferable[] = []): Promise<Result> {
    signal?.throwIfAborted();
    const worker = this.#idle.pop() ?? this.#startWorker();
    const cancelJob = () => worker.postMessage(CANCEL_MESSAGE);
    const ended = new AbortController();
    const options = { signal: ended.signal };
    try {
      worker.postMessage(job, transfer);
      signal?.addEventListener('abort', cancelJob);
      const [reply] = (await Promise.race([
        once(worker, 'message', options),
        once(worker, 'exit', options).then(() => Promise.reject(new Error('a worker has ended'))),
      ])) as [JobReply];
      this.#idle.push(worker);
      if ('error' in reply) throw Object.assign(new Error(), reply.error);
      return reply.result as Result;
    } catch (error) {
      signal?.throwIfAborted();
      throw (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY' ? jobTooLargeError() : error;
    } finally {
      ended.abort();
      signal?.removeEventListener('abort', cancelJob);
    }
  }

  #startWorker(): Worker {
    const worker = this.#start();
    this.#all.add(worker);
    worker.on('error', () => {}); // #runInWorker reports the error
    worker.once('exit', () => {
      this.#all.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
    });
    return worker;
  }
}

/** The file has no name, so it disappears however this process ends. */
function openUnlinkedFile(): number {
  const path = join(tmpdir(), `saldo-${crypto.randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return file;
}

const jobTooLargeError = (): DomainError =>
  new DomainError(
    'too-large',
    'Es demasiado para hacerlo de una vez. Acótalo con los filtros o, si es un archivo, divídelo.',
    { code: 'report_too_large' },
  );
