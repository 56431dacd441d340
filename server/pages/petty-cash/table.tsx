import { addDays, type PlainDate, sayDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { type FundRow, kindName, type PettyCashEntry, periodUntil } from '../../../shared/petty-cash.ts';
import { pettyCashTexts } from '../../../shared/petty-cash-texts.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { beforeLabel } from '../../services/exports/petty-cash.ts';
import type { Statement } from '../../services/petty-cash/statement.ts';
import { Choices } from '../ui/choices.tsx';
import { dateColumn } from '../ui/columns.tsx';
import { Balance } from './list.tsx';
import { ExpenseChip } from './movement-table.tsx';

interface StatementView {
  fund: FundRow;
  period: Period;
  today: PlainDate;
  /** entries on the pages before */
  before: number;
  statement: Statement;
}

/** The newest entry comes first, each with the balance after it; the last row is the balance before them all. */
export function StatementTable(view: StatementView) {
  const { fund, period, before, statement } = view;
  const { entries, cursor, count, startCents, ingresosCents, gastosCents, endCents } = statement;
  const shown = before + entries.length;
  const address = pages.pettyCashFund(fund.id);
  const asked = { desde: period.from, hasta: period.to };
  return (
    <>
      <Figures fund={fund} />
      <Periods {...view} />
      <div className={endCents < 0 ? 'overdrawn' : undefined}>
        <Totals
          label="Totales del periodo"
          items={[
            { label: startLabel(view), cents: startCents },
            { label: 'Ingresos', cents: ingresosCents, op: '+' },
            { label: 'Salidas', cents: gastosCents, op: '−' },
            { label: 'Saldo final', cents: endCents, op: '=' },
          ]}
        />
        {endCents < 0 && <p className="note">{pettyCashTexts.negative}</p>}
      </div>
      {count === 0 ? (
        <NoEntries {...view} />
      ) : (
        <>
          <DataTable
            caption={`Movimientos de ${fund.nombre}`}
            columns={entryColumns(withQuery(address, asked), view.today)}
            rows={[...[...entries].reverse(), ...(cursor === undefined ? [beforeRow(view)] : [])]}
            rowKey={(entry) => `${entry.kind} ${entry.id}`}
            rowHref={addressOf}
            footer={{
              concept: 'Saldo final',
              ingreso: <Money cents={ingresosCents} />,
              gasto: <Money cents={gastosCents} />,
              balance: <Balance cents={endCents} />,
            }}
          />
          <Pager
            shown={shown}
            total={count}
            noun={count === 1 ? 'movimiento' : 'movimientos'}
            href={cursor && withQuery(address, { ...asked, cursor, shown })}
          />
        </>
      )}
    </>
  );
}

function Figures({ fund }: { fund: FundRow }) {
  const { saldoCents, porComprobarCents, vencidoCents, porReponerCents, porAutorizarCents } = fund;
  const replenish = pages.pettyCashReplenishments(fund.id);
  return (
    <>
      <p className="note">
        Responsable: {fund.responsable}. Abierta el {sayDate(fund.openedOn)}.
        {fund.closedOn !== null && ` Cerrada el ${sayDate(fund.closedOn)}.`}
        {fund.montofijoCents !== null && ` Monto fijo ${formatMoney(fund.montofijoCents)}.`}
        {fund.origenderecursonombre && ` Se llena desde ${fund.origenderecursonombre}.`}
        {fund.pagosOrigen && ` Los pagos a proveedores con ${fund.pagosOrigen} salen de ella.`}{' '}
        <a href={pages.pettyCash}>Todas las cajas chicas</a>
      </p>
      <Totals
        label="La caja hoy"
        items={[
          { label: 'Saldo', cents: saldoCents },
          { label: 'Por comprobar', cents: porComprobarCents, href: `${replenish}#por-comprobar` },
          { label: 'Por reponer', cents: porReponerCents, href: replenish },
        ]}
      />
      {porAutorizarCents > 0 && (
        <p className="note">
          {pettyCashTexts.waiting(porAutorizarCents)}{' '}
          <a href={`${replenish}#reposiciones`}>Ver qué se pidió</a>
        </p>
      )}
      {vencidoCents > 0 && (
        <p className="wrong">
          {formatMoney(vencidoCents)} debían estar comprobados.{' '}
          <a href={`${replenish}#por-comprobar`}>Ver de qué</a>
        </p>
      )}
    </>
  );
}

/** A row is an entry, or the balance that the table begins with. */
type Line = Omit<PettyCashEntry, 'kind' | 'date'> & {
  kind: PettyCashEntry['kind'] | 'saldo';
  date: PlainDate | null;
};

const startLabel = ({ fund, period }: StatementView) => beforeLabel(fund, period);

function beforeRow(view: StatementView): Line {
  const { beforeCents } = view.statement;
  return {
    kind: 'saldo',
    id: 0,
    date: null,
    concept: startLabel(view),
    beneficiario: '',
    folio: '',
    state: null,
    comprobarAntes: null,
    jobtitle: null,
    nombrerubro: null,
    effectCents: 0,
    balanceCents: beforeCents,
  };
}

function addressOf({ kind, id }: Line): string | undefined {
  if (kind === 'saldo') return undefined;
  return kind === 'pago' ? pages.editPayment(id) : pages.pettyCashMovement(id);
}

const entryColumns = (list: string, today: PlainDate): Column<Line>[] => [
  dateColumn('date', 'Fecha', { card: 'corner' }),
  {
    key: 'concept',
    label: 'Concepto',
    link: true,
    clip: true,
    card: 'title',
    text: ({ concept }) => concept,
    under: ({ beneficiario }) => beneficiario,
    render: (line) => (
      <>
        {line.concept}
        {line.kind !== 'gasto' && line.kind !== 'pago' && line.kind !== 'saldo' && (
          <>
            {' '}
            <Chip tone="accent">{kindName(line.kind)}</Chip>
          </>
        )}
      </>
    ),
  },
  { key: 'folio', label: 'Comprobante', clip: LONGEST_NUMBER },
  { key: 'jobtitle', label: 'Obra y rubro', clip: true, under: ({ nombrerubro }) => nombrerubro },
  {
    key: 'ingreso',
    label: 'Ingreso',
    align: 'end',
    render: (line) => line.effectCents > 0 && <Money cents={line.effectCents} />,
  },
  {
    key: 'gasto',
    label: 'Salida',
    align: 'end',
    render: (line) => line.effectCents < 0 && <Money cents={-line.effectCents} />,
  },
  {
    key: 'state',
    label: 'Estado',
    render: (line) =>
      line.state && <ExpenseChip state={line.state} dueOn={line.comprobarAntes} today={today} />,
  },
  { key: 'balance', label: 'Saldo', align: 'end', render: (line) => <Balance cents={line.balanceCents} /> },
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
  const offered = periods.filter(({ from, to }) => from <= to);
  return (
    <Choices
      label="Periodos"
      choices={offered.map(({ label, from, to }) => ({
        label,
        href: withQuery(pages.pettyCashFund(fund.id), { desde: from, hasta: to }),
        isCurrent: from === period.from && to === period.to,
      }))}
    />
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
            Nuevo gasto
          </LinkButton>
        ) : (
          <LinkButton href={withQuery(pages.pettyCashFund(fund.id), { desde: fund.openedOn, hasta: today })}>
            Ver desde la apertura
          </LinkButton>
        )
      }
    >
      {isWhole
        ? 'Registra lo que se gasta; lo que se repone, se devuelve o se ajusta aparece aquí también.'
        : `La caja se abrió el ${sayDate(fund.openedOn)}.`}
    </EmptyState>
  );
}
