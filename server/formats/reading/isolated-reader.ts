import { type ChildProcess, execFile, fork } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { businessZone } from '../../../shared/dates.ts';
import { DomainError, type ErrorDetail, type ErrorKind } from '../../../shared/errors.ts';
import { FairLimiter } from '../../../shared/limiter.ts';
import type { CfdiReading } from '../cfdi/candidates.ts';
import type { CfdiDocument, CfdiReadOptions } from '../cfdi/document.ts';
import type { CfdiFile } from '../cfdi/zip.ts';
import type { List69b, ListedTaxpayer } from '../sat/list-69b.ts';
import type { MetadataRow, MetadataSummary } from '../sat/metadata.ts';
import type { TableInput } from '../tables/header.ts';
import type { RawRow, RawTable } from '../tables/table.ts';
import { readerEntryPath } from './reader-path.ts';

export interface CfdiInput {
  name: string;
  bytes: Uint8Array;
  /** from the settings; by default MXN and any receiver */
  options?: Partial<CfdiReadOptions>;
}

export interface FileInput {
  name: string;
  bytes: Uint8Array;
}

interface ReadingOptions {
  signal?: AbortSignal;
  /** the processor time that one file may take; 5 by default, as for uploads */
  seconds?: number;
  /** the user who sent the file: one file per user is read at a time */
  userId?: number;
}

interface ReadingTasks {
  table: { input: TableInput; result: RawTable };
  cfdi: { input: CfdiInput; result: CfdiReading };
  zip: { input: FileInput; result: CfdiFile[] };
  code: { input: FileInput; result: string | undefined };
  sheet: { input: FileInput; result: CfdiDocument };
  metadata: { input: FileInput; result: MetadataSummary & { rows: MetadataRow[] } };
  list69b: { input: FileInput; result: List69b };
}

export type ReadingJob = {
  [Task in keyof ReadingTasks]: { task: Task; input: ReadingTasks[Task]['input']; timeZone: string };
}[keyof ReadingTasks];

export type ReadingAnswer =
  | { rows: RawRow[] | MetadataRow[] | ListedTaxpayer[] }
  | { result: unknown }
  | { refused: Pick<ErrorDetail, 'code' | 'extra' | 'remedy'> & { kind: ErrorKind; message: string } }
  | { broken: string };

/**
 * Reads a file in a separate process with limits of memory and time, at most two files at once. So no file can make
 * this process grow or stop, whatever the file does to its parser.
 * @throws DomainError with what is wrong with the file, or the limit that it exceeds; busy where the queue is full; the
 * signal's reason where the signal was aborted
 */
export function readIsolated<Task extends keyof ReadingTasks>(
  task: Task,
  input: ReadingTasks[Task]['input'],
  options: ReadingOptions = {},
): Promise<ReadingTasks[Task]['result']> {
  const job = { task, input, timeZone: businessZone() } as ReadingJob;
  const runReadingJob = () => runJob(job, options) as Promise<ReadingTasks[Task]['result']>;
  return readingLimiter.run(options.userId, runReadingJob, options.signal);
}

/** Megabytes of heap, in which a whole table must fit. A file named at a terminal may be twice as large. */
const READER_MEMORY_MB = { upload: 256, command: 512 };
const MAX_UPLOAD_SECONDS = 5;
const IDLE_MS = 5000;

const BUSY_TEXT = 'Se están leyendo muchos archivos a la vez. Intenta de nuevo en un momento.';

const readingLimiter = new FairLimiter({
  perUser: { concurrent: 1, waiting: 20, refusal: BUSY_TEXT, retryAfter: 5 },
  all: { concurrent: 2, waiting: 20, refusal: BUSY_TEXT, retryAfter: 5 },
});

async function runJob(job: ReadingJob, { signal, seconds = MAX_UPLOAD_SECONDS }: ReadingOptions) {
  const wrapper = await findIsolationCommand();
  signal?.throwIfAborted();
  // A reader with permission to read a local file is used for that file only.
  const path = 'path' in job.input ? job.input.path : undefined;
  const reader = path === undefined ? acquireReader(wrapper) : startReader(wrapper, [resolve(path)]);
  const release = path === undefined ? releaseReader : (one: ChildProcess) => one.kill('SIGKILL');
  try {
    const result = await runInReader(reader, job, seconds, signal);
    release(reader);
    return result;
  } catch (error) {
    // A reader that has refused a file can be reused; one that exceeded a limit may be in any state.
    if (error instanceof RefusedFileError) {
      release(reader);
      throw error.domainError;
    }
    reader.kill('SIGKILL');
    throw error;
  }
}

