import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

/** A column of amounts. @param dash shows zeros as "–" */
export const moneyColumn = <Row,>(
  key: string,
  label: string,
  centsOf: (row: Row) => Cents,
  { dash, ...more }: Partial<Column<Row>> & { dash?: true } = {},
): Column<Row> => ({
  key,
  label,
  align: 'end',
  ...more,
  render: (row) => <Money cents={centsOf(row)} dash={dash} />,
});

/** A column that shows a text of the row as it is, and nothing for null. */
export const textColumn = <Name extends string, Row extends Readonly<Record<Name, string | number | null>>>(
  key: Name,
  label: string,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, label, ...more, render: (row) => row[key] ?? '' });

export const dateColumn = <Name extends string, Row extends Readonly<Record<Name, PlainDate | null>>>(
  key: Name,
  label: string,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, label, ...more, render: (row) => <DateText date={row[key]} /> });
