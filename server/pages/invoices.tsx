import { Hono } from 'hono';
import type { Db } from '../../db/schema.ts';
import { jobs } from '../../shared/catalogs/jobs.ts';
import { rubros } from '../../shared/catalogs/rubros.ts';
import { suppliers } from '../../shared/catalogs/suppliers.ts';
import { DomainError } from '../../shared/errors.ts';
import { INVOICE_FIELDS, MIXED_RATE } from '../../shared/invoice-typing.ts';
import {
  checkInvoice,
  type Invoice,
  type InvoiceDraft,
  invoiceTexts as texts,
} from '../../shared/invoices.ts';
import { pages } from '../../shared/urls.ts';
import { answerForm, redirectWith, renderPage } from '../render.tsx';
import { createOnce, idInPath, readForm } from '../request.ts';
import { getInvoice } from '../services/invoice-reading.ts';
import { dueDateByCredit } from '../services/invoice-rules.ts';
import { createInvoice, deleteInvoice, unlinkCfdi, updateInvoice } from '../services/invoices.ts';
import { paymentsOf } from '../services/payment-reading.ts';
import { readSettings } from '../services/settings.ts';
import { type AppContext, type AppEnv, actorOf } from '../session.ts';
import { parseId, parseShape } from '../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../shapes/invoices.ts';
import { InvoiceExtras } from './invoice-extras.tsx';
import { type InvoiceFormState, invoiceTexts, renderInvoiceForm } from './invoice-form.tsx';
import {
  InvoiceActions,
  InvoiceResults,
  NewInvoiceLink,
  readInvoiceList,
  renderInvoiceFilter,
} from './invoice-list.tsx';
import { answerList, renderList } from './lists.tsx';
import { pickedId } from './pickers.ts';

const EDIT = pages.editInvoice(':id{[0-9]+}');

export const invoicePages = new Hono<AppEnv>({ strict: false })
  .get(pages.invoices, (c) => {
    const options = { title: 'Facturas', actions: <NewInvoiceLink /> };
    return answerList(c, { ...options, loadFailed: texts.loadFailed, address: pages.invoices }, async () => {
      const list = await readInvoiceList(c);
      const filter = () => renderInvoiceFilter(c, list.query);
      const actions = <InvoiceActions query={list.query} />;
      return renderList(c, { ...options, actions }, { filter, results: <InvoiceResults {...list} /> });
    });
  })
  .get(pages.newInvoice, async (c) => {
    const { tasa } = await readSettings(c.get('deps').db);
    const { supplierId = '', jobId = '', rubroId = '' } = c.req.query();
    return renderNew(c, { values: { supplierId, jobId, rubroId, tasa } });
  })
  .post(pages.newInvoice, async (c) => {
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { draft, allowDuplicate } = await readDraft(c.get('deps').db, form);
        const { numfactura, warnings } = await createOnce(c, form, async (trx) => {
          const fechavencimiento = await dueDateByCredit(trx, draft);
          const saved = await createInvoice(
            trx,
            actorOf(c),
            { ...draft, fechavencimiento },
            { allowDuplicate },
          );
          return { numfactura: saved.invoice.numfactura, warnings: saved.warnings };
        });
        return redirectWith(c, pages.invoices, { text: texts.saved(numfactura), warnings });
      },
      (problem, status) => renderNew(c, { values: form, problem, status }),
    );
  })
  .get(EDIT, async (c) => {
    const invoice = await invoiceOfPath(c);
    return renderEdit(c, invoice, { values: invoiceTexts(invoice) });
  })
  .post(EDIT, async (c) => {
    const invoice = await invoiceOfPath(c);
    const form = await readForm(c);
    return answerForm(
      c,
      async () => {
        const { db } = c.get('deps');
        const { draft, version, allowDuplicate } = await readDraft(db, form, invoice);
        const saved = await updateInvoice(db, actorOf(c), invoice.id, draft, { version, allowDuplicate });
        const { numfactura } = saved.invoice;
        return redirectWith(c, pages.invoices, { text: texts.saved(numfactura), warnings: saved.warnings });
      },
      (problem, status) => renderEdit(c, invoice, { values: form, problem, status }),
    );
  })
  .post(`${EDIT}/desligar`, async (c) => {
    const invoice = await invoiceOfPath(c);
    const { version } = await readForm(c);
    return answerForm(
      c,
      async () => {
        await unlinkCfdi(c.get('deps').db, actorOf(c), invoice.id, versionIn(version));
        return redirectWith(c, pages.editInvoice(invoice.id), texts.unlinked);
      },
      (problem, status) => renderEdit(c, invoice, { values: invoiceTexts(invoice), problem, status }),
    );
  })
  .post(`${EDIT}/eliminar`, async (c) => {
    const invoice = await invoiceOfPath(c);
    const { version } = await readForm(c);
    return answerForm(
      c,
      async () => {
        await deleteInvoice(c.get('deps').db, actorOf(c), invoice.id, versionIn(version));
        return redirectWith(c, pages.invoices, texts.deleted(invoice.numfactura));
      },
      (problem, status) => renderEdit(c, invoice, { values: invoiceTexts(invoice), problem, status }),
    );
  });

