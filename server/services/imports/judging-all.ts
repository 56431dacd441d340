import type { Db } from '../../../db/schema.ts';
import { type CatalogNoun, catalogOf, catalogOfCommand } from '../../../shared/catalogs/all.ts';
import type {
  ParsedRow,
  RefusedRow,
  RowWarning,
  TableImport,
  TableKind,
} from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetJudge, type NewBudget } from './budgets-rows.ts';
import { CatalogJudge } from './catalogs-rows.ts';
import { type Judge, judgeSafely, type Verdict } from './judging.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { NewMovement } from './petty-cash-drafts.ts';
import { FundJudge, type NewFund } from './petty-cash-funds-rows.ts';
import { MovementJudge } from './petty-cash-rows.ts';
import { NameRefusals } from './refusals.ts';
import type { Run, TableImportOptions } from './run.ts';
import { AccountJudge, type NewAccount } from './supplier-accounts-rows.ts';

type New = ListEntry | NewBudget | NewAccount | NewFund | NewMovement;

export interface Judged {
  result: TableImport;
  /** keeps what was accepted */
  judge: Judge<New>;
  /** what `createMissing` adds to other lists, by the catalog's noun, since an accepted row needs it */
  missing: Map<string, Set<ListEntry>>;
}

/** So many rows are looked up on file, and judged, at a time. */
const CHUNK = 4000;
const ROWS_BETWEEN_PAUSES = 1000;

/** Each row by what is on file and by the rows before it. */
export async function judgeAll(db: Db, run: Run): Promise<Judged> {
  const { actor, kind, rows, options, progress } = run;
  const judge = judgeOf(kind, actor, options);
  const verdicts = new Verdicts(run);
  const pause = () => progress.pause();
  await judge.begin(db);
  const judgeChunk = async (chunk: readonly ParsedRow[]) => {
    await judge.read(db, chunk, { all: rows.length, pause });
    for (const [index, row] of chunk.entries()) {
      const judged = verdicts.result.rows;
      if (judged % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', judged / rows.length);
      const isRead = row.problems.length === 0;
      verdicts.take(row, isRead ? judgeSafely(row, (one) => judge.judge(one, index)) : undefined);
    }
  };
  let chunk: ParsedRow[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length % ROWS_BETWEEN_PAUSES === 0) await pause();
    if (chunk.length < CHUNK) continue;
    await judgeChunk(chunk);
    chunk = [];
  }
  await judgeChunk(chunk);
  verdicts.warn(judge.end?.() ?? []);
  const { result, missing } = verdicts;
  for (const [noun, entries] of missing) result.missingCreated[catalogOf(noun).command] = entries.size;
  return { result, judge, missing };
}

/** Counts what becomes of rows, and keeps what is to be said of them. */
class Verdicts {
  readonly result: TableImport;
  readonly missing: Judged['missing'] = new Map();
  readonly #refused: RefusedRow[] = [];
  readonly #warnings: RowWarning[] = [];
  readonly #name: NameRefusals;
  readonly #onJudged: NonNullable<TableImportOptions['onJudged']>;

  constructor({ kind, options: { columns, onJudged = () => {} } }: Run) {
    this.#name = new NameRefusals(kind, columns);
    this.#onJudged = onJudged;
    this.result = {
      rows: 0,
      created: 0,
      unchanged: 0,
      refused: this.#refused,
      warnings: this.#warnings,
      missingCreated: {},
      stored: false,
    };
  }

  warn(warnings: readonly RowWarning[]): void {
    for (const one of warnings) this.#warnings.push(one);
  }

  /** @param verdict undefined where cells could not be read */
  take(row: ParsedRow, verdict: Verdict<New> | undefined): void {
    const { result } = this;
    result.rows += 1;
    if (!verdict || 'refused' in verdict) {
      this.#refused.push(verdict ? this.#name.ofRow(row, verdict.refused) : this.#name.ofCells(row));
      this.#onJudged(row, 'refused');
      return;
    }
    this.warn([...row.warnings, ...verdict.warnings].map((reason) => ({ row: row.line, reason })));
    if ('unchanged' in verdict) {
      result.unchanged += 1;
      this.#onJudged(row, 'unchanged');
      return;
    }
    result.created += 1;
    this.#onJudged(row, 'stored');
    for (const [noun, entry] of namedBy(verdict.accepted)) addTo(this.missing, noun, entry);
  }
}

function judgeOf(kind: TableKind, actor: Actor, options: TableImportOptions): Judge<New> {
  const { createMissing = false, allowDuplicates = false, set = {} } = options;
  const judging = { createMissing, allowDuplicates, set, today: actor.today };
  if (kind === 'budgets') return new BudgetJudge(judging);
  if (kind === 'cuentas') return new AccountJudge(judging);
  if (kind === 'cajas') return new FundJudge(judging, actor);
  if (kind === 'movimientos-caja') return new MovementJudge(judging, actor);
  return new CatalogJudge(catalogOfCommand(kind)!, judging);
}

/** The new rows of other lists that this one needs, theirs included. */
function* namedBy(accepted: New): Generator<[CatalogNoun, ListEntry]> {
  if ('named' in accepted) {
    for (const [noun, entry] of accepted.named) {
      if (entry && entry.id < 0) yield [noun, entry];
      if (entry?.parent && entry.parent.id < 0) yield ['clients', entry.parent];
    }
  } else if ('job' in accepted) {
    const { job, rubro } = accepted;
    if (job.id < 0) yield ['jobs', job];
    if (job.parent && job.parent.id < 0) yield ['clients', job.parent];
    if (rubro && rubro.id < 0) yield ['rubros', rubro];
  } else if ('clabe' in accepted) {
    if (accepted.supplier.id < 0) yield ['suppliers', accepted.supplier];
  } else if (accepted.parent && accepted.parent.id < 0) yield ['clients', accepted.parent];
}

function addTo(missing: Judged['missing'], noun: CatalogNoun, entry: ListEntry): void {
  const entries = missing.get(noun);
  if (entries) entries.add(entry);
  else missing.set(noun, new Set([entry]));
}
