import { Hono } from 'hono';
import type { z } from 'zod';
import type { Db } from '../../db/schema.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import { writeOnce } from '../http/request.ts';
import { sendJson } from '../http/send.ts';
import { type AppEnv, actorOf } from '../http/session.ts';
import { createCatalogList } from '../lists/catalogs.ts';
import { getApiShape } from '../lists/query-shapes.ts';
import { getRow } from '../services/catalogs/reading.ts';
import { backUpAndDeleteAll } from '../services/catalogs/removal.ts';
import { createRow, deleteRow, restoreRow, updateRow } from '../services/catalogs/row-changes.ts';
import { suggestRows } from '../services/catalogs/suggest-rows.ts';
import { readSituation } from '../services/fiscal/list-69b.ts';
import { readRegime } from '../services/fiscal/regimes.ts';
import { listAnswer } from '../shapes/answers.ts';
import { catalogShapes, extendSupplierAnswer, parseNewRow, parseRowChange } from '../shapes/catalogs.ts';
import { deprecatedIdFilterField, exportFormatField } from '../shapes/fields.ts';
import { REFERENCE_PROBLEMS } from './call-descriptions.ts';
import { createEndpoints, pathIdWithoutQuery, ROW_PATH, suggestQueryShape } from './calls.ts';

export const catalogsApi = new Hono<AppEnv>({ strict: false });

for (const catalog of catalogs) {
  catalogsApi.route(catalog.paths.api.slice('/api'.length), defineCatalogApi(catalog));
}

function defineCatalogApi(catalog: Catalog) {
  const { noun, texts, fields, paths, nameField } = catalog;
  const { create, change, row, saved } = catalogShapes[noun]!;
  const list = createCatalogList(catalog);
  const calls = createEndpoints(texts.list);
  const problems = fields.some(({ type }) => type === 'rfc') ? (['rfc_taken'] as const) : [];
  const one = noun === 'suppliers' ? extendSupplierAnswer(row) : row;
  const readOne = async (db: Db, id: number) => {
    const found = await getRow(db, catalog, id);
    if (noun !== 'suppliers') return found;
    const regimenFiscal = await readRegime(db, id);
    return { ...found, sat69b: await readSituation(db, found.rfc), regimenFiscal };
  };
  const rowAnswer = { returns: `Un registro: ${texts.one}`, answer: row };

  calls.lists(
    { '/': { summary: `La lista de ${texts.many}` }, '/search': { summary: `Buscar ${texts.many}` } },
    {
      list,
      // Old clients send further parameters with the id of a row.
      query: (getApiShape(list) as z.ZodObject)
        .extend({ id: deprecatedIdFilterField, format: exportFormatField })
        .meta({ examples: [{ sortfield: nameField, sorttype: 'ASC', limit: 50 }] }),
      row,
      findOne: async (c, id) => one.toJson(await readOne(c.get('deps').db, id)),
      defaultLimit: 10_000,
    },
  );

  calls.reads('/suggest', {
    summary: `Sugerir ${texts.many}`,
    text: 'Por parte del nombre: primero los que empiezan así; si ninguno lo tiene, los que suenan parecido. Sin `text`, los primeros por nombre.',
    query: suggestQueryShape,
    returns: 'Máximo ocho',
    answer: listAnswer(row),
    run: ({ db, query: { text = '' } }) => suggestRows(db, catalog, text),
  });

  for (const path of [`/findbyid${ROW_PATH}`, ROW_PATH])
    calls.reads(path, {
      summary: `Leer ${texts.one}`,
      ...rowAnswer,
      answer: one,
      run: ({ db, id }) => readOne(db, id),
    });

  calls.creates(paths.apiCreate, {
    summary: `Crear ${texts.one}`,
    text: fields.some(({ alias }) => alias)
      ? 'Cada campo vale con su nombre largo y con el antiguo; si vienen los dos, cuenta el largo.'
      : undefined,
    body: create,
    returns: 'Creado',
    answer: saved,
    problems: [...problems, ...REFERENCE_PROBLEMS],
    run: ({ db, actor, sentBody }) => createRow(db, actor, catalog, parseNewRow(catalog, sentBody)),
  });

  calls.changes(ROW_PATH, {
    summary: `Cambiar ${texts.one}`,
    body: change,
    answer: saved,
    stale: row,
    problems: [...problems, ...REFERENCE_PROBLEMS],
    run: ({ db, actor, id, sentBody }) => {
      const { draft, version } = parseRowChange(catalog, sentBody);
      return updateRow(db, actor, catalog, id, draft, version);
    },
  });

  calls.call('POST', `${ROW_PATH}/restore`, {
    summary: `Recuperar ${texts.one} que se eliminó`,
    text: 'Vuelve con su mismo id.',
    body: 'empty',
    isIdempotent: true,
    status: 200,
    returns: rowAnswer.returns,
    answer: row.shape,
    problems: [...problems, 'not_deleted', 'invalid', ...REFERENCE_PROBLEMS],
    run: async (c) => {
      const id = pathIdWithoutQuery(c);
      return sendJson(
        c,
        await writeOnce(c, {}, async (trx) => row.toJson(await restoreRow(trx, actorOf(c), catalog, id))),
      );
    },
  });

  calls.removes(ROW_PATH, {
    summary: `Eliminar ${texts.one}`,
    problems: ['in_use', ...REFERENCE_PROBLEMS],
    run: (db, actor, id) => deleteRow(db, actor, catalog, id),
  });

  calls.removesAll({
    summary: `Eliminar toda la lista de ${texts.many}`,
    text: 'Antes se guarda una copia en la carpeta de datos. Si uno solo está en uso, no se elimina ninguno.',
    problems: ['in_use', 'list_changed', ...REFERENCE_PROBLEMS],
    run: (deps, actor) => backUpAndDeleteAll(deps, actor, catalog),
  });
  return calls.app;
}
