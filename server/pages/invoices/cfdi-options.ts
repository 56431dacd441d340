import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { INVOICE_FIELDS } from '../../../shared/invoices.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import type { AppContext } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { parseId } from '../../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../../shapes/invoices.ts';
import { pickedId } from '../ui/pickers.ts';
import { FormReading, readFields } from '../ui/posted.ts';
import type { Confirmed } from './cfdi-confirmation.tsx';
import { MISSING_JOB } from './cfdi-fields.tsx';
import { isOfDocument } from './fields.ts';

/** A posted form → how the document is stored. @throws DomainError naming all fields that are wrong */
export async function readOptions(c: AppContext, form: Record<string, string>) {
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
    // Nothing new is owed: the job is that of the invoice that it goes to. There is none of this number.
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
