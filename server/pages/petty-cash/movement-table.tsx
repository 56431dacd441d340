import type { ReactNode } from 'react';
import type { SortDirection } from '../../../db/paging.ts';
import { formatShortDayMonth, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  EXPENSE_SORTS,
  EXPENSE_STATE_LABELS,
  type ExpenseState,
  type FundStatementEntry,
  type Movement,
  type MovementSort,
  movementKindLabel,
  signedAmountOf,
} from '../../../shared/petty-cash.ts';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Pager, PrintedRowsNote } from '../../../shared/ui/Pager.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { type MovementFilter, searchMovements } from '../../services/petty-cash/searching.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { addSortLinks, countPrintedBefore, countRowsBefore, listHref, pageSize } from '../ui/list-layout.tsx';

interface MovementTableProps {
  caption: string;
  columns: readonly Column<Movement>[];
  rows: readonly Movement[];
}

export const MovementTable = (props: MovementTableProps) => (
  <DataTable className="cash" {...props} rowKey={({ id }) => id} rowHref={movementHref} />
);

export const movementHref = ({ id }: { id: number }) => pages.pettyCashMovement(id);

interface ExpenseListOptions extends Omit<MovementTableProps, 'rows'> {
  filter: MovementFilter;
  /** applies where the address names no order */
  order: { sort: MovementSort; direction?: SortDirection };
  place: { cursor?: string; shown?: number; sortfield?: MovementSort; sorttype?: SortDirection };
  count: number;
  totals?: ReactNode;
  address: string;
  query: NonNullable<Parameters<typeof withQuery>[1]>;
}

const EXPENSE_NOUN = ['gasto', 'gastos'] as const;

export async function renderExpenses(
  c: AppContext,
  {
    filter,
    order,
    place: pagePlace,
    count,
    totals,
    address,
    query: filterQuery,
    ...table
  }: ExpenseListOptions,
) {
  const { sortfield = order.sort, sorttype = pagePlace.sortfield ? 'asc' : order.direction } = pagePlace;
  const place = {
    sort: sortfield,
    direction: sorttype,
    limit: pageSize(pagePlace),
    cursor: pagePlace.cursor,
  };
  const { rows, cursor } = await searchMovements(c.get('deps').db, { ...filter, ...place });
  const list = { page: address, sorts: EXPENSE_SORTS };
  const query = { ...filterQuery, sortfield: pagePlace.sortfield, sorttype: pagePlace.sorttype };
  const columns = addSortLinks(table.columns, list, count, { ...query, sortfield, sorttype });
  const shown = countRowsBefore(pagePlace) + rows.length;
  return (
    <div>
      <PrintedRowsNote
        printedCount={countPrintedBefore(c, pagePlace) + rows.length}
        total={count}
        noun={EXPENSE_NOUN}
        hasTotals={totals !== undefined}
      />
      <MovementTable {...table} columns={columns} rows={rows} />
      {totals}
      <Pager
        shown={shown}
        total={count}
        noun={EXPENSE_NOUN}
        href={cursor && listHref(list, query, { cursor, shown })}
      />
    </div>
  );
}

interface ExpenseChipProps {
  state: ExpenseState;
  dueOn: PlainDate | null;
  today: PlainDate;
}

export function ExpenseChip({ state, dueOn, today }: ExpenseChipProps) {
  const isLate = dueOn !== null && dueOn < today;
  return (
    <Chip tone={isLate ? 'danger' : EXPENSE_STATE_TONES[state]}>
      {state === 'por-comprobar'
        ? `Comprobar antes del ${formatShortDayMonth(dueOn!)}`
        : EXPENSE_STATE_LABELS[state]}
    </Chip>
  );
}

const EXPENSE_STATE_TONES = {
  'por-comprobar': 'warn',
  'por-reponer': 'neutral',
  solicitado: 'accent',
  repuesto: 'done',
} as const satisfies Record<ExpenseState, string>;

