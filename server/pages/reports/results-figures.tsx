import type { ReactNode } from 'react';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { formatShortPeriod } from '../../../shared/periods.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Figure } from '../../../shared/ui/Figure.tsx';
import { Money, SumOfParts } from '../../../shared/ui/Money.tsx';
import { ShareBar } from '../../../shared/ui/ShareBar.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type Cost, type CostFilterInPeriod, computeCostAfterCredits } from '../../services/costs.ts';
import type { PaidAndPending } from '../../services/results-by-job.ts';

type IvaChoice = 'sin' | 'con';

type CostFilter = Partial<CostFilterInPeriod>;

const filterParameters = ({ jobId, clientId, rubroId }: CostFilter) => ({ jobId, clientId, rubroId });

export const invoicesHref = (query: CostFilter, parameters: Record<string, string> = {}): string =>
  withQuery(pages.invoices, {
    ...filterParameters(query),
    fechaemisionDesde: query.from,
    fechaemisionHasta: query.to,
    ...parameters,
  });

const paymentsHref = (
  query: CostFilter,
  kind: 'pago' | 'credito',
  day: 'paymentdate' | 'fechaemision' = 'paymentdate',
): string =>
  withQuery(pages.payments, {
    ...filterParameters(query),
    [`${day}Desde`]: query.from,
    [`${day}Hasta`]: query.to,
    kind,
  });

const expensesHref = (query: CostFilter): string =>
  withQuery(pages.pettyCashExpenses, { desde: query.from, hasta: query.to, ...filterParameters(query) });

interface CostTerm {
  label: string;
  cents: Cents;
  href: string;
  sign: '' | '− ' | '+ ';
}

function listCostTerms(query: CostFilter, cost: Cost, iva: IvaChoice): CostTerm[] {
  const [invoiceCost, credit, petty] =
    iva === 'con'
      ? [cost.totalCents, cost.creditTotalCents, cost.pettyTotalCents]
      : [cost.costCents, cost.creditCents, cost.pettyCents];
  const isPaid = query.base === 'pagado';
  const parts: CostTerm[] = [
    {
      label: isPaid ? 'Pagos' : 'Facturas',
      cents: invoiceCost,
      href: isPaid ? paymentsHref(query, 'pago') : invoicesHref(query),
      sign: '',
    },
    { label: 'Notas de crédito', cents: credit, href: paymentsHref(query, 'credito'), sign: '− ' },
    { label: 'Caja chica', cents: petty, href: expensesHref(query), sign: invoiceCost === 0 ? '' : '+ ' },
  ];
  return parts.filter(({ cents }) => cents !== 0);
}

/** @returns the address of the list whose sum is the cost; undefined if the cost comes from several lists */
export function findCostListHref(query: CostFilter, cost: Cost, iva: IvaChoice): string | undefined {
  const parts = listCostTerms(query, cost, iva);
  return parts.length === 1 && parts[0]!.sign === '' ? parts[0]!.href : undefined;
}

interface CostFigureProps {
  query: CostFilter;
  cost: Cost;
  iva?: IvaChoice;
  /** the page that breaks down a cost from several lists; without it, the terms are folded below the figure */
  breakdownHref?: string;
}

export function CostFigure({ query, cost, iva = 'sin', breakdownHref }: CostFigureProps) {
  const cents = computeCostAfterCredits(cost, iva);
  const parts = listCostTerms(query, cost, iva);
  if (parts.length === 0) return <Money cents={0} dash />;
  const list = findCostListHref(query, cost, iva);
  if (list || breakdownHref)
    return (
      <Money cents={cents} href={list ?? breakdownHref} title={list ? undefined : describeCostTerms(parts)} />
    );
  return (
    <SumOfParts cents={cents}>
      <CostTerms parts={parts} />
    </SumOfParts>
  );
}

const describeCostTerms = (parts: readonly CostTerm[]): string =>
  parts.map(({ label, cents, sign }) => `${sign}${label} ${formatMoney(cents)}`).join(' ');

const CostTerms = ({ parts }: { parts: readonly CostTerm[] }) => (
  <small className="parts">
    {parts.map(({ label, cents, href, sign }) => (
      <span key={label}>
        {sign}
        {label} <Money cents={cents} href={href} />
      </span>
    ))}
  </small>
);

interface NameAndBarColumnOptions<Row> {
  label: string;
  nameOf: (row: Row) => ReactNode;
  centsOf: (row: Row) => Cents;
  /** false beside bars of the used budget, since both would look alike */
  hasBars?: boolean;
}

export function nameAndBarColumn<Row>(
  rows: readonly Row[],
  { label, nameOf, centsOf, hasBars = true }: NameAndBarColumnOptions<Row>,
): Column<Row> {
  const largest = Math.max(0, ...rows.map(centsOf));
  return {
    key: 'name',
    label,
    className: hasBars ? 'ranked' : 'wraps names',
    card: 'title',
    render: (row) => (
      <>
        {nameOf(row)}
        {hasBars && <ShareBar value={centsOf(row)} max={largest} />}
      </>
    ),
  };
}

/** The list of the payments of the period's invoices, or with basis `pagado` of the payments in the period. */
export const paidHref = (query: CostFilter): string =>
  paymentsHref(query, 'pago', query.base === 'pagado' ? 'paymentdate' : 'fechaemision');

export const pendingHref = (query: CostFilter): string => invoicesHref(query, { status: 'por-pagar' });

interface PeriodFiguresProps {
  query: CostFilterInPeriod;
  iva: IvaChoice;
  total: Cost & PaidAndPending;
  /** budget for the filters, independent of the period; 0 without a budget */
  budgetCents: Cents;
}

export function PeriodFigures({ query, iva, total, budgetCents }: PeriodFiguresProps) {
  const parts = listCostTerms(query, total, iva);
  const list = findCostListHref(query, total, iva);
  const isPaid = query.base === 'pagado';
  return (
    <ul className="figures">
      <Figure
        label={`Gastado (${iva === 'con' ? 'con IVA' : 'sin IVA'})`}
        cents={computeCostAfterCredits(total, iva)}
        href={list}
        breakdown={parts.length > 0 && !list && <CostTerms parts={parts} />}
      >
        <span className="on-wide">
          {isPaid ? 'pagos' : 'facturas'}
          {total.pettyCents > 0 && ' y caja chica'} del periodo
        </span>
        <span className="on-card">{formatShortPeriod(query)}</span>
      </Figure>
      <Figure label="Pagado (con IVA)" cents={total.paidCents} href={paidHref(query)}>
        <span className="on-wide">{isPaid ? 'en el periodo' : 'de estas facturas'}</span>
      </Figure>
      <Figure label="Pendiente (con IVA)" cents={total.pendingCents} href={pendingHref(query)}>
        <span className="on-wide">de estas facturas</span>
      </Figure>
      {budgetCents > 0 && (
        <Figure
          label="Presupuesto total (sin IVA)"
          cents={budgetCents}
          href={withQuery(pages.budgets, { jobId: query.jobId })}
        >
          <span className="on-wide">{query.jobId ? 'de toda la obra' : 'de las obras completas'}</span>
        </Figure>
      )}
    </ul>
  );
}
