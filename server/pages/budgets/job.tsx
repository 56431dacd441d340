import type { ReactNode } from 'react';
import { availableOf, type BudgetChange } from '../../../shared/budgets.ts';
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
import { type BudgetRow, computeInvoicePayments } from '../../services/budgets/reading.ts';
import { createZeroCost, sumCosts } from '../../services/costs.ts';
import { CostFigure } from '../reports/results-figures.tsx';
import {
  BudgetUsedBar,
  MAX_UNWRAPPED_NAME_LENGTH,
  RemainingBudget,
  USED_COLUMN,
} from '../ui/budget-used.tsx';
import { moneyColumn, renderFooterCells } from '../ui/columns.tsx';
import { GridCell, GridForm, type GridState } from './grid.tsx';

/** Rubros shown at a time; the total includes all of them. */
const RUBROS_ON_PAGE = 80;

interface BudgetOfJobProps {
  job: { id: number; jobtitle: string };
  rows: readonly BudgetRow[];
  from: number;
  isGrid: boolean;
  state: GridState;
}

export function BudgetOfJob({ job, rows, from: firstRow, isGrid, state }: BudgetOfJobProps) {
  const shown = rows.slice(firstRow, firstRow + RUBROS_ON_PAGE);
  const next = firstRow + shown.length;
  const editar = isGrid ? 1 : undefined;
  const pageAddress = (desde?: number) => withQuery(pages.budgets, { jobId: job.id, desde, editar });
  const cellOf = ({ rubroId, presupuestoCents, version }: BudgetRow) => ({
    jobId: job.id,
    rubroId: rubroId ?? NO_RUBRO,
    cents: presupuestoCents,
    version,
  });
  const columns = jobBudgetColumns(
    job.id,
    'line',
    isGrid && !state.isReadOnly
      ? (row) => <GridCell cell={cellOf(row)} label={`Vigente de ${row.nombrerubro}`} state={state} />
      : undefined,
  );
  const table = (
    <DataTable
      caption={`Presupuesto de ${job.jobtitle}`}
      columns={columns}
      rows={shown}
      rowKey={(row) => row.rubroId ?? NO_RUBRO}
      footer={renderFooterCells(jobBudgetColumns(job.id, 'total'), createTotalRow(rows))}
    />
  );
  return (
    <>
      {rows.length === 0 ? (
        <EmptyState title="Sin presupuesto ni gastos">
          Aquí se ve por rubro cuánto puede costar la obra y cuánto lleva.
        </EmptyState>
      ) : isGrid ? (
        <GridForm
          action={withQuery(pages.budgets, { jobId: job.id, desde: firstRow || undefined })}
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
          {firstRow > 0 && <LinkButton href={pageAddress()}>Primeros rubros</LinkButton>}
          {next < rows.length && <LinkButton href={pageAddress(next)}>Siguientes rubros</LinkButton>}
        </p>
      )}
    </>
  );
}

type RubroOrTotalRow = Omit<BudgetRow, 'rubroId'> & { rubroId?: number | null };

function jobBudgetColumns(
  jobId: number,
  headings: 'line' | 'total',
  input?: (row: BudgetRow) => ReactNode,
): Column<RubroOrTotalRow>[] {
  const isTotal = headings === 'total';
  const zeros = isTotal ? ({ dash: true } as const) : ({ isBlank: true } as const);
  const cellIdsOf = ({ rubroId }: RubroOrTotalRow) => ({
    jobId,
    rubroId: rubroId === null ? NO_RUBRO : rubroId,
  });
  const href = (line: RubroOrTotalRow) =>
    `${withQuery(pages.budgets, { jobId, historia: cellIdsOf(line).rubroId })}#historia`;
  const figureColumn = (
    key: string,
    label: string,
    centsOf: (line: RubroOrTotalRow) => Cents,
    look: Partial<Column<RubroOrTotalRow>>,
  ) => moneyColumn(key, label, centsOf, { ...zeros, href, ...look });
  return [
    { key: 'nombrerubro', label: 'Rubro', card: 'title', wraps: MAX_UNWRAPPED_NAME_LENGTH },
    figureColumn('original', 'Original', (line) => line.originalCents, { card: 'none' }),
    figureColumn('cambios', 'Cambios', (line) => line.presupuestoCents - line.originalCents, {
      card: 'none',
    }),
    input
      ? {
          key: 'presupuesto',
          label: 'Vigente',
          align: 'end',
          card: 'corner',
          className: 'typed',
          render: (line) => input(line as BudgetRow),
        }
      : figureColumn('presupuesto', 'Vigente', (line) => line.presupuestoCents, {
          note: 'sin IVA',
          card: 'corner',
        }),
    {
      key: 'facturado',
      label: 'Facturado',
      note: 'sin IVA',
      align: 'end',
      card: 'half',
      render: (line) =>
        (isTotal || line.gastadoCents !== 0) && <CostFigure query={cellIdsOf(line)} cost={line.cost} />,
    },
    {
      key: 'pagado',
      label: 'Pagado',
      note: 'con IVA',
      align: 'end',
      card: 'half',
      render(line) {
        const { pettyTotalCents } = line.cost;
        const paid = { ...createZeroCost(), totalCents: computeInvoicePayments(line.cost), pettyTotalCents };
        const query = { ...cellIdsOf(line), base: 'pagado' } as const;
        const isShown = isTotal || paid.totalCents + pettyTotalCents !== 0;
        return isShown && <CostFigure query={query} cost={paid} iva="con" />;
      },
    },
    {
      key: 'disponible',
      label: 'Por ejercer',
      align: 'end',
      render: (line) => <RemainingBudget cents={availableOf(line)} />,
    },
    {
      ...USED_COLUMN,
      render: (line) =>
        (line.presupuestoCents > 0 || line.gastadoCents !== 0) && <BudgetUsedBar line={line} />,
    },
  ];
}

const MAX_CHANGES = 100;

interface HistoryProps {
  changes: readonly BudgetChange[];
  timeZone: string;
  isOpen: boolean;
}

export const BudgetHistory = ({ changes, timeZone, isOpen }: HistoryProps) => (
  <Disclosure summary="Historia" isOpen={isOpen}>
    <div id="historia">
      <DataTable<BudgetChange>
        caption="Historia del presupuesto"
        columns={[
          {
            key: 'at',
            label: 'Fecha',
            render: ({ at }) => <DateText date={plainDateIn(new Date(at), timeZone)} />,
          },
          { key: 'nombrerubro', label: 'Rubro', card: 'title', wraps: true },
          {
            key: 'antes',
            label: 'Antes',
            align: 'end',
            render: ({ antesCents }) => antesCents !== null && <Money cents={antesCents} />,
          },
          moneyColumn('despues', 'Después', ({ despuesCents }) => despuesCents),
          { key: 'motivo', label: 'Motivo', wraps: true },
          { key: 'username', label: 'Quién' },
        ]}
        rows={changes.slice(0, MAX_CHANGES)}
        rowKey={({ id }) => id}
      />
    </div>
  </Disclosure>
);

function createTotalRow(rows: readonly BudgetRow[]): RubroOrTotalRow {
  const sum = (centsOf: (row: BudgetRow) => Cents) => rows.reduce((all, row) => all + centsOf(row), 0);
  return {
    nombrerubro: 'Total',
    originalCents: sum(({ originalCents }) => originalCents),
    presupuestoCents: sum(({ presupuestoCents }) => presupuestoCents),
    gastadoCents: sum(({ gastadoCents }) => gastadoCents),
    cost: sumCosts(rows.map(({ cost }) => cost)),
    version: 0,
  };
}
