import { type Cents, formatMoney } from '../../../shared/money.ts';
import { Figure } from '../../../shared/ui/Figure.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { Cost } from '../../services/cost-rows.ts';
import { type CostQuery, netOf } from '../../services/costs.ts';
import type { Payable } from '../../services/results-by-job.ts';

/** With IVA or without. */
export type Iva = 'sin' | 'con';

type Of = Partial<CostQuery>;

const narrowedBy = ({ jobId, clientId, rubroId }: Of) => ({ jobId, clientId, rubroId });

/** To the invoices that a figure is the sum of. */
export const invoicesOf = (query: Of, more: Record<string, string> = {}): string =>
  withQuery(pages.invoices, {
    ...narrowedBy(query),
    fechaemisionDesde: query.from,
    fechaemisionHasta: query.to,
    ...more,
  });

/** To payments in money, or to what credit notes covered, by their own days. */
const paymentsOf = (query: Of, kind: 'pago' | 'credito'): string =>
  withQuery(pages.payments, {
    ...narrowedBy(query),
    paymentdateDesde: query.from,
    paymentdateHasta: query.to,
    kind,
  });

const expensesOf = (query: Of): string =>
  withQuery(pages.pettyCashExpenses, { desde: query.from, hasta: query.to, ...narrowedBy(query) });

interface Part {
  says: string;
  cents: Cents;
  href: string;
  sign: '' | '− ' | '+ ';
}

/** What a cost is the sum of, each with its list. */
function partsOf(query: Of, cost: Cost, iva: Iva): Part[] {
  const [own, credit, petty] =
    iva === 'con'
      ? [cost.totalCents, cost.creditTotalCents, cost.pettyTotalCents]
      : [cost.costCents, cost.creditCents, cost.pettyCents];
  const isPaid = query.base === 'pagado';
  const parts: Part[] = [
    {
      says: isPaid ? 'Pagos' : 'Facturas',
      cents: own,
      href: isPaid ? paymentsOf(query, 'pago') : invoicesOf(query),
      sign: '',
    },
    { says: 'Notas de crédito', cents: credit, href: paymentsOf(query, 'credito'), sign: '− ' },
    { says: 'Caja chica', cents: petty, href: expensesOf(query), sign: own === 0 ? '' : '+ ' },
  ];
  return parts.filter(({ cents }) => cents !== 0);
}

/** Where a cost is one list's sum, that list. */
export function listOf(query: Of, cost: Cost, iva: Iva): string | undefined {
  const parts = partsOf(query, cost, iva);
  return parts.length === 1 && parts[0]!.sign === '' ? parts[0]!.href : undefined;
}

interface CostFigureProps {
  query: Of;
  cost: Cost;
  iva?: Iva;
  /** the page that tells of what it is made, where no one list does; else each part stands below it */
  elsewhere?: string;
}

/** A figure that leads to its list; where several make it, to where each of them stands. */
export function CostFigure({ query, cost, iva = 'sin', elsewhere }: CostFigureProps) {
  const cents = netOf(cost, iva);
  const parts = partsOf(query, cost, iva);
  if (parts.length === 0) return <Money cents={0} dash />;
  const list = listOf(query, cost, iva);
  if (list || elsewhere) {
    return (
      <a href={list ?? elsewhere} title={list ? undefined : inWords(parts)}>
        <Money cents={cents} />
      </a>
    );
  }
  return (
    <>
      <span className="net">
        <Money cents={cents} />
      </span>
      <Parts parts={parts} />
    </>
  );
}

/** "Facturas $3.00 − Notas de crédito $1.00" */
const inWords = (parts: readonly Part[]): string =>
  parts.map(({ says, cents, sign }) => `${sign}${says} ${formatMoney(cents)}`).join(' ');

const Parts = ({ parts, isNamed = false }: { parts: readonly Part[]; isNamed?: boolean }) => (
  <small className="parts">
    {parts.map(({ says, cents, href, sign }) => (
      <a key={says} href={href} title={isNamed ? undefined : says}>
        {isNamed ? `${says} ` : ''}
        {sign}
        {formatMoney(cents)}
      </a>
    ))}
  </small>
);

/** Paid, or pending: what one list says. */
export function FactFigure({ cents, href }: { cents: Cents; href: string }) {
  if (cents === 0) return <Money cents={0} dash />;
  return (
    <a href={href}>
      <Money cents={cents} />
    </a>
  );
}

/** What is paid of the period's invoices, or what was paid in the period. */
export const paidAddress = (query: Of): string =>
  query.base === 'pagado'
    ? paymentsOf(query, 'pago')
    : withQuery(pages.payments, {
        ...narrowedBy(query),
        fechaemisionDesde: query.from,
        fechaemisionHasta: query.to,
        kind: 'pago',
      });

export const pendingAddress = (query: Of): string => invoicesOf(query, { status: 'por-pagar' });

interface PeriodFiguresProps {
  query: CostQuery;
  iva: Iva;
  total: Cost & Payable;
  /** what may be spent, whatever the period; 0: nobody has said */
  budgetCents: Cents;
}

/** Gastado, Pagado, Pendiente: the whole of what was asked for; and beside it what it may cost. */
export function PeriodFigures({ query, iva, total, budgetCents }: PeriodFiguresProps) {
  const parts = partsOf(query, total, iva);
  // Nothing is what an empty list says too.
  const none = query.base === 'pagado' ? paymentsOf(query, 'pago') : invoicesOf(query);
  const list = parts.length === 0 ? none : listOf(query, total, iva);
  return (
    <ul className="figures">
      <Figure
        label={`Gastado (${iva === 'con' ? 'con IVA' : 'sin IVA'})`}
        cents={netOf(total, iva)}
        href={list}
        parts={!list && <Parts parts={parts} isNamed />}
      />
      <Figure label="Pagado" cents={total.paidCents} href={paidAddress(query)}>
        {query.base === 'pagado' ? 'en el periodo' : 'de lo facturado en el periodo'}, con IVA
      </Figure>
      <Figure label="Pendiente" cents={total.pendingCents} href={pendingAddress(query)}>
        de lo facturado en el periodo, con IVA
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
