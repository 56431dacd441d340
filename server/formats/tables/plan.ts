import { DomainError } from '../../../shared/errors.ts';
import { cellText, excerptOf, meansEmpty, trimCell } from './cell-text.ts';
import { DAY_ORDER_FORMATS, parseDayOrder } from './days.ts';
import {
  fieldsOf,
  findFieldByName,
  listRequiredFieldAlternatives,
  SUBTOTAL_HEADINGS,
  type TableField,
  TOTAL_HEADINGS,
} from './fields.ts';
import { COLUMN_NUMBER_PATTERN, findHeadingIndex } from './header.ts';
import { headingKey, headingKeysOf, isSimilarHeading } from './headings.ts';
import type {
  AmountMeaning,
  PlanOptions,
  PlanQuestion,
  RawRow,
  RawTable,
  TableKind,
  TablePlan,
} from './table.ts';
import { decideStyles, type UnfinishedColumn, type UnfinishedPlan } from './value-styles.ts';

/** @throws DomainError invalid, `fields` naming the option, where an option names an unknown field or heading */
export function planTable(table: RawTable, kind: TableKind, options: PlanOptions = {}): TablePlan {
  const set = readConstants(kind, options.set ?? {});
  const planning: UnfinishedPlan = {
    table,
    kind,
    columns: createUnassignedColumns(table),
    set,
    questions: [],
  };
  assignRequestedColumns(planning, options.map ?? {});
  assignByHeading(planning);
  if (kind === 'invoices') decideAmountMeaning(planning, options.amount);
  const { hiddenColumns = [] } = table;
  const columns = decideStyles(planning, readRequestedStyle(options)).map((column) =>
    hiddenColumns.includes(column.index) && column.field
      ? { ...column, why: `${column.why}; la hoja la oculta` }
      : column,
  );
  return { kind, columns, set, questions: planning.questions, missingFields: findMissingFields(planning) };
}

function createUnassignedColumns({ header, rows }: RawTable): UnfinishedColumn[] {
  const columns = header.names.map(
    (name, index): UnfinishedColumn => ({ index, header: name, field: null, why: 'no se usa' }),
  );
  // Cells beyond the headings belong to no column, except in a list without any heading.
  if (columns.length === 0 && rows.length > 0)
    columns.push({ index: 0, header: '', field: null, why: 'no se usa' });
  return columns;
}

const FIELD_BY_SHORT_NAME: Readonly<Record<string, string>> = {
  contactperson: 'suppliercontactperson',
  contactphone: 'suppliercontactphone',
  contactemail: 'suppliercontactemail',
};

function getField(kind: TableKind, name: string, option: 'map' | 'set'): TableField {
  const fields = fieldsOf(kind);
  const key = name.trim().toLowerCase();
  const found = fields.find(
    (field) => field.name.toLowerCase() === key || field.name === FIELD_BY_SHORT_NAME[key],
  );
  if (found) return found;
  const names = fields.map((field) => field.name).join(', ');
  throw badOptionError(
    option,
    `No hay un campo «${name.slice(0, 60)}». Los campos son: ${names}.`,
    'unknown_field',
  );
}

const badOptionError = (option: keyof PlanOptions, message: string, code: string): DomainError =>
  new DomainError('invalid', message, { code, fields: { [option]: message } });

function readConstants(
  kind: TableKind,
  amountConstants: Readonly<Record<string, string>>,
): Record<string, string> {
  const set: Record<string, string> = {};
  for (const [name, value] of Object.entries(amountConstants)) set[getField(kind, name, 'set').name] = value;
  return set;
}

function readRequestedStyle({ decimal, dateFormat }: PlanOptions) {
  const order = dateFormat === undefined ? undefined : parseDayOrder(dateFormat);
  if (dateFormat !== undefined && !order) {
    const formats = Object.values(DAY_ORDER_FORMATS).join(', ');
    throw badOptionError(
      'dateFormat',
      `«${dateFormat.slice(0, 40)}» no es un formato de fecha; se conocen ${formats}.`,
      'bad_date_format',
    );
  }
  return { decimal, order };
}

function assignRequestedColumns(
  { columns, kind }: UnfinishedPlan,
  map: Readonly<Record<string, string>>,
): void {
  for (const [name, heading] of Object.entries(map)) {
    const field = getField(kind, name, 'map');
    const column = getColumnByHeading(columns, heading);
    column.field = field;
    column.why = 'porque así se pidió';
    column.isRequested = true;
  }
}

