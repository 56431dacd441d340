import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { DomainError } from '../../../shared/errors.ts';
import { invoiceTexts as texts } from '../../../shared/invoices.ts';
import { formatRate, toDecimalText } from '../../../shared/money.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { type Remark, toPlainText, toStructuredRemark } from '../../../shared/remarks.ts';
import { ADMIN_ROLE } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import { readForm, returnHref } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, readSettingsOnce } from '../../http/session.ts';
import { BUDGET_EXCEEDED_CODE } from '../../services/budgets/budget-book.ts';
import { CLOSED_PERIOD_CODE } from '../../services/closing/closing.ts';
import { getCreditNote } from '../../services/credit-notes/reading.ts';
import type { CfdiOutcome } from '../../services/documents/outcomes.ts';
import { previewDocument, storeDocument } from '../../services/documents/single-document.ts';
import { readUpload, type Upload } from '../../services/files.ts';
import { readUsualJobAndRubro } from '../../services/invoices/usual-job-and-rubro.ts';
import { redirectWithMessage, renderPage, saveOrRerender } from '../../shell/render.tsx';
import { showDocument } from '../ui/document-page.tsx';
import { DocumentPanelLayout } from '../ui/document-panel.tsx';
import { FileDropForm } from '../ui/file-drop-form.tsx';
import { readPickerFallback } from '../ui/pickers.ts';
import { type PostedFormTexts, readFundingSourceId, readSingleDocumentFields } from './choice-fields.ts';
import { DOCUMENT_KIND_LABELS, isTotalMismatchRemark, NextLinks, WarningAlert } from './document-rows.tsx';
import {
  alreadyStoredReceiptMessage,
  CfdiDetails,
  CfdiFacts,
  ReceiptLines,
} from './single-document-facts.tsx';
import {
  CfdiConfirmation,
  type ConfirmedEffect,
  findEffectToConfirm,
  renderCfdiInvoiceForm,
} from './single-document-form.tsx';
import { renderDocumentUpload } from './upload.tsx';

interface DocumentUploads {
  xml: Upload;
  pdf?: Upload;
}

const uploadedDocumentPath = (upload: string) => `${pages.newInvoice}/documento/${upload}`;

export const singleDocumentPages = new Hono<AppEnv>({ strict: false })
  .get(pages.newInvoice, (c, next) =>
    c.req.query('cfdi') ? withDocumentUploads(c, (loaded) => renderCfdi(c, loaded, {})) : next(),
  )
  .post(pages.newInvoice, (c, next) => (c.req.query('cfdi') ? saveCfdi(c) : next()))
  .get(uploadedDocumentPath(':upload'), async (c) => {
    const upload = await readUpload(c.get('deps').db, actorOf(c).userId, c.req.param('upload') ?? '');
    return showDocument(c, { ...upload, kind: 'cfdi' });
  });

async function saveCfdi(c: AppContext): Promise<Response> {
  const { another, returnTo = '', ...form } = await readForm(c);
  const { db } = c.get('deps');
  return withDocumentUploads(c, ({ xml, pdf }) =>
    saveOrRerender(
      c,
      async () => {
        const options = await readStoreOptions(c, form);
        const outcome = await storeDocument(db, actorOf(c, form.motivo), xml, {
          ...options,
          settings: await readSettingsOnce(c),
          pdf,
        });
        // Thrown unchanged, so that the form asks for a reason to exceed the budget.
        if (outcome.refused?.code === BUDGET_EXCEEDED_CODE) throwIfRefused(outcome.refused);
        const refused = findOutcomeError(outcome);
        if (refused) throw refused;
        const { invoiceId, linked } = outcome;
        const list = returnHref({ returnTo }, pages.invoices);
        const to = another ? pages.loadInvoice : linked && invoiceId ? pages.editInvoice(invoiceId) : list;
        return redirectWithMessage(c, to, {
          text: storedMessage(outcome, form),
          about: await readStoredLink(db, outcome, to),
          warnings: outcome.warnings?.filter(isRelevantAfterSaving).slice(0, MAX_WARNINGS).map(toPlainText),
        });
      },
      (problem, status) => renderCfdi(c, { xml, pdf }, { values: form, problem, status }),
    ),
  );
}

