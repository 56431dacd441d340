import { addDays, formatDate, type PlainDate } from '../../../shared/dates.ts';
import type { Period } from '../../../shared/periods.ts';
import {
  fundTexts,
  type PettyCashEntry,
  type PettyCashFund,
  periodUntil,
} from '../../../shared/petty-cash.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { beforeLabel } from '../../services/exports/petty-cash-sheet.ts';
import type { Statement } from '../../services/petty-cash/reading.ts';
import { Balance } from './list.tsx';

interface StatementView {
  fund: PettyCashFund;
  period: Period;
  today: PlainDate;
  statement: Statement;
}

/** A fund's movements with the balance beside each, between the balance before and the one after. */
export function StatementTable(view: StatementView) {
  const { fund, period, statement } = view;
  const { entries, count, startCents, ingresosCents, gastosCents, endCents } = statement;
  const list = withQuery(pages.pettyCashFund(fund.id), { desde: period.from, hasta: period.to });
  return (
    <>
      <Periods {...view} />
      <p className="note">
        Responsable: {fund.responsable}. Abierta el {formatDate(fund.openedOn)}.{' '}
        <a href={pages.pettyCash}>Todas las cajas chicas</a>
      </p>
      <div className={endCents < 0 ? 'overdrawn' : undefined}>
        <Totals
          label="Totales del periodo"
          items={[
            { label: startLabel(view, false), cents: startCents },
            { label: 'Ingresos', cents: ingresosCents, op: '+' },
            { label: 'Gastos y pagos', cents: gastosCents, op: '−' },
            { label: 'Saldo final', cents: endCents, op: '=' },
          ]}
        />
        {endCents < 0 && <p className="note">{fundTexts.negative}</p>}
      </div>
      {count > entries.length && (
        <p className="note">
          El periodo tiene {count} movimientos y se muestran los últimos {entries.length}: el saldo anterior
          incluye los demás. Elige un periodo más corto para verlos todos.
        </p>
      )}
      {count === 0 ? (
        <NoEntries {...view} />
      ) : (
        <div className="table-wrap">
          <DataTable
            caption={`Movimientos de ${fund.origenderecursonombre}`}
            columns={entryColumns(list)}
            rows={[beforeRow(view), ...entries]}
            rowKey={(entry) => `${entry.kind} ${entry.id}`}
            rowHref={addressOf}
            footer={{
              concept: 'Saldo final',
              ingreso: <Money cents={ingresosCents} />,
              gasto: <Money cents={gastosCents} />,
              balance: <Balance cents={endCents} />,
            }}
          />
        </div>
      )}
    </>
  );
}

/** A line of the table: what moved, or the balance that it begins with. */
type Line = Omit<PettyCashEntry, 'kind' | 'date'> & {
  kind: PettyCashEntry['kind'] | 'saldo';
  date: PlainDate | null;
};

const startLabel = ({ fund, period }: StatementView, isCut: boolean) => beforeLabel(fund, period, isCut);

function beforeRow(view: StatementView): Line {
  const { beforeCents, count, entries } = view.statement;
  return {
    kind: 'saldo',
    id: 0,
    date: null,
    concept: startLabel(view, count > entries.length),
    comprobante: '',
    jobtitle: null,
    nombrerubro: null,
    amountCents: 0,
    balanceCents: beforeCents,
  };
}

function addressOf({ kind, id }: Line): string | undefined {
  if (kind === 'saldo') return undefined;
  return kind === 'pago' ? pages.editPayment(id) : pages.pettyCashMovement(id);
}

const entryColumns = (list: string): Column<Line>[] => [
  { key: 'date', label: 'Fecha', card: 'corner', render: (line) => <DateText date={line.date} /> },
  {
    key: 'concept',
    label: 'Concepto',
    link: true,
    clip: true,
    card: 'title',
    render: (line) => line.concept,
  },
  { key: 'comprobante', label: 'Comprobante', clip: LONGEST_NUMBER, render: (line) => line.comprobante },
  { key: 'jobtitle', label: 'Obra', clip: true, render: (line) => line.jobtitle ?? '' },
  { key: 'nombrerubro', label: 'Rubro', clip: 24, render: (line) => line.nombrerubro ?? '' },
  {
    key: 'ingreso',
    label: 'Ingreso',
    align: 'end',
    render: (line) => line.kind === 'ingreso' && <Money cents={line.amountCents} />,
  },
  {
    key: 'gasto',
    label: 'Gasto',
    align: 'end',
    render: (line) => (line.kind === 'gasto' || line.kind === 'pago') && <Money cents={line.amountCents} />,
  },
  {
    key: 'balance',
    label: 'Saldo',
    align: 'end',
    render: (line) => <Balance cents={line.balanceCents} />,
  },
  {
    key: 'actions',
    label: 'Acciones',
    card: 'actions',
    render: ({ kind, id, concept }) =>
      kind !== 'saldo' &&
      kind !== 'pago' && (
        <>
          <LinkButton href={pages.pettyCashMovement(id)} icon="edit" tip={`Editar ${concept}`} />
          <form method="post" action={pages.deletePettyCashMovement(id)} data-busy="">
            <input type="hidden" name="next" value={list} />
            <Button look="danger" icon="trash" tip={`Eliminar ${concept}`} />
          </form>
        </>
      ),
  },
];

function Periods({ fund, period, today }: StatementView) {
  const month = `${today.slice(0, 8)}01`;
  const monthBefore = addDays(month, -1);
  const periods: (Period & { label: string })[] = [
    { label: 'Este mes', from: month, to: today },
    { label: 'Mes pasado', from: `${monthBefore.slice(0, 8)}01`, to: monthBefore },
    { label: 'Últimos tres meses', ...periodUntil(today) },
    { label: 'Desde la apertura', from: fund.openedOn, to: today },
  ];
  return (
    <nav className="periods" aria-label="Periodos">
      {periods
        .filter(({ from, to }) => from <= to)
        .map(({ label, from, to }) => (
          <a
            key={label}
            href={withQuery(pages.pettyCashFund(fund.id), { desde: from, hasta: to })}
            aria-current={from === period.from && to === period.to ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
    </nav>
  );
}

function NoEntries({ fund, today, period }: StatementView) {
  const isWhole = period.from <= fund.openedOn && period.to >= today;
  return (
    <EmptyState
      title={isWhole ? 'Todavía no hay movimientos' : 'Sin movimientos en este periodo'}
      action={
        isWhole ? (
          <LinkButton href={pages.newPettyCashMovement(fund.id)} look="primary" icon="plus">
            Nuevo movimiento
          </LinkButton>
        ) : (
          <LinkButton href={withQuery(pages.pettyCashFund(fund.id), { desde: fund.openedOn, hasta: today })}>
            Ver desde la apertura
          </LinkButton>
        )
      }
    >
      {isWhole
        ? 'Registra lo que entra a la caja y lo que se gasta; los pagos a proveedores aparecen solos.'
        : `La caja se abrió el ${formatDate(fund.openedOn)}.`}
    </EmptyState>
  );
}
