import { Hono } from 'hono';
import { Fragment } from 'react';
import {
  type BankMovement,
  describeResolution,
  isOpenOutcome,
  listPossibleClasses,
  MOVEMENT_CLASS_LABELS,
  type ResolutionProposal,
  bankStatementTexts as texts,
} from '../../../shared/bank-statements.ts';
import { pluralize } from '../../../shared/counts.ts';
import { formatMoney, toDecimalText } from '../../../shared/money.ts';
import type { ControlField } from '../../../shared/record-fields.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { ID_SEGMENT, idInPath, readFormWithLists } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { deleteRule } from '../../services/bank-statements/classification-rules.ts';
import { markMovementReturned } from '../../services/bank-statements/import-statement.ts';
import {
  describeLinkablePayment,
  type LinkablePayment,
  listLinkablePayments,
  proposeSettlements,
} from '../../services/bank-statements/proposals.ts';
import {
  findNextOpenMovement,
  getMovement,
  sumBankStatement,
  summarizeOpenMovements,
} from '../../services/bank-statements/reading.ts';
import {
  reopenMovement,
  resolveMovement,
  undoRuleCreation,
} from '../../services/bank-statements/resolving.ts';
import { requireApprover } from '../../services/payment-batches/stages.ts';
import { resolveMovementShape, toResolutionInput } from '../../shapes/bank-statements.ts';
import { parseId, parseShape } from '../../shapes/fields.ts';
import { handleForm, handleParsedForm, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import { resolvePickedInvoiceId } from '../ui/pickers.ts';
import type { FieldTexts } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import {
  AllowProgrammedCheckbox,
  LinkedProblemAlert,
  needsReason,
  ReasonField,
} from '../ui/refusal-reason.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { PaymentLinkForm } from './payment-links.tsx';
import { listResolutionLinks, openMovementsHref } from './resolution-links.tsx';

export const bankMovementPages = new Hono<AppEnv>({ strict: false })
  .get(pages.bankMovement(ID_SEGMENT), (c) => {
    const { busca } = c.req.query();
    const pagos = (c.req.queries('pagos') ?? []).join(',');
    return renderMovement(c, { values: busca === undefined ? {} : { busca, pagos } });
  })
  .post(pages.bankMovementStep(ID_SEGMENT, 'resolver'), async (c) => {
    const { fields, lists } = await readFormWithLists(c, ['pagos', 'facturaproveedorId', 'importe']);
    // A refused form shows again what was typed and ticked.
    const [importe = ''] = fields.facturas ? lists.importe : [];
    const values = { ...fields, importe, pagos: lists.pagos.join(',') };
    return handleParsedForm(c, values, renderMovement, async ({ db, actor }) => {
      requireApprover(actor);
      if (fields.siempre?.trim() === '') {
        const { descripcion } = await getMovement(db, idInPath(c));
        throwIfRefused(createRefusal(texts.ruleText(descripcion), 'siempre'));
      }
      const typed = (fields.facturas ?? '').split(',').filter((number) => number.trim() !== '');
      const invoiceIds = [...lists.facturaproveedorId];
      for (const numfactura of typed) invoiceIds.push((await resolvePickedInvoiceId(db, { numfactura }))!);
      if (invoiceIds.length > 1 && importe.trim()) throwIfRefused(createRefusal(texts.oneAmount, 'importe'));
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
        clase: fields.clase || undefined,
        siempre: fields.clase ? fields.siempre : undefined,
      });
      const version = parseId(fields.version, 'Versión');
      const options = { version, allowProgrammed: fields.allowProgrammed !== undefined };
      const { movement, named, warnings } = await resolveMovement(
        db,
        actor,
        idInPath(c),
        toResolutionInput(body),
        options,
      );
      const next = await findNextOpenMovement(db, movement);
      const message = {
        text: [texts.resolved(movement, named), next === undefined && texts.nothingOpen]
          .filter(Boolean)
          .join(' '),
        about: { href: pages.bankMovement(movement.id), link: 'Ver ese movimiento' },
        // No "undo" for captured payments: releasing the movement keeps them, so it would undo only a part.
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
  .post(pages.bankMovementStep(ID_SEGMENT, 'devolver'), (c) =>
    handleForm(
      c,
      (c, refused) => renderMovement(c, { ...refused, stepAddress: c.req.path }),
      async ({ db, actor }) => {
        const { id } = await markMovementReturned(db, actor, idInPath(c));
        return redirectWithMessage(c, pages.bankStatement(id), texts.returned);
      },
    ),
  )
  .post(pages.bankMovementStep(ID_SEGMENT, 'soltar'), (c) =>
    handleForm(c, renderMovement, async ({ db, actor }) => {
      const [id, pressed] = [idInPath(c), Number(c.req.query('siempre'))];
      const text = pressed
        ? texts.ruleUndone((await undoRuleCreation(db, actor, id, new Date(pressed).toISOString())).named)
        : texts.released((await reopenMovement(db, actor, id)).kept);
      return redirectWithMessage(c, pages.bankMovement(id), text);
    }),
  )
  .post(pages.deleteBankRule(ID_SEGMENT), async (c) => {
    await deleteRule(c.get('deps').db, actorOf(c), idInPath(c));
    return redirectWithMessage(c, pages.bankStatements, texts.ruleDeleted);
  });

async function renderMovement(c: AppContext, state: FormState): Promise<Response> {
  const { db } = c.get('deps');
  const movement = await getMovement(db, idInPath(c));
  const { statementId, origenderecursoId, fecha, amountCents, referencia, descripcion } = movement;
  const isOpen = isOpenOutcome(movement.outcome);
  const open = await summarizeOpenMovements(db, origenderecursoId);
  const { openIn, openOut } = await sumBankStatement(db, statementId);
  const ofStatement = openIn + openOut;
  const next = open.count > (isOpen ? 1 : 0) ? await findNextOpenMovement(db, movement) : undefined;
  return renderPage(
    c,
    {
      title: 'Movimiento del banco',
      status: state.status,
      back: { href: pages.bankStatement(statementId), text: 'Estado de cuenta' },
      actions: next !== undefined && (
        <LinkButton href={pages.bankMovement(next)}>Siguiente abierto</LinkButton>
      ),
    },
    <div className="stack">
      {state.problem && <LinkedProblemAlert problem={state.problem} fields={CAPTURE_FIELDS} />}
      <Totals
        label="Importe"
        items={[{ label: amountCents < 0 ? 'Salió' : 'Entró', cents: Math.abs(amountCents) }]}
      />
      <Facts
        look="of-batch"
        facts={{
          Descripción: descripcion,
          Referencia: referencia,
          Fecha: <DateText date={fecha} />,
          Cuenta: movement.origenderecursonombre,
          Resultado: (
            <Chip tone={isOpen ? 'warn' : 'done'}>{isOpen ? 'Abierto' : describeResolution(movement)}</Chip>
          ),
          'Abiertos de esta cuenta': open.count > 0 && (
            <a href={openMovementsHref(statementId)}>
              {pluralize(open.count, 'movimiento', 'movimientos')}
              {ofStatement < open.count && `, ${ofStatement} en este estado`}
            </a>
          ),
        }}
      />
      {!mayEnter('approval', requireSession(c).roles) ? (
        <ResolutionLinks movement={movement} />
      ) : isOpen ? (
        await renderResolutionOptions(c, movement, state)
      ) : (
        <>
          <ResolutionLinks movement={movement} />
          {movement.outcome === 'pagado' ? (
            <ConfirmStep
              summary="Marcar como devuelto"
              question="¿Marcarlo como devuelto? Lo que pagó vuelve a deberse, como cuando el banco lo devuelve."
              action={pages.bankMovementStep(movement.id, 'devolver')}
              button="Marcar como devuelto"
              reason="motivo-devuelto"
              refused={state}
            />
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

const ResolutionLinks = ({ movement }: { movement: BankMovement }) => (
  <ul>
    {listResolutionLinks(movement).map(({ href, text }) => (
      <li key={href}>
        <a href={href}>{text}</a>
      </li>
    ))}
  </ul>
);

/**
 * The first proposal has the focus, so that Enter accepts it and leads to the next open movement. Without a proposal
 * the heading has the focus, because only the user can classify the movement and Enter must not resolve it.
 */
async function renderResolutionOptions(
  c: AppContext,
  movement: BankMovement,
  { values, problem }: FormState,
) {
  const { db } = c.get('deps');
  const proposals = (await proposeSettlements(db, [movement])).get(movement.id) ?? [];
  const action = pages.bankMovementStep(movement.id, 'resolver');
  const hidden = { version: String(movement.version) };
  const errors = problem?.fields ?? {};
  const ticked = (values.pagos ?? '').split(',').map(Number).filter(Boolean);
  const search = { search: values.busca, chosen: [...ticked, ...proposals.flatMap(paymentIdsOf)] };
  const payments = movement.amountCents < 0 ? await listLinkablePayments(db, movement, search) : [];
  const wasRefused = (name: string) => errors[name] !== undefined;
  const isFresh = !problem && values.busca === undefined;
  const captureErrors: FieldTexts = {
    ...errors,
    facturas: errors.facturas ?? errors.facturaproveedorId,
    importe: errors.importe ?? errors.paymentamount,
  };
  const classes = listPossibleClasses(movement).map((value) => ({
    value,
    label: MOVEMENT_CLASS_LABELS[value],
  }));
  const isLikelyDeposit = movement.amountCents > 0 && proposals.length === 0;
  const firstWrong = CAPTURE_FIELDS.find(({ name }) => captureErrors[name])?.name;
  return (
    <>
      {proposals.map((proposal, index) => (
        <StepForm
          key={proposal.razon}
          action={action}
          hidden={{ ...hidden, ...hiddenFieldsOf(proposal) }}
          buttons={
            <Button look={index === 0 ? 'primary' : undefined} autoFocus={index === 0 && isFresh}>
              {proposal.step}
            </Button>
          }
        >
          <ProposalHiddenInputs proposal={proposal} />
          <ProposalReason proposal={proposal} payments={payments} />
        </StepForm>
      ))}
      <section aria-labelledby="nombrar">
        {/* biome-ignore lint/a11y/noAutofocus: so that Tab leads to the classes, and Enter to none */}
        <h2 id="nombrar" tabIndex={-1} autoFocus={proposals.length === 0 && isFresh}>
          No es un pago: clasificarlo
        </h2>
        <StepForm action={action} hidden={hidden}>
          <div className="actions">
            {classes
              .filter(({ value }) => proposals.every(({ draft }) => draft.clase !== value))
              .map(({ value, label }, index) => (
                <Button
                  key={value}
                  name="clase"
                  value={value}
                  look={index === 0 && isLikelyDeposit ? 'primary' : undefined}
                >
                  {label}
                </Button>
              ))}
          </div>
        </StepForm>
      </section>
      <div className="asks">
        <Disclosure summary="Clasificar igual todo lo que diga…" isOpen={values.siempre !== undefined}>
          <StepForm
            action={action}
            hidden={hidden}
            fields={
              <>
                <Field
                  name="siempre"
                  label="Siempre que diga"
                  hint="Todo movimiento de esta cuenta con este texto, ahora y en cada carga."
                  value={values.siempre}
                  error={errors.siempre}
                  maxLength={60}
                  autoComplete="off"
                  focus={wasRefused('siempre')}
                />
                <Field
                  name="clase"
                  label="Se clasifica como"
                  kind="select"
                  options={[{ value: '', label: 'Elige' }, ...classes]}
                  value={values.clase}
                  error={values.clase === '' ? 'Elige una.' : undefined}
                />
              </>
            }
            buttons={<Button>Clasificar todo</Button>}
          />
        </Disclosure>
        {(payments.length > 0 || values.busca) && (
          <Disclosure
            summary="Ya está capturado: ligarlo a sus pagos"
            isOpen={wasRefused('pagos') || values.busca !== undefined}
          >
            <PaymentLinkForm
              {...{ movement, payments, ticked, action, hidden }}
              search={values.busca}
              isSearchFocused={values.busca !== undefined && !problem}
            />
          </Disclosure>
        )}
        {movement.amountCents < 0 && (
          <Disclosure
            summary="Capturar el pago de facturas"
            isOpen={problem !== undefined && values.facturas !== undefined}
          >
            <StepForm
              action={action}
              hidden={hidden}
              fields={
                <>
                  {CAPTURE_FIELDS.map((field) => (
                    <Field
                      key={field.name}
                      value={values[field.name]}
                      error={captureErrors[field.name]}
                      focus={field.name === firstWrong && !needsReason(problem)}
                      autoComplete="off"
                      {...field}
                    />
                  ))}
                  <ReasonField problem={problem} values={values} />
                </>
              }
              buttons={<Button>Capturar</Button>}
            >
              <AllowProgrammedCheckbox problem={problem} values={values} />
            </StepForm>
          </Disclosure>
        )}
      </div>
    </>
  );
}

const CAPTURE_FIELDS: readonly ControlField[] = [
  {
    name: 'facturas',
    label: 'Facturas',
    hint: 'Su número o #id; varias, separadas por comas. De cada una se paga lo que se debe.',
  },
  {
    name: 'importe',
    label: 'Importe',
    hint: 'De una sola factura, en pesos, si es menos de lo que se debe.',
    inputMode: 'decimal',
  },
  {
    name: 'importebanco',
    label: 'Salió del banco (MXN)',
    hint: 'Solo de una factura en otra moneda.',
    inputMode: 'decimal',
  },
];

const paymentIdsOf = ({ draft }: ResolutionProposal) => draft.paymentIds ?? [];

function hiddenFieldsOf({ draft: { reposicionId, movimientocajaId, clase } }: ResolutionProposal) {
  const parts = {
    reposicionId: reposicionId?.toString(),
    movimientocajaId: movimientocajaId?.toString(),
    clase,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/** Says why a resolution is proposed, with links to the payments or invoices that accepting it would use. */
function ProposalReason({
  proposal: { draft, razon },
  payments,
}: {
  proposal: ResolutionProposal;
  payments: readonly LinkablePayment[];
}) {
  const [reason = ''] = razon.split(': ', 1);
  const [, same, says = ''] = /^Mismo (.*?)(, y dice .*)?$/.exec(reason) ?? [];
  const rows = [
    ...payments
      .filter(({ id }) => draft.paymentIds?.includes(id))
      .map((one) => ({ href: pages.editPayment(one.id), text: describeLinkablePayment(one) })),
    ...(draft.invoices ?? []).map(({ invoiceId, amountCents }) => ({
      href: pages.editInvoice(invoiceId),
      text: `la factura de ${formatMoney(amountCents!)}`,
    })),
  ];
  return (
    <p className="note">
      {same ? `Tiene el mismo ${same}` : reason}
      {same && rows.length > 0 && ' que '}
      {rows.map(({ href, text }, index) => (
        <Fragment key={href}>
          {index > 0 && ', '}
          <a href={href}>{text}</a>
        </Fragment>
      ))}
      {says}.
    </p>
  );
}

const ProposalHiddenInputs = ({ proposal: { draft } }: { proposal: ResolutionProposal }) => (
  <>
    {draft.paymentIds?.map((id) => (
      <input key={id} type="hidden" name="pagos" value={id} />
    ))}
    {draft.invoices?.map(({ invoiceId, amountCents }) => (
      <span key={invoiceId} hidden>
        <input type="hidden" name="facturaproveedorId" value={invoiceId} />
        <input type="hidden" name="importe" value={toDecimalText(amountCents!)} />
      </span>
    ))}
  </>
);
