import { Fragment } from 'react';
import { z } from 'zod';
import {
  BANK_MOVEMENT_SORTS,
  type BankMovement,
  type BankStatement,
  isOpenOutcome,
  MOVEMENT_CLASS_LABELS,
  type MovementOutcome,
  OUTCOME_LABELS,
  bankStatementTexts as texts,
} from '../../../shared/bank-statements.ts';
import { formatCount, pluralize } from '../../../shared/counts.ts';
import { formatDate, formatLongDate, plainDateIn, shortMonthName } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { fold } from '../../../shared/text.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { type Column, DataTable, MAX_UNWRAPPED_LETTERS } from '../../../shared/ui/DataTable.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { getBankStatement, sumBankStatement } from '../../services/bank-statements/reading.ts';
import { flagField, parseQuery, sortOrderShape } from '../../shapes/fields.ts';
import { renderPage } from '../../shell/render.tsx';
import { ViewTabs } from '../ui/choice-links.tsx';
import { dateColumn, moneyColumn } from '../ui/columns.tsx';
import { addSortLinks, listHref, parseListQuery } from '../ui/list-layout.tsx';
import { LongTable, readFirstRowIndex } from '../ui/long-table.tsx';
import { listMatchedRecordLinks, openMovementsHref } from './resolution-links.tsx';

const MOVEMENTS_PER_PAGE = 100;

export async function renderStatement(c: AppContext, id: number): Promise<Response> {
  const { db } = c.get('deps');
  const from = readFirstRowIndex(c);
  const order = parseListQuery(c, sortOrderShape(BANK_MOVEMENT_SORTS));
  const { abierto } = parseQuery(onlyOpenShape, { abierto: c.req.queries('abierto') ?? [''] });
  const isOpen = abierto ?? false;
  const part = {
    from,
    maxMovements: MOVEMENTS_PER_PAGE,
    sort: order.sortfield,
    direction: order.sorttype,
    isOpen,
  };
  const { movements, ...statement } = await getBankStatement(db, id, part);
  const list = { page: pages.bankStatement(id), sorts: BANK_MOVEMENT_SORTS };
  const shown = from + movements.length;
  const sums = await sumBankStatement(db, id);
  const open = sums.openIn + sums.openOut;
  const next = sums.firstOpenId ?? undefined;
  const { origenderecursonombre, saldofecha } = statement;
  const day = saldofecha ?? movements[0]?.fecha;
  return renderPage(
    c,
    {
      title: 'Estado de cuenta del banco',
      subject: day
        ? `${origenderecursonombre}, ${shortMonthName(day)} ${day.slice(0, 4)}`
        : origenderecursonombre,
      actions: next !== undefined && (
        <LinkButton href={pages.bankMovement(next)} look="primary">
          Resolver los abiertos
        </LinkButton>
      ),
    },
    <div className="stack">
      <p>
        {origenderecursonombre}
        <span className="on-wide">
          {`: ${statement.filename}. Lo cargó ${statement.username} el ${formatLongDate(importDayOf(c, statement))}`}
        </span>
        . {open > 0 && `${describeOpenMovements(sums)}.`}
      </p>
      <BankStatementTotals statement={statement} sums={sums} />
      <ViewTabs
        label="Cuáles"
        views={[
          { href: list.page, isCurrent: !isOpen, text: `Todos:\u00a0${formatCount(sums.count)}` },
          { href: openMovementsHref(id), isCurrent: isOpen, text: `Abiertos:\u00a0${formatCount(open)}` },
        ]}
      />
      <LongTable
        id="movimientos"
        shown={shown}
        total={isOpen ? open : sums.count}
        noun={['movimiento', 'movimientos']}
        href={listHref(list, order, { desde: shown, ...(isOpen && { abierto: 'true' }) })}
      >
        <DataTable
          caption="Movimientos"
          columns={addSortLinks(
            movementColumns(mayEnter('approval', requireSession(c).roles)),
            list,
            shown,
            order,
          )}
          rows={movements}
          rowKey={({ id }) => id}
          rowHref={({ id }) => pages.bankMovement(id)}
        />
      </LongTable>
    </div>,
  );
}

const onlyOpenShape = z.object({ abierto: flagField('abierto') });

