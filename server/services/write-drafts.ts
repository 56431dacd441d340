import { insertRow, insertRows, ROWS_PER_QUERY, reserveIds } from '../../db/bulk.ts';
import type { Db, Schema, Trx } from '../../db/schema.ts';
import { inSnapshot, inTransaction } from '../../db/transaction.ts';
import { catchDomainError } from '../../shared/errors.ts';
import { type BrokenRule, toDomainError } from '../../shared/refusal.ts';
import { duplicateLineRemark, type Remark, toPlainText } from '../../shared/remarks.ts';
import { cleanLine, cleanText } from '../../shared/text.ts';
import { type Actor, queueAuditEntry } from './audit/audit.ts';

/** `about`: the id of another row that the warning is about. */
export interface Warning {
  message: Remark;
  about?: number;
}

/** `row` is the stored row; bulk imports do not read it. */
export type WriteOutcome<Draft, Row> = StoredDraft<Draft, Row> | UnchangedDraft<Row> | RefusedDraft;

export interface StoredDraft<Draft, Row> {
  outcome: 'stored';
  id: number;
  draft: Draft;
  row?: Row;
  warnings: readonly Warning[];
}

interface UnchangedDraft<Row> {
  outcome: 'unchanged';
  row?: Row;
  warnings: readonly Warning[];
}

interface RefusedDraft {
  outcome: 'refused';
  refused: BrokenRule;
}

export type RuleResult = BrokenRule | { unchanged: true; warnings: readonly Warning[] } | undefined;

/** Stands for an input that could not be read, so that the outcomes keep the order of the inputs. */
export interface UnreadableInput {
  refused: BrokenRule;
}

interface WriteOptions {
  dryRun?: boolean;
  onRefusal?: 'stop' | 'skip';
  pause?: () => Promise<void>;
}

export interface BulkOptions<Draft> extends WriteOptions {
  /** Creates missing rows that the drafts refer to, and the import's record, without audit. @returns the import's id */
  createMissing?: (trx: Trx, accepted: readonly Draft[]) => Promise<number>;
  onStored?: (fraction: number) => Promise<void>;
}

/** The rules for drafts of one table, in their order, and how an accepted draft changes the facts for later drafts. */
export interface Validator<Draft, Facts, Row> {
  /** Called before the rules, to compute the values of the draft that depend on the current facts. */
  complete?(draft: Draft, facts: Facts): void;
  rules: readonly ((draft: Draft, facts: Facts) => RuleResult)[];
  warn(draft: Draft, facts: Facts): readonly Warning[];
  accept(draft: Draft, facts: Facts): void;
  previous?(draft: Draft): Row | undefined;
  idOf?(draft: Draft): number | undefined;
}

interface Writer<Input, Draft, Facts, Row> extends Validator<Draft, Facts, Row> {
  /** Runs a fixed number of queries for any number of inputs, and locks the rows that the rules depend on. */
  read(trx: Trx, inputs: readonly Input[]): Promise<{ facts: Facts; drafts: Draft[] }>;
  /** Returns the accepted drafts that may not be stored together with the others, after each was validated alone. */
  rejectTogether?(
    storedDrafts: readonly StoredDraft<Draft, Row>[],
    facts: Facts,
  ): ReadonlyMap<Draft, BrokenRule>;
  /** Sets the id and the row of each draft. */
  store(
    trx: Trx,
    stored: readonly StoredDraft<Draft, Row>[],
    facts: Facts,
    bulk: ImportIdAndProgress<Draft>,
  ): Promise<void>;
}

export type ImportIdAndProgress<Draft> = Pick<BulkOptions<Draft>, 'onStored'> & { importId: number | null };

const DRAFTS_BETWEEN_PAUSES = 1000;

/**
 * Validates each draft as if those before it were stored. One refusal refuses all, unless refused drafts are skipped.
 * @returns the outcome of each input, in their order
 */
