import { catalogOfCommand } from '../../../shared/catalogs/all.ts';
import { DomainError } from '../../../shared/errors.ts';
import { fold } from '../../../shared/text.ts';
import { cellText, excerptOf, meansEmpty, trimCell } from './cell-text.ts';
import { createCellReader, type FieldColumn } from './cells.ts';
import { fieldsOf } from './fields.ts';
import { headingKey } from './headings.ts';
import { TOTAL_ALONE_PATTERN } from './split-table.ts';
import type {
  CellProblem,
  CellReading,
  ParsedRow,
  RawCell,
  RawTable,
  RowValues,
  TableKind,
  TablePlan,
} from './table.ts';

/** Each iteration parses the rows again, one at a time. */
export interface ParsedRowIterable extends Iterable<ParsedRow> {
  readonly length: number;
  /** Must be called before each iteration after the first. @throws DomainError conflict (the file has changed) */
  readAgain?(): Promise<void>;
}

/**
 * A cell that cannot be read is a problem of its row, and its value is null.
 * @param readFile reads the file again; where it is given, the first iteration drops the cells to save memory, since
 * few imports need them again
 */
export function parseRows(
  table: RawTable,
  plan: TablePlan,
  readFile?: () => Promise<RawTable>,
): ParsedRowIterable {
  let hasCells = true;
  return {
    length: table.rows.length,
    [Symbol.iterator]() {
      const drops = hasCells && readFile !== undefined;
      hasCells = !drops;
      return parseAllRows(table, plan, drops);
    },
    async readAgain() {
      if (hasCells || !readFile) return;
      const { rows, sha256 } = await readFile();
      if (sha256 !== table.sha256) throw new DomainError('conflict', CHANGED_FILE_TEXT);
      for (const [index, { cells }] of rows.entries()) table.rows[index]!.cells = cells;
      readFile = undefined;
    },
  };
}

const CHANGED_FILE_TEXT = 'El archivo cambió mientras se importaba. No se importó nada: intenta de nuevo.';

const NO_CELLS: readonly RawCell[] = [];

function* parseAllRows(table: RawTable, plan: TablePlan, drops: boolean): Generator<ParsedRow> {
  const columns = createFieldColumns(table, plan);
  const constants = readConstantValues(plan);
  const nameColumn = columns.find(({ field }) => field.name === nameFieldOf(plan.kind));
  const checkOutside = createExtraCellsCheck(table);
  const blank = Object.fromEntries(fieldsOf(plan.kind).map(({ name }) => [name, null]));
  const start: Record<string, RowValues[string]> = { ...blank, ...constants.values };
  const noticed = new Set<number>();
  for (const row of table.rows) {
    const { line, cells } = row;
    if (drops) row.cells = NO_CELLS;
    const values = { ...start };
    const currencies: StatedCurrencies = new Map();
    const problems: CellProblem[] = [...constants.problems];
    const warnings: string[] = [...constants.warnings];
    checkOutside?.(cells, problems, warnings);
    for (const { index, header, field, read } of columns) {
      const cell = cells[index];
      if (cell === null || cell === undefined) continue;
      const reading = read(cell);
      const before = field.isRepeatable ? (values[field.name] ?? null) : null;
      values[field.name] =
        typeof before === 'number' ? before + Number(reading.value) : (reading.value ?? before);
      problems.push(...listProblems(reading, header, excerptOf(cell)));
      if (reading.warning !== undefined) warnings.push(reading.warning);
      if (reading.currency !== undefined) currencies.set(reading.currency, { header, cell });
      if (reading.notice !== undefined && !noticed.has(index)) {
        noticed.add(index);
        warnings.push(`La columna «${header}» ${reading.notice}`);
      }
    }
    joinSeriesAndFolio(values);
    if (currencies.size > 0) assignCurrency(values, problems, currencies);
    if (nameColumn && isTotalName(values[nameColumn.field.name]))
      addTotalRowProblem(nameColumn, cells[nameColumn.index], problems);
    yield {
      line,
      values,
      problems,
      warnings,
      // Computed only for rows that are refused.
      get raw() {
        return cells.map(cellText);
      },
    };
  }
}

function createFieldColumns(table: RawTable, plan: TablePlan): FieldColumn[] {
  const fields = new Map(fieldsOf(plan.kind).map((field) => [field.name, field]));
  return plan.columns.flatMap((column) => {
    const field = column.field === null ? undefined : fields.get(column.field);
    if (!field || plan.set[field.name] !== undefined) return [];
    const read = createCellReader(field, plan.kind, {
      ...column,
      uses1904Dates: table.uses1904Dates ?? false,
    });
    return [{ index: column.index, header: column.header || `#${column.index + 1}`, field, read }];
  });
}

