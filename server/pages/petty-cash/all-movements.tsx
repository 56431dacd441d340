import { Hono } from 'hono';
import { kindName } from '../../../shared/petty-cash.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppEnv } from '../../http/session.ts';
import { movementList } from '../../lists/petty-cash-movements.ts';
import { countMovements, searchMovements } from '../../services/petty-cash/searching.ts';
import { showList } from '../ui/list-page.tsx';
import { CONCEPT_COLUMN } from './expense-columns.tsx';

/** What was moved in all boxes, one by one; as a file, the table that can be imported again. */
export const allMovementsPages = new Hono<AppEnv>({ strict: false }).get(pages.pettyCashMovements, (c) =>
  showList(c, movementList, {
    also: (
      <>
        <LinkButton href={withQuery(pages.imports, { kind: 'movimientos-caja' })}>Importar</LinkButton>
        <LinkButton href={pages.pettyCash}>Cajas</LinkButton>
      </>
    ),
    async read(c, search) {
      const { db } = c.get('deps');
      const { movements: rows, cursor } = await searchMovements(db, search);
      return { rows, cursor, count: await countMovements(db, search) };
    },
    rowHref: ({ id }) => pages.pettyCashMovement(id),
    columns: () => [
      { key: 'fecha', label: 'Fecha', render: ({ fecha }) => <DateText date={fecha} /> },
      { key: 'caja', label: 'Caja', clip: 24, render: ({ nombre }) => nombre },
      { key: 'tipo', label: 'Tipo', card: 'half', render: ({ tipo }) => kindName(tipo) },
      CONCEPT_COLUMN,
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
    ],
    unfound: {
      title: 'Ningún movimiento con este filtro',
      hint: 'Prueba con otro tipo, otra obra u otras fechas.',
    },
    empty: {
      title: 'Todavía no hay movimientos',
      hint: 'Se capturan en cada caja, o se importan de una tabla.',
      action: <LinkButton href={pages.pettyCash}>Ir a las cajas</LinkButton>,
    },
  }),
);
