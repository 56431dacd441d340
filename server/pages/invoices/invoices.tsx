import { Hono } from 'hono';
import type { Db } from '../../../db/schema.ts';
import { MIXED_RATE } from '../../../shared/invoice-form-amounts.ts';
import {
  checkInvoice,
  INVOICE_FIELDS,
  type Invoice,
  type InvoiceFieldValues,
  invoiceTexts as texts,
} from '../../../shared/invoices.ts';
import { createRefusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { describeSealProblem } from '../../formats/cfdi/warnings.ts';
import {
  firstStepsReturnHref,
  ID_SEGMENT,
  idInPath,
  readForm,
  returnHref,
  writeOnce,
} from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, readSettingsOnce } from '../../http/session.ts';
import { findLinkedCfdiHash, listAttachments } from '../../services/attachments.ts';
import { closedPeriodRefusal } from '../../services/closing/closing.ts';
import { sumUnappliedCreditNotes } from '../../services/credit-notes/reading.ts';
import { readLastCapturedInvoice } from '../../services/invoices/finding.ts';
import {
  createInvoice,
  deleteInvoice,
  type SavedInvoice,
  unlinkCfdi,
  updateInvoice,
} from '../../services/invoices/invoices.ts';
import { getInvoice } from '../../services/invoices/reading.ts';
import { checkInvoiceSeals } from '../../services/invoices/seal-matches.ts';
import { readUsualJobAndRubro } from '../../services/invoices/usual-job-and-rubro.ts';
import { readCommittedLines } from '../../services/payments/committed-amounts.ts';
import { readPaymentsOfInvoices } from '../../services/payments/reading.ts';
import { invoiceChangeShape, toInvoiceFieldValues } from '../../shapes/invoices.ts';
import { handleParsedForm, linkWarnings, redirectWithMessage, renderPage } from '../../shell/render.tsx';
import { attachmentRoutes } from '../ui/attachment-routes.ts';
import { Attachments } from '../ui/attachments-section.tsx';
import { DocumentPanelLayout, toPanelDocuments } from '../ui/document-panel.tsx';
import { FileDropForm } from '../ui/file-drop-form.tsx';
import { historyLink } from '../ui/history-link.tsx';
import { NewCreditNoteLink } from '../ui/new-credit-note-link.tsx';
import { parseOptionalId } from '../ui/pickers.ts';
import { FormErrorCollector, type PostedFields, readFields } from '../ui/posted-fields.ts';
import {
  createEditPage,
  type FormState,
  parseVersion,
  pickNewestRow,
  prepareIdempotencyKey,
} from '../ui/record-form.tsx';
import { renderInvoiceForm, toInvoiceTexts } from './form.tsx';
import { showInvoices, UploadXmlLink } from './list.tsx';
import { InvoiceExtras, InvoiceSummary } from './sections.tsx';

const EDIT_PATH = pages.editInvoice(ID_SEGMENT);

