import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  type Movement,
  type MovementDraft,
  movementTexts,
  type PettyCashFund,
  periodUntil,
} from '../../../shared/petty-cash.ts';
import { pages } from '../../../shared/urls.ts';
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
import { pickedId } from '../ui/pickers.ts';
import { localPath } from '../users/session.tsx';
import { type FormState, type FormTexts, fieldsOf, MovementForm, movementTextsOf } from './form.tsx';
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
          const { movement, warnings } = await createMovement(trx, actorOf(c), fund.id, draft);
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
        const { movement, warnings } = await updateMovement(db, actorOf(c), before.id, draft, version);
        const to = fundAddress(movement.fundId, movement.movementdate, periodUntil(c.get('today')));
        return redirectWith(c, to, { text: movementTexts.updated, warnings });
      },
      (problem, status) => renderEdit(c, before, { values: form, problem, status }),
    );
  })
  .post(pages.deletePettyCashMovement(ID), async (c) => {
    const { fundId } = await movementOfPath(c);
    const { next } = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { id } = await deleteMovement(c.get('deps').db, actorOf(c), idInPath(c));
        return redirectWith(c, localPath(next) ?? pages.pettyCashFund(fundId), {
          text: movementTexts.deleted,
          undo: pages.restorePettyCashMovement(id),
        });
      },
      (problem, status) => showFund(c, problem, status, fundId),
    );
  })
  .post(pages.restorePettyCashMovement(ID), (c) =>
    answerForm(
      c,
      async () => {
        const movement = await restoreMovement(c.get('deps').db, actorOf(c), idInPath(c));
        const to = fundAddress(movement.fundId, movement.movementdate, periodUntil(c.get('today')));
        return redirectWith(c, to, movementTexts.restored);
      },
      (problem, status) => showFunds(c, problem, status),
    ),
  );

const movementOfPath = (c: AppContext) => getMovement(c.get('deps').db, idInPath(c));

/** A posted form → the draft, the ids behind what was typed by name in it. @throws DomainError */
async function readDraft(
  db: Db,
  form: Record<string, string>,
  before?: Movement,
): Promise<{ draft: MovementDraft; version?: number }> {
  const sent: Record<string, string | undefined> = { ...fieldsOf('movement', form), version: form.version };
  const job = { id: before?.jobId ?? null, name: before?.jobtitle ?? null };
  const rubro = { id: before?.rubroId ?? null, name: before?.nombrerubro ?? null };
  sent.jobId = await pickedId(db, jobs, 'jobId', form, job);
  sent.rubroId = await pickedId(db, rubros, 'rubroId', form, rubro);
  const fields = parseShape(movementShape, sent);
  return { draft: toMovementDraft(fields), version: fields.version };
}

async function renderNew(c: AppContext, fund: PettyCashFund, { problem, ...state }: FormState) {
  // The key has served for another movement (the browser's back button): what is sent next is a new one.
  const isUsed = problem?.code === 'idempotency_key_reused';
  const key = (!isUsed && state.values.idempotencyKey) || crypto.randomUUID();
  const shown = isUsed ? new DomainError('conflict', movementTexts.alreadySaved) : problem;
  return renderMovement(
    c,
    fund,
    'Nuevo movimiento',
    { ...state, problem: shown },
    {
      action: pages.newPettyCashMovement(fund.id),
      back: pages.pettyCashFund(fund.id),
      hidden: { idempotencyKey: key },
    },
  );
}

async function renderEdit(c: AppContext, before: Movement, state: FormState) {
  // After a stale save the form carries the newer version, so that saving again means it.
  const current = state.problem?.extra?.current as Movement | undefined;
  const movement = current ?? before;
  const version = String(current?.version ?? state.values.version ?? movement.version);
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
    await MovementForm({ db: c.get('deps').db, fund, state, form }),
  );
}
