import { Hono } from 'hono';
import type { Replenished } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath, readForm, readRowsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { requireRead } from '../../services/payment-batches/stages.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  undoReplenishment,
  withdrawReplenishment,
} from '../../services/petty-cash/replenishing.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { authorizeShape, replenishmentShape } from '../../shapes/petty-cash.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { ALL, CHOSEN, renderReplenishing } from './replenishing-choice.tsx';
import { renderReplenishment } from './replenishment.tsx';

const ID = ':id{[0-9]+}';

/** More expenses than are asked for at once. */
const MOST_CHOSEN = 1000;

/** Asking for money, and putting it into a box. */
export const pettyCashReplenishmentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCashReplenishments(ID), (c) => renderReplenishing(c, { values: {} }))
  .post(pages.pettyCashReplenishments(ID), async (c) => {
    const fundId = idInPath(c);
    const { fields: form, listed } = await readRowsForm(c, CHOSEN, MOST_CHOSEN);
    return answerForm(
      c,
      async () => {
        const { fecha, comments } = parseShape(replenishmentShape, {
          fecha: form.fecha,
          comments: form.comments,
        });
        const movementIds = form[ALL] === 'on' ? undefined : listed.map((id) => parseId(id, 'Gasto'));
        const actor = actorOf(c, form.motivo);
        const done = await createOnce(c, { ...form, listed }, async (trx) =>
          summaryOf(await requestReplenishment(trx, actor, fundId, { fecha, movementIds, comments })),
        );
        return redirectWith(c, pages.pettyCashReplenishment(done.id), done.text);
      },
      (problem, status) => renderReplenishing(c, { values: form, chosen: listed, problem, status }),
    );
  })
  .get(pages.pettyCashReplenishment(ID), (c) => renderReplenishment(c, idInPath(c)))
  .post(pages.pettyCashReplenishmentStep(ID, 'autorizar'), (c) =>
    takeStep(c, async (id, { motivo, ...form }) => {
      const asked = parseShape(authorizeShape, form);
      const actor = actorOf(c, motivo);
      const { fecha, version } = { ...asked, version: requireRead(actor, asked.version) };
      return summaryOf(await authorizeReplenishment(c.get('deps').db, actor, id, { fecha, version })).text;
    }),
  )
  .post(pages.pettyCashReplenishmentStep(ID, 'retirar'), async (c) => {
    const id = idInPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { version } = parseShape(authorizeShape, { version: form.version });
        const { fundId } = await withdrawReplenishment(c.get('deps').db, actorOf(c), id, version);
        return redirectWith(c, pages.pettyCashReplenishments(fundId), texts.requestDeleted);
      },
      (problem, status) => renderReplenishment(c, id, { values: form, problem, status, asked: c.req.path }),
    );
  })
  .post(pages.pettyCashReplenishmentStep(ID, 'deshacer'), (c) =>
    takeStep(c, async (id, { motivo }) => {
      await undoReplenishment(c.get('deps').db, actorOf(c, motivo), id);
      return texts.takenBack;
    }),
  );

/** What a repeated form leads to as well. */
export const summaryOf = ({ replenishment: { id, importeCents }, movement }: Replenished) => ({
  id,
  text: movement ? texts.replenished(importeCents) : texts.requested(importeCents),
});

/** Leads back to it, which says what was done, or why it was not. */
async function takeStep(c: AppContext, take: (id: number, form: Record<string, string>) => Promise<string>) {
  const id = idInPath(c);
  const form = await readForm(c);
  return answerForm(
    c,
    async () => redirectWith(c, pages.pettyCashReplenishment(id), await take(id, form)),
    (problem, status) => renderReplenishment(c, id, { values: form, problem, status, asked: c.req.path }),
  );
}
