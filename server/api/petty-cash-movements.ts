import { Hono } from 'hono';
import { z } from 'zod';
import type { Trx } from '../../db/schema.ts';
import type { Movement } from '../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../shared/petty-cash-texts.ts';
import { createOnce, readJson, readOptionalJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import {
  acceptWithoutReceipt,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../services/petty-cash/movements.ts';
import { getFund, getMovement } from '../services/petty-cash/reading.ts';
import { countMovements, searchMovements } from '../services/petty-cash/searching.ts';
import { motivoShape, parseQuery, parseShape, refuseEmptied, restoreShape } from '../shapes/fields.ts';
import {
  acceptShape,
  movementQueryShape,
  movementShape,
  newMovementShape,
  toMovementDraft,
} from '../shapes/petty-cash.ts';
import {
  movementAnswer,
  savedMovementAnswer,
  toMovementJson,
  toSavedMovementJson,
} from '../shapes/petty-cash-answers.ts';
import type { ProblemCode } from '../shapes/problems.ts';
import { answerList, deletion, pathId, restoration, withCurrentAsJson } from './answers.ts';
import { DATED, describes } from './describe.ts';

const tag = 'Caja chica';

const SAVING = [
  'fund_short',
  'over_cap',
  'amounts_disagree',
  'budget_exceeded',
  'uuid_taken',
  'same_author',
  'fund_closed',
  ...DATED,
] as const satisfies readonly ProblemCode[];

/** What is put into cash boxes, and spent. */
export const pettyCashMovementsApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/:id{[0-9]+}/movimientos',
    describes({
      tag,
      summary: 'Los movimientos de una caja chica',
      query: movementQueryShape,
      success: {
        status: 200,
        says: 'En el orden en que se capturaron',
        shape: z.array(movementAnswer),
        headers: ['page'],
      },
      problems: ['bad_period'],
    }),
    answerSearch,
  )
  .post(
    '/:id{[0-9]+}/movimientos',
    describes({
      tag,
      summary: 'Registrar un movimiento de caja chica',
      text: 'Un gasto, si no dice otra cosa. `apertura` y `ajuste` son de los roles 1 y 2; lo que entra a la caja se pide en `reposicion`, si lo autoriza otra persona.',
      body: newMovementShape,
      once: true,
      success: { status: 201, says: 'Registrado', shape: savedMovementAnswer },
      problems: SAVING,
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readJson(c);
      const { motivo, ...fields } = parseShape(newMovementShape, body);
      const create = async (trx: Trx) =>
        toSavedMovementJson(await createMovement(trx, actorOf(c, motivo), id, toMovementDraft(fields)));
      return c.json(await createOnce(c, body, create), 201);
    },
  )
  .get(
    '/movimientos/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Leer un movimiento de caja chica',
      success: { status: 200, says: 'El movimiento', shape: movementAnswer },
    }),
    async (c) => c.json(toMovementJson(await getMovement(c.get('deps').db, pathId(c)))),
  )
  .put(
    '/movimientos/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Cambiar un movimiento de caja chica',
      text: 'También así se comprueba un gasto: con su `comprobante`.',
      body: movementShape.meta({
        id: 'PettyCashMovementChange',
        examples: [{ comprobante: 'nota', folio: 'T-12' }],
      }),
      success: { status: 200, says: 'Como quedó', shape: savedMovementAnswer },
      stale: movementAnswer,
      problems: ['movement_fixed', ...SAVING],
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readJson(c);
      refuseEmptied(body, { importe: texts.required });
      const { version, motivo, ...fields } = parseShape(movementShape, body);
      const change = () =>
        updateMovement(c.get('deps').db, actorOf(c, motivo), id, toMovementDraft(fields), version);
      return c.json(toSavedMovementJson(await withCurrentAsJson(change, currentJson)));
    },
  )
  .post(
    '/movimientos/:id{[0-9]+}/aceptar',
    describes({
      tag,
      summary: 'Aceptar un gasto sin comprobante',
      text: 'Ya no se espera ninguno, y queda por reponer. Solo para los roles 1 y 2.',
      body: acceptShape,
      mayLackBody: true,
      once: true,
      success: { status: 200, says: 'Como quedó', shape: movementAnswer },
      stale: movementAnswer,
      problems: ['movement_fixed', 'fund_closed', 'closed_period'],
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readOptionalJson(c);
      const { version, motivo } = parseShape(acceptShape, body);
      const accept = async (trx: Trx) =>
        toMovementJson(await acceptWithoutReceipt(trx, actorOf(c, motivo), id, version));
      return c.json(await withCurrentAsJson(() => createOnce(c, body, accept), currentJson));
    },
  )
  .delete(
    '/movimientos/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Eliminar un movimiento de caja chica',
      text: 'Lo que otra persona autorizó vuelve a pedirse.',
      query: motivoShape,
      success: { status: 204, says: 'Eliminado' },
      problems: ['movement_fixed', 'fund_short', 'fund_closed', 'closed_period'],
    }),
    async (c) => {
      const { id, actor } = deletion(c);
      await deleteMovement(c.get('deps').db, actor, id);
      return c.body(null, 204);
    },
  )
  .post(
    '/movimientos/:id{[0-9]+}/restore',
    describes({
      tag,
      summary: 'Recuperar un movimiento de caja chica eliminado',
      body: restoreShape,
      mayLackBody: true,
      once: true,
      success: { status: 200, says: 'Recuperado, con el mismo id', shape: savedMovementAnswer },
      problems: [
        'not_deleted',
        'movement_fixed',
        'fund_short',
        'budget_exceeded',
        'uuid_taken',
        'fund_closed',
        ...DATED,
      ],
    }),
    async (c) => {
      const { id, body, actor } = await restoration(c);
      const restore = async (trx: Trx) => toSavedMovementJson(await restoreMovement(trx, actor, id));
      return c.json(await createOnce(c, body, restore));
    },
  );

const currentJson = (current: unknown) => toMovementJson(current as Movement);

async function answerSearch(c: AppContext) {
  const { db } = c.get('deps');
  const { id } = await getFund(db, Number(c.req.param('id')));
  const { limit = 1000, cursor, ...filter } = parseQuery(movementQueryShape, c.req.queries());
  const query = { ...filter, fundId: id };
  const { movements, cursor: next } = await searchMovements(db, { ...query, limit, cursor });
  return answerList(c, movements.map(toMovementJson), {
    total: await countMovements(db, query),
    cursor: next,
  });
}
