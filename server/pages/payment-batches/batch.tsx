import type { ReactNode } from 'react';
import { plainDateIn, sayDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import {
  BATCH_FIELDS,
  batchName,
  batchTexts,
  type FullBatch,
  isHeld,
  isSentBack,
  splitOf,
  wasSent,
} from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button, LinkButton } from '../../../shared/ui/Button.tsx';
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
import { renderBankFiles } from './bank-files.tsx';
import { BatchLines, LINES_FORM } from './lines.tsx';
import { StateChip } from './list.tsx';

/** A batch: what it pays to whom, what the checks have found, and the steps that its reader may take. */
export async function renderBatch(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const batch = await getBatch(db, id);
  const { problem, values, asked } = state;
  const mayApprove = mayEnter('approval', requireSession(c).roles);
  const isOpen = batch.estado === 'borrador' || batch.estado === 'autorizada';
  const isPaid = batch.estado === 'pagada';
  const settings = await readSettings(db);
  const missing = signaturesOf(batch, settings) - countingOf(batch, settings).length;
  const isOwn = needsAnother(batch, requireSession(c).userId, settings);
  const shared = {
    batchId: id,
    version: batch.version,
    isOpen,
    isPaid,
    mayPermit: mayApprove && !isOwn && !isPaid,
    values,
  };
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
      {!isPaid && <Steps batch={batch} mayApprove={mayApprove} isOwn={isOwn} asked={asked} state={state} />}
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

/** What would be paid and what is held make the whole; of a batch that holds nothing the whole alone. */
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

/** Day, source and remarks; the amounts of the lines above are posted with them. */
async function renderOwnForm(c: AppContext, batch: FullBatch, { values, problem }: FormState) {
  const controls = await renderControls(c.get('deps').db, BATCH_FIELDS, {
    values: { ...textsOf(BATCH_FIELDS, batch), ...values },
    errors: problem?.fields ?? {},
  });
  return (
    <form
      id={LINES_FORM}
      method="post"
      action={pages.paymentBatch(batch.id)}
      className="form"
      data-busy=""
      noValidate
    >
      <input type="hidden" name="version" value={batch.version} />
      <div className="fields">{controls}</div>
      {batch.estado === 'autorizada' && (
        <p className="hint">Al guardar cambios vuelve a borrador y pierde sus firmas.</p>
      )}
      <div className="form-actions">
        <Button>Guardar</Button>
      </div>
    </form>
  );
}

interface StepsProps {
  batch: FullBatch;
  mayApprove: boolean;
  /** somebody else has to sign what its reader has made or changed */
  isOwn: boolean;
  asked?: string;
  state: FormState;
}

/** What comes next, for those who may. */
function Steps({ batch, mayApprove, isOwn, asked, state }: StepsProps) {
  const { id, estado } = batch;
  if (!mayApprove) return <p className="soft">La autorizan y la pagan Dirección o Contabilidad.</p>;
  if (estado === 'borrador' && isOwn) return <p className="soft">{batchTexts.sameAuthor}</p>;
  if (estado === 'borrador')
    return (
      <Step batch={batch} step="autorizar">
        <div className="form-actions">
          <Button look="primary" icon="check">
            Autorizar
          </Button>
        </div>
      </Step>
    );
  const isRefused = asked === pages.paymentBatchStep(id, 'pagar');
  const texts = isRefused ? state.values : {};
  const errors = (isRefused && state.problem?.fields) || {};
  return (
    <>
      {estado === 'autorizada' && (
        <Step batch={batch} step="enviar">
          <div className="form-actions">
            <Button>Marcar como enviada</Button>
          </div>
        </Step>
      )}
      <Step batch={batch} step="pagar">
        <div className="fields">
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
        </div>
        <div className="form-actions">
          <Button look="primary" icon="pay">
            Pagar
          </Button>
        </div>
      </Step>
    </>
  );
}

const Step = ({ batch, step, children }: { batch: FullBatch; step: string; children: ReactNode }) => (
  <form
    method="post"
    action={pages.paymentBatchStep(batch.id, step)}
    className="form"
    data-busy=""
    noValidate
  >
    <input type="hidden" name="version" value={batch.version} />
    {children}
  </form>
);
