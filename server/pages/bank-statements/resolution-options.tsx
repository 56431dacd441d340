import { Fragment } from 'react';
import {
  type BankMovement,
  listPossibleClasses,
  MOVEMENT_CLASS_LABELS,
  type ResolutionProposal,
} from '../../../shared/bank-statements.ts';
import { formatMoney, toDecimalText } from '../../../shared/money.ts';
import type { ControlField } from '../../../shared/record-fields.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import {
  describeLinkablePayment,
  type LinkablePayment,
  listLinkablePayments,
  proposeSettlements,
} from '../../services/bank-statements/proposals.ts';
import type { FieldTexts } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { AllowInOpenBatchCheckbox, needsReason, ReasonField } from '../ui/refusal-reason.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { PaymentLinkForm } from './payment-links.tsx';

/**
 * The first proposal has the focus, so that Enter accepts it and leads to the next open movement. If there is something
 * to look at before, its text has the focus. Without a proposal the heading has it, because only the user can classify
 * the movement and Enter must not resolve it.
 */
export async function renderResolutionOptions(
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
  const search = { searchText: values.busca, chosenIds: [...ticked, ...proposals.flatMap(paymentIdsOf)] };
  const payments = movement.amountCents < 0 ? await listLinkablePayments(db, movement, search) : [];
  const hasError = (name: string) => errors[name] !== undefined;
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
  const firstWrong = PAYMENT_CAPTURE_FIELDS.find(({ name }) => captureErrors[name])?.name;
  return (
    <>
      {proposals.map((proposal, index) => (
        <StepForm
          key={proposal.razon}
          action={action}
          hidden={{ ...hidden, ...hiddenFieldsOf(proposal) }}
          buttons={
            <Button
              look={index === 0 ? 'primary' : undefined}
              autoFocus={index === 0 && isFresh && !proposal.warning}
            >
              {proposal.step}
            </Button>
          }
        >
          <ProposalHiddenInputs proposal={proposal} />
          <ProposalReason proposal={proposal} payments={payments} isFocused={index === 0 && isFresh} />
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
                  focus={hasError('siempre')}
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
            isOpen={hasError('pagos') || values.busca !== undefined}
          >
            <PaymentLinkForm
              {...{ movement, payments, tickedPaymentIds: ticked, action, hidden }}
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
                  {PAYMENT_CAPTURE_FIELDS.map((field) => (
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
              <AllowInOpenBatchCheckbox problem={problem} values={values} />
            </StepForm>
          </Disclosure>
        )}
      </div>
    </>
  );
}

export const PAYMENT_CAPTURE_FIELDS: readonly ControlField[] = [
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

function ProposalReason({
  proposal: { draft, razon, warning },
  payments,
  isFocused,
}: {
  proposal: ResolutionProposal;
  payments: readonly LinkablePayment[];
  isFocused: boolean;
}) {
  const [reason = ''] = razon.split(': ', 1);
  const [, same, says = ''] = /^Mismo (.*?)([,;] .*)?$/.exec(reason) ?? [];
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
      {says}.{' '}
      {warning && (
        // biome-ignore lint/a11y/noAutofocus: so that Enter accepts nothing that was not looked at
        <strong tabIndex={-1} autoFocus={isFocused}>
          {warning}
        </strong>
      )}
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
