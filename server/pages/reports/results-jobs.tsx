import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { nextPart } from '../../../shared/ranks.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import type { Cost, CostCell } from '../../services/cost-rows.ts';
import { netOf } from '../../services/costs.ts';
import type { JobCost } from '../../services/results-by-job.ts';
import { budgetColumns } from '../ui/budget-used.tsx';
import { resultsAddress } from './addresses.ts';
import { CostFigure, paidAddress, pendingAddress, rankedColumn } from './results-figures.tsx';
import type { ResultsView } from './results-reading.ts';

/** An obra, one of the rubros of the one that is open, or all the other obras. */
type Row =
  | ({ kind: 'job' } & JobCost)
  | ({ kind: 'rubro'; jobId: number; name: string } & CostCell)
  | ({ kind: 'others'; jobs: number } & Cost & Pick<JobCost, 'paidCents' | 'pendingCents'>);

/** One row for each obra, the one that costs most first; the one that is open with its rubros below it. */
export function JobsTable(view: ResultsView) {
  const { asked, query, iva, byJob, opened, names } = view;
  const { rows, others, total } = byJob;
  const rubros = opened.map(
    (cell): Row => ({ kind: 'rubro', ...cell, name: names.rubros.get(cell.rubroId) ?? NO_RUBRO_NAME }),
  );
  const shown = rows.flatMap((row): Row[] => {
    const own: Row = { kind: 'job', ...row };
    return row.jobId === asked.abierta ? [own, ...rubros] : [own];
  });
  if (others) shown.push({ kind: 'others', ...others });
  const of = (row: Row) => ({
    ...query,
    jobId: row.kind === 'others' ? null : row.jobId,
    ...(row.kind === 'rubro' && { rubroId: row.rubroId }),
  });
  const columns: Column<Row>[] = [
    rankedColumn(shown, {
      label: 'Obra',
      nameOf: (row) => <Name row={row} view={view} />,
      centsOf: (row) => (row.kind === 'others' ? 0 : netOf(row, iva)),
    }),
    {
      key: 'spent',
      label: 'Gastado',
      note: iva === 'con' ? 'con IVA' : 'sin IVA',
      align: 'end',
      card: 'corner',
      render: (row) =>
        row.kind === 'others' ? (
          <Money cents={netOf(row, iva)} dash />
        ) : (
          <CostFigure
            query={of(row)}
            cost={row}
            iva={iva}
            elsewhere={resultsAddress({ ...asked, ...of(row) }, query)}
          />
        ),
    },
    {
      key: 'paid',
      label: 'Pagado',
      align: 'end',
      card: 'half',
      render: (row) => <Fact row={row} name="paidCents" href={paidAddress(of(row))} />,
    },
    {
      key: 'pending',
      label: 'Pendiente',
      align: 'end',
      card: 'half',
      render: (row) => <Fact row={row} name="pendingCents" href={pendingAddress(of(row))} />,
    },
    ...budgetColumns<Row>(view.budgets, (row) => (row.kind === 'job' ? row.jobId : undefined)),
    {
      key: 'last',
      label: 'Última factura',
      card: 'none',
      render: (row) => row.kind === 'job' && row.lastIssued && <DateText date={row.lastIssued} />,
    },
  ];
  return (
    <DataTable
      caption="Lo que cuesta cada obra"
      columns={columns}
      rows={shown}
      rowKey={(row) =>
        row.kind === 'others' ? 'others' : `${row.jobId} ${row.kind === 'rubro' ? row.rubroId : ''}`
      }
      rowClass={({ kind }) => (kind === 'rubro' ? 'part' : undefined)}
      footer={{
        name: 'Total',
        spent: <CostFigure query={query} cost={total} iva={iva} />,
        paid: <Money cents={total.paidCents} href={paidAddress(query)} dash />,
        pending: <Money cents={total.pendingCents} href={pendingAddress(query)} dash />,
      }}
    />
  );
}

const nameOf = (row: Row): string =>
  row.kind === 'job'
    ? row.jobtitle
    : row.kind === 'rubro'
      ? row.name
      : row.jobs === 1
        ? 'Otra obra'
        : `Otras ${row.jobs.toLocaleString('es-MX')} obras`;

function Name({ row, view: { asked, query, byJob } }: { row: Row; view: ResultsView }) {
  const name = nameOf(row);
  if (row.kind === 'rubro' || (row.kind === 'job' && row.jobId === 0)) return name;
  if (row.kind === 'others')
    return <a href={resultsAddress(asked, query, { parte: nextPart(byJob.ranks) })}>▸ {name}</a>;
  const isOpen = asked.abierta === row.jobId;
  const anchor = `obra-${row.jobId}`;
  const place = { parte: asked.parte, abierta: isOpen ? null : row.jobId };
  return (
    <>
      <a id={anchor} href={`${resultsAddress(asked, query, place)}#${anchor}`}>
        {isOpen ? '▾' : '▸'} {name}
      </a>
      {row.kind === 'job' && <small className="of">{row.clientname}</small>}
    </>
  );
}

function Fact({ row, name, href }: { row: Row; name: 'paidCents' | 'pendingCents'; href: string }) {
  if (row.kind === 'rubro') return null;
  return <Money cents={row[name]} href={row.kind === 'others' ? undefined : href} dash />;
}
