import { insertRows, reserveIds } from '../../../db/bulk.ts';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import type { ParsedRow, RefusedRow, RowWarning, TableImport } from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import type { BulkOptions, UnreadDraft, Written } from '../writing.ts';
import { addRecord, auditRun } from './made-rows.ts';
import { countMissing, makeMissing } from './missing.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import type { References } from './references.ts';
import { NameRefusals } from './refusals.ts';
import { type RowRefusal, safely } from './row-values.ts';
import { mayStore, type Run, type StoreOnce } from './run.ts';

/** What becomes of a row: a draft for the writer, or why it is none; with what is said of it anyway. */
export interface DraftedRow<Draft> {
  line: number;
  draft: Draft | (UnreadDraft & { cell?: RowRefusal });
  warnings: readonly Remark[];
}

/** How the rows of one kind of table become drafts of a noun's writer, and its results words of the file. */
interface TableNoun<Draft extends object, Asked extends object> {
  table: keyof Schema;
  /** as the audit trail names it */
  entity: string;
  /** the column of a table that holds what a member of a draft is made of, where the names differ */
  columns: Readonly<Record<string, string>>;
  /** made while nobody waits, before the transaction */
  draftRows(): Promise<DraftedRow<Draft>[]>;
  write(
    trx: Trx,
    actor: Actor,
    drafts: readonly (Draft | UnreadDraft)[],
    options: BulkOptions<Asked>,
  ): Promise<Written<Asked, unknown>[]>;
  /** finds what rows name in other lists; what is not there comes with those that are stored */
  references?: References;
  /** what of a draft holds the ids of rows of other lists, where it is not the draft itself */
  namesOf?(draft: Draft | Asked): object;
  /**
   * Makes what else accepted drafts refer to and is not there; each learns the ids of what it names. What was drafted
   * before the transaction stays as it is: that may be run again.
   */
  bring?(context: MakingContext & { db: Trx }, accepted: readonly Asked[]): Promise<NewRows[]>;
  /** counts what is brought so with stored drafts, by the command of its list */
  missing?(stored: readonly Draft[]): TableImport['missingCreated'];
  /** says of each draft that is stored, in their order, what there is beside its own warnings */
  sayOf?(): (stored: Draft) => readonly Remark[];
  /** the row as it is stored, where that differs */
  asStored?(row: ParsedRow, asked: Asked): ParsedRow;
}

/**
 * Imports the rows of a table: each becomes a draft, and the noun's writer does the rest. Drafts are made while nobody
 * waits; they are validated and stored in one transaction.
 */
export async function importDrafts<Draft extends object, Asked extends object>(
  db: Db,
  run: Run,
  storeOnce: StoreOnce,
  noun: TableNoun<Draft, Asked>,
): Promise<TableImport> {
  const { onError = 'stop', dryRun = false } = run.options;
  const rows = await noun.draftRows();
  // A row cannot say why a rule should let it pass: imports override nothing, whoever asks.
  const roles = run.actor.roles.filter((role) => role !== ADMIN_ROLE);
  const actor: Actor = { ...run.actor, roles, motivo: undefined };
  const { namesOf = (draft) => draft } = noun;
  const write = async (trx: Trx): Promise<TableImport> => {
    let importId = 0;
    let lists: NewRows[] = [];
    const bring = async (_trx: Trx, accepted: readonly Asked[]) => {
      [importId = 0] = await reserveIds(trx, 'imports', 1);
      await addRecord(trx, run, importId);
      const context = { db: trx, actor: run.actor, importId };
      const named = accepted.map(namesOf);
      const missing = noun.references ? await makeMissing(context, noun.references, named) : [];
      lists = [...missing, ...((await noun.bring?.(context, accepted)) ?? [])].filter(
        ({ ids }) => ids.length > 0,
      );
      for (const { table, ids, make } of lists) await insertRows(trx, table, make(0, ids.length) as never);
      return importId;
    };
    const written = await noun.write(
      trx,
      actor,
      rows.map(({ draft }) => draft),
      {
        dryRun,
        onRefusal: onError,
        pause: () => run.progress.pause(),
        onStored: (fraction) => run.progress.show('guardar', fraction),
        bring,
      },
    );
    const result = resultOf(run, rows, written, noun);
    if (importId > 0) {
      const ids = written.flatMap((one) => (one.outcome === 'stored' ? one.id : []));
      const own = { entity: noun.entity, table: noun.table, ids, make: () => [] };
      auditRun(trx, run, result, { importId, lists: [...lists, own] });
    }
    await run.progress.pause();
    return { ...result, stored: !dryRun && mayStore(run, result) };
  };
  return dryRun ? inSnapshot(db, write) : storeOnce(write);
}

