import { pluralize } from '../../../shared/counts.ts';
import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { invoiceNumberOrId } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import {
  type BatchLine,
  bankAmountFieldName,
  batchName,
  batchStateLabel,
  batchTexts,
  type FullBatch,
  formatHeldSum,
  isBatchReturned,
  isOpenLine,
  isPaidLine,
  isPartlyPaid,
  listLinesOfNextStep,
  listPayableForeignLines,
  type PaymentBatch,
  sumLines,
  wasSent,
} from '../../../shared/payment-batches.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { OfferedLayout } from '../../services/bank-files/files.ts';
import {
  computeAvailableCents,
  type OfferedInvoice,
} from '../../services/payment-batches/offered-invoices.ts';
import { ConfirmStep } from '../ui/confirm-step.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { ReasonField } from '../ui/refusal-reason.tsx';
import { MORE_ACTIONS_ID, NextActionBar, StepButton } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';
import {
  describeTransfers,
  FileMakeOrDownloadButton,
  type FileToMakeOrDownload,
  MakeFileButton,
} from './bank-files.tsx';
import { EDITING_PARAMETER, LINES_FORM_ID } from './lines.tsx';
import { CHOOSE_STEP_BUTTON, CHOSEN_INVOICE_FIELD } from './row-selection.tsx';

interface BatchStepsProps {
  batch: FullBatch;
  mayApprove: boolean;
  maySendMail: boolean;
  /** the user's signature would count */
  maySign: boolean;
  missing: number;
  obstacle: string | undefined;
  isEditing: boolean;
  nextFile: FileToMakeOrDownload | undefined;
  others: readonly OfferedLayout[];
  /** the lines of a paid batch without a payment, and those of their invoices that another batch may pay */
  unpaidLines: readonly BatchLine[];
  unplannedInvoices: readonly OfferedInvoice[];
  state: FormState;
}

export function BatchSteps(props: BatchStepsProps) {
  const { batch, mayApprove, missing, isEditing, nextFile, others, unplannedInvoices, state } = props;
  const { id, estado, version, paidCents } = batch;
  const stepAddress = (name: string) => pages.paymentBatchStep(id, name);
  const hidden = { version: String(version) };
  const isPaid = estado === 'pagada';
  const isSigned = !isPaid && estado !== 'borrador' && missing === 0;
  const maySend = mayApprove && isSigned && !isEditing;
  const foreign = maySend ? listPayableForeignLines(batch) : [];
  const payableLines = listLinesOfNextStep(batch);
  const payable = { count: payableLines.length, cents: sumLines(payableLines) };
  const sum = findShownSum(batch, payableLines);
  const paying = maySend && (
    <PayForm key="pagar" action={stepAddress('pagar')} hidden={hidden} state={state} foreignLines={foreign} />
  );
  const save = (
    <>
      <LinkButton href={pages.paymentBatch(id)}>Cancelar</LinkButton>
      <Button form={LINES_FORM_ID} look="primary">
        Guardar
      </Button>
    </>
  );
  const sign = estado === 'borrador' && props.maySign && (
    <StepButton action={stepAddress('autorizar')} hidden={hidden} look="primary" icon="check">
      <ActAndSum act="Autorizar" {...payable} />
    </StepButton>
  );
  const askBankAmounts = foreign.length > 0 && (
    <Button type="button" look="primary" icon="pay" popoverTarget={MORE_ACTIONS_ID}>
      Pagar…
    </Button>
  );
  const pay =
    maySend &&
    !nextFile &&
    (askBankAmounts || (
      <StepButton action={stepAddress('pagar')} hidden={hidden} look="primary" icon="pay">
        <ActAndSum act="Pagar" {...payable} />
      </StepButton>
    ));
  const edit = !isEditing && (estado === 'borrador' || estado === 'autorizada') && (
    <LinkButton href={withQuery(pages.paymentBatch(id), { [EDITING_PARAMETER]: '1' })} icon="edit">
      Cambiar importes
    </LinkButton>
  );
  const advices = isPaid && paidCents > 0 && (
    <>
      <LinkButton href={pages.paymentBatchAdvices(id)} icon={props.maySendMail ? undefined : 'mail'}>
        Avisos de pago
      </LinkButton>
      {props.maySendMail && (
        <LinkButton href={pages.sendBatchAdvices(id)} icon="mail">
          <span>
            Enviar<span className="roomy"> por correo</span>
          </span>
        </LinkButton>
      )}
    </>
  );
  const planRest = unplannedInvoices.length > 0 && (
    <StepButton
      action={pages.newPaymentBatch}
      hidden={{
        [CHOOSE_STEP_BUTTON.name]: CHOOSE_STEP_BUTTON.value,
        [CHOSEN_INVOICE_FIELD]: unplannedInvoices.map((invoice) => String(invoice.id)),
      }}
      look="primary"
      icon="calendar"
    >
      <ActAndSum
        act="Programar"
        count={unplannedInvoices.length}
        cents={unplannedInvoices.reduce((sum, invoice) => sum + computeAvailableCents(invoice), 0)}
      />
    </StepButton>
  );
  // The sum stands on the button that signs or pays it.
  const isSumOnButton =
    !isEditing && !nextFile && payable.count > 0 && Boolean(sign || (pay && !askBankAmounts));
  const wasRefused =
    state.stepAddress === stepAddress('pagar') || state.stepAddress === stepAddress('regresar');
  return (
    <NextActionBar
      label={`Siguiente paso de la ${batchName(id).toLowerCase()}`}
      sum={isSumOnButton ? undefined : sum}
      missingText={
        <>
          {describeMissingStep(props)}
          {isSumOnButton && sum.note && <span className="hint"> {sum.note}</span>}
        </>
      }
      nextAction={
        isEditing
          ? save
          : (nextFile && <FileMakeOrDownloadButton batch={batch} nextFile={nextFile} />) ||
            sign ||
            pay ||
            planRest ||
            advices ||
            edit
      }
      isOpen={wasRefused && state.problem?.fields !== undefined}
      moreActions={[
        sign || estado === 'autorizada' ? edit : undefined,
        planRest && advices,
        ...others.map((file) => (
          <div key={file.layout.plantilla}>
            <MakeFileButton batch={batch} file={file}>{`Generar: ${file.layout.nombre}`}</MakeFileButton>
            <span className="hint">{describeTransfers(file)}</span>
          </div>
        )),
        maySend && estado === 'autorizada' && (
          <StepButton action={stepAddress('enviar')} hidden={hidden}>
            Marcar como enviada
          </StepButton>
        ),
        estado === 'enviada' && mayApprove && (
          <LinkButton href={pages.bankStatements}>Cargar el estado de cuenta del banco</LinkButton>
        ),
        paying,
        (isPaid ? mayApprove : estado !== 'borrador') && (
          <ConfirmStep
            summary={isPaid ? 'Deshacer el pago' : 'Volver a borrador'}
            question={
              isPaid
                ? '¿Eliminar todos los pagos de esta programación? Quedan en la bitácora, y la programación vuelve a autorizada.'
                : '¿Volver a borrador? La programación pierde sus autorizaciones.'
            }
            action={stepAddress('regresar')}
            version={hidden.version}
            button={isPaid ? 'Deshacer el pago' : 'Volver a borrador'}
            reasonFieldId={wasSent(batch) ? 'motivo-regresar' : undefined}
            refused={state}
          />
        ),
        estado === 'borrador' && (
          <ConfirmStep
            summary="Eliminar la programación"
            question={`¿Eliminar la ${batchName(id).toLowerCase()}? Sus facturas quedan libres para otra.`}
            action={stepAddress('eliminar')}
            version={hidden.version}
            button="Eliminar"
          />
        ),
      ]}
    />
  );
}

