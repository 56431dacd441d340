import { formatDayMonth, type PlainDate } from '../../../shared/dates.ts';
import { type ExpenseState, type Movement, receiptName, STATE_NAMES } from '../../../shared/petty-cash.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { rowsBefore } from '../ui/lists.tsx';

interface MovementTableProps {
  caption: string;
  columns: readonly Column<Movement>[];
  rows: readonly Movement[];
}

export const MovementTable = (props: MovementTableProps) => (
  <DataTable {...props} rowKey={({ id }) => id} rowHref={({ id }) => pages.pettyCashMovement(id)} />
);

interface PagedExpensesProps extends MovementTableProps {
  /** of all pages */
  count: number;
  /** the page that is shown, as its address says */
  asked: Parameters<typeof rowsBefore>[0];
  cursor: string | undefined;
  address: string;
  /** parameters that the address of the next page repeats */
  query?: Parameters<typeof withQuery>[1];
}

export function PagedExpenses({ count, asked, cursor, address, query, ...table }: PagedExpensesProps) {
  const shown = rowsBefore(asked) + table.rows.length;
  return (
    <>
      <MovementTable {...table} />
      <Pager
        shown={shown}
        total={count}
        noun={count === 1 ? 'gasto' : 'gastos'}
        href={cursor && withQuery(address, { ...query, cursor, shown })}
      />
    </>
  );
}

interface ExpenseChipProps {
  state: ExpenseState;
  dueOn: PlainDate | null;
  today: PlainDate;
}

/** Red where the receipt should be there by now. */
export function ExpenseChip({ state, dueOn, today }: ExpenseChipProps) {
  const isLate = dueOn !== null && dueOn < today;
  return (
    <Chip tone={isLate ? 'danger' : TONES[state]}>
      {state === 'por-comprobar' ? `Comprobar antes del ${formatDayMonth(dueOn!)}` : STATE_NAMES[state]}
    </Chip>
  );
}

const TONES = {
  'por-comprobar': 'warn',
  'por-reponer': 'neutral',
  solicitado: 'accent',
  repuesto: 'done',
} as const satisfies Record<ExpenseState, string>;

export const DATE_COLUMN: Column<Movement> = dateColumn('fecha', 'Fecha', { card: 'corner' });

export const CONCEPT_COLUMN: Column<Movement> = {
  key: 'concepto',
  label: 'Concepto',
  link: true,
  clip: true,
  card: 'title',
};

export const FUND_COLUMN: Column<Movement> = { key: 'nombre', label: 'Caja', clip: 24 };

export const EXPENSE_COLUMNS: readonly Column<Movement>[] = [
  DATE_COLUMN,
  CONCEPT_COLUMN,
  { key: 'beneficiario', label: 'Beneficiario', clip: 24 },
  {
    key: 'folio',
    label: 'Comprobante',
    clip: LONGEST_NUMBER,
    render: ({ comprobante, folio }) =>
      comprobante === 'ninguno' ? '' : [receiptName(comprobante), folio].filter(Boolean).join(' '),
  },
  { key: 'jobtitle', label: 'Obra', clip: true },
  moneyColumn('importe', 'Importe', ({ importeCents }) => importeCents),
];

/** Without a receipt an expense shows its term instead. @param between columns before the term */
export const awaitedColumns = (
  today: PlainDate,
  between: readonly Column<Movement>[] = [],
): readonly Column<Movement>[] => [
  ...EXPENSE_COLUMNS.filter(({ key }) => key !== 'folio'),
  ...between,
  {
    key: 'plazo',
    label: 'Plazo',
    render: ({ comprobarAntes }) => (
      <ExpenseChip state="por-comprobar" dueOn={comprobarAntes} today={today} />
    ),
  },
];
