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
  TableImportResult,
} from '../../formats/tables/table.ts';
import type { Actor } from '../audit/audit.ts';
import type { BulkOptions, UnreadableInput, WriteOutcome } from '../write-drafts.ts';
import {
  addImportRecord,
  auditImport,
  type ImportContext,
  mayStore,
  type NewRows,
  type RowResult,
  type StoredRows,
  type TableImportRun,
} from './import-run.ts';
import {
  type CatalogsByMember,
  countMissingEntries,
  lockCatalogsOfMissingEntries,
  storeMissingEntries,
} from './missing-entries.ts';
import { type RowRefusal, readOrRefusal } from './row-values.ts';

export interface InputRow<Input> {
  line: number;
  input: Input | (UnreadableInput & { cell?: RowRefusal });
  warnings: readonly Remark[];
}

interface ImportDefinition<Input extends object, Draft extends object> {
  entity: string;
  /** The catalogs that input members refer to; missing entries are created for the drafts that are stored. */
  names: CatalogsByMember;
  /** Input members and their columns in the file. Default: the catalog's name field, or the member's own name. */
  columns?: Readonly<Record<string, string>>;
  /** Reads the rows before the transaction, while no other writer has to wait. */
  readInputs(): Promise<InputRow<Input>[]>;
  write(
    trx: Trx,
    actor: Actor,
    inputs: readonly (Input | UnreadableInput)[],
    options: BulkOptions<Draft>,
  ): Promise<WriteOutcome<Draft, unknown>[]>;
  /** The object that holds the ids of catalog entries, where it is not the input itself. */
  referencesOf?(input: Input | Draft): object;
  /**
   * Creates rows that the accepted drafts refer to, and sets their ids in the drafts. The inputs must stay unchanged,
   * since the transaction may be retried.
   */
  createMissing?(context: ImportContext, accepted: readonly Draft[]): Promise<NewRows>;
  /** Creates a function that is called with each stored input in turn and returns further warnings about it. */
  createRemarks?(): (stored: Input) => readonly Remark[];
  storedValues?(draft: Draft): RowValues;
}

export async function importDrafts<Input extends object, Draft extends object>(
  run: TableImportRun,
  definition: ImportDefinition<Input, Draft>,
): Promise<TableImportResult> {
  const { db, references, progress, storeOnce } = run;
  const { onError = 'stop', dryRun = false } = run.options;
  const { names, referencesOf = (input) => input } = definition;
  await references.readCatalogs(db, Object.values(names));
  const rows = await definition.readInputs();
  const inputs = rows.map(({ input }) => input);
  const namedInputs = inputs.flatMap((input) => ('refused' in input ? [] : referencesOf(input)));
  // Overriding a rule needs a reason, which a row cannot state. So an import overrides no rule, whoever runs it.
  const roles = run.actor.roles.filter((role) => role !== ADMIN_ROLE);
  const actor: Actor = { ...run.actor, roles, motivo: undefined, isImport: true };
  const writeImport = async (trx: Trx): Promise<TableImportResult> => {
    let context: ImportContext | undefined;
    const createdRows: StoredRows[] = [];
    const missing = await lockCatalogsOfMissingEntries(trx, references, names, namedInputs);
    const createMissing = async (_trx: Trx, accepted: readonly Draft[]) => {
      const [importId = 0] = await reserveIds(trx, 'imports', 1);
      context = { trx, actor: run.actor, importId };
      await addImportRecord(context, run);
      createdRows.push(
        ...(await storeMissingEntries(context, references, names, missing, accepted.map(referencesOf))),
      );
      const {
        entity,
        table,
        rows: newRows,
      } = (await definition.createMissing?.(context, accepted)) ?? NO_NEW_ROWS;
      if (newRows.length > 0) {
        await insertRows(trx, table, newRows as never);
        createdRows.push({ entity, ids: newRows.map(({ id }) => id) });
      }
      return importId;
    };
    const outcomes = await definition.write(trx, actor, inputs, {
      dryRun,
      onRefusal: onError,
      pause: () => progress.pause(),
      onStored: (fraction) => progress.show('guardar', fraction),
      createMissing,
    });
    if (run.options.onResult || outcomes.some(({ outcome }) => outcome === 'refused'))
      await run.rows.readAgain?.();
    const result = toTableImportResult(run, rows, outcomes, definition);
    if (context) {
      const ids = outcomes.flatMap((one) => (one.outcome === 'stored' ? one.id : []));
      auditImport(context, run, result, [...createdRows, { entity: definition.entity, ids }]);
    }
    await progress.pause();
    return { ...result, stored: !dryRun && mayStore(run, result) };
  };
  return dryRun ? inSnapshot(db, writeImport) : storeOnce(writeImport);
}

