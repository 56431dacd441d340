import type { Db } from '../../../db/schema.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { INVOICE_FIELDS, invoiceTexts as texts } from '../../../shared/invoices.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { noteOf, plainText, type Remark } from '../../../shared/remarks.ts';
import { pages } from '../../../shared/urls.ts';
import { readForm, returnAddress } from '../../http/request.ts';
import { type AppContext, actorOf } from '../../http/session.ts';
import { EXCEEDED } from '../../services/budgets/budget-book.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { storeDocument } from '../../services/cfdi/documents.ts';
import type { CfdiOutcome } from '../../services/cfdi/outcomes.ts';
import { readUpload } from '../../services/files.ts';
import { getCreditNote } from '../../services/payments/credit-notes.ts';
import { parseId } from '../../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../../shapes/invoices.ts';
import { answerForm, redirectWith } from '../../shell/render.tsx';
import { pickedId } from '../ui/pickers.ts';
import { FormReading, readFields } from '../ui/posted.ts';
import type { Confirmed } from './cfdi-confirmation.tsx';
import { MISSING_JOB } from './cfdi-fields.tsx';
import { type Loaded, renderCfdi, requireStored } from './cfdi-page.tsx';
import { isOfDocument } from './form.tsx';
import { renderLoad } from './load.tsx';

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
        const actor = actorOf(c, form.motivo);
        const outcome = await storeDocument(db, actor, xml, { ...options, pdf });
        // A reason may let it pass.
        if (outcome.refused?.code === EXCEEDED) refuse(outcome.refused);
        requireStored(outcome);
        const { invoiceId, linked } = outcome;
        const list = returnAddress({ returnTo }, pages.invoices);
        const to = another ? pages.loadInvoice : linked && invoiceId ? pages.editInvoice(invoiceId) : list;
        const text = savedText(outcome, form.numfactura ?? '', form.confirmed === 'replace');
        return redirectWith(c, to, {
          text,
          about: await aboutSaved(db, outcome, to),
          warnings: outcome.warnings?.filter(isNews).slice(0, MOST_WARNINGS).map(plainText),
        });
      },
      (problem, status) => renderCfdi(c, { xml, pdf }, { values: form, problem, status }),
    ),
  );
}

/** They were read before saving, and a cookie carries them: no more than fit into one. */
const MOST_WARNINGS = 3;

/** The message itself says this one already. */
const isNews = (warning: Remark) => noteOf(warning).code !== 'receipt_completed';

function savedText({ kind, linked }: CfdiOutcome, numfactura: string, isReplacement = false): string {
  if (kind === 'E') return 'Se guardó la nota de crédito.';
  if (kind === 'P')
    return linked ? 'Se registraron los pagos que faltaban del recibo.' : 'Se guardó el recibo de pago.';
  if (isReplacement) return 'El CFDI sustituyó al anterior en su factura.';
  return linked ? 'La factura quedó ligada a su CFDI.' : texts.saved(numfactura);
}

type Stored = Awaited<ReturnType<typeof storeDocument>>;

/** A credit note is seen with its supplier, a receipt with the one invoice that it names. */
async function aboutSaved(db: Db, { invoiceIds: [invoiceId, ...more], creditNoteId }: Stored, to: string) {
  if (creditNoteId === undefined) {
    if (invoiceId === undefined || more.length > 0) return undefined;
    const href = pages.editInvoice(invoiceId);
    return href === to ? undefined : { href, link: 'Ver factura' };
  }
  const { supplierId } = await getCreditNote(db, creditNoteId);
  return { href: `${pages.editSupplier}/${supplierId}`, link: 'Ver proveedor' };
}

/** An upload is kept for two days, for the user who made it. */
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
    const picked = await pickedId(db, fundingSources, 'origenderecursoId', form);
    const fundingSourceId = picked ? parseId(picked, 'Origen de recurso') : undefined;
    if (fundingSourceId)
      await getRow(db, fundingSources, fundingSourceId); // says where it is gone
    else if (confirmed === 'complete') refuse(refusal(MISSING_SOURCE, 'origenderecursoId'));
    // Nothing new is owed: the job is that of the invoice that it goes to. No job has the number 0.
    return { ...allowed, jobId: 0, replace: confirmed === 'replace', fundingSourceId };
  }
  const reading = new FormReading();
  const posted = await readFields(db, ASKED, form, { reading });
  const draft = toInvoiceDraft(await reading.parse(invoiceChangeShape, posted));
  const missing = draft.jobId ? undefined : refusal(MISSING_JOB, 'jobId');
  reading.finish(missing, MISSING_JOB, ASKED);
  return { ...allowed, ...draft, jobId: draft.jobId! };
}

const MISSING_SOURCE = 'Elige el origen de recurso de los pagos que faltan.';
const ASKED = INVOICE_FIELDS.filter(({ name }) => !isOfDocument(name));
