import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import {
  MOVEMENT_KINDS,
  type Movement,
  type MovementFieldValues,
  movementKindLabel,
  type PettyCashFund,
  signedAmountOf,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { Button } from '../../../shared/ui/Button.tsx';
import { pages } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, toLocalPath, writeOnce } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { listAttachments } from '../../services/attachments.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import {
  acceptWithoutVoucher,
  createMovement,
  deleteMovement,
  restoreMovement,
  updateMovement,
} from '../../services/petty-cash/movements.ts';
import { getFund, getMovement } from '../../services/petty-cash/reading.ts';
import { requestReplenishment } from '../../services/petty-cash/replenishing.ts';
import { needsSecondPerson } from '../../services/petty-cash/requests.ts';
import { parseShape, requireFilledFields } from '../../shapes/fields.ts';
import { movementChangeShape, newMovementShape, toMovementFieldValues } from '../../shapes/petty-cash.ts';
import { handleForm, type RefusedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { attachmentRoutes } from '../ui/attachment-routes.ts';
import { Attachments } from '../ui/attachments-section.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { DocumentPanelLayout, toPanelDocuments } from '../ui/document-panel.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { readFields } from '../ui/posted-fields.ts';
import {
  createEditPage,
  type FormState,
  parseVersion,
  pickNewestRow,
  prepareIdempotencyKey,
} from '../ui/record-form.tsx';
import {
  attachUploads,
  fillForm,
  handleMovementForm,
  type MovementFormValues,
  renderFileControls,
  withoutUploadIds,
} from './expense-uploads.tsx';
import { movementFieldsOf, movementTextsOf, renderMovementForm } from './form.tsx';
import { fundHrefForMovement, showFund, showFunds } from './petty-cash.tsx';
import { replenishmentMessage } from './replenishments.tsx';

export const pettyCashMovementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.newPettyCashMovement(ID_SEGMENT), async (c) => {
    const fund = await getFund(c.get('deps').db, idInPath(c));
    return renderNewMovement(c, fund, {
      values: { tipo: parseKind(c.req.query('tipo')), ...initialValues(c, fund) },
    });
  })
  .post(pages.newPettyCashMovement(ID_SEGMENT), async (c) => {
    const { db } = c.get('deps');
    const fund = await getFund(db, idInPath(c));
    const renderRefused = (_: AppContext, refused: RefusedForm) => renderNewMovement(c, fund, refused);
    return handleMovementForm(c, renderRefused, async ({ form, actor }) => {
      const draft = toMovementFieldValues(parseShape(newMovementShape, await readPostedMovement(c, form)));
      if (await needsReplenishmentRequest(db, draft)) return createReplenishmentRequest(c, fund, form, draft);
      const saved = await writeOnce(c, withoutUploadIds(form), async (trx) => {
        const { movement, warnings } = await createMovement(trx, actor, fund.id, draft);
        await attachUploads(trx, c, form, movement.id);
        return { id: movement.id, fecha: movement.fecha, warnings };
      });
      return redirectWithMessage(c, fundHrefForMovement(c, { fundId: fund.id, fecha: saved.fecha }), {
        text: texts.created,
        about: { href: pages.pettyCashMovement(saved.id), link: 'Ver movimiento' },
        warnings: saved.warnings,
      });
    });
  })
  .post(pages.readNewPettyCashXml(ID_SEGMENT), async (c) => {
    const fund = await getFund(c.get('deps').db, idInPath(c));
    return handleFillFromFile(c, (state) =>
      renderNewMovement(c, fund, { ...state, values: { ...initialValues(c, fund), ...state.values } }),
    );
  })
  .get(pages.pettyCashMovement(ID_SEGMENT), async (c) => {
    const movement = await readMovementInPath(c);
    if (movement.tipo === 'reposicion')
      return c.redirect(pages.pettyCashReplenishment(movement.replenishmentId!), 303);
    return renderMovement(c, movement, { values: movementTextsOf(movement) });
  })
  .post(pages.pettyCashMovement(ID_SEGMENT), async (c) => {
    const before = await readMovementInPath(c);
    const renderRefused = (_: AppContext, refused: RefusedForm) => renderMovement(c, before, refused);
    return handleMovementForm(c, renderRefused, async ({ form, db, actor }) => {
      const posted = await readPostedMovement(c, form, before);
      requireFilledFields(posted, { importe: texts.required });
      const fields = parseShape(movementChangeShape, { ...posted, version: form.version });
      const { movement, warnings } = await inTransaction(db, async (trx) => {
        const saved = await updateMovement(
          trx,
          actor,
          before.id,
          toMovementFieldValues(fields),
          fields.version,
        );
        await attachUploads(trx, c, form, before.id);
        return saved;
      });
      return redirectWithMessage(c, fundHrefForMovement(c, movement), { text: texts.updated, warnings });
    });
  })
  .post(pages.readPettyCashXml(ID_SEGMENT), async (c) => {
    const before = await readMovementInPath(c);
    return handleFillFromFile(c, (state) => renderMovement(c, before, state), before.id);
  })
  .post(pages.acceptPettyCashMovement(ID_SEGMENT), (c) => {
    requireApprover(actorOf(c));
    return movementEditPage.handleStep(c, async ({ id, fundId }, { form, db, actor }) => {
      await acceptWithoutVoucher(db, actor, id, parseVersion(form.version));
      return redirectWithMessage(c, pages.pettyCashFund(fundId), texts.accepted);
    });
  })
  .post(pages.deletePettyCashMovement(ID_SEGMENT), async (c) => {
    const { fundId } = await readMovementInPath(c);
    const renderRefused = (_: AppContext, refused: RefusedForm) =>
      showFund(c, { ...refused, buttonLabel: 'Eliminar de todos modos' }, fundId);
    return handleForm(c, renderRefused, async ({ form, db, actor }) => {
      const deleted = await deleteMovement(db, actor, idInPath(c));
      return redirectWithMessage(c, toLocalPath(form.next) ?? pages.pettyCashFund(fundId), {
        text: texts.deleted,
        undo: signedAmountOf(deleted) > 0 ? undefined : pages.restorePettyCashMovement(deleted.id),
      });
    });
  })
  .post(pages.restorePettyCashMovement(ID_SEGMENT), (c) =>
    handleForm(c, showFundsOnRefusedRestoration, async ({ db, actor }) => {
      const { movement, warnings } = await restoreMovement(db, actor, idInPath(c));
      return redirectWithMessage(c, fundHrefForMovement(c, movement), { text: texts.restored, warnings });
    }),
  );

