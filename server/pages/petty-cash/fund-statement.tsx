import type { ReactNode } from 'react';
import { addDays, formatLongDate, type PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { monthPeriodOf, type Period } from '../../../shared/periods.ts';
import {
  DIRECTION_LABELS,
  defaultFundPeriod,
  type FundRow,
  type FundStatementEntry,
  type MovementDirection,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Pager, PrintedRowsNote } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { openingLabel } from '../../services/exports/petty-cash.ts';
import type { FundStatement } from '../../services/petty-cash/fund-statement.ts';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { FundBalance, OverdueVouchersNote } from './list.tsx';
import {
  descriptionColumns,
  ExpenseChip,
  expensesToReplenishHref,
  inflowOutflowColumns,
} from './movement-table.tsx';

interface FundStatementView {
  fund: FundRow;
  period: Period;
  sentido?: MovementDirection;
  today: PlainDate;
  /** number of entries on earlier pages */
  before: number;
  printedBefore: number;
  statement: FundStatement;
}

const MOVEMENT_NOUN = ['movimiento', 'movimientos'] as const;

export function FundStatementTable(props: FundStatementView) {
  const { fund, period, sentido, before, printedBefore, statement, today } = props;
  const { entries, cursor, count, ingresosCents, gastosCents, endCents } = statement;
  const shown = before + entries.length;
  const statementHref = (direction?: MovementDirection, place = {}) => {
    const query = { desde: period.from, hasta: period.to, sentido: direction, ...place };
    return withQuery(pages.pettyCashFund(fund.id), query);
  };
  const first: EntryOrOpeningRow = {
    concepto: openingLabel(fund, period),
    balanceCents: statement.beforeCents,
  };
  const isComplete = cursor === undefined && sentido === undefined;
  const sum = (direction: MovementDirection, cents: number) =>
    (sentido ?? direction) === direction && (
      <Money cents={cents} href={sentido ? undefined : statementHref(direction)} />
    );
  return (
    <>
      {sentido && (
        <p className="note">
          Solo {DIRECTION_LABELS[sentido].toLowerCase()}.{' '}
          <a href={statementHref()}>Ver todos los movimientos</a>
        </p>
      )}
      <p className="print-only">
        Del {formatLongDate(period.from)} al {formatLongDate(period.to)}. Responsable: {fund.responsable}.
      </p>
      {endCents < 0 && <p className="wrong">{pettyCashTexts.negative}</p>}
      <PrintedRowsNote
        printedCount={printedBefore + entries.length}
        total={count}
        noun={MOVEMENT_NOUN}
        isExportable
      />
      {count === 0 ? (
        <NoEntries {...props} />
      ) : (
        <>
          <DataTable
            className="cash"
            caption={`Movimientos de ${fund.nombre}`}
            heading
            columns={entryColumns(today)}
            rows={[...entries.toReversed(), ...(isComplete ? [first] : [])]}
            rowKey={(entry) => `${entry.tipo} ${entry.id}`}
            rowHref={entryHref}
            footer={{
              concepto: sentido ? DIRECTION_LABELS[sentido] : 'Total del periodo',
              ingreso: sum('ingresos', ingresosCents),
              gasto: sum('salidas', gastosCents),
            }}
          />
          <Totals
            label="Saldos del periodo"
            items={[
              { label: 'Saldo inicial', cents: endCents - ingresosCents + gastosCents },
              { label: 'Ingresos', cents: ingresosCents, op: '+', href: statementHref('ingresos') },
              { label: 'Salidas', cents: gastosCents, op: '−', href: statementHref('salidas') },
              { label: 'Saldo final', cents: endCents, op: '=' },
            ]}
          />
          <Pager
            shown={shown}
            total={count}
            noun={MOVEMENT_NOUN}
            href={cursor && statementHref(sentido, { cursor, shown })}
          />
        </>
      )}
    </>
  );
}

export function FundFigures({ fund, today }: Pick<FundStatementView, 'fund' | 'today'>) {
  const { id, porAutorizarCents } = fund;
  return (
    <>
      <Totals
        label="La caja hoy"
        items={[
          {
            label: 'Saldo',
            cents: fund.saldoCents,
            href: withQuery(pages.pettyCashFund(id), { desde: fund.openedOn, hasta: today }),
          },
          {
            label: 'Por comprobar',
            cents: fund.porComprobarCents,
            href: withQuery(pages.pettyCashAwaited, { fundId: id }),
          },
          { label: 'Por reponer', cents: fund.porReponerCents, href: expensesToReplenishHref(id) },
          ...(porAutorizarCents > 0
            ? [
                {
                  label: 'Por autorizar',
                  cents: porAutorizarCents,
                  href: `${pages.pettyCashReplenishments(id)}#reposiciones`,
                },
              ]
            : []),
        ]}
      />
      <OverdueVouchersNote
        cents={fund.vencidoCents}
        href={withQuery(pages.pettyCashAwaited, { fundId: id, vencidos: 1 })}
      />
      {fund.closedOn !== null && <p className="note">Cerrada el {formatLongDate(fund.closedOn)}.</p>}
    </>
  );
}

export const FundFacts = ({ fund, mayEdit }: { fund: FundRow; mayEdit: boolean }) => (
  <Disclosure summary={`Responsable: ${fund.responsable}`}>
    <Facts
      facts={{
        Abierta: formatLongDate(fund.openedOn),
        Obra: fund.jobtitle,
        'Monto fijo': fund.montofijoCents !== null && formatMoney(fund.montofijoCents),
        'Se llena desde': fund.origenderecursonombre,
        'Pagos a proveedores que salen de ella': fund.pagosOrigen && `Los hechos con ${fund.pagosOrigen}`,
        Observaciones: fund.comments,
      }}
    />
    <p className="actions">
      {mayEdit && (
        <>
          <LinkButton href={pages.editPettyCashFund(fund.id)} icon="edit">
            Editar caja
          </LinkButton>
          <LinkButton href={pages.handOverPettyCashFund(fund.id)}>Entregar caja</LinkButton>
          <LinkButton href={pages.closePettyCashFund(fund.id)}>Cerrar caja</LinkButton>
        </>
      )}
      {fund.closedOn !== null && (
        <LinkButton href={pages.pettyCashCounts(fund.id)}>Arqueos anteriores</LinkButton>
      )}
      <LinkButton href={pages.pettyCash}>Todas las cajas</LinkButton>
    </p>
  </Disclosure>
);

/** An entry, or the opening balance, which has neither a day nor a link. */
type EntryOrOpeningRow = Partial<FundStatementEntry> & Pick<FundStatementEntry, 'concepto' | 'balanceCents'>;

function entryHref({ tipo, id = 0 }: EntryOrOpeningRow): string | undefined {
  if (!tipo) return undefined;
  return tipo === 'pago' ? pages.editPayment(id) : pages.pettyCashMovement(id);
}

const entryColumns = (today: PlainDate): Column<EntryOrOpeningRow>[] => [
  ...descriptionColumns<EntryOrOpeningRow>(),
  ...inflowOutflowColumns<EntryOrOpeningRow>(({ effectCents = 0 }) => effectCents, entryHref),
  {
    key: 'state',
    label: 'Estado',
    card: 'end',
    // Most expenses are replenished, so only what is still open is marked.
    render: (line) =>
      line.state &&
      line.state !== 'repuesto' && (
        <ExpenseChip state={line.state} dueOn={line.comprobarAntes ?? null} today={today} />
      ),
  },
  {
    key: 'balance',
    label: 'Saldo',
    at: 'due',
    align: 'end',
    card: 'half',
    render: (line) => <FundBalance cents={line.balanceCents} />,
  },
];

type PeriodLinksProps = Pick<FundStatementView, 'fund' | 'today' | 'sentido'> & {
  children: ReactNode;
  /** as requested, even where it ends before it begins */
  period: Period;
};

export function PeriodLinks({ fund, period, today, sentido, children }: PeriodLinksProps) {
  const { from: first } = monthPeriodOf(today);
  const periods: (Period & { label: string })[] = [
    { label: 'Este mes', from: first, to: today },
    { label: 'Mes pasado', ...monthPeriodOf(addDays(first, -1)) },
    { label: 'Tres meses', ...defaultFundPeriod(today) },
    { label: 'Todo', from: fund.openedOn, to: today },
  ];
  const offered = periods
    .filter(({ from, to }) => from <= to)
    .map(({ label, from, to }) => ({
      label,
      href: withQuery(pages.pettyCashFund(fund.id), { desde: from, hasta: to, sentido }),
      isCurrent: from === period.from && to === period.to,
    }));
  return (
    <div className="cash-periods">
      <ChoiceLinks label="Periodos" choices={offered} />
      <Disclosure summary="Otras fechas" isOpen={!offered.some(({ isCurrent }) => isCurrent)}>
        <form className="filters" action={pages.pettyCashFund(fund.id)} aria-label="Filtros">
          <Field kind="date" name="desde" label="Desde" value={period.from} />
          <Field kind="date" name="hasta" label="Hasta" value={period.to} />
          <Button>Ver</Button>
        </form>
      </Disclosure>
      {children}
    </div>
  );
}

function NoEntries({ fund, today, period, statement }: FundStatementView) {
  const isComplete = period.from <= fund.openedOn && period.to >= today;
  if (isComplete)
    return (
      <EmptyState
        title="Todavía no hay movimientos"
        action={
          <LinkButton href={pages.newPettyCashMovement(fund.id)} look="primary" icon="plus">
            Nuevo gasto
          </LinkButton>
        }
      >
        Registra lo que se gasta; lo que se repone, se devuelve o se ajusta aparece aquí también.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Sin movimientos en este periodo"
      action={
        <LinkButton href={withQuery(pages.pettyCashFund(fund.id), { desde: fund.openedOn, hasta: today })}>
          Ver desde la apertura
        </LinkButton>
      }
    >
      La caja tenía {formatMoney(statement.endCents)}. Se abrió el {formatLongDate(fund.openedOn)}.
    </EmptyState>
  );
}