export const invoicePages = new Hono<AppEnv>({ strict: false })
  .get(pages.invoices, showInvoices)
  .get(pages.newInvoice, async (c) => {
    const { tasa, cierre } = await readSettingsOnce(c);
    const query = c.req.query();
    const { supplierId = '', jobId = '', rubroId = '', fecharecepcion = '', back = '' } = query;
    const prefilled = INVOICE_FIELDS.flatMap(({ name }) => (query[name] ? [[name, query[name]]] : []));
    const values = {
      supplierId,
      jobId,
      rubroId,
      fecharecepcion,
      tasa,
      back,
      ...Object.fromEntries(prefilled),
    };
    const proposals = await readProposedJobAndRubro(c, values);
    // For a day in a closed period the form asks for the reason from the start.
    const closed = closedPeriodRefusal(actorOf(c), query.fechaemision ?? c.get('today'), cierre);
    const problem = query.fechaemision && closed ? toDomainError(closed) : undefined;
    return renderNew(c, { values: { ...values, ...proposals }, problem }, new Set(Object.keys(proposals)));
  })
  .post(pages.newInvoice, async (c) => {
    // These fields only decide which page comes next, so the idempotency key does not cover them.
    const { another, returnTo = '', repeat, ...sent } = await readForm(c);
    if (repeat) return renderNew(c, { values: { ...sent, ...(await readRepeatValues(c)) } });
    return handleParsedForm(c, sent, renderNew, async ({ form: { back = '', ...form }, db, actor }) => {
      const { draft, allowDuplicate } = await readInvoiceFields(db, form);
      const saved = await writeOnce(c, form, async (trx) => {
        const { invoice, warnings, about } = await createInvoice(trx, actor, draft, { allowDuplicate });
        return { id: invoice.id, numfactura: invoice.numfactura, warnings, about };
      });
      const list = firstStepsReturnHref({ back }) ?? returnHref({ returnTo }, pages.invoices);
      const to = another ? newInvoiceHref(draft) : list;
      return redirectWithMessage(c, to, savedMessage(saved, saved));
    });
  })
  .get(EDIT_PATH, (c) => invoiceEditPage.show(c))
  .post(EDIT_PATH, (c) =>
    invoiceEditPage.handleForm(c, async (invoice, { form, db, actor }) => {
      const { draft, version, allowDuplicate } = await readInvoiceFields(db, form, invoice);
      const saved = await updateInvoice(db, actor, invoice.id, draft, { version, allowDuplicate });
      return redirectWithMessage(c, returnHref(form, pages.invoices), savedMessage(saved.invoice, saved));
    }),
  )
  .post(pages.unlinkInvoice(ID_SEGMENT), (c) =>
    invoiceEditPage.handleStep(c, async ({ id }, { form, db, actor }) => {
      await unlinkCfdi(db, actor, id, parseVersion(form.version));
      return redirectWithMessage(c, pages.editInvoice(id), texts.unlinked);
    }),
  )
  .post(`${EDIT_PATH}/eliminar`, (c) =>
    invoiceEditPage.handleStep(c, async ({ id, numfactura }, { form, db, actor }) => {
      await deleteInvoice(db, actor, id, parseVersion(form.version));
      return redirectWithMessage(c, returnHref(form, pages.invoices), {
        text: texts.deleted(numfactura),
        undo: pages.restoreInvoice(id),
      });
    }),
  );

const invoiceEditPage = createEditPage<Invoice>({
  read: (c) => getInvoice(c.get('deps').db, idInPath(c)),
  render: renderEdit,
  toTexts: toInvoiceTexts,
});

export const attachmentPages = attachmentRoutes({
  listPath: pages.attachments(ID_SEGMENT),
  ownerOf: idInPath,
  handleChange: (c, change) =>
    invoiceEditPage.handleChange(c, async ({ id }) =>
      redirectWithMessage(c, pages.editInvoice(id), await change()),
    ),
});

const savedMessage = (
  { id, numfactura }: Pick<Invoice, 'id' | 'numfactura'>,
  { warnings, about }: Pick<SavedInvoice, 'warnings' | 'about'>,
) => ({
  text: texts.saved(numfactura),
  about: { href: pages.editInvoice(id), link: 'Ver factura' },
  warnings: linkWarnings(warnings, about, pages.editInvoice, 'Ver esa factura'),
});

const newInvoiceHref = ({ supplierId, jobId, rubroId, fecharecepcion }: InvoiceFieldValues) =>
  withQuery(pages.newInvoice, { supplierId, jobId, rubroId, fecharecepcion });

async function readRepeatValues(c: AppContext): Promise<Record<string, string>> {
  const last = await readLastCapturedInvoice(c.get('deps').db, actorOf(c).userId);
  if (!last) return {};
  const { supplierId, jobId, rubroId } = last;
  return { supplierId: String(supplierId), jobId: String(jobId), rubroId: String(rubroId ?? '') };
}

async function readProposedJobAndRubro(
  c: AppContext,
  prefilled: { supplierId: string; jobId: string; rubroId: string },
) {
  const supplierId = parseOptionalId(prefilled.supplierId);
  const { job, rubro } = supplierId ? await readUsualJobAndRubro(c.get('deps').db, supplierId) : {};
  return {
    ...(job && !prefilled.jobId && { jobId: String(job.id) }),
    ...(rubro && !prefilled.rubroId && { rubroId: String(rubro.id) }),
  };
}

