import type { Db } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { DomainError } from '../../../shared/errors.ts';
import { INVOICE_FIELDS } from '../../../shared/invoices.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import type { AppContext } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import type { Load } from '../../services/documents/loads.ts';
import type { storeLoaded } from '../../services/documents/many.ts';
import type { CostPlace } from '../../services/documents/outcomes.ts';
import { parseId } from '../../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../../shapes/invoices.ts';
import { isSetByCfdi } from '../invoices/form.tsx';
import { findPickedId } from '../ui/pickers.ts';
import { FormReading, readFields } from '../ui/posted.ts';

export type Form = Readonly<Record<string, string>>;

const FIELDS_OF_ONE = INVOICE_FIELDS.filter(({ name }) => !isSetByCfdi(name));
export const FIELDS_OF_MANY = INVOICE_FIELDS.filter(({ name }) =>
  ['jobId', 'rubroId', 'fecharecepcion'].includes(name),
);

export const MISSING_JOB = 'Elige la obra de la factura.';
const MISSING_JOBS = 'Elige la obra de las facturas.';

/** @throws DomainError naming all fields that are wrong */
export async function readPlace(db: Db, form: Form) {
  const reading = new FormReading();
  const draft = toInvoiceDraft(
    await reading.parse(invoiceChangeShape, await readFields(db, FIELDS_OF_ONE, form, { reading })),
  );
  const missing = draft.jobId ? undefined : refusal(MISSING_JOB, 'jobId');
  reading.finish(missing, MISSING_JOB, FIELDS_OF_ONE);
  return { ...draft, jobId: draft.jobId! };
}

/** @throws DomainError where it does not exist */
export async function readSource(db: Db, form: Form): Promise<number | undefined> {
  const picked = await findPickedId(db, fundingSources, 'origenderecursoId', form);
  if (!picked) return undefined;
  const id = parseId(picked, 'Origen de recurso');
  await getRow(db, fundingSources, id);
  return id;
}

export const CHOSEN_NAME = 'guardar';
/** Documents in one form, so that its page stays within 200 KB. */
export const DOCUMENTS_ON_PAGE = 50;
/** Checkbox, job, rubro and their two proposals; the sixth allows for the controls of the form itself. */
export const MAX_CONTROLS_PER_DOCUMENT = 6;
/** Ids of all documents with a checkbox, in order to know which ones the user did not tick. */
export const OFFERED_NAME = 'ofrecidos';
/** Parameter: index of the first document that is shown, where there are too many for one page. */
export const FROM_PARAMETER = 'desde';

export const placeControlName = ({ nameField }: Catalog, id: string) => `${nameField}-${id}`;

export const proposalControlName = (field: string) => `propuesta-${field}`;
/** Checkbox: the job and rubro of the form replace proposals as well. */
export const OVER_PROPOSALS = 'sobrePropuestas';

export interface RefusedReview {
  form: Form;
  listed: readonly string[];
  problem: DomainError;
}

type Options = Parameters<typeof storeLoaded>[4];

/** @throws DomainError naming all fields that are wrong */
export async function readChosenDocuments(c: AppContext, load: Load, form: Form, listed: readonly string[]) {
  const { db } = c.get('deps');
  // Leaves out chosen documents that are gone: an earlier click stored them, and the idempotency key repeats its answer.
  const ids = new Set(load.documents.map(({ id }) => id).filter((id) => listed.includes(id)));
  if (listed.length === 0) throw new DomainError('invalid', 'Marca los documentos que quieres guardar.');
  const reading = new FormReading();
  const posted = await readFields(db, FIELDS_OF_MANY, form, { reading });
  const { jobId, rubroId, fecharecepcion } = toInvoiceDraft(await reading.parse(invoiceChangeShape, posted));
  const findNamed = createRowFinder(db, form);
  const placesOf = new Map<string, CostPlace>();
  for (const id of ids) {
    const job = await reading.try(() => findNamed(jobs, placeControlName(jobs, id)));
    const rubro = await reading.try(() => findNamed(rubros, placeControlName(rubros, id)));
    if (job || rubro)
      placesOf.set(id, { jobId: Number(job) || (jobId ?? 0), rubroId: Number(rubro) || (rubroId ?? null) });
    // Only documents that become new invoices have these controls.
    else if (form[placeControlName(jobs, id)] !== undefined && !jobId)
      await reading.try(() => refuse(refusal(MISSING_JOBS, 'jobId')));
  }
  const fundingSourceId = await reading.try(() => readSource(db, form));
  reading.finish(undefined, MISSING_JOBS, FIELDS_OF_MANY);
  const options: Options = {
    jobId: jobId ?? 0,
    rubroId: rubroId ?? null,
    fecharecepcion,
    createSuppliers: form.createSupplier !== undefined,
    fundingSourceId,
    placesOf,
    skippedIds: new Set(form[OFFERED_NAME]?.split(',').filter((id) => !ids.has(id))),
  };
  return { ids, options };
}

/** An unknown name is reported at every control that has it. */
function createRowFinder(db: Db, form: Form) {
  const found = new Map<string, Promise<string | undefined>>();
  return (catalog: Catalog, field: string) => {
    const isProposal = form[field] !== undefined && form[field] === form[proposalControlName(field)];
    const typed = isProposal && form[OVER_PROPOSALS] !== undefined ? '' : (form[field]?.trim() ?? '');
    const key = `${catalog.noun} ${typed}`;
    if (!found.has(key)) found.set(key, findPickedId(db, catalog, field, { [catalog.nameField]: typed }));
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

/** The choices of the form, as parameters for the address of the next part. */
export const carriedParameters = (form: Form, { jobId, rubroId, fundingSourceId }: Options) => ({
  jobId: jobId || null,
  rubroId,
  fecharecepcion: form.fecharecepcion,
  origenderecursoId: fundingSourceId,
  createSupplier: form.createSupplier,
  [OVER_PROPOSALS]: form[OVER_PROPOSALS],
});

export function readPreviousChoices(c: AppContext): Form {
  const { [FROM_PARAMETER]: from, ...choices } = c.req.query();
  return from === undefined ? { fecharecepcion: c.get('today'), createSupplier: 'on' } : choices;
}
