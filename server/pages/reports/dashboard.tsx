import { Hono } from 'hono';
import { dueDatesOfBand } from '../../../shared/aging.ts';
import { pluralize } from '../../../shared/counts.ts';
import {
  addDays,
  formatDate,
  formatShortDayMonth,
  monthName,
  type PlainDate,
  shortMonthName,
  sundayOf,
} from '../../../shared/dates.ts';
import { ESTIMATED_MARK } from '../../../shared/invoices-due.ts';
import { localize } from '../../../shared/language.ts';
import { monthPeriodOf } from '../../../shared/periods.ts';
import { AgingStrip } from '../../../shared/ui/AgingStrip.tsx';
import { BarChart } from '../../../shared/ui/BarChart.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Figure } from '../../../shared/ui/Figure.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { type Dashboard, readDashboard } from '../../services/balances/dashboard.ts';
import type { Notice } from '../../services/notices/notice.ts';
import { TaskAndNoticeRows } from '../../shell/notice-rows.tsx';
import type { BellContent } from '../../shell/page-view.ts';
import { readOwnTasksAndNotices, renderPage } from '../../shell/render.tsx';
import { WholeListLink } from '../ui/first-links.tsx';
import { openInvoicesHref } from './addresses.ts';
import { LargestDueInvoices, LastPayments, TopJobs, TopSuppliers } from './dashboard-tables.tsx';

export const dashboardPages = new Hono<AppEnv>({ strict: false }).get(pages.dashboard, async (c) => {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const dashboard = await readDashboard(db, { today, timeZone: config.timeZone });
  const bell = await readOwnTasksAndNotices(c);
  const report = <LinkButton href={pages.balances}>Saldos por proveedor</LinkButton>;
  return renderPage(
    c,
    { title: localize('Dashboard'), actions: report, bell },
    <div className="stack">
      <TasksAndNotices {...bell} />
      <TodayFigures {...dashboard} today={today} />
      {dashboard.open.count === 0 && <NoOpenInvoices />}
      {dashboard.overdue.count > 0 && <OverdueAging {...dashboard} today={today} />}
      <div className="pairs short">
        {dashboard.open.count > 0 && <WeeksChart {...dashboard} />}
        {dashboard.open.count > 0 && <LargestDueInvoices {...dashboard} today={today} />}
        <TopSuppliers {...dashboard} />
        <LastPayments {...dashboard} />
        <TopJobs {...dashboard} />
        <BilledAndPaidChart {...dashboard} />
      </div>
    </div>,
  );
});

/** A phone shows this many rows of each list of tasks or notices; the stylesheet hides the others. */
const MAX_ROWS_ON_PHONE = 8;

const TONES_MOST_URGENT_FIRST: readonly Notice['tone'][] = ['danger', 'warn', 'info'];

function TasksAndNotices({ tasks, notices }: BellContent) {
  const awaited = tasks.filter(({ kind }) => kind !== 'pagar');
  const toPay = tasks.filter(({ kind }) => kind === 'pagar');
  const hasSum = ({ cents, statesSums }: Notice) => cents !== undefined || statesSums === true;
  const urgent = notices.toSorted(
    (a, b) =>
      Number(hasSum(b)) - Number(hasSum(a)) ||
      TONES_MOST_URGENT_FIRST.indexOf(a.tone) - TONES_MOST_URGENT_FIRST.indexOf(b.tone),
  );
  return (
    <div className="stack">
      {awaited.length > 0 && (
        <section aria-labelledby="awaited">
          <h2 id="awaited">Espera tu firma</h2>
          <TaskAndNoticeRows tasks={awaited} notices={[]} />
          <AllNoticesLink rows={awaited.length} />
        </section>
      )}
      {toPay.length + urgent.length > 0 && (
        <section aria-labelledby="open">
          <h2 id="open">Por resolver</h2>
          <TaskAndNoticeRows tasks={toPay} notices={urgent} explainsMark />
          <AllNoticesLink rows={toPay.length + urgent.length} />
        </section>
      )}
    </div>
  );
}