async function withDocumentUploads(
  c: AppContext,
  show: (loaded: DocumentUploads) => Response | Promise<Response>,
): Promise<Response> {
  const { cfdi = '', pdf } = c.req.query();
  const readUploadOfUser = (id: string) => readUpload(c.get('deps').db, actorOf(c).userId, id);
  return saveOrRerender(
    c,
    async () =>
      show({ xml: await readUploadOfUser(cfdi), pdf: pdf ? await readUploadOfUser(pdf) : undefined }),
    (problem, status) => renderDocumentUpload(c, problem, status),
  );
}

/** @throws DomainError naming all fields that are wrong */
async function readStoreOptions(c: AppContext, form: PostedFormTexts) {
  const { db } = c.get('deps');
  const allowed = {
    createSuppliers: form.createSupplier !== undefined,
    allowMismatch: form.allowMismatch !== undefined,
    signal: c.req.raw.signal,
  };
  const confirmed = form.confirmed as ConfirmedEffect | undefined;
  if (!confirmed) return { ...allowed, ...(await readSingleDocumentFields(db, form)) };
  const fundingSourceId = await readFundingSourceId(db, form);
  if (confirmed === 'complete' && !fundingSourceId)
    throwIfRefused(createRefusal('Elige el origen de recurso de los pagos que faltan.', 'origenderecursoId'));
  // No invoice is created, so no job is needed; 0 is the id of no job.
  return { ...allowed, jobId: 0, replace: confirmed === 'replace', fundingSourceId };
}

/** Limits the warnings in the message after saving, because it has to fit into a cookie. The form showed all. */
const MAX_WARNINGS = 3;

const isRelevantAfterSaving = (warning: Remark) => toStructuredRemark(warning).code !== 'receipt_completed';

function storedMessage(
  { kind, linked }: CfdiOutcome,
  { confirmed, numfactura = '' }: PostedFormTexts,
): string {
  if (kind === 'E') return 'Se guardó la nota de crédito.';
  if (kind === 'P')
    return linked ? 'Se registraron los pagos que faltaban del recibo.' : 'Se guardó el recibo de pago.';
  if (confirmed === 'replace') return 'El CFDI sustituyó al anterior en su factura.';
  return linked ? 'La factura quedó ligada a su CFDI.' : texts.saved(numfactura);
}

type StoreDocumentResult = Awaited<ReturnType<typeof storeDocument>>;

async function readStoredLink(
  db: Db,
  { invoiceIds: [invoiceId, ...more], creditNoteId }: StoreDocumentResult,
  to: string,
) {
  if (creditNoteId !== undefined) {
    const { supplierId } = await getCreditNote(db, creditNoteId);
    return { href: `${pages.editSupplier}/${supplierId}`, link: 'Ver proveedor' };
  }
  if (invoiceId === undefined || more.length > 0) return undefined;
  const href = pages.editInvoice(invoiceId);
  return href === to ? undefined : { href, link: 'Ver factura' };
}