export function writeDrafts<Input extends object, Draft, Facts, Row>(
  db: Db,
  inputs: readonly (Input | UnreadableInput)[],
  writer: Writer<Input, Draft, Facts, Row>,
  { dryRun = false, onRefusal = 'stop', pause = async () => {}, createMissing, onStored }: BulkOptions<Draft>,
): Promise<WriteOutcome<Draft, Row>[]> {
  return (dryRun ? inSnapshot : inTransaction)(db, async (trx) => {
    const read = inputs.filter((input): input is Input => !('refused' in input));
    const { facts, drafts } = await writer.read(trx, read);
    let next = 0;
    const outcomes: WriteOutcome<Draft, Row>[] = [];
    for (const input of inputs) {
      if ('refused' in input) outcomes.push({ outcome: 'refused', refused: input.refused });
      else outcomes.push(validateDraft(drafts[next++]!, facts, writer));
      if (outcomes.length % DRAFTS_BETWEEN_PAUSES === 0) await pause();
    }
    let stored = outcomes.filter((one) => one.outcome === 'stored');
    const rejected = writer.rejectTogether?.(stored, facts);
    if (rejected && rejected.size > 0) {
      for (const [index, one] of outcomes.entries()) {
        const refused = one.outcome === 'stored' && rejected.get(one.draft);
        if (refused) outcomes[index] = { outcome: 'refused', refused };
      }
      stored = stored.filter(({ draft }) => !rejected.has(draft));
    }
    const isStopped = onRefusal !== 'skip' && outcomes.some(({ outcome }) => outcome === 'refused');
    if (isStopped || dryRun || stored.length === 0) return outcomes;
    const accepted = stored.map((one) => one.draft);
    const importId = createMissing ? await createMissing(trx, accepted) : null;
    await writer.store(trx, stored, facts, { importId, onStored });
    return outcomes;
  });
}

export function validateDraft<Draft, Facts, Row>(
  draft: Draft,
  facts: Facts,
  writer: Validator<Draft, Facts, Row>,
): WriteOutcome<Draft, Row> {
  writer.complete?.(draft, facts);
  for (const rule of writer.rules) {
    const result = rule(draft, facts);
    if (!result) continue;
    if (!('unchanged' in result)) return { outcome: 'refused', refused: result };
    return { outcome: 'unchanged', row: writer.previous?.(draft), warnings: result.warnings };
  }
  const warnings = writer.warn(draft, facts);
  writer.accept(draft, facts);
  return { outcome: 'stored', id: writer.idOf?.(draft) ?? 0, draft, warnings };
}

interface ChangeOrRestoration<Row> {
  previous?: Row;
  deleted?: Row;
}

interface StoreRowsOptions<Draft> extends ImportIdAndProgress<Draft> {
  rowOf: (draft: Draft) => object;
  changeOf?: (draft: Draft) => object;
}

export async function storeRows<Draft extends ChangeOrRestoration<{ id: number; version: number }>, Row>(
  trx: Trx,
  { at }: Actor,
  table: keyof Schema,
  storedDrafts: readonly StoredDraft<Draft, Row>[],
  { rowOf, changeOf = rowOf, importId, onStored }: StoreRowsOptions<Draft>,
): Promise<void> {
  const newRow = (draft: Draft) => ({ ...rowOf(draft), importId, createdAt: at, updatedAt: at });
  await insertNewRows(trx, table, storedDrafts, newRow, onStored);
  for (const { draft } of storedDrafts) {
    const { previous, deleted } = draft;
    if (previous) {
      const set = { ...changeOf(draft), updatedAt: at, version: previous.version + 1 };
      const ofTable = trx.updateTable(table as 'payments').set(set as never);
      await ofTable.where('id', '=', previous.id).execute();
    } else if (deleted) {
      const row = { ...newRow(draft), ...pickRetainedColumns(deleted), version: deleted.version + 1 };
      await trx
        .insertInto(table)
        .values(row as never)
        .execute();
    }
  }
}

const pickRetainedColumns = (deleted: object) =>
  Object.fromEntries(
    Object.entries(deleted).filter(
      ([name, value]) => value !== null && ['id', 'userId', 'importId', 'createdAt'].includes(name),
    ),
  );

export async function insertNewRows<Draft extends ChangeOrRestoration<unknown>, Row>(
  trx: Trx,
  table: keyof Schema,
  storedDrafts: readonly StoredDraft<Draft, Row>[],
  rowOf: (draft: Draft) => object,
  onStored: BulkOptions<Draft>['onStored'] = async () => {},
): Promise<void> {
  const added = storedDrafts.filter(({ draft: { previous, deleted } }) => !previous && !deleted);
  if (added.length === 1) {
    added[0]!.id = await insertRow(trx, table, rowOf(added[0]!.draft));
    return;
  }
  const ids = await reserveIds(trx, table, added.length);
  for (const [index, storedDraft] of added.entries()) storedDraft.id = ids[index]!;
  for (let from = 0; from < added.length; from += ROWS_PER_QUERY) {
    const some = added.slice(from, from + ROWS_PER_QUERY);
    const rows = some.map(({ id, draft }) => ({ id, ...rowOf(draft) }));
    await insertRows(trx, table, rows as never);
    await onStored(Math.min(1, (from + ROWS_PER_QUERY) / added.length));
  }
}

