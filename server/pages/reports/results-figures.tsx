import { type Cents, formatMoney } from '../../../shared/money.ts';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { ResultsQuery } from '../../services/results.ts';
import { netOf, type Results } from '../../services/results-layout.ts';

/** Which part of a period's cost: of one obra, one rubro, both, or all of it. */
type Place = Pick<ResultsQuery, 'jobId' | 'rubroId'>;

/** Invoices of the period, and the credit notes that took something off them. */
interface Parts {
  cents: Cents;
  credit: Cents;
}

/** To the invoices that a figure is the sum of. */
export const invoicesOf = (query: Partial<ResultsQuery>, place: Place = {}): string => {
  const { from, to, jobId, rubroId } = { ...query, ...place };
  return withQuery(pages.invoices, { jobId, rubroId, fechaemisionDesde: from, fechaemisionHasta: to });
};

/** To what credit notes covered, by the notes' own days. */
const creditsOf = (query: Partial<ResultsQuery>, place: Place = {}): string => {
  const { from, to, jobId, rubroId } = { ...query, ...place };
  const days = { paymentdateDesde: from, paymentdateHasta: to };
  return withQuery(pages.payments, { jobId, rubroId, ...days, kind: 'credito' });
};

/** A figure that leads to its invoices; where credit notes took something off, what is left, and both parts. */
export function CostFigure({
  query,
  place,
  cents,
  credit,
}: Parts & { query: Partial<ResultsQuery>; place?: Place }) {
  if (credit === 0) {
    if (cents === 0) return <Money cents={0} dash />;
    return (
      <a href={invoicesOf(query, place)}>
        <Money cents={cents} />
      </a>
    );
  }
  return (
    <>
      <span className="net">
        <Money cents={cents - credit} />
      </span>
      <small className="parts">
        {cents !== 0 && <a href={invoicesOf(query, place)}>{formatMoney(cents)}</a>}
        <a href={creditsOf(query, place)} title="Notas de crédito">
          − {formatMoney(credit)}
        </a>
      </small>
    </>
  );
}

/** Of several places together, which no list has alone. */
export const PlainFigure = ({ cents, credit }: Parts) => <Money cents={cents - credit} dash />;

/** The period in one line, or where there are credit notes in two: without IVA, and with it. */
export function PeriodTotals({ query, results }: { query: ResultsQuery; results: Results }) {
  const { costCents, totalCents, creditCents, creditTotalCents } = results;
  const invoices = invoicesOf(query);
  const credits = creditsOf(query);
  if (creditTotalCents === 0) {
    return (
      <Totals
        label="Totales del periodo"
        items={[
          { label: 'Costo sin IVA', cents: costCents, href: invoices },
          { label: 'IVA, menos retenciones', cents: totalCents - costCents, href: invoices, op: '+' },
          { label: 'Total con IVA', cents: totalCents, href: invoices, op: '=' },
        ]}
      />
    );
  }
  return (
    <>
      <Totals
        label="Totales del periodo, sin IVA"
        items={[
          { label: 'Facturas sin IVA', cents: costCents, href: invoices },
          { label: 'Notas de crédito sin IVA', cents: creditCents, href: credits, op: '−' },
          { label: 'Costo sin IVA', cents: netOf(results), op: '=' },
        ]}
      />
      <Totals
        label="Totales del periodo, con IVA"
        items={[
          { label: 'Facturas con IVA', cents: totalCents, href: invoices },
          { label: 'Notas de crédito con IVA', cents: creditTotalCents, href: credits, op: '−' },
          { label: 'Total con IVA', cents: totalCents - creditTotalCents, op: '=' },
        ]}
      />
    </>
  );
}
