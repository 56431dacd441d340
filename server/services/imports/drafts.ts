import { insertRows, reserveIds } from '../../../db/bulk.ts';
import type { Trx } from '../../../db/schema.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import type { BrokenRule } from '../../../shared/refusal.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { fieldsOf } from '../../formats/tables/fields.ts';
import type {
  ParsedRow,
  RefusedRow,
  RowValues,
  RowWarning,
  TableImport,
} from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import type { BulkOptions, UnreadDraft, Written } from '../writing.ts';
import { countMissing, holdMissing, makeMissing, type Names } from './missing.ts';
import { type RowRefusal, safely } from './row-values.ts';
import {
  addRecord,
  auditRun,
  type MakingContext,
  mayStore,
  type NewRows,
  type RowResult,
  type Run,
  type StoredRows,
} from './run.ts';

/** A row as input for the writer, or the reason why it could not be read. `warnings` apply in both cases. */
export interface DraftedRow<Draft> {
  line: number;
  draft: Draft | (UnreadDraft & { cell?: RowRefusal });
  warnings: readonly Remark[];
}

interface TableNoun<Draft extends object, Asked extends object> {
  entity: string;
  /** The catalogs that input members refer to; missing entries are created for the drafts that are stored. */
  names: Names;
  /** The column that a member comes from, where neither member nor catalog has its name. */
  columns?: Readonly<Record<string, string>>;
  /** Reads the rows before the transaction, while no other writer has to wait. */
  draftRows(): Promise<DraftedRow<Draft>[]>;
  write(
    trx: Trx,
    actor: Actor,
    drafts: readonly (Draft | UnreadDraft)[],
    options: BulkOptions<Asked>,
  ): Promise<Written<Asked, unknown>[]>;
  /** The object that holds the ids of catalog entries, where it is not the input itself. */
  namesOf?(draft: Draft | Asked): object;
  /**
   * Creates other missing rows that accepted drafts refer to, and sets their ids in the drafts. The inputs must stay
   * unchanged, since the transaction may be retried.
   */
  createMissing?(context: MakingContext, accepted: readonly Asked[]): Promise<NewRows>;
  /** Creates a function that returns remarks about each stored input in turn, besides its own warnings. */
  sayOf?(): (stored: Draft) => readonly Remark[];
  /** The stored values of a row in another currency. */
  storedValues?(asked: Asked): RowValues;
}

/**
 * Imports the rows of a table: each is read into an input, and the writer of its list does the rest. Rows are read
 * outside the transaction, and validated and stored in it.
 */
export async function importDrafts<Draft extends object, Asked extends object>(
  run: Run,
  noun: TableNoun<Draft, Asked>,
): Promise<TableImport> {
  const { db, references, progress, storeOnce } = run;
  const { onError = 'stop', dryRun = false } = run.options;
  const { names, namesOf = (draft) => draft } = noun;
  await references.read(db, Object.values(names));
  const rows = await noun.draftRows();
  const drafts = rows.map(({ draft }) => draft);
  const naming = drafts.flatMap((draft) => ('refused' in draft ? [] : namesOf(draft)));
  // A row cannot state the reason that overriding a rule needs, so that imports override nothing, whoever runs them.
  const roles = run.actor.roles.filter((role) => role !== ADMIN_ROLE);
  const actor: Actor = { ...run.actor, roles, motivo: undefined, isImport: true };
  const write = async (trx: Trx): Promise<TableImport> => {
    let context: MakingContext | undefined;
    const brought: StoredRows[] = [];
    const held = await holdMissing(trx, references, names, naming);
    const createMissing = async (_trx: Trx, accepted: readonly Asked[]) => {
      const [importId = 0] = await reserveIds(trx, 'imports', 1);
      context = { trx, actor: run.actor, importId };
      await addRecord(context, run);
      brought.push(...(await makeMissing(context, references, names, held, accepted.map(namesOf))));
      const { entity, table, rows: made } = (await noun.createMissing?.(context, accepted)) ?? NOTHING;
      if (made.length > 0) {
        await insertRows(trx, table, made as never);
        brought.push({ entity, ids: made.map(({ id }) => id) });
      }
      return importId;
    };
    const written = await noun.write(trx, actor, drafts, {
      dryRun,
      onRefusal: onError,
      pause: () => progress.pause(),
      onStored: (fraction) => progress.show('guardar', fraction),
      createMissing,
    });
    const result = resultOf(run, rows, written, noun);
    if (context) {
      const ids = written.flatMap((one) => (one.outcome === 'stored' ? one.id : []));
      auditRun(context, run, result, [...brought, { entity: noun.entity, ids }]);
    }
    await progress.pause();
    return { ...result, stored: !dryRun && mayStore(run, result) };
  };
  return dryRun ? inSnapshot(db, write) : storeOnce(write);
}

