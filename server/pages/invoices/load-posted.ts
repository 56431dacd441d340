import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { DomainError } from '../../../shared/errors.ts';
import { INVOICE_FIELDS } from '../../../shared/invoices.ts';
import type { AppContext } from '../../http/session.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import type { storeLoaded } from '../../services/cfdi/loaded-documents.ts';
import type { Load } from '../../services/cfdi/loads.ts';
import { parseId } from '../../shapes/fields.ts';
import { invoiceChangeShape, toInvoiceDraft } from '../../shapes/invoices.ts';
import { pickedId } from '../ui/pickers.ts';
import { FormReading, readFields } from '../ui/posted.ts';

export const CHOSEN = 'guardar';
/** Documents that one form decides about: so many rows keep its page within 200 KB. */
export const DOCUMENTS_ON_PAGE = 50;
/** Controls of a document: its box, its job and rubro, their proposals. The form itself has fewer controls than documents. */
export const MOST_EACH = 6;
/** Ids of all documents that the form has a box for: those that are not ticked are left. */
export const OFFERED = 'ofrecidos';
/** Parameter: the first of the documents that are shown, where there are too many for one page. */
export const FROM = 'desde';

export const jobOf = (id: string) => `${jobs.nameField}-${id}`;
export const rubroOf = (id: string) => `${rubros.nameField}-${id}`;

/** Holds the proposal that a control was shown with. */
export const proposedIn = (field: string) => `propuesta-${field}`;
/** The box that puts the job and rubro of all in the place of proposals too. */
export const OVER_PROPOSALS = 'sobrePropuestas';

export const MISSING_JOBS = 'Elige la obra de las facturas.';
const NONE_CHOSEN = 'Marca los documentos que quieres guardar.';

export const ASKED = INVOICE_FIELDS.filter(({ name }) =>
  ['jobId', 'rubroId', 'fecharecepcion'].includes(name),
);

export interface Sent {
  form: Readonly<Record<string, string>>;
  listed: readonly string[];
  problem: DomainError;
}

export interface Chosen {
  /** of the documents that are stored */
  ids: ReadonlySet<string>;
  options: Parameters<typeof storeLoaded>[4];
}

/** The review, posted. @throws DomainError naming all fields that are wrong */
export async function readChosen(
  c: AppContext,
  load: Load,
  form: Readonly<Record<string, string>>,
  listed: readonly string[],
): Promise<Chosen> {
  const { db } = c.get('deps');
  const ids = new Set(load.documents.map(({ id }) => id).filter((id) => listed.includes(id)));
  // Documents that are gone were stored by a click before: the key answers for them.
  if (listed.length === 0) throw new DomainError('invalid', NONE_CHOSEN);
  const reading = new FormReading();
  const posted = await readFields(db, ASKED, form, { reading });
  const draft = toInvoiceDraft(await reading.parse(invoiceChangeShape, posted));
  // A name is looked for once, however often it was typed; its refusal stands at each control.
  const found = new Map<string, Promise<string | undefined>>();
  const find = (catalog: typeof jobs | typeof rubros, field: string) => {
    const isProposal = form[field] !== undefined && form[field] === form[proposedIn(field)];
    const typed = isProposal && form[OVER_PROPOSALS] !== undefined ? '' : (form[field]?.trim() ?? '');
    const key = `${catalog.noun} ${typed}`;
    if (!found.has(key)) found.set(key, pickedId(db, catalog, field, { [catalog.nameField]: typed }));
    return found.get(key)!.catch((error: unknown) => {
      throw error instanceof DomainError ? aboutControl(error, field) : error;
    });
  };
  const placesOf = new Map<string, { jobId: number; rubroId: number | null }>();
  for (const id of ids) {
    const [job, rubro] = [
      await reading.try(() => find(jobs, jobOf(id))),
      await reading.try(() => find(rubros, rubroOf(id))),
    ];
    if (!job && !rubro) continue;
    placesOf.set(id, {
      jobId: Number(job) || (draft.jobId ?? 0),
      rubroId: Number(rubro) || (draft.rubroId ?? null),
    });
  }
  const picked = await reading.try(() => pickedId(db, fundingSources, 'origenderecursoId', form));
  reading.finish(undefined, MISSING_JOBS, ASKED);
  const fundingSourceId = picked ? parseId(picked, 'Origen de recurso') : undefined;
  if (fundingSourceId) await getRow(db, fundingSources, fundingSourceId); // says where it is gone
  return {
    ids,
    options: {
      jobId: draft.jobId ?? 0,
      rubroId: draft.rubroId ?? null,
      fecharecepcion: draft.fecharecepcion,
      createSuppliers: form.createSupplier !== undefined,
      fundingSourceId,
      placesOf,
      left: new Set(form[OFFERED]?.split(',').filter((id) => !ids.has(id))),
    },
  };
}

/** The boxes to tick that the form shows beside those of the documents. */
export const BOXES = 'casillas';
/** Of such a box in the address: it was there and not ticked. */
const UNTICKED = 'no';
export const isTicked = (box: string | undefined): boolean => box !== undefined && box !== UNTICKED;

/** The choices of the parts before, which the address carries; for the first part the proposals. */
export function chosenBefore(c: AppContext): Readonly<Record<string, string>> {
  const { [FROM]: _from, ...asked } = c.req.query();
  return asked.createSupplier === undefined
    ? { fecharecepcion: c.get('today'), createSupplier: 'on' }
    : asked;
}

/** The choices of this part, for the address of the next one; choices that it did not ask for stay. */
export function chosenAgain(
  c: AppContext,
  { options }: Chosen,
  form: Readonly<Record<string, string>>,
): Record<string, string | number | null | undefined> {
  const before = chosenBefore(c);
  const { jobId, rubroId, fecharecepcion, fundingSourceId } = options;
  const asksPlace = form.fecharecepcion !== undefined;
  const asksSource = (form.origenderecursoId ?? form[fundingSources.nameField]) !== undefined;
  const boxes = form[BOXES]?.split(',') ?? [];
  const box = (name: string) => (boxes.includes(name) ? (form[name] ?? UNTICKED) : before[name]);
  return {
    ...before,
    ...(asksPlace && { jobId: jobId || null, rubroId, fecharecepcion }),
    ...(asksSource && { origenderecursoId: fundingSourceId }),
    createSupplier: box('createSupplier'),
    [OVER_PROPOSALS]: box(OVER_PROPOSALS),
  };
}

const aboutControl = (error: DomainError, field: string): DomainError =>
  new DomainError(error.kind, error.message, { fields: { [field]: error.message } });
