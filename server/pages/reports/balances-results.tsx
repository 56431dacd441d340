import type { BalanceReport } from '../../../shared/balances.ts';
import { sayDate } from '../../../shared/dates.ts';
import { overdueOf } from '../../../shared/overdue.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AskedBalancePage } from './balances-address.ts';
import { BalanceNotes } from './balances-notes.tsx';
import { HowMuchShows } from './balances-suppliers.tsx';
import { BalanceTable, type Taken } from './balances-table.tsx';
import { DueSumText } from './due-lists.tsx';

interface ResultsProps {
  report: BalanceReport;
  asked: AskedBalancePage;
  taken?: Taken;
}

/** The report as it stands on its page. */
export function BalanceResults({ report, asked, taken }: ResultsProps) {
  if (report.invoiceCount === 0) {
    return (
      <>
        <NothingOpen asked={asked} />
        <BalanceNotes report={report} asked={asked} />
      </>
    );
  }
  const { supplierId, jobId } = asked;
  const { corte } = report;
  return (
    <>
      {/* on a phone each begins a line: run together, how many lines they take goes by the typeface that is there */}
      <p className="note over-report">
        <span>
          Saldos al <time dateTime={corte}>{sayDate(corte)}</time>, por la semana en que vencen.
        </span>{' '}
        <span>
          <DueSumText sum={overdueOf(report)} of={{ corte, supplierId, jobId }} />.
        </span>{' '}
        <a href={withQuery(pages.newPaymentBatch, { supplierId, jobId })}>{'Programar\u00a0pagos'}</a>
      </p>
      <HowMuchShows report={report} asked={asked} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="report-frame fills" tabIndex={0} aria-label="Saldos por proveedor">
        <BalanceTable report={report} asked={asked} taken={taken} />
        <div className="below">
          <BalanceNotes report={report} asked={asked} />
        </div>
      </section>
    </>
  );
}

function NothingOpen({ asked }: { asked: AskedBalancePage }) {
  const isFiltered = Boolean(asked.supplierId || asked.jobId);
  return (
    <EmptyState
      title="Nada por pagar"
      action={isFiltered ? <LinkButton href={pages.balances}>Quitar filtros</LinkButton> : undefined}
    >
      {isFiltered
        ? 'A ese día no hay facturas con saldo para este proveedor y esta obra.'
        : 'Aquí se ve qué hay que pagar en qué semana: las facturas con saldo, por proveedor.'}
    </EmptyState>
  );
}
