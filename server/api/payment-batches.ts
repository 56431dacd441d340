import { Hono } from 'hono';
import { z } from 'zod';
import type { FullBatch } from '../../shared/payment-batches.ts';
import type { AppContext, AppEnv } from '../http/session.ts';
import { requirePeriods } from '../lists/filter.ts';
import { sortOf } from '../lists/list.ts';
import { batchList } from '../lists/payment-batches.ts';
import { apiShape } from '../lists/shapes.ts';
import { payBatch, returnBatch } from '../services/payment-batches/paying.ts';
import { createBatch, deleteBatch, updateBatch } from '../services/payment-batches/payment-batches.ts';
import { getBatch, searchBatches, sumBatches } from '../services/payment-batches/reading.ts';
import { authorizeBatch, permitLine, requireRead, sendBatch } from '../services/payment-batches/stages.ts';
import { formatField, parseId, parseQuery } from '../shapes/fields.ts';
import {
  batchAnswer,
  batchChangeShape,
  batchStepShape,
  datedStepShape,
  fullBatchAnswer,
  newBatchShape,
  paidBatchAnswer,
  payBatchShape,
  permitShape,
  signBatchShape,
  toBatchDraft,
  toBatchJson,
  toFullBatchJson,
} from '../shapes/payment-batches.ts';
import type { ProblemCode } from '../shapes/problems.ts';
import { answerList, CREATES, NO_PARAMETERS, pathId, removes, sendList, takes } from './answers.ts';
import { APPROVERS, DATED, describes, REFERRING } from './describe.ts';

const tag = 'Programaciones';
const listShape = apiShape(batchList)
  .extend({ format: formatField })
  .meta({ examples: [{ estado: 'borrador', limit: 50 }] });
const stored = { status: 200, says: 'Como quedó', shape: fullBatchAnswer } as const;

/** A step is taken once for its Idempotency-Key; a newer version than was seen comes with the refusal. */
const STEP = { once: true, mayLackBody: true, current: toFullBatchJson } as const;

/** What any step may meet. */
const STEP_PROBLEMS = ['batch_state', 'not_found'] as const satisfies readonly ProblemCode[];

const step = <Body extends z.ZodObject>(
  summary: string,
  text: string,
  body: Body,
  problems: readonly ProblemCode[],
  shape: z.ZodObject = fullBatchAnswer,
) =>
  describes({
    tag,
    summary,
    text,
    body,
    once: true,
    success: { ...stored, shape },
    stale: fullBatchAnswer,
    problems: [...STEP_PROBLEMS, ...problems],
  });

