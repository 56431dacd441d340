import { Hono } from 'hono';
import { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import { ADMIN_ROLE } from '../../shared/roles.ts';
import type { ExportFormat } from '../../shared/urls.ts';
import { createOnce, readJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { catalogList } from '../lists/catalogs.ts';
import { createRow, deleteRow, restoreRow, updateRow } from '../services/catalogs/catalogs.ts';
import { getRow, searchCatalog } from '../services/catalogs/reading.ts';
import { deleteAll } from '../services/catalogs/removal.ts';
import { suggestRows } from '../services/catalogs/suggesting.ts';
import { catalogShapes, parseNewRow, parseRowChange, toCatalogQuery } from '../shapes/catalogs.ts';
import { parseQuery } from '../shapes/fields.ts';
import {
  answerList,
  confirmShape,
  pathId,
  requireConfirmation,
  requireOwnId,
  sendList,
  suggestShape,
} from './answers.ts';
import { describes, REFERRING, type Tag } from './describe.ts';

const SUGGESTS = 'Por parte del nombre: primero los que empiezan así. Sin `text`, los primeros por nombre.';

/** Without a limit, a list is whole up to here. */
const ROWS_WITHOUT_LIMIT = 10_000;

/** The five lists, each under its own path below /api. */
export const catalogsApi = new Hono<AppEnv>({ strict: false });

for (const catalog of catalogs) {
  catalogsApi.route(catalog.paths.api.slice('/api'.length), catalogApi(catalog));
}

function catalogApi(catalog: Catalog) {
  const { apiCreate } = catalog.paths;
  const said = describeCatalog(catalog);
  const answerRow = async (c: AppContext) => c.json(await getRow(c.get('deps').db, catalog, pathId(c)));

  return new Hono<AppEnv>({ strict: false })
    .get('/', said.list, (c) => answerSearch(c, catalog))
    .get('/search', said.search, (c) => answerSearch(c, catalog))
    .get('/suggest', said.suggest, async (c) => {
      const { text = '' } = parseQuery(suggestShape, c.req.queries());
      return c.json(await suggestRows(c.get('deps').db, catalog, text));
    })
    .get('/findbyid/:id{[0-9]+}', said.one, answerRow)
    .get('/:id{[0-9]+}', said.one, answerRow)
    .post(apiCreate, said.create, async (c) => {
      const body = await readJson(c);
      const draft = parseNewRow(catalog, body);
      const answer = await createOnce(c, body, async (trx) => {
        const { row, warnings } = await createRow(trx, actorOf(c), catalog, draft);
        return { ...row, warnings };
      });
      return c.json(answer, 201);
    })
    .put('/:id{[0-9]+}', said.change, async (c) => {
      const id = pathId(c);
      const change = parseRowChange(catalog, await readJson(c));
      requireOwnId(id, change.id);
      const { db } = c.get('deps');
      const { row, warnings } = await updateRow(db, actorOf(c), catalog, id, change.draft, change.version);
      return c.json({ ...row, warnings });
    })
    .post('/:id{[0-9]+}/restore', said.restore, async (c) => {
      const id = pathId(c);
      return c.json(await createOnce(c, {}, (trx) => restoreRow(trx, actorOf(c), catalog, id)));
    })
    .delete('/:id{[0-9]+}', said.remove, async (c) => {
      await deleteRow(c.get('deps').db, actorOf(c), catalog, pathId(c));
      return c.body(null, 204);
    })
    .delete('/', said.removeAll, async (c) => {
      requireConfirmation(c);
      await deleteAll(c.get('deps'), actorOf(c), catalog);
      return c.body(null, 204);
    });
}

/** The list's calls in the document of the API, made from its definition as its shapes are. */
function describeCatalog({ noun, texts, fields }: Catalog) {
  const { create, change, query, row, saved } = catalogShapes[noun]!;
  const tag = texts.list as Tag;
  const problems = fields.some(({ type }) => type === 'rfc') ? (['rfc_taken'] as const) : [];
  const old = fields.some(({ alias }) => alias)
    ? 'Cada campo vale con su nombre largo y con el antiguo; si vienen los dos, cuenta el largo.'
    : undefined;
  const aRow = { status: 200, says: `Un registro: ${texts.one}`, shape: row } as const;
  const rows = {
    status: 200,
    says: 'La lista',
    shape: z.array(row),
    headers: ['page'],
  } as const;
  const gone = { status: 204, says: 'Eliminado' } as const;
  return {
    list: describes({ tag, summary: `La lista de ${texts.many}`, query, success: rows }),
    search: describes({ tag, summary: `Buscar ${texts.many}`, query, success: rows }),
    suggest: describes({
      tag,
      summary: `Sugerir ${texts.many}`,
      text: SUGGESTS,
      query: suggestShape,
      success: { status: 200, says: 'Ocho a lo más', shape: z.array(row) },
    }),
    one: describes({ tag, summary: `Leer ${texts.one}`, success: aRow }),
    create: describes({
      tag,
      summary: `Crear ${texts.one}`,
      text: old,
      body: create,
      once: true,
      success: { status: 201, says: 'Creado', shape: saved },
      problems: [...problems, ...REFERRING],
    }),
    change: describes({
      tag,
      summary: `Cambiar ${texts.one}`,
      body: change,
      success: { status: 200, says: 'Como quedó', shape: saved },
      stale: row,
      problems: [...problems, ...REFERRING],
    }),
    restore: describes({
      tag,
      summary: `Recuperar ${texts.one} que se eliminó`,
      text: 'Vuelve con su mismo id.',
      body: 'empty',
      once: true,
      success: aRow,
      problems: [...problems, 'not_deleted', 'invalid', ...REFERRING],
    }),
    remove: describes({
      tag,
      summary: `Eliminar ${texts.one}`,
      success: gone,
      problems: ['in_use', ...REFERRING],
    }),
    removeAll: describes({
      tag,
      summary: `Eliminar toda la lista de ${texts.many}`,
      text: 'Antes se guarda una copia en la carpeta de datos. Si uno solo está en uso, no se elimina ninguno.',
      query: confirmShape,
      role: ADMIN_ROLE,
      success: gone,
      problems: ['confirmation_required', 'in_use', 'list_changed', ...REFERRING],
    }),
  };
}

async function answerSearch(c: AppContext, catalog: Catalog) {
  const { db } = c.get('deps');
  const parameters = parseQuery(catalogShapes[catalog.noun]!.query, c.req.queries());
  const { format } = parameters as { format?: ExportFormat };
  const { id, ...asked } = toCatalogQuery(catalog, parameters);
  if (id) return c.json(await getRow(db, catalog, id));
  if (format) {
    const { text, ...place } = asked;
    return sendList(c, catalogList(catalog), { [catalog.nameField]: text, ...place }, format);
  }
  const { limit = ROWS_WITHOUT_LIMIT, ...query } = asked;
  const { rows, total, nextCursor } = await searchCatalog(db, catalog, { ...query, limit });
  return answerList(c, rows, { total, cursor: nextCursor });
}
