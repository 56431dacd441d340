import { createHash } from 'node:crypto';
import { deserialize, serialize } from 'node:v8';
import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { CfdiReading, ReadDocument } from '../../formats/cfdi/candidates.ts';
import { MAX_XML_BYTES } from '../../formats/cfdi/xml.ts';
import { readIsolated } from '../../formats/reading/reading.ts';
import type { Settings } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';

export interface SentFile {
  filename: string;
  bytes: Uint8Array;
}

interface Reading {
  settings?: Settings;
  signal?: AbortSignal;
  userId?: number;
}

type Options = Awaited<ReturnType<typeof readingOptions>>;

export async function readingOptions(db: Db, settings?: Settings) {
  const { moneda, rfc } = settings ?? (await readSettings(db));
  return { baseCurrency: moneda, ownRfc: rfc };
}

/** A form sends its document with every request, so that the latest results are cached, up to this size. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
const kept = new Map<string, Buffer>();
let keptBytes = 0;

/**
 * Reads an XML in a process of its own, so that a crash of the reader affects nobody else. The result is cached.
 * @throws DomainError with the limit that it exceeds
 */
async function readSent(xml: SentFile, options: Options, reading: Reading): Promise<CfdiReading> {
  const { filename, bytes } = xml;
  const key = JSON.stringify([createHash('sha256').update(bytes).digest('hex'), options]);
  const packed =
    kept.get(key) ?? serialize(await readIsolated('cfdi', { name: filename, bytes, options }, reading));
  keep(key, packed);
  return { ...(deserialize(packed) as CfdiReading), file: filename, xml };
}

function keep(key: string, packed: Buffer): void {
  if (!kept.delete(key)) keptBytes += packed.length;
  kept.set(key, packed);
  for (const [oldest, { length }] of kept) {
    if (keptBytes <= MOST_KEPT_BYTES) return;
    kept.delete(oldest);
    keptBytes -= length;
  }
}

/** @throws DomainError with what is wrong with it, or the limit that it exceeds */
export async function readDocument(db: Db, sent: SentFile, reading: Reading = {}): Promise<ReadDocument> {
  if (sent.bytes.length > MAX_XML_BYTES)
    throw new DomainError('too-large', 'El XML pasa de 2 MB, más de lo que mide un CFDI.');
  const document = await readSent(sent, await readingOptions(db, reading.settings), reading);
  if (!document.kind) throw new DomainError('invalid', document.refused, { code: 'bad_cfdi' });
  return document;
}

/** Reads files that were sent together. One that exceeds a limit is returned as unreadable. */
export async function readAll<Sent extends SentFile>(
  db: Db,
  sent: readonly Sent[],
  reading: Reading,
): Promise<{ upload: Sent; reading: CfdiReading }[]> {
  const options = await readingOptions(db, reading.settings);
  const read: { upload: Sent; reading: CfdiReading }[] = [];
  for (const upload of sent) {
    const own = await readSent(upload, options, reading).catch((error: unknown): CfdiReading => {
      if (!(error instanceof DomainError) || error.kind === 'busy') throw error;
      return { file: upload.filename, refused: error.message };
    });
    read.push({ upload, reading: own });
  }
  return read;
}