/**
 * Says what a button signs, pays or plans; phones, which have less room, show the sum without the number of invoices. If
 * all lines are held, there is no sum to sign, and only the act is named.
 */
const ActAndSum = ({ act, count, cents }: { act: string; count: number; cents: Cents }) => (
  <span>
    {act}
    {count > 0 && <span className="roomy">{` ${pluralize(count, 'factura', 'facturas')} por`}</span>}
    {count > 0 && ` ${formatMoney(cents)}`}
  </span>
);

/** Returns the sum that the next step pays, with a note of what it leaves out. */
function findShownSum(
  batch: FullBatch,
  payableLines: readonly BatchLine[],
): { label: string; cents: Cents; note?: string } {
  const { lines, count, paidCents, totalCents } = batch;
  if (batch.estado === 'pagada') return { label: 'Pagado', cents: paidCents };
  const openCents = sumLines(payableLines);
  if (openCents === totalCents) return { label: pluralize(count, 'factura', 'facturas'), cents: totalCents };
  const alreadyPaidCents = sumLines(lines.filter(isPaidLine));
  const paid = alreadyPaidCents > 0 ? `+ ${formatMoney(alreadyPaidCents)} pagado` : '';
  const heldCents = sumLines(lines.filter((line) => isOpenLine(line) && !payableLines.includes(line)));
  const note = [paid, formatHeldSum({ heldCents })].filter(Boolean).join(' ');
  return { label: 'Por pagar', cents: openCents, note };
}