/** Payments to many suppliers, prepared, signed and made together. */
export const paymentBatchesApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/',
    describes({
      tag,
      summary: 'La lista de programaciones de pagos',
      query: listShape,
      success: { status: 200, says: 'Sin sus partidas', shape: z.array(batchAnswer), headers: ['page'] },
      problems: ['bad_period'],
    }),
    answerSearch,
  )
  .get(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Leer una programación de pagos',
      success: { status: 200, says: 'Con sus partidas y lo que dijo el semáforo', shape: fullBatchAnswer },
    }),
    async (c) => c.json(toFullBatchJson(await getBatch(c.get('deps').db, pathId(c)))),
  )
  .post(
    '/',
    describes({
      tag,
      summary: 'Programar pagos',
      text: 'Queda en borrador: nada se paga todavía, pero lo programado ya no cabe en otra programación abierta.',
      body: newBatchShape,
      once: true,
      success: { status: 201, says: 'Programada', shape: fullBatchAnswer },
      problems: ['over_committed', ...REFERRING],
    }),
    takes(newBatchShape, CREATES, async ({ db, actor, body }) =>
      toFullBatchJson(await createBatch(db, actor, toBatchDraft(body))),
    ),
  )
  .put(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Cambiar una programación de pagos',
      text: 'Mientras está en borrador o autorizada; una autorizada vuelve a borrador y pierde sus firmas. Lo que ya decía no cambia nada.',
      body: batchChangeShape,
      success: stored,
      stale: fullBatchAnswer,
      problems: ['over_committed', 'batch_state', ...REFERRING],
    }),
    takes(batchChangeShape, { current: toFullBatchJson }, async ({ db, actor, id, body }) => {
      const { version, ...fields } = body;
      return toFullBatchJson(await updateBatch(db, actor, id, toBatchDraft(fields), version));
    }),
  )
  .delete(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Eliminar una programación de pagos',
      text: 'Solo un borrador.',
      success: { status: 204, says: 'Eliminada' },
      problems: ['batch_state'],
    }),
    removes(NO_PARAMETERS, deleteBatch),
  )
  .post(
    '/:id{[0-9]+}/autorizar',
    step(
      'Autorizar una programación de pagos',
      `La firma quien la revisó; la última firma que hace falta la autoriza. ${APPROVERS}`,
      signBatchShape,
      ['same_author', 'already_signed'],
    ),
    takes(signBatchShape, STEP, ({ db, actor, id, body: { version } }) =>
      whole(authorizeBatch(db, actor, id, requireRead(actor, version))),
    ),
  )
  .post(
    '/:id{[0-9]+}/enviar',
    step('Marcar como enviada al banco', APPROVERS, batchStepShape, ['unsigned']),
    takes(batchStepShape, STEP, ({ db, actor, id, body: { version } }) =>
      whole(sendBatch(db, actor, id, version)),
    ),
  )
  .post(
    '/:id{[0-9]+}/pagar',
    step(
      'Pagar una programación',
      `Registra todos sus pagos o ninguno; las partidas detenidas se quedan sin pagar. ${APPROVERS}`,
      payBatchShape,
      ['unsigned', 'all_held', 'overpayment', ...DATED],
      paidBatchAnswer,
    ),
    takes(payBatchShape, STEP, async ({ db, actor, id, body: { version, ...numbers } }) => {
      const { batch, warnings } = await payBatch(db, actor, id, numbers, version);
      return { ...toFullBatchJson(batch), warnings };
    }),
  )
  .post(
    '/:id{[0-9]+}/regresar',
    step(
      'Regresar una programación',
      'Una autorizada o enviada vuelve a borrador; de una pagada se eliminan todos sus pagos y vuelve a autorizada, lo que solo pueden los roles 1 y 2. De lo que se mandó al banco hace falta `motivo`, y con `autorizacion` = `otra` otra persona que quien lo mandó.',
      datedStepShape,
      ['over_committed', 'same_sender', ...DATED],
    ),
    takes(datedStepShape, STEP, ({ db, actor, id, body: { version } }) =>
      whole(returnBatch(db, actor, id, version)),
    ),
  )
  .post(
    '/:id{[0-9]+}/partidas/:facturaproveedorId{[0-9]+}/permitir',
    step(
      'Dejar pasar una partida detenida',
      `Con un motivo, y solo en esta programación. ${APPROVERS}`,
      permitShape,
      ['same_author', 'not_held', 'firm_check'],
    ),
    takes(permitShape, STEP, ({ c, db, actor, id, body: { version } }) => {
      const invoiceId = parseId(c.req.param('facturaproveedorId') ?? '', 'Factura');
      const asked = { invoiceId, reason: actor.motivo ?? '', version: requireRead(actor, version) };
      // The reason is the line's.
      return whole(permitLine(db, { ...actor, motivo: undefined }, id, asked));
    }),
  );

const whole = (batch: Promise<FullBatch>) => batch.then(toFullBatchJson);

async function answerSearch(c: AppContext) {
  const { db } = c.get('deps');
  const parameters = parseQuery(listShape, c.req.queries());
  const { sortfield, sorttype, limit, cursor, format, ...filter } = parameters;
  requirePeriods(batchList.filters, filter);
  const query = { ...filter, sort: sortOf(batchList, sortfield), direction: sorttype, limit, cursor };
  if (format) return sendList(c, batchList, query, format);
  const page = await searchBatches(db, { ...query, limit: limit ?? 1000 });
  const { count } = await sumBatches(db, filter);
  return answerList(c, page.batches.map(toBatchJson), { total: count, cursor: page.cursor });
}
