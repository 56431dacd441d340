import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { fundingSources } from '../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { DomainError } from '../../shared/errors.ts';
import { invoiceTexts as texts } from '../../shared/invoices.ts';
import { refusal } from '../../shared/refusal.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { pages, withQuery } from '../../shared/urls.ts';
import { answerForm, redirectWith, renderPage } from '../render.tsx';
import { readForm, returnAddress } from '../request.ts';
import { attachFile } from '../services/attachments.ts';
import { getRow } from '../services/catalog-reading.ts';
import type { CfdiOutcome } from '../services/cfdi/import.ts';
import { type DocumentPreview, previewDocument, storeDocument } from '../services/cfdi/loading.ts';
import { getCreditNote } from '../services/credit-notes.ts';
import { readUpload, type Upload } from '../services/files.ts';
import { invoicesOfCfdi, lastJob } from '../services/invoice-finding.ts';
import { type AppContext, actorOf } from '../session.ts';
import { parseId } from '../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../shapes/invoices.ts';
import { CfdiConfirmation, type Confirmed, confirmationOf, WaysOn } from './cfdi-confirmation.tsx';
import { CfdiFacts, namedIn } from './cfdi-facts.tsx';
import { MISSING_JOB, renderCfdiForm } from './cfdi-fields.tsx';
import { renderLoad } from './load-invoice.tsx';
import { onPage } from './on-page.ts';
import { catalogFallback, pickedId } from './pickers.ts';
import { FormReading, type Posted } from './posted.ts';

interface Loaded {
  xml: Upload;
  pdf?: Upload;
}

