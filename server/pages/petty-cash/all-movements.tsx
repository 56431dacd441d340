import { Hono } from 'hono';
import { formatLongDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { isOutflow, type Movement, type MovementKind } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { movementList } from '../../lists/petty-cash-movements.ts';
import { sumPaymentsFromFunds } from '../../services/petty-cash/fund-cash.ts';
import { getFund } from '../../services/petty-cash/reading.ts';
import { searchMovements, sumMovements } from '../../services/petty-cash/searching.ts';
import {
  awaitedVouchersQueryShape,
  expensesQueryShape,
  resolveOrderedFundPeriod,
} from '../../shapes/petty-cash.ts';
import { ChoiceLinks } from '../ui/choice-links.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { isFiltered } from '../ui/list-filters.tsx';
import { parseListQuery, renderListOrFragment, showListOrError } from '../ui/list-layout.tsx';
import { showList } from '../ui/list-page.tsx';
import {
  awaitedVoucherColumns,
  descriptionColumns,
  FUND_COLUMN,
  MOVEMENT_COLUMNS,
  movementHref,
  renderExpenses,
} from './movement-table.tsx';

export const allMovementsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCashMovements, showMovements)
  .get(pages.pettyCashAwaited, (c) => {
    const options = { title: 'Caja chica por comprobar', address: pages.pettyCashAwaited };
    return showListOrError(c, options, () => showAwaitedVouchers(c, options));
  })
  .get(pages.pettyCashExpenses, (c) => {
    const options = { title: 'Gastos de caja chica', actions: FUNDS_LINK, address: pages.pettyCashExpenses };
    return showListOrError(c, options, async () =>
      renderListOrFragment(c, options, {
        renderFilter: async () => null,
        results: await renderResultsReportExpenses(c),
      }),
    );
  });

const FUNDS_LINK = <LinkButton href={pages.pettyCash}>Cajas</LinkButton>;

function showMovements(c: AppContext) {
  return showList(c, movementList, {
    secondaryActions: (
      <>
        <LinkButton href={withQuery(pages.imports, { kind: 'movimientos-caja' })}>Importar</LinkButton>
        {FUNDS_LINK}
      </>
    ),
    className: 'cash',
    async read(c, search, query) {
      const { db } = c.get('deps');
      const paid = isFiltered(movementList, query) ? [] : await sumPaymentsFromFunds(db);
      return { ...(await searchMovements(db, search)), ...(await sumMovements(db, search)), paid };
    },
    rowHref: movementHref,
    columns: () => MOVEMENT_COLUMNS,
    totals: ({ inCents, outCents, paid }, { tipo, estado }) => (
      <Totals
        isFooter
        label="Totales de los movimientos"
        items={
          paid.length > 0
            ? cashTotalsWithPayments(inCents, outCents, paid)
            : movementTotals(inCents, outCents, tipo ?? (estado && 'gasto'))
        }
      />
    ),
    noMatches: {
      title: 'Ningún movimiento con este filtro',
      hint: 'Prueba con otro tipo, otra obra u otras fechas.',
    },
    empty: {
      title: 'Todavía no hay movimientos',
      hint: 'Se capturan en cada caja, o se importan de una tabla.',
      action: <LinkButton href={pages.pettyCash}>Ir a las cajas</LinkButton>,
    },
  });
}

/** For most kinds of movements one of the two sums is always zero and is left out. */
const movementTotals = (inCents: Cents, outCents: Cents, tipo: MovementKind | undefined) => {
  const inflow = { label: 'Ingresos', cents: inCents };
  const outflow = { label: 'Salidas', cents: outCents };
  if (tipo === undefined || tipo === 'ajuste') return [inflow, outflow];
  return isOutflow(tipo) ? [outflow] : [inflow];
};

/** Payments from a fund are in the list of payments, so the movements alone do not add up to the cash. */
function cashTotalsWithPayments(
  inCents: Cents,
  outCents: Cents,
  paid: Awaited<ReturnType<typeof sumPaymentsFromFunds>>,
) {
  const paidCents = paid.reduce((sum, { cents }) => sum + cents, 0);
  const [first] = paid;
  const href =
    paid.length === 1 ? withQuery(pages.payments, { origenderecursoId: first!.sourceId }) : pages.payments;
  return [
    { label: 'Ingresos', cents: inCents },
    { label: 'Salidas', cents: outCents, op: '−' as const },
    { label: 'Pagos a proveedores', cents: paidCents, op: '−' as const, href },
    { label: 'En caja', cents: inCents - outCents - paidCents, op: '=' as const },
  ];
}

