import { plainDateIn, sayDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
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
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Field } from '../../../shared/ui/Field.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { getBatch } from '../../services/payment-batches/reading.ts';
import { countingOf, needsAnother, signaturesOf } from '../../services/payment-batches/stages.ts';
import { readSettings } from '../../services/settings/settings.ts';
import { renderPage } from '../../shell/render.tsx';
import { Ask } from '../ui/ask.tsx';
import { asksReason, Reason } from '../ui/closed-period.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { fromRow } from '../ui/long-table.tsx';
import { renderControls, textsOf } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { Refused } from '../ui/refused.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { renderBankFiles } from './bank-files.tsx';
import { BatchLines, LINES_FORM } from './lines.tsx';

export async function renderBatch(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const batch = await getBatch(db, id);
  const { problem, values } = state;
  const mayApprove = mayEnter('approval', requireSession(c).roles);
  const isOpen = batch.estado === 'borrador' || batch.estado === 'autorizada';
  const isPaid = batch.estado === 'pagada';
  const settings = await readSettings(db);
  const missing = signaturesOf(batch, settings) - countingOf(batch, settings).length;
  const isOwn = needsAnother(batch, requireSession(c).userId, settings);
  const shared = { batch, isOpen, isPaid, mayPermit: mayApprove && !isOwn && !isPaid, values };
  const [held, payable] = [batch.lines.filter(isHeld), batch.lines.filter((line) => !isHeld(line))];
  return renderPage(
    c,
    {
      title: batchName(id),
      status: state.status,
      actions: (
        <>
          <ExportLinks list={pages.paymentBatch(id)} first="pdf" query={{}} />
          {batch.paidCents > 0 && (
            <LinkButton href={pages.paymentBatchAdvices(id)} icon="mail">
              Avisos de pago
            </LinkButton>
          )}
          {historyLink(c, 'payment-batches', id)}
        </>
      ),
    },
    <div className="stack">
      <Refused problem={problem} />
      <p>
        <StateChip batch={batch} /> {sayWho(batch, missing, config.timeZone)}
      </p>
      <Totals label="Totales de la programación" items={totalsOf(batch)} />
      {payable.length > 0 && (
        <BatchLines
          {...shared}
          caption={isPaid ? 'Pagos' : 'Por pagar'}
          from={fromLine(c, 'pagables')}
          lines={payable}
        />
      )}
      {held.length > 0 && (
        <BatchLines {...shared} caption="Detenidas" from={fromLine(c, 'detenidas')} lines={held} />
      )}
      {isOpen && (await renderOwnForm(c, batch, state))}
      {await renderBankFiles(c, batch, mayApprove)}
      {!isPaid && <Steps batch={batch} mayApprove={mayApprove} isOwn={isOwn} state={state} />}
      {(isPaid ? mayApprove : batch.estado !== 'borrador') && (
        <Ask
          summary={isPaid ? 'Regresar a autorizada' : 'Regresar a borrador'}
          question={
            isPaid
              ? '¿Eliminar todos los pagos de esta programación? Quedan en la bitácora, y la programación vuelve a autorizada.'
              : '¿Regresar la programación a borrador? Pierde sus firmas.'
          }
          action={pages.paymentBatchStep(id, 'regresar')}
          version={String(batch.version)}
          button="Regresar"
          reason={wasSent(batch) ? 'motivo-regresar' : undefined}
          refused={state}
        />
      )}
      {batch.estado === 'borrador' && (
        <Ask
          summary="Eliminar la programación"
          question={`¿Eliminar la ${batchName(id).toLowerCase()}? Sus facturas quedan libres para otra.`}
          action={pages.paymentBatchStep(id, 'eliminar')}
          version={String(batch.version)}
          button="Eliminar"
        />
      )}
    </div>,
  );
}

const fromLine = (c: AppContext, name: string) => ({ name, line: fromRow(c, name) });

/** A batch without held lines shows the total alone. */
function totalsOf({ lines, totalCents }: FullBatch) {
  const { payableCents, heldCents } = splitOf(lines);
  if (heldCents === 0) return [{ label: 'Total', cents: totalCents }];
  return [
    { label: 'Pagable', cents: payableCents },
    { label: 'Detenido', cents: heldCents, op: '+' as const },
    { label: 'Total', cents: totalCents, op: '=' as const },
  ];
}

