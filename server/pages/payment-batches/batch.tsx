import { counted } from '../../../shared/counts.ts';
import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import {
  BATCH_FIELDS,
  batchName,
  batchStateLabel,
  batchTexts,
  type FullBatch,
  isHeld,
  isPartlyPaid,
  isSentBack,
  type PaymentBatch,
  splitOf,
  wasSent,
} from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
import { Chip } from '../../../shared/ui/Chip.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { getBatch } from '../../services/payment-batches/reading.ts';
import { countingOf, needsAnother, signaturesOf } from '../../services/payment-batches/stages.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { renderPage } from '../../shell/render.tsx';
import { Ask } from '../ui/ask.tsx';
import { Reason } from '../ui/closed-period.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { fromRow } from '../ui/long-table.tsx';
import { renderControls, textsOf } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { Refused } from '../ui/refused.tsx';
import { StepBar, StepButton } from '../ui/step-bar.tsx';
import { StepForm } from '../ui/step-form.tsx';
import {
  BankFiles,
  type NextFile,
  NextFileStep,
  nextFileOf,
  readBankFiles,
  sayTransfers,
} from './bank-files.tsx';
import { BatchLines, LINES_FORM } from './lines.tsx';

/** The parameter of the address that opens an authorised batch for changes, which cost it its signatures. */
const EDITING = 'editar';

export async function renderBatch(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const batch = await getBatch(db, id);
  const { problem, values } = state;
  const { userId, roles } = requireSession(c);
  const mayApprove = mayEnter('approval', roles);
  const { estado } = batch;
  const isPaid = estado === 'pagada';
  const isRefusedEdit = !state.asked && Object.keys(values).length > 0;
  const isReopened = estado === 'autorizada' && (Boolean(c.req.query(EDITING)) || isRefusedEdit);
  const isOpen = estado === 'borrador' || isReopened;
  const settings = await readSettings(db);
  const missing = isPaid ? 0 : signaturesOf(batch, settings) - countingOf(batch, settings).length;
  const isOwn = needsAnother(batch, userId, settings);
  const hasSigned = batch.signatures.some((one) => one.userId === userId);
  const bankFiles = mayApprove ? await readBankFiles(db, batch) : undefined;
  const { timeZone } = config;
  const shared = { batch, isOpen, mayPermit: mayApprove && !isOwn && !isPaid, values, timeZone };
  const [held, payable] = [batch.lines.filter(isHeld), batch.lines.filter((line) => !isHeld(line))];
  const nextFile = bankFiles && missing === 0 ? nextFileOf(batch, bankFiles) : undefined;
  return renderPage(
    c,
    {
      title: batchName(id),
      status: state.status,
      actions: (
        <>
          <ExportLinks list={pages.paymentBatch(id)} first="pdf" query={{}} />
          {historyLink(c, 'payment-batches', id)}
        </>
      ),
    },
    <div className="stack">
      <Refused problem={problem} />
      <Steps
        batch={batch}
        mayApprove={mayApprove}
        maySign={mayApprove && !isOwn && !hasSigned}
        missing={missing}
        isReopened={isReopened}
        nextFile={nextFile}
        state={state}
      />
      <p className="print-only">{batchStateLabel(batch)}</p>
      <Facts facts={factsOf(batch, timeZone)} look="of-batch" />
      {held.length > 0 && <Totals label="Totales de la programación" items={totalsOf(batch)} />}
      {payable.length > 0 && (
        <BatchLines
          {...shared}
          caption={isPaid ? 'Pagos' : 'Por pagar'}
          from={fromLine(c, 'pagables')}
          lines={payable}
        />
      )}
      {held.length > 0 && (
        <BatchLines {...shared} caption="Retenidas" from={fromLine(c, 'detenidas')} lines={held} />
      )}
      {isOpen && (await renderOwnForm(c, batch, state))}
      {bankFiles && !isReopened && (
        <BankFiles batch={batch} read={bankFiles} next={nextFile} timeZone={timeZone} />
      )}
    </div>,
  );
}

const fromLine = (c: AppContext, name: string) => ({ name, line: fromRow(c, name) });

function totalsOf({ lines, totalCents }: FullBatch) {
  const { payableCents, heldCents } = splitOf(lines);
  return [
    { label: 'Por pagar', cents: payableCents },
    { label: 'Retenido', cents: heldCents, op: '+' as const },
    { label: 'Total', cents: totalCents, op: '=' as const },
  ];
}

