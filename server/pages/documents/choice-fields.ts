import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { DomainError } from '../../../shared/errors.ts';
import { INVOICE_FIELDS } from '../../../shared/invoices.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import type { AppContext } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import type { storeLoadedDocuments } from '../../services/documents/loaded-documents.ts';
import type { DocumentLoad } from '../../services/documents/loads.ts';
import type { JobAndRubro } from '../../services/documents/outcomes.ts';
import { parseId } from '../../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceFieldValues } from '../../shapes/invoices.ts';
import { isSetByCfdi } from '../invoices/form.tsx';
import { resolvePickedId } from '../ui/pickers.ts';
import { FormErrorCollector, readFields } from '../ui/posted-fields.ts';

export type PostedFormTexts = Readonly<Record<string, string>>;

const SINGLE_DOCUMENT_FIELDS = INVOICE_FIELDS.filter(({ name }) => !isSetByCfdi(name));
export const MULTI_DOCUMENT_FIELDS = INVOICE_FIELDS.filter(({ name }) =>
  ['jobId', 'rubroId', 'fecharecepcion'].includes(name),
);

export const MISSING_JOB_TEXT = 'Elige la obra de la factura.';
const MISSING_JOBS_TEXT = 'Elige la obra de las facturas.';

/** @throws DomainError naming all fields that are wrong */
export async function readSingleDocumentFields(db: Db, form: PostedFormTexts) {
  const reading = new FormErrorCollector();
  const draft = toInvoiceFieldValues(
    await reading.parse(invoiceChangeShape, await readFields(db, SINGLE_DOCUMENT_FIELDS, form, { reading })),
  );
  const missing = draft.jobId ? undefined : createRefusal(MISSING_JOB_TEXT, 'jobId');
  reading.throwIfAnyWrong(missing, MISSING_JOB_TEXT, SINGLE_DOCUMENT_FIELDS);
  return { ...draft, jobId: draft.jobId! };
}

/** @throws DomainError where the funding source does not exist */
export async function readFundingSourceId(db: Db, form: PostedFormTexts): Promise<number | undefined> {
  const picked = await resolvePickedId(db, fundingSources, 'origenderecursoId', form);
  if (!picked) return undefined;
  const id = parseId(picked, 'Origen de recurso');
  await getRow(db, fundingSources, id);
  return id;
}

export const CHOSEN_CONTROL_NAME = 'guardar';
/** A form has at most so many documents, so that its page stays within 200 KB. */
export const DOCUMENTS_PER_PAGE = 50;
/** The checkbox, job, rubro and two proposals are five; the sixth allows for the controls of the form itself. */
export const MAX_CONTROLS_PER_DOCUMENT = 6;
/** Hidden field with the ids of all documents that have a checkbox, because browsers do not post unticked ones. */
export const OFFERED_IDS_FIELD = 'ofrecidos';
/** This parameter is the index of the first document shown, where there are too many for one page. */
export const FIRST_DOCUMENT_PARAMETER = 'desde';

export const jobOrRubroControlName = ({ nameField }: Catalog, id: string) => `${nameField}-${id}`;

export const proposedValueControlName = (field: string) => `propuesta-${field}`;
/** If this checkbox is ticked, the form's job and rubro replace proposals as well. */
export const REPLACE_PROPOSALS_FIELD = 'sobrePropuestas';

export interface RefusedReview {
  form: PostedFormTexts;
  offeredIds: readonly string[];
  problem: DomainError;
}

type DocumentStoreOptions = Parameters<typeof storeLoadedDocuments>[4];

/** @throws DomainError naming all fields that are wrong */
export async function readDocumentChoices(
  c: AppContext,
  documentLoad: DocumentLoad,
  form: PostedFormTexts,
  offeredIds: readonly string[],
) {
  const { db } = c.get('deps');
  // A chosen document that an earlier click of the same form stored is no longer in the load, and is left out here.
  // The caller then finds the form's idempotency key, and repeats the answer to that click.
  const ids = new Set(documentLoad.documents.map(({ id }) => id).filter((id) => offeredIds.includes(id)));
  if (offeredIds.length === 0) throw new DomainError('invalid', 'Marca los documentos que quieres guardar.');
  const reading = new FormErrorCollector();
  const posted = await readFields(db, MULTI_DOCUMENT_FIELDS, form, { reading });
  const { jobId, rubroId, fecharecepcion } = toInvoiceFieldValues(
    await reading.parse(invoiceChangeShape, posted),
  );
  const findNamed = createNameResolver(db, form);
  const placesOf = new Map<string, JobAndRubro>();
  for (const id of ids) {
    const job = await reading.try(() => findNamed(jobs, jobOrRubroControlName(jobs, id)));
    const rubro = await reading.try(() => findNamed(rubros, jobOrRubroControlName(rubros, id)));
    if (job || rubro)
      placesOf.set(id, { jobId: Number(job) || (jobId ?? 0), rubroId: Number(rubro) || (rubroId ?? null) });
    // Only documents that become new invoices have these controls.
    else if (form[jobOrRubroControlName(jobs, id)] !== undefined && !jobId)
      await reading.try(() => throwIfRefused(createRefusal(MISSING_JOBS_TEXT, 'jobId')));
  }
  const fundingSourceId = await reading.try(() => readFundingSourceId(db, form));
  reading.throwIfAnyWrong(undefined, MISSING_JOBS_TEXT, MULTI_DOCUMENT_FIELDS);
  const options: DocumentStoreOptions = {
    jobId: jobId ?? 0,
    rubroId: rubroId ?? null,
    fecharecepcion,
    createSuppliers: form.createSupplier !== undefined,
    fundingSourceId,
    jobAndRubroByUpload: placesOf,
    skippedIds: new Set(form[OFFERED_IDS_FIELD]?.split(',').filter((id) => !ids.has(id))),
  };
  return { ids, options };
}

function createNameResolver(db: Db, form: PostedFormTexts) {
  const found = new Map<string, Promise<string | undefined>>();
  return (catalog: Catalog, field: string) => {
    const isProposal = form[field] !== undefined && form[field] === form[proposedValueControlName(field)];
    const typed =
      isProposal && form[REPLACE_PROPOSALS_FIELD] !== undefined ? '' : (form[field]?.trim() ?? '');
    const key = `${catalog.noun} ${typed}`;
    if (!found.has(key)) found.set(key, resolvePickedId(db, catalog, field, { [catalog.nameField]: typed }));
    return found.get(key)!.catch(rethrowAtField(field));
  };
}

export const rethrowAtField =
  (field: string) =>
  (error: unknown): never => {
    if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
    const { kind, message, code, retryAfter } = error;
    throw new DomainError(kind, message, { code, retryAfter, fields: { [field]: message } });
  };

export const toChoiceParameters = (
  form: PostedFormTexts,
  { jobId, rubroId, fundingSourceId }: DocumentStoreOptions,
) => ({
  jobId: jobId || null,
  rubroId,
  fecharecepcion: form.fecharecepcion,
  origenderecursoId: fundingSourceId,
  createSupplier: form.createSupplier,
  [REPLACE_PROPOSALS_FIELD]: form[REPLACE_PROPOSALS_FIELD],
});

export function readChoicesFromQuery(c: AppContext): PostedFormTexts {
  const { [FIRST_DOCUMENT_PARAMETER]: from, ...choices } = c.req.query();
  return from === undefined ? { fecharecepcion: c.get('today'), createSupplier: 'on' } : choices;
}
