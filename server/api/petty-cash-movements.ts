import { Hono } from 'hono';
import { z } from 'zod';
import { pettyCashTexts as texts } from '../../shared/petty-cash-texts.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import {
  acceptWithoutReceipt,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../services/petty-cash/movements.ts';
import { getFund, getMovement } from '../services/petty-cash/reading.ts';
import { countMovements, searchMovements } from '../services/petty-cash/searching.ts';
import { motivoShape, parseQuery, refuseEmptied, restoreShape } from '../shapes/fields.ts';
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
import { answerList, CREATES, pathId, removes, takes } from './answers.ts';
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

/** A step, whose body may be left out. */
const BARE = { once: true, mayLackBody: true } as const;

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
    takes(newMovementShape, CREATES, async ({ db, actor, id, body }) =>
      toSavedMovementJson(await createMovement(db, actor, id, toMovementDraft(body))),
    ),
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
    takes(movementShape, { current: toMovementJson }, async ({ db, actor, id, body, sent }) => {
      refuseEmptied(sent, { importe: texts.required });
      const { version, ...fields } = body;
      return toSavedMovementJson(await updateMovement(db, actor, id, toMovementDraft(fields), version));
    }),
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
    takes(acceptShape, { ...BARE, current: toMovementJson }, async ({ db, actor, id, body: { version } }) =>
      toMovementJson(await acceptWithoutReceipt(db, actor, id, version)),
    ),
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
    removes(motivoShape, deleteMovement),
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
    takes(restoreShape, BARE, async ({ db, actor, id }) =>
      toSavedMovementJson(await restoreMovement(db, actor, id)),
    ),
  );

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