class RefusedFileError extends Error {
  readonly domainError: DomainError;

  constructor(domain: DomainError) {
    super(domain.message);
    this.domainError = domain;
  }
}

export interface ReaderFault {
  file: string;
  /** the kind of error and the stack, or how the process ended; nothing of the file's content */
  stack: string;
}

let onReaderFault: (fault: ReaderFault) => void = () => undefined;

/** A file that crashes the reader shows a fault of the program, whatever the file contains. */
export function setReaderFaultListener(listener: (fault: ReaderFault) => void): void {
  onReaderFault = listener;
}

function reportFault({ input }: ReadingJob, stack: string): void {
  onReaderFault({
    file: 'path' in input ? basename(input.path) : 'name' in input ? input.name : input.filename,
    stack,
  });
}

function runInReader(
  reader: ChildProcess,
  job: ReadingJob,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const rows: (RawRow | MetadataRow | ListedTaxpayer)[] = [];
    const onMessage = (message: unknown) => {
      const answer = message as ReadingAnswer;
      if ('rows' in answer) return void rows.push(...answer.rows);
      stopListening();
      if ('refused' in answer) {
        const { kind, message: text, ...detail } = answer.refused;
        reject(new RefusedFileError(new DomainError(kind, text, detail)));
      } else if ('broken' in answer) {
        reportFault(job, answer.broken);
        reject(new DomainError('invalid', UNREADABLE_FILE_TEXT, { code: 'unreadable_file' }));
      } else resolve(TASKS_WITH_ROWS.has(job.task) ? { ...(answer.result as object), rows } : answer.result);
    };
    const onExit = (code: number | null, signalName: NodeJS.Signals | null) => {
      stopListening();
      // V8 aborts when its heap is full; within a process namespace this ends as a segmentation fault.
      const outOfMemory = ['SIGABRT', 'SIGSEGV'].includes(String(signalName)) || code === 134 || code === 139;
      if (!outOfMemory) reportFault(job, `ended: ${signalName ?? code}`);
      reject(
        outOfMemory
          ? new DomainError('too-large', describeOutOfMemory(job), { code: 'reading_too_large' })
          : new DomainError('invalid', UNREADABLE_FILE_TEXT, { code: 'unreadable_file' }),
      );
    };
    const onError = () => onExit(null, null);
    const onAbort = () => {
      stopListening();
      reject(signal?.reason);
    };
    const began = performance.now();
    const usedBefore = readProcessorSeconds(reader) ?? 0;
    const onTimeout = () => {
      const used = readProcessorSeconds(reader);
      const remaining = used === undefined ? 0 : seconds - (used - usedBefore);
      if (remaining > 0 && performance.now() - began < MAX_SLOWDOWN_FACTOR * seconds * 1000) {
        timer = setTimeout(onTimeout, Math.max(100, remaining * 1000));
        return;
      }
      stopListening();
      reject(
        new DomainError(
          'too-large',
          `Leer el archivo pasó de ${seconds} segundos, el límite.${SIZE_ADVICE[job.task]}`,
          { code: 'reading_too_slow' },
        ),
      );
    };
    let timer = setTimeout(onTimeout, seconds * 1000);
    const stopListening = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      reader.off('message', onMessage).off('exit', onExit).off('error', onError);
      reader.on('error', () => undefined); // errors after the end do not matter
    };
    reader.on('message', onMessage).on('exit', onExit).on('error', onError);
    signal?.addEventListener('abort', onAbort, { once: true });
    reader.send(job, (error) => {
      if (error) onError();
    });
  });
}

/** These tasks return rows in batches before the rest of the result. */
const TASKS_WITH_ROWS: ReadonlySet<ReadingJob['task']> = new Set(['table', 'metadata', 'list69b']);

/** On a busy machine the wall-clock time may exceed the processor time by this factor. */
const MAX_SLOWDOWN_FACTOR = 6;

