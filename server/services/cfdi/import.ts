import { isViolation, LostRace } from '../../../db/errors.ts';
import { lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type CfdiReading, readCandidate } from '../../formats/cfdi/candidates.ts';
import type { CfdiFile } from '../../formats/cfdi/zip.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { readSettings } from '../settings/settings.ts';
import { type CfdiBooks, decidePart } from './deciding.ts';
import { KnownOnFile } from './known-invoices.ts';
import { KnownSettlements } from './known-settlements.ts';
import type { CfdiImport, CfdiImportOptions, CfdiOutcome } from './outcomes.ts';
import { DryStore } from './store.ts';
import { type CfdiProgress, CfdiWriter, newProgress } from './writing.ts';

/**
 * How many files are stored at a time. Reading the XML takes nearly all the time and no lock; what was read is
 * then stored in one transaction of half a second, with its audit entries, one for each list. So no invoice is
 * ever there without its trace, others wait but a moment, and what a crash or Ctrl-C leaves behind is complete:
 * repeated, it is unchanged. An import of up to this many files is one such part, all of it or nothing. A single
 * transaction for any number of files would hold everybody up (and all of them in memory); smaller parts would
 * scatter one import over many audit entries.
 */
export const FILES_AT_ONCE = 1000;

/** They are held until they are stored. 1,000 invoices have 5 MB; ones with long addenda come in smaller parts. */
const BYTES_AT_ONCE = 16 * 1024 * 1024;

/**
 * Stores what the files hold: invoices (I), credit notes (E) and receipts of payments (P). Each file is reported,
 * and none stops the others.
 * @param onFile called for each file that was read
 * @throws DomainError conflict where the job, rubro or funding source is deleted meanwhile; then the part under way is not stored
 */
export async function importCfdi(
  db: Db,
  actor: Actor,
  files: AsyncIterable<CfdiFile> | Iterable<CfdiFile>,
  options: CfdiImportOptions,
  onFile: (count: number, name: string) => void = () => {},
): Promise<CfdiImport> {
  const settings = await readSettings(db);
  const reading = {
    baseCurrency: settings.moneda,
    ownRfc: settings.rfc,
    allowMismatch: options.allowMismatch ?? false,
  };
  const run: Run = {
    db,
    actor,
    options,
    progress: newProgress(),
    replaced: new Map(),
    dry: options.dryRun ? { ...(await newBooks(db)), store: new DryStore() } : undefined,
    outcomes: [],
    suppliersCreated: 0,
  };
  let part: CfdiReading[] = [];
  let bytes = 0;
  let count = 0;
  for await (const file of files) {
    if (options.signal?.aborted) break;
    const read = options.read ? await options.read(file, reading) : readCandidate(file, reading);
    part.push(withXml(read, file));
    if ('bytes' in file && !('refused' in read)) bytes += file.bytes.length;
    count += 1;
    onFile(count, file.name);
    // Signals are heard only when the program pauses, which reading from a zip in memory may never do.
    if (count % FILES_BETWEEN_PAUSES === 0) await pause();
    const isFull =
      part.length >= (options.filesAtOnce ?? FILES_AT_ONCE) ||
      bytes >= (options.bytesAtOnce ?? BYTES_AT_ONCE);
    if (!isFull) continue;
    await importPart(run, part);
    part = [];
    bytes = 0;
  }
  await pause();
  const interrupted = options.signal?.aborted ?? false;
  if (!interrupted) await importPart(run, part);
  return { ...summarize(run.outcomes), suppliersCreated: run.suppliersCreated, interrupted };
}

interface Run {
  db: Db;
  actor: Actor;
  options: CfdiImportOptions;
  progress: CfdiProgress;
  /** UUID → the file whose document replaces it */
  replaced: ReadonlyMap<string, string>;
  /** a dry run remembers what it would have stored */
  dry: (CfdiBooks & { store: DryStore }) | undefined;
  outcomes: CfdiOutcome[];
  suppliersCreated: number;
}

const newBooks = async (db: Db) => ({
  known: new KnownOnFile(),
  settlements: new KnownSettlements(),
  budgets: await BudgetBook.open(db),
});