const initialValues = (c: AppContext, { jobId }: PettyCashFund) => ({
  fecha: c.get('today'),
  jobId: String(jobId ?? ''),
});

interface MovementFormState extends FormState {
  warnings?: readonly string[];
  isRead?: boolean;
}

const handleFillFromFile = (
  c: AppContext,
  render: (state: MovementFormState) => Promise<Response>,
  movementId?: number,
) =>
  handleMovementForm(
    c,
    (_, refused) => render(refused),
    async ({ form }) => render(await fillForm(c, form, movementId)),
  );

const MovementMessages = ({ values, warnings = [], isRead }: MovementFormState) => (
  <>
    {warnings.map((text) => (
      <Alert key={text} tone="warning">
        {text}
      </Alert>
    ))}
    {/* Only screen readers need this: others see the values in the fields. */}
    {isRead && (
      <p className="visually-hidden" role="status">
        {`Se leyó el CFDI: $${values.importe} de ${values.beneficiario}.`}
      </p>
    )}
  </>
);

const showFundsOnRefusedRestoration = (c: AppContext, refused: RefusedForm) =>
  showFunds(c, { ...refused, buttonLabel: 'Deshacer de todos modos' });

export const movementAttachmentPages = attachmentRoutes({
  listPath: pages.pettyCashAttachments(ID_SEGMENT),
  ownerOf: (c) => ({ movementId: idInPath(c) }),
  handleChange: (c, change) =>
    movementEditPage.handleChange(c, async ({ id }) =>
      redirectWithMessage(c, pages.pettyCashMovement(id), await change()),
    ),
});

/** Whether a second person has to authorise the money for a fund, as the settings may require. */
const needsReplenishmentRequest = async (db: Db, { tipo = 'gasto', importeCents = 0 }: MovementFieldValues) =>
  signedAmountOf({ tipo, importeCents }) > 0 && (await needsSecondPerson(db));

async function createReplenishmentRequest(
  c: AppContext,
  { id: fundId }: PettyCashFund,
  form: MovementFormValues,
  { tipo, fecha, concepto, importeCents, comments }: MovementFieldValues,
) {
  const kind = tipo === 'ajuste' ? tipo : 'apertura';
  const draft = { tipo: kind, fecha, concepto, importeCents, comments } as const;
  const done = await writeOnce(c, withoutUploadIds(form), async (trx) =>
    replenishmentMessage(await requestReplenishment(trx, actorOf(c, form.motivo), fundId, draft)),
  );
  return redirectWithMessage(c, pages.pettyCashReplenishment(done.id), done.text);
}