function BankStatementTotals({
  statement,
  sums,
}: {
  statement: BankStatement;
  sums: MovementSumsOfStatement;
}) {
  const { saldoinicialCents, saldofinalCents, saldofecha, saldorenglon } = statement;
  const moved = [
    { label: 'Entradas', cents: sums.inCents, op: '+' },
    { label: 'Salidas', cents: sums.outCents, op: '−' },
  ] as const;
  const isKnown = saldoinicialCents !== null && saldofinalCents !== null;
  const day = saldofecha ? ` al ${formatDate(saldofecha)}` : '';
  const computed = (saldoinicialCents ?? 0) + sums.inCents - sums.outCents;
  return (
    <>
      <Totals
        label="Saldos"
        items={
          isKnown
            ? [
                { label: 'Saldo inicial', cents: saldoinicialCents },
                ...moved,
                { label: `Saldo final${day}`, cents: computed, op: '=' },
              ]
            : moved
        }
      />
      {isKnown && computed !== saldofinalCents && (
        <Alert tone="warning">{texts.balanceOfMovements(saldofinalCents)}</Alert>
      )}
      {saldorenglon !== null && <Alert tone="warning">{texts.balanceBroken(saldorenglon)}</Alert>}
    </>
  );
}

type MovementSumsOfStatement = Awaited<ReturnType<typeof sumBankStatement>>;

const describeOpenMovements = ({
  openIn,
  openInCents,
  openOut,
  openOutCents,
}: MovementSumsOfStatement): string =>
  `Abiertos: ${pluralize(openOut, 'salida', 'salidas')} por ${formatMoney(openOutCents)} · ${pluralize(openIn, 'entrada', 'entradas')} por ${formatMoney(openInCents)}`;

export const importDayOf = (c: AppContext, { createdAt }: BankStatement) =>
  plainDateIn(new Date(createdAt), c.get('deps').config.timeZone);

const outcomeLabelOf = ({ outcome, clase }: BankMovement): string =>
  clase !== null
    ? MOVEMENT_CLASS_LABELS[clase]
    : outcome === 'sin-partida'
      ? 'Abierto'
      : OUTCOME_LABELS[outcome];

const OUTCOME_TONES: Readonly<Record<MovementOutcome, 'done' | 'danger' | 'warn'>> = {
  pagado: 'done',
  devuelto: 'danger',
  ambiguo: 'warn',
  'sin-partida': 'warn',
  ligado: 'done',
  capturado: 'done',
  reposicion: 'done',
  nombrado: 'done',
};

const movementColumns = (mayResolve: boolean): readonly Column<BankMovement>[] => [
  dateColumn('fecha', 'Fecha', {
    card: 'title',
    linkName: ({ fecha, descripcion, amountCents }) =>
      `${formatDate(fecha)}, ${descripcion}, ${formatMoney(amountCents)}`,
  }),
  { key: 'referencia', label: 'Referencia', card: 'none', wraps: MAX_UNWRAPPED_LETTERS },
  { key: 'descripcion', label: 'Descripción', card: 'line', className: 'wraps names' },
  moneyColumn('importe', 'Importe', ({ amountCents }) => amountCents, { card: 'corner' }),
  {
    ...{ key: 'programacion', label: 'Corresponde a', card: 'half', className: 'wraps names' },
    cardLabel: () => '',
    render: (movement) => (
      <>
        {mayResolve && isOpenOutcome(movement.outcome) ? (
          <a href={pages.bankMovement(movement.id)} aria-label={`Resolver ${movement.descripcion}`}>
            Resolver
          </a>
        ) : (
          <MatchedRecords movement={movement} />
        )}
        {movement.referencia && <span className="on-card">{movement.referencia}</span>}
        {/* keeps the result at the card's end where nothing is beside it */ ' '}
      </>
    ),
  },
  {
    ...{ key: 'resultado', label: 'Resultado', card: 'half', cardLabel: () => '' },
    render: (movement) => <Chip tone={OUTCOME_TONES[movement.outcome]}>{outcomeLabelOf(movement)}</Chip>,
  },
];

/** On a card the supplier's name is left out if the bank's text above says it. */
const MatchedRecords = ({ movement }: { movement: BankMovement }) => {
  const name = `${movement.suppliername}: `;
  const isSaid = fold(movement.descripcion).includes(fold(movement.suppliername ?? ''));
  return listMatchedRecordLinks(movement).map(({ href, text }) => (
    <Fragment key={href}>
      <a href={href}>
        {isSaid && text.startsWith(name) ? (
          <>
            <span className="roomy">{name}</span>
            {text.slice(name.length).replaceAll(' ', '\u00a0')}
          </>
        ) : (
          text
        )}
      </a>{' '}
    </Fragment>
  ));
};
