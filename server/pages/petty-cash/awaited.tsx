import { Hono } from 'hono';
import type { Movement } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { searchMovements, sumAwaited } from '../../services/petty-cash/searching.ts';
import { awaitedShape } from '../../shapes/petty-cash.ts';
import { answerList, parseListQuery, renderList, rowsBefore, rowsOn } from '../ui/lists.tsx';
import { awaitedColumns } from './expense-columns.tsx';

/** What was given out of any box and is still to be proved: what the bell and the dashboard lead to. */
export const awaitedPages = new Hono<AppEnv>({ strict: false }).get(pages.pettyCashAwaited, async (c) => {
  const options = { title: 'Caja chica por comprobar', address: pages.pettyCashAwaited };
  return answerList(c, options, async () => {
    const { vencidos = false, ...page } = parseListQuery(c, awaitedShape);
    const [db, today] = [c.get('deps').db, c.get('today')];
    const { movements: rows, cursor } = await searchMovements(db, {
      estado: 'por-comprobar',
      lateOn: vencidos ? today : undefined,
      // Those that should be there first come first.
      by: 'comprobarAntes',
      limit: rowsOn(page),
      cursor: page.cursor,
    });
    const { late, ...all } = await sumAwaited(db, today);
    const { count, sumCents } = vencidos ? late : all;
    const shown = rowsBefore(page) + rows.length;
    const query = { vencidos: vencidos ? 1 : undefined, cursor, shown };
    return renderList(
      c,
      {
        ...options,
        title: vencidos ? 'Caja chica: comprobantes vencidos' : options.title,
        actions: <LinkButton href={pages.pettyCash}>Cajas</LinkButton>,
      },
      {
        filter: async () => <Which vencidos={vencidos} />,
        results: (
          <div className="stack">
            {count === 0 ? (
              <EmptyState title="Nada por comprobar">
                Aquí está lo que se entregó de las cajas sin comprobante, hasta que alguien lo trae.
              </EmptyState>
            ) : (
              <>
                <DataTable
                  caption="Gastos por comprobar"
                  columns={awaitedColumns(today, [FUND_COLUMN])}
                  rows={rows}
                  rowKey={({ id }) => id}
                  rowHref={({ id }) => pages.pettyCashMovement(id)}
                />
                <Pager
                  shown={shown}
                  total={count}
                  noun={count === 1 ? 'gasto' : 'gastos'}
                  href={cursor && withQuery(pages.pettyCashAwaited, query)}
                />
              </>
            )}
            <Totals foot label="Total por comprobar" items={[{ label: 'Por comprobar', cents: sumCents }]} />
          </div>
        ),
      },
    );
  });
});

const Which = ({ vencidos }: { vencidos: boolean }) => (
  <nav className="periods" aria-label="Cuáles">
    <a href={pages.pettyCashAwaited} aria-current={vencidos ? undefined : 'true'}>
      Todos
    </a>
    <a href={`${pages.pettyCashAwaited}?vencidos=1`} aria-current={vencidos ? 'true' : undefined}>
      Vencidos
    </a>
  </nav>
);

const FUND_COLUMN: Column<Movement> = {
  key: 'caja',
  label: 'Caja',
  clip: 24,
  render: ({ nombre }) => nombre,
};
