import { Hono } from 'hono';
import type { ReactNode } from 'react';
import { type CountAndSum, EARLIER } from '../../shared/balances.ts';
import { formatDate, type PlainDate } from '../../shared/dates.ts';
import { type Cents, formatMoney } from '../../shared/money.ts';
import { BarChart } from '../../shared/ui/BarChart.tsx';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Money } from '../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import { renderPage } from '../render.tsx';
import { type Dashboard, type DueWeek, readDashboard } from '../services/dashboard.ts';
import type { AppEnv } from '../session.ts';

export const dashboardPages = new Hono<AppEnv>({ strict: false }).get(pages.dashboard, async (c) => {
  const { db, config } = c.get('deps');
  const today = c.get('today');
  const dashboard = await readDashboard(db, { today, timeZone: config.timeZone });
  const report = <LinkButton href={pages.balances}>Saldos por proveedor</LinkButton>;
  return renderPage(c, { title: 'Dashboard', actions: report }, <Figures {...dashboard} today={today} />);
});

function Figures({ today, ...dashboard }: Dashboard & { today: PlainDate }) {
  const { open, overdue, overdueEstimated, weeks, paidThisMonth } = dashboard;
  // ANTERIORES comes first; then this week and the four after it
  const [, thisWeek, ...later] = weeks.slice(0, 6);
  const month = MONTHS[Number(today.slice(5, 7)) - 1];
  return (
    <div className="stack">
      <section aria-labelledby="today">
        <h2 id="today">Al {formatDate(today)}</h2>
        <ul className="figures">
          <Figure label="Por pagar" cents={open.sumCents} href={pages.balances}>
            {counted(open, 'factura con saldo', 'facturas con saldo')}
          </Figure>
          <Figure
            label="Vencido"
            cents={overdue.sumCents}
            isLate={overdue.sumCents > 0}
            href={withQuery(pages.invoices, {
              status: 'vencida',
              corte: today,
              sortfield: 'fechavencimiento',
            })}
          >
            {counted(overdue, 'factura', 'facturas')}
            {overdueEstimated.count > 0 &&
              `; además ${formatMoney(overdueEstimated.sumCents)} con vencimiento estimado`}
          </Figure>
          <Figure
            label={`Pagado en ${month}`}
            cents={paidThisMonth.sumCents}
            href={withQuery(pages.payments, { sortfield: 'paymentdate', sorttype: 'DESC' })}
          >
            {counted(paidThisMonth, 'pago', 'pagos')} hasta hoy
          </Figure>
        </ul>
      </section>
      <section aria-labelledby="soon">
        <h2 id="soon">Vence esta semana y en las cuatro que siguen</h2>
        <ul className="figures">
          {thisWeek && <WeekFigure {...thisWeek} isCurrent />}
          {later.map((week) => (
            <WeekFigure key={week.column.key} {...week} />
          ))}
        </ul>
      </section>
      <section aria-labelledby="by-week">
        <h2 id="by-week">Por pagar, por semana de vencimiento</h2>
        {open.count === 0 ? <NothingOpen /> : <WeekChart weeks={weeks} today={today} />}
      </section>
    </div>
  );
}

interface FigureProps {
  label: string;
  cents: Cents;
  href: string;
  isLate?: boolean;
  children: ReactNode;
}

function Figure({ label, cents, href, isLate, children }: FigureProps) {
  return (
    <li>
      <a href={href}>
        <span className="label">{label}</span>
        <strong className={isLate ? 'late' : undefined}>
          <Money cents={cents} />
        </strong>
        <span className="note">{children}</span>
      </a>
    </li>
  );
}

function WeekFigure({ column, isCurrent, ...week }: DueWeek & { isCurrent?: boolean }) {
  return (
    <Figure
      label={isCurrent ? `Esta semana, ${column.key}` : column.key}
      cents={week.sumCents}
      href={pages.balances}
    >
      {column.days} · {counted(week, 'factura', 'facturas')}
    </Figure>
  );
}

function WeekChart({ weeks, today }: { weeks: readonly DueWeek[]; today: PlainDate }) {
  return (
    <>
      <p className="note">
        Las columnas de <a href={pages.balances}>Saldos por proveedor</a>, incluidos los vencimientos
        estimados.
      </p>
      <BarChart
        caption={`Por pagar al ${today}, por semana de vencimiento`}
        headings={['Semana', 'Por pagar']}
        bars={weeks.map(({ column: { key, days }, sumCents }) => ({
          label: key,
          short: key === EARLIER ? 'Antes' : key.replace(/^SEM (\d+\+?).*$/, '$1'),
          note: days,
          cents: sumCents,
          tone: key === EARLIER ? 'late' : undefined,
        }))}
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
