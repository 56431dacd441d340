import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Actor } from '../../services/audit.ts';
import { readUpload, type Upload } from '../../services/files.ts';
import { fieldsOf } from '../../services/tables/fields.ts';
import { importTable, type TableImportOptions } from '../../services/tables/import.ts';
import { parseRows } from '../../services/tables/parse.ts';
import { planTable } from '../../services/tables/plan.ts';
import { readTable } from '../../services/tables/read.ts';
import type { ParsedRow, ReadTable, TableImport, TablePlan } from '../../services/tables/table.ts';
import { type ImportQuery, MOST_COLUMNS } from './query.ts';

/** A file that was sent, and what its columns are taken for. */
export interface PlannedUpload {
  upload: Upload;
  table: ReadTable;
  plan: TablePlan;
  /** fields that two columns were said to be: labels */
  doubled: readonly string[];
}

/** @throws DomainError not-found: gone, or somebody else's; or what is wrong with the file */
export async function planUpload(
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  id: string,
  query: ImportQuery,
  signal?: AbortSignal,
): Promise<PlannedUpload> {
  const upload = await readUpload(db, userId, id);
  const { bytes, filename } = upload;
  if (bytes.length === 0) throw new DomainError('invalid', 'El archivo está vacío.');
  const { kind, sheet } = query;
  const table = await readTable({ bytes, filename }, { kind, sheet, signal });
  if (table.header.names.length > MOST_COLUMNS) {
    const count = table.header.names.length;
    throw new DomainError('invalid', `La tabla tiene ${count} columnas; se leen hasta ${MOST_COLUMNS}.`);
  }
  return { upload, table, ...planColumns(table, query) };
}

/** What has to be said before anything can be imported. */
export const isOpen = ({ plan, doubled }: PlannedUpload): boolean =>
  plan.questions.length > 0 || plan.missing.length > 0 || doubled.length > 0;

/**
 * The columns about which the user has spoken are named to the planner by their places, for headings may
 * repeat or be empty; one that is not to be used is shown to it without its heading.
 */
export function planColumns(table: ReadTable, query: ImportQuery): Pick<PlannedUpload, 'plan' | 'doubled'> {
  const { names } = table.header;
  const { kind, set, decimal, dateFormat, columns } = query;
  const map: Record<string, string> = {};
  const doubled = new Set<string>();
  for (const [index, field] of columns) {
    if (field === null || index >= names.length) continue;
    if (Object.hasOwn(map, field)) doubled.add(labelOf(kind, field));
    map[field] = placeOf(index);
  }
  const headings = names.map((name, index) => (columns.get(index) === null || PLACE.test(name) ? '' : name));
  const plan = planTable({ ...table, header: { ...table.header, names: headings } }, kind, {
    map,
    set,
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
    doubled: [...doubled],
  };
}

/** As the planner takes it where a heading does not tell a column apart. */
export const placeOf = (index: number) => `#${index + 1}`;
const PLACE = /^\s*#\d+\s*$/;

export const labelOf = (kind: ImportQuery['kind'], field: string): string =>
  fieldsOf(kind).find(({ name }) => name === field)?.label ?? field;

/** @param look is shown each row on its way into the import */
export function importUpload(
  db: Db,
  actor: Actor,
  { upload, table, plan }: PlannedUpload,
  { createMissing, onError, allowDuplicates }: ImportQuery,
  options: Pick<TableImportOptions, 'dryRun' | 'signal'> & { look?: (row: ParsedRow) => void } = {},
): Promise<TableImport> {
  const { look, ...how } = options;
  const parsed = parseRows(table, plan);
  return importTable(db, actor, plan.kind, look ? looking(parsed, look) : parsed, {
    createMissing,
    onError,
    allowDuplicates,
    source: upload.filename,
    sha256: table.sha256,
    columns: plan.columns,
    ...how,
  });
}

function* looking(rows: Iterable<ParsedRow>, look: (row: ParsedRow) => void): Generator<ParsedRow> {
  for (const row of rows) {
    look(row);
    yield row;
  }
}
