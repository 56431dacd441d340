import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { ParsedRows } from '../../formats/tables/parse-rows.ts';
import type { ColumnPlan, RowValues, TableImport, TableKind } from '../../formats/tables/table.ts';
import { type Actor, audit } from '../audit/audit.ts';
import type { References } from './references.ts';

export interface TableImportOptions {
  dryRun?: boolean;
  /** add missing rows that the rows refer to: suppliers, jobs, rubros, sources, and a job's client */
  createMissing?: boolean;
  /** one refused row stops the import (the default), or is left out */
  onError?: 'stop' | 'skip';
  /** store what is known and equal already */
  allowDuplicates?: boolean;
  /** where the rows come from, for the record of the import */
  source: string;
  sha256: string;
  /** of the file, so that refusals name its headings and show its cells */
  columns?: readonly ColumnPlan[];
  /** values set for every row, by field; there a row of another list may be named by its id */
  set?: Readonly<Record<string, string>>;
  /** aborted: nothing is stored */
  signal?: AbortSignal;
  /** wraps the transaction that stores the rows; by default nothing is added to it */
  storeOnce?: StoreOnce;
  /** gets each row as it would be stored, and what becomes of it */
  onResult?: (result: RowResult) => void;
}

export interface RowResult {
  line: number;
  values: RowValues;
  outcome: 'stored' | 'unchanged' | 'refused';
  /** the rows of other lists that it names, by column; new ones come with this import */
  named(): Readonly<Record<string, { name: string; isNew: boolean } | undefined>>;
}

/** `fraction`, from 0 to 1, is that of the current step. A promise is awaited. */
export type TableProgress = (step: 'revisar' | 'guardar', fraction: number) => unknown;

export type StoreOnce = (write: (trx: Trx) => Promise<TableImport>) => Promise<TableImport>;

export interface Run {
  db: Db;
  actor: Actor;
  kind: TableKind;
  rows: ParsedRows;
  options: TableImportOptions;
  references: References;
  progress: ReturnType<typeof progressOf>;
  storeOnce: StoreOnce;
}

/** Signals, progress and other requests are handled only while the program pauses. */
export function progressOf(signal: AbortSignal | undefined, onProgress: TableProgress) {
  const pause = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
  };
  const show = async (...progress: Parameters<TableProgress>): Promise<void> => {
    await onProgress(...progress);
    await pause();
  };
  return { show, pause };
}

export const importRace = (): DomainError =>
  new DomainError(
    'conflict',
    'Alguien guardó a la vez algo que también está en este archivo. No se importó nada: intenta de nuevo.',
    { code: 'import_race' },
  );

export const mayStore = ({ options }: Run, { refused }: TableImport): boolean =>
  refused.length === 0 || options.onError === 'skip';

export interface MakingContext {
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

export async function addRecord(
  { trx, actor, importId }: MakingContext,
  { kind, options }: Run,
): Promise<void> {
  const { source, sha256 } = options;
  const record = { id: importId, kind, source, sha256, at: actor.at, userId: actor.userId };
  await trx.insertInto('imports').values(record).execute();
}

/** Writes one entry for each list. @param lists the file's own list last */
export function auditRun(
  { trx, actor, importId }: MakingContext,
  { kind, options: { source, sha256 } }: Run,
  { unchanged, refused }: TableImport,
  lists: readonly StoredRows[],
): void {
  for (const [index, { entity, ids }] of lists.entries()) {
    const isOwn = index === lists.length - 1;
    const counts = isOwn ? { unchanged, refused: refused.length } : {};
    const after = { importId, kind, source, sha256, created: ids.length, ...counts, ids };
    audit(trx, actor, { action: 'import', entity, after });
  }
}
