import type { Db } from '../../../db/schema.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  checkInvoice,
  type Invoice,
  type InvoiceDraft,
  invoiceTexts as texts,
} from '../../../shared/invoices.ts';
import { INVOICE_FIELDS, MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../../shapes/invoices.ts';
import { pickedId } from '../ui/pickers.ts';
import { FormReading, type Posted } from '../ui/posted.ts';
import { INVOICE_LABELS } from './fields.tsx';

/** A posted form → the draft. @throws DomainError malformed or invalid, naming all fields that are wrong */
export async function readInvoiceDraft(db: Db, form: Record<string, string>, invoice?: Invoice) {
  const reading = new FormReading();
  const posted: Posted = {};
  for (const name of [...INVOICE_FIELDS, 'iva', 'total', 'version', 'allowDuplicate'])
    posted[name] = form[name];
  const { supplierId = null, suppliername = null, jobId = null, jobtitle = null } = invoice ?? {};
  const { rubroId = null, nombrerubro = null } = invoice ?? {};
  for (const [name, catalog, former] of [
    ['supplierId', suppliers, { id: supplierId, name: suppliername }],
    ['jobId', jobs, { id: jobId, name: jobtitle }],
    ['rubroId', rubros, { id: rubroId, name: nombrerubro }],
  ] as const)
    posted[name] = await reading.try(() => pickedId(db, catalog, name, form, former));
  for (const name of ['subtotal', 'otrosimpuestos', 'retenciones'] as const)
    posted[name] = await reading.amount(posted[name], INVOICE_LABELS[name], name);
  // An emptied amount is none, not left as it was.
  for (const name of ['otrosimpuestos', 'retenciones']) if (posted[name]?.trim() === '') posted[name] = '0';
  if (posted.tasa?.trim() === MIXED_RATE) posted.tasa = undefined;
  else if (posted.tasa?.trim() === '') await reading.try(missingRate);
  posted.tasa = await reading.rate(posted.tasa);
  const { id: _id, version, allowDuplicate, ...fields } = await reading.parse(invoiceChangeShape, posted);
  const draft = toInvoiceDraft(fields);
  reading.finish(checkInvoice(toCheck(draft, posted, invoice)), texts.required, INVOICE_FIELDS);
  return { draft, version, allowDuplicate };
}

/** On an edit what was not sent stays; amounts that stay may be what no form would take: those of a CFDI. */
function toCheck(draft: InvoiceDraft, posted: Posted, invoice: Invoice | undefined): InvoiceDraft {
  if (!invoice) return draft;
  const { supplierId = invoice.supplierId, jobId = invoice.jobId } = draft;
  const stays = posted.subtotal === undefined || draft.subtotalCents === invoice.subtotalCents;
  return { ...draft, supplierId, jobId, subtotalCents: stays ? 1 : draft.subtotalCents };
}

function missingRate(): never {
  const message = 'Indica la tasa de IVA.';
  throw new DomainError('invalid', message, { fields: { tasa: message } });
}
