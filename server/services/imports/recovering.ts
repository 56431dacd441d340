import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { importRunningError } from '../../../db/errors.ts';
import { asImport, findOpenImports, type OpenImport, takeBack, takeOver } from '../../../db/open-imports.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';

/** Whoever was not heard of for so long is dead: longer than anybody waits for the database between two batches. */
const SILENT_MS = 60_000;

/** What a transaction may take of an import that is stored or taken back in several. */
const BATCH_MS = 100;

/** The same where nobody waits: it ends as soon as somebody does. */
export const ALONE_MS = 300;

/** Between two of them whoever waits gets the database: other processes ask for it every 24 ms at the latest. */
const REST_MS = 35;

const POLL_MS = 200;

/** Who an import is under way for: host and process tell whether it can be, the rest which one it is. */
export const newOwner = (): string => [hostname(), process.pid, randomUUID()].join(' ');

export const beat = (id: number, owner: string): OpenImport => ({
  id,
  owner,
  beatAt: new Date().toISOString(),
});

/** There is time for more until so many have passed since this was called. */
export function batchTime(milliseconds = BATCH_MS): () => boolean {
  const end = performance.now() + milliseconds;
  return () => performance.now() < end;
}

export const rest = (): Promise<void> => delay(REST_MS);

/** Takes back all that an import has stored, in moments; whatever it takes. */
export async function takeBackWhole(
  db: Db,
  { id, owner }: Pick<OpenImport, 'id' | 'owner'>,
  timing = batchTime,
): Promise<void> {
  for (let tries = 1; ; ) {
    try {
      const isGone = await inTransaction(db, (trx) =>
        asImport(trx, beat(id, owner), (rolls) => takeBack(trx, id, { rolls, mayGoOn: timing() })),
      );
      if (isGone) return;
      await rest();
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'busy' || tries++ === BUSY_TRIES) throw error;
    }
  }
}

const BUSY_TRIES = 4;

/**
 * Takes back the imports that nobody goes on with, since their process died in the midst of them.
 * @param now in ms
 * @returns how many
 */
export async function recoverImports(db: Db, now = Date.now()): Promise<number> {
  let count = 0;
  for (const open of await findOpenImports(db)) {
    if (isAlive(open, now)) continue;
    if (await takeBackFrom(db, open)) count += 1;
  }
  return count;
}

/** Takes back all that are under way, whoever's they are: in a copy nobody goes on with them. */
export async function takeBackAll(db: Db): Promise<void> {
  for (const open of await findOpenImports(db)) await takeBackFrom(db, open);
}

/** @returns whether nobody was faster */
async function takeBackFrom(db: Db, open: OpenImport): Promise<boolean> {
  const heir = beat(open.id, newOwner());
  if (!(await inTransaction(db, (trx) => takeOver(trx, open, heir)))) return false;
  await takeBackWhole(db, heir);
  return true;
}

/**
 * On another machine, or in another container, only its silence tells. A beat to come is one of before the clock was
 * set back: who lives beats again at once.
 */
function isAlive({ owner, beatAt }: OpenImport, now: number): boolean {
  if (Math.abs(now - Date.parse(beatAt)) > SILENT_MS) return false;
  const [host, pid] = owner.split(' ');
  if (host !== hostname()) return true;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/**
 * Waits until no import is under way in several transactions: what it has stored is not to be relied on.
 * @throws the signal's reason where it was aborted
 */
export async function whenNoneIsOpen(db: Db, signal: AbortSignal | undefined): Promise<void> {
  while ((await findOpenImports(db)).length > 0) {
    await recoverImports(db);
    await delay(POLL_MS);
    signal?.throwIfAborted();
  }
}

/**
 * Runs what decides by all that is on file, in a transaction that begins with `requireNoneOpen`, once no import is
 * under way; inside of a transaction it is refused instead.
 */
export async function besideNone<T>(
  db: Db,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return work();
  for (;;) {
    await whenNoneIsOpen(db, signal);
    try {
      return await work();
    } catch (error) {
      if (!isRunning(error)) throw error;
    }
  }
}

/** @throws DomainError conflict `import_running` */
export async function requireNoneOpen(trx: Trx): Promise<void> {
  if ((await findOpenImports(trx)).length > 0) throw importRunningError();
}

export const isRunning = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'import_running';
