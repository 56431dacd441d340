import { Hono } from 'hono';
import type { ReactNode } from 'react';
import { type BalanceColumn, type CountAndSum, EARLIER } from '../../../shared/balances.ts';
import { addDays, formatDate, formatDayMonth, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import { ESTIMATED_MARK } from '../../../shared/invoices-due.ts';
import { say } from '../../../shared/language.ts';
import type { Cents } from '../../../shared/money.ts';
import { formatMoney } from '../../../shared/money.ts';
import { overdueSum, weekSum } from '../../../shared/overdue.ts';
import { type Bar, BarChart } from '../../../shared/ui/BarChart.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { EstimatedMark } from '../../../shared/ui/EstimatedMark.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { type Dashboard, type DueWeek, monthStart, readDashboard } from '../../services/dashboard.ts';
import { renderPage } from '../../shell/render.tsx';
import { DueSumText, dueAddress } from './due-lists.tsx';

export const dashboardPages = new Hono<AppEnv>({ strict: false }).get(pages.dashboard, async (c) => {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const dashboard = await readDashboard(db, { today, timeZone: config.timeZone });
  const report = <LinkButton href={pages.balances}>Saldos por proveedor</LinkButton>;
  return renderPage(
    c,
    { title: say('Dashboard'), actions: report },
    <Figures {...dashboard} today={today} />,
  );
});

type Shown = Dashboard & { today: PlainDate };

/** Every figure leads to the list that it is the sum of. */
function Figures(dashboard: Shown) {
  const { today, open, overdue, undated, weeks, thisWeek, paidThisMonth, creditedThisMonth } = dashboard;
  // ANTERIORES comes first; then this week and the four after it
  const [, , ...later] = weeks.slice(0, 6);
  const sunday = addDays(mondayOf(today), 6);
  const month = MONTHS[Number(today.slice(5, 7)) - 1];
  const thisMonth = { paymentdateDesde: monthStart(today), paymentdateHasta: today };
  const byDate = { sortfield: 'paymentdate', sorttype: 'DESC' };
  return (
    <div className="stack">
      <section aria-labelledby="today">
        <h2 id="today">Al {formatDate(today)}</h2>
        <ul className="figures">
          <Figure label="Por pagar" cents={open.sumCents} href={invoicesOf(today, { status: 'por-pagar' })}>
            {counted(open, 'factura con saldo', 'facturas con saldo')}
          </Figure>
          <Figure
            label="Vencido"
            cents={overdue.sumCents}
            isLate={overdue.sumCents > 0}
            href={invoicesOf(today, { status: 'vencida' })}
          >
            {counted(overdue, 'factura', 'facturas')}
          </Figure>
          {undated.count > 0 && (
            <Figure
              label="Sin vencimiento"
              cents={undated.sumCents}
              href={invoicesOf(today, { status: 'sin-vencimiento' })}
            >
              {counted(undated, 'factura', 'facturas')} sin fecha, ya en lo por pagar
            </Figure>
          )}
          <Figure
            label={`Pagado en ${month}`}
            cents={paidThisMonth.sumCents}
            href={withQuery(pages.payments, { ...thisMonth, kind: 'pago', ...byDate })}
          >
            {counted(paidThisMonth, 'pago', 'pagos')} hasta hoy
          </Figure>
          {creditedThisMonth.count > 0 && (
            <Figure
              label="Notas de crédito"
              cents={creditedThisMonth.sumCents}
              href={withQuery(pages.payments, { ...thisMonth, kind: 'credito', ...byDate })}
            >
              {counted(creditedThisMonth, 'aplicada', 'aplicadas')} en {month}
            </Figure>
          )}
        </ul>
        {open.count > 0 && <HowItAddsUp {...dashboard} />}
      </section>
      <section aria-labelledby="soon">
        <h2 id="soon">Vence esta semana y en las cuatro que siguen</h2>
        <ul className="figures">
          <Figure
            label="Esta semana"
            cents={thisWeek.sumCents}
            isEstimated={thisWeek.anyEstimated}
            href={dueAddress({ corte: today, from: today, to: sunday })}
          >
            {today === sunday ? 'hoy' : `hasta el ${formatDayMonth(sunday)}`} ·{' '}
            {counted(thisWeek, 'factura', 'facturas')}
          </Figure>
          {later.map((week) => (
            <WeekFigure key={week.column.key} {...week} today={today} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="by-week">
        <h2 id="by-week">Por pagar, por semana de vencimiento</h2>
        {open.count === 0 ? <NothingOpen /> : <WeekChart {...dashboard} />}
      </section>
    </div>
  );
}

/** As of today, as the report is: what is dated later counts in neither. */
const invoicesOf = (today: PlainDate, filter: Record<string, string | null>): string =>
  withQuery(pages.invoices, { ...filter, corte: today, sortfield: 'fechavencimiento' });

const weekAddress = (corte: PlainDate, { from, to }: BalanceColumn): string =>
  dueAddress({ corte, from, to });

/** Vencido, ANTERIORES and the running week stand on one page: it says how they are the same money. */
function HowItAddsUp({ today, overdue, weeks, thisWeek }: Shown) {
  const [earlier, week] = weeks;
  if (!earlier || !week?.column.from || !week.column.to) return null;
  const { key, from, to } = week.column;
  const sums = { overdue: overdue.sumCents, earlier: earlier.sumCents };
  const running = weekSum(today, { key, from, to }, { week: week.sumCents, left: thisWeek.sumCents });
  return (
    <p className="note">
      <DueSumText sum={overdueSum(today, from, sums)} of={{ corte: today }} />.{' '}
      <DueSumText sum={running} of={{ corte: today }} />.
    </p>
  );
}

interface FigureProps {
  label: string;
  cents: Cents;
  href: string;
  isLate?: boolean;
  isEstimated?: boolean;
  children: ReactNode;
}

function Figure({ label, cents, href, isLate, isEstimated, children }: FigureProps) {
  return (
    <li>
      <a href={href}>
        <span className="label">{label}</span>
        <strong className={isLate ? 'late' : undefined}>
          <Money cents={cents} />
          {isEstimated && <EstimatedMark />}
        </strong>
        <span className="note">{children}</span>
      </a>
    </li>
  );
}

function WeekFigure({ column, today, anyEstimated, ...week }: DueWeek & { today: PlainDate }) {
  return (
    <Figure
      label={column.key}
      cents={week.sumCents}
      isEstimated={anyEstimated}
      href={weekAddress(today, column)}
    >
      {column.days} · {counted(week, 'factura', 'facturas')}
    </Figure>
  );
}

function WeekChart({ weeks, undated, open, today }: Shown) {
  const bars = weeks.map(({ column, sumCents: cents }): Bar => {
    const { key, days } = column;
    const isEarlier = key === EARLIER;
    return {
      label: key,
      short: isEarlier ? 'Antes' : key.replace(/^SEM (\d+\+?).*$/, '$1'),
      note: days,
      cents,
      href: cents > 0 ? weekAddress(today, column) : undefined,
      tone: isEarlier ? 'late' : undefined,
    };
  });
  return (
    <>
      <p className="note">
        Las barras suman lo que está por pagar,{' '}
        <a href={dueAddress({ corte: today })}>{formatMoney(open.sumCents)}</a>; cada una lleva a sus
        facturas.
        {undated.count > 0 &&
          ` ${ESTIMATED_MARK} Las que no tienen fecha de vencimiento cuentan en la semana que se les estima.`}
      </p>
      <BarChart
        caption={`Por pagar al ${formatDate(today)}, por semana de vencimiento`}
        headings={['Semana', 'Por pagar']}
        bars={bars}
      />
    </>
  );
}

const NothingOpen = () => (
  <EmptyState title="Nada por pagar">
    Aquí se ve cuánto vence en cada una de las semanas que vienen. No hay facturas con saldo.
  </EmptyState>
);

const counted = ({ count }: CountAndSum, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];
