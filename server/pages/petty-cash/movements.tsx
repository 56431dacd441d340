import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  effectOf,
  MOVEMENT_KINDS,
  type Movement,
  type MovementDraft,
  type MovementKind,
  type PettyCashFund,
  periodUntil,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { pages } from '../../../shared/urls.ts';
import { createOnce, idInPath, localPath, readForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import {
  acceptWithoutReceipt,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../services/petty-cash/movements.ts';
import { getFund, getMovement } from '../../services/petty-cash/reading.ts';
import { requestReplenishment } from '../../services/petty-cash/replenishing.ts';
import { needsAnother } from '../../services/petty-cash/requests.ts';
import { parseShape, refuseEmptied } from '../../shapes/fields.ts';
import { movementShape, newMovementShape, toMovementDraft } from '../../shapes/petty-cash.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { readFields } from '../ui/posted.ts';
import { versionIn } from '../ui/record-form.tsx';
import { fieldsOf, movementTextsOf } from './form.tsx';
import { renderMovement, renderNewMovement } from './movement.tsx';
import { fundAddress, showFund, showFunds } from './petty-cash.tsx';
import { summaryOf } from './replenishing.tsx';
import { attachSent, type MovementForm, readExpense, readMovementForm, withoutFiles } from './sent-files.tsx';

const ID = ':id{[0-9]+}';

/** Creating, editing and deleting the movements of a fund. */
export const pettyCashMovementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.newPettyCashMovement(ID), async (c) => {
    const fund = await getFund(c.get('deps').db, idInPath(c));
    const values = {
      tipo: kindIn(c.req.query('tipo')),
      fecha: c.get('today'),
      jobId: String(fund.jobId ?? ''),
    };
    return renderNewMovement(c, fund, { values });
  })
  .post(pages.newPettyCashMovement(ID), async (c) => {
    const { db } = c.get('deps');
    const fund = await getFund(db, idInPath(c));
    const { form, problem: wrongFile } = await readMovementForm(c);
    return answerForm(
      c,
      async () => {
        if (wrongFile) throw wrongFile;
        const draft = toMovementDraft(parseShape(newMovementShape, await readPosted(c, form)));
        if (await isAskedFor(db, draft)) return askForMoney(c, fund, form, draft);
        const saved = await createOnce(c, withoutFiles(form), async (trx) => {
          const actor = actorOf(c, form.motivo);
          const { movement, warnings } = await createMovement(trx, actor, fund.id, draft);
          await attachSent(trx, c, form, movement.id);
          return { id: movement.id, date: movement.fecha, warnings };
        });
        const to = fundAddress(fund.id, saved.date, periodUntil(c.get('today')));
        return redirectWith(c, to, {
          text: texts.created,
          about: { href: pages.pettyCashMovement(saved.id), link: 'Ver movimiento' },
          warnings: saved.warnings,
        });
      },
      (problem, status) => renderNewMovement(c, fund, { values: form, problem, status }),
    );
  })
  .post(pages.readNewPettyCashXml(ID), async (c) => {
    const fund = await getFund(c.get('deps').db, idInPath(c));
    const { form, problem: wrongFile } = await readMovementForm(c);
    return answerForm(
      c,
      async () => {
        if (wrongFile) throw wrongFile;
        return renderNewMovement(c, fund, { values: await readExpense(c, form) });
      },
      (problem, status) => renderNewMovement(c, fund, { values: form, problem, status }),
    );
  })
  .get(pages.pettyCashMovement(ID), async (c) => {
    const movement = await movementOfPath(c);
    if (movement.tipo === 'reposicion')
      return c.redirect(pages.pettyCashReplenishment(movement.replenishmentId!), 303);
    return renderMovement(c, movement, { values: movementTextsOf(movement) });
  })
  .post(pages.pettyCashMovement(ID), async (c) => {
    const { db } = c.get('deps');
    const before = await movementOfPath(c);
    const { form, problem: wrongFile } = await readMovementForm(c);
    return answerForm(
      c,
      async () => {
        if (wrongFile) throw wrongFile;
        const posted = await readPosted(c, form, before);
        refuseEmptied(posted, { importe: texts.required });
        const fields = parseShape(movementShape, { ...posted, version: form.version });
        const { movement, warnings } = await inTransaction(db, async (trx) => {
          const actor = actorOf(c, form.motivo);
          const saved = await updateMovement(trx, actor, before.id, toMovementDraft(fields), fields.version);
          await attachSent(trx, c, form, before.id);
          return saved;
        });
        const to = fundAddress(movement.fundId, movement.fecha, periodUntil(c.get('today')));
        return redirectWith(c, to, { text: texts.updated, warnings });
      },
      (problem, status) => renderMovement(c, before, { values: form, problem, status }),
    );
  })
  .post(pages.readPettyCashXml(ID), async (c) => {
    const before = await movementOfPath(c);
    const { form, problem: wrongFile } = await readMovementForm(c);
    return answerForm(
      c,
      async () => {
        if (wrongFile) throw wrongFile;
        return renderMovement(c, before, { values: await readExpense(c, form) });
      },
      (problem, status) => renderMovement(c, before, { values: form, problem, status }),
    );
  })
  .post(pages.acceptPettyCashMovement(ID), async (c) => {
    requireApprover(actorOf(c));
    const before = await movementOfPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const actor = actorOf(c, form.motivo);
        await acceptWithoutReceipt(c.get('deps').db, actor, before.id, versionIn(form.version));
        return redirectWith(c, pages.pettyCashFund(before.fundId), texts.accepted);
      },
      (problem, status) => {
        const values = { ...movementTextsOf(before), ...(form.motivo && { motivo: form.motivo }) };
        return renderMovement(c, before, { values, problem, status, asked: c.req.path });
      },
    );
  })
  .post(pages.deletePettyCashMovement(ID), async (c) => {
    const { fundId } = await movementOfPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const deleted = await deleteMovement(c.get('deps').db, actorOf(c, form.motivo), idInPath(c));
        return redirectWith(c, localPath(form.next) ?? pages.pettyCashFund(fundId), {
          text: texts.deleted,
          undo: effectOf(deleted) > 0 ? undefined : pages.restorePettyCashMovement(deleted.id),
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
        const { movement, warnings } = await restoreMovement(c.get('deps').db, actor, idInPath(c));
        const to = fundAddress(movement.fundId, movement.fecha, periodUntil(c.get('today')));
        return redirectWith(c, to, { text: texts.restored, warnings });
      },
      (problem, status) => showFunds(c, { problem, status, values: form, button: 'Deshacer de todos modos' }),
    );
  });

