import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { readTable } from '../../formats/reading/read-table.ts';
import { fieldsOf } from '../../formats/tables/fields.ts';
import { parseRows } from '../../formats/tables/parse-rows.ts';
import { planTable } from '../../formats/tables/plan.ts';
import type { RawTable, TableImportResult, TablePlan } from '../../formats/tables/table.ts';
import type { Actor } from '../../services/audit/audit.ts';
import { readUpload, type Upload } from '../../services/files.ts';
import { importTable } from '../../services/imports/import.ts';
import type { TableImportOptions } from '../../services/imports/import-run.ts';
import { type ImportQuery, MAX_COLUMNS } from './query.ts';

export interface PlannedUpload {
  upload: Upload;
  table: RawTable;
  plan: TablePlan;
  duplicateLabels: readonly string[];
}

export class UnreadableUploadError extends DomainError {
  readonly upload: Upload;

  constructor(upload: Upload, { kind, message, code, extra, retryAfter, remedy }: DomainError) {
    super(kind, message, { code, extra, retryAfter, remedy });
    this.upload = upload;
  }
}

/** @throws DomainError not-found where the upload is gone or another user's; UnreadableUploadError where unreadable */
export async function planUpload(
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  id: string,
  query: ImportQuery,
  signal?: AbortSignal,
): Promise<PlannedUpload> {
  const upload = await readUpload(db, userId, id);
  try {
    const table = await readUploadedTable(upload, query, userId, signal);
    return { upload, table, ...planColumns(table, query) };
  } catch (error) {
    throw error instanceof DomainError ? new UnreadableUploadError(upload, error) : error;
  }
}

async function readUploadedTable(
  { bytes, filename }: Upload,
  { kind, sheet, hidden }: ImportQuery,
  userId: number,
  signal?: AbortSignal,
): Promise<RawTable> {
  const table = await readTable({ bytes, filename }, { kind, sheet, hidden, userId, signal });
  const count = table.header.names.length;
  if (count > MAX_COLUMNS)
    throw new DomainError('invalid', `La tabla tiene ${count} columnas; se leen hasta ${MAX_COLUMNS}.`);
  return table;
}

export const hasOpenQuestions = ({ plan, duplicateLabels }: PlannedUpload): boolean =>
  plan.questions.length > 0 || plan.missingFields.length > 0 || duplicateLabels.length > 0;

/** Assigns columns by position, since headings may repeat or be empty. Unused columns are passed without heading. */
function planColumns(table: RawTable, query: ImportQuery): Pick<PlannedUpload, 'plan' | 'duplicateLabels'> {
  const { names } = table.header;
  const { kind, set, amount, decimal, dateFormat, columns } = query;
  const map: Record<string, string> = {};
  const duplicateLabels = new Set<string>();
  for (const [index, field] of columns) {
    if (field === null || index >= names.length) continue;
    if (Object.hasOwn(map, field)) duplicateLabels.add(fieldLabelOf(kind, field));
    map[field] = importColumnKey(index);
  }
  const headings = names.map((name, index) =>
    columns.get(index) === null || COLUMN_KEY_PATTERN.test(name) ? '' : name,
  );
  const plan = planTable({ ...table, header: { ...table.header, names: headings } }, kind, {
    map,
    set,
    // An assigned column answers the question whether amounts include IVA.
    amount: map.subtotal || map.total ? undefined : amount,
    decimal,
    dateFormat,
  });
  return {
    plan: {
      ...plan,
      columns: plan.columns.map((column) => ({
        ...column,
        header: names[column.index] ?? '',
        why: columns.get(column.index) === null ? 'porque así se pidió' : column.why,
      })),
    },
    duplicateLabels: [...duplicateLabels],
  };
}

/** The planner names the third column "#3". */
export const importColumnKey = (index: number) => `#${index + 1}`;
const COLUMN_KEY_PATTERN = /^\s*#\d+\s*$/;

export const fieldLabelOf = (kind: ImportQuery['kind'], field: string): string =>
  fieldsOf(kind).find(({ name }) => name === field)?.label ?? field;

export function importUpload(
  db: Db,
  actor: Actor,
  { upload, table, plan }: PlannedUpload,
  { createMissing, onError, allowDuplicates }: ImportQuery,
  options: Pick<TableImportOptions, 'dryRun' | 'signal' | 'onResult' | 'storeOnce'> = {},
): Promise<TableImportResult> {
  return importTable(db, actor, plan.kind, parseRows(table, plan), {
    createMissing,
    onError,
    allowDuplicates,
    source: upload.filename,
    sha256: table.sha256,
    columns: plan.columns,
    set: plan.set,
    ...options,
  });
}
