import { Hono } from 'hono';
import { pluralize } from '../../../shared/counts.ts';
import { formatLongDate } from '../../../shared/dates.ts';
import type { ReplenishmentWithMovement } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, readFormWithList, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, requireSession } from '../../http/session.ts';
import { requireApproverAndVersion } from '../../services/payment-batches/stages.ts';
import { getFund } from '../../services/petty-cash/reading.ts';
import {
  authorizeReplenishment,
  requestReplenishment,
  undoReplenishment,
  withdrawReplenishment,
} from '../../services/petty-cash/replenishing.ts';
import { getReplenishment } from '../../services/petty-cash/requests.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import {
  authorizeReplenishmentShape,
  newReplenishmentShape,
  replenishedExpensesQueryShape,
} from '../../shapes/petty-cash.ts';
import { handleForm, handleParsedForm, type RefusedForm, redirectWithMessage } from '../../shell/render.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { parseListQuery } from '../ui/list-layout.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { needsReason, ReasonField } from '../ui/refusal-reason.tsx';
import { SignatureNotes } from '../ui/signature-notes.tsx';
import { NextActionBar } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { renderFundSubpage } from './fund-page.tsx';
import { EXPENSE_TABLE_COLUMNS, renderExpenses } from './movement-table.tsx';
import {
  ALL_EXPENSES_FIELD,
  CHOSEN_EXPENSES_FIELD,
  ReplenishmentChip,
  renderExpenseChoice,
  replenishmentName,
} from './replenishing-choice.tsx';

const MAX_CHOSEN = 1000;

export const pettyCashReplenishmentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.pettyCashReplenishments(ID_SEGMENT), (c) => renderExpenseChoice(c, { values: {} }))
  .post(pages.pettyCashReplenishments(ID_SEGMENT), async (c) => {
    const { fields, listed } = await readFormWithList(c, CHOSEN_EXPENSES_FIELD, MAX_CHOSEN);
    const renderRefused = (_: AppContext, refused: RefusedForm) =>
      renderExpenseChoice(c, { ...refused, chosen: listed });
    return handleParsedForm(c, fields, renderRefused, async ({ form, actor }) => {
      const { fecha, comments } = parseShape(newReplenishmentShape, {
        fecha: form.fecha,
        comments: form.comments,
      });
      const movementIds =
        form[ALL_EXPENSES_FIELD] === 'on' ? undefined : listed.map((id) => parseId(id, 'Gasto'));
      const draft = { fecha, movementIds, comments };
      const done = await writeOnce(c, { ...form, listed }, async (trx) =>
        replenishmentMessage(await requestReplenishment(trx, actor, idInPath(c), draft)),
      );
      return redirectWithMessage(c, pages.pettyCashReplenishment(done.id), done.text);
    });
  })
  .get(pages.pettyCashReplenishment(ID_SEGMENT), (c) => renderReplenishment(c))
  .post(pages.pettyCashReplenishmentStep(ID_SEGMENT, 'autorizar'), (c) =>
    handleForm(c, showRefusedStep, async ({ form: { motivo: _motivo, ...form }, db, actor }) => {
      const { fecha, version } = parseShape(authorizeReplenishmentShape, form);
      const stepAddress = { fecha, version: requireApproverAndVersion(actor, version) };
      return redirectToReplenishment(
        c,
        replenishmentMessage(await authorizeReplenishment(db, actor, idInPath(c), stepAddress)).text,
      );
    }),
  )
  .post(pages.pettyCashReplenishmentStep(ID_SEGMENT, 'retirar'), (c) =>
    handleForm(c, showRefusedStep, async ({ form, db, actor }) => {
      const { version } = parseShape(authorizeReplenishmentShape, { version: form.version });
      const { fundId } = await withdrawReplenishment(db, actor, idInPath(c), version);
      return redirectWithMessage(c, pages.pettyCashReplenishments(fundId), texts.requestDeleted);
    }),
  )
  .post(pages.pettyCashReplenishmentStep(ID_SEGMENT, 'deshacer'), (c) =>
    handleForm(c, showRefusedStep, async ({ db, actor }) => {
      await undoReplenishment(db, actor, idInPath(c));
      return redirectToReplenishment(c, texts.takenBack);
    }),
  );

