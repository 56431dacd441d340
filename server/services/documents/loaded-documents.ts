import type { Db, Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { toPlainText } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import type { Actor } from '../audit/audit.ts';
import { deleteUploads } from '../files.ts';
import { importDocuments } from './import.ts';
import type { KnownSupplier } from './issuers.ts';
import {
  type DocumentLoad,
  type LoadedDocument,
  lockLoadAndReadUploadIds,
  type StoredOutcome,
  storeOutcomes,
} from './loads.ts';
import type { CfdiImportOptions, CfdiOutcome, JobAndRubro } from './outcomes.ts';
import { readSentFiles } from './read-cfdi.ts';
import {
  type DocumentSummary,
  DRY_RUN_ALLOWING_SUPPLIERS_AND_EXCESS,
  type StoredDocumentOutcome,
  storeDocumentsWithPdfs,
  summarizeDocument,
} from './single-document.ts';

interface LoadedReading {
  upload: LoadedDocument;
  reading: CfdiReading;
}

export interface LoadedDocumentPreview extends LoadedReading, DocumentSummary {
  outcome: CfdiOutcome;
  supplier: KnownSupplier | undefined;
}

export const previewLoad = async (
  db: Db,
  actor: Actor,
  { documents }: DocumentLoad,
  signal?: AbortSignal,
): Promise<LoadedDocumentPreview[]> =>
  previewLoadedReadings(db, actor, await readSentFiles(db, documents, { signal, userId: actor.userId }), {
    signal,
  });

export async function previewLoadedReadings(
  db: Db,
  actor: Actor,
  documents: readonly LoadedReading[],
  options: Pick<CfdiImportOptions, 'fundingSourceId' | 'signal'> = {},
): Promise<LoadedDocumentPreview[]> {
  const readings = documents.map(({ reading }) => reading);
  const { files, suppliers } = await importDocuments(db, actor, readings, {
    ...DRY_RUN_ALLOWING_SUPPLIERS_AND_EXCESS,
    ...options,
    jobId: 0,
  });
  return documents.map((document, index) => ({
    ...document,
    ...summarizeDocument(document.reading),
    outcome: files[index]!,
    supplier: suppliers[index],
  }));
}

interface StoreLoadedOptions
  extends Pick<
    CfdiImportOptions,
    'createSuppliers' | 'fecharecepcion' | 'fundingSourceId' | 'signal' | keyof JobAndRubro
  > {
  jobAndRubroByUpload: ReadonlyMap<string, JobAndRubro>;
  skippedIds?: ReadonlySet<string>;
}

/**
 * Documents leave the load once they are stored, also if they were stored before. Refused documents stay in it.
 * @param documents read before the transaction began; those that left the load meanwhile are skipped
 * @throws DomainError conflict if all of them have left it
 */
export async function storeLoadedDocuments(
  trx: Trx,
  actor: Actor,
  load: Pick<DocumentLoad, 'id' | 'documents' | 'outcomes'>,
  documents: readonly LoadedReading[],
  { jobAndRubroByUpload, skippedIds = new Set(), ...options }: StoreLoadedOptions,
): Promise<StoredOutcome[]> {
  const remaining = await lockLoadAndReadUploadIds(trx, actor.userId, load.id);
  const pending = documents.filter(({ upload }) => remaining.has(upload.id));
  if (pending.length === 0) throw new DomainError('conflict', 'Estos documentos ya no están por guardar.');
  const places = new Map(
    pending.flatMap(({ upload }) => {
      const place = jobAndRubroByUpload.get(upload.id);
      return place ? [[upload.filename, place] as const] : [];
    }),
  );
  const source = `${pending.length} archivos`;
  const withPdfs = pending.map(({ upload, reading }) => ({ reading, pdf: upload.pdf }));
  const outcomes = await storeDocumentsWithPdfs(trx, actor, withPdfs, {
    ...options,
    jobAndRubroByFile: places,
    source,
  });
  const stored = pending.map((document, index) => toStoredOutcome(document, outcomes[index]!));
  const processed = pending.filter((_, index) => outcomes[index]!.outcome !== 'refused');
  await deleteUploads(
    trx,
    actor.userId,
    processed.flatMap(({ upload }) => [upload, upload.pdf ?? []].flat().map(({ id }) => id)),
  );
  const others = load.documents.filter(({ id }) => skippedIds.has(id) && remaining.has(id));
  const skipped = others.map(({ filename: name }): StoredOutcome => {
    const before = load.outcomes.find((one) => one.name === name);
    return { name, invoiceIds: [], ...before, outcome: 'left' };
  });
  await storeOutcomes(trx, actor.userId, load.id, [...stored, ...skipped]);
  return stored;
}

function toStoredOutcome({ upload, reading }: LoadedReading, document: StoredDocumentOutcome): StoredOutcome {
  const { kind, linked, outcome, reason, warnings, invoiceIds } = document;
  return {
    name: upload.filename,
    outcome,
    kind,
    linked,
    ...summarizeDocument(reading),
    reason: reason && toPlainText(reason),
    warnings: warnings?.map(toPlainText),
    invoiceIds,
  };
}
