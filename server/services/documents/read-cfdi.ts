import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { CfdiReading, SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import type { CfdiDocument } from '../../formats/cfdi/document.ts';
import { MAX_XML_BYTES } from '../../formats/cfdi/xml.ts';
import { readIsolated } from '../../formats/reading/isolated-reader.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';

export interface SentFile {
  filename: string;
  bytes: Uint8Array;
}

interface ReadOptions {
  settings?: Settings;
  signal?: AbortSignal;
  userId?: number;
}

type CfdiOptions = Awaited<ReturnType<typeof readCfdiOptions>>;

export async function readCfdiOptions(db: Db, settings?: Settings) {
  const { moneda, rfc } = settings ?? (await readSettings(db));
  return { baseCurrency: moneda, ownRfc: rfc };
}

/** A form sends its document with every request, so the latest results are cached, up to this size. */
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
const readingCache = new Map<string, Buffer>();
let cachedBytes = 0;

/**
 * Reads the file in a separate process, whose crash affects nobody else.
 * @throws DomainError with the limit that the file exceeds
 */
async function readSentFile(
  xml: SentFile,
  options: CfdiOptions,
  readOptions: ReadOptions,
): Promise<CfdiReading> {
  const { filename, bytes } = xml;
  const key = JSON.stringify([createHash('sha256').update(bytes).digest('hex'), options]);
  const serialized =
    readingCache.get(key) ??
    serialize(await readIsolated('cfdi', { name: filename, bytes, options }, readOptions));
  addToCache(key, serialized);
  return { ...(deserialize(serialized) as CfdiReading), file: filename, xml };
}

function addToCache(key: string, serialized: Buffer): void {
  if (!readingCache.delete(key)) cachedBytes += serialized.length;
  readingCache.set(key, serialized);
  for (const [oldest, { length }] of readingCache) {
    if (cachedBytes <= MAX_CACHED_BYTES) return;
    readingCache.delete(oldest);
    cachedBytes -= length;
  }
}

/** @throws DomainError with what is wrong with the file, or the limit that the file exceeds */
export async function readDocument(
  db: Db,
  sentFile: SentFile,
  readOptions: ReadOptions = {},
): Promise<SuccessfulReading> {
  requireXmlSize(sentFile.bytes);
  const document = await readSentFile(sentFile, await readCfdiOptions(db, readOptions.settings), readOptions);
  if (!document.kind) throw new DomainError('invalid', document.refused, { code: 'bad_cfdi' });
  return document;
}

/** Reads what a document says, of any kind and in its own currency. @throws DomainError like readDocument */
export function readFullCfdi(
  { filename, bytes }: SentFile,
  readOptions: Omit<ReadOptions, 'settings'>,
): Promise<CfdiDocument> {
  requireXmlSize(bytes);
  return readIsolated('sheet', { name: filename, bytes }, readOptions);
}

function requireXmlSize({ length }: Uint8Array): void {
  if (length > MAX_XML_BYTES)
    throw new DomainError('too-large', 'El XML pasa de 2 MB, más de lo que mide un CFDI.');
}

/** A file that exceeds a limit is returned as unreadable. */
export async function readSentFiles<Sent extends SentFile>(
  db: Db,
  sentFiles: readonly Sent[],
  readOptions: ReadOptions,
): Promise<{ upload: Sent; reading: CfdiReading }[]> {
  const options = await readCfdiOptions(db, readOptions.settings);
  const read: { upload: Sent; reading: CfdiReading }[] = [];
  for (const upload of sentFiles) {
    const result = await readSentFile(upload, options, readOptions).catch((error: unknown): CfdiReading => {
      if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
      return { file: upload.filename, refused: error.message };
    });
    read.push({ upload, reading: result });
  }
  return read;
}
