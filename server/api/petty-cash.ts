import { Hono } from 'hono';
import { z } from 'zod';
import type { Trx } from '../../db/schema.ts';
import type { PettyCashFund } from '../../shared/petty-cash.ts';
import { createOnce, readJson, readOptionalJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { requireApprover } from '../services/payment-batches/stages.ts';
import { closeFund, createFund, deleteFund, updateFund } from '../services/petty-cash/funds.ts';
import { getFundRow, listFunds } from '../services/petty-cash/reading.ts';
import { motivoShape, parseQuery, parseShape } from '../shapes/fields.ts';
import { acceptShape, fundShape, fundsShape, newFundShape, toFundDraft } from '../shapes/petty-cash.ts';
import { fundAnswer, toFundJson } from '../shapes/petty-cash-answers.ts';
import { answerList, deletion, pathId, withCurrentAsJson } from './answers.ts';
import { APPROVERS, DATED, describes } from './describe.ts';

const tag = 'Caja chica';

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
    async (c) => {
      requireApprover(actorOf(c));
      const body = await readJson(c);
      const { apertura, motivo, ...fields } = parseShape(newFundShape, body);
      const create = async (trx: Trx) => {
        const fund = await createFund(trx, actorOf(c, motivo), toFundDraft(fields), apertura);
        return toFundJson(await getFundRow(trx, fund.id, c.get('today')));
      };
      return c.json(await createOnce(c, body, create), 201);
    },
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
    async (c) => {
      requireApprover(actorOf(c));
      const { db } = c.get('deps');
      const id = pathId(c);
      const { version, motivo, ...fields } = parseShape(fundShape, await readJson(c));
      const change = () => updateFund(db, actorOf(c, motivo), id, toFundDraft(fields), version);
      // Its figures are not what somebody else saved.
      const stored = await getFundRow(db, id, c.get('today'));
      await withCurrentAsJson(change, (current) => toFundJson({ ...stored, ...(current as PettyCashFund) }));
      return c.json(await fundJson(c, id));
    },
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
    async (c) => {
      requireApprover(actorOf(c));
      const id = pathId(c);
      const body = await readOptionalJson(c);
      const { version, motivo } = parseShape(acceptShape, body);
      const stored = await getFundRow(c.get('deps').db, id, c.get('today'));
      const close = async (trx: Trx) =>
        toFundJson({ ...stored, ...(await closeFund(trx, actorOf(c, motivo), id, version)) });
      return c.json(
        await withCurrentAsJson(
          () => createOnce(c, body, close),
          (current) => toFundJson({ ...stored, ...(current as PettyCashFund) }),
        ),
      );
    },
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
    async (c) => {
      const { id, actor } = deletion(c);
      await deleteFund(c.get('deps').db, actor, id);
      return c.body(null, 204);
    },
  );

const fundJson = async (c: AppContext, id: number) =>
  toFundJson(await getFundRow(c.get('deps').db, id, c.get('today')));
