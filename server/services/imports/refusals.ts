import { fieldsOf } from '../../formats/tables/fields.ts';
import type { ColumnPlan, ParsedRow, RefusedRow, TableKind } from '../../formats/tables/table.ts';
import type { RowRefusal } from './row-values.ts';

/** Says refusals in the file's own words: its heading, and the cell as it is written. */
export class NameRefusals {
  readonly #kind: TableKind;
  readonly #columns = new Map<string, ColumnPlan>();

  constructor(kind: TableKind, columns: readonly ColumnPlan[] = []) {
    this.#kind = kind;
    for (const column of columns) if (column.field) this.#columns.set(column.field, column);
  }

  ofRow(
    { line, raw, values }: ParsedRow,
    { field, reason, value, code = 'invalid' }: RowRefusal,
  ): RefusedRow {
    const column = this.#columns.get(field);
    const cell = column ? (raw[column.index] ?? '') : String(values[field] ?? '');
    const heading = column?.header || labelOf(this.#kind, field);
    return { row: line, column: heading, value: cell || value || '', reason, code };
  }

  /** Cells that could not be read: one refusal for the row, the first cell shown, all reasons said. */
  ofCells({ line, problems }: ParsedRow): RefusedRow {
    const [first, ...others] = problems;
    const rest = others.map(({ column, reason }) => `${column}: ${reason}`);
    return {
      row: line,
      column: first?.column ?? '',
      value: first?.value ?? '',
      reason: [first?.reason ?? '', ...rest].join(' '),
      code: first?.code ?? 'malformed',
    };
  }
}

/** Of a value that no column has: what it is called. */
const labelOf = (kind: TableKind, field: string): string =>
  fieldsOf(kind).find(({ name }) => name === field)?.label ?? field;
