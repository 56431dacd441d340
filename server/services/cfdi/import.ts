import { isViolation, LostRace } from '../../../db/errors.ts';
import { lockKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { numberKey } from '../../../shared/text.ts';
import { type CfdiReading, readCandidate } from '../../formats/cfdi/candidates.ts';
import type { CfdiFile } from '../../formats/cfdi/zip.ts';
import type { Actor } from '../audit/audit.ts';
import { readSettings } from '../settings/settings.ts';
import { takeNote } from './credit-notes.ts';
import type { JudgingOptions } from './invoice-verdicts.ts';
import { takeInvoice } from './invoices.ts';
import type { KnownOnFile } from './on-file.ts';
import { type CfdiImport, type CfdiImportOptions, type CfdiOutcome, summarize } from './outcomes.ts';
import { type CfdiPart, openPart, readAll } from './part.ts';
import { takeReceipt } from './payment-receipts.ts';
import { type CfdiProgress, newProgress } from './write.ts';

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
  const reading = await readingOptions(db, options);
  const { filesAtOnce = FILES_AT_ONCE, bytesAtOnce = BYTES_AT_ONCE } = options;
  const run = await openRun(db, actor, options);
  let part: CfdiReading[] = [];
  let bytes = 0;
  let count = 0;
  for await (const file of files) {
    if (options.signal?.aborted) break;
    const read = readCandidate(file, reading);
    part.push('bytes' in file ? withXml(read, file) : read);
    if ('bytes' in file && !('refused' in read)) bytes += file.bytes.length;
    count += 1;
    onFile(count, file.name);
    // Signals are heard only when the program pauses, which reading from a zip in memory may never do.
    if (count % FILES_BETWEEN_PAUSES === 0) await pause();
    if (part.length < filesAtOnce && bytes < bytesAtOnce) continue;
    await importPart(run, part);
    part = [];
    bytes = 0;
  }
  return endRun(run, part);
}

/** The same of documents that have been read already, as one part of an import. */
export const importDocuments = async (
  db: Db,
  actor: Actor,
  documents: readonly CfdiReading[],
  options: CfdiImportOptions,
): Promise<CfdiImport> => endRun(await openRun(db, actor, options), documents);

/** What the reading of a document depends on. */
export async function readingOptions(
  db: Db,
  { allowMismatch = false }: Pick<CfdiImportOptions, 'allowMismatch'>,
) {
  const { moneda, rfc } = await readSettings(db);
  return { baseCurrency: moneda, ownRfc: rfc, allowMismatch };
}

/** The document is kept with what is made of it. */
export function withXml(
  reading: CfdiReading,
  { name, bytes }: { name: string; bytes: Uint8Array },
): CfdiReading {
  const xml = { filename: name, bytes };
  if ('note' in reading) return { ...reading, note: { ...reading.note, xml } };
  if ('receipt' in reading) return { ...reading, receipt: { ...reading.receipt, xml } };
  if ('candidate' in reading) return { ...reading, candidate: { ...reading.candidate, xml } };
  return reading;
}

interface Run {
  db: Db;
  actor: Actor;
  options: CfdiImportOptions;
  progress: CfdiProgress;
  /** UUID → the file whose document replaces it */
  replaced: ReadonlyMap<string, string>;
  /** a dry run remembers what it would have stored */
  dry: CfdiPart | undefined;
  outcomes: CfdiOutcome[];
  suppliersCreated: number;
}

const openRun = async (db: Db, actor: Actor, options: CfdiImportOptions): Promise<Run> => ({
  db,
  actor,
  options,
  progress: newProgress(),
  replaced: new Map(),
  dry: options.dryRun ? await openPart(db, actor, options) : undefined,
  outcomes: [],
  suppliersCreated: 0,
});

/** @param last of its parts */
async function endRun(run: Run, last: readonly CfdiReading[]): Promise<CfdiImport> {
  await pause();
  const interrupted = run.options.signal?.aborted ?? false;
  if (!interrupted) await importPart(run, last);
  return { ...summarize(run.outcomes), suppliersCreated: run.suppliersCreated, interrupted };
}

