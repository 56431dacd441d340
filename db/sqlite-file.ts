import { statSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import Database from 'better-sqlite3';
import { isBusyError, withFileInErrors } from './errors.ts';

/** The longest wait for a write of another process. */
export const BUSY_LIMIT_MS = 15_000;

/**
 * A report's thread needs least: it reads the whole file once, and the operating system caches it as well. The writer
 * needs most: a large import writes everywhere in the indexes, and with a third of this cache each page would be
 * written and read several times, which would take a quarter of the import's time.
 */
const CACHE_KB = { reader: 16_384, readerOfThread: 8192, writer: 24_576 };

export const openSqliteFile = (file: string, options: { readonly?: boolean } = {}): Database.Database =>
  withFileInErrors(file, () => openAndConfigureDatabase(file, options));

function openAndConfigureDatabase(
  file: string,
  { readonly = false }: { readonly?: boolean },
): Database.Database {
  const database = readonly ? new Database(file, { readonly, timeout: 5000 }) : openAfterRestore(file);
  if (!readonly) {
    blockWhileBusy(() => database.pragma('journal_mode = WAL'));
    database.pragma('busy_timeout = 0'); // retryWhileBusy waits for a busy writer without blocking
  }
  // better-sqlite3 is compiled to use NORMAL in WAL mode unless set otherwise.
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  // A thread for reports sorts more than should be kept in memory.
  database.pragma(`temp_store = ${isMainThread ? 'MEMORY' : 'FILE'}`);
  const pages = !readonly ? CACHE_KB.writer : isMainThread ? CACHE_KB.reader : CACHE_KB.readerOfThread;
  database.pragma(`cache_size = ${-pages}`); // a negative number is a size in KB
  if (!readonly) database.pragma('journal_size_limit = 67108864');
  const synchronous = database.pragma('synchronous', { simple: true });
  if (synchronous !== 2) throw new Error(`SQLite runs with synchronous=${synchronous}, not FULL`);
  return database;
}

/** If a restore replaces the file while this function waits for the restore's lock, the new file is opened instead. */
function openAfterRestore(file: string): Database.Database {
  for (;;) {
    const { ino } = statSync(file);
    const database = new Database(file, { timeout: 5000 });
    blockWhileBusy(() => database.pragma('schema_version'));
    if (statSync(file).ino === ino) return database;
    database.close();
  }
}

/**
 * @returns a function that checks whether the files that `database` has open, including its log and shared memory, are
 * still those at their paths: if one was replaced, other processes would never see what is written from then on.
 */
export function createInPlaceCheck(database: Database.Database): () => boolean {
  const identities = new Map<string, string>();
  const isUnchanged = (name: string) => {
    const found = statSync(name, { throwIfNoEntry: false });
    const identity = found && `${found.dev} ${found.ino}`;
    const previous = identities.get(name) ?? identity;
    if (previous) identities.set(name, previous);
    return identity === previous;
  };
  // SQLite keeps these files open while it has any connection: only a file that is put in their place has another identity.
  const names = ['', '-wal', '-shm'].map((end) => database.name + end);
  const isInPlace = () => names.every(isUnchanged);
  isInPlace();
  return isInPlace;
}

/** Blocks the thread while another process switches a new file to WAL, or holds the file's lock during a restore. */
function blockWhileBusy(work: () => void): void {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (!isBusyError(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
