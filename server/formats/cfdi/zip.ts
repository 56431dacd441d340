import { BoundedZip, type ZipEntry, ZipError, type ZipFault, type ZipLimits } from '../zip/reading.ts';
import { isZip, MAX_XML_BYTES } from './xml.ts';

/** `problem` is a sentence in Spanish for the user. */
export type CfdiFile = { name: string; bytes: Buffer } | { name: string; problem: string };

export const ZIP_LIMITS: ZipLimits = {
  entries: 5_000,
  entryBytes: MAX_XML_BYTES,
  totalBytes: 500 * 1024 * 1024,
  /** a CFDI compresses to a fifth, the most repetitive one to a fiftieth */
  compressionRatio: 200,
  suspiciousBytes: 0,
};

/** Limits for a zip from a browser. A PDF is larger than a CFDI, and some compress to nearly nothing. */
export const UPLOADED_ZIP_LIMITS: ZipLimits = {
  ...ZIP_LIMITS,
  entries: 2_000,
  entryBytes: 5 * 1024 * 1024,
  totalBytes: 60 * 1024 * 1024,
};

/** A zip inside a zip is matched only to be refused. */
const XML_NAME_PATTERN = /\.(xml|zip)$/i;
const XML_OR_PDF_NAME_PATTERN = /\.(xml|pdf|zip)$/i;

/** Files come in the order of their names; an invalid entry yields a problem. Nothing is written to disk. */
export async function* readZip(
  source: string | Buffer,
  name: string,
  limits = ZIP_LIMITS,
  withPdfs = false,
): AsyncGenerator<CfdiFile> {
  let zip: BoundedZip;
  try {
    zip = await BoundedZip.open(source, limits);
  } catch (error) {
    const isTooMany = zipFaultOrThrow(error) === 'too-many';
    const problem = isTooMany ? `El zip tiene más de ${limits.entries} archivos.` : DAMAGED_TEXT;
    yield { name, problem };
    return;
  }
  try {
    yield* readDocuments(zip, name, limits, withPdfs ? XML_OR_PDF_NAME_PATTERN : XML_NAME_PATTERN);
  } finally {
    zip.close();
  }
}

async function* readDocuments(
  zip: BoundedZip,
  name: string,
  limits: ZipLimits,
  wanted: RegExp,
): AsyncGenerator<CfdiFile> {
  const documents = listDocuments(zip, name, wanted);
  if (documents.length === 0) yield { name, problem: 'El zip no tiene archivos .xml.' };
  for (const { label, entry } of documents) {
    if (/\.zip$/i.test(label)) {
      yield { name: label, problem: NESTED_TEXT };
      continue;
    }
    const read = await readEntry(zip, entry);
    if (read === 'total') {
      const maxMegabytes = limits.totalBytes / 1024 / 1024;
      yield { name, problem: `El zip descomprimido pasa de ${maxMegabytes} MB; el resto no se leyó.` };
      return;
    }
    if (typeof read === 'string') yield { name: label, problem: describeEntryFault(read, limits) };
    else if (isZip(read)) yield { name: label, problem: NESTED_TEXT };
    else yield { name: label, bytes: read };
  }
}

function listDocuments(zip: BoundedZip, name: string, wanted: RegExp): { label: string; entry: ZipEntry }[] {
  const documents: { label: string; entry: ZipEntry }[] = [];
  for (const entry of zip.entries) {
    const path = cleanEntryName(entry.name);
    const file = path.slice(path.lastIndexOf('/') + 1);
    // macOS adds "__MACOSX" and "._name" to a zip; they are never documents.
    if (!wanted.test(file) || file.startsWith('._') || path.startsWith('__MACOSX/')) continue;
    documents.push({ label: `${name}/${path}`, entry });
  }
  return documents.sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0));
}

function cleanEntryName(name: string): string {
  const visible = name.replace(/[\p{Cc}\p{Cf}]/gu, '').replaceAll('\\', '/');
  return visible.length > 200 ? `…${visible.slice(-199)}` : visible;
}

async function readEntry(zip: BoundedZip, entry: ZipEntry): Promise<Buffer | ZipFault> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of zip.read(entry)) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    return zipFaultOrThrow(error);
  }
}

function zipFaultOrThrow(error: unknown): ZipFault {
  if (error instanceof ZipError) return error.fault;
  throw error;
}

const describeEntryFault = (fault: Exclude<ZipFault, 'total'>, { entryBytes }: ZipLimits): string =>
  fault === 'too-large' && entryBytes > MAX_XML_BYTES
    ? `El archivo pasa de ${entryBytes / 1024 / 1024} MB, más de lo que se guarda.`
    : FAULT_TEXTS[fault];

const NESTED_TEXT = 'Es un zip dentro de otro zip: descomprímelo antes.';
const DAMAGED_TEXT = 'El zip está dañado o incompleto.';
const DAMAGED_ENTRY_TEXT = 'El archivo está dañado dentro del zip.';
const FAULT_TEXTS: Record<Exclude<ZipFault, 'total'>, string> = {
  unreadable: DAMAGED_ENTRY_TEXT,
  damaged: DAMAGED_ENTRY_TEXT,
  longer: DAMAGED_ENTRY_TEXT,
  'too-many': DAMAGED_ENTRY_TEXT,
  'no-file': 'No es un archivo.',
  encrypted: 'Está cifrado con contraseña.',
  method: 'Está comprimido de una forma que no se lee.',
  'too-large': 'El archivo pasa de 2 MB, más de lo que mide un CFDI.',
  suspicious: 'Está comprimido de forma sospechosa (se expande demasiado).',
};
