import type { ReactNode } from 'react';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { Figure } from '../../../shared/ui/Figure.tsx';
import { Money, SumOfParts } from '../../../shared/ui/Money.tsx';
import { ShareBar } from '../../../shared/ui/ShareBar.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type Cost, type CostQuery, costAfterCredits } from '../../services/costs.ts';
import type { PaidAndPending } from '../../services/results-by-job.ts';

type IvaChoice = 'sin' | 'con';

type CostFilter = Partial<CostQuery>;

const filterParameters = ({ jobId, clientId, rubroId }: CostFilter) => ({ jobId, clientId, rubroId });

export const invoicesAddress = (query: CostFilter, more: Record<string, string> = {}): string =>
  withQuery(pages.invoices, {
    ...filterParameters(query),
    fechaemisionDesde: query.from,
    fechaemisionHasta: query.to,
    ...more,
  });

const paymentsAddress = (
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

const expensesAddress = (query: CostFilter): string =>
  withQuery(pages.pettyCashExpenses, { desde: query.from, hasta: query.to, ...filterParameters(query) });

interface CostPart {
  label: string;
  cents: Cents;
  href: string;
  sign: '' | '− ' | '+ ';
}

function listCostParts(query: CostFilter, cost: Cost, iva: IvaChoice): CostPart[] {
  const [invoiceCost, credit, petty] =
    iva === 'con'
      ? [cost.totalCents, cost.creditTotalCents, cost.pettyTotalCents]
      : [cost.costCents, cost.creditCents, cost.pettyCents];
  const isPaid = query.base === 'pagado';
  const parts: CostPart[] = [
    {
      label: isPaid ? 'Pagos' : 'Facturas',
      cents: invoiceCost,
      href: isPaid ? paymentsAddress(query, 'pago') : invoicesAddress(query),
      sign: '',
    },
    { label: 'Notas de crédito', cents: credit, href: paymentsAddress(query, 'credito'), sign: '− ' },
    { label: 'Caja chica', cents: petty, href: expensesAddress(query), sign: invoiceCost === 0 ? '' : '+ ' },
  ];
  return parts.filter(({ cents }) => cents !== 0);
}

/** @returns the address of the list whose sum is the cost; nothing where several lists make it up */
export function findCostListAddress(query: CostFilter, cost: Cost, iva: IvaChoice): string | undefined {
  const parts = listCostParts(query, cost, iva);
  return parts.length === 1 && parts[0]!.sign === '' ? parts[0]!.href : undefined;
}

interface CostFigureProps {
  query: CostFilter;
  cost: Cost;
  iva?: IvaChoice;
  /** the page with the parts of a cost that comes from several lists; without it they are folded below the figure */
  elsewhere?: string;
}

export function CostFigure({ query, cost, iva = 'sin', elsewhere }: CostFigureProps) {
  const cents = costAfterCredits(cost, iva);
  const parts = listCostParts(query, cost, iva);
  if (parts.length === 0) return <Money cents={0} dash />;
  const list = findCostListAddress(query, cost, iva);
  if (list || elsewhere)
    return <Money cents={cents} href={list ?? elsewhere} title={list ? undefined : describeParts(parts)} />;
  return (
    <SumOfParts cents={cents}>
      <CostParts parts={parts} />
    </SumOfParts>
  );
}

/** "Facturas $3.00 − Notas de crédito $1.00" */
const describeParts = (parts: readonly CostPart[]): string =>
  parts.map(({ label, cents, sign }) => `${sign}${label} ${formatMoney(cents)}`).join(' ');

const CostParts = ({ parts }: { parts: readonly CostPart[] }) => (
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
}

export function nameAndBarColumn<Row>(
  rows: readonly Row[],
  { label, nameOf, centsOf }: NameAndBarColumnOptions<Row>,
): Column<Row> {
  const largest = Math.max(0, ...rows.map(centsOf));
  return {
    key: 'name',
    label,
    className: 'ranked',
    card: 'title',
    render: (row) => (
      <>
        {nameOf(row)}
        <ShareBar value={centsOf(row)} max={largest} />
      </>
    ),
  };
}

/** The list of the payments of the period's invoices, or with basis `pagado` of the payments in the period. */
export const paidAddress = (query: CostFilter): string =>
  paymentsAddress(query, 'pago', query.base === 'pagado' ? 'paymentdate' : 'fechaemision');

export const pendingAddress = (query: CostFilter): string => invoicesAddress(query, { status: 'por-pagar' });

interface PeriodFiguresProps {
  query: CostQuery;
  iva: IvaChoice;
  total: Cost & PaidAndPending;
  /** budget for the filters, independent of the period; 0 without a budget */
  budgetCents: Cents;
}

export function PeriodFigures({ query, iva, total, budgetCents }: PeriodFiguresProps) {
  const parts = listCostParts(query, total, iva);
  const list = findCostListAddress(query, total, iva);
  return (
    <ul className="figures">
      <Figure
        label={`Gastado (${iva === 'con' ? 'con IVA' : 'sin IVA'})`}
        cents={costAfterCredits(total, iva)}
        href={list}
        parts={parts.length > 0 && !list && <CostParts parts={parts} />}
      />
      <Figure label="Pagado" cents={total.paidCents} href={paidAddress(query)}>
        {query.base === 'pagado' ? 'en el periodo' : 'de estas facturas'}, con IVA
      </Figure>
      <Figure label="Pendiente" cents={total.pendingCents} href={pendingAddress(query)}>
        de estas facturas, con IVA
      </Figure>
      {budgetCents > 0 && (
        <Figure
          label="Presupuesto"
          cents={budgetCents}
          href={withQuery(pages.budgets, { jobId: query.jobId })}
        >
          vigente, sin IVA
        </Figure>
      )}
    </ul>
  );
}