function getColumnByHeading(columns: readonly UnfinishedColumn[], heading: string): UnfinishedColumn {
  const names = columns.map(({ header }) => header);
  const place = COLUMN_NUMBER_PATTERN.exec(heading.trim());
  const found =
    place && !names.includes(heading.trim())
      ? columns[Number(place[1]) - 1]
      : columns[findHeadingIndex(names, heading)];
  if (found) return found;
  const shown = columns.map(({ header, index }) =>
    header === '' ? `#${index + 1}` : `«${header.slice(0, 60)}»`,
  );
  throw badOptionError(
    'map',
    `El archivo no tiene una columna «${heading.slice(0, 60)}». Tiene: ${shown.slice(0, 60).join(', ')}.`,
    'unknown_column',
  );
}

function assignByHeading(planning: UnfinishedPlan): void {
  const { columns, kind, set } = planning;
  const used = new Set(columns.flatMap(({ field }) => (field ? [field.name] : [])));
  const pairs = columns
    .filter(({ field }) => !field)
    .flatMap((column) => fieldsOf(kind).flatMap((field) => rankColumnForField(column, field)))
    .sort((a, b) => a.rank - b.rank || a.column.index - b.column.index);
  const repeated = new Set<UnfinishedColumn>();
  for (const { column, field, rank, why } of pairs) {
    if (column.field || repeated.has(column)) continue;
    if (set[field.name] !== undefined)
      column.why = `no se usa: se pidió el mismo valor de ${field.label} para todos`;
    else if (used.has(field.name) && !field.isRepeatable)
      column.why = `no se usa: ya hay otra columna para ${field.label}`;
    else {
      column.field = field;
      column.why = why;
      used.add(field.name);
      if (field.type === 'word') continue;
      const repeatsPair = (one: RankedPair) =>
        one.field === field &&
        one.rank === rank &&
        (!field.isRepeatable || headingKey(one.column.header) === headingKey(column.header));
      const repeatedColumns = pairs.flatMap((one) =>
        repeatsPair(one) && !one.column.field ? one.column : [],
      );
      for (const one of repeatedColumns) repeated.add(one);
      askAboutRepeatedColumns(planning, column, field, repeatedColumns);
    }
  }
}

interface RankedPair {
  column: UnfinishedColumn;
  field: TableField;
  rank: number;
  why: string;
}

/** A heading with a rate ("IVA 16%") ranks below one that matches exactly. */
const HEADING_WITH_RATE_RANK = 500;
const SIMILAR_HEADING_RANK = 1000;

function rankColumnForField(column: UnfinishedColumn, field: TableField): RankedPair[] {
  const key = headingKey(column.header);
  if (key === '') return [];
  const keys = headingKeysOf(field);
  const exact = keys.indexOf(key);
  const rank = exact >= 0 ? exact : HEADING_WITH_RATE_RANK + keys.indexOf(key.replace(/\d+%?$/, 'n%'));
  if (rank >= 0 && rank !== HEADING_WITH_RATE_RANK - 1)
    return [{ column, field, rank, why: 'por su encabezado' }];
  const similar = keys.findIndex((one) => isSimilarHeading(one, key));
  if (similar < 0) return [];
  return [
    {
      column,
      field,
      rank: SIMILAR_HEADING_RANK + similar,
      why: `por parecerse su encabezado a «${field.label}»`,
    },
  ];
}

/** Asks the user if two columns with the same heading differ in some row; equal columns count as one. */
function askAboutRepeatedColumns(
  { table: { rows }, questions }: UnfinishedPlan,
  column: UnfinishedColumn,
  { name, label }: TableField,
  repeatedColumns: readonly UnfinishedColumn[],
): void {
  for (const one of repeatedColumns) one.why = `no se usa: repite la columna ${column.index + 1}`;
  const cellTextOf = ({ cells }: RawRow, { index }: UnfinishedColumn) => cellText(cells[index]).trim();
  const findDifferingRow = (repeatedColumn: UnfinishedColumn) =>
    rows.find((row) => cellTextOf(row, repeatedColumn) !== cellTextOf(row, column));
  const different = repeatedColumns.filter(findDifferingRow);
  if (different.length === 0) return;
  const row = findDifferingRow(different[0]!)!;
  const candidates = [column, ...different];
  const shown = candidates.map(
    (one) => `la columna ${one.index + 1} (línea ${row.line}: «${cellTextOf(row, one).slice(0, 40)}»)`,
  );
  questions.push({
    field: name,
    header: column.header,
    question: `«${column.header}» aparece varias veces con valores distintos. ¿Cuál es ${label}: ${shown.join(' o ')}?`,
    answerOption: 'map',
    choices: candidates.map(({ index }) => `#${index + 1}`),
  });
}

