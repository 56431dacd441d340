import { DomainError } from '../../../shared/errors.ts';
import { parseDayOrder } from '../../formats/tables/days.ts';
import { fieldsOf } from '../../formats/tables/fields.ts';
import type { AmountMeaning, TableKind } from '../../formats/tables/table.ts';
import { isImportKind } from './kinds.ts';

export interface ImportQuery {
  kind: TableKind;
  sheet?: string;
  amount?: AmountMeaning;
  decimal?: '.' | ',';
  dateFormat?: string;
  /** field name by column index; null where the column is not used */
  columns: ReadonlyMap<number, string | null>;
  /** value for all rows, by field name */
  set: Readonly<Record<string, string>>;
  createMissing: boolean;
  onError: 'stop' | 'skip';
  allowDuplicates: boolean;
  hidden?: 'skip';
  answers: Readonly<Record<string, string>>;
}

/** Parameter with the worksheet whose columns the form showed. Assignments for another worksheet are dropped. */
export const COLUMNS_WORKSHEET_PARAMETER = 'of';
export const UNUSED_COLUMN = '-';
/** No more columns can be assigned, because the assignments have to fit into an address. */
export const MAX_COLUMNS = 200;
const MAX_TEXT_LENGTH = 400;

const CHOICE_PARAMETER_CHECKS = new Map<string, (value: string) => boolean>([
  ['kind', isImportKind],
  ['sheet', () => true],
  ['amount', (value) => value === 'subtotal' || value === 'total'],
  ['decimal', (value) => value === '.' || value === ','],
  ['dateFormat', (value) => parseDayOrder(value) !== undefined],
]);
const SWITCH_PARAMETER_VALUES = new Map([
  ['createMissing', '1'],
  ['onError', 'skip'],
  ['allowDuplicates', '1'],
  ['hidden', 'skip'],
]);

/** Ignores unknown parameters, which old bookmarks may have. @throws DomainError malformed */
export function readImportQuery(parameters: Readonly<Record<string, string>>): ImportQuery {
  const { kind = '', sheet, [COLUMNS_WORKSHEET_PARAMETER]: columnsSheet = sheet } = parameters;
  if (!isImportKind(kind)) throw unknownValueError('kind');
  const fieldNames = new Set(fieldsOf(kind).map(({ name }) => name));
  const columns = new Map<number, string | null>();
  const set: Record<string, string> = {};
  const answers: Record<string, string> = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (!value) continue;
    if (value.length > MAX_TEXT_LENGTH || value.includes('\0')) throw unknownValueError(name);
    if (CHOICE_PARAMETER_CHECKS.get(name)?.(value) === false) throw unknownValueError(name);
    const [, column, field = ''] = /^(?:c(\d{1,3})|set\.(\w+))$/.exec(name) ?? [];
    const isColumn =
      columnsSheet === sheet &&
      Number(column) < MAX_COLUMNS &&
      (value === UNUSED_COLUMN || fieldNames.has(value));
    if (isColumn) columns.set(Number(column), value === UNUSED_COLUMN ? null : value);
    if (fieldNames.has(field)) set[field] = value;
    if (
      CHOICE_PARAMETER_CHECKS.has(name) ||
      SWITCH_PARAMETER_VALUES.get(name) === value ||
      isColumn ||
      fieldNames.has(field)
    )
      answers[name] = value;
  }
  return {
    kind,
    sheet: answers.sheet,
    amount: answers.amount as AmountMeaning | undefined,
    decimal: answers.decimal as '.' | ',' | undefined,
    dateFormat: answers.dateFormat,
    columns,
    set,
    createMissing: answers.createMissing !== undefined,
    onError: answers.onError ? 'skip' : 'stop',
    allowDuplicates: answers.allowDuplicates !== undefined,
    hidden: answers.hidden ? 'skip' : undefined,
    answers,
  };
}

const unknownValueError = (name: string) =>
  new DomainError('malformed', `${name}: no es un valor que se conozca.`);