const AllNoticesLink = ({ rows }: { rows: number }) =>
  rows > MAX_ROWS_ON_PHONE && <WholeListLink href={pages.notices}>Ver todas</WholeListLink>;

type DashboardWithToday = Dashboard & { today: PlainDate };

function TodayFigures({
  today,
  open,
  overdue,
  thisWeek,
  undated,
  unapplied,
  awaited,
  news,
  ...sums
}: DashboardWithToday) {
  const { paidThisMonth, creditedThisMonth } = sums;
  const sunday = sundayOf(today);
  const month = monthName(today);
  const thisMonth = { paymentdateDesde: monthPeriodOf(today).from, paymentdateHasta: today };
  const byDate = { sortfield: 'paymentdate', sorttype: 'DESC' };
  return (
    <section aria-labelledby="today">
      <div className="section-head">
        <h2 id="today">Al {formatDate(today)}</h2>
        {news.invoices.count + news.payments.count > 0 && (
          <CapturedAndPaidSinceYesterday news={news} today={today} />
        )}
      </div>
      <ul className="figures">
        <Figure label="Por pagar" cents={open.sumCents} href={invoicesHref({ status: 'por-pagar' })}>
          {pluralize(open.count, 'factura con saldo', 'facturas con saldo')}
        </Figure>
        <Figure
          label="Vencido"
          cents={overdue.sumCents}
          isLate={overdue.sumCents > 0}
          mark={overdue.anyEstimated && <EstimatedMark />}
          href={invoicesHref({ status: 'vencida' })}
        >
          {pluralize(overdue.count, 'factura', 'facturas')}
        </Figure>
        <Figure
          label="Esta semana"
          cents={thisWeek.sumCents}
          mark={thisWeek.anyEstimated && <EstimatedMark />}
          href={openInvoicesHref({ from: today, to: sunday })}
        >
          {today === sunday ? 'hoy' : `hasta el ${formatShortDayMonth(sunday)}`} ·{' '}
          {pluralize(thisWeek.count, 'factura', 'facturas')}
        </Figure>
        {undated.count > 0 && (
          <Figure
            label="Sin fecha"
            cents={undated.sumCents}
            href={invoicesHref({ status: 'sin-vencimiento' })}
          >
            {pluralize(undated.count, 'factura, incluida', 'facturas, incluidas')} en Por pagar
          </Figure>
        )}
        <Figure
          label={`Pagado en ${month}`}
          cents={paidThisMonth.sumCents}
          href={withQuery(pages.payments, { ...thisMonth, kind: 'pago', ...byDate })}
        >
          {pluralize(paidThisMonth.count, 'pago', 'pagos')} hasta hoy
        </Figure>
        {creditedThisMonth.count > 0 && (
          <Figure
            label="Notas de crédito"
            cents={creditedThisMonth.sumCents}
            href={withQuery(pages.payments, { ...thisMonth, kind: 'credito', ...byDate })}
          >
            {pluralize(creditedThisMonth.count, 'aplicada', 'aplicadas')} en {month}
          </Figure>
        )}
        {unapplied.count > 0 && (
          <Figure label="Saldos a favor" cents={unapplied.sumCents} href={`${pages.balances}#saldos-a-favor`}>
            {pluralize(unapplied.count, 'nota de crédito', 'notas de crédito')} sin aplicar
          </Figure>
        )}
        {awaited.count > 0 && (
          <Figure
            label="Caja chica por comprobar"
            cents={awaited.sumCents}
            isLate={awaited.isLate}
            href={pages.pettyCashAwaited}
          >
            {pluralize(awaited.count, 'gasto', 'gastos')} sin comprobante
          </Figure>
        )}
      </ul>
    </section>
  );
}

