import { insertRows, reserveIds, type StagedRows, stageRows } from '../../../db/bulk.ts';
import { isViolation, LostRace } from '../../../db/errors.ts';
import { lockKey, writesAlone } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type CatalogNoun, catalogOf, catalogOfCommand } from '../../../shared/catalogs/all.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import type { ColumnPlan, ParsedRow, TableImport, TableKind } from '../../formats/tables/table.ts';
import { type Actor, audit, readAuditTail } from '../audit/audit.ts';
import { CatalogJudge } from './catalogs-rows.ts';
import { mayChangeVerdicts } from './changes.ts';
import type { NewInvoice } from './invoices-drafts.ts';
import { AMOUNTS, InvoiceJudge } from './invoices-rows.ts';
import { judgeSafely, type RowRefusal, type Verdict } from './judging.ts';
import type { ListEntry } from './known-catalogs.ts';
import { type NewPayment, PaymentJudge } from './payments-rows.ts';
import { ImportProgress, type TableProgress } from './progress.ts';
import { NameRefusals } from './refusals.ts';
import {
  inOrder,
  type MakingContext,
  makeCredits,
  makeEntries,
  makeInvoices,
  makePayments,
  type NewRows,
  settlePayments,
} from './writing.ts';

export interface TableImportOptions {
  /** say what would come of it, and store nothing */
  dryRun?: boolean;
  /** add what rows refer to and is not there: suppliers, jobs, rubros, sources, and a job's client */
  createMissing?: boolean;
  /** one refused row stops it all (the default), or is left out */
  onError?: 'stop' | 'skip';
  /** store what is known already and equal */
  allowDuplicates?: boolean;
  /** where the rows come from, for the record of the import */
  source: string;
  sha256: string;
  /** of the file, so that refusals name its headings and show its cells */
  columns?: readonly ColumnPlan[];
  /** what was said to be the same in every row, by field: there a row of another list may be named by its id */
  set?: Readonly<Record<string, string>>;
  /** aborted: nothing is stored */
  signal?: AbortSignal;
  /** what else belongs into the transaction that stores it; by default nothing */
  storeOnce?: StoreOnce;
  /** is shown each row and what becomes of it */
  onJudged?: (row: ParsedRow, fate: RowFate) => void;
}

export type RowFate = 'stored' | 'unchanged' | 'refused';

/** Runs `write` in one transaction, perhaps with more around it, and answers what it did. */
type StoreOnce = (write: (trx: Trx) => Promise<TableImport>) => Promise<TableImport>;

/**
 * Stores the rows of a table in one list: all of it in one transaction, or nothing. Each row is judged by what
 * is on file and by the rows before it; all refused rows are said, not only the first. A dry run does the same
 * without storing, and comes to the same counts: `created` are the rows that are, or would be, stored.
 * @throws the signal's reason where it was aborted; DomainError busy, conflict (a row referred to is gone)
 */
export async function importTable(
  db: Db,
  actor: Actor,
  kind: TableKind,
  rows: Iterable<ParsedRow>,
  options: TableImportOptions,
  onProgress: TableProgress = () => {},
): Promise<TableImport> {
  const progress = new ImportProgress(options.signal, onProgress);
  const parsed: ParsedRow[] = [];
  for (const row of rows) {
    parsed.push(row);
    if (parsed.length % ROWS_BETWEEN_PAUSES === 0) await progress.pause();
  }
  const run: Run = { actor, kind, rows: parsed, options, progress };
  if (options.dryRun) return (await judgeAll(db, run)).result;
  const storeOnce: StoreOnce = options.storeOnce ?? ((write) => inTransaction(db, write));
  // Where others wait for whoever writes, only what is ready is written.
  for (let attempt = 1; !db.isTransaction && writesAlone(db) && attempt <= ATTEMPTS; attempt++) {
    const result = await judgeThenStore(db, run, storeOnce);
    if (result) return result;
  }
  return storeOnce(async (trx) => {
    // One importer at a time: two would wait for each other's numbers.
    await lockKey(trx, 'import:tables');
    const judged = await judgeAll(trx, run);
    if (!mayStore(run, judged)) return judged.result;
    const made = await makeRows(trx, run, judged);
    await store(trx, run, judged, made).catch(tellRace);
    await progress.pause();
    return { ...judged.result, stored: true };
  });
}