/** Linux counts hundredths of a second in fields 14 and 15 of /proc/PID/stat (proc(5)). Elsewhere the clock decides. */
function readProcessorSeconds({ pid }: ChildProcess): number | undefined {
  try {
    const inside = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim(); // the child of unshare
    const fields = readFileSync(`/proc/${inside || pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return undefined;
  }
}

const describeOutOfMemory = ({ task, input }: ReadingJob): string =>
  `Leer el archivo pasó de ${READER_MEMORY_MB['path' in input ? 'command' : 'upload']} MB de memoria, el límite.${SIZE_ADVICE[task]}`;
const SIZE_ADVICE = {
  table: ' Divídelo, o guárdalo como CSV.',
  cfdi: '',
  zip: ' Divídelo.',
  code: ' Toma una foto más pequeña.',
  sheet: '',
  metadata: ' Pide los metadatos por mes.',
  list69b: '',
} as const satisfies Record<ReadingJob['task'], string>;
const UNREADABLE_FILE_TEXT = 'No se pudo leer el archivo: está dañado, o no es de un formato que se lea.';

interface IdleReader {
  reader: ChildProcess;
  timer: NodeJS.Timeout;
}

const idleReaders: IdleReader[] = [];

function acquireReader(wrapper: readonly string[]): ChildProcess {
  for (let one = idleReaders.pop(); one; one = idleReaders.pop()) {
    clearTimeout(one.timer);
    one.reader.removeAllListeners();
    if (!one.reader.connected) continue;
    one.reader.ref();
    one.reader.channel?.ref();
    return one.reader;
  }
  return startReader(wrapper);
}

/** Lets this process, or a test, end while the reader is idle. */
function releaseReader(reader: ChildProcess): void {
  reader.unref();
  reader.channel?.unref();
  const timer = setTimeout(() => {
    const index = idleReaders.findIndex((one) => one.reader === reader);
    if (index >= 0) idleReaders.splice(index, 1);
    reader.kill('SIGKILL');
  }, IDLE_MS);
  timer.unref();
  idleReaders.push({ reader, timer });
}

/** The reader gets none of the environment's secrets. */
function startReader(wrapper: readonly string[], files: readonly string[] = []): ChildProcess {
  const [execPath, ...execArgv] = [
    ...wrapper,
    process.execPath,
    `--max-old-space-size=${READER_MEMORY_MB[files.length > 0 ? 'command' : 'upload']}`,
    ...listPermissionFlags(files),
  ] as [string, ...string[]];
  return fork(readerEntryPath(), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: { NODE_ENV: 'production' },
    execPath,
    execArgv,
  });
}

/**
 * On Linux, if the system allows it, the reader runs in its own namespaces: without network, without sight of other
 * processes, as a user without capabilities. --kill-child ends it together with unshare.
 */
const UNSHARE_COMMAND = [
  '/usr/bin/unshare',
  '--user',
  '--net',
  '--ipc',
  '--pid',
  '--fork',
  '--kill-child',
  '--',
];

let cachedIsolationCommand: Promise<readonly string[]> | undefined;

/** Returns the prefix of the reader's command line; empty where the system refuses the isolation. */
export function findIsolationCommand(): Promise<readonly string[]> {
  cachedIsolationCommand ??= new Promise((done) => {
    const [command = '', ...args] = UNSHARE_COMMAND;
    execFile(command, [...args, process.execPath, '-v'], { env: {} }, (error) =>
      done(error ? [] : UNSHARE_COMMAND),
    );
  });
  return cachedIsolationCommand;
}

/**
 * Returns Node's permission flags. With them the reader may read its own code and the given files, but not write or
 * start anything. restrict-process.ts blocks what permissions do not cover.
 */
export function listPermissionFlags(files: readonly string[]): string[] {
  if (!process.allowedNodeEnvironmentFlags.has('--permission')) return [];
  const folder = dirname(readerEntryPath());
  // The reader is three folders deep in the sources, and two in the build.
  const root = join(folder, folder.endsWith('reading') ? '../../..' : '../..');
  const own = folder.endsWith('reading') ? ['server', 'shared'] : ['dist/server'];
  const paths = [...own, 'node_modules', 'package.json'].map((name) => join(root, name));
  const real = [...paths, ...files].flatMap((path) => [path, existsSync(path) ? realpathSync(path) : path]);
  return [
    '--permission',
    '--no-experimental-sqlite',
    ...new Set(real.map((path) => `--allow-fs-read=${path}`)),
  ];
}
