import { Hono } from 'hono';
import type { ReactNode } from 'react';
import { toDecimalText } from '../../../shared/money.ts';
import type { FundRow } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf } from '../../http/session.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { readCash } from '../../services/petty-cash/fund-cash.ts';
import { closeFund, handOverFund, listClosingObstacles } from '../../services/petty-cash/funds.ts';
import { getFundRow, listPossibleHolders } from '../../services/petty-cash/reading.ts';
import { parseShape } from '../../shapes/fields.ts';
import { closeFundShape, handOverShape } from '../../shapes/petty-cash.ts';
import { handleForm, redirectWithMessage } from '../../shell/render.tsx';
import { type FormState, pickNewestRow, prepareIdempotencyKey } from '../ui/record-form.tsx';
import { MotivoField } from '../ui/refusal-reason.tsx';
import { NextActionBar } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { PiecesFields, parsePieceCounts } from './cash-counts.tsx';
import { FoldedCommentsField, renderFundSubpage } from './fund-page.tsx';
import { FundFigures } from './fund-statement.tsx';

export const pettyCashClosingPages = new Hono<AppEnv>({ strict: false })
  .get(pages.closePettyCashFund(ID_SEGMENT), (c) => renderFundClosing(c))
  .post(pages.closePettyCashFund(ID_SEGMENT), (c) => {
    requireApprover(actorOf(c));
    return handleForm(c, renderFundClosing, async ({ form, actor }) => {
      const { fecha, comments, esperado, version, motivo } = form;
      const { version: seen, ...sent } = parseShape(closeFundShape, { fecha, comments, esperado, version });
      const counted = includesCashCount(form)
        ? { ...sent, denominaciones: parsePieceCounts(form), motivo }
        : undefined;
      const fund = await writeOnce(c, form, (trx) => closeFund(trx, actor, idInPath(c), seen, counted));
      return redirectWithMessage(c, pages.pettyCashFund(fund.id), texts.isClosed(fund.nombre));
    });
  })
  .get(pages.handOverPettyCashFund(ID_SEGMENT), (c) => renderFundHandover(c))
  .post(pages.handOverPettyCashFund(ID_SEGMENT), (c) => {
    requireApprover(actorOf(c));
    return handleForm(c, renderFundHandover, async ({ form, actor }) => {
      const { responsableId, comments, esperado, version, motivo } = form;
      const fields = { responsableId, comments, esperado, version };
      const { version: seen, ...sent } = parseShape(handOverShape, fields);
      const draft = { ...sent, denominaciones: parsePieceCounts(form), motivo };
      const count = await writeOnce(c, form, (trx) => handOverFund(trx, actor, idInPath(c), draft, seen));
      return redirectWithMessage(c, pages.pettyCashCount(count.id), texts.handedOver(count.recibe!));
    });
  });

/** Whether the form contains a cash count; an empty fund is closed without one. */
const includesCashCount = (form: FormState['values']) =>
  Object.keys(form).some((name) => name.startsWith('piezas'));

async function renderFundClosing(c: AppContext, state: FormState = { values: {} }) {
  const fund = await readFundAsApprover(c);
  const hasCount = fund.saldoCents !== 0 || includesCashCount(state.values);
  const origin = fund.origenderecursonombre ?? 'su origen, que falta decir: edita la caja';
  return renderClosingOrHandover(c, fund, state, {
    title: 'Cerrar caja',
    action: pages.closePettyCashFund(fund.id),
    hasCount,
    unsettledTexts: listClosingObstacles(fund, hasCount),
    writes: [
      hasCount && `La devolución de lo contado a ${origin}.`,
      'El cierre: la caja no recibe más movimientos, y queda entre las cerradas.',
    ],
    fields: (
      <Field
        name="fecha"
        label="Fecha en que vuelve el dinero"
        kind="date"
        value={state.values.fecha ?? c.get('today')}
        error={state.problem?.fields?.fecha}
        min={fund.openedOn}
      />
    ),
  });
}

