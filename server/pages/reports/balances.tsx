import { Hono } from 'hono';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { EARLIER_WEEKS_KEY, GRAND_TOTAL_LABEL } from '../../../shared/balances.ts';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { addDays, formatLongDate, formatShortDayMonth, sundayOf } from '../../../shared/dates.ts';
import { ESTIMATED_NOTE } from '../../../shared/invoices-due.ts';
import { lastOverdueDay } from '../../../shared/overdue.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { balanceList } from '../../lists/reports.ts';
import { readInvoicesPaidLater } from '../../services/balances/after-corte.ts';
import { type BalanceReport, readBalances } from '../../services/balances/balances.ts';
import { readCommittedLines } from '../../services/payments/committed-amounts.ts';
import { choiceField, idField } from '../../shapes/fields.ts';
import { PaymentSelectionBar } from '../payment-batches/row-selection.tsx';
import { showReport } from '../ui/report-page.tsx';
import { BALANCE_ORDERS, type BalancesPageQuery, balancesHref, openInvoicesHref } from './addresses.ts';
import {
  BalanceTable,
  type BalanceTableProps,
  MAX_UNABBREVIATED_ROWS,
  selectLargestSuppliers,
} from './balances-table.tsx';
import { EstimatedWithin, OverdueText, RankRangeNote, ReconciliationNote } from './notes.tsx';

const queryShape = getPageShape(balanceList).extend({
  abierto: idField('abierto'),
  parte: idField('parte'),
  orden: choiceField('orden', BALANCE_ORDERS),
});

export const balancesPages = new Hono<AppEnv>({ strict: false }).get(pages.balances, (c) =>
  showReport(c, balanceList, {
    shape: queryShape,
    kept: ['orden'],
    first: 'pdf',
    words: ({ weeknum }): Record<string, string> => (weeknum ? { weeknum: weekName(weeknum) } : {}),
    controls(fields, { corte, yr }) {
      const year = Number((corte ?? c.get('today')).slice(0, 4));
      const years = new Set([...[-3, -2, -1, 0, 1, 2].map((offset) => year + offset), yr ?? year]);
      const choices: Record<string, { value: string; label: string }[]> = {
        weeknum: [{ value: '', label: 'La del corte' }, ...toNumberChoices(WEEK_NUMBERS, weekName)],
        yr: [
          { value: '', label: 'El del corte' },
          ...toNumberChoices(
            [...years].sort((a, b) => a - b),
            String,
          ),
        ],
      };
      return fields.map((field): FilterField => {
        const options = choices[field.name];
        return field.kind === 'text' && options ? { ...field, kind: 'select', options } : field;
      });
    },
    async read(query) {
      const table = await readBalanceTableProps(c, query);
      return {
        actions: table.report.invoiceCount > 0 && <ScheduleLink query={query} />,
        results: <BalanceResults {...table} />,
      };
    },
    below: (
      <>
        <PaymentSelectionBar />
        <i hidden data-part="" data-balances="" />
      </>
    ),
  }),
);

const weekName = (week: number) => `SEM ${week}`;
const WEEK_NUMBERS = Array.from({ length: 53 }, (_, index) => index + 1);
const toNumberChoices = (numbers: readonly number[], labelOf: (number: number) => string) =>
  numbers.map((number) => ({ value: String(number), label: labelOf(number) }));

async function readBalanceTableProps(c: AppContext, query: BalancesPageQuery): Promise<BalanceTableProps> {
  const { db, config } = c.get('deps');
  const day = { today: c.get('today'), timeZone: config.timeZone };
  const limits = { maxRows: MAX_UNABBREVIATED_ROWS, expandedSupplierId: query.abierto };
  const report = await readBalances(db, query, day, limits);
  // Rows are selected for payment only in today's report.
  if (report.corte !== day.today) return { query, report };
  const paidLater = await readInvoicesPaidLater(db, report.corte, day);
  return {
    query,
    report,
    commitments: { committedLines: await readCommittedLines(db), paymentsDatedLater: paidLater },
  };
}

const ScheduleLink = ({ query: { supplierId, jobId } }: Pick<BalanceTableProps, 'query'>) => (
  <LinkButton look="primary" href={withQuery(pages.newPaymentBatch, { supplierId, jobId })} icon="calendar">
    Programar pagos
  </LinkButton>
);