const NO_NEW_ROWS: NewRows = { entity: '', table: 'imports', rows: [] };

export const ROWS_BETWEEN_PAUSES = 1000;

/** Pauses between rows so that other requests can run. @param toInput may add warnings about its row */
export async function readEachRow<Input>(
  { rows, progress }: TableImportRun,
  toInput: (row: ParsedRow, warnings: Remark[]) => Input,
): Promise<InputRow<Input>[]> {
  const inputRows: InputRow<Input>[] = [];
  for (const row of rows) {
    const { length } = inputRows;
    if (length % ROWS_BETWEEN_PAUSES === 0) await progress.show('revisar', length / rows.length);
    const warnings: Remark[] = [...row.warnings];
    const result =
      row.problems.length > 0 ? undefined : readOrRefusal(() => ({ input: toInput(row, warnings) }));
    if (result && 'input' in result) inputRows.push({ line: row.line, input: result.input, warnings });
    else inputRows.push(createUnreadableRow(row.line, result));
  }
  return inputRows;
}

export const createUnreadableRow = (line: number, refusal?: RowRefusal): InputRow<never> => ({
  line,
  input: { refused: { message: refusal?.reason ?? '' }, cell: refusal },
  warnings: [],
});

function toTableImportResult<Input extends object, Draft extends object>(
  run: TableImportRun,
  rows: readonly InputRow<Input>[],
  outcomes: readonly WriteOutcome<Draft, unknown>[],
  definition: ImportDefinition<Input, Draft>,
): TableImportResult {
  const { references } = run;
  const { onResult } = run.options;
  const { names, columns = {}, referencesOf = (input) => input } = definition;
  const columnOf = (member: string) => columns[member] ?? names[member]?.nameField ?? member;
  const refused: RefusedRow[] = [];
  const warnings: RowWarning[] = [];
  const stored: Input[] = [];
  const createRemarks = definition.createRemarks?.();
  for (const [index, { line, input, warnings: rowWarnings }] of rows.entries()) {
    const one = outcomes[index]!;
    if (one.outcome === 'refused') continue;
    const remarks = [...rowWarnings];
    if (one.outcome === 'stored' && !('refused' in input)) {
      stored.push(input);
      if (createRemarks) remarks.push(...createRemarks(input));
    }
    for (const reason of [...remarks, ...one.warnings.map(({ message }) => message)])
      warnings.push({ row: line, reason });
  }
  const byOutcome = Map.groupBy(outcomes, ({ outcome }) => outcome);
  const countOutcome = (outcome: RowResult['outcome']) => byOutcome.get(outcome)?.length ?? 0;
  const findNamedReferences = (input: Input | UnreadableInput): ReturnType<RowResult['namedReferences']> => {
    if ('refused' in input) return {};
    const ids = referencesOf(input) as Readonly<Record<string, unknown>>;
    const found = Object.entries(names).map(([member, catalog]) => {
      const entry = references.entryIndexOf(catalog).findById(Number(ids[member] ?? 0));
      return [columnOf(member), entry && { name: entry.name, isNew: entry.id < 0 }];
    });
    return Object.fromEntries(found);
  };
  if (onResult || countOutcome('refused') > 0) {
    let index = 0;
    for (const row of run.rows) {
      const one = outcomes[index]!;
      const { input } = rows[index++]!;
      if (one.outcome === 'refused') {
        const cell = 'cell' in input ? input.cell : undefined;
        refused.push(toRefusedRow(run, row, cell ?? toRowRefusal(one.refused, columnOf)));
      }
      const values =
        one.outcome === 'stored' && row.values.moneda ? definition.storedValues?.(one.draft) : undefined;
      onResult?.({
        line: row.line,
        values: { ...row.values, ...values },
        outcome: one.outcome,
        namedReferences: () => findNamedReferences(input),
      });
    }
  }
  return {
    rows: rows.length,
    created: countOutcome('stored'),
    unchanged: countOutcome('unchanged'),
    refused,
    warnings,
    missingCreated: countMissingEntries(references, names, stored.map(referencesOf)),
    stored: false,
  };
}

function toRowRefusal(
  { message: reason, code, kind = 'invalid', field, fields = {} }: BrokenRule,
  columnOf: (member: string) => string,
): RowRefusal {
  const member = field ?? Object.keys(fields)[0] ?? '';
  return { field: columnOf(member), reason, code: code ?? kind.replaceAll('-', '_') };
}

/**
 * Adds the column heading and the cell's text to a refusal. If cells of the row could not be read, the refusal is about
 * the first of them and gives the reasons for all.
 */
function toRefusedRow(
  { kind, options: { columns = [] } }: TableImportRun,
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