async function renderFundHandover(c: AppContext, state: FormState = { values: {} }) {
  const fund = await readFundAsApprover(c);
  const holders = await listPossibleHolders(c.get('deps').db);
  const others = holders.filter(({ id }) => id !== fund.responsableId);
  return renderClosingOrHandover(c, fund, state, {
    title: 'Entregar caja',
    action: pages.handOverPettyCashFund(fund.id),
    hasCount: true,
    unsettledTexts: [],
    writes: [`La entrega: de ${fund.responsable} a quien la recibe, con lo que falta comprobar y reponer.`],
    fields: (
      <Field
        name="responsableId"
        label="Quién la recibe"
        kind="select"
        value={state.values.responsableId}
        error={state.problem?.fields?.responsableId}
        options={[
          { value: '', label: 'Elige…' },
          ...others.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        required
        focus={!state.values.responsableId}
      />
    ),
  });
}

function readFundAsApprover(c: AppContext): Promise<FundRow> {
  requireApprover(actorOf(c));
  return getFundRow(c.get('deps').db, idInPath(c), c.get('today'));
}

interface ClosingOrHandoverPage {
  title: string;
  action: string;
  /** false for an empty fund, which is closed without a cash count */
  hasCount: boolean;
  /** what has to be settled before this step */
  unsettledTexts: readonly string[];
  /** sentences for the page: what the button records besides the cash count and its adjustment */
  writes: readonly (string | false)[];
  fields: ReactNode;
}

const FORM_ID = 'contar';

async function renderClosingOrHandover(
  c: AppContext,
  fund: FundRow,
  state: FormState,
  step: ClosingOrHandoverPage,
) {
  const { title, action, hasCount, unsettledTexts, writes, fields } = step;
  const { id, nombre, closedOn } = fund;
  const { values } = state;
  if (closedOn !== null && !state.problem) return c.redirect(pages.pettyCashFund(id), 303);
  const { idempotencyKey, problem } = prepareIdempotencyKey(state);
  const errors = problem?.fields ?? {};
  const isBlocked = unsettledTexts.length > 0 || closedOn !== null;
  const hidden = { version: pickNewestRow(fund, state).version, idempotencyKey };
  const esperado = toDecimalText(await readCash(c.get('deps').db, fund));
  return renderFundSubpage(
    c,
    { title, fund, state: { ...state, problem } },
    <>
      {!isBlocked && (
        <NextActionBar
          label={title}
          state={<Chip mark="open">Sin guardar</Chip>}
          sum={hasCount ? { label: 'Contado', cents: 0, isLive: true } : undefined}
          nextAction={
            <Button look="primary" form={FORM_ID}>
              {title}
            </Button>
          }
        />
      )}
      <FundFigures fund={fund} today={c.get('today')} />
      {unsettledTexts.length > 0 ? (
        <Alert tone="warning">
          {texts.notSettled(nombre, unsettledTexts)}{' '}
          <a href={pages.pettyCashReplenishments(id)}>Reponer o autorizar</a>
        </Alert>
      ) : (
        <section>
          <h2>Qué se registra</h2>
          <ul>
            {hasCount && (
              <li>El arqueo; si no se cuenta el saldo, un ajuste por la diferencia, con su motivo.</li>
            )}
            {writes.map((text) => text && <li key={text}>{text}</li>)}
          </ul>
        </section>
      )}
      {(!isBlocked || problem) && (
        <StepForm
          id={FORM_ID}
          action={action}
          hidden={hasCount ? { ...hidden, esperado } : hidden}
          updatesSum
          fields={
            hasCount && (
              <>
                {fields}
                <PiecesFields values={values} problem={problem} />
                <MotivoField
                  label="Motivo, si hay diferencia"
                  value={values.motivo}
                  error={errors.motivo}
                  hint="Queda en el movimiento y en la bitácora."
                  required={false}
                  focus={Boolean(errors.motivo)}
                />
                <FoldedCommentsField value={values.comments} error={errors.comments} />
              </>
            )
          }
        />
      )}
    </>,
  );
}