function describeMissingStep({
  batch,
  mayApprove,
  maySign,
  missing,
  obstacle,
  isEditing,
  nextFile,
  unpaidLines,
  unplannedInvoices,
}: BatchStepsProps) {
  const { estado, paidCents } = batch;
  if (estado === 'pagada') {
    const how = isBatchReturned(batch)
      ? 'El banco la devolvió completa.'
      : paidCents === 0 && 'Ya no tiene pagos.';
    return [how, describeUnpaidRest(unpaidLines, unplannedInvoices)].filter(Boolean).join(' ');
  }
  if (isEditing)
    return estado === 'autorizada'
      ? 'Al guardar vuelve a borrador, y hay que autorizarla otra vez.'
      : undefined;
  if (missing > 0) {
    if (estado !== 'borrador') return batchTexts.unsigned;
    const missingText = missing > 1 ? `Faltan ${missing} autorizaciones` : 'Falta autorizar';
    if (maySign) return `${missingText}.`;
    if (obstacle) return `${missingText}. ${obstacle}`;
    const signers = mayApprove ? 'otra persona de Dirección o Contabilidad' : 'Dirección o Contabilidad';
    return `${missingText}: lo hace ${signers}.`;
  }
  if (!mayApprove) return 'Falta pagar: lo hace Dirección o Contabilidad.';
  if (nextFile?.layoutToMake)
    return `Falta el archivo «${nextFile.layoutToMake.layout.nombre}»: ${describeTransfers(nextFile.layoutToMake)}.`;
  if (nextFile?.fileToDownload)
    return `Falta descargar el archivo (${describeTransfers(nextFile.fileToDownload)}) y subirlo al banco.`;
  if (estado !== 'enviada') return 'Falta pagar.';
  const { atBankCents, unsentCents } = batch;
  if (unsentCents === 0) return 'Falta que el banco la pague.';
  const unsent = `${formatMoney(unsentCents)} no va en sus archivos`;
  return atBankCents > 0
    ? `Falta que el banco pague ${formatMoney(atBankCents)}; ${unsent}.`
    : `Falta pagar: ${unsent}.`;
}

/** Says how many lines a paid batch did not pay, and how much of them is owed or can still be scheduled. */
function describeUnpaidRest(
  unpaidLines: readonly BatchLine[],
  unplannedInvoices: readonly OfferedInvoice[],
): string {
  if (unpaidLines.length === 0) return '';
  const scheduled = `programada${unpaidLines.length === 1 ? '' : 's'} por ${formatMoney(sumLines(unpaidLines))}`;
  const rest = `${unpaidLines.length === 1 ? 'Quedó' : 'Quedaron'} sin pagar ${pluralize(unpaidLines.length, 'factura', 'facturas')} ${scheduled}`;
  const owedCents = unpaidLines.reduce((sum, { pendingCents }) => sum + pendingCents, 0);
  if (owedCents === 0) return `${rest}, y ya no se debe nada.`;
  const freeCents = unplannedInvoices.reduce((sum, invoice) => sum + computeAvailableCents(invoice), 0);
  if (freeCents === 0) return `${rest}; lo que se debe ya está en otra programación.`;
  const free = freeCents < owedCents ? `, ${formatMoney(freeCents)} por programar` : '';
  return `${rest}: hoy se deben ${formatMoney(owedCents)}${free}.`;
}

interface PayFormProps {
  /** the lines in another currency that the form pays */
  foreignLines: readonly BatchLine[];
  action: string;
  hidden: { version: string };
  state: FormState;
}

function PayForm({ action, hidden, state, foreignLines }: PayFormProps) {
  const isRefused = state.stepAddress === action;
  const texts = isRefused ? state.values : {};
  const errors = (isRefused && state.problem?.fields) || {};
  return (
    <Disclosure
      summary={
        foreignLines.length > 0
          ? 'Pagar, con lo que salió del banco'
          : 'Pagar con número de cheque o referencia'
      }
      isOpen={isRefused || foreignLines.length > 0}
    >
      <StepForm
        action={action}
        hidden={hidden}
        fields={
          <>
            {foreignLines.map(({ invoiceId, numfactura, foreign: owed }) => (
              <Field
                key={invoiceId}
                kind="money"
                name={bankAmountFieldName(invoiceId)}
                label={`Salió del banco por ${invoiceNumberOrId(numfactura, invoiceId)} (${formatForeign(owed!.cents, owed!.moneda)})`}
                value={texts[bankAmountFieldName(invoiceId)]}
                error={errors[bankAmountFieldName(invoiceId)]}
              />
            ))}
            <Field
              name="cheque"
              label="Primer número de cheque"
              value={texts.cheque}
              error={errors.cheque}
              hint="Uno por proveedor, consecutivos."
              maxLength={60}
              autoComplete="off"
            />
            <Field
              name="referencia"
              label="Referencia"
              value={texts.referencia}
              error={errors.referencia}
              hint="Se usa en lugar del número de cheque en todos los pagos."
              maxLength={60}
              autoComplete="off"
            />
            {isRefused && <ReasonField {...state} />}
          </>
        }
        buttons={<Button>{foreignLines.length > 0 ? 'Pagar' : 'Pagar con este número'}</Button>}
      />
    </Disclosure>
  );
}

const STATE_TONES_AND_MARKS = {
  borrador: { tone: 'neutral', mark: 'open' },
  autorizada: { tone: 'accent', mark: 'half' },
  enviada: { tone: 'accent', mark: 'half' },
  pagada: { tone: 'done', mark: 'full' },
} as const;

export function StateChip({ batch }: { batch: PaymentBatch }) {
  const look = isPartlyPaid(batch)
    ? ({ tone: 'warn', mark: 'half' } as const)
    : STATE_TONES_AND_MARKS[batch.estado];
  return <Chip {...look}>{batchStateLabel(batch)}</Chip>;
}
