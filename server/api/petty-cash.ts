import { Hono } from 'hono';
import { z } from 'zod';
import type { Trx } from '../../db/schema.ts';
import type { PettyCashFund } from '../../shared/petty-cash.ts';
import { createOnce, readJson, readOptionalJson } from '../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../http/session.ts';
import { countCash, getCount, listCounts, settleCount } from '../services/petty-cash/counting.ts';
import { createFund, deleteFund, updateFund } from '../services/petty-cash/petty-cash.ts';
import { getFundRow, listFunds } from '../services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  listReplenishments,
  requestReplenishment,
  withdrawReplenishment,
} from '../services/petty-cash/replenishing.ts';
import { motivoShape, parseShape } from '../shapes/fields.ts';
import {
  authorizeShape,
  countShape,
  fundShape,
  newFundShape,
  replenishmentShape,
  settleShape,
  toFundDraft,
} from '../shapes/petty-cash.ts';
import {
  countAnswer,
  fundAnswer,
  replenishmentAnswer,
  toCountJson,
  toFundJson,
  toReplenishedJson,
  toReplenishmentJson,
} from '../shapes/petty-cash-answers.ts';
import { answerList, deletion, pathId, withCurrentAsJson } from './answers.ts';
import { describes } from './describe.ts';

const tag = 'Caja chica';
const APPROVERS = 'Solo para los roles 1 y 2.';

