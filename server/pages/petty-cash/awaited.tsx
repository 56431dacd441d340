import { Hono } from 'hono';
import type { Movement } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { readAwaited } from '../../services/petty-cash/awaited.ts';
import { parseQuery } from '../../shapes/fields.ts';
import { awaitedShape } from '../../shapes/petty-cash.ts';
import { renderPage } from '../../shell/render.tsx';
import { EXPENSE_COLUMNS, ExpenseChip } from './expense-columns.tsx';

/** What was given out of any box and is still to be proved: what the bell and the dashboard lead to. */
export const awaitedPages = new Hono<AppEnv>({ strict: false }).get(pages.pettyCashAwaited, async (c) => {
  const { vencidos = false } = parseQuery(awaitedShape, c.req.queries());
  const today = c.get('today');
  const rows = await readAwaited(c.get('deps').db, today, vencidos);
  const sum = rows.reduce((cents, { importeCents }) => cents + importeCents, 0);
  return renderPage(
    c,
    {
      title: vencidos ? 'Caja chica: comprobantes vencidos' : 'Caja chica por comprobar',
      actions: <LinkButton href={pages.pettyCash}>Cajas</LinkButton>,
    },
    <div className="stack">
      <nav className="periods" aria-label="Cuáles">
        <a href={pages.pettyCashAwaited} aria-current={vencidos ? undefined : 'true'}>
          Todos
        </a>
        <a href={`${pages.pettyCashAwaited}?vencidos=1`} aria-current={vencidos ? 'true' : undefined}>
          Vencidos
        </a>
      </nav>
      {rows.length === 0 ? (
        <EmptyState title="Nada por comprobar">
          Aquí está lo que se entregó de las cajas sin comprobante, hasta que alguien lo trae.
        </EmptyState>
      ) : (
        <div className="table-wrap">
          <DataTable
            caption="Gastos por comprobar"
            columns={columnsFor(today)}
            rows={rows}
            rowKey={({ id }) => id}
            rowHref={({ id }) => pages.pettyCashMovement(id)}
          />
        </div>
      )}
      <Totals foot label="Total por comprobar" items={[{ label: 'Por comprobar', cents: sum }]} />
    </div>,
  );
});

const columnsFor = (today: string): readonly Column<Movement>[] => [
  ...EXPENSE_COLUMNS.filter(({ key }) => key !== 'folio'),
  { key: 'caja', label: 'Caja', clip: 24, render: ({ nombre }) => nombre },
  {
    key: 'plazo',
    label: 'Plazo',
    render: ({ comprobarAntes }) => (
      <ExpenseChip state="por-comprobar" dueOn={comprobarAntes} today={today} />
    ),
  },
];
