import { Hono } from 'hono';
import { z } from 'zod';
import type { Replenishment } from '../../shared/petty-cash-counts.ts';
import type { AppEnv } from '../http/session.ts';
import { requireRead } from '../services/payment-batches/stages.ts';
import { getFundRow } from '../services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  withdrawReplenishment,
} from '../services/petty-cash/replenishing.ts';
import { listReplenishments } from '../services/petty-cash/requests.ts';
import { authorizeShape, replenishmentShape } from '../shapes/petty-cash.ts';
import {
  replenishmentAnswer,
  replenishmentRowAnswer,
  toReplenishedJson,
  toReplenishmentJson,
  toReplenishmentRowJson,
} from '../shapes/petty-cash-answers.ts';
import { answerList, CREATES, NO_PARAMETERS, pathId, removes, takes } from './answers.ts';
import { APPROVERS, DATED, describes } from './describe.ts';

const tag = 'Caja chica';

/** What is put into cash boxes, and asked for before. */
export const pettyCashReplenishmentsApi = new Hono<AppEnv>({ strict: false })
  .get(
    '/:id{[0-9]+}/reposiciones',
    describes({
      tag,
      summary: 'Las reposiciones de una caja chica',
      success: {
        status: 200,
        says: 'La más nueva primero',
        shape: z.array(replenishmentRowAnswer),
      },
    }),
    async (c) => {
      const { db } = c.get('deps');
      const { id } = await getFundRow(db, pathId(c), c.get('today'));
      const rows = await listReplenishments(db, id);
      return answerList(c, rows.map(toReplenishmentRowJson), { total: rows.length });
    },
  )
  .post(
    '/:id{[0-9]+}/reposicion',
    describes({
      tag,
      summary: 'Pedir dinero para la caja',
      text: 'Agrupa los gastos comprobados que nadie ha pedido; con `tipo` `apertura` o `ajuste`, solo para los roles 1 y 2, pide `importe` por `concepto`. Queda `solicitada` hasta que otra persona la autoriza; si el ajuste `autorizacion` es `misma` y quien la pide puede autorizarla, entra de una vez.',
      body: replenishmentShape,
      once: true,
      success: { status: 201, says: 'Pedida, o pagada', shape: replenishmentAnswer },
      problems: ['fund_closed', ...DATED],
    }),
    takes(
      replenishmentShape,
      { ...CREATES, mayLackBody: true },
      async ({ db, actor, id, body: { importe, ...asked } }) =>
        toReplenishedJson(await requestReplenishment(db, actor, id, { ...asked, importeCents: importe })),
    ),
  )
  .post(
    '/reposiciones/:id{[0-9]+}/autorizar',
    describes({
      tag,
      summary: 'Autorizar lo que se pidió',
      text: `Pone el dinero en la caja, desde su origen. ${APPROVERS} No la autoriza quien la pidió, quien tiene o tenía la caja, ni quien capturó o cambió los gastos sin reponer.`,
      body: authorizeShape,
      once: true,
      success: { status: 200, says: 'Pagada', shape: replenishmentAnswer },
      stale: replenishmentAnswer,
      problems: ['same_author', 'already_replenished', 'fund_closed', ...DATED],
    }),
    takes(
      authorizeShape,
      {
        once: true,
        mayLackBody: true,
        current: (stored: Replenishment) => toReplenishmentJson(stored, null),
      },
      async ({ db, actor, id, body: { fecha, version } }) => {
        const asked = { fecha, version: requireRead(actor, version) };
        return toReplenishedJson(await authorizeReplenishment(db, actor, id, asked));
      },
    ),
  )
  .delete(
    '/reposiciones/:id{[0-9]+}',
    describes({
      tag,
      summary: 'Retirar una solicitud de reposición',
      text: 'Sus gastos quedan otra vez por reponer. Una apertura o un ajuste lo retiran los roles 1 y 2. Una pagada se retira después de eliminar su movimiento.',
      success: { status: 204, says: 'Retirada' },
      problems: ['already_replenished', 'fund_closed'],
    }),
    removes(NO_PARAMETERS, withdrawReplenishment),
  );
