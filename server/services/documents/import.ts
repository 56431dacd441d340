import { isViolation, LostRaceError } from '../../../db/errors.ts';
import { lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inSnapshot, inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type CfdiReading, readCandidate } from '../../formats/cfdi/candidates.ts';
import type { CfdiFile } from '../../formats/cfdi/zip.ts';
import type { Actor } from '../audit/audit.ts';
import { storeRegimes } from '../fiscal/regimes.ts';
import type { ImportIdAndHash } from './cfdi-writer.ts';
import { writeDocuments } from './decide.ts';
import { type CfdiImportContext, createCfdiImportContext, prepareImportContext } from './import-context.ts';
import type { KnownSupplier } from './issuers.ts';
import {
  type CfdiImportOptions,
  type CfdiImportResult,
  type CfdiOutcome,
  summarizeOutcomes,
} from './outcomes.ts';
import { readCfdiOptions } from './read-cfdi.ts';

/**
 * Files are stored in parts, each in one transaction of half a second with its audit entries. A single transaction
 * would block other writers; smaller parts would scatter one import over many audit entries. After a crash complete
 * parts remain, which a repeated import finds unchanged.
 */
const FILES_PER_PART = 1000;

/** A part is held in memory: 1,000 invoices take 5 MB. Files with long addenda come in smaller parts. */
const BYTES_PER_PART = 16 * 1024 * 1024;

/**
 * A refused file does not stop the others.
 * @throws DomainError conflict where the funding source is deleted meanwhile; the current part is then not stored
 */
export async function importCfdi(
  db: Db,
  actor: Actor,
  files: AsyncIterable<CfdiFile> | Iterable<CfdiFile>,
  options: CfdiImportOptions,
  onFile: (count: number, name: string) => void = () => {},
): Promise<CfdiImportResult> {
  const reading = await readCfdiOptions(db);
  const { dryRun, filesPerPart = FILES_PER_PART, bytesPerPart = BYTES_PER_PART } = options;
  const run: ImportRun = { db, actor, options, outcomes: [], suppliers: [], suppliersCreated: 0 };
  let part: CfdiReading[] = [];
  let bytes = 0;
  let count = 0;
  for await (const file of files) {
    if (options.signal?.aborted) break;
    const read = readCandidate(file, reading);
    const retainsXml = !dryRun && read.kind && 'bytes' in file;
    const xml = retainsXml ? { filename: file.name, bytes: file.bytes } : undefined;
    part.push({ ...read, xml });
    bytes += xml?.bytes.length ?? 0;
    count += 1;
    onFile(count, file.name);
    // Signals are handled only while the program pauses, and reading from a zip in memory may never pause.
    if (count % FILES_BETWEEN_PAUSES === 0) await yieldToEventLoop();
    // A dry run stores nothing between parts, so all documents have to be in one part to find each other.
    if (dryRun || (part.length < filesPerPart && bytes < bytesPerPart)) continue;
    await importPart(run, part);
    part = [];
    bytes = 0;
  }
  return importLastPartAndSummarize(run, part);
}

/** @returns also the supplier on file of each document, if any */
export async function importDocuments(
  db: Db,
  actor: Actor,
  readings: readonly CfdiReading[],
  options: CfdiImportOptions,
): Promise<CfdiImportResult & Pick<ImportRun, 'suppliers'>> {
  const run: ImportRun = { db, actor, options, outcomes: [], suppliers: [], suppliersCreated: 0 };
  return { ...(await importLastPartAndSummarize(run, readings)), suppliers: run.suppliers };
}

interface ImportRun {
  db: Db;
  actor: Actor;
  options: CfdiImportOptions;
  progress?: ImportIdAndHash;
  outcomes: CfdiOutcome[];
  suppliers: (KnownSupplier | undefined)[];
  suppliersCreated: number;
}

async function importLastPartAndSummarize(
  run: ImportRun,
  lastReadings: readonly CfdiReading[],
): Promise<CfdiImportResult> {
  await yieldToEventLoop();
  const interrupted = run.options.signal?.aborted ?? false;
  if (!interrupted) await importPart(run, lastReadings);
  return { ...summarizeOutcomes(run.outcomes), suppliersCreated: run.suppliersCreated, interrupted };
}

/** Updates the run only after the commit, since the transaction may be retried. */
async function importPart(run: ImportRun, readings: readonly CfdiReading[]): Promise<void> {
  if (readings.length === 0) return;
  const { db, options } = run;
  const storePartOfRun = (trx: Trx) => storePart(trx, run, readings);
  const stored = await (options.dryRun
    ? inSnapshot(db, storePartOfRun)
    : retryWhileBusy(() => inTransaction(db, storePartOfRun), options.signal)
  ).catch((error) => {
    if (!options.signal?.aborted || error !== options.signal.reason) throw error;
  });
  if (!stored) return;
  run.outcomes.push(...stored.outcomes);
  run.progress = stored.progress;
  const { issuers } = stored.context;
  run.suppliersCreated += issuers.createdCount;
  for (const reading of readings)
    run.suppliers.push(reading.kind && issuers.findStoredSupplier(reading.issued));
}

async function storePart(trx: Trx, run: ImportRun, readings: readonly CfdiReading[]) {
  try {
    // Imports are stored one at a time, because two could wait for each other.
    if (!run.options.dryRun) await lockAdvisoryKey(trx, 'import:cfdi');
    const context = await createCfdiImportContext(trx, run.actor, run.options, run);
    await prepareImportContext(context, readings);
    const outcomes = await writeDocuments(context, readings);
    const progress = await context.writer.finish(context.payments);
    if (!run.options.dryRun) await storeRegimes(trx, listStatedRegimes(context, readings, outcomes));
    return { context, outcomes, progress };
  } catch (error) {
    throw toLostRaceError(error);
  }
}

const listStatedRegimes = (
  { issuers }: CfdiImportContext,
  readings: readonly CfdiReading[],
  outcomes: CfdiOutcome[],
) =>
  readings.flatMap((reading, index) => {
    const { outcome } = outcomes[index]!;
    if (!reading.kind || !reading.regime || outcome === 'refused' || outcome === 'unchanged') return [];
    const supplier = issuers.findStoredSupplier(reading.issued);
    return supplier ? [{ ...reading.regime, supplierId: supplier.id }] : [];
  });

/** Retries while the database is busy: the part of another import may take longer than a writer usually waits. */
export async function retryWhileBusy<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isRace = error instanceof DomainError && error.kind === 'busy' && error.code === 'busy';
      if (!isRace || attempt === MAX_ATTEMPTS || signal?.aborted) throw error;
    }
  }
}

/** Somebody else stored the same UUID or RFC meanwhile, or deleted a row that this part refers to. */
function toLostRaceError(error: unknown): unknown {
  const isRace = isViolation(error, 'unique') || (error instanceof DomainError && error.code === 'rfc_taken');
  if (isRace) return new LostRaceError(createRaceError(STORED_MEANWHILE_MESSAGE), error);
  return isViolation(error, 'reference')
    ? new LostRaceError(createRaceError(DELETED_MEANWHILE_MESSAGE), error)
    : error;
}

const createRaceError = (message: string) => new DomainError('conflict', message, { code: 'import_race' });

const STORED_MEANWHILE_MESSAGE =
  'Alguien guardó a la vez algo que también está en estos archivos. Intenta de nuevo: lo que ya está no se duplica.';
const DELETED_MEANWHILE_MESSAGE =
  'La obra, el rubro, el origen o un proveedor se eliminó durante la importación.';

const FILES_BETWEEN_PAUSES = 50;
const MAX_ATTEMPTS = 4;

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