async function showAwaitedVouchers(c: AppContext, options: { title: string }) {
  const { vencidos = false, fundId, ...parameters } = parseListQuery(c, awaitedVouchersQueryShape);
  const [db, today] = [c.get('deps').db, c.get('today')];
  const filter = { estado: 'por-comprobar', fundId, overdueOn: vencidos ? today : undefined } as const;
  const { count, outCents } = await sumMovements(db, filter);
  const title = vencidos ? 'Caja chica: comprobantes vencidos' : options.title;
  const fund = fundId ? await getFund(db, fundId) : undefined;
  const [all, late] = [{ fundId }, { fundId, vencidos: 1 }];
  const address = pages.pettyCashAwaited;
  const choices = [
    { label: 'Todos', href: withQuery(address, all), isCurrent: !vencidos },
    { label: 'Vencidos', href: withQuery(address, late), isCurrent: vencidos },
  ];
  return renderListOrFragment(
    c,
    { title, subtitle: fund?.nombre, actions: FUNDS_LINK },
    {
      renderFilter: async () => <ChoiceLinks label="Cuáles" choices={choices} />,
      results: (
        <div className="stack">
          {count === 0 ? (
            <EmptyState title="Nada por comprobar">
              Aquí está lo que se entregó de las cajas sin comprobante, hasta que alguien lo trae.
            </EmptyState>
          ) : (
            await renderExpenses(c, {
              caption: 'Gastos por comprobar',
              columns: awaitedVoucherColumns(today, fund ? [] : [FUND_COLUMN]),
              order: { sort: 'plazo' },
              filter,
              place: parameters,
              count,
              totals: (
                <Totals
                  isFooter
                  label="Total por comprobar"
                  items={[{ label: 'Por comprobar', cents: outCents }]}
                />
              ),
              address,
              query: vencidos ? late : all,
            })
          )}
        </div>
      ),
    },
  );
}

/** @throws DomainError malformed */
async function renderResultsReportExpenses(c: AppContext) {
  const parameters = parseListQuery(c, expensesQueryShape);
  const { from: desde, to: hasta } = resolveOrderedFundPeriod(parameters, c.get('today'));
  const { jobId, clientId, rubroId } = parameters;
  const query = { desde, hasta, jobId, clientId, rubroId };
  const filter = { ...query, tipo: 'gasto' } as const;
  const { count, costCents, outCents } = await sumMovements(c.get('deps').db, filter);
  // Resultados counts expenses without IVA, so both sums are shown where there is IVA.
  const totals =
    costCents === outCents
      ? [{ label: 'Total de gastos', cents: outCents }]
      : [
          { label: 'Sin IVA', cents: costCents },
          { label: 'IVA', cents: outCents - costCents, op: '+' as const },
          { label: 'Total de gastos', cents: outCents, op: '=' as const },
        ];
  return (
    <div className="stack">
      <p className="note">
        Del {formatLongDate(desde)} al {formatLongDate(hasta)}.
      </p>
      {count === 0 ? (
        <EmptyState title="Sin gastos en este periodo">Aquí se ve lo que se gastó de las cajas.</EmptyState>
      ) : (
        await renderExpenses(c, {
          caption: 'Gastos de caja chica',
          columns: RESULT_EXPENSE_COLUMNS,
          order: { sort: 'fecha', direction: 'desc' },
          filter,
          place: parameters,
          count,
          totals: <Totals isFooter label="Total de los gastos" items={totals} />,
          address: pages.pettyCashExpenses,
          query,
        })
      )}
    </div>
  );
}

const RESULT_EXPENSE_COLUMNS: readonly Column<Movement>[] = [
  ...descriptionColumns<Movement>(),
  FUND_COLUMN,
  moneyColumn('subtotal', 'Sin IVA', ({ subtotalCents }) => subtotalCents, { card: 'none' }),
  moneyColumn('importe', 'Gasto', ({ importeCents }) => importeCents, { card: 'corner' }),
];