const NOTHING: NewRows = { entity: '', table: 'imports', rows: [] };

export const ROWS_BETWEEN_PAUSES = 1000;

/** Pauses between rows for other requests. @param read gets the row's warnings, to add to them */
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
    else drafted.push(unread(row.line, made));
  }
  return drafted;
}

export const unread = (line: number, cell?: RowRefusal): DraftedRow<never> => ({
  line,
  draft: { refused: { message: cell?.reason ?? '' }, cell },
  warnings: [],
});

function resultOf<Draft extends object, Asked extends object>(
  run: Run,
  rows: readonly DraftedRow<Draft>[],
  written: readonly Written<Asked, unknown>[],
  noun: TableNoun<Draft, Asked>,
): TableImport {
  const { references } = run;
  const { onResult } = run.options;
  const { names, columns = {}, namesOf = (draft) => draft } = noun;
  const columnOf = (member: string) => columns[member] ?? names[member]?.nameField ?? member;
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
    for (const reason of [...said, ...one.warnings.map(({ message }) => message)])
      warnings.push({ row: line, reason });
  }
  const outcomes = Map.groupBy(written, ({ outcome }) => outcome);
  const count = (outcome: Written<Asked, unknown>['outcome']) => outcomes.get(outcome)?.length ?? 0;
  const namedBy = (draft: Draft | UnreadDraft): ReturnType<RowResult['named']> => {
    if ('refused' in draft) return {};
    const ids = namesOf(draft) as Readonly<Record<string, unknown>>;
    const found = Object.entries(names).map(([member, catalog]) => {
      const entry = references.list(catalog).findById(Number(ids[member] ?? 0));
      return [columnOf(member), entry && { name: entry.name, isNew: entry.id < 0 }];
    });
    return Object.fromEntries(found);
  };
  if (onResult || count('refused') > 0) {
    let index = 0;
    for (const row of run.rows) {
      const one = written[index]!;
      const { draft } = rows[index++]!;
      if (one.outcome === 'refused') {
        const cell = 'cell' in draft ? draft.cell : undefined;
        refused.push(refusedRow(run, row, cell ?? refusalIn(one.refused, columnOf)));
      }
      const values =
        one.outcome === 'stored' && row.values.moneda ? noun.storedValues?.(one.draft) : undefined;
      onResult?.({
        line: row.line,
        values: { ...row.values, ...values },
        outcome: one.outcome,
        named: () => namedBy(draft),
      });
    }
  }
  return {
    rows: rows.length,
    created: count('stored'),
    unchanged: count('unchanged'),
    refused,
    warnings,
    missingCreated: countMissing(references, names, stored.map(namesOf)),
    stored: false,
  };
}

function refusalIn(
  { message: reason, code, kind = 'invalid', field, fields = {} }: BrokenRule,
  columnOf: (member: string) => string,
): RowRefusal {
  const member = field ?? Object.keys(fields)[0] ?? '';
  return { field: columnOf(member), reason, code: code ?? kind.replaceAll('-', '_') };
}

/**
 * Words a refusal as in the file: with its heading, and the cell as written. Unreadable cells make one refusal of the
 * row, with the first cell and all reasons.
 */
function refusedRow(
  { kind, options: { columns = [] } }: Run,
  { line: row, raw, values, problems }: ParsedRow,
  { field, reason, value = '', code = 'invalid' }: RowRefusal,
): RefusedRow {
  const [first, ...others] = problems;
  if (first) {
    const reasons = [first.reason, ...others.map((one) => `${one.column}: ${one.reason}`)].join(' ');
    return {
      row,
      column: first.column,
      value: first.value,
      reason: reasons,
      code: first.code ?? 'malformed',
    };
  }
  const column = columns.find((one) => one.field === field);
  const label = fieldsOf(kind).find(({ name }) => name === field)?.label ?? field;
  const cell = column ? (raw[column.index] ?? '') : String(values[field] ?? '');
  return { row, column: column?.header || label, value: cell || value, reason, code };
}