function BalanceResults({ report, query, commitments }: BalanceTableProps) {
  const { corte, invoiceCount, isAbbreviated, estimatedDays, overdue, thisWeekCents, total } = report;
  const sunday = sundayOf(corte);
  const { supplierId, jobId } = query;
  if (invoiceCount === 0) {
    return (
      <>
        <NoOpenInvoices query={query} />
        <BalanceNotes report={report} query={query} />
      </>
    );
  }
  const about = (
    <>
      Saldos al <time dateTime={corte}>{formatLongDate(corte)}</time>, por semana en que vencen
      {estimatedDays.length > 0 && ' (*\u00a0estimada)'}.{' '}
      <OverdueText report={report} filter={{ supplierId, jobId }} />.
    </>
  );
  return (
    <>
      <div className="on-card no-print">
        <Totals
          label="Por pagar"
          items={[
            {
              label: 'Vencido',
              cents: overdue.sumCents,
              isLate: overdue.sumCents > 0,
              href: openInvoicesHref({ corte, supplierId, jobId, to: lastOverdueDay(corte) }),
              mark: <EstimatedWithin report={report} to={lastOverdueDay(corte)} />,
            },
            {
              label: `Esta semana, hasta el ${formatShortDayMonth(sunday)}`,
              cents: thisWeekCents,
              op: '+',
              href: openInvoicesHref({ corte, supplierId, jobId, from: corte, to: sunday }),
              mark: <EstimatedWithin report={report} from={corte} to={sunday} />,
            },
            {
              label: 'Después',
              cents: total.totalCents - overdue.sumCents - thisWeekCents,
              op: '+',
              href: openInvoicesHref({ corte, supplierId, jobId, from: addDays(sunday, 1) }),
              mark: <EstimatedWithin report={report} from={addDays(sunday, 1)} />,
            },
            {
              label: 'Total',
              cents: total.totalCents,
              op: '=',
              href: openInvoicesHref({ corte, supplierId, jobId }),
              mark: <EstimatedWithin report={report} />,
            },
          ]}
        />
        <Disclosure summary="Qué vence cada semana">
          <WeekTotals report={report} filter={{ supplierId, jobId }} />
        </Disclosure>
      </div>
      <div className="section-head over-report">
        {/* On a phone this text is shown below the rows instead. */}
        <p className="soft on-wide">{about}</p>
        <OrderLinks {...query} />
      </div>
      {isAbbreviated && (
        <>
          <p className="note">
            Son {formatCount(invoiceCount)} facturas con saldo: se muestra el total de cada proveedor; al
            abrir uno aparecen las suyas.
          </p>
          <RankRangeNote
            rankRange={selectLargestSuppliers({ report, query }).ranks}
            label={
              query.orden === 'vencido' ? 'Proveedores con más vencido' : 'Proveedores a los que más se debe'
            }
            addressOf={(parte) => balancesHref(query, { parte })}
          />
        </>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="report-frame fills" tabIndex={0} aria-label="Saldos por proveedor">
        <BalanceTable report={report} query={query} commitments={commitments} />
        <div className="below">
          <p className="note">
            <span className="on-card">{about}</span>
          </p>
          <BalanceNotes report={report} query={query} />
        </div>
      </section>
    </>
  );
}

/** The sums of the weeks in which something is due, which the table has in its last row on wide screens only. */
const WeekTotals = ({ report: { corte, columns, total }, filter }: WeekTotalsProps) => (
  <Totals
    label="Por semana"
    items={columns.flatMap(({ key, days, from, to }) => {
      const cents = total.amounts[key];
      if (!cents) return [];
      return {
        label: `${key} (${days})`,
        cents,
        isLate: key === EARLIER_WEEKS_KEY,
        href: openInvoicesHref({ corte, ...filter, from, to }),
        mark: total.estimatedColumns.has(key) && <EstimatedMark />,
      };
    })}
  />
);

interface WeekTotalsProps {
  report: BalanceReport;
  filter: Pick<BalancesPageQuery, 'supplierId' | 'jobId'>;
}

const ORDER_LABELS = [
  { label: 'Por nombre', orden: undefined },
  { label: 'Más vencido', orden: 'vencido' },
  { label: 'Mayor saldo', orden: 'saldo' },
] as const;

const OrderLinks = (query: BalancesPageQuery) => (
  <nav className="periods no-print" aria-label="Orden de los proveedores">
    {ORDER_LABELS.map(({ label, orden }) => (
      <a
        key={label}
        href={balancesHref({ ...query, orden }, { abierto: query.abierto })}
        aria-current={query.orden === orden ? 'true' : undefined}
      >
        {label}
      </a>
    ))}
  </nav>
);

function NoOpenInvoices({ query }: Pick<BalanceTableProps, 'query'>) {
  const isFiltered = Boolean(query.supplierId || query.jobId);
  const unfiltered = balancesHref({ ...query, supplierId: undefined, jobId: undefined }, {});
  return (
    <EmptyState
      title="Nada por pagar"
      action={isFiltered ? <LinkButton href={unfiltered}>Quitar filtros</LinkButton> : undefined}
    >
      {isFiltered
        ? 'A ese día no hay facturas con saldo para este proveedor y esta obra.'
        : 'Aquí se ve qué hay que pagar en qué semana: las facturas con saldo, por proveedor.'}
    </EmptyState>
  );
}

function BalanceNotes({ report, query: { supplierId, jobId } }: BalanceTableProps) {
  const { corte, total, later, estimatedDays, unapplied } = report;
  const filter = { supplierId, jobId };
  return (
    <>
      {estimatedDays.length > 0 && <p className="note">{ESTIMATED_NOTE}</p>}
      <ReconciliationNote
        label={GRAND_TOTAL_LABEL}
        cents={total.totalCents}
        corte={corte}
        laterDatedSums={later}
        mark={<EstimatedWithin report={report} />}
        filter={filter}
      />
      {unapplied.length > 0 && <UnappliedCredits unapplied={unapplied} />}
    </>
  );
}

/** Shows the unapplied amount of credit notes, which the balances do not include. */
function UnappliedCredits({ unapplied }: Pick<BalanceReport, 'unapplied'>) {
  const sumCents = unapplied.reduce((sum, one) => sum + one.sumCents, 0);
  return (
    <>
      <p className="note">
        Saldos a favor sin aplicar: <Money cents={sumCents} href="#saldos-a-favor" />, en ninguna de estas
        cifras.
      </p>
      <details className="note">
        <summary>De quién son</summary>
        <ul id="saldos-a-favor">
          {unapplied.map(({ supplierId, suppliername, count, sumCents: cents }) => (
            <li key={supplierId}>
              {suppliername}, {pluralize(count, 'nota de crédito', 'notas de crédito')}:{' '}
              <Money cents={cents} href={pages.supplierCredit(supplierId)} />
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
