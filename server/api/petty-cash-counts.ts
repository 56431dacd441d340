import { Hono } from 'hono';
import { z } from 'zod';
import type { AppEnv } from '../http/session.ts';
import { countCash, getCount, listCounts, settleCount } from '../services/petty-cash/counting.ts';
import { getFundRow } from '../services/petty-cash/reading.ts';
import { countShape, settleShape } from '../shapes/petty-cash.ts';
import { countAnswer, toCountJson } from '../shapes/petty-cash-answers.ts';
import { answerList, CREATES, pathId, takes } from './answers.ts';
import { APPROVERS, DATED, describes } from './describe.ts';

const tag = 'Caja chica';

/** What was counted in cash boxes. */
export const pettyCashCountsApi = new Hono<AppEnv>({ strict: false })
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
      problems: ['fund_short', 'same_author', 'fund_closed', ...DATED],
    }),
    takes(countShape, CREATES, async ({ db, actor, id, body }) =>
      toCountJson(await countCash(db, actor, id, { ...body, motivo: actor.motivo })),
    ),
  )
  .post(
    '/arqueos/:id{[0-9]+}/ajustar',
    describes({
      tag,
      summary: 'Ajustar la diferencia de un arqueo',
      text: `${APPROVERS} Un sobrante, otra persona que quien contó, quien tiene la caja y quien capturó sus gastos sin reponer.`,
      body: settleShape,
      once: true,
      success: { status: 200, says: 'El arqueo con su ajuste', shape: countAnswer },
      problems: ['no_difference', 'movement_fixed', 'fund_short', 'same_author', 'fund_closed', ...DATED],
    }),
    takes(settleShape, { once: true }, async ({ db, actor, id }) => {
      await settleCount(db, actor, id, actor.motivo ?? '');
      return toCountJson(await getCount(db, id));
    }),
  );