/** "La hizo ana. Firmó luis. Falta una firma." */
function sayWho(batch: FullBatch, missing: number, timeZone: string): string {
  const { author, signatures, estado, sender, sentOn, payer, paidAt } = batch;
  const signed = signatures
    .map(({ username, isCurrent }) =>
      isCurrent ? username : `${username} (ya no cuenta: ya no puede firmar)`,
    )
    .join(' y ');
  const paidOn = paidAt && sayDate(plainDateIn(new Date(paidAt), timeZone));
  return [
    `La hizo ${author}.`,
    signed && `Firmó ${signed}.`,
    estado !== 'pagada' && missing > 0 && (missing === 1 ? 'Falta una firma.' : `Faltan ${missing} firmas.`),
    sender && sentOn && `La mandó al banco ${sender} el ${sayDate(sentOn)}.`,
    payer && sayPaid(batch, `${payer} el ${paidOn}`),
  ]
    .filter(Boolean)
    .join(' ');
}

function sayPaid(batch: FullBatch, who: string): string {
  const { paidCents } = batch;
  if (isSentBack(batch)) return `El banco la devolvió completa, según lo que cargó ${who}.`;
  return paidCents > 0 ? `La pagó ${who}: ${formatMoney(paidCents)}.` : `La pagó ${who}; ya no tiene pagos.`;
}

/** The amounts in the lines above belong to this form too. */
async function renderOwnForm(c: AppContext, batch: FullBatch, { values, problem }: FormState) {
  const controls = await renderControls(c.get('deps').db, BATCH_FIELDS, {
    values: { ...textsOf(BATCH_FIELDS, batch), ...values },
    errors: problem?.fields ?? {},
  });
  return (
    <StepForm
      id={LINES_FORM}
      action={pages.paymentBatch(batch.id)}
      hidden={{ version: String(batch.version) }}
      fields={controls}
      buttons={<Button>Guardar</Button>}
      below={
        batch.estado === 'autorizada' && (
          <p className="hint">Al guardar cambios vuelve a borrador y pierde sus firmas.</p>
        )
      }
    />
  );
}

interface StepsProps {
  batch: FullBatch;
  mayApprove: boolean;
  /** its reader has made or changed it, and may not sign */
  isOwn: boolean;
  state: FormState;
}

function Steps({ batch, mayApprove, isOwn, state }: StepsProps) {
  const { id, estado } = batch;
  if (!mayApprove) return <p className="soft">La autorizan y la pagan Dirección o Contabilidad.</p>;
  if (estado === 'borrador' && isOwn) return <p className="soft">{batchTexts.sameAuthor}</p>;
  const form = (step: string) => ({
    action: pages.paymentBatchStep(id, step),
    hidden: { version: String(batch.version) },
  });
  if (estado === 'borrador')
    return (
      <StepForm
        {...form('autorizar')}
        buttons={
          <Button look="primary" icon="check">
            Autorizar
          </Button>
        }
      />
    );
  const isRefused = state.asked === form('pagar').action;
  const texts = isRefused ? state.values : {};
  const errors = (isRefused && state.problem?.fields) || {};
  return (
    <>
      {estado === 'autorizada' && (
        <StepForm {...form('enviar')} buttons={<Button>Marcar como enviada</Button>} />
      )}
      <StepForm
        {...form('pagar')}
        fields={
          <>
            <Field
              name="cheque"
              label="Primer número de cheque"
              value={texts.cheque}
              error={errors.cheque}
              hint="Uno por proveedor, consecutivos, con los mismos ceros."
              maxLength={60}
              autoComplete="off"
            />
            <Field
              name="referencia"
              label="Referencia"
              value={texts.referencia}
              error={errors.referencia}
              hint="En vez del cheque, la misma en todos los pagos."
              maxLength={60}
              autoComplete="off"
            />
            {isRefused && asksReason(state.problem) && <Reason {...state} />}
          </>
        }
        buttons={
          <Button look="primary" icon="pay">
            Pagar
          </Button>
        }
      />
    </>
  );
}

/** A batch that was not paid whole stands out. */
export function StateChip({ batch }: { batch: PaymentBatch }) {
  const tones = { borrador: 'neutral', autorizada: 'accent', enviada: 'accent', pagada: 'done' } as const;
  return <Chip tone={isPartlyPaid(batch) ? 'warn' : tones[batch.estado]}>{batchStateLabel(batch)}</Chip>;
}
