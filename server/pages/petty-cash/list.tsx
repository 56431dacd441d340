import type { PropsWithChildren, ReactNode } from 'react';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { FundRow, FundState } from '../../../shared/petty-cash.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { fundList } from '../../lists/petty-cash.ts';
import { ViewTabs } from '../ui/choice-links.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { FirstLinks } from '../ui/first-links.tsx';
import { addSortLinks } from '../ui/list-layout.tsx';
import { NewExpenseLinks } from './expense-uploads.tsx';
import { expensesToReplenishHref } from './movement-table.tsx';

interface FundListProps {
  funds: FundRow[];
  state: FundState;
  query: Parameters<typeof addSortLinks>[3];
  today: PlainDate;
  openFundAction: ReactNode;
}

export function FundList({ funds, state, query, today, openFundAction }: FundListProps) {
  if (funds.length === 0 && state === 'cerradas')
    return <EmptyState title="No hay cajas cerradas">Aquí quedan las cajas que ya no se usan.</EmptyState>;
  if (funds.length === 0) {
    return (
      <EmptyState title="Todavía no hay cajas chicas" action={openFundAction}>
        Aquí se lleva el efectivo para gastos menores: quién lo tiene, con cuánto se abrió cada caja, qué se
        gastó, qué falta por comprobar y por reponer, y cuánto debe haber hoy.
      </EmptyState>
    );
  }
  const isWrong = funds.some(({ saldoCents }) => saldoCents < 0);
  const sum = (of: (fund: FundRow) => Cents) => funds.reduce((total, fund) => total + of(fund), 0);
  const late = funds.filter(({ vencidoCents }) => vencidoCents > 0);
  return (
    <>
      {state === 'abiertas' && (
        <Totals
          label="Totales"
          items={[
            { label: `En caja el ${formatDate(today)}`, cents: sum(({ saldoCents }) => saldoCents) },
            {
              label: 'Por comprobar',
              cents: sum(({ porComprobarCents }) => porComprobarCents),
              href: pages.pettyCashAwaited,
            },
            {
              label: 'Por reponer',
              cents: sum(({ porReponerCents }) => porReponerCents),
              href: expensesToReplenishHref(),
            },
          ]}
        />
      )}
      {isWrong && <p className="wrong">{pettyCashTexts.negative}</p>}
      <OverdueVouchersNote
        cents={sum(({ vencidoCents }) => vencidoCents)}
        href={withQuery(pages.pettyCashAwaited, { vencidos: 1 })}
      >
        :{' '}
        <FirstLinks
          items={late.map(({ id, nombre, responsable }) => ({
            text: `${nombre} (${responsable})`,
            href: withQuery(pages.pettyCashAwaited, { fundId: id, vencidos: 1 }),
          }))}
        />
      </OverdueVouchersNote>
      <DataTable
        caption="Cajas chicas"
        heading
        className="crowded"
        columns={addSortLinks(fundColumnsFor(state), fundList, funds.length, query)}
        rows={funds}
        rowKey={(fund) => fund.id}
        rowHref={(fund) => pages.pettyCashFund(fund.id)}
      />
    </>
  );
}

export const FundStateTabs = ({ state }: { state: FundState }) => (
  <ViewTabs
    label="Cuáles"
    views={[
      { text: 'Abiertas', href: pages.pettyCash, isCurrent: state === 'abiertas' },
      {
        text: 'Cerradas',
        href: withQuery(pages.pettyCash, { estado: 'cerradas' }),
        isCurrent: state === 'cerradas',
      },
    ]}
  />
);

export const OverdueVouchersNote = ({
  cents,
  href,
  children,
}: PropsWithChildren<{ cents: Cents; href: string }>) =>
  cents > 0 && (
    <p className="wrong">
      Hay <Money cents={cents} href={href} /> sin comprobar a tiempo{children}. Pide los comprobantes.
    </p>
  );

/** A negative balance is red: it shows that a movement is missing or wrong. */
export function FundBalance({ cents }: { cents: Cents }) {
  return cents < 0 ? (
    <span className="wrong">
      <Money cents={cents} />
    </span>
  ) : (
    <Money cents={cents} />
  );
}

/** Columns shown only for closed funds. Most others are left out there, because a closed fund has no balance. */
const CLOSED_FUND_COLUMN_KEYS = ['openedOn', 'closedOn', 'gastado', 'devuelto'];
const fundColumnsFor = (state: FundState) =>
  FUND_COLUMNS.filter(({ key }) =>
    state === 'cerradas'
      ? ['nombre', 'responsable', ...CLOSED_FUND_COLUMN_KEYS].includes(key)
      : !CLOSED_FUND_COLUMN_KEYS.includes(key),
  );

const FUND_COLUMNS: Column<FundRow>[] = [
  {
    key: 'nombre',
    label: 'Caja',
    isRowLink: true,
    card: 'title',
    className: 'wraps',
    textBelow: ({ nombre, jobtitle }) => (jobtitle && nombre.includes(jobtitle) ? null : jobtitle),
  },
  { key: 'responsable', label: 'Responsable', card: 'line', className: 'wraps' },
  dateColumn('lastOn', 'Último movimiento', { card: 'none' }),
  dateColumn('openedOn', 'Apertura', { card: 'half' }),
  dateColumn('closedOn', 'Cierre', { card: 'half' }),
  moneyColumn('gastado', 'Gastado', ({ gastadoCents }) => gastadoCents, { card: 'half' }),
  moneyColumn('devuelto', 'Devuelto', ({ devueltoCents }) => devueltoCents, { card: 'half' }),
  moneyColumn('porComprobar', 'Por comprobar', ({ porComprobarCents }) => porComprobarCents, {
    dash: true,
    card: 'half',
    href: ({ id }) => withQuery(pages.pettyCashAwaited, { fundId: id }),
  }),
  moneyColumn('porReponer', 'Por reponer', ({ porReponerCents }) => porReponerCents, {
    dash: true,
    card: 'half',
    href: ({ id }) => expensesToReplenishHref(id),
    // Signing the request replenishes only this amount.
    textBelow: ({ solicitadoCents }) =>
      solicitadoCents > 0 ? `${formatMoney(solicitadoCents)} ya solicitado` : '',
  }),
  {
    key: 'saldo',
    label: 'Saldo',
    align: 'end',
    card: 'corner',
    render: (fund) => <FundBalance cents={fund.saldoCents} />,
  },
  {
    key: 'actions',
    label: 'Acciones',
    card: 'actions',
    className: 'btn-text',
    render: (fund) => <NewExpenseLinks fund={fund} look="quiet" />,
  },
];