const redirectToReplenishment = (c: AppContext, text: string) =>
  redirectWithMessage(c, pages.pettyCashReplenishment(idInPath(c)), text);

const showRefusedStep = (c: AppContext, refused: RefusedForm) =>
  renderReplenishment(c, { ...refused, stepAddress: c.req.path });

/** Stored with the idempotency key, so that a repeated request gets the same message. */
export const replenishmentMessage = ({
  replenishment: { id, importeCents },
  movement,
}: ReplenishmentWithMovement) => ({
  id,
  text: movement ? texts.replenished(importeCents) : texts.requested(importeCents),
});

const AUTHORIZE_FORM_ID = 'autorizar';

async function renderReplenishment(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const replenishment = await getReplenishment(db, id);
  const { fundId, tipo, concepto, fecha, estado, requester, authorizer } = replenishment;
  const { count, importeCents, comments, version, note } = replenishment;
  const fund = await getFund(db, fundId);
  const mayApprove = mayEnter('approval', requireSession(c).roles);
  const isPending = estado === 'solicitada';
  const { problem, stepAddress } = state;
  const replenishmentStepAddress = (name: string) => pages.pettyCashReplenishmentStep(id, name);
  const isRefused = stepAddress === replenishmentStepAddress('autorizar');
  return renderFundSubpage(
    c,
    { title: replenishmentName(replenishment), fund, state, auditedRow: ['petty-cash-replenishments', id] },
    <>
      <NextActionBar
        label={replenishmentName(replenishment)}
        state={<ReplenishmentChip estado={estado} />}
        sum={{
          label: tipo === 'reposicion' ? pluralize(count, 'gasto', 'gastos') : 'Importe',
          cents: importeCents,
        }}
        missingText={
          isPending && !mayApprove && 'Falta autorizar: lo hace otra persona de Dirección o Contabilidad.'
        }
        nextAction={
          isPending &&
          mayApprove && (
            <Button look="primary" icon="check" form={AUTHORIZE_FORM_ID}>
              Autorizar
            </Button>
          )
        }
        moreActions={[
          isPending && (mayApprove || tipo === 'reposicion') && (
            <ConfirmStep
              summary="Retirar la solicitud"
              question="¿Retirar la solicitud? Si es de gastos, se pueden pedir otra vez."
              action={replenishmentStepAddress('retirar')}
              version={String(version)}
              button="Retirar"
              refused={state}
            />
          ),
          estado === 'pagada' && mayApprove && (
            <ConfirmStep
              summary="Sacar el dinero de la caja"
              question="¿Sacar de la caja el dinero que entró? La solicitud vuelve a quedar por autorizar."
              action={replenishmentStepAddress('deshacer')}
              button="Deshacer"
              refused={state}
            />
          ),
        ]}
        isOpen={stepAddress !== undefined && !isRefused}
      />
      <p>
        Pidió {requester}, del {formatLongDate(fecha)}
        {authorizer && ` · Autorizó ${authorizer}`}
        {fund.origenderecursonombre && ` · Sale de ${fund.origenderecursonombre}`}
      </p>
      <SignatureNotes notes={[note]} timeZone={config.timeZone} />
      {concepto && <p>{concepto}</p>}
      {comments && <p>{comments}</p>}
      {isPending && mayApprove && (
        <StepForm
          id={AUTHORIZE_FORM_ID}
          action={replenishmentStepAddress('autorizar')}
          hidden={{ version: String(version) }}
          fields={
            <>
              <Field
                name="fecha"
                label="Fecha en que entra el dinero"
                kind="date"
                value={isRefused ? state.values.fecha : c.get('today')}
                error={isRefused ? problem?.fields?.fecha : undefined}
              />
              {isRefused && needsReason(problem) && <ReasonField {...state} />}
            </>
          }
        />
      )}
      {tipo === 'reposicion' && (
        <div id="results">
          {
            await renderExpenses(c, {
              caption: 'Gastos que repone',
              columns: EXPENSE_TABLE_COLUMNS,
              filter: { replenishmentId: id, tipo: 'gasto' },
              order: { sort: 'id' },
              place: problem ? {} : parseListQuery(c, replenishedExpensesQueryShape),
              count,
              address: pages.pettyCashReplenishment(id),
              query: {},
            })
          }
        </div>
      )}
    </>,
  );
}
