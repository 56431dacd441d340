import { DomainError } from '../../../shared/errors.ts';
import { withQuery } from '../../../shared/urls.ts';
import { orderOf } from '../../formats/tables/days.ts';
import { fieldsOf } from '../../formats/tables/fields.ts';
import type { AmountMeaning, TableKind } from '../../formats/tables/table.ts';
import { isImportKind } from './kinds.ts';

export interface ImportQuery {
  kind: TableKind;
  sheet?: string;
  amount?: AmountMeaning;
  decimal?: '.' | ',';
  dateFormat?: string;
  /** by column: the field that it is, or null: not to be used */
  columns: ReadonlyMap<number, string | null>;
  /** by field: the value of every row */
  set: Readonly<Record<string, string>>;
  createMissing: boolean;
  onError: 'stop' | 'skip';
  allowDuplicates: boolean;
}

/** The sheet that a form's columns are of: another one has others, of which nothing was said yet. */
export const SAID_OF = 'of';
export const UNUSED = '-';
/** More columns than any table of ours has; the mapping is an address. */
export const MOST_COLUMNS = 200;
const LONGEST = 400;

/** @throws DomainError malformed; what is no parameter of ours is left out, as old bookmarks bring it */
export function readImportQuery(parameters: Readonly<Record<string, string>>): ImportQuery {
  const { kind = '', sheet, amount, decimal, dateFormat, [SAID_OF]: saidOf = sheet } = parameters;
  if (!isImportKind(kind)) throw unreadable('kind');
  const known = new Set(fieldsOf(kind).map(({ name }) => name));
  const columns = new Map<number, string | null>();
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (!value) continue;
    if (value.length > LONGEST || value.includes('\0')) throw unreadable(name);
    const [, column, field] = /^(?:c(\d{1,3})|set\.(\w+))$/.exec(name) ?? [];
    // The list was changed after the columns were said.
    if (column !== undefined && Number(column) < MOST_COLUMNS) {
      if (value === UNUSED) columns.set(Number(column), null);
      else if (known.has(value)) columns.set(Number(column), value);
    } else if (field !== undefined && known.has(field)) set[field] = value;
  }
  if (amount && amount !== 'subtotal' && amount !== 'total') throw unreadable('amount');
  if (decimal && decimal !== '.' && decimal !== ',') throw unreadable('decimal');
  if (dateFormat && !orderOf(dateFormat)) throw unreadable('dateFormat');
  return {
    kind,
    sheet: sheet || undefined,
    amount: (amount as AmountMeaning | '') || undefined,
    decimal: (decimal as '.' | ',' | '') || undefined,
    dateFormat: dateFormat || undefined,
    columns: saidOf === sheet ? columns : new Map(),
    set,
    createMissing: parameters.createMissing === '1',
    onError: parameters.onError === 'skip' ? 'skip' : 'stop',
    allowDuplicates: parameters.allowDuplicates === '1',
  };
}

export function importAddress(path: string, query: ImportQuery): string {
  const { kind, sheet, amount, decimal, dateFormat, createMissing, onError, allowDuplicates } = query;
  const columns = [...query.columns].map(([index, field]) => [`c${index}`, field ?? UNUSED]);
  const set = Object.entries(query.set).map(([field, value]) => [`set.${field}`, value]);
  return withQuery(path, {
    kind,
    sheet,
    amount,
    decimal,
    dateFormat,
    ...Object.fromEntries([...columns, ...set]),
    createMissing: createMissing ? '1' : '',
    onError: onError === 'skip' ? 'skip' : '',
    allowDuplicates: allowDuplicates ? '1' : '',
  });
}

const unreadable = (name: string) => new DomainError('malformed', `${name}: no es un valor que se conozca.`);