interface CfdiPageState {
  values?: PostedFormTexts;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

async function renderCfdi(
  c: AppContext,
  { xml, pdf }: DocumentUploads,
  state: CfdiPageState,
): Promise<Response> {
  const { db } = c.get('deps');
  const [jobId = 0, rubroId = null] = [state.values?.jobId, state.values?.rubroId].map(
    (text) => Number(text) || undefined,
  );
  const options = { jobId, rubroId, settings: await readSettingsOnce(c), signal: c.req.raw.signal };
  const preview = await previewDocument(db, actorOf(c), xml, options);
  const { document, supplier, outcome, receiptLines } = preview;
  const confirmed = findEffectToConfirm(preview);
  // The lines of an already stored receipt (REP) are shown instead of the refusal.
  const problem = state.problem ?? (receiptLines.length > 0 ? undefined : findOutcomeError(outcome));
  const candidate = document.kind === 'I' ? document.issued : undefined;
  const becomesInvoice =
    candidate && !confirmed && outcome.outcome !== 'unchanged' && outcome.outcome !== 'refused';
  const { cfdi, pdf: pdfId } = c.req.query();
  const shared = {
    // The address does not change, since the browser stores the form's draft under it.
    action: withQuery(pages.newInvoice, { cfdi, pdf: pdfId }),
    isPosted: state.values !== undefined,
    problem: state.problem,
  };
  const values = state.values ?? {};
  const renderForm = async () => {
    if (becomesInvoice) {
      const usual = supplier && !state.values ? await readUsualJobAndRubro(db, supplier.id) : undefined;
      const first = {
        jobId: String(usual?.job?.id ?? ''),
        rubroId: String(usual?.rubro?.id ?? ''),
        fecharecepcion: c.get('today'),
        comments: candidate.draft.comments,
      };
      return renderCfdiInvoiceForm(c, {
        ...shared,
        today: c.get('today'),
        candidate,
        supplier,
        values: state.values ?? first,
        proposed: new Set(
          shared.isPosted ? [] : (['jobId', 'rubroId'] as const).filter((name) => first[name]),
        ),
      });
    }
    if (!confirmed)
      return (
        <p className="actions">
          {candidate &&
            outcome.refused?.code === CLOSED_PERIOD_CODE &&
            actorOf(c).roles.includes(ADMIN_ROLE) && (
              <LinkButton href={manualCaptureHref(candidate, supplier?.id)} look="primary">
                Capturar con motivo
              </LinkButton>
            )}
          <NextLinks />
        </p>
      );
    const typed = values[fundingSources.nameField];
    return (
      <CfdiConfirmation
        {...shared}
        {...{ preview, confirmed, values }}
        hasPdf={pdf !== undefined}
        sources={document.kind === 'P' ? await readPickerFallback(db, fundingSources, typed) : undefined}
      />
    );
  };
  const isMismatchShown = document.kind !== 'P' && Boolean(document.issued.totalMismatch);
  const warnings = outcome.warnings?.filter((one) => !(isMismatchShown && isTotalMismatchRemark(one))) ?? [];
  return renderPage(
    c,
    becomesInvoice
      ? { title: 'Nueva factura', subtitle: 'del CFDI', subject: xml.filename, status: state.status }
      : {
          title: 'Cargar XML',
          subtitle: outcome.kind && DOCUMENT_KIND_LABELS[outcome.kind],
          subject: xml.filename,
          status: state.status,
        },
    <DocumentPanelLayout documents={[{ href: uploadedDocumentPath(xml.id), filename: xml.filename }]}>
      <div className="stack">
        {problem && <CfdiProblem problem={problem} existing={outcome.invoiceId} />}
        {receiptLines.length > 0 && !state.problem && (
          <Alert tone="info" isDismissible={false}>
            {alreadyStoredReceiptMessage(ALREADY_STORED_MESSAGES.P, receiptLines)}
          </Alert>
        )}
        <WarningAlert sentences={warnings.map(toPlainText)} />
        <CfdiFacts preview={preview} />
        {receiptLines.length > 0 && <ReceiptLines lines={receiptLines} />}
        {await renderForm()}
        <CfdiDetails document={document} files={pdf && (candidate || confirmed) ? [xml, pdf] : [xml]} />
        <FileDropForm />
      </div>
    </DocumentPanelLayout>,
  );
}

/** Only the form to capture an invoice by hand takes a reason for a closed period. It is filled from the document. */
const manualCaptureHref = ({ draft }: CfdiCandidate, supplierId: number | undefined): string =>
  withQuery(pages.newInvoice, {
    supplierId,
    numfactura: draft.numfactura,
    fechaemision: draft.fechaemision,
    subtotal: toDecimalText(draft.subtotalCents),
    tasa: draft.rate === null ? null : formatRate(draft.rate),
    otrosimpuestos: draft.otrosimpuestosCents === 0 ? null : toDecimalText(draft.otrosimpuestosCents),
    retenciones: draft.retencionesCents === 0 ? null : toDecimalText(draft.retencionesCents),
    comments: draft.comments,
  });

function CfdiProblem({ problem, existing }: { problem: DomainError; existing?: number }) {
  const id = existing ?? Number(problem.extra?.existingId ?? 0);
  return (
    <Alert tone="error" isDismissible={false}>
      {problem.message} {id > 0 && <a href={pages.editInvoice(id)}>Ver esa factura</a>}
    </Alert>
  );
}

function findOutcomeError({
  outcome,
  reason = '',
  invoiceId,
  kind = 'I',
}: CfdiOutcome): DomainError | undefined {
  const extra = { existingId: invoiceId };
  if (outcome === 'unchanged')
    return new DomainError('conflict', ALREADY_STORED_MESSAGES[kind], { code: 'cfdi_known', extra });
  if (outcome !== 'refused') return undefined;
  return new DomainError('conflict', toPlainText(reason), { code: 'cfdi_refused', extra });
}

const ALREADY_STORED_MESSAGES = {
  I: 'Este CFDI ya está registrado.',
  E: 'Esta nota de crédito ya está registrada.',
  P: 'Este recibo de pago ya está registrado.',
};
