import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import {
  MOVEMENT_FIELDS,
  type Movement,
  type MovementDraft,
  movementTexts,
  type PettyCashFund,
  periodUntil,
} from '../../../shared/petty-cash.ts';
import { pages } from '../../../shared/urls.ts';
import { localPath } from '../../http/local-path.ts';
import { createOnce, idInPath, readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import {
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../services/petty-cash/movements.ts';
import { getFund, getMovement } from '../../services/petty-cash/reading.ts';
import { parseShape } from '../../shapes/fields.ts';
import { movementShape, toMovementDraft } from '../../shapes/petty-cash.ts';
import { answerForm, redirectWith, renderPage } from '../../shell/render.tsx';
import { readFields } from '../ui/posted.ts';
import { type FormState, keyOf, newestOf } from '../ui/record-form.tsx';
import { type FormTexts, movementTextsOf, renderMovementForm } from './form.tsx';
import { fundAddress, showFund, showFunds } from './petty-cash.tsx';

const ID = ':id{[0-9]+}';

/** Creating, editing and deleting the movements of a fund. */
export const pettyCashMovementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.newPettyCashMovement(ID), async (c) =>
    renderNew(c, await getFund(c.get('deps').db, idInPath(c)), { values: { movementdate: c.get('today') } }),
  )
  .post(pages.newPettyCashMovement(ID), async (c) => {
    const { db } = c.get('deps');
    const fund = await getFund(db, idInPath(c));
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { draft } = await readDraft(db, form);
        const saved = await createOnce(c, form, async (trx) => {
          const { movement, warnings } = await createMovement(trx, actorOf(c, form.motivo), fund.id, draft);
          return { id: movement.id, date: movement.movementdate, warnings };
        });
        const to = fundAddress(fund.id, saved.date, periodUntil(c.get('today')));
        return redirectWith(c, to, {
          text: movementTexts.created,
          about: { href: pages.pettyCashMovement(saved.id), link: 'Ver movimiento' },
          warnings: saved.warnings,
        });
      },
      (problem, status) => renderNew(c, fund, { values: form, problem, status }),
    );
  })
  .get(pages.pettyCashMovement(ID), async (c) => {
    const movement = await movementOfPath(c);
    return renderEdit(c, movement, { values: movementTextsOf(movement) });
  })
  .post(pages.pettyCashMovement(ID), async (c) => {
    const { db } = c.get('deps');
    const before = await movementOfPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { draft, version } = await readDraft(db, form, before);
        const actor = actorOf(c, form.motivo);
        const { movement, warnings } = await updateMovement(db, actor, before.id, draft, version);
        const to = fundAddress(movement.fundId, movement.movementdate, periodUntil(c.get('today')));
        return redirectWith(c, to, { text: movementTexts.updated, warnings });
      },
      (problem, status) => renderEdit(c, before, { values: form, problem, status }),
    );
  })
  .post(pages.deletePettyCashMovement(ID), async (c) => {
    const { fundId } = await movementOfPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { id } = await deleteMovement(c.get('deps').db, actorOf(c, form.motivo), idInPath(c));
        return redirectWith(c, localPath(form.next) ?? pages.pettyCashFund(fundId), {
          text: movementTexts.deleted,
          undo: pages.restorePettyCashMovement(id),
        });
      },
      (problem, status) =>
        showFund(c, { problem, status, values: form, button: 'Eliminar de todos modos' }, fundId),
    );
  })
  .post(pages.restorePettyCashMovement(ID), async (c) => {
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const actor = actorOf(c, form.motivo);
        const movement = await restoreMovement(c.get('deps').db, actor, idInPath(c));
        const to = fundAddress(movement.fundId, movement.movementdate, periodUntil(c.get('today')));
        return redirectWith(c, to, movementTexts.restored);
      },
      (problem, status) => showFunds(c, { problem, status, values: form, button: 'Deshacer de todos modos' }),
    );
  });

const movementOfPath = (c: AppContext) => getMovement(c.get('deps').db, idInPath(c));

/** A posted form → the draft, the ids behind what was typed by name in it. @throws DomainError */
async function readDraft(
  db: Db,
  form: Record<string, string>,
  former?: Movement,
): Promise<{ draft: MovementDraft; version?: number }> {
  const sent = await readFields(db, MOVEMENT_FIELDS, form, { former });
  const fields = parseShape(movementShape, { ...sent, version: form.version });
  return { draft: toMovementDraft(fields), version: fields.version };
}

async function renderNew(c: AppContext, fund: PettyCashFund, state: FormState) {
  const { idempotencyKey, problem } = keyOf(state, movementTexts.alreadySaved);
  return renderMovement(
    c,
    fund,
    'Nuevo movimiento',
    { ...state, problem },
    {
      action: pages.newPettyCashMovement(fund.id),
      back: pages.pettyCashFund(fund.id),
      hidden: { idempotencyKey },
    },
  );
}

async function renderEdit(c: AppContext, before: Movement, state: FormState) {
  const { row: movement, version } = newestOf(before, state);
  const fund = await getFund(c.get('deps').db, movement.fundId);
  return renderMovement(c, fund, 'Editar movimiento', state, {
    action: pages.pettyCashMovement(movement.id),
    back: pages.pettyCashFund(fund.id),
    hidden: { version },
    stored: movement,
  });
}

async function renderMovement(
  c: AppContext,
  fund: PettyCashFund,
  title: string,
  state: FormState,
  form: FormTexts<Movement>,
) {
  return renderPage(
    c,
    { title: `${title}: ${fund.origenderecursonombre}`, status: state.status },
    await renderMovementForm(c.get('deps').db, fund, state, form),
  );
}
