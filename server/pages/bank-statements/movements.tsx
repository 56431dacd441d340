import { Hono } from 'hono';
import { Fragment } from 'react';
import {
  type BankMovement,
  CLASS_LABELS,
  describeSettlement,
  isOpenOutcome,
  MOVEMENT_CLASSES,
  type SettlementProposal,
  statementTexts as texts,
} from '../../../shared/bank-statements.ts';
import { pluralize } from '../../../shared/counts.ts';
import { formatLongDate } from '../../../shared/dates.ts';
import { formatMoney, moneyText } from '../../../shared/money.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Check } from '../../../shared/ui/Check.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { idInPath, readListsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { listLinkablePayments, proposeSettlements } from '../../services/bank-statements/proposals.ts';
import {
  countOpenMovements,
  findNextOpen,
  getMovement,
  sumStatement,
} from '../../services/bank-statements/reading.ts';
import { releaseMovement, resolveMovement, undoRule } from '../../services/bank-statements/resolving.ts';
import { deleteRule } from '../../services/bank-statements/rules.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { resolveMovementShape, toSettlement } from '../../shapes/bank-statements.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { handleFields, handleForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { findPickedInvoiceId } from '../ui/pickers.ts';
import type { FormState } from '../ui/record-form.tsx';
import { AllowProgrammed, LinkedProblem, ReasonField } from '../ui/refusal-reason.tsx';
import { HiddenFields, StepForm } from '../ui/step-form.tsx';
import { openMovementsAddress, ReturnStep, settledLinks } from './settled.tsx';

const ID = ':id{[0-9]+}';

export const bankMovementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.bankMovement(ID), (c) => renderMovement(c, { values: {} }))
  .post(pages.bankMovementStep(ID, 'resolver'), async (c) => {
    const { fields, lists } = await readListsForm(c, ['pagos', 'facturaproveedorId', 'importe']);
    // A refused form shows again what was typed and ticked.
    const [importe = ''] = fields.facturas ? lists.importe : [];
    const values = { ...fields, importe, pagos: lists.pagos.join(',') };
    return handleFields(c, values, renderMovement, async ({ db, actor }) => {
      requireApprover(actor);
      const typed = (fields.facturas ?? '').split(',').filter((number) => number.trim() !== '');
      const invoiceIds = [...lists.facturaproveedorId];
      for (const numfactura of typed) invoiceIds.push((await findPickedInvoiceId(db, { numfactura }))!);
      if (invoiceIds.length > 1 && importe.trim()) refuse(refusal(texts.oneAmount, 'importe'));
      const facturas = invoiceIds.map((id, index) => ({
        facturaproveedorId: id,
        importe: lists.importe[index],
        importebanco: fields.importebanco || undefined,
      }));
      const body = parseShape(resolveMovementShape, {
        ...(lists.pagos.length > 0 && { pagos: lists.pagos }),
        ...(facturas.length > 0 && { facturas }),
        reposicionId: fields.reposicionId,
        movimientocajaId: fields.movimientocajaId,
        clase: fields.clase,
        siempre: fields.clase ? fields.siempre : undefined,
      });
      const version = parseId(fields.version, 'Versión');
      const options = { version, allowProgrammed: fields.allowProgrammed !== undefined };
      const { movement, named, warnings } = await resolveMovement(
        db,
        actor,
        idInPath(c),
        toSettlement(body),
        options,
      );
      const next = await findNextOpen(db, movement);
      const message = {
        text: [texts.resolved(movement, named), next === undefined && texts.nothingOpen]
          .filter(Boolean)
          .join(' '),
        about: { href: pages.bankMovement(movement.id), link: 'Ver ese movimiento' },
        // Releasing a movement keeps the payments that were captured from it, so that it would undo only a part.
        ...(movement.outcome !== 'capturado' && {
          undo: withQuery(pages.bankMovementStep(movement.id, 'soltar'), {
            siempre: body.siempre ? Date.parse(actor.at) : undefined,
          }),
        }),
        warnings,
      };
      const to = next === undefined ? pages.bankStatement(movement.statementId) : pages.bankMovement(next);
      return redirectWithMessage(c, to, message);
    });
  })
  .post(pages.bankMovementStep(ID, 'soltar'), (c) =>
    handleForm(c, renderMovement, async ({ db, actor }) => {
      const [id, pressed] = [idInPath(c), Number(c.req.query('siempre'))];
      const text = pressed
        ? texts.ruleUndone((await undoRule(db, actor, id, new Date(pressed).toISOString())).named)
        : texts.released((await releaseMovement(db, actor, id)).kept);
      return redirectWithMessage(c, pages.bankMovement(id), text);
    }),
  )
  .post(pages.deleteBankRule(ID), async (c) => {
    await deleteRule(c.get('deps').db, actorOf(c), idInPath(c));
    return redirectWithMessage(c, pages.bankStatements, texts.ruleDeleted);
  });

async function renderMovement(c: AppContext, state: FormState): Promise<Response> {
  const { db } = c.get('deps');
  const movement = await getMovement(db, idInPath(c));
  const { statementId, origenderecursoId, fecha, amountCents, referencia, descripcion } = movement;
  const isOpen = isOpenOutcome(movement.outcome);
  const open = await countOpenMovements(db, origenderecursoId);
  const { openIn, openOut } = await sumStatement(db, statementId);
  const ofStatement = openIn + openOut;
  const next = open.count > (isOpen ? 1 : 0) ? await findNextOpen(db, movement) : undefined;
  return renderPage(
    c,
    {
      title: 'Movimiento del banco',
      status: state.status,
      actions: (
        <>
          {next !== undefined && <LinkButton href={pages.bankMovement(next)}>Siguiente abierto</LinkButton>}
          <LinkButton href={pages.bankStatement(statementId)}>Ver el estado de cuenta</LinkButton>
        </>
      ),
    },
    <div className="stack">
      {state.problem && <LinkedProblem problem={state.problem} />}
      <Facts
        facts={{
          Fecha: formatLongDate(fecha),
          [amountCents < 0 ? 'Salió' : 'Entró']: formatMoney(Math.abs(amountCents)),
          Referencia: referencia,
          Descripción: descripcion,
          Resultado: (
            <Chip tone={isOpen ? 'warn' : 'done'}>{isOpen ? 'Abierto' : describeSettlement(movement)}</Chip>
          ),
          'Abiertos de esta cuenta': open.count > 0 && (
            <a href={openMovementsAddress(statementId)}>
              {pluralize(open.count, 'movimiento', 'movimientos')}
              {ofStatement < open.count && `, ${ofStatement} en este estado`}
            </a>
          ),
        }}
      />
      {!mayEnter('approval', requireSession(c).roles) ? (
        <SettledBy movement={movement} />
      ) : isOpen ? (
        await renderWays(c, movement, state)
      ) : (
        <>
          <SettledBy movement={movement} />
          {movement.outcome === 'pagado' ? (
            <ReturnStep id={movement.id} refused={state} />
          ) : (
            movement.batchId === null && (
              <ConfirmStep
                summary="Soltar"
                question="¿Soltar este movimiento? Queda abierto; los pagos que se capturaron de él se quedan."
                action={pages.bankMovementStep(movement.id, 'soltar')}
                button="Soltar"
                refused={state}
              />
            )
          )}
        </>
      )}
    </div>,
  );
}

const SettledBy = ({ movement }: { movement: BankMovement }) => (
  <ul>
    {settledLinks(movement).map(({ href, text }) => (
      <li key={href}>
        <a href={href}>{text}</a>
      </li>
    ))}
  </ul>
);

/**
 * The first proposal has the focus, so that Enter takes it and leads to the next open movement. Where nothing is proposed,
 * Enter settles nothing: which class it is nobody knows but the person.
 */
async function renderWays(c: AppContext, movement: BankMovement, { values, problem }: FormState) {
  const { db } = c.get('deps');
  const proposals = (await proposeSettlements(db, [movement])).get(movement.id) ?? [];
  const action = pages.bankMovementStep(movement.id, 'resolver');
  const hidden = { version: String(movement.version) };
  const payments = movement.amountCents < 0 ? await listLinkablePayments(db, movement) : [];
  const errors = problem?.fields ?? {};
  const ticked = (values.pagos ?? '').split(',');
  const wasRefused = (name: string) => errors[name] !== undefined;
  return (
    <>
      {proposals.map((proposal, index) => (
        <StepForm
          key={proposal.razon}
          action={action}
          hidden={{ ...hidden, ...hiddenOf(proposal) }}
          buttons={
            <Button look={index === 0 ? 'primary' : undefined} autoFocus={index === 0 && !problem}>
              {proposal.razon}
            </Button>
          }
        >
          <RepeatedFields proposal={proposal} />
          {(proposal.draft.paymentIds ?? proposal.draft.invoices) && (
            <ProposedRows proposal={proposal} payments={payments} />
          )}
        </StepForm>
      ))}
      <section aria-labelledby="nombrar">
        <h2 id="nombrar">No es un pago: nombrarlo</h2>
        <StepForm
          action={action}
          hidden={hidden}
          fields={
            <Field
              name="siempre"
              label="Siempre que diga"
              hint="Opcional: nombra igual lo que lo diga en esta cuenta, ahora y en cada carga."
              value={values.siempre}
              error={errors.siempre}
              maxLength={60}
              autoComplete="off"
              focus={wasRefused('siempre') || (proposals.length === 0 && !problem)}
            />
          }
          buttons={MOVEMENT_CLASSES.map((clase) => (
            <Button key={clase} name="clase" value={clase}>
              {CLASS_LABELS[clase]}
            </Button>
          ))}
        >
          {/* Enter in the field presses a form's first button, which must not be a class. */}
          <button type="submit" hidden />
        </StepForm>
      </section>
      {payments.length > 0 && (
        <Disclosure summary="Ya está capturado: ligarlo a sus pagos" isOpen={wasRefused('pagos')}>
          <form method="post" action={action} className="stack" data-busy="">
            <HiddenFields fields={hidden} />
            {payments.map(({ id, label }) => (
              <Check key={id} name="pagos" value={String(id)} checked={ticked.includes(String(id))}>
                {label}
              </Check>
            ))}
            <div className="actions">
              <Button>Ligar</Button>
            </div>
          </form>
        </Disclosure>
      )}
      {movement.amountCents < 0 && (
        <Disclosure
          summary="Capturar el pago de facturas"
          isOpen={problem !== undefined && (values.facturas ?? '') !== ''}
        >
          <StepForm
            action={action}
            hidden={hidden}
            fields={
              <>
                <Field
                  name="facturas"
                  label="Facturas"
                  hint="Su número o #id; varias, separadas por comas. De cada una se paga lo que se debe."
                  value={values.facturas}
                  error={errors.facturas ?? errors.facturaproveedorId}
                  autoComplete="off"
                />
                <Field
                  name="importe"
                  label="Importe"
                  hint="De una sola factura, en pesos, si es menos de lo que se debe."
                  value={values.importe}
                  inputMode="decimal"
                  error={errors.importe ?? errors.paymentamount}
                />
                <Field
                  name="importebanco"
                  label="Salió del banco (MXN)"
                  hint="Solo de una factura en otra moneda."
                  value={values.importebanco}
                  inputMode="decimal"
                />
                <ReasonField problem={problem} values={values} />
              </>
            }
            buttons={<Button>Capturar</Button>}
          >
            <AllowProgrammed problem={problem} values={values} />
          </StepForm>
        </Disclosure>
      )}
    </>
  );
}

function hiddenOf({ draft: { reposicionId, movimientocajaId, clase } }: SettlementProposal) {
  const parts = {
    reposicionId: reposicionId?.toString(),
    movimientocajaId: movimientocajaId?.toString(),
    clase,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** Links to the payments or invoices that the button of a proposal would take. */
const ProposedRows = ({
  proposal: { draft },
  payments,
}: {
  proposal: SettlementProposal;
  payments: readonly { id: number; label: string }[];
}) => (
  <p className="note">
    {draft.paymentIds?.map((id) => (
      <Fragment key={id}>
        <a href={pages.editPayment(id)}>
          {payments.find((one) => one.id === id)?.label ?? `Pago ${id}`}
        </a>{' '}
      </Fragment>
    ))}
    {draft.invoices?.map(({ invoiceId, amountCents }) => (
      <Fragment key={invoiceId}>
        <a href={pages.editInvoice(invoiceId)}>{`Ver la factura de ${formatMoney(amountCents!)}`}</a>{' '}
      </Fragment>
    ))}
  </p>
);

const RepeatedFields = ({ proposal: { draft } }: { proposal: SettlementProposal }) => (
  <>
    {draft.paymentIds?.map((id) => (
      <input key={id} type="hidden" name="pagos" value={id} />
    ))}
    {draft.invoices?.map(({ invoiceId, amountCents }) => (
      <span key={invoiceId} hidden>
        <input type="hidden" name="facturaproveedorId" value={invoiceId} />
        <input type="hidden" name="importe" value={moneyText(amountCents!)} />
      </span>
    ))}
  </>
);
