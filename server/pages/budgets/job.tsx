import { availableOf, type BudgetChange, type BudgetLine } from '../../../shared/budgets.ts';
import { plainDateIn } from '../../../shared/dates.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BudgetRow } from '../../services/budgets/reading.ts';
import { NOTHING_SPENT, type Spent } from '../../services/budgets/spending.ts';
import { nothing } from '../../services/costs.ts';
import { CostFigure } from '../reports/results-figures.tsx';
import { Left, Used } from '../ui/budget-used.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { type Cell, GridCell, GridForm, type GridState } from './grid.tsx';

/** So many rubros are shown at a time; the total is that of all. */
const MOST_LINES = 80;

interface JobBudgetProps {
  job: { id: number; jobtitle: string };
  rows: readonly BudgetRow[];
  from: number;
  history: readonly BudgetChange[];
  /** the changes are what was asked for, of one rubro */
  isHistory: boolean;
  /** budgets are typed where they stand */
  isGrid: boolean;
  state: GridState;
  timeZone: string;
}

/** The budget of an obra by rubro, beside what it has cost. */
export function JobBudget({ job, rows, from, history, isHistory, isGrid, state, timeZone }: JobBudgetProps) {
  const cellOf = (row: BudgetLine): Cell => ({
    jobId: job.id,
    rubroId: row.rubroId ?? NO_RUBRO,
    cents: row.presupuestoCents,
    version: row.version,
  });
  const total = sumOf(rows);
  const shown = rows.slice(from, from + MOST_LINES);
  const next = from + shown.length;
  const isTyped = isGrid && !state.isReadOnly;
  const editar = isGrid ? 1 : undefined;
  const address = (desde?: number) => withQuery(pages.budgets, { jobId: job.id, desde, editar });
  const table = (
    <DataTable
      caption={`Presupuesto de ${job.jobtitle}`}
      columns={columnsOf(job.id, {
        isCommitted: total.comprometidoCents !== 0,
        input: isTyped
          ? (row) => <GridCell cell={cellOf(row)} label={`Vigente de ${row.nombrerubro}`} state={state} />
          : undefined,
      })}
      rows={shown}
      rowKey={(row) => row.rubroId ?? NO_RUBRO}
      footer={{
        nombrerubro: 'Total',
        original: <Money cents={total.originalCents} href={changesOf(job.id)} dash />,
        cambios: <Money cents={total.presupuestoCents - total.originalCents} href={changesOf(job.id)} dash />,
        presupuesto: <Money cents={total.presupuestoCents} href={changesOf(job.id)} dash />,
        comprometido: <Money cents={total.comprometidoCents} />,
        facturado: <Invoiced of={{ jobId: job.id }} spent={total} />,
        pagado: <Paid of={{ jobId: job.id }} spent={total} />,
        disponible: <Left cents={availableOf(total)} />,
        porcentaje: <Used line={total} />,
      }}
    />
  );
  return (
    <>
      <p className="note">
        <a href={withQuery(pages.budgets, { editar })}>Todas las obras</a>
      </p>
      {rows.length === 0 ? (
        <EmptyState title="Sin presupuesto ni gastos">
          Aquí se ve por rubro cuánto puede costar la obra y cuánto lleva.
        </EmptyState>
      ) : isGrid ? (
        <GridForm
          action={withQuery(pages.budgets, { jobId: job.id, desde: from || undefined })}
          cells={shown.map(cellOf)}
          state={state}
        >
          {table}
        </GridForm>
      ) : (
        table
      )}
      {shown.length < rows.length && (
        <p className="actions">
          {from > 0 && <LinkButton href={address()}>Primeros rubros</LinkButton>}
          {next < rows.length && <LinkButton href={address(next)}>Siguientes rubros</LinkButton>}
        </p>
      )}
      {history.length > 0 && <History changes={history} timeZone={timeZone} isOpen={isHistory} />}
    </>
  );
}

/** The changes whose last amount a budget is: of one rubro, or of the obra. */
const changesOf = (jobId: number, rubroId?: number | null): string =>
  `${withQuery(pages.budgets, {
    jobId,
    historia: rubroId === undefined ? undefined : (rubroId ?? NO_RUBRO),
  })}#historia`;

interface SpentProps {
  of: { jobId: number; rubroId?: number };
  spent: Spent;
}

const Invoiced = ({ of, spent: { invoicedCents, creditCents, pettyCents } }: SpentProps) => (
  <CostFigure query={of} cost={{ ...nothing(), costCents: invoicedCents, creditCents, pettyCents }} />
);

