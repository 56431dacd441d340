import { lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { isZip } from '../../formats/cfdi/xml.ts';
import { recognizeFile } from '../../formats/file-kinds.ts';
import { readIsolated } from '../../formats/reading/isolated-reader.ts';
import type { Actor } from '../audit/audit.ts';
import { addUploads, generateUploadId, toSafeFilename, type Upload } from '../files.ts';
import type { CfdiOutcome } from './outcomes.ts';
import type { SentFile } from './read-cfdi.ts';

export interface DocumentLoad {
  id: string;
  documents: LoadedDocument[];
  /** Files that are no documents: unreadable members of a zip, PDFs without their XML. */
  problems: FileProblem[];
  outcomes: StoredOutcome[];
}

export interface LoadedDocument extends Upload {
  pdf?: Upload;
}

interface FileProblem {
  name: string;
  problem: string;
}

/** Copies what a page shows of a document, so that the outcome can be read once the document has left the load. */
export interface StoredOutcome extends Pick<CfdiOutcome, 'kind' | 'linked'> {
  name: string;
  /** left: the user unticked the document, so the page shows it unticked again. */
  outcome: CfdiOutcome['outcome'] | 'left';
  numero?: string;
  emisor?: string;
  totalCents?: number;
  reason?: string;
  warnings?: string[];
  /** The invoices that the document is or names. */
  invoiceIds: number[];
}

/** All documents of a load have to fit on one page. */
export const MAX_DOCUMENTS = 500;
const MAX_LOAD_MB = 60;

/** Zips are unpacked in the isolated process that reads files. @throws DomainError too-large */
export async function createLoad(
  db: Db,
  actor: Actor,
  sentFiles: readonly SentFile[],
  signal?: AbortSignal,
): Promise<string> {
  const files: SentFile[] = [];
  const problems: FileProblem[] = [];
  for (const file of sentFiles) {
    if (!isZip(Buffer.from(file.bytes)) || /\.(xls|doc|ppt)x$/i.test(file.filename)) {
      files.push(file);
      continue;
    }
    for (const one of await unpackZip(file, actor.userId, signal))
      if ('problem' in one) problems.push(one);
      else files.push({ filename: one.name, bytes: one.bytes });
  }
  requireLoadableSize(files);
  const id = generateUploadId();
  const lists = { problems: JSON.stringify(problems.slice(0, MAX_DOCUMENTS)), outcomes: '[]' };
  const load = { id, userId: actor.userId, ...lists, createdAt: actor.at };
  await inTransaction(db, async (trx) => {
    await trx.insertInto('cfdi_loads').values(load).execute();
    await addUploads(trx, actor, makeNamesUnique(files), id);
  });
  return id;
}

async function unpackZip({ filename, bytes }: SentFile, userId: number, signal: AbortSignal | undefined) {
  try {
    return await readIsolated('zip', { name: filename, bytes }, { signal, userId });
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
    return [{ name: filename, problem: error.message }];
  }
}

/** PDFs count towards both limits. */
function requireLoadableSize(files: readonly SentFile[]): void {
  const tooMany = files.length > 2 * MAX_DOCUMENTS;
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (!tooMany && size <= MAX_LOAD_MB * 1024 * 1024) return;
  const most = tooMany ? `${2 * MAX_DOCUMENTS} archivos` : `${MAX_LOAD_MB} MB`;
  throw new DomainError('too-large', `Son más de ${most}: cárgalos por partes.`);
}

/** @throws DomainError not-found: the load has expired, or another user sent it */
export async function readLoad(db: Db, userId: number, id: string): Promise<DocumentLoad> {
  const head = await readLoadRow(db, userId, id);
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('files', 'files.sha256', 'uploads.sha256')
    .select(['uploads.id', 'filename', 'bytes'])
    .where('loadId', '=', id)
    .where('userId', '=', userId)
    .execute();
  const pdfs = new Map<string, Upload>();
  const documents: LoadedDocument[] = [];
  for (const upload of uploads) {
    if (recognizeFile(upload.bytes)?.kind === 'pdf') pdfs.set(fileStemOf(upload), upload);
    else documents.push(upload);
  }
  for (const document of documents) {
    document.pdf = pdfs.get(fileStemOf(document));
    pdfs.delete(fileStemOf(document));
  }
  const unpairedPdfs = [...pdfs.values()].map(({ filename }) => ({
    name: filename,
    problem: PDF_WITHOUT_XML_TEXT,
  }));
  documents.sort((a, b) => nameCollator.compare(a.filename, b.filename));
  return { id, documents, outcomes: head.outcomes, problems: [...head.problems, ...unpairedPdfs] };
}

const PDF_WITHOUT_XML_TEXT = 'Es un PDF sin el XML del mismo nombre: no se guarda.';
const nameCollator = new Intl.Collator('es', { numeric: true });

async function readLoadRow(db: Db, userId: number, id: string) {
  const found = /^[\w-]+$/.test(id)
    ? await db
        .selectFrom('cfdi_loads')
        .select(['problems', 'outcomes'])
        .where('id', '=', id)
        .where('userId', '=', userId)
        .executeTakeFirst()
    : undefined;
  if (!found) throw new DomainError('not-found', 'Estos archivos ya no están: vuelve a elegirlos.');
  return {
    problems: JSON.parse(found.problems) as FileProblem[],
    outcomes: JSON.parse(found.outcomes) as StoredOutcome[],
  };
}

/** @returns ids of the uploads that remain in the load */
export async function lockLoadAndReadUploadIds(
  trx: Trx,
  userId: number,
  id: string,
): Promise<ReadonlySet<string>> {
  await lockAdvisoryKey(trx, `load:${id}`);
  await readLoadRow(trx, userId, id);
  const remaining = await trx
    .selectFrom('uploads')
    .select('id')
    .where('loadId', '=', id)
    .where('userId', '=', userId)
    .execute();
  return new Set(remaining.map((upload) => upload.id));
}

/** Replaces the earlier outcomes of the same documents. */
export async function storeOutcomes(
  trx: Trx,
  userId: number,
  id: string,
  outcomes: readonly StoredOutcome[],
): Promise<void> {
  const names = new Set(outcomes.map(({ name }) => name));
  const before = (await readLoadRow(trx, userId, id)).outcomes.filter(({ name }) => !names.has(name));
  await trx
    .updateTable('cfdi_loads')
    .set({ outcomes: JSON.stringify([...before, ...outcomes]) })
    .where('id', '=', id)
    .execute();
}

const FILE_EXTENSION_PATTERN = /\.\w{1,5}$/;

/**
 * Makes equal names differ by a suffix: "A-12 (2)". An XML and its PDF, whose paths differ only by extension, get the
 * same one.
 */
function makeNamesUnique(files: readonly SentFile[]): SentFile[] {
  const usedNames = new Set<string>();
  const suffixes = new Map<string, string>();
  const seen = new Set<string>();
  return files.map(({ filename, bytes }) => {
    const path = filename.replace(FILE_EXTENSION_PATTERN, '').toLowerCase();
    const safe = toSafeFilename(filename);
    const ending = FILE_EXTENSION_PATTERN.exec(safe)?.[0] ?? '';
    const stem = safe.slice(0, safe.length - ending.length);
    // Of two files with the same path, only the first is paired with its XML or PDF.
    const isSecond = seen.has(filename.toLowerCase());
    seen.add(filename.toLowerCase());
    const suffix = (isSecond ? undefined : suffixes.get(path)) ?? chooseFreeSuffix(stem, usedNames);
    usedNames.add((stem + suffix).toLowerCase());
    if (!isSecond) suffixes.set(path, suffix);
    return { filename: stem + suffix + ending, bytes };
  });
}

function chooseFreeSuffix(stem: string, usedNames: ReadonlySet<string>): string {
  let suffix = '';
  for (let n = 2; usedNames.has((stem + suffix).toLowerCase()); n++) suffix = ` (${n})`;
  return suffix;
}

const fileStemOf = ({ filename }: Pick<SentFile, 'filename'>): string =>
  filename.replace(FILE_EXTENSION_PATTERN, '').toLowerCase();