/** How often rows are judged anew because of what others have stored meanwhile, before they are made to wait. */
const ATTEMPTS = 3;

/** Judges and makes ready, then stores in a moment; undefined where what others did meanwhile may change the verdict. */
async function judgeThenStore(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport | undefined> {
  const before = await readAuditTail(db);
  const judged = await judgeAll(db, run);
  if (!mayStore(run, judged)) return judged.result;
  const made = await makeRows(db, run, judged);
  const staged: StagedRows[] = [];
  try {
    for (const { table, rows } of made.lists) {
      const onBatch = (count: number) => run.progress.show('guardar', (STAGING * count) / rows.length);
      // Which columns the table has, its rows say.
      staged.push(await stageRows(db, table, rows as never, onBatch));
    }
    return await storeOnce(async (trx) => {
      if (await mayChangeVerdicts(trx, before.lastId, run.kind, judged)) throw new Overtaken();
      await store(trx, run, judged, made, staged).catch(tellRace);
      await run.progress.pause();
      return { ...judged.result, stored: true };
    });
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  } finally {
    for (const one of staged) await one.drop();
  }
}

/** The share of the time that storing takes which passes before anybody waits for it. */
const STAGING = 0.6;

class Overtaken extends Error {}

/** One refused row stops it all, unless it was said that it is left out. */
const mayStore = ({ options }: Run, { result }: Judged): boolean =>
  result.refused.length === 0 || options.onError === 'skip';

interface Run {
  actor: Actor;
  kind: TableKind;
  rows: readonly ParsedRow[];
  options: TableImportOptions;
  progress: ImportProgress;
}

type New = ListEntry | NewInvoice | NewPayment;

interface Judged {
  result: TableImport;
  accepted: New[];
  /** what `createMissing` adds to other lists, by the catalog's noun, since an accepted row needs it */
  missing: Map<string, Set<ListEntry>>;
}

interface Judge {
  read(db: Db, rows: readonly ParsedRow[], pause: () => Promise<void>): Promise<void>;
  judge(row: ParsedRow, index: number): Verdict<New>;
}

async function judgeAll(db: Db, { actor, kind, rows, options, progress }: Run): Promise<Judged> {
  const judge = judgeOf(kind, actor, options);
  await judge.read(db, rows, () => progress.pause());
  const name = new NameRefusals(kind, options.columns);
  const result: TableImport = {
    rows: rows.length,
    created: 0,
    unchanged: 0,
    refused: [],
    warnings: [],
    missingCreated: {},
    stored: false,
  };
  const accepted: New[] = [];
  const missing: Judged['missing'] = new Map();
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', index / rows.length);
    const verdict = row.problems.length > 0 ? undefined : judgeSafely(row, (one) => judge.judge(one, index));
    if (!verdict || 'refused' in verdict) {
      result.refused.push(verdict ? name.ofRow(row, verdict.refused as RowRefusal) : name.ofCells(row));
      options.onJudged?.(row, 'refused');
      continue;
    }
    if ('unchanged' in verdict) options.onJudged?.(row, 'unchanged');
    else options.onJudged?.(asStored(row, verdict.accepted), 'stored');
    for (const reason of [...row.warnings, ...verdict.warnings])
      result.warnings.push({ row: row.line, reason });
    if ('unchanged' in verdict) {
      result.unchanged += 1;
      continue;
    }
    result.created += 1;
    accepted.push(verdict.accepted);
    for (const [noun, entry] of namedBy(verdict.accepted)) addTo(missing, noun, entry);
  }
  for (const [noun, entries] of missing) result.missingCreated[catalogOf(noun).command] = entries.size;
  return { result, accepted, missing };
}

/** A row in another currency as it is stored: in the base one. */
function asStored(row: ParsedRow, accepted: New): ParsedRow {
  const { line, raw, values, problems, warnings } = row;
  if (!values.moneda) return row;
  const amounts: Record<string, Cents> = {};
  if ('invoice' in accepted) for (const [name, cents] of AMOUNTS) amounts[name] = accepted.invoice[cents];
  if ('payment' in accepted) amounts.paymentamount = accepted.payment.amountCents;
  return { line, raw, values: { ...values, ...amounts }, problems, warnings };
}

