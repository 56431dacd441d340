import { formatDate, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import {
  awaitsDownload,
  BATCH_FIELDS,
  batchName,
  type FullBatch,
  isPaidLine,
  listLinesOfNextStep,
  sumLines,
} from '../../../shared/payment-batches.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { AvailableMoney } from '../../../shared/ui/AvailableMoney.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Facts } from '../../../shared/ui/Facts.tsx';
import { pages } from '../../../shared/urls.ts';
import { idInPath } from '../../http/request.ts';
import { type AppContext, requireSession } from '../../http/session.ts';
import { readSelectedInvoices } from '../../services/payment-batches/offered-invoices.ts';
import { readBatchPayees } from '../../services/payment-batches/payees.ts';
import { getBatch } from '../../services/payment-batches/reading.ts';
import {
  countRequiredSignatures,
  filterValidSignatures,
  isBarredAsAuthor,
  readBatchSettings,
  toDocumentToSign,
} from '../../services/payment-batches/stages.ts';
import { previewSignature } from '../../services/signatures/second-person.ts';
import { renderPage } from '../../shell/render.tsx';
import { maySendMail } from '../statements/mail-links.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { readFirstRowIndex } from '../ui/long-table.tsx';
import { findFirstWrongField, renderControls, toFieldTexts } from '../ui/record-fields.tsx';
import type { FormState } from '../ui/record-form.tsx';
import { RefusedAlert } from '../ui/refused-alert.tsx';
import { SignatureNotes } from '../ui/signature-notes.tsx';
import { StepForm } from '../ui/step-form.tsx';
import { readMoneyInAccounts } from './account-money.ts';
import { ATTENTION_PARAMETER } from './attention-filters.ts';
import { BankFiles, findNextFile, listOtherOfferedFiles, readBankFilesState } from './bank-files.tsx';
import { BatchSteps, StateChip } from './batch-steps.tsx';
import { BatchLines, EDITING_PARAMETER, FIRST_LINE_PARAMETER, LINES_FORM_ID } from './lines.tsx';
import { BatchPayees } from './payees.tsx';

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
  const isEditing =
    (estado === 'borrador' || estado === 'autorizada') &&
    (Boolean(c.req.query(EDITING_PARAMETER)) || isRefusedEdit);
  const settings = await readBatchSettings(db, batch);
  const missing = isPaid
    ? 0
    : countRequiredSignatures(batch, settings) - filterValidSignatures(batch, settings).length;
  const signing = { rules: settings, at: c.get('now').toISOString() };
  const hasSigned = batch.signatures.some((one) => one.userId === userId);
  const { timeZone } = config;
  const from = readFirstRowIndex(c, FIRST_LINE_PARAMETER);
  const today = c.get('today');
  const unpaid = isPaid ? batch.lines.filter((line) => !isPaidLine(line)) : [];
  const unpaidInvoices = { invoiceIds: unpaid.map(({ invoiceId }) => invoiceId), suppliers: [] };
  const [preview, bankFiles, accounts, unplanned, payees] = await Promise.all([
    mayApprove && missing > 0 ? previewSignature(db, userId, toDocumentToSign(batch), signing) : undefined,
    mayApprove ? readBankFilesState(db, batch) : undefined,
    isPaid ? undefined : readMoneyInAccounts(c, batch),
    unpaid.length > 0 ? readSelectedInvoices(db, unpaidInvoices, { today, timeZone }) : [],
    isPaid || isEditing ? undefined : readBatchPayees(db, batch, today),
  ]);
  const isPreparer = isBarredAsAuthor(batch, userId, settings) || preview?.obstacle !== undefined;
  const nextFile = bankFiles && missing === 0 ? findNextFile(bankFiles) : undefined;
  return renderPage(
    c,
    {
      title: batchName(id),
      besideTitle: (
        <div>
          <StateChip batch={batch} />
        </div>
      ),
      status: state.status,
      actions: (
        <>
          <ExportLinks list={pages.paymentBatch(id)} defaultFormat="pdf" query={{}} />
          {historyLink(c, 'payment-batches', id)}
        </>
      ),
    },
    <div className="stack">
      <RefusedAlert problem={problem} />
      <SignatureNotes
        notes={batch.signatures.map((one) => one.note)}
        timeZone={timeZone}
        own={hasSigned ? undefined : preview?.note}
      />
      <BatchSteps
        batch={batch}
        mayApprove={mayApprove}
        maySendMail={maySendMail(c)}
        maySign={mayApprove && !isPreparer && !hasSigned}
        missing={missing}
        obstacle={preview?.obstacle}
        isEditing={isEditing}
        others={isEditing ? [] : listOtherOfferedFiles(bankFiles, nextFile)}
        nextFile={nextFile}
        unpaidLines={unpaid}
        unplannedInvoices={unplanned}
        state={state}
      />
      {!isEditing && (
        <div>
          <Facts facts={describeBatch(batch, timeZone)} look="of-batch" />
          {accounts && (
            <p className="note">
              <AvailableMoney
                account={accounts[batch.origenderecursoId]}
                neededCents={sumLines(listLinesOfNextStep(batch))}
                href={`${pages.cashFlow}#origenes`}
              />
            </p>
          )}
        </div>
      )}
      {isEditing ? (
        <>
          <BatchLines batch={batch} from={from} values={values} />
          {await renderBatchForm(c, batch, state)}
        </>
      ) : (
        <>
          <BatchPayees
            batch={batch}
            payees={payees}
            today={today}
            attentionKey={c.req.query(ATTENTION_PARAMETER)}
            from={from}
            mayPermit={mayApprove && !isPreparer && !isPaid}
          />
          {bankFiles && (
            <BankFiles
              batch={batch}
              bankFilesState={bankFiles}
              fileInStepBar={nextFile}
              timeZone={timeZone}
            />
          )}
        </>
      )}
    </div>,
  );
}

function describeBatch(batch: FullBatch, timeZone: string) {
  const { fecha, origenderecursonombre, author, signatures, sender, sentOn, payer, paidAt, comments } = batch;
  const signed = signatures
    .map(({ username, isCurrent }) => (isCurrent ? username : `${username} (ya no puede autorizar)`))
    .join(' y ');
  const describeAct = (username: string | null, date: PlainDate | null) =>
    username && date && `${username}, ${formatDate(date).replaceAll(' ', '\u00a0')}`;
  return {
    'Fecha de pago': formatDate(fecha),
    'Origen de recurso': origenderecursonombre,
    Elaboró: author,
    Autorizó: signed,
    [awaitsDownload(batch) ? 'Hizo el archivo' : 'Mandó al banco']: describeAct(sender, sentOn),
    Pagó: describeAct(payer, paidAt && plainDateIn(new Date(paidAt), timeZone)),
    Observaciones: comments,
  };
}

/** The form with the batch's own fields, which also posts the amounts that are typed in the table of lines. */
async function renderBatchForm(c: AppContext, batch: FullBatch, { values, problem }: FormState) {
  const errors = problem?.fields ?? {};
  const controls = await renderControls(c.get('deps').db, BATCH_FIELDS, {
    values: { ...toFieldTexts(BATCH_FIELDS, batch), ...values },
    errors,
    focus: findFirstWrongField(BATCH_FIELDS, errors),
  });
  return (
    <StepForm
      id={LINES_FORM_ID}
      action={pages.paymentBatch(batch.id)}
      hidden={{ version: String(batch.version) }}
    >
      <div className="fields paired">{controls}</div>
    </StepForm>
  );
}