function CapturedAndPaidSinceYesterday({
  news: { invoices, payments },
  today,
}: Pick<DashboardWithToday, 'news' | 'today'>) {
  const since = addDays(today, -1);
  const paid = { paymentdateDesde: since, paymentdateHasta: today, kind: 'pago' };
  return (
    <p className="soft">
      Desde ayer:{' '}
      {invoices.count > 0 && (
        <>
          {pluralize(invoices.count, 'factura', 'facturas')} por{' '}
          <Money cents={invoices.sumCents} href={withQuery(pages.invoices, { capturaDesde: since })} />
        </>
      )}
      {invoices.count > 0 && payments.count > 0 && ' y '}
      {payments.count > 0 && (
        <>
          {pluralize(payments.count, 'pago', 'pagos')} por{' '}
          <Money cents={payments.sumCents} href={withQuery(pages.payments, paid)} />
        </>
      )}
    </p>
  );
}

const OverdueAging = ({ today, aging }: Pick<DashboardWithToday, 'today' | 'aging'>) => (
  <section aria-labelledby="late">
    <h2 id="late">Vencido, por antigüedad</h2>
    <AgingStrip
      aging={aging}
      isLateOnly
      label="Vencido por antigüedad"
      addressOf={(band) => openInvoicesHref({ ...dueDatesOfBand(band, today) })}
    />
  </section>
);

function WeeksChart({ weeks, later, undated }: Pick<Dashboard, 'weeks' | 'later' | 'undated'>) {
  const bars = weeks.map(({ column: { key, days, from, to }, sumCents: cents }) => ({
    label: key,
    note: days,
    amounts: [{ cents, href: cents > 0 ? openInvoicesHref({ from, to }) : undefined }],
  }));
  const after = weeks.at(-1)!.column.to!;
  return (
    <section aria-labelledby="weeks">
      <h2 id="weeks">Próximas cuatro semanas</h2>
      <BarChart
        caption="Por pagar en las próximas cuatro semanas, por día de vencimiento"
        heading="Semana"
        series={['Por pagar']}
        bars={bars}
      />
      <p className="note">
        {later.count > 0 && (
          <>
            Después del {formatShortDayMonth(after)} vencen{' '}
            <Money cents={later.sumCents} href={openInvoicesHref({ from: addDays(after, 1) })} />.{' '}
          </>
        )}
        {undated.count > 0 &&
          `${ESTIMATED_MARK} Las que no tienen fecha cuentan en la semana que se les estima.`}
      </p>
    </section>
  );
}

function BilledAndPaidChart({ months }: Pick<Dashboard, 'months'>) {
  if (months.every(({ billedCents, paidCents }) => billedCents === 0 && paidCents === 0)) return null;
  const linkedAmount = (cents: number, list: string, query: Record<string, string>) => ({
    cents,
    href: cents > 0 ? withQuery(list, query) : undefined,
  });
  return (
    <section aria-labelledby="flows">
      <h2 id="flows">Últimos 12 meses, con IVA</h2>
      <BarChart
        caption="Facturado por mes de emisión y pagado por mes de pago, con IVA"
        heading="Mes"
        series={['Facturado', 'Pagado']}
        bars={months.map(({ from, to, billedCents, paidCents }) => ({
          label: shortMonthName(from),
          note: from.slice(0, 4),
          amounts: [
            linkedAmount(billedCents, pages.invoices, { fechaemisionDesde: from, fechaemisionHasta: to }),
            linkedAmount(paidCents, pages.payments, {
              paymentdateDesde: from,
              paymentdateHasta: to,
              kind: 'pago',
            }),
          ],
        }))}
      />
    </section>
  );
}

const invoicesHref = (filter: Record<string, string | null>): string =>
  withQuery(pages.invoices, { ...filter, sortfield: 'fechavencimiento' });

const NoOpenInvoices = () => (
  <EmptyState title="Nada por pagar">
    Aquí se ve cuánto vence en cada una de las semanas que vienen. No hay facturas con saldo.
  </EmptyState>
);
