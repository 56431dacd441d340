import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { ParsedRowIterable } from '../../formats/tables/parse-rows.ts';
import type { ColumnPlan, RowValues, TableImportResult, TableKind } from '../../formats/tables/table.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import type { References } from './references.ts';

export interface TableImportOptions {
  dryRun?: boolean;
  createMissing?: boolean;
  /** Whether a refused row stops the import (the default) or is skipped. */
  onError?: 'stop' | 'skip';
  allowDuplicates?: boolean;
  source: string;
  sha256: string;
  /** Columns of the file, so that refusals show its headings and cells. */
  columns?: readonly ColumnPlan[];
  /** Values set for every row, by field; a reference may be given by its id. */
  set?: Readonly<Record<string, string>>;
  /** When aborted, nothing is stored. */
  signal?: AbortSignal;
  storeOnce?: StoreOnce;
  /** Called with each row as it would be stored, and its outcome. */
  onResult?: (result: RowResult) => void;
}

export interface RowResult {
  line: number;
  values: RowValues;
  outcome: 'stored' | 'unchanged' | 'refused';
  namedReferences(): Readonly<Record<string, { name: string; isNew: boolean } | undefined>>;
}

/** `fraction`, from 0 to 1, is the progress of the current step. If a promise is returned, the import waits for it. */
export type TableProgressListener = (step: 'revisar' | 'guardar', fraction: number) => unknown;

export type StoreOnce = (write: (trx: Trx) => Promise<TableImportResult>) => Promise<TableImportResult>;

export interface TableImportRun {
  db: Db;
  actor: Actor;
  kind: TableKind;
  rows: ParsedRowIterable;
  options: TableImportOptions;
  references: References;
  progress: ReturnType<typeof createProgress>;
  storeOnce: StoreOnce;
}

/** Signals, progress and other requests are handled only while the import pauses. */
export function createProgress(signal: AbortSignal | undefined, onProgress: TableProgressListener) {
  const yieldToEventLoop = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  };
  const reportProgress = async (...progress: Parameters<TableProgressListener>): Promise<void> => {
    await onProgress(...progress);
    await yieldToEventLoop();
  };
  return { show: reportProgress, pause: yieldToEventLoop };
}

export const importRaceError = (): DomainError =>
  new DomainError(
    'conflict',
    'Alguien guardó a la vez algo que también está en este archivo. No se importó nada: intenta de nuevo.',
    { code: 'import_race' },
  );

export const mayStore = ({ options }: TableImportRun, { refused }: TableImportResult): boolean =>
  refused.length === 0 || options.onError === 'skip';

export interface ImportContext {
  trx: Trx;
  actor: Actor;
  importId: number;
}

export interface NewRows {
  entity: string;
  table: keyof Schema;
  rows: readonly { id: number }[];
}

export interface StoredRows {
  entity: string;
  ids: readonly number[];
}

export async function addImportRecord(
  { trx, actor, importId }: ImportContext,
  { kind, options }: TableImportRun,
): Promise<void> {
  const { source, sha256 } = options;
  const record = { id: importId, kind, source, sha256, at: actor.at, userId: actor.userId };
  await trx.insertInto('imports').values(record).execute();
}

/** @param createdRows the created rows by entity: first those that other rows refer to, last those of the file itself */
export function auditImport(
  { trx, actor, importId }: ImportContext,
  { kind, options: { source, sha256 } }: TableImportRun,
  { unchanged, refused }: TableImportResult,
  createdRows: readonly StoredRows[],
): void {
  for (const [index, { entity, ids }] of createdRows.entries()) {
    const isFileList = index === createdRows.length - 1;
    const counts = isFileList ? { unchanged, refused: refused.length } : {};
    const after = { importId, kind, source, sha256, created: ids.length, ...counts, ids };
    queueAuditEntry(trx, actor, { action: 'import', entity, after });
  }
}
