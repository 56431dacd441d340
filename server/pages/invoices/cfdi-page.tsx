import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import { plainText } from '../../../shared/remarks.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type AppContext, actorOf } from '../../http/session.ts';
import { type DocumentPreview, previewDocument } from '../../services/cfdi/documents.ts';
import type { CfdiOutcome } from '../../services/cfdi/outcomes.ts';
import type { Upload } from '../../services/files.ts';
import { invoicesOfCfdi } from '../../services/invoices/finding.ts';
import { usualOf } from '../../services/invoices/usual.ts';
import { renderPage } from '../../shell/render.tsx';
import { catalogFallback } from '../ui/pickers.ts';
import { CfdiConfirmation, confirmationOf, WaysOn } from './cfdi-confirmation.tsx';
import { CfdiFacts, namedIn, ReceiptLines } from './cfdi-facts.tsx';
import { renderCfdiForm } from './cfdi-fields.tsx';

export interface Loaded {
  xml: Upload;
  pdf?: Upload;
}

interface CfdiState {
  values?: Readonly<Record<string, string>>;
  problem?: DomainError;
  status?: ContentfulStatusCode;
}

/** The document as it was read, with the form, the question or the reason that belongs to it. */
export async function renderCfdi(c: AppContext, { xml, pdf }: Loaded, state: CfdiState): Promise<Response> {
  const { db } = c.get('deps');
  const actor = actorOf(c);
  const { signal } = c.req.raw;
  const [jobId = 0, rubroId = null] = [state.values?.jobId, state.values?.rubroId].map(
    (text) => Number(text) || undefined,
  );
  const preview = await previewDocument(db, actor, xml, { jobId, rubroId, signal });
  const { document, supplier, outcome } = preview;
  const confirmed = confirmationOf(preview);
  const problem = state.problem ?? problemOf(preview);
  const isInvoice = 'candidate' in document;
  const around = (
    <>
      {problem && <Problem problem={problem} existing={outcome.invoiceId} />}
      {preview.lines.length > 0 && !state.problem && (
        <Alert tone="info" dismissible={false}>
          {sayKnownReceipt(preview.lines)}
        </Alert>
      )}
      <CfdiFacts
        preview={preview}
        files={pdf && (isInvoice || confirmed) ? [xml, pdf] : [xml]}
        onFile={await invoicesOfCfdi(db, namedIn(document))}
      />
    </>
  );
  const { cfdi, pdf: pdfId } = c.req.query();
  // The address stays: it is what a draft of this form is kept under.
  const action = withQuery(pages.newInvoice, { cfdi, pdf: pdfId });
  const values = state.values ?? {};
  const isPosted = state.values !== undefined;
  if (!confirmed && isInvoice && outcome.outcome !== 'unchanged' && outcome.outcome !== 'refused') {
    const { candidate } = document;
    const { job, rubro } = supplier ? await usualOf(db, supplier.id) : { job: null, rubro: null };
    const first = {
      jobId: String(job?.id ?? ''),
      rubroId: String(rubro?.id ?? ''),
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
            today: c.get('today'),
            candidate,
            supplier,
            values: shown,
            isPosted,
            proposed: new Set(isPosted ? [] : ['jobId', 'rubroId'].filter((name) => shown[name as 'jobId'])),
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
      {preview.lines.length > 0 && <ReceiptLines lines={preview.lines} />}
      {confirmed ? (
        <CfdiConfirmation
          {...{ preview, confirmed, action, values, isPosted }}
          hasPdf={pdf !== undefined}
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

/** The reason that keeps the document from being stored, whatever the form says. */
function problemOf({ outcome, lines }: DocumentPreview): DomainError | undefined {
  if (lines.length > 0) return undefined; // its lines say more
  try {
    requireStored(outcome);
    return undefined;
  } catch (error) {
    return error as DomainError;
  }
}

function sayKnownReceipt(lines: DocumentPreview['lines']): string {
  const missing = lines.filter(({ isMissing }) => isMissing);
  if (missing.length === 0) return KNOWN.P;
  const sum = formatMoney(missing.reduce((total, { amountCents }) => total + amountCents, 0));
  return missing.length === 1
    ? `${KNOWN.P} Falta capturar un pago, de ${sum}: elige de qué origen salió y se registra.`
    : `${KNOWN.P} Faltan por capturar ${missing.length} pagos, por ${sum}: elige de qué origen salieron y se registran.`;
}

function Problem({ problem, existing }: { problem: DomainError; existing?: number }) {
  const id = existing ?? Number(problem.extra?.existingId ?? 0);
  return (
    <Alert tone="error" dismissible={false}>
      {problem.message} {id > 0 && <a href={pages.editInvoice(id)}>Ver esa factura</a>}
    </Alert>
  );
}

/** @throws DomainError where it was not stored: known already, or refused for the reason given */
export function requireStored({ outcome, reason = '', invoiceId, kind = 'I' }: CfdiOutcome): void {
  const extra = { existingId: invoiceId };
  if (outcome === 'unchanged') throw new DomainError('conflict', KNOWN[kind], { code: 'cfdi_known', extra });
  if (outcome === 'refused')
    throw new DomainError('conflict', plainText(reason), { code: 'cfdi_refused', extra });
}

const KNOWN = {
  I: 'Este CFDI ya está registrado.',
  E: 'Esta nota de crédito ya está registrada.',
  P: 'Este recibo de pago ya está registrado.',
};
