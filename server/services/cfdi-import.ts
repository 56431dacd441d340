import { isViolation } from '../../db/errors.ts';
import { lockKey } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import type { Actor } from './audit.ts';
import { type CfdiCandidate, type CfdiReading, readCandidate } from './cfdi-candidates.ts';
import { judgeCandidate } from './cfdi-judging.ts';
import { KnownOnFile, type KnownSupplier, readKnown } from './cfdi-known.ts';
import { type CfdiProgress, type CfdiStore, CfdiWriter, DryStore, newProgress } from './cfdi-writing.ts';
import type { CfdiFile } from './cfdi-zip.ts';
import { readSettings } from './settings.ts';

export interface CfdiImportOptions {
  jobId: number;
  rubroId?: number | null;
  /** create the suppliers that are not there; otherwise their documents are refused */
  createSuppliers?: boolean;
  /** reception date of every invoice; empty without it */
  received?: PlainDate | null;
  /** take documents whose total is not the sum of their parts */
  allowMismatch?: boolean;
  /** say what would come of it, and store nothing */
  dryRun?: boolean;
  /** where the files come from, for the record of the import */
  source?: string;
  /** how many files are stored in one transaction */
  filesAtOnce?: number;
  /** aborted: what is stored stays, complete; the rest is left */
  signal?: AbortSignal;
}

export interface CfdiOutcome {
  file: string;
  outcome: 'created' | 'unchanged' | 'warned' | 'refused';
  /** why it was refused */
  reason?: string;
  /** of a document that was stored all the same */
  warnings?: string[];
  /** of the invoice that holds it; none in a dry run */
  invoiceId?: number;
  uuid?: string;
}

export interface CfdiImport {
  files: CfdiOutcome[];
  /** warned documents included */
  created: number;
  unchanged: number;
  warned: number;
  refused: number;
  suppliersCreated: number;
  /** the signal came; `files` are those that were finished */
  interrupted: boolean;
}

/**
 * How many files are stored at a time. Reading the XML takes nearly all the time and no lock; what was read is
 * then stored in one transaction of some tenths of a second, with its audit entries, one for each list. So no
 * invoice is ever there without its trace, others wait but a moment, and what a crash or Ctrl-C leaves behind
 * is complete: repeated, it is unchanged. An import of up to this many files is one such part, all of it or
 * nothing. A single transaction for any number of files would hold everybody up (and all of them in memory);
 * smaller parts would scatter one import over many audit entries.
 */
export const FILES_AT_ONCE = 5000;

/**
 * Stores what the files hold as invoices. Each file is reported, and none stops the others.
 * @param onFile called for each file that was read
 * @throws DomainError conflict where the job or rubro is deleted meanwhile; then the part under way is not stored
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
    dry: options.dryRun ? { known: new KnownOnFile(), store: new DryStore() } : undefined,
    outcomes: [],
    suppliersCreated: 0,
  };
  let part: CfdiReading[] = [];
  let count = 0;
  for await (const file of files) {
    if (options.signal?.aborted) break;
    part.push(readCandidate(file, reading));
    count += 1;
    onFile(count, file.name);
    // Signals are heard only when the program pauses, which reading from a zip in memory may never do.
    if (count % FILES_BETWEEN_PAUSES === 0) await pause();
    if (part.length < (options.filesAtOnce ?? FILES_AT_ONCE)) continue;
    await importPart(run, part);
    part = [];
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
  dry: { known: KnownOnFile; store: DryStore } | undefined;
  outcomes: CfdiOutcome[];
  suppliersCreated: number;
}

/** All of the part or nothing; what the run knows changes only after the commit. */
async function importPart(run: Run, part: readonly CfdiReading[]): Promise<void> {
  if (part.length === 0) return;
  const { db, actor, options, dry } = run;
  if (dry) {
    const { outcomes, replaced } = await decidePart(db, run, part, dry);
    run.outcomes.push(...outcomes);
    run.replaced = replaced;
    run.suppliersCreated = dry.store.suppliersCreated;
    return;
  }
  const result = await againAfterRace(() =>
    inTransaction(db, async (trx) => {
      // One importer at a time: two would wait for each other's numbers.
      await lockKey(trx, 'import:cfdi');
      const store = new CfdiWriter(trx, actor, options, run.progress);
      const decided = await decidePart(trx, run, part, { known: new KnownOnFile(), store });
      return { ...decided, progress: await store.finish(), suppliersCreated: store.suppliersCreated };
    }),
  );
  run.outcomes.push(...result.outcomes);
  run.replaced = result.replaced;
  run.progress = result.progress;
  run.suppliersCreated += result.suppliersCreated;
}

