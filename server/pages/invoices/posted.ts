import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  checkInvoice,
  INVOICE_FIELDS,
  type Invoice,
  type InvoiceDraft,
  invoiceTexts as texts,
} from '../../../shared/invoices.ts';
import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../../shapes/invoices.ts';
import { FormReading, type Posted, readFields } from '../ui/posted.ts';

/** A posted form → the draft. @throws DomainError malformed or invalid, naming all fields that are wrong */
export async function readInvoiceDraft(db: Db, form: Record<string, string>, invoice?: Invoice) {
  const reading = new FormReading();
  const posted = await readFields(db, INVOICE_FIELDS, form, { former: invoice, reading });
  for (const name of ['iva', 'total', 'version', 'allowDuplicate']) posted[name] = form[name];
  if (posted.tasa?.trim() === MIXED_RATE) posted.tasa = undefined;
  else if (posted.tasa?.trim() === '') await reading.try(missingRate);
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
  throw new DomainError('invalid', texts.missingRate, { fields: { tasa: texts.missingRate } });
}