const Paid = ({ of, spent: { paidCents, pettyTotalCents } }: SpentProps) => (
  <CostFigure
    query={{ ...of, base: 'pagado' }}
    cost={{ ...nothing(), totalCents: paidCents - pettyTotalCents, pettyTotalCents }}
    iva="con"
  />
);

const columnsOf = (
  jobId: number,
  { isCommitted, input }: { isCommitted: boolean; input?: (row: BudgetRow) => React.ReactNode },
): Column<BudgetRow>[] => {
  const hrefOf = ({ rubroId }: BudgetRow) => changesOf(jobId, rubroId);
  const of = ({ rubroId }: BudgetRow) => ({ jobId, rubroId: rubroId ?? NO_RUBRO });
  const figure = (
    key: string,
    label: string,
    centsOf: (row: BudgetRow) => Cents,
    look: Partial<Column<BudgetRow>>,
  ) => moneyColumn(key, label, centsOf, { isBlank: true, href: hrefOf, ...look });
  return [
    { key: 'nombrerubro', label: 'Rubro', card: 'title', className: 'ranked' },
    figure('original', 'Original', (row) => row.originalCents, { card: 'none' }),
    figure('cambios', 'Cambios', (row) => row.presupuestoCents - row.originalCents, { card: 'none' }),
    input
      ? { key: 'presupuesto', label: 'Vigente', align: 'end', className: 'typed', render: input }
      : figure('presupuesto', 'Vigente', (row) => row.presupuestoCents, { note: 'sin IVA', card: 'corner' }),
    ...(isCommitted
      ? [
          moneyColumn<BudgetRow>('comprometido', 'Comprometido', (row) => row.comprometidoCents, {
            isBlank: true,
          }),
        ]
      : []),
    {
      key: 'facturado',
      label: 'Facturado',
      note: 'sin IVA',
      align: 'end',
      card: 'half',
      render: (row) => row.gastadoCents !== 0 && <Invoiced of={of(row)} spent={row.spent} />,
    },
    {
      key: 'pagado',
      label: 'Pagado',
      note: 'con IVA',
      align: 'end',
      card: 'half',
      render: (row) => row.spent.paidCents !== 0 && <Paid of={of(row)} spent={row.spent} />,
    },
    {
      key: 'disponible',
      label: 'Por ejercer',
      align: 'end',
      render: (row) => <Left cents={availableOf(row)} />,
    },
    { key: 'porcentaje', label: 'Usado', align: 'end', render: (row) => <Used line={row} /> },
  ];
};

/** So many changes are shown; the API has them all. */
const MOST_CHANGES = 100;

interface HistoryProps {
  changes: readonly BudgetChange[];
  timeZone: string;
  isOpen: boolean;
}

function History({ changes, timeZone, isOpen }: HistoryProps) {
  const columns: Column<BudgetChange>[] = [
    {
      key: 'at',
      label: 'Fecha',
      render: ({ at }) => <DateText date={plainDateIn(new Date(at), timeZone)} />,
    },
    { key: 'nombrerubro', label: 'Rubro', card: 'title', clip: true },
    {
      key: 'antes',
      label: 'Antes',
      align: 'end',
      render: ({ antesCents }) => antesCents !== null && <Money cents={antesCents} />,
    },
    moneyColumn('despues', 'Después', ({ despuesCents }) => despuesCents),
    { key: 'motivo', label: 'Motivo', clip: true },
    { key: 'username', label: 'Quién' },
  ];
  return (
    <Disclosure summary="Historia" isOpen={isOpen}>
      <div id="historia">
        <DataTable
          caption="Historia del presupuesto"
          columns={columns}
          rows={changes.slice(0, MOST_CHANGES)}
          rowKey={({ id }) => id}
        />
      </div>
    </Disclosure>
  );
}

type Sum = Pick<BudgetRow, 'originalCents' | 'presupuestoCents' | 'comprometidoCents' | 'gastadoCents'> &
  Spent;

function sumOf(rows: readonly BudgetRow[]): Sum {
  const sum: Sum = {
    ...{ originalCents: 0, presupuestoCents: 0, comprometidoCents: 0, gastadoCents: 0 },
    ...NOTHING_SPENT,
  };
  const names = Object.keys(sum) as (keyof Sum)[];
  for (const { spent, ...row } of rows) for (const name of names) sum[name] += { ...row, ...spent }[name];
  return sum;
}