/** Who did what with it, and when. */
function factsOf(batch: FullBatch, timeZone: string) {
  const { fecha, origenderecursonombre, author, signatures, sender, sentOn, payer, paidAt, comments } = batch;
  const signed = signatures
    .map(({ username, isCurrent }) => (isCurrent ? username : `${username} (ya no puede autorizar)`))
    .join(' y ');
  const paidOn = paidAt && formatDate(plainDateIn(new Date(paidAt), timeZone));
  return {
    'Fecha de pago': formatDate(fecha),
    'Origen de recurso': origenderecursonombre,
    Elaboró: author,
    Autorizó: signed,
    'Mandó al banco': sender && sentOn && `${sender}, ${formatDate(sentOn)}`,
    Pagó: payer && `${payer}, ${paidOn}`,
    Observaciones: comments,
  };
}

/** The amounts in the lines above belong to this form too. */
async function renderOwnForm(c: AppContext, batch: FullBatch, { values, problem }: FormState) {
  const errors = problem?.fields ?? {};
  const controls = await renderControls(c.get('deps').db, BATCH_FIELDS, {
    values: { ...textsOf(BATCH_FIELDS, batch), ...values },
    errors,
  });
  return (
    <Disclosure
      summary="Cambiar fecha, origen de recurso u observaciones"
      isOpen={BATCH_FIELDS.some(({ name }) => errors[name])}
    >
      <StepForm
        id={LINES_FORM}
        action={pages.paymentBatch(batch.id)}
        hidden={{ version: String(batch.version) }}
        fields={controls}
        buttons={<Button>Guardar</Button>}
      />
    </Disclosure>
  );
}

interface StepsProps {
  batch: FullBatch;
  mayApprove: boolean;
  /** its reader's signature would count */
  maySign: boolean;
  /** how many signatures it waits for */
  missing: number;
  /** it was authorised, and is open for changes */
  isReopened: boolean;
  /** the file that the bank gets next */
  nextFile: NextFile | undefined;
  state: FormState;
}

function Steps(props: StepsProps) {
  const { batch, mayApprove, missing, isReopened, nextFile, state } = props;
  const { id, estado, version, lines, count, totalCents, paidCents } = batch;
  const { payableCents, heldCents } = splitOf(lines);
  const step = (name: string) => pages.paymentBatchStep(id, name);
  const hidden = { version: String(version) };
  const isPaid = estado === 'pagada';
  const isSigned = !isPaid && estado !== 'borrador' && missing === 0;
  const maySend = mayApprove && isSigned && !isReopened;
  const paying = maySend && <PayForm key="pagar" action={step('pagar')} hidden={hidden} state={state} />;
  const save = (
    <Button form={LINES_FORM} look={isReopened ? 'primary' : undefined}>
      Guardar
    </Button>
  );
  const sign = estado === 'borrador' && props.maySign && (
    <StepButton action={step('autorizar')} hidden={hidden} look="primary" icon="check">
      Autorizar
    </StepButton>
  );
  const pay = maySend && !nextFile && (
    <StepButton action={step('pagar')} hidden={hidden} look="primary" icon="pay">
      Pagar
    </StepButton>
  );
  const advices = isPaid && paidCents > 0 && (
    <LinkButton href={pages.paymentBatchAdvices(id)} icon="mail">
      Avisos de pago
    </LinkButton>
  );
  const wasRefused = state.asked === step('pagar') || state.asked === step('regresar');
  return (
    <StepBar
      label={`Siguiente paso de la ${batchName(id).toLowerCase()}`}
      state={<StateChip batch={batch} />}
      sum={
        isPaid
          ? { label: 'Pagado', cents: paidCents }
          : heldCents > 0
            ? { label: 'Por pagar', cents: payableCents }
            : { label: counted(count, 'factura', 'facturas'), cents: totalCents }
      }
      missing={missingOf(props)}
      next={
        <>
          {(estado === 'borrador' || isReopened) && save}
          {!isReopened &&
            ((nextFile && <NextFileStep batch={batch} next={nextFile} />) || sign || pay || advices)}
        </>
      }
      isOpen={wasRefused && state.problem?.fields !== undefined}
      more={[
        isReopened && <LinkButton href={pages.paymentBatch(id)}>Cancelar los cambios</LinkButton>,
        estado === 'autorizada' && !isReopened && (
          <LinkButton href={withQuery(pages.paymentBatch(id), { [EDITING]: '1' })} icon="edit">
            Cambiar importes, fecha u origen
          </LinkButton>
        ),
        maySend && estado === 'autorizada' && (
          <StepButton action={step('enviar')} hidden={hidden}>
            Marcar como enviada
          </StepButton>
        ),
        estado === 'enviada' && mayApprove && (
          <LinkButton href={pages.bankStatements}>Cargar el estado de cuenta del banco</LinkButton>
        ),
        paying,
        (isPaid ? mayApprove : estado !== 'borrador') && (
          <Ask
            summary={isPaid ? 'Deshacer el pago' : 'Volver a borrador'}
            question={
              isPaid
                ? '¿Eliminar todos los pagos de esta programación? Quedan en la bitácora, y la programación vuelve a autorizada.'
                : '¿Volver a borrador? La programación pierde sus autorizaciones.'
            }
            action={step('regresar')}
            version={hidden.version}
            button={isPaid ? 'Deshacer el pago' : 'Volver a borrador'}
            reason={wasSent(batch) ? 'motivo-regresar' : undefined}
            refused={state}
          />
        ),
        estado === 'borrador' && (
          <Ask
            summary="Eliminar la programación"
            question={`¿Eliminar la ${batchName(id).toLowerCase()}? Sus facturas quedan libres para otra.`}
            action={step('eliminar')}
            version={hidden.version}
            button="Eliminar"
          />
        ),
      ]}
    />
  );
}

