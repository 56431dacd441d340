import type { Db, Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { plainText } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import type { CfdiFile } from '../../formats/cfdi/zip.ts';
import { readApart } from '../../formats/reading/reading.ts';
import type { Actor } from '../audit/audit.ts';
import { forgetUploadsOf } from '../files.ts';
import { readSettings } from '../settings/settings.ts';
import { keepPdf } from './attachments.ts';
import { fileOf, invoicesOf, issuedOf } from './document.ts';
import { importCfdi } from './import.ts';
import { keepOutcomes, type Load, type LoadedDocument, lockLoad, type StoredOutcome } from './loads.ts';
import { KnownOnFile, type KnownSupplier, readKnown } from './on-file.ts';
import type { CfdiImportOptions, CfdiOutcome, CostPlace } from './outcomes.ts';

/** A document of a load, read. */
export interface ReadLoaded {
  upload: LoadedDocument;
  reading: CfdiReading;
}

/** The same, and what storing it would come to, suppliers being created. */
export interface LoadedPreview extends ReadLoaded {
  outcome: CfdiOutcome;
  /** on file; none: it would be created, or nobody knows who it is */
  supplier: KnownSupplier | undefined;
}

/** Reads each in a process of its own; what can't be read says why. */
export async function readLoaded(
  db: Db,
  { userId }: Pick<Actor, 'userId'>,
  documents: readonly LoadedDocument[],
  signal?: AbortSignal,
): Promise<ReadLoaded[]> {
  const { moneda, rfc } = await readSettings(db);
  const options = { baseCurrency: moneda, ownRfc: rfc, allowMismatch: false };
  const read: ReadLoaded[] = [];
  for (const upload of documents) {
    const { filename: name, bytes } = upload;
    const reading = await readApart('cfdi', { name, bytes, options }, { signal, userId }).catch(
      (error: unknown): CfdiReading => {
        if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
        return { file: name, refused: error.message };
      },
    );
    read.push({ upload, reading });
  }
  return read;
}

/** All of them together: what one of them brings, another one of them may find. */
export async function previewLoaded(
  db: Db,
  actor: Actor,
  documents: readonly ReadLoaded[],
  options: Pick<CfdiImportOptions, 'fundingSourceId' | 'signal'> = {},
): Promise<LoadedPreview[]> {
  const known = new KnownOnFile();
  const issued = documents.flatMap(({ reading }) => ('refused' in reading ? [] : [issuedOf(reading)]));
  await readKnown(db, known, { candidates: [], issued, uuids: [] });
  const allowed = { ...options, jobId: 0, createSuppliers: true, allowExcess: true, dryRun: true };
  const { files } = await importCfdi(db, actor, documents.map(fileIn), {
    ...allowed,
    ...together(documents),
  });
  return documents.map((document, index) => {
    const { reading } = document;
    const supplier = 'refused' in reading ? undefined : known.suppliersOf(issuedOf(reading))[0];
    return { ...document, outcome: files[index]!, supplier };
  });
}

interface LoadedOptions
  extends Pick<
    CfdiImportOptions,
    'createSuppliers' | 'fecharecepcion' | 'fundingSourceId' | 'signal' | keyof CostPlace
  > {
  /** by the upload's id: where the cost goes that does not go where that of the others does */
  placesOf: ReadonlyMap<string, CostPlace>;
  /** ids of uploads that were shown with a box, and not ticked */
  left?: ReadonlySet<string>;
}

/**
 * Stores documents of a load the way every CFDI is stored, with the PDFs beside them. What was stored, or was on file
 * already, leaves the load; what was refused stays there, and what came of each is said in it.
 * @param documents read before the transaction began; those that have left the load meanwhile are passed over
 * @throws DomainError conflict where all of them have
 */
export async function storeLoaded(
  trx: Trx,
  actor: Actor,
  load: Pick<Load, 'id' | 'documents'>,
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
  const { files } = await importCfdi(trx, actor, own.map(fileIn), {
    ...options,
    ...together(own),
    places,
    source: `${own.length} archivos`,
  });
  const stored: StoredOutcome[] = [];
  for (const [index, document] of own.entries())
    stored.push(await settle(trx, actor, document, files[index]!));
  const done = own.filter((_, index) => files[index]!.outcome !== 'refused');
  await forgetUploadsOf(
    trx,
    actor.userId,
    done.flatMap(({ upload }) => [upload, upload.pdf ?? []].flat().map(({ id }) => id)),
  );
  const others = load.documents.filter(({ id }) => unticked.has(id) && left.has(id));
  const passed = others.map(
    ({ filename: name }): StoredOutcome => ({ name, outcome: 'left', invoiceIds: [] }),
  );
  await keepOutcomes(trx, actor.userId, load.id, [...stored, ...passed]);
  return stored;
}

/** Keeps its PDF, and says what came of it. */
async function settle(
  trx: Trx,
  actor: Actor,
  { upload, reading }: ReadLoaded,
  outcome: CfdiOutcome,
): Promise<StoredOutcome> {
  const { kind, linked, reason, warnings = [] } = outcome;
  const isStored = outcome.outcome === 'created' || outcome.outcome === 'warned';
  const invoiceIds = outcome.outcome === 'refused' ? [] : await invoicesOf(trx, reading, outcome);
  const full = upload.pdf && isStored ? await keepPdf(trx, actor, upload.pdf, invoiceIds) : [];
  const said = [...full, ...warnings.map(plainText)];
  return {
    name: upload.filename,
    outcome: outcome.outcome,
    ...(kind ? { kind } : {}),
    ...(linked ? { linked } : {}),
    ...factsOf(reading),
    ...(reason ? { reason: plainText(reason) } : {}),
    ...(said.length > 0 ? { warnings: said } : {}),
    invoiceIds,
  };
}

/** What a document is called by: its number, who issued it, its total. */
export function factsOf(
  reading: CfdiReading,
): Partial<Pick<StoredOutcome, 'numero' | 'emisor' | 'totalCents'>> & { fecha?: string } {
  if ('refused' in reading) return {};
  const emisor = issuedOf(reading).suppliername;
  if ('receipt' in reading) {
    const { numero, fecha, lines } = reading.receipt;
    const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return { numero, emisor, totalCents, fecha };
  }
  const { draft } = 'candidate' in reading ? reading.candidate : reading.note;
  return { numero: draft.numfactura, emisor, totalCents: draft.totalCents, fecha: draft.fechaemision };
}

const fileIn = ({ upload }: ReadLoaded): CfdiFile => fileOf(upload);

/** Judged as one part of an import, whatever their size, each as it was read apart. */
function together(documents: readonly ReadLoaded[]) {
  const readings = new Map(documents.map(({ upload, reading }) => [upload.filename, reading]));
  return {
    read: async ({ name }: CfdiFile): Promise<CfdiReading> => readings.get(name)!,
    filesAtOnce: Number.POSITIVE_INFINITY,
    bytesAtOnce: Number.POSITIVE_INFINITY,
  };
}