/** All of the part or nothing; what the run knows changes only after the commit. */
async function importPart(run: Run, part: readonly CfdiReading[]): Promise<void> {
  if (part.length === 0) return;
  const { db, options, dry } = run;
  if (dry) {
    const { outcomes, replaced } = await decidePart(db, run, part, dry);
    run.outcomes.push(...outcomes);
    run.replaced = replaced;
    run.suppliersCreated = dry.store.suppliersCreated;
    return;
  }
  const store = (trx: Trx) => storePart(trx, run, part);
  const result = await inTurn(() => inTransaction(db, store), options.signal).catch((error) => {
    if (!options.signal?.aborted || error !== options.signal.reason) throw error;
  });
  if (!result) return;
  run.outcomes.push(...result.outcomes);
  run.replaced = result.replaced;
  run.progress = result.progress;
  run.suppliersCreated += result.suppliersCreated;
}

async function storePart(trx: Trx, run: Run, part: readonly CfdiReading[]) {
  const { actor, options, progress } = run;
  try {
    // One importer at a time: two would wait for each other's numbers.
    await lockKey(trx, 'import:cfdi');
    const store = new CfdiWriter(trx, actor, options, progress);
    const books = { ...(await newBooks(trx)), store };
    const decided = await decidePart(trx, run, part, books);
    return { ...decided, progress: await store.finish(), suppliersCreated: store.suppliersCreated };
  } catch (error) {
    throw tellRace(error);
  }
}

/** Another import's part may take longer than anybody waits for a lock: its turn comes all the same. */
export async function inTurn<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isTaken = error instanceof DomainError && error.kind === 'busy' && error.code === 'busy';
      if (!isTaken || attempt === TURNS || signal?.aborted) throw error;
    }
  }
}

/**
 * Somebody was faster: with a UUID or an RFC, which seen again is on file; or deleted what a row refers to, such as
 * a kept file that nothing needed until now. What is gone for good is said in the end.
 */
function tellRace(error: unknown): unknown {
  const isTaken =
    isViolation(error, 'unique') || (error instanceof DomainError && error.code === 'rfc_taken');
  if (isTaken) return new LostRace(conflict(TAKEN), error);
  return isViolation(error, 'reference') ? new LostRace(conflict(GONE), error) : error;
}

const conflict = (message: string) => new DomainError('conflict', message, { code: 'import_race' });

const TAKEN =
  'Alguien guardó a la vez algo que también está en estos archivos. Intenta de nuevo: lo que ya está no se duplica.';
const GONE = 'La obra, el rubro, el origen o un proveedor se eliminó durante la importación.';

function summarize(files: CfdiOutcome[]) {
  const count = (outcome: CfdiOutcome['outcome']) => files.filter((file) => file.outcome === outcome).length;
  const created = files.filter(
    ({ outcome, linked }) => !linked && (outcome === 'created' || outcome === 'warned'),
  );
  const ofKind = (kind: CfdiOutcome['kind']) => created.filter((file) => file.kind === kind).length;
  return {
    files,
    created: created.length,
    linked: files.filter(({ linked }) => linked).length,
    kinds: { invoices: ofKind('I'), creditNotes: ofKind('E'), receipts: ofKind('P') },
    unchanged: count('unchanged'),
    warned: count('warned'),
    refused: count('refused'),
  };
}

const FILES_BETWEEN_PAUSES = 50;
/** How often the time that anybody waits for a lock is waited for. */
const TURNS = 4;

/** The document is kept with what is made of it. */
function withXml(reading: CfdiReading, file: CfdiFile): CfdiReading {
  if (!('bytes' in file)) return reading;
  const xml = { filename: file.name, bytes: file.bytes };
  if ('note' in reading) return { ...reading, note: { ...reading.note, xml } };
  if ('receipt' in reading) return { ...reading, receipt: { ...reading.receipt, xml } };
  if ('candidate' in reading) return { ...reading, candidate: { ...reading.candidate, xml } };
  return reading;
}

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
