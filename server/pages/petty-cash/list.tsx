import type { ReactNode } from 'react';
import { formatDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { fundTexts } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import type { FundRow } from '../../services/petty-cash/reading.ts';

/** Every fund with what is in it today. */
export function FundList({ funds, today, open }: { funds: FundRow[]; today: PlainDate; open: ReactNode }) {
  if (funds.length === 0) {
    return (
      <EmptyState title="Todavía no hay cajas chicas" action={open}>
        Aquí se lleva el efectivo para gastos menores: con cuánto se abrió cada caja, qué entró, qué salió y
        cuánto debe haber hoy. Los pagos a proveedores con el mismo origen de recurso se descuentan solos.
      </EmptyState>
    );
  }
  const isWrong = funds.some(({ balanceCents }) => balanceCents < 0);
  const total = funds.reduce((sum, { balanceCents }) => sum + balanceCents, 0);
  return (
    <>
      <Totals label="Totales" items={[{ label: `En caja el ${formatDate(today)}`, cents: total }]} />
      {isWrong && <p className="wrong">{fundTexts.negative}</p>}
      <div className="table-wrap">
        <DataTable
          caption="Cajas chicas"
          columns={FUND_COLUMNS}
          rows={funds}
          rowKey={(fund) => fund.id}
          rowHref={(fund) => pages.pettyCashFund(fund.id)}
        />
      </div>
    </>
  );
}

/** Below zero in red: a box can't hold less than nothing. */
export function Balance({ cents }: { cents: Cents }) {
  return cents < 0 ? (
    <span className="wrong">
      <Money cents={cents} />
    </span>
  ) : (
    <Money cents={cents} />
  );
}

const FUND_COLUMNS: Column<FundRow>[] = [
  {
    key: 'origenderecursonombre',
    label: 'Caja',
    link: true,
    clip: true,
    card: 'title',
    render: (fund) => fund.origenderecursonombre,
  },
  { key: 'responsable', label: 'Responsable', clip: true, render: (fund) => fund.responsable },
  { key: 'openedOn', label: 'Abierta', render: (fund) => <DateText date={fund.openedOn} /> },
  { key: 'lastOn', label: 'Último movimiento', render: (fund) => <DateText date={fund.lastOn} /> },
  {
    key: 'balance',
    label: 'Saldo',
    align: 'end',
    card: 'corner',
    render: (fund) => <Balance cents={fund.balanceCents} />,
  },
  {
    key: 'actions',
    label: 'Acciones',
    card: 'actions',
    render: (fund) => (
      <LinkButton
        href={pages.newPettyCashMovement(fund.id)}
        icon="plus"
        tip={`Nuevo movimiento en ${fund.origenderecursonombre}`}
      />
    ),
  },
];