/** In the order of the files, each judged by what the ones before it have added. */
async function decidePart(
  db: Db,
  { options, replaced: before }: Run,
  part: readonly CfdiReading[],
  { known, store }: { known: KnownOnFile; store: CfdiStore },
): Promise<{ outcomes: CfdiOutcome[]; replaced: Map<string, string> }> {
  const { jobId, createSuppliers = false } = options;
  const replaced = new Map(before);
  const outcomes: CfdiOutcome[] = [];
  const candidates = part.flatMap((reading) => ('candidate' in reading ? [reading.candidate] : []));
  await readKnown(db, known, candidates);
  for (const reading of part) {
    const { file, uuid } = reading;
    if ('refused' in reading) {
      outcomes.push({ file, outcome: 'refused', reason: reading.refused, uuid });
      continue;
    }
    const { candidate } = reading;
    const verdict = judgeCandidate(candidate, known, { jobId, createSuppliers, replaced });
    if ('refused' in verdict) {
      outcomes.push({ file, outcome: 'refused', reason: verdict.refused, uuid });
      continue;
    }
    for (const former of candidate.replaces) replaced.set(former, file);
    if ('unchanged' in verdict) {
      outcomes.push({ file, outcome: 'unchanged', invoiceId: verdict.unchanged.id, uuid });
      continue;
    }
    const invoiceId = await storeCandidate(candidate, verdict.supplier, jobId, known, store);
    const warnings = [...candidate.warnings, ...verdict.warnings];
    outcomes.push(
      warnings.length > 0
        ? { file, outcome: 'warned', warnings, invoiceId, uuid }
        : { file, outcome: 'created', invoiceId, uuid },
    );
  }
  return { outcomes, replaced };
}

async function storeCandidate(
  candidate: CfdiCandidate,
  found: KnownSupplier | undefined,
  jobId: number,
  known: KnownOnFile,
  store: CfdiStore,
): Promise<number | undefined> {
  const supplier = found ?? (await store.addSupplier(candidate));
  if (!found) known.addSupplier(supplier);
  const id = await store.addInvoice(candidate, supplier);
  const { draft, detail, moneda } = candidate;
  known.addInvoice({ ...draft, id, supplierId: supplier.id, jobId, formerUuid: null, moneda, detail });
  return id;
}

/** The server, or another importer, was faster with a UUID or an RFC: seen again, it is on file. */
async function againAfterRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isRace =
        isViolation(error, 'unique') || (error instanceof DomainError && error.code === 'rfc_taken');
      if (isRace && attempt < TRIES) continue;
      if (!isViolation(error, 'reference')) throw error;
      throw new DomainError(
        'conflict',
        'La obra, el rubro o un proveedor se eliminó durante la importación.',
      );
    }
  }
}

function summarize(files: CfdiOutcome[]) {
  const count = (...outcomes: CfdiOutcome['outcome'][]) =>
    files.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    files,
    created: count('created', 'warned'),
    unchanged: count('unchanged'),
    warned: count('warned'),
    refused: count('refused'),
  };
}

const FILES_BETWEEN_PAUSES = 50;
const TRIES = 5;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));
