import { Hono } from 'hono';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import { createOnce, readJson } from '../request.ts';
import { getRow, searchCatalog } from '../services/catalog-reading.ts';
import { deleteAll } from '../services/catalog-removal.ts';
import { createRow, deleteRow, updateRow } from '../services/catalogs.ts';
import { type AppContext, type AppEnv, actorOf } from '../session.ts';
import { catalogShapes, parseNewRow, parseRowChange, toCatalogQuery } from '../shapes/catalogs.ts';
import { parseQuery } from '../shapes/fields.ts';
import { answerList, pathId, requireConfirmation, requireOwnId } from './answers.ts';

/** Without a limit, a list is whole up to here. */
const ROWS_WITHOUT_LIMIT = 10_000;

/** The five lists, each under its own path below /api. */
export const catalogsApi = new Hono<AppEnv>({ strict: false });

for (const catalog of catalogs) {
  catalogsApi.route(catalog.paths.api.slice('/api'.length), catalogApi(catalog));
}

function catalogApi(catalog: Catalog) {
  const answerRow = async (c: AppContext) => c.json(await getRow(c.get('deps').db, catalog, pathId(c)));

  return new Hono<AppEnv>({ strict: false })
    .get('/', (c) => answerSearch(c, catalog))
    .get('/search', (c) => answerSearch(c, catalog))
    .get('/findbyid/:id{[0-9]+}', answerRow)
    .get('/:id{[0-9]+}', answerRow)
    .post(catalog.paths.apiCreate, async (c) => {
      const body = await readJson(c);
      const draft = parseNewRow(catalog, body);
      const answer = await createOnce(c, body, async (trx) => {
        const { row, warnings } = await createRow(trx, actorOf(c), catalog, draft);
        return { ...row, warnings };
      });
      return c.json(answer, 201);
    })
    .put('/:id{[0-9]+}', async (c) => {
      const id = pathId(c);
      const change = parseRowChange(catalog, await readJson(c));
      requireOwnId(id, change.id);
      const { db } = c.get('deps');
      const { row, warnings } = await updateRow(db, actorOf(c), catalog, id, change.draft, change.version);
      return c.json({ ...row, warnings });
    })
    .delete('/:id{[0-9]+}', async (c) => {
      await deleteRow(c.get('deps').db, actorOf(c), catalog, pathId(c));
      return c.body(null, 204);
    })
    .delete('/', async (c) => {
      requireConfirmation(c);
      await deleteAll(c.get('deps'), actorOf(c), catalog);
      return c.body(null, 204);
    });
}

async function answerSearch(c: AppContext, catalog: Catalog) {
  const { db } = c.get('deps');
  const parameters = parseQuery(catalogShapes[catalog.noun]!.query, c.req.queries());
  const { id, limit = ROWS_WITHOUT_LIMIT, ...query } = toCatalogQuery(catalog, parameters);
  if (id) return c.json(await getRow(db, catalog, id));
  const { rows, total, nextCursor } = await searchCatalog(db, catalog, { ...query, limit });
  return answerList(c, rows, { total, cursor: nextCursor });
}