async function renderNew(c: AppContext, state: FormState, proposed?: ReadonlySet<string>) {
  const { idempotencyKey, problem } = prepareIdempotencyKey(state, texts.alreadySaved);
  const { db } = c.get('deps');
  const offersRepeat = Boolean(await readLastCapturedInvoice(db, actorOf(c).userId));
  const back = firstStepsReturnHref(state.values);
  const hidden = { idempotencyKey, ...(back && { back }) };
  const form = await renderInvoiceForm(
    c,
    { ...state, problem },
    { action: pages.newInvoice, hidden, today: c.get('today'), offersRepeat, proposedFields: proposed },
  );
  return renderPage(
    c,
    {
      title: 'Nueva factura',
      status: state.status,
      actions: (
        <>
          <NewCreditNoteLink />
          <UploadXmlLink />
        </>
      ),
    },
    <>
      <FileDropForm />
      {form}
    </>,
  );
}

async function renderEdit(c: AppContext, before: Invoice, state: FormState) {
  const { db, config } = c.get('deps');
  const { row: invoice, version } = pickNewestRow(before, state);
  const [payments, credit, attachments, seals, openBatches, form, linkedHash] = await Promise.all([
    readPaymentsOfInvoices(db, [invoice.id]),
    sumUnappliedCreditNotes(db, { supplierId: invoice.supplierId, estado: 'con-saldo' }),
    listAttachments(db, invoice.id),
    checkInvoiceSeals(db, [invoice.id]),
    readCommittedLines(db, [invoice.id]),
    renderInvoiceForm(c, state, {
      action: pages.editInvoice(invoice.id),
      hidden: { version },
      today: c.get('today'),
      invoice,
    }),
    findLinkedCfdiHash(db, invoice.id),
  ]);
  const sealProblem = describeSealProblem(seals.get(invoice.id));
  return renderPage(
    c,
    {
      title: 'Editar factura',
      subtitle: invoice.numfactura,
      status: state.status,
      actions: historyLink(c, 'invoices', invoice.id),
    },
    <DocumentPanelLayout documents={toPanelDocuments(pages.attachments(invoice.id), attachments)}>
      <div className="stack with-extras">
        <InvoiceSummary
          invoice={invoice}
          payments={payments}
          openBatches={openBatches}
          today={c.get('today')}
        />
        <div>
          {sealProblem && (
            <Alert tone="warning" isDismissible={false}>
              {sealProblem}: pide al proveedor otra vez el XML.
            </Alert>
          )}
          {form}
        </div>
        <InvoiceExtras
          invoice={invoice}
          version={version}
          payments={payments}
          creditCents={credit.sumCents}
          refused={state}
          attachments={
            <Attachments
              address={pages.attachments(invoice.id)}
              ownerPhrase="de la factura"
              noneText="Todavía no hay archivos: el XML, el PDF o una foto de la factura."
              attachments={attachments}
              linkedHash={linkedHash}
              timeZone={config.timeZone}
            />
          }
        />
      </div>
    </DocumentPanelLayout>,
  );
}

/** @throws DomainError malformed or invalid, naming all fields that are wrong */
async function readInvoiceFields(db: Db, form: Record<string, string>, invoice?: Invoice) {
  const reading = new FormErrorCollector();
  const posted = await readFields(db, INVOICE_FIELDS, form, { previous: invoice, reading });
  for (const name of ['iva', 'total', 'version', 'allowDuplicate']) posted[name] = form[name];
  if (posted.tasa?.trim() === MIXED_RATE) posted.tasa = undefined;
  else if (posted.tasa?.trim() === '')
    await reading.try(() => throwIfRefused(createRefusal(texts.missingRate, 'tasa')));
  const { id: _id, version, allowDuplicate, ...fields } = await reading.parse(invoiceChangeShape, posted);
  const draft = toInvoiceFieldValues(fields);
  reading.throwIfAnyWrong(
    checkInvoice(addStoredInvoiceFields(draft, posted, invoice)),
    texts.required,
    INVOICE_FIELDS,
  );
  return { draft, version, allowDuplicate };
}

/**
 * Adds the stored values of fields that were not sent, because the rules need all fields. They could refuse a subtotal
 * that came from a CFDI, so an unchanged subtotal is replaced by one cent, which they accept.
 */
function addStoredInvoiceFields(
  draft: InvoiceFieldValues,
  posted: PostedFields,
  invoice: Invoice | undefined,
): InvoiceFieldValues {
  if (!invoice) return draft;
  const { supplierId = invoice.supplierId, jobId = invoice.jobId } = draft;
  const isUnchanged = posted.subtotal === undefined || draft.subtotalCents === invoice.subtotalCents;
  return { ...draft, supplierId, jobId, subtotalCents: isUnchanged ? 1 : draft.subtotalCents };
}