/** @param affectedOf other rows that the audit entry of a draft covers */
export function auditStoredDrafts<
  Draft extends ChangeOrRestoration<{ id: number }>,
  Row extends { id: number },
>(
  trx: Trx,
  actor: Actor,
  entity: string,
  storedDrafts: readonly StoredDraft<Draft, Row>[],
  rows: readonly Row[],
  affectedOf?: (draft: Draft) => Parameters<typeof queueAuditEntry>[2]['affected'],
): void {
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const storedDraft of storedDrafts) {
    const { previous: before, deleted } = storedDraft.draft;
    const after = byId.get(storedDraft.id)!;
    storedDraft.row = after;
    const action = before ? 'update' : deleted ? 'restore' : 'create';
    const affected = affectedOf?.(storedDraft.draft);
    queueAuditEntry(trx, actor, {
      action,
      entity,
      entityId: after.id,
      ...(before && { before }),
      after,
      affected,
    });
  }
}

/** @returns the original texts, with the rule that they break, if one is too long or has control characters */
export function cleanOrMarkInvalid<Texts extends object>(
  texts: Texts,
  clean: () => Texts,
): Texts & { brokenRule?: BrokenRule } {
  return catchDomainError(clean, ({ message, fields }) => ({ ...texts, brokenRule: { message, fields } }));
}

/** Empty and unchanged texts are not checked. @param fields in the order in which errors are reported */
export const cleanTexts = <Name extends string>(
  fields: readonly { name: Name; label: string; maxLength: number; kind: string }[],
  texts: Record<Name, string>,
  before?: { readonly [One in Name]?: string | null },
) =>
  cleanOrMarkInvalid(texts, () => {
    const clean = { ...texts };
    for (const { name, label, maxLength, kind } of fields)
      if (texts[name] !== '' && texts[name] !== before?.[name])
        clean[name] = (kind === 'textarea' ? cleanText : cleanLine)(texts[name], label, name, maxLength);
    return clean;
  });

export const refuseInvalidTexts = ({ brokenRule }: { brokenRule?: BrokenRule }): RuleResult => brokenRule;

export const unchangedResult = (line?: number): RuleResult => ({
  unchanged: true,
  warnings: line === undefined ? [] : [{ message: duplicateLineRemark(line) }],
});

/** For callers that store all drafts or none. @throws DomainError of the first that was refused */
export function requireNoneRefused<Draft, Row>(
  outcomes: readonly WriteOutcome<Draft, Row>[],
): StoredDraft<Draft, Row>[] {
  for (const one of outcomes) if (one.outcome === 'refused') throw toDomainError(one.refused);
  return outcomes.filter((one) => one.outcome === 'stored');
}

/** @throws DomainError of the rule that refused the draft */
export function requireOneWritten<Draft, Row>([outcome]: readonly WriteOutcome<Draft, Row>[]): {
  row: Row;
  warnings: string[];
  about: number[];
} {
  if (outcome!.outcome === 'refused') throw toDomainError(outcome!.refused);
  return { row: outcome!.row!, ...collectWarnings([outcome!]) };
}

export type SavedResult<Name extends string, Row> = Record<Name, Row> & ReturnType<typeof collectWarnings>;

/** @throws DomainError of the rule that refused the draft */
export function toSavedResult<Name extends string, Row>(
  name: Name,
  outcomes: readonly WriteOutcome<unknown, Row>[],
): SavedResult<Name, Row> {
  const { row, ...aboutByMessage } = requireOneWritten(outcomes);
  return { [name]: row, ...aboutByMessage } as SavedResult<Name, Row>;
}

/** Each warning once. Those about another row come first, with the ids of those rows in `about`. */
export function collectWarnings(outcomes: readonly { warnings: readonly Warning[] }[]): {
  warnings: string[];
  about: number[];
} {
  const all = outcomes.flatMap((one) => one.warnings);
  const aboutByMessage = new Map(all.map(({ message, about }) => [toPlainText(message), about]));
  const texts = [...aboutByMessage.keys()];
  const aboutOthers = texts.filter((text) => aboutByMessage.get(text) !== undefined);
  return {
    warnings: [...aboutOthers, ...texts.filter((text) => aboutByMessage.get(text) === undefined)],
    about: aboutOthers.map((text) => aboutByMessage.get(text)!),
  };
}
