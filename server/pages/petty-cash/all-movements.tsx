import { Hono } from 'hono';
import { kindName, type Movement } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { movementList } from '../../lists/petty-cash-movements.ts';
import type { QueryOf } from '../../lists/shapes.ts';
import { countMovements, searchMovements } from '../../services/petty-cash/searching.ts';
import {
  filterWords,
  isFiltered,
  listAddress,
  readableListQuery,
  readListQuery,
  renderFilter,
  searchOf,
} from '../ui/list-filters.tsx';
import { answerList, renderList, rowsBefore, rowsOn } from '../ui/lists.tsx';

type MovementListQuery = QueryOf<typeof movementList>;

/** What was moved in all boxes, one by one; as a file, the table that can be imported again. */
export const allMovementsPages = new Hono<AppEnv>({ strict: false }).get(pages.pettyCashMovements, (c) => {
  const options = { title: movementList.title, address: movementList.page };
  const filter = () => renderFilter(c, movementList, readableListQuery(c, movementList));
  return answerList(c, { ...options, filter }, async () => {
    const query = await readListQuery(c, movementList);
    const actions = (
      <>
        <ExportLinks list={pages.pettyCashMovements} first="xlsx" query={searchOf(movementList, query)} />
        <LinkButton href={withQuery(pages.imports, { kind: 'movimientos-caja' })}>Importar</LinkButton>
        <LinkButton href={pages.pettyCash}>Cajas</LinkButton>
      </>
    );
    return renderList(
      c,
      { ...options, actions },
      {
        filter: () => renderFilter(c, movementList, query),
        words: await filterWords(c, movementList, query),
        results: await renderMovements(c, query),
      },
    );
  });
});

async function renderMovements(c: AppContext, query: MovementListQuery) {
  const { db } = c.get('deps');
  const search = searchOf(movementList, query);
  const page = await searchMovements(db, { ...search, cursor: query.cursor, limit: rowsOn(query) });
  const count = await countMovements(db, search);
  if (count === 0)
    return isFiltered(movementList, query) ? (
      <EmptyState
        title="Ningún movimiento con este filtro"
        action={<LinkButton href={pages.pettyCashMovements}>Quitar filtros</LinkButton>}
      >
        Prueba con otro tipo, otra obra u otras fechas.
      </EmptyState>
    ) : (
      <EmptyState
        title="Todavía no hay movimientos"
        action={<LinkButton href={pages.pettyCash}>Ir a las cajas</LinkButton>}
      >
        Se capturan en cada caja, o se importan de una tabla.
      </EmptyState>
    );
  const shown = rowsBefore(query) + page.movements.length;
  return (
    <>
      <div className="table-wrap">
        <DataTable
          caption={movementList.title}
          columns={COLUMNS}
          rows={page.movements}
          rowKey={({ id }) => id}
          rowHref={({ id }) => pages.pettyCashMovement(id)}
        />
      </div>
      <Pager
        shown={shown}
        total={count}
        noun={count === 1 ? 'movimiento' : 'movimientos'}
        href={page.cursor && listAddress(movementList, query, { cursor: page.cursor, shown })}
      />
    </>
  );
}

const COLUMNS: readonly Column<Movement>[] = [
  { key: 'fecha', label: 'Fecha', render: ({ fecha }) => <DateText date={fecha} /> },
  { key: 'caja', label: 'Caja', clip: 24, render: ({ nombre }) => nombre },
  { key: 'tipo', label: 'Tipo', card: 'half', render: ({ tipo }) => kindName(tipo) },
  {
    key: 'concepto',
    label: 'Concepto',
    link: true,
    clip: true,
    card: 'title',
    render: ({ concepto }) => concepto,
  },
  { key: 'job', label: 'Obra', clip: 24, render: ({ jobtitle }) => jobtitle ?? '' },
  {
    key: 'rubro',
    label: 'Rubro',
    clip: 24,
    hideOnSmall: true,
    render: ({ nombrerubro }) => nombrerubro ?? '',
  },
  {
    key: 'importe',
    label: 'Importe',
    align: 'end',
    card: 'corner',
    render: ({ importeCents }) => <Money cents={importeCents} />,
  },
];