interface State {
  /** what was posted; none on a first showing */
  values?: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

/** The creation screen filled from a document that was loaded: `/new-invoice?cfdi=…&pdf=…`. */
export const showCfdi = (c: AppContext): Promise<Response> =>
  withLoaded(c, (loaded) => renderCfdi(c, loaded, {}));

/** Saves it the way every CFDI is imported, with the job, rubro, dates and comments of the form. */
export async function saveCfdi(c: AppContext): Promise<Response> {
  const { another, returnTo = '', ...form } = await readForm(c);
  const { db } = c.get('deps');
  return withLoaded(c, ({ xml, pdf }) =>
    answerForm(
      c,
      async () => {
        const options = await readOptions(c, form);
        const outcome = await storeDocument(db, actorOf(c), xml, options);
        requireStored(outcome);
        const { invoiceId, linked } = outcome;
        if (pdf && invoiceId !== undefined)
          await inTransaction(db, (trx) => attachFile(trx, actorOf(c), invoiceId, pdf));
        const list = returnAddress({ returnTo }, pages.invoices);
        const to = another ? pages.loadInvoice : linked && invoiceId ? pages.editInvoice(invoiceId) : list;
        const text = savedText(outcome, form.numfactura ?? '', form.confirmed === 'replace');
        return redirectWith(c, to, {
          text,
          about: await aboutSaved(db, outcome, to),
          warnings: outcome.warnings?.slice(0, MOST_WARNINGS).map(onPage),
        });
      },
      (problem, status) => renderCfdi(c, { xml, pdf }, { values: form, problem, status }),
    ),
  );
}

/** They were read before saving, and a cookie carries them: no more than fit into one. */
const MOST_WARNINGS = 3;

function savedText({ kind, linked }: CfdiOutcome, numfactura: string, isReplacement = false): string {
  if (kind === 'E') return 'Se guardó la nota de crédito.';
  if (kind === 'P') return 'Se guardó el recibo de pago.';
  if (isReplacement) return 'El CFDI sustituyó al anterior en su factura.';
  return linked ? 'La factura quedó ligada a su CFDI.' : texts.saved(numfactura);
}

/** Where it can be seen now; a credit note stands with its supplier. */
async function aboutSaved(db: Db, { invoiceId, creditNoteId }: CfdiOutcome, to: string) {
  if (invoiceId !== undefined) {
    const href = pages.editInvoice(invoiceId);
    return href === to ? undefined : { href, link: 'Ver factura' };
  }
  if (creditNoteId === undefined) return undefined;
  const { supplierId } = await getCreditNote(db, creditNoteId);
  return { href: `${pages.editSupplier}/${supplierId}`, link: 'Ver proveedor' };
}

/** What was loaded is kept for two days, and for whoever loaded it. */
async function withLoaded(
  c: AppContext,
  show: (loaded: Loaded) => Response | Promise<Response>,
): Promise<Response> {
  const { db } = c.get('deps');
  const { cfdi = '', pdf } = c.req.query();
  const { userId } = actorOf(c);
  const read = async () => ({
    xml: await readUpload(db, userId, cfdi),
    pdf: pdf ? await readUpload(db, userId, pdf) : undefined,
  });
  return answerForm(
    c,
    async () => show(await read()),
    (problem, status) => renderLoad(c, problem, status),
  );
}

/** A posted form → how the document is stored. @throws DomainError naming all fields that are wrong */
async function readOptions(c: AppContext, form: Record<string, string>) {
  const { db } = c.get('deps');
  const allowed = {
    createSuppliers: form.createSupplier !== undefined,
    allowMismatch: form.allowMismatch !== undefined,
    signal: c.req.raw.signal,
  };
  const confirmed = form.confirmed as Confirmed | undefined;
  if (confirmed) {
    // Nothing new is owed: the job is that of the invoice that it goes to.
    const jobId = (await lastJob(db, actorOf(c).userId)) ?? 0;
    const picked = await pickedId(db, fundingSources, 'origenderecursoId', form);
    const fundingSourceId = picked ? parseId(picked, 'Origen de recurso') : undefined;
    if (fundingSourceId) await getRow(db, fundingSources, fundingSourceId); // says where it is gone
    return { ...allowed, jobId, replace: confirmed === 'replace', fundingSourceId };
  }
  const reading = new FormReading();
  const posted: Posted = {};
  for (const name of ['fecharecepcion', 'fechavencimiento', 'comments']) posted[name] = form[name];
  posted.jobId = await reading.try(() => pickedId(db, jobs, 'jobId', form));
  posted.rubroId = await reading.try(() => pickedId(db, rubros, 'rubroId', form));
  const draft = toInvoiceDraft(await reading.parse(invoiceChangeShape, posted));
  const missing = draft.jobId ? undefined : refusal(MISSING_JOB, 'jobId');
  reading.finish(missing, MISSING_JOB, ASKED);
  return {
    ...allowed,
    jobId: draft.jobId!,
    rubroId: draft.rubroId,
    received: draft.fecharecepcion,
    fechavencimiento: draft.fechavencimiento,
    comments: draft.comments,
  };
}

const ASKED = ['jobId', 'rubroId', 'fecharecepcion', 'fechavencimiento', 'comments'];

/** @throws DomainError where it was not stored: known already, or refused for the reason given */
function requireStored({ outcome, reason = '', invoiceId, kind = 'I' }: CfdiOutcome): void {
  const extra = { existingId: invoiceId };
  if (outcome === 'unchanged') throw new DomainError('conflict', KNOWN[kind], { code: 'cfdi_known', extra });
  if (outcome === 'refused') throw new DomainError('conflict', reason, { code: 'cfdi_refused', extra });
}

const KNOWN = {
  I: 'Este CFDI ya está registrado.',
  E: 'Esta nota de crédito ya está registrada.',
  P: 'Este recibo de pago ya está registrado.',
};

async function renderCfdi(c: AppContext, { xml, pdf }: Loaded, state: State): Promise<Response> {
  const { db } = c.get('deps');
  const actor = actorOf(c);
  const jobId = Number(c.req.query('jobId')) || (await lastJob(db, actor.userId));
  const { signal } = c.req.raw;
  const preview = await previewDocument(db, actor, xml, { jobId: jobId ?? 0, signal });
  const { document, supplier, outcome } = preview;
  const problem = state.problem ?? problemOf(preview);
  const isInvoice = 'candidate' in document;
  const around = (
    <>
      {problem && <Problem problem={problem} existing={outcome.invoiceId} />}
      <CfdiFacts
        preview={preview}
        files={isInvoice && pdf ? [xml, pdf] : [xml]}
        onFile={await invoicesOfCfdi(db, namedIn(document))}
      />
    </>
  );
  const { cfdi, pdf: pdfId } = c.req.query();
  // The address stays: it is what a draft of this form is kept under.
  const action = withQuery(pages.newInvoice, { cfdi, pdf: pdfId });
  const values = state.values ?? {};
  const isPosted = state.values !== undefined;
  const confirmed = confirmationOf(preview);
  if (!confirmed && isInvoice && outcome.outcome !== 'unchanged' && outcome.outcome !== 'refused') {
    const { candidate } = document;
    const first = {
      jobId: String(jobId ?? ''),
      fecharecepcion: c.get('today'),
      comments: candidate.draft.comments,
    };
    const shown = state.values ?? first;
    return renderPage(
      c,
      { title: 'Nueva factura', which: 'del CFDI', status: state.status },
      <div className="stack">
        {around}
        {
          await renderCfdiForm(db, {
            action,
            candidate,
            supplier,
            values: shown,
            isPosted,
            problem: state.problem,
          })
        }
      </div>,
    );
  }
  return renderPage(
    c,
    { title: 'Cargar XML', status: state.status },
    <div className="stack">
      {around}
      {confirmed ? (
        <CfdiConfirmation
          {...{ preview, confirmed, action, values, isPosted }}
          losesPdf={!isInvoice && pdf !== undefined}
          sources={
            'receipt' in document
              ? await catalogFallback(db, fundingSources, values[fundingSources.nameField])
              : undefined
          }
          problem={state.problem}
        />
      ) : (
        <p className="actions">
          <WaysOn />
        </p>
      )}
    </div>,
  );
}

/** What is against storing it whatever the form says. */
function problemOf({ outcome }: DocumentPreview): DomainError | undefined {
  try {
    requireStored(outcome);
    return undefined;
  } catch (error) {
    return error as DomainError;
  }
}

function Problem({ problem, existing }: { problem: DomainError; existing?: number }) {
  const id = existing ?? Number(problem.extra?.existingId ?? 0);
  return (
    <Alert tone="error" dismissible={false}>
      {onPage(problem.message)} {id > 0 && <a href={pages.editInvoice(id)}>Ver esa factura</a>}
    </Alert>
  );
}