const invoiceOfPath = (c: AppContext): Promise<Invoice> => getInvoice(c.get('deps').db, idInPath(c));

const versionIn = (text: string | undefined) => (text ? parseId(text, 'version') : undefined);

/** A posted form → the draft. @throws DomainError malformed or invalid, naming the fields */
async function readDraft(db: Db, form: Record<string, string>, invoice?: Invoice) {
  const sent: Record<string, string | undefined> = {};
  for (const name of [...INVOICE_FIELDS, 'iva', 'total', 'version', 'allowDuplicate'])
    sent[name] = form[name];
  const { supplierId = null, suppliername = null, jobId = null, jobtitle = null } = invoice ?? {};
  sent.supplierId = await pickedId(db, suppliers, 'supplierId', form, { id: supplierId, name: suppliername });
  sent.jobId = await pickedId(db, jobs, 'jobId', form, { id: jobId, name: jobtitle });
  const { rubroId = null, nombrerubro = null } = invoice ?? {};
  sent.rubroId = await pickedId(db, rubros, 'rubroId', form, { id: rubroId, name: nombrerubro });
  if (sent.tasa?.trim() === MIXED_RATE) sent.tasa = undefined;
  if (sent.tasa?.trim() === '') throw missingRate();
  // An emptied amount is none, not left as it was.
  for (const name of ['otrosimpuestos', 'retenciones']) if (sent[name]?.trim() === '') sent[name] = '0';
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
  const { id: _id, version, allowDuplicate, ...fields } = parseShape(invoiceChangeShape, given);
  const draft: InvoiceDraft = toInvoiceDraft(fields);
  const missing = sent.subtotal?.trim() === '' ? checkInvoice(draft) : undefined;
  if (missing) throw new DomainError('invalid', missing.message, { fields: missing.fields });
  return { draft, version, allowDuplicate };
}

function missingRate(): DomainError {
  const message = 'Indica la tasa de IVA.';
  return new DomainError('invalid', message, { fields: { tasa: message } });
}

async function renderNew(c: AppContext, { problem, ...state }: InvoiceFormState) {
  // The key has served for another invoice (the browser's back button): what is sent next is a new one.
  const isUsed = problem?.code === 'idempotency_key_reused';
  const key = (!isUsed && state.values.idempotencyKey) || crypto.randomUUID();
  const shown = isUsed ? new DomainError('conflict', texts.alreadySaved) : problem;
  const form = await renderInvoiceForm(
    c.get('deps').db,
    { ...state, problem: shown },
    { action: pages.newInvoice, hidden: { idempotencyKey: key } },
  );
  return renderPage(c, { title: 'Nueva factura', status: state.status }, form);
}

async function renderEdit(c: AppContext, before: Invoice, state: InvoiceFormState) {
  const { db } = c.get('deps');
  // After a stale save the form carries the newer version, so that saving again means it.
  const current = state.problem?.extra?.current as Invoice | undefined;
  const invoice = current ?? before;
  const version = String(current?.version ?? state.values.version ?? invoice.version);
  const payments = await paymentsOf(db, [invoice.id]);
  return renderPage(
    c,
    { title: 'Editar factura', status: state.status },
    <div className="stack">
      <div>
        {
          await renderInvoiceForm(db, state, {
            action: pages.editInvoice(invoice.id),
            hidden: { version },
            invoice,
          })
        }
      </div>
      <InvoiceExtras invoice={invoice} version={version} payments={payments} />
    </div>,
  );
}
