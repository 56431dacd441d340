import { Hono } from 'hono';
import type { Replenished } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath, readRowsForm } from '../../http/request.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { requireRead } from '../../services/payment-batches/stages.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  undoReplenishment,
  withdrawReplenishment,
} from '../../services/petty-cash/replenishing.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { authorizeShape, replenishmentShape } from '../../shapes/petty-cash.ts';
import { type RefusedForm, redirectWith, takeFields, takeForm } from '../../shell/render.tsx';
import { ALL, CHOSEN, renderReplenishing } from './replenishing-choice.tsx';
import { renderReplenishment } from './replenishment.tsx';

const ID = ':id{[0-9]+}';

/** More expenses than are asked for at once. */
const MOST_CHOSEN = 1000;

/** Asking for money, and putting it into a box. */
export const pettyCashReplenishmentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCashReplenishments(ID), (c) => renderReplenishing(c, { values: {} }))
  .post(pages.pettyCashReplenishments(ID), async (c) => {
    const { fields, listed } = await readRowsForm(c, CHOSEN, MOST_CHOSEN);
    const again = (_: AppContext, refused: RefusedForm) =>
      renderReplenishing(c, { ...refused, chosen: listed });
    return takeFields(c, fields, again, async ({ form, actor }) => {
      const { fecha, comments } = parseShape(replenishmentShape, {
        fecha: form.fecha,
        comments: form.comments,
      });
      const movementIds = form[ALL] === 'on' ? undefined : listed.map((id) => parseId(id, 'Gasto'));
      const draft = { fecha, movementIds, comments };
      const done = await createOnce(c, { ...form, listed }, async (trx) =>
        summaryOf(await requestReplenishment(trx, actor, idInPath(c), draft)),
      );
      return redirectWith(c, pages.pettyCashReplenishment(done.id), done.text);
    });
  })
  .get(pages.pettyCashReplenishment(ID), (c) => renderReplenishment(c))
  .post(pages.pettyCashReplenishmentStep(ID, 'autorizar'), (c) =>
    takeForm(c, showRefused, async ({ form: { motivo: _motivo, ...form }, db, actor }) => {
      const { fecha, version } = parseShape(authorizeShape, form);
      const asked = { fecha, version: requireRead(actor, version) };
      return leadBack(c, summaryOf(await authorizeReplenishment(db, actor, idInPath(c), asked)).text);
    }),
  )
  .post(pages.pettyCashReplenishmentStep(ID, 'retirar'), (c) =>
    takeForm(c, showRefused, async ({ form, db, actor }) => {
      const { version } = parseShape(authorizeShape, { version: form.version });
      const { fundId } = await withdrawReplenishment(db, actor, idInPath(c), version);
      return redirectWith(c, pages.pettyCashReplenishments(fundId), texts.requestDeleted);
    }),
  )
  .post(pages.pettyCashReplenishmentStep(ID, 'deshacer'), (c) =>
    takeForm(c, showRefused, async ({ db, actor }) => {
      await undoReplenishment(db, actor, idInPath(c));
      return leadBack(c, texts.takenBack);
    }),
  );

const leadBack = (c: AppContext, text: string) =>
  redirectWith(c, pages.pettyCashReplenishment(idInPath(c)), text);

const showRefused = (c: AppContext, refused: RefusedForm) =>
  renderReplenishment(c, { ...refused, asked: c.req.path });

/** What a repeated form leads to as well. */
export const summaryOf = ({ replenishment: { id, importeCents }, movement }: Replenished) => ({
  id,
  text: movement ? texts.replenished(importeCents) : texts.requested(importeCents),
});
