import { catalogOfCommand } from '../../../shared/catalogs/all.ts';
import { shownText } from './cell-text.ts';
import type { FieldColumn } from './cells.ts';
import { fieldsOf, neededBy } from './fields.ts';
import { TOTAL_ALONE } from './header.ts';
import { headingKey } from './headings.ts';
import type { CellProblem, RawCell, RowValues, TableKind } from './table.ts';

type RowCheck = (
  values: Readonly<Record<string, RowValues[string]>>,
  problems: CellProblem[],
  cells: readonly RawCell[],
) => void;

/** What stands against a row as a whole, before anybody looks at what is on file: added to its problems. */
export function rulesFor(kind: TableKind, columns: readonly FieldColumn[]): RowCheck {
  const needed = neededBy(kind);
  const nameField = nameOf(kind);
  return (values, problems, cells) => {
    const columnOf = (name: string) => columns.find(({ field }) => field.name === name);
    const headerOf = (name: string) => columnOf(name)?.header ?? labelOf(kind, name);
    const isProblem = (name: string) => problems.some(({ column }) => column === headerOf(name));
    const refuse: Refuse = (name, reason) => {
      if (isProblem(name)) return;
      const column = columnOf(name);
      problems.push({
        column: headerOf(name),
        value: column ? shownText(cells[column.index]) : '',
        reason,
      });
    };
    if (isTotalName(values[nameField])) {
      refuse(nameField, 'Parece un renglón de totales, no un registro.');
      return;
    }
    // What a payment lacks, its own rules say.
    for (const names of kind === 'payments' ? [] : needed)
      if (names.every((name) => values[name] === null && !isProblem(name)))
        refuse(names[0], 'Falta este dato.');
    if (kind === 'invoices') refuseCreditNote(values, refuse);
  };
}

const isTotalName = (name: RowValues[string] | undefined): boolean =>
  typeof name === 'string' &&
  name.length < 30 &&
  /^[sStTgG]/.test(name) &&
  TOTAL_ALONE.test(headingKey(name));

/** What a row of each list is called by. */
const nameOf = (kind: TableKind): string =>
  catalogOfCommand(kind)?.nameField ?? NAMES[kind] ?? 'suppliername';

const NAMES: Partial<Record<TableKind, string>> = {
  budgets: 'jobtitle',
  cajas: 'nombre',
  'movimientos-caja': 'caja',
};

type Refuse = (name: string, reason: string) => void;

function refuseCreditNote(values: RowValues, refuse: Refuse): void {
  const negative = ['total', 'subtotal', 'iva'].find((name) => isBelowZero(values[name]));
  if (negative) refuse(negative, 'El importe es negativo: es una nota de crédito, no una factura.');
}

const isBelowZero = (value: RowValues[string] | undefined): boolean => typeof value === 'number' && value < 0;

const labelOf = (kind: TableKind, name: string): string =>
  fieldsOf(kind).find((field) => field.name === name)?.label ?? name;
