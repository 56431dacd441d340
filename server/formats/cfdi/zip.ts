import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { isZip, MAX_XML_BYTES } from './xml.ts';

/** One file of an import: its content, or why there is none (in Spanish, for the report). */
export type CfdiFile = { name: string; bytes: Buffer } | { name: string; problem: string };

export interface ZipLimits {
  entries: number;
  /** really inflated bytes, of one entry and of all */
  entryBytes: number;
  totalBytes: number;
  /** inflated to packed; a CFDI packs to a fifth, the most repetitive to a fiftieth */
  ratio: number;
}

export const ZIP_LIMITS: ZipLimits = {
  entries: 5_000,
  entryBytes: MAX_XML_BYTES,
  totalBytes: 500 * 1024 * 1024,
  ratio: 200,
};

/**
 * The XML files of a zip, one at a time, in name order; other entries (the PDF beside each XML) are passed over.
 * What is wrong with an entry, or with the zip, comes as a problem. Nothing is ever written, so names are labels only.
 */
export async function* readZip(
  source: string | Buffer,
  name: string,
  limits = ZIP_LIMITS,
): AsyncGenerator<CfdiFile> {
  let zip: ZipFile;
  try {
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
    zip =
      typeof source === 'string'
        ? await yauzl.openPromise(source, options)
        : await yauzl.fromBufferPromise(source, options);
  } catch {
    yield { name, problem: 'El zip está dañado o incompleto.' };
    return;
  }
  // A fault while the file closes is nobody's concern, but an unheard "error" event would end the process.
  zip.on('error', () => undefined);
  try {
    yield* readEntries(zip, name, limits);
  } finally {
    zip.close();
  }
}

async function* readEntries(zip: ZipFile, name: string, limits: ZipLimits): AsyncGenerator<CfdiFile> {
  if (zip.entryCount > limits.entries) {
    yield { name, problem: `El zip tiene más de ${limits.entries} archivos.` };
    return;
  }
  let documents: { label: string; entry: Entry }[];
  try {
    documents = await listDocuments(zip, name);
  } catch {
    yield { name, problem: 'El zip está dañado o incompleto.' };
    return;
  }
  if (documents.length === 0) yield { name, problem: 'El zip no tiene archivos .xml.' };
  let left = limits.totalBytes;
  for (const { label, entry } of documents) {
    const refused = refuseEntry(entry, label, limits);
    if (refused) {
      yield { name: label, problem: refused };
      continue;
    }
    const bytes = await inflate(zip, entry, Math.min(limits.entryBytes, left));
    left -=
      bytes === 'too-large' ? limits.entryBytes : bytes === 'damaged' ? entry.uncompressedSize : bytes.length;
    if (bytes === 'damaged') yield { name: label, problem: 'El archivo está dañado dentro del zip.' };
    else if (left < 0) {
      yield {
        name,
        problem: `El zip descomprimido pasa de ${limits.totalBytes / 1024 / 1024} MB; el resto no se leyó.`,
      };
      return;
    } else if (bytes === 'too-large') yield { name: label, problem: TOO_LARGE };
    else if (isZip(bytes)) yield { name: label, problem: NESTED };
    else yield { name: label, bytes };
  }
}

async function listDocuments(zip: ZipFile, name: string): Promise<{ label: string; entry: Entry }[]> {
  const documents: { label: string; entry: Entry }[] = [];
  for await (const entry of zip.eachEntry()) {
    const path = entryName(entry);
    const file = path.slice(path.lastIndexOf('/') + 1);
    // "__MACOSX" and "._name" are what macOS adds to a zip: never documents.
    if (!/\.(xml|zip)$/i.test(file) || file.startsWith('._') || path.startsWith('__MACOSX/')) continue;
    documents.push({ label: `${name}/${path}`, entry });
  }
  return documents.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

/** For people to read: without control characters, with slashes, of a length that fits a report. */
function entryName(entry: Entry): string {
  const name = yauzl.getFileNameLowLevel(
    entry.generalPurposeBitFlag,
    entry.fileNameRaw,
    entry.extraFields,
    false,
  );
  const visible = name.replace(/[\p{Cc}\p{Cf}]/gu, '').replaceAll('\\', '/');
  return visible.length > 200 ? `…${visible.slice(-199)}` : visible;
}

/** By what the directory declares; what it hides is caught while inflating. */
function refuseEntry(entry: Entry, label: string, limits: ZipLimits): string | undefined {
  if (/\.zip$/i.test(label)) return NESTED;
  if (entry.isEncrypted()) return 'Está cifrado con contraseña.';
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return 'Está comprimido de una forma que no se lee.';
  if (entry.uncompressedSize > limits.entryBytes) return TOO_LARGE;
  if (entry.uncompressedSize > limits.ratio * Math.max(entry.compressedSize, 1)) {
    return 'Está comprimido de forma sospechosa (se expande demasiado).';
  }
  return undefined;
}

/** Counts what really comes out, stops at the limit, and compares the checksum. */
async function inflate(zip: ZipFile, entry: Entry, most: number): Promise<Buffer | 'too-large' | 'damaged'> {
  try {
    const stream = await zip.openReadStreamPromise(entry);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > most) return 'too-large';
      chunks.push(chunk);
    }
    const bytes = Buffer.concat(chunks);
    return crc32(bytes) === entry.crc32 ? bytes : 'damaged';
  } catch {
    return 'damaged';
  }
}

const TOO_LARGE = 'El archivo pasa de 2 MB, más de lo que mide un CFDI.';
const NESTED = 'Es un zip dentro de otro zip: descomprímalo antes.';
