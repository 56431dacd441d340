import { Fragment, type ReactNode } from 'react';
import { availableOf } from '../../../shared/budgets.ts';
import { formatCount } from '../../../shared/counts.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { getNextPartOrFirst } from '../../../shared/table-parts.ts';
import { DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type Cost, type CostFilterInPeriod, computeCostAfterCredits } from '../../services/costs.ts';
import type { PaidAndPending } from '../../services/results-by-job.ts';
import { usedShareColumns } from '../ui/budget-used.tsx';
import { resultsHref } from './addresses.ts';
import { CostFigure, nameAndBarColumn, paidHref, pendingHref } from './results-figures.tsx';
import type { ResultsData } from './results-reading.ts';

interface JobsTableRow {
  key: string;
  name: ReactNode;
  cost: Cost;
  /** the filter of the lists to which the figures link; absent for the row of all other jobs, which has no links */
  filter?: CostFilterInPeriod;
  payable?: PaidAndPending;
  /** only for the row of a job */
  jobId?: number;
  lastIssued?: PlainDate | null;
}

const MAX_NAMED_JOBS = 5;

/** @returns the jobs of the table that spent more than their budget, the largest excess first */
export const findJobsOverBudget = ({ byJob, budgets }: Pick<ResultsData, 'byJob' | 'budgets'>) =>
  byJob.rows
    .flatMap(({ jobId, jobtitle }) => {
      const budget = budgets.get(jobId);
      return budget ? [{ jobId, jobtitle, excessCents: -availableOf(budget) }] : [];
    })
    .filter(({ excessCents }) => excessCents > 0)
    .sort((a, b) => b.excessCents - a.excessCents);

export const describeOverBudget = (count: number) => `${formatCount(count)} sobre presupuesto`;

/** Leads to these jobs. On a phone a link beside the views has their number. */
export function JobsOverBudget(data: ResultsData) {
  const { query, byJob } = data;
  const over = findJobsOverBudget(data);
  if (over.length === 0) return null;
  const others = over.length - MAX_NAMED_JOBS;
  return (
    <p className="note on-wide">
      <strong className="late">
        {describeOverBudget(over.length)}
        {typeof query.rubroId === 'number' && ' de este rubro'}
        {byJob.others && ' en esta parte de la tabla'} (sin IVA):
      </strong>
      {over.slice(0, MAX_NAMED_JOBS).map(({ jobId, jobtitle, excessCents }, index) => (
        <Fragment key={jobId}>
          {index > 0 ? '; ' : ' '}
          <a href={withQuery(pages.budgets, { jobId })}>
            {jobtitle}, por {formatMoney(excessCents)}
          </a>
        </Fragment>
      ))}
      {others > 0 && ` y ${formatCount(others)} más`}
    </p>
  );
}

export function JobsTable(data: ResultsData) {
  const { requested, query, iva, byJob, opened, names } = data;
  const { others, total } = byJob;
  const rubros = opened.map(
    (cost): JobsTableRow => ({
      key: `rubro ${cost.rubroId}`,
      name: names.rubros.get(cost.rubroId) ?? NO_RUBRO_NAME,
      cost,
      filter: { ...query, jobId: cost.jobId, rubroId: cost.rubroId },
    }),
  );
  const rows = byJob.rows.flatMap((job): JobsTableRow[] => {
    const { jobId, lastIssued } = job;
    const jobRow = {
      key: `${jobId}`,
      name: renderJobName(job, data),
      cost: job,
      filter: { ...query, jobId },
      payable: job,
      jobId,
      lastIssued,
    };
    return jobId === requested.abierta ? [jobRow, ...rubros] : [jobRow];
  });
  if (others) {
    const { jobs } = others;
    const name = (
      <a href={resultsHref(requested, query, { parte: getNextPartOrFirst(byJob.ranks) })}>
        ▸ {jobs === 1 ? 'Otra obra' : `Otras ${formatCount(jobs)} obras`}
      </a>
    );
    rows.push({ key: 'others', name, cost: others, payable: others });
  }
  const payableColumn = (
    name: keyof PaidAndPending,
    label: string,
    addressOf: (filter: CostFilterInPeriod) => string,
  ) =>
    ({
      key: name,
      label,
      note: 'con IVA',
      align: 'end',
      card: 'half',
      render: ({ payable, filter }: JobsTableRow) =>
        payable && <Money cents={payable[name]} href={filter && addressOf(filter)} dash />,
    }) as const;
  return (
    <DataTable
      caption="Lo que cuesta cada obra"
      columns={[
        nameAndBarColumn(rows, {
          label: 'Obra',
          nameOf: ({ name }) => name,
          centsOf: ({ filter, cost }) => (filter ? computeCostAfterCredits(cost, iva) : 0),
          hasBars: data.budgets.size === 0,
        }),
        {
          key: 'spent',
          label: 'Gastado',
          note: iva === 'con' ? 'con IVA' : 'sin IVA',
          align: 'end',
          card: 'corner',
          render: ({ filter, cost }) =>
            filter ? (
              <CostFigure
                query={filter}
                cost={cost}
                iva={iva}
                breakdownHref={resultsHref({ ...requested, ...filter }, query)}
              />
            ) : (
              <Money cents={computeCostAfterCredits(cost, iva)} dash />
            ),
        },
        payableColumn('paidCents', 'Pagado', paidHref),
        payableColumn('pendingCents', 'Pendiente', pendingHref),
        ...usedShareColumns<JobsTableRow>(data.budgets, ({ jobId }) => jobId),
        {
          key: 'last',
          label: 'Última factura',
          card: 'none',
          render: ({ lastIssued }) => lastIssued && <DateText date={lastIssued} />,
        },
      ]}
      rows={rows}
      rowKey={({ key }) => key}
      rowClass={({ payable }) => (payable ? undefined : 'part')}
      footer={{
        name: 'Total',
        spent: <CostFigure query={query} cost={total} iva={iva} />,
        paidCents: <Money cents={total.paidCents} href={paidHref(query)} dash />,
        pendingCents: <Money cents={total.pendingCents} href={pendingHref(query)} dash />,
      }}
    />
  );
}

/** A job's name links to its costs by rubro, which are shown below it. The row of costs without a job has no link. */
function renderJobName(
  job: ResultsData['byJob']['rows'][number],
  { requested, query }: ResultsData,
): ReactNode {
  const { jobId, jobtitle, clientname } = job;
  if (jobId === 0) return jobtitle;
  const isOpen = requested.abierta === jobId;
  const anchor = `obra-${jobId}`;
  const position = { parte: requested.parte, abierta: isOpen ? null : jobId };
  return (
    <>
      <a id={anchor} href={`${resultsHref(requested, query, position)}#${anchor}`}>
        {isOpen ? '▾' : '▸'} {jobtitle}
      </a>
      <small className="of">{clientname}</small>
    </>
  );
}
