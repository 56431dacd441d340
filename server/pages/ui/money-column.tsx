import type { Cents } from '../../../shared/money.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Money } from '../../../shared/ui/Money.tsx';

/** A column of amounts. */
export const moneyColumn = <Row,>(
  key: string,
  label: string,
  centsOf: (row: Row) => Cents,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, label, align: 'end', ...more, render: (row) => <Money cents={centsOf(row)} /> });