/** All of the part or nothing; what the run knows changes only after the commit. */
async function importPart(run: Run, readings: readonly CfdiReading[]): Promise<void> {
  if (readings.length === 0) return;
  const { db, options, dry } = run;
  if (dry) {
    run.outcomes.push(...(await takeDocuments(dry, readings)));
    run.suppliersCreated = dry.writer.suppliersCreated;
    return;
  }
  const store = (trx: Trx) => storePart(trx, run, readings);
  const stored = await inTurn(() => inTransaction(db, store), options.signal).catch((error) => {
    if (!options.signal?.aborted || error !== options.signal.reason) throw error;
  });
  if (!stored) return;
  run.outcomes.push(...stored.outcomes);
  run.replaced = stored.part.replaced;
  run.progress = stored.progress;
  run.suppliersCreated += stored.part.writer.suppliersCreated;
}

async function storePart(trx: Trx, run: Run, readings: readonly CfdiReading[]) {
  try {
    // One importer at a time: two would wait for each other's numbers.
    await lockKey(trx, 'import:cfdi');
    const part = await openPart(trx, run.actor, run.options, run);
    const outcomes = await takeDocuments(part, readings);
    return { part, outcomes, progress: await part.writer.finish(part.payments) };
  } catch (error) {
    throw tellRace(error);
  }
}

/**
 * Each document decided by what is on file and what the ones before it have added: first the invoices in the order
 * of the files, then the credit notes, then the receipts, so that a folder's order decides nothing.
 * @returns the outcomes in the order of the files
 */
async function takeDocuments(part: CfdiPart, readings: readonly CfdiReading[]): Promise<CfdiOutcome[]> {
  const { known, budgets, replaced, options } = part;
  await readAll(part, readings);
  const places = readings.map(({ file }) => options.places?.get(file) ?? options);
  await budgets.read([...places, ...known.invoices].map(({ jobId }) => jobId));
  const isClaimed = claimedNumbers(readings, known);
  const outcomes: CfdiOutcome[] = [];
  const all = [...readings.entries()];
  for (const [index, reading] of all) {
    const { file, uuid } = reading;
    if ('refused' in reading) outcomes[index] = { file, outcome: 'refused', reason: reading.refused, uuid };
    if (!('candidate' in reading)) continue;
    const outcome = await takeInvoice(part, reading.candidate, { place: places[index]!, index, isClaimed });
    outcomes[index] = { file, ...outcome, kind: 'I', uuid };
    if (outcome.outcome !== 'refused')
      for (const former of reading.candidate.replaces) replaced.set(former, file);
  }
  for (const { at, text } of budgets.tellExceeded()) {
    const { warnings = [], ...outcome } = outcomes[at]!;
    outcomes[at] = { ...outcome, outcome: 'warned', warnings: [...warnings, text] };
  }
  for (const [index, reading] of all) {
    const { file, uuid } = reading;
    if (!('note' in reading)) continue;
    const outcome = await takeNote(part, reading);
    outcomes[index] = { file, ...outcome, kind: 'E', uuid };
    if (outcome.outcome !== 'refused') for (const former of reading.note.replaces) replaced.set(former, file);
  }
  for (const [index, reading] of all) {
    const { file, uuid } = reading;
    if (!('receipt' in reading)) continue;
    outcomes[index] = { file, ...(await takeReceipt(part, reading.receipt)), kind: 'P', uuid };
  }
  return outcomes;
}

/** Which numbers the documents of this part have. */
function claimedNumbers(part: readonly CfdiReading[], known: KnownOnFile): JudgingOptions['isClaimed'] {
  const claimed = new Set<string>();
  for (const reading of part) {
    if (!('candidate' in reading)) continue;
    const key = numberKey(reading.candidate.draft.numfactura);
    for (const { id } of known.suppliersOf(reading.candidate)) if (key) claimed.add(`${id}:${key}`);
  }
  return (supplierId, numfacturaKey) => claimed.has(`${supplierId}:${numfacturaKey}`);
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

const FILES_BETWEEN_PAUSES = 50;
/** How often the time that anybody waits for a lock is waited for. */
const TURNS = 4;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
