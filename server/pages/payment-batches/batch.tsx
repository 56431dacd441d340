import { formatDate, plainDateIn } from '../../../shared/dates.ts';
import {
  BATCH_FIELDS,
  batchName,
  type FullBatch,
  heldText,
  isHeld,
  payableOf,
} from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Button } from '../../../shared/ui/Button.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { Totals } from '../../../shared/ui/Totals.tsx';
import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { getBatch } from '../../services/payment-batches/reading.ts';
import {
  needsAnotherSigner,
  readBatchRules,
  requiredSignatures,
  toSignedDocument,
  validSignatures,
} from '../../services/payment-batches/stages.ts';
import { findWaitMessage } from '../../services/signatures/second-person.ts';
import { renderPage } from '../../shell/render.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { readFirstRow } from '../ui/long-table.tsx';
import { renderControls, textsOf } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused.tsx';
import { SignatureNotes } from '../ui/signature-notes.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { BankFiles, findNextFile, readBankFiles } from './bank-files.tsx';
import { BatchSteps, EDITING_PARAMETER } from './batch-steps.tsx';
import { BatchLines, LINES_FORM } from './lines.tsx';

export async function renderBatch(c: AppContext, state: FormState = { values: {} }) {
  const id = idInPath(c);
  const { db, config } = c.get('deps');
  const batch = await getBatch(db, id);
  const { problem, values } = state;
  const { userId, roles } = requireSession(c);
  const mayApprove = mayEnter('approval', roles);
  const { estado } = batch;
  const isPaid = estado === 'pagada';
  const isRefusedEdit = !state.stepAddress && Object.keys(values).length > 0;
  const isReopened = estado === 'autorizada' && (Boolean(c.req.query(EDITING_PARAMETER)) || isRefusedEdit);
  const isOpen = estado === 'borrador' || isReopened;
  const settings = await readBatchRules(db, batch);
  const missing = isPaid ? 0 : requiredSignatures(batch, settings) - validSignatures(batch, settings).length;
  const signing = { rules: settings, at: c.get('now').toISOString() };
  const obstacle =
    mayApprove && missing > 0
      ? await findWaitMessage(db, userId, toSignedDocument(batch), signing)
      : undefined;
  const isPreparer = needsAnotherSigner(batch, userId, settings) || obstacle !== undefined;
  const hasSigned = batch.signatures.some((one) => one.userId === userId);
  const bankFiles = mayApprove ? await readBankFiles(db, batch) : undefined;
  const { timeZone } = config;
  const shared = { batch, isOpen, mayPermit: mayApprove && !isPreparer && !isPaid, values, timeZone };
  const [held, payable] = [batch.lines.filter(isHeld), batch.lines.filter((line) => !isHeld(line))];
  const nextFile = bankFiles && missing === 0 ? findNextFile(batch, bankFiles) : undefined;
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
      <RefusedAlert problem={problem} />
      <BatchSteps
        batch={batch}
        mayApprove={mayApprove}
        maySign={mayApprove && !isPreparer && !hasSigned}
        missing={missing}
        obstacle={obstacle}
        isReopened={isReopened}
        nextFile={nextFile}
        state={state}
      />
      <SignatureNotes notes={batch.signatures.map(({ note }) => note)} timeZone={timeZone} />
      <Facts facts={factsOf(batch, timeZone)} look="of-batch" />
      {held.length > 0 && !isPaid && (
        <Totals
          label="Totales de la programación"
          items={[{ label: 'Por pagar', cents: payableOf(batch), note: heldText(batch) }]}
        />
      )}
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
      {isOpen && (await renderBatchForm(c, batch, state))}
      {bankFiles && !isReopened && (
        <BankFiles batch={batch} read={bankFiles} next={nextFile} timeZone={timeZone} />
      )}
    </div>,
  );
}

const fromLine = (c: AppContext, name: string) => ({ name, line: readFirstRow(c, name) });

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

/** The amounts of the lines are posted with this form too. */
async function renderBatchForm(c: AppContext, batch: FullBatch, { values, problem }: FormState) {
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