const readMovementInPath = (c: AppContext) => getMovement(c.get('deps').db, idInPath(c));

const movementEditPage = createEditPage<Movement>({
  read: readMovementInPath,
  render: renderMovement,
  toTexts: movementTextsOf,
});

/** @returns the kind that the address names, or `gasto` where that kind cannot be captured */
const parseKind = (requested: string | undefined) =>
  MOVEMENT_KINDS.filter((kind) => kind !== 'reposicion').find((kind) => kind === requested) ?? 'gasto';

async function readPostedMovement(c: AppContext, form: MovementFormValues, previous?: Movement) {
  const tipo = previous?.tipo ?? parseKind(form.tipo);
  const sent = await readFields(c.get('deps').db, movementFieldsOf(tipo), form, { previous });
  return { ...sent, tipo } satisfies Record<string, string | undefined> & Pick<MovementFieldValues, 'tipo'>;
}

async function renderNewMovement(c: AppContext, fund: PettyCashFund, state: MovementFormState) {
  const { idempotencyKey, problem } = prepareIdempotencyKey(state, texts.alreadySaved);
  const tipo = parseKind(state.values.tipo);
  const form = await renderMovementForm(
    c.get('deps').db,
    { ...state, problem },
    {
      fund,
      tipo,
      action: pages.newPettyCashMovement(fund.id),
      back: pages.pettyCashFund(fund.id),
      hidden: { idempotencyKey, tipo },
      ...(tipo === 'gasto' && (await renderFileControls(c, pages.readNewPettyCashXml(fund.id), state))),
    },
  );
  return renderPage(
    c,
    { title: NEW_TITLES[tipo], subtitle: fund.nombre, status: state.status },
    <div className="stack">
      <MovementMessages {...state} />
      {form}
      {tipo === 'gasto' && (
        <p className="note">
          ¿No es un gasto?{' '}
          {OTHER_KINDS.map((other, index) => (
            <span key={other}>
              {index > 0 && ' · '}
              <a href={`${pages.newPettyCashMovement(fund.id)}?tipo=${other}`}>{NEW_TITLES[other]}</a>
            </span>
          ))}
        </p>
      )}
    </div>,
  );
}

const NEW_TITLES = {
  gasto: 'Nuevo gasto',
  devolucion: 'Devolución al origen',
  apertura: 'Dinero que entra a la caja',
  ajuste: 'Ajuste',
} as const;

const OTHER_KINDS = ['devolucion', 'apertura', 'ajuste'] as const;

async function renderMovement(c: AppContext, before: Movement, state: MovementFormState) {
  const { db, config } = c.get('deps');
  const { row: movement, version } = pickNewestRow(before, state);
  const fund = await getFund(db, movement.fundId);
  const { id, tipo, comprobarAntes } = movement;
  const form = await renderMovementForm(db, state, {
    fund,
    tipo,
    action: pages.pettyCashMovement(id),
    back: pages.pettyCashFund(fund.id),
    hidden: { version },
    stored: movement,
    ...(tipo === 'gasto' && (await renderFileControls(c, pages.readPettyCashXml(id), state))),
  });
  const mayAccept = comprobarAntes !== null && mayEnter('approval', requireSession(c).roles);
  const attachments = await listAttachments(db, { movementId: id });
  return renderPage(
    c,
    {
      title: `Editar ${movementKindLabel(tipo).toLowerCase()}`,
      subtitle: fund.nombre,
      subject: [movement.concepto, fund.nombre].filter(Boolean).join(', '),
      status: state.status,
      actions: historyLink(c, 'petty-cash-movements', id),
    },
    <DocumentPanelLayout documents={toPanelDocuments(pages.pettyCashAttachments(id), attachments)}>
      <div className="stack">
        <MovementMessages {...state} />
        {form}
        <form method="post" action={pages.deletePettyCashMovement(id)} data-busy="">
          <Button look="danger" icon="trash">
            Eliminar
          </Button>
        </form>
        {mayAccept && (
          <ConfirmStep
            summary="Aceptar sin comprobante"
            question="¿Aceptar que este gasto no tendrá comprobante? Queda por reponer, y en la bitácora quién lo aceptó."
            action={pages.acceptPettyCashMovement(id)}
            version={version}
            button="Aceptar"
            refused={state}
          />
        )}
        <Attachments
          address={pages.pettyCashAttachments(id)}
          ownerPhrase="del movimiento"
          noneText="Todavía no hay archivos: la foto del ticket, el XML o el PDF."
          attachments={attachments}
          timeZone={config.timeZone}
        />
      </div>
    </DocumentPanelLayout>,
  );
}