function readConstantValues(plan: TablePlan) {
  const values: Record<string, RowValues[string]> = {};
  const problems: CellProblem[] = [];
  const warnings: string[] = [];
  for (const field of fieldsOf(plan.kind)) {
    const given = plan.set[field.name];
    if (given === undefined) continue;
    const reading: CellReading = createCellReader(field, plan.kind, { decimal: '.', uses1904Dates: false })(
      given,
    );
    values[field.name] = reading.value;
    problems.push(...listProblems(reading, field.label, given));
    if (reading.warning !== undefined) warnings.push(reading.warning);
  }
  return { values, problems, warnings };
}

const listProblems = ({ problem, code }: CellReading, column: string, value: string): CellProblem[] =>
  problem === undefined ? [] : [{ column, value, reason: problem, code }];

type StatedCurrencies = Map<string, { header: string; cell: RawCell }>;

function assignCurrency(
  values: Record<string, RowValues[string]>,
  problems: CellProblem[],
  currencies: StatedCurrencies,
): void {
  for (const [currency, { header, cell }] of currencies) {
    values.moneda ??= currency;
    if (values.moneda === currency) continue;
    const reason = `Dice ${currency}, y el renglón está en ${values.moneda}.`;
    problems.push({ column: header, value: excerptOf(cell), reason });
  }
}

/** Joins series and folio: "A" and "12" become A-12, as in a CFDI. "A-12" with the series "A" stays as it is. */
function joinSeriesAndFolio(values: Record<string, RowValues[string]>): void {
  const { serie, numfactura } = values;
  if (typeof serie !== 'string') return;
  const folio = typeof numfactura === 'string' ? numfactura : '';
  const hasSeries =
    /\p{L}/u.test(serie) &&
    fold(folio).startsWith(fold(serie)) &&
    /^[^\p{L}]/u.test(folio.slice(serie.length));
  values.numfactura = hasSeries ? folio : [serie, folio].filter(Boolean).join('-');
  values.serie = null;
}

/** A line of totals is refused here, before its row is compared with stored data. */
function addTotalRowProblem(column: FieldColumn, cell: RawCell | undefined, problems: CellProblem[]): void {
  const { header } = column;
  if (problems.some((one) => one.column === header)) return;
  const reason = 'Parece un renglón de totales, no un registro.';
  problems.push({ column: header, value: excerptOf(cell ?? null), reason });
}

const isTotalName = (name: RowValues[string] | undefined): boolean =>
  typeof name === 'string' &&
  name.length < 30 &&
  /^[sStTgG]/.test(name) &&
  TOTAL_ALONE_PATTERN.test(headingKey(name));

const nameFieldOf = (kind: TableKind): string =>
  catalogOfCommand(kind)?.nameField ?? NAME_FIELD_BY_KIND[kind] ?? 'suppliername';

const NAME_FIELD_BY_KIND: Partial<Record<TableKind, string>> = {
  budgets: 'jobtitle',
  cajas: 'nombre',
  'movimientos-caja': 'caja',
};

export const NO_HEADING_LABEL = '(sin encabezado)';

type ExtraCellsCheck = (cells: readonly RawCell[], problems: CellProblem[], warnings: string[]) => void;

/**
 * An unquoted comma in a cell shifts all later cells to the right: "1,160.50" would become an amount of 1. So cells
 * beyond the columns must not be ignored. In a workbook cells do not shift, and text next to the table is a note.
 */
function createExtraCellsCheck({ format, header: { names }, rows }: RawTable): ExtraCellsCheck | undefined {
  const marked = names.indexOf(NO_HEADING_LABEL);
  const width = marked < 0 ? names.length : marked;
  if (format !== 'csv' || width === 0 || !rows.some(({ cells }) => cells.length > width)) return undefined;
  // Some programs end every line with a delimiter.
  const lengths = Map.groupBy(rows, ({ cells }) => cells.length);
  const isShiftedRow = (cells: readonly RawCell[]) =>
    cells.length > names.length &&
    cells.length <= names.length + MAX_SHIFTED_CELLS &&
    lengths.get(cells.length)!.length <= rows.length / 2 &&
    cells.slice(names.length).every((cell) => cell === null);
  return (cells, problems, warnings) => {
    if (cells.length <= width) return;
    const at = cells.findIndex(
      (cell, index) => (names[index] ?? NO_HEADING_LABEL) === NO_HEADING_LABEL && !isEmptyCell(cell),
    );
    if (at === width || (at < 0 && isShiftedRow(cells)))
      problems.push({
        column: `#${width + 1}`,
        value: excerptOf(cells[width]),
        reason:
          'El renglón tiene más celdas que encabezados: ¿un dato con el separador dentro, sin comillas?',
      });
    else if (at >= 0)
      warnings.push(
        `La columna ${at + 1} no tiene encabezado: «${excerptOf(cells[at]).slice(0, 40)}» no se importa.`,
      );
  };
}

const MAX_SHIFTED_CELLS = 3;

const isEmptyCell = (cell: RawCell | undefined): boolean => meansEmpty(trimCell(cellText(cell)));