const ROWS_BETWEEN_PAUSES = 1000;

/** Drafts row by row, while others have their turn. @param draft is given what is said of the row anyway, to add to */
export async function draftEach<Draft>(
  { rows, progress }: Run,
  draft: (row: ParsedRow, warnings: Remark[]) => Draft,
): Promise<DraftedRow<Draft>[]> {
  const drafted: DraftedRow<Draft>[] = [];
  for (const row of rows) {
    const { length } = drafted;
    if (length % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', length / rows.length);
    const warnings: Remark[] = [...row.warnings];
    const made = row.problems.length > 0 ? undefined : safely(() => ({ draft: draft(row, warnings) }));
    if (made && 'draft' in made) drafted.push({ line: row.line, draft: made.draft, warnings });
    else drafted.push(unread(row, made));
  }
  return drafted;
}

/** A row that became no draft. @param cell none: its cells could not be read, and say so themselves */
export const unread = ({ line }: ParsedRow, cell?: RowRefusal): DraftedRow<never> => ({
  line,
  draft: { refused: { message: cell?.reason ?? '' }, cell },
  warnings: [],
});

/** What became of the rows, in the words of their file. */
function resultOf<Draft extends object, Asked extends object>(
  { kind, rows: parsed, options: { columns, onJudged } }: Run,
  rows: readonly DraftedRow<Draft>[],
  written: readonly Written<Asked, unknown>[],
  noun: TableNoun<Draft, Asked>,
): TableImport {
  const refused: RefusedRow[] = [];
  const warnings: RowWarning[] = [];
  const stored: Draft[] = [];
  const sayOf = noun.sayOf?.();
  for (const [index, { line, draft, warnings: own }] of rows.entries()) {
    const one = written[index]!;
    if (one.outcome === 'refused') continue;
    const said = [...own];
    if (one.outcome === 'stored' && !('refused' in draft)) {
      stored.push(draft);
      if (sayOf) said.push(...sayOf(draft));
    }
    for (const reason of [...said, ...one.warnings.map(({ says }) => says)])
      warnings.push({ row: line, reason });
  }
  const outcomes = Map.groupBy(written, ({ outcome }) => outcome);
  const count = (outcome: Written<Asked, unknown>['outcome']) => outcomes.get(outcome)?.length ?? 0;
  // The cells are needed only where they are shown.
  if (onJudged || count('refused') > 0) {
    const name = new NameRefusals(kind, columns);
    let index = 0;
    for (const row of parsed) {
      const one = written[index]!;
      const { draft } = rows[index++]!;
      if (one.outcome === 'refused') refused.push(refusedRow(row, one.refused, { draft, noun, name }));
      onJudged?.(
        one.outcome === 'stored' && noun.asStored ? noun.asStored(row, one.asked) : row,
        one.outcome,
      );
    }
  }
  return {
    rows: rows.length,
    created: count('stored'),
    unchanged: count('unchanged'),
    refused,
    warnings,
    missingCreated: {
      ...(noun.references && countMissing(noun.references, stored.map(noun.namesOf ?? ((draft) => draft)))),
      ...noun.missing?.(stored),
    },
    stored: false,
  };
}

interface Refusing {
  draft: object;
  noun: { columns: Readonly<Record<string, string>> };
  name: NameRefusals;
}

function refusedRow(
  row: ParsedRow,
  { message: reason, code, kind = 'invalid', field, fields = {} }: BrokenRule,
  { draft, noun: { columns }, name }: Refusing,
): RefusedRow {
  if (row.problems.length > 0) return name.ofCells(row);
  if ('cell' in draft && draft.cell) return name.ofRow(row, draft.cell as RowRefusal);
  const at = field ?? Object.keys(fields)[0] ?? '';
  return name.ofRow(row, { field: columns[at] ?? at, reason, code: code ?? kind.replaceAll('-', '_') });
}
