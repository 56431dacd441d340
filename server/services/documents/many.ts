import type { Db, Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { plainText } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { deleteUploads } from '../files.ts';
import { importDocuments } from './import.ts';
import { keepOutcomes, type Load, type LoadedDocument, lockLoad, type StoredOutcome } from './loads.ts';
import { ALL_ALLOWED, type DocumentFacts, factsOf, type StoredDocument, storeWithPdfs } from './one.ts';
import type { CfdiImportOptions, CfdiOutcome, CostPlace } from './outcomes.ts';
import type { KnownSupplier } from './place-issuers.ts';
import { readAll } from './read.ts';

interface ReadLoaded {
  upload: LoadedDocument;
  reading: CfdiReading;
}

export interface LoadedPreview extends ReadLoaded, DocumentFacts {
  outcome: CfdiOutcome;
  supplier: KnownSupplier | undefined;
}

export const previewLoad = async (
  db: Db,
  actor: Actor,
  { documents }: Load,
  signal?: AbortSignal,
): Promise<LoadedPreview[]> =>
  previewLoaded(db, actor, await readAll(db, documents, { signal, userId: actor.userId }), { signal });

/** Previews all documents together, since one may refer to another. */
export async function previewLoaded(
  db: Db,
  actor: Actor,
  documents: readonly ReadLoaded[],
  options: Pick<CfdiImportOptions, 'fundingSourceId' | 'signal'> = {},
): Promise<LoadedPreview[]> {
  const readings = documents.map(({ reading }) => reading);
  const { files, suppliers } = await importDocuments(db, actor, readings, {
    ...ALL_ALLOWED,
    ...options,
    jobId: 0,
  });
  return documents.map((document, index) => ({
    ...document,
    ...factsOf(document.reading),
    outcome: files[index]!,
    supplier: suppliers[index],
  }));
}

interface LoadedOptions
  extends Pick<
    CfdiImportOptions,
    'createSuppliers' | 'fecharecepcion' | 'fundingSourceId' | 'signal' | keyof CostPlace
  > {
  placesOf: ReadonlyMap<string, CostPlace>;
  /** Ids of uploads that the user saw and unticked. */
  left?: ReadonlySet<string>;
}

/**
 * Stores documents of a load, each with its PDF. Documents that were stored or on file already leave the load, refused
 * ones stay in it; the load records the outcome of each.
 * @param documents read before the transaction began; those that left the load meanwhile are skipped
 * @throws DomainError conflict where all of them have
 */
export async function storeLoaded(
  trx: Trx,
  actor: Actor,
  load: Pick<Load, 'id' | 'documents' | 'outcomes'>,
  documents: readonly ReadLoaded[],
  { placesOf, left: unticked = new Set(), ...options }: LoadedOptions,
): Promise<StoredOutcome[]> {
  const left = await lockLoad(trx, actor.userId, load.id);
  const own = documents.filter(({ upload }) => left.has(upload.id));
  if (own.length === 0) throw new DomainError('conflict', 'Estos documentos ya no están por guardar.');
  const places = new Map(
    own.flatMap(({ upload }) => {
      const place = placesOf.get(upload.id);
      return place ? [[upload.filename, place] as const] : [];
    }),
  );
  const source = `${own.length} archivos`;
  const withPdfs = own.map(({ upload, reading }) => ({ reading, pdf: upload.pdf }));
  const outcomes = await storeWithPdfs(trx, actor, withPdfs, { ...options, places, source });
  const stored = own.map((document, index) => toStored(document, outcomes[index]!));
  const done = own.filter((_, index) => outcomes[index]!.outcome !== 'refused');
  await deleteUploads(
    trx,
    actor.userId,
    done.flatMap(({ upload }) => [upload, upload.pdf ?? []].flat().map(({ id }) => id)),
  );
  const others = load.documents.filter(({ id }) => unticked.has(id) && left.has(id));
  const passed = others.map(({ filename: name }): StoredOutcome => {
    // The reason why it was refused before is kept.
    const before = load.outcomes.find((one) => one.name === name);
    return { name, invoiceIds: [], ...before, outcome: 'left' };
  });
  await keepOutcomes(trx, actor.userId, load.id, [...stored, ...passed]);
  return stored;
}

function toStored({ upload, reading }: ReadLoaded, document: StoredDocument): StoredOutcome {
  const { kind, linked, outcome, reason, warnings, invoiceIds } = document;
  return {
    name: upload.filename,
    outcome,
    kind,
    linked,
    ...factsOf(reading),
    reason: reason && plainText(reason),
    warnings: warnings?.map(plainText),
    invoiceIds,
  };
}