/**
 * A supplier may also be found by its RFC, and the invoice of a payment by its UUID, its number, or its total with its
 * date or obra. A field that a catalog needs besides the name is also missing if its column is empty in every row; the
 * user is then asked for one value for all rows.
 */
function findMissingFields({ table, kind, columns, set, questions }: UnfinishedPlan): string[] {
  const providesField = ({ field, index }: UnfinishedColumn, name: string) =>
    field?.name === name &&
    (!field.requirement || table.rows.some(({ cells }) => cellText(cells[index]).trim() !== ''));
  const hasSource = (name: string) =>
    set[name] !== undefined ||
    columns.some((column) => providesField(column, name)) ||
    questions.some(({ field }) => field === name);
  const labels = listRequiredFieldAlternatives(kind)
    .filter((names) => !names.some(hasSource))
    .map(([name]) => findFieldByName(kind, name).label);
  const identified =
    hasSource('numfactura') ||
    hasSource('uuid') ||
    (hasSource('total') && (hasSource('fechaemision') || hasSource('jobtitle')));
  return kind === 'payments' && !identified ? ['Factura o UUID', ...labels] : labels;
}

/**
 * Decides whether a single amount includes IVA: nothing else in such a table would reveal an error of 16 %.
 * @throws DomainError invalid where `amount` contradicts `map`
 */
function decideAmountMeaning(
  { table, columns, set, questions }: UnfinishedPlan,
  amount: AmountMeaning | undefined,
): void {
  const filledColumns = columns.filter((column) => column.field && hasValues(table, column));
  const amountColumns = filledColumns.filter(({ field }) => AMOUNT_MEANINGS.includes(field!.name));
  const amountConstants = AMOUNT_MEANINGS.filter((name) => set[name] !== undefined);
  // A missing amount is reported as a missing column. Where there are two amounts, each row shows its tax.
  if (amountColumns.length + amountConstants.length !== 1) return;
  const [column] = amountColumns;
  if (column && amount) assignAmountMeaning(column, amount);
  const hasTax = filledColumns.some(
    ({ field }) => field?.name === 'tasa' || (field?.partOf ?? field?.name) === 'iva',
  );
  if (hasTax) return;
  if (column && !amount && !column.isRequested && !hasUnambiguousHeading(column))
    questions.push(createAmountQuestion(table, column));
  if (set.tasa === undefined && set.iva === undefined) questions.push(createRateQuestion(column));
}

const hasValues = ({ rows }: RawTable, { index }: UnfinishedColumn): boolean =>
  rows.some(({ cells }) => !meansEmpty(trimCell(cellText(cells[index]))));

const AMOUNT_MEANINGS: readonly string[] = ['subtotal', 'total'] satisfies AmountMeaning[];

function assignAmountMeaning(column: UnfinishedColumn, amount: AmountMeaning): void {
  if (column.isRequested && column.field?.name !== amount) {
    const message = `La columna «${column.header}» ya se pidió como ${column.field?.label}.`;
    throw badOptionError('amount', message, 'contradictory_amount');
  }
  column.field = findFieldByName('invoices', amount);
  column.why = 'porque así se pidió';
}

const hasUnambiguousHeading = ({ header, field }: UnfinishedColumn): boolean =>
  (field?.name === 'total' ? TOTAL_HEADINGS : SUBTOTAL_HEADINGS).some(
    (words) => headingKey(words) === headingKey(header),
  );

function createAmountQuestion({ rows }: RawTable, { index, header, field }: UnfinishedColumn): PlanQuestion {
  const row = rows.find(({ cells }) => excerptOf(cells[index]) !== '');
  const example = row ? ` (línea ${row.line}: «${excerptOf(row.cells[index]).slice(0, 30)}»)` : '';
  return {
    field: field!.name,
    header,
    question: `«${header}»${example} es el único importe, sin IVA, tasa ni total a su lado: ¿es el subtotal, antes de IVA, o el total, con IVA?`,
    answerOption: 'amount',
    choices: AMOUNT_MEANINGS,
  };
}

const createRateQuestion = (column: UnfinishedColumn | undefined): PlanQuestion => ({
  field: 'tasa',
  header: column?.header ?? '',
  question: 'Ninguna columna dice el IVA ni su tasa: ¿qué tasa llevan todas las filas?',
  answerOption: 'set',
  choices: ['16', '8', '0'],
});