/** The address of expenses that are not replenished yet, whether requested or not. */
export const expensesToReplenishHref = (fundId?: number) =>
  withQuery(pages.pettyCashMovements, { fundId, estado: 'por-reponer' });

type DescriptionRow = Partial<
  Pick<Movement, 'beneficiario' | 'folio' | 'jobtitle' | 'nombrerubro' | 'fecha'>
> & {
  concepto: string;
  tipo?: FundStatementEntry['tipo'];
};

/** Names wrap and are never cut. */
export const descriptionColumns = <Row extends DescriptionRow>(): readonly Column<Row>[] => [
  {
    key: 'fecha',
    label: 'Fecha',
    at: 'doc',
    card: 'half',
    cardLabel: () => '',
    render: ({ fecha }) => <DateText date={fecha} />,
  },
  {
    key: 'concepto',
    label: 'Concepto',
    at: 'who',
    isRowLink: true,
    card: 'title',
    className: 'wraps',
    textBelow: ({ beneficiario, folio }) => [beneficiario, folio].filter(Boolean).join(' · '),
    render: ({ concepto, tipo }) => {
      const kind = kindBadgeText(tipo);
      return (
        <>
          {concepto}
          {kind && !concepto.startsWith(kind) && (
            <>
              {' '}
              <Chip tone="accent">{kind}</Chip>
            </>
          )}
        </>
      );
    },
  },
  {
    key: 'jobtitle',
    label: 'Obra y rubro',
    at: 'job',
    card: 'foot',
    className: 'wraps',
    textBelow: ({ jobtitle, nombrerubro = null }) => (jobtitle ? nombrerubro : null),
    render: ({ jobtitle, nombrerubro }) => jobtitle || <span className="soft">{nombrerubro}</span>,
  },
];

/** The kind of the movement, except for expenses, which are most of them. */
const kindBadgeText = (tipo: DescriptionRow['tipo']) =>
  !tipo || tipo === 'gasto' || tipo === 'pago' ? undefined : movementKindLabel(tipo);

/** @param href address that the amount of a row links to */
export const inflowOutflowColumns = <Row,>(
  centsOf: (row: Row) => Cents,
  href?: (row: Row) => string | undefined,
): readonly Column<Row>[] => [
  moneyColumn('ingreso', 'Ingreso', (row) => Math.max(centsOf(row), 0), {
    isBlank: true,
    at: 'total',
    card: 'corner',
    className: 'income',
    href,
  }),
  moneyColumn('gasto', 'Salida', (row) => Math.max(-centsOf(row), 0), {
    isBlank: true,
    at: 'total',
    card: 'corner',
    href,
  }),
];

export const FUND_COLUMN: Column<Movement> = {
  key: 'nombre',
  label: 'Caja',
  at: 'due',
  card: 'half',
  cardLabel: () => '',
  className: 'wraps names',
};

const AMOUNT_COLUMN: Column<Movement> = moneyColumn(
  'importe',
  'Importe',
  ({ importeCents }) => importeCents,
  { at: 'total', card: 'corner' },
);

export const MOVEMENT_COLUMNS: readonly Column<Movement>[] = [
  ...descriptionColumns<Movement>(),
  FUND_COLUMN,
  ...inflowOutflowColumns<Movement>(signedAmountOf),
];

export const EXPENSE_TABLE_COLUMNS: readonly Column<Movement>[] = [
  ...descriptionColumns<Movement>(),
  AMOUNT_COLUMN,
];

/** @param insertedColumns columns to insert before the deadline's */
export const awaitedVoucherColumns = (
  today: PlainDate,
  insertedColumns: readonly Column<Movement>[] = [],
): readonly Column<Movement>[] => [
  ...descriptionColumns<Movement>(),
  ...insertedColumns,
  {
    key: 'plazo',
    label: 'Plazo',
    card: 'end',
    render: ({ comprobarAntes }) => (
      <ExpenseChip state="por-comprobar" dueOn={comprobarAntes} today={today} />
    ),
  },
  AMOUNT_COLUMN,
];