/** What the document waits for, and of whom. */
function missingOf({ batch, mayApprove, maySign, missing, isReopened, nextFile }: StepsProps) {
  const { estado, paidCents } = batch;
  if (isSentBack(batch)) return 'El banco la devolvió completa.';
  if (estado === 'pagada') return paidCents > 0 ? undefined : 'Ya no tiene pagos.';
  if (isReopened) return 'Al guardar vuelve a borrador, y hay que autorizarla otra vez.';
  if (missing > 0) {
    if (estado !== 'borrador') return batchTexts.unsigned;
    const what = missing > 1 ? `Faltan ${missing} autorizaciones` : 'Falta autorizar';
    if (maySign) return `${what}.`;
    const who = mayApprove ? 'otra persona de Dirección o Contabilidad' : 'Dirección o Contabilidad';
    return `${what}: lo hace ${who}.`;
  }
  if (!mayApprove) return 'Falta pagar: lo hace Dirección o Contabilidad.';
  if (nextFile?.make) return `Falta el archivo para el banco: ${sayTransfers(nextFile.make)}.`;
  if (nextFile) return 'Falta descargar el archivo y subirlo al banco.';
  return estado === 'enviada' ? 'Falta que el banco la pague.' : 'Falta pagar.';
}

interface PayFormProps {
  action: string;
  hidden: { version: string };
  state: FormState;
}

/** For payments that carry a number, and for those that were refused. */
function PayForm({ action, hidden, state }: PayFormProps) {
  const isRefused = state.asked === action;
  const texts = isRefused ? state.values : {};
  const errors = (isRefused && state.problem?.fields) || {};
  return (
    <Disclosure summary="Pagar con número de cheque o referencia" isOpen={isRefused}>
      <StepForm
        action={action}
        hidden={hidden}
        fields={
          <>
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
            {isRefused && <Reason {...state} />}
          </>
        }
        buttons={<Button>Pagar con este número</Button>}
      />
    </Disclosure>
  );
}

const LOOKS = {
  borrador: { tone: 'neutral', mark: 'open' },
  autorizada: { tone: 'accent', mark: 'half' },
  enviada: { tone: 'accent', mark: 'half' },
  pagada: { tone: 'done', mark: 'full' },
} as const;

/** A batch that was not paid whole stands out. */
export function StateChip({ batch }: { batch: PaymentBatch }) {
  const look = isPartlyPaid(batch) ? ({ tone: 'warn', mark: 'half' } as const) : LOOKS[batch.estado];
  return <Chip {...look}>{batchStateLabel(batch)}</Chip>;
}