/** Whether somebody else has a say in it: what goes into a box is then asked for. */
const isAskedFor = async (db: Db, { tipo = 'gasto', importeCents = 0 }: MovementDraft) =>
  effectOf({ tipo, importeCents }) > 0 && (await needsAnother(db));

async function askForMoney(
  c: AppContext,
  { id: fundId }: PettyCashFund,
  form: MovementForm,
  { tipo, fecha, concepto, importeCents, comments }: MovementDraft,
) {
  const draft = {
    tipo: tipo === 'ajuste' ? tipo : 'apertura',
    fecha,
    concepto,
    importeCents,
    comments,
  } as const;
  const done = await createOnce(c, withoutFiles(form), async (trx) =>
    summaryOf(await requestReplenishment(trx, actorOf(c, form.motivo), fundId, draft)),
  );
  return redirectWith(c, pages.pettyCashReplenishment(done.id), done.text);
}

const movementOfPath = (c: AppContext) => getMovement(c.get('deps').db, idInPath(c));

/** What an address asks for; a gasto where it asks for nothing that is captured. */
function kindIn(asked: string | undefined): MovementKind {
  const kind = MOVEMENT_KINDS.find((one) => one === asked);
  return kind && kind !== 'reposicion' ? kind : 'gasto';
}

/** A posted form's fields, the ids behind what was typed by name in it. @throws DomainError */
async function readPosted(c: AppContext, form: MovementForm, former?: Movement) {
  const tipo = former?.tipo ?? kindIn(form.tipo);
  const sent = await readFields(c.get('deps').db, fieldsOf(tipo), form, { former });
  return { ...sent, tipo } satisfies Record<string, string | undefined> & Pick<MovementDraft, 'tipo'>;
}
