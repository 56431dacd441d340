import type { ReactNode } from 'react';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { type Column, type ColumnOptions, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

interface MoneyColumnOptions<Row> extends Partial<ColumnOptions<Row>> {
  href?: (row: Row) => string | undefined;
  /** A cell with a zero is left empty. */
  isBlank?: true;
  /** A zero is shown as "–". */
  dash?: true;
}

export const moneyColumn = <Row,>(
  key: string,
  label: string,
  centsOf: (row: Row) => Cents,
  { href, isBlank, dash, ...look }: MoneyColumnOptions<Row> = {},
): Column<Row> => ({
  key,
  label,
  align: 'end',
  ...look,
  render(row) {
    const cents = centsOf(row);
    return isBlank && cents === 0 ? null : <Money cents={cents} dash={dash} href={href?.(row)} />;
  },
});

export const invoiceNumberColumn = <Row extends { numfactura: string; id: number }>(): Column<Row> => ({
  key: 'numfactura',
  label: 'Factura',
  isRowLink: true,
  wraps: MAX_UNWRAPPED_LETTERS,
  card: 'title',
  render: ({ numfactura, id }) => numfactura || `#${id}`,
});

export const dateColumn = <Name extends string, Row extends Readonly<Record<Name, PlainDate | null>>>(
  key: Name,
  label: string,
  overrides: Partial<Column<Row>> = {},
): Column<Row> => ({ key, label, ...overrides, render: (row) => <DateText date={row[key]} /> });

export const renderFooterCells = <Row,>(columns: readonly Column<Row>[], total: Row) =>
  Object.fromEntries(
    columns.map(({ key, render }) => [key, render ? render(total) : (total[key as keyof Row] as ReactNode)]),
  );
