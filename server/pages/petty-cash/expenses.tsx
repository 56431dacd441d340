import { Hono } from 'hono';
import { sayDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable, LONGEST_NUMBER } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { readExpenses } from '../../services/petty-cash/searching.ts';
import { expensesShape, statementPeriod } from '../../shapes/petty-cash.ts';
import { moneyColumn } from '../ui/columns.tsx';
import { answerList, parseListQuery, renderList, rowsBefore, rowsOn } from '../ui/lists.tsx';

const TITLE = 'Gastos de caja chica';

/** What Resultados counts of petty cash: the expenses of all boxes, narrowed as its figure is. */
export const expensePages = new Hono<AppEnv>({ strict: false }).get(pages.pettyCashExpenses, async (c) => {
  const actions = <LinkButton href={pages.pettyCash}>Cajas</LinkButton>;
  const options = { title: TITLE, actions, address: pages.pettyCashExpenses };
  return answerList(c, options, async () =>
    renderList(c, options, { filter: async () => null, results: await drawExpenses(c) }),
  );
});

/** @throws DomainError malformed */
async function drawExpenses(c: AppContext) {
  const asked = parseListQuery(c, expensesShape);
  const period = statementPeriod(asked, c.get('today'));
  const { jobId, clientId, rubroId } = asked;
  const query = { ...period, jobId, clientId, rubroId };
  const { rows, cursor, count, costCents, sumCents } = await readExpenses(c.get('deps').db, query, {
    limit: rowsOn(asked),
    cursor: asked.cursor,
  });
  const shown = rowsBefore(asked) + rows.length;
  const { from: desde, to: hasta } = period;
  return (
    <div className="stack">
      <p className="note">
        Del {sayDate(desde)} al {sayDate(hasta)}.
      </p>
      {count === 0 ? (
        <EmptyState title="Sin gastos en este periodo">Aquí se ve lo que se gastó de las cajas.</EmptyState>
      ) : (
        <>
          <DataTable
            caption="Gastos de caja chica"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.pettyCashMovement(id)}
          />
          <Pager
            shown={shown}
            total={count}
            noun={count === 1 ? 'gasto' : 'gastos'}
            href={
              cursor &&
              withQuery(pages.pettyCashExpenses, { desde, hasta, jobId, clientId, rubroId, cursor, shown })
            }
          />
        </>
      )}
      <Totals foot label="Total de los gastos" items={totalsOf(costCents, sumCents)} />
    </div>
  );
}

/** What Resultados counts is without IVA; where there is some, it says what both come to. */
const totalsOf = (costCents: Cents, sumCents: Cents) =>
  costCents === sumCents
    ? [{ label: 'Total de gastos', cents: sumCents }]
    : [
        { label: 'Sin IVA', cents: costCents },
        { label: 'IVA', cents: sumCents - costCents, op: '+' as const },
        { label: 'Total de gastos', cents: sumCents, op: '=' as const },
      ];

const COLUMNS: readonly Column<Movement>[] = [
  { key: 'date', label: 'Fecha', card: 'corner', render: ({ fecha }) => <DateText date={fecha} /> },
  {
    key: 'concept',
    label: 'Concepto',
    link: true,
    clip: true,
    card: 'title',
    render: ({ concepto }) => concepto,
  },
  { key: 'comprobante', label: 'Comprobante', clip: LONGEST_NUMBER, render: ({ folio }) => folio },
  { key: 'fund', label: 'Caja', clip: 24, render: ({ nombre }) => nombre },
  { key: 'job', label: 'Obra', clip: true, render: ({ jobtitle }) => jobtitle ?? '' },
  { key: 'rubro', label: 'Rubro', clip: 24, render: ({ nombrerubro }) => nombrerubro ?? '' },
  moneyColumn('subtotal', 'Sin IVA', ({ subtotalCents }) => subtotalCents),
  moneyColumn('amount', 'Gasto', ({ importeCents }) => importeCents),
];