function judgeOf(kind: TableKind, actor: Actor, options: TableImportOptions): Judge {
  const { createMissing = false, allowDuplicates = false, set = {} } = options;
  const judging = { createMissing, allowDuplicates, set };
  if (kind === 'invoices') return new InvoiceJudge(judging);
  if (kind === 'payments') return new PaymentJudge({ ...judging, today: actor.today });
  return new CatalogJudge(catalogOfCommand(kind)!, judging);
}

/** The new rows of other lists that this one needs, theirs included. */
function* namedBy(accepted: New): Generator<[CatalogNoun, ListEntry]> {
  if ('invoice' in accepted) {
    const { supplier, job, rubro } = accepted;
    if (supplier.id < 0) yield ['suppliers', supplier];
    if (job.id < 0) yield ['jobs', job];
    if (job.parent && job.parent.id < 0) yield ['clients', job.parent];
    if (rubro && rubro.id < 0) yield ['rubros', rubro];
  } else if ('payment' in accepted) {
    if (accepted.source && accepted.source.id < 0) yield ['funding-sources', accepted.source];
  } else if (accepted.parent && accepted.parent.id < 0) yield ['clients', accepted.parent];
}

function addTo(missing: Judged['missing'], noun: CatalogNoun, entry: ListEntry): void {
  const entries = missing.get(noun);
  if (entries) entries.add(entry);
  else missing.set(noun, new Set([entry]));
}

interface Made {
  importId: number;
  /** what is referred to first; those of the file last */
  lists: NewRows[];
}

/** All that is to be stored, with its ids. */
async function makeRows(db: Db, { actor, kind }: Run, { accepted, missing }: Judged): Promise<Made> {
  if (accepted.length === 0) return { importId: 0, lists: [] };
  const [importId = 0] = await reserveIds(db, 'imports', 1);
  const context: MakingContext = { db, actor, importId };
  const lists: NewRows[] = [];
  for (const catalog of inOrder(missing.keys()))
    lists.push(await makeEntries(context, catalog, [...missing.get(catalog.noun)!]));
  if (kind === 'payments') lists.push(await makeCredits(context, accepted as NewPayment[]));
  lists.push(await makeOwn(context, kind, accepted));
  return { importId, lists: lists.filter(({ ids }) => ids.length > 0) };
}

function makeOwn(context: MakingContext, kind: TableKind, accepted: readonly New[]): Promise<NewRows> {
  if (kind === 'invoices') return makeInvoices(context, accepted as NewInvoice[]);
  if (kind === 'payments') return makePayments(context, accepted as NewPayment[]);
  return makeEntries(context, catalogOfCommand(kind)!, accepted as ListEntry[]);
}

/** The import's own record, what was missing, the rows, and one audit entry for each list. */
async function store(
  trx: Trx,
  { actor, kind, options, progress }: Run,
  { accepted, result }: Judged,
  { importId, lists }: Made,
  staged?: readonly StagedRows[],
): Promise<void> {
  if (accepted.length === 0) return;
  const { source, sha256 } = options;
  const record = { id: importId, kind, source, sha256, at: actor.at, userId: actor.userId };
  await trx.insertInto('imports').values(record).execute();
  for (const [index, { entity, table, ids, rows }] of lists.entries()) {
    const from = staged ? STAGING : 0;
    const onBatch = (count: number) => progress.show('guardar', from + ((1 - from) * count) / rows.length);
    if (staged) await staged[index]!.store(trx, onBatch);
    else await insertRows(trx, table, rows as never, onBatch);
    const isOwn = index === lists.length - 1;
    const { unchanged, refused } = result;
    const counts = isOwn ? { unchanged, refused: refused.length } : {};
    const after = { importId, kind, source, sha256, created: ids.length, ...counts, ids };
    audit(trx, actor, { action: 'import', entity, after });
  }
  if (kind === 'payments')
    await settlePayments(trx, importId, accepted as NewPayment[], () => progress.show('guardar', 1));
}

/** Somebody was faster with a UUID or an RFC: seen again, it is on file. */
function tellRace(error: unknown): never {
  if (!isViolation(error, 'unique')) throw error;
  const message =
    'Alguien guardó a la vez algo que también está en este archivo. No se importó nada: intenta de nuevo.';
  throw new LostRace(new DomainError('conflict', message, { code: 'import_race' }), error);
}

const ROWS_BETWEEN_PAUSES = 1000;
