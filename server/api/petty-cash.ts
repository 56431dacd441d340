import { Hono, type MiddlewareHandler } from 'hono';
import { z } from 'zod';
import type { Db } from '../../db/schema.ts';
import type { PettyCashFund } from '../../shared/petty-cash.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import { closeFund, createFund, deleteFund, updateFund } from '../services/petty-cash/funds.ts';
import { getFundRow, listFunds } from '../services/petty-cash/reading.ts';
import { motivoShape, parseQuery } from '../shapes/fields.ts';
import { acceptShape, fundShape, fundsShape, newFundShape, toFundDraft } from '../shapes/petty-cash.ts';
import { fundAnswer, toFundJson } from '../shapes/petty-cash-answers.ts';
import { answerList, CREATES, pathId, removes, takes } from './answers.ts';
import { APPROVERS, DATED, describes } from './describe.ts';

const tag = 'Caja chica';

const forApprovers: MiddlewareHandler<AppEnv> = (c, next) => {
  requireApprover(actorOf(c));
  return next();
};

/** A fund as somebody else saved it; its figures are none of what was saved. */
const currentJson = async (stored: PettyCashFund, c: AppContext) =>
  toFundJson({ ...(await getFundRow(c.get('deps').db, stored.id, c.get('today'))), ...stored });

const CLOSES = { once: true, mayLackBody: true, current: currentJson } as const;

/** Cash boxes, and who holds them. */
export const pettyCashApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/',
    describes({
      tag,
      summary: 'Las cajas chicas',
      text: 'Las abiertas, si no dice otra cosa.',
      query: fundsShape,
      success: { status: 200, says: 'Con lo que hay hoy en cada una', shape: z.array(fundAnswer) },
    }),
    async (c) => {
      const { estado = 'abiertas' } = parseQuery(fundsShape, c.req.queries());
      const funds = await listFunds(c.get('deps').db, c.get('today'), estado);
      return answerList(c, funds.map(toFundJson), { total: funds.length });
    },
  )
  .get(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Leer una caja chica',
      success: { status: 200, says: 'Con lo que hay hoy en ella', shape: fundAnswer },
    }),
    async (c) => c.json(await fundJson(c, pathId(c))),
  )
  .post(
    '/',
    describes({
      tag,
      summary: 'Abrir una caja chica',
      text: `Lo que se le pone al abrirla es su primer movimiento, cuando otra persona lo autoriza. ${APPROVERS}`,
      body: newFundShape,
      once: true,
      success: { status: 201, says: 'Abierta', shape: fundAnswer },
      problems: ['fund_taken', 'fund_short', ...DATED],
    }),
    forApprovers,
    takes(newFundShape, CREATES, async ({ c, db, actor, body: { apertura, ...fields } }) => {
      const { id } = await createFund(db, actor, toFundDraft(fields), apertura);
      return fundJson(c, id, db);
    }),
  )
  .put(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Cambiar una caja chica',
      text: `Subir \`montofijo\` pide la diferencia, y vale cuando otra persona la autoriza. ${APPROVERS}`,
      body: fundShape.meta({ id: 'PettyCashFundChange', examples: [{ montofijo: 8000 }] }),
      success: { status: 200, says: 'Como quedó', shape: fundAnswer },
      stale: fundAnswer,
      problems: ['fund_taken', 'fund_short', 'fund_closed', ...DATED],
    }),
    forApprovers,
    takes(fundShape, { current: currentJson }, async ({ c, db, actor, id, body }) => {
      const { version, ...fields } = body;
      await updateFund(db, actor, id, toFundDraft(fields), version);
      return fundJson(c, id);
    }),
  )
  .post(
    '/:id{[0-9]+}/cerrar',
    describes({
      tag,
      summary: 'Cerrar una caja chica',
      text: `Una en la que no hay nada, y de la que no falta ningún comprobante ni espera nada su autorización. Se queda entre las cerradas. ${APPROVERS}`,
      body: acceptShape,
      mayLackBody: true,
      once: true,
      success: { status: 200, says: 'Cerrada', shape: fundAnswer },
      stale: fundAnswer,
      problems: ['fund_not_settled', 'fund_closed'],
    }),
    forApprovers,
    takes(acceptShape, CLOSES, async ({ c, db, actor, id, body: { version } }) =>
      toFundJson({
        ...(await getFundRow(db, id, c.get('today'))),
        ...(await closeFund(db, actor, id, version)),
      }),
    ),
  )
  .delete(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Eliminar una caja chica',
      text: `Solo una sin movimientos ni arqueos. ${APPROVERS}`,
      query: motivoShape,
      success: { status: 204, says: 'Eliminada' },
      problems: ['in_use', 'fund_closed', 'closed_period'],
    }),
    removes(motivoShape, deleteFund),
  );

const fundJson = async (c: AppContext, id: number, db: Db = c.get('deps').db) =>
  toFundJson(await getFundRow(db, id, c.get('today')));