/** Cash boxes: who holds them, what is given back to them, and what was counted in them. */
export const pettyCashApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/',
    describes({
      tag,
      summary: 'Las cajas chicas',
      success: { status: 200, says: 'Con lo que hay hoy en cada una', shape: z.array(fundAnswer) },
    }),
    async (c) => {
      const funds = await listFunds(c.get('deps').db, c.get('today'));
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
      text: 'Lo que se le pone al abrirla es su primer movimiento.',
      body: newFundShape,
      once: true,
      success: { status: 201, says: 'Abierta', shape: fundAnswer },
      problems: ['fund_taken', 'fund_short', 'closed_period', 'reference_changed', 'import_running'],
    }),
    async (c) => {
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
      body: fundShape.meta({ id: 'PettyCashFundChange', examples: [{ montofijo: 8000 }] }),
      success: { status: 200, says: 'Como quedó', shape: fundAnswer },
      stale: fundAnswer,
      problems: ['fund_taken', 'fund_short', 'closed_period', 'reference_changed', 'import_running'],
    }),
    async (c) => {
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
  .delete(
    '/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Eliminar una caja chica',
      text: 'Solo una sin movimientos ni arqueos.',
      query: motivoShape,
      success: { status: 204, says: 'Eliminada' },
      problems: ['in_use', 'closed_period'],
    }),
    async (c) => {
      const { id, actor } = deletion(c);
      await deleteFund(c.get('deps').db, actor, id);
      return c.body(null, 204);
    },
  )
  .get(
    '/:id{[0-9]+}/reposiciones',
    describes({
      tag,
      summary: 'Las reposiciones de una caja chica',
      success: {
        status: 200,
        says: 'La más nueva primero',
        shape: z.array(replenishmentAnswer.omit({ movimiento: true })),
      },
    }),
    async (c) => {
      const { db } = c.get('deps');
      const { id } = await getFundRow(db, pathId(c), c.get('today'));
      const rows = (await listReplenishments(db, id)).map((one) => {
        const { movimiento: _none, ...row } = toReplenishmentJson(one, null);
        return row;
      });
      return answerList(c, rows, { total: rows.length });
    },
  )
  .post(
    '/:id{[0-9]+}/reposicion',
    describes({
      tag,
      summary: 'Reponer lo gastado',
      text: 'Agrupa los gastos comprobados que nadie ha pedido. Si quien la pide puede autorizarla, el dinero entra de una vez; si no, queda `solicitada`.',
      body: replenishmentShape,
      once: true,
      success: { status: 201, says: 'Pedida, o pagada', shape: replenishmentAnswer },
      problems: ['closed_period', 'reference_changed', 'import_running'],
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readOptionalJson(c);
      const { motivo, ...asked } = parseShape(replenishmentShape, body);
      const request = async (trx: Trx) =>
        toReplenishedJson(await requestReplenishment(trx, actorOf(c, motivo), id, asked));
      return c.json(await createOnce(c, body, request), 201);
    },
  )
  .post(
    '/reposiciones/:id{[0-9]+}/autorizar',
    describes({
      tag,
      summary: 'Autorizar una reposición',
      text: `Pone el dinero en la caja, desde su origen. ${APPROVERS}`,
      body: authorizeShape,
      once: true,
      success: { status: 200, says: 'Pagada', shape: replenishmentAnswer },
      stale: replenishmentAnswer,
      problems: [
        'same_author',
        'already_replenished',
        'closed_period',
        'reference_changed',
        'import_running',
      ],
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readOptionalJson(c);
      const { motivo, ...asked } = parseShape(authorizeShape, body);
      const authorize = async (trx: Trx) =>
        toReplenishedJson(await authorizeReplenishment(trx, actorOf(c, motivo), id, asked));
      return c.json(
        await withCurrentAsJson(
          () => createOnce(c, body, authorize),
          (current) => toReplenishmentJson(current as Parameters<typeof toReplenishmentJson>[0], null),
        ),
      );
    },
  )
  .delete(
    '/reposiciones/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Retirar una solicitud de reposición',
      text: 'Sus gastos quedan otra vez por reponer. Una pagada se retira después de eliminar su movimiento.',
      success: { status: 204, says: 'Retirada' },
      problems: ['already_replenished'],
    }),
    async (c) => {
      await withdrawReplenishment(c.get('deps').db, actorOf(c), pathId(c));
      return c.body(null, 204);
    },
  )
  .get(
    '/:id{[0-9]+}/arqueos',
    describes({
      tag,
      summary: 'Los arqueos de una caja chica',
      success: { status: 200, says: 'Los últimos, el más nuevo primero', shape: z.array(countAnswer) },
    }),
    async (c) => {
      const { db } = c.get('deps');
      const { id } = await getFundRow(db, pathId(c), c.get('today'));
      const counts = await listCounts(db, id);
      return answerList(c, counts.map(toCountJson), { total: counts.length });
    },
  )
  .post(
    '/:id{[0-9]+}/arqueo',
    describes({
      tag,
      summary: 'Contar una caja chica',
      text: 'A ciegas: solo la respuesta dice cuánto debía haber.',
      body: countShape,
      once: true,
      success: { status: 201, says: 'Guardado, con su diferencia', shape: countAnswer },
      problems: ['fund_short', 'closed_period', 'reference_changed', 'import_running'],
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readJson(c);
      const { denominaciones, sorpresa, comments, motivo } = parseShape(countShape, body);
      const count = async (trx: Trx) => {
        const draft = { denominaciones, sorpresa, comments, motivo };
        return toCountJson(await countCash(trx, actorOf(c, motivo), id, draft));
      };
      return c.json(await createOnce(c, body, count), 201);
    },
  )
  .post(
    '/arqueos/:id{[0-9]+}/ajustar',
    describes({
      tag,
      summary: 'Ajustar la diferencia de un arqueo',
      text: APPROVERS,
      body: settleShape,
      once: true,
      success: { status: 200, says: 'El arqueo con su ajuste', shape: countAnswer },
      problems: [
        'no_difference',
        'movement_fixed',
        'fund_short',
        'closed_period',
        'reference_changed',
        'import_running',
      ],
    }),
    async (c) => {
      const id = pathId(c);
      const body = await readJson(c);
      const { motivo = '' } = parseShape(settleShape, body);
      const settle = async (trx: Trx) => {
        await settleCount(trx, actorOf(c, motivo), id, motivo);
        return toCountJson(await getCount(trx, id));
      };
      return c.json(await createOnce(c, body, settle));
    },
  );

const fundJson = async (c: AppContext, id: number) =>
  toFundJson(await getFundRow(c.get('deps').db, id, c.get('today')));
