import { SaxesParser } from 'saxes';
import { DomainError } from '../../../shared/errors.ts';
import { BoundedZip, ZipError, type ZipFault } from '../zip/reading.ts';
import { formatMegabytes, type TableLimits, tooLargeTableError, unreadableTableError } from './limits.ts';

export interface Worksheet {
  name: string;
  hidden: boolean;
  path: string;
}

/**
 * `mask` lists the places of digits (`0`, `#`, `?`, `general`) and, after an apostrophe each, the characters that the
 * format adds. It is absent where those characters depend on the number.
 */
export type NumberFormat =
  | { as: 'number'; decimals?: number }
  | { as: 'date' | 'time' | 'percent' }
  | { as: 'masked'; mask?: readonly string[]; decimals?: number };

export interface Workbook {
  sheets: readonly Worksheet[];
  uses1904Dates: boolean;
  formats: readonly NumberFormat[];
  sharedTexts: readonly string[];
}

export async function readWorkbook(zip: WorkbookZip): Promise<Workbook> {
  const targets = new Map<string, { type: string; path: string }>();
  await parseXml(zip.read('xl/_rels/workbook.xml.rels'), {
    open(name, { Id = '', Type: type = '', Target = '', TargetMode }) {
      if (name !== 'Relationship' || TargetMode === 'External') return;
      const path = Target.startsWith('/') ? Target : `xl/${Target.replace(/^\.\//, '')}`;
      targets.set(Id, { type, path });
    },
  });
  const workbook = { sheets: [] as Worksheet[], uses1904Dates: false };
  await parseXml(zip.read('xl/workbook.xml'), {
    open(name, { date1904, name: title = '', state, id = '' }) {
      if (name === 'workbookPr') workbook.uses1904Dates = date1904 === '1' || date1904 === 'true';
      const target = targets.get(id);
      if (name !== 'sheet' || !target || !/worksheet$/.test(target.type)) return;
      workbook.sheets.push({
        name: title,
        hidden: (state ?? 'visible') !== 'visible',
        path: target.path,
      });
    },
  });
  if (workbook.sheets.length === 0) throw damagedWorkbookError();
  const readZipPart = async <T>(type: string, reader: (pieces: AsyncIterable<string>) => Promise<T[]>) => {
    const path = [...targets.values()].find((target) => target.type.endsWith(`/${type}`))?.path;
    return path && zip.has(path) ? reader(zip.read(path)) : [];
  };
  const formats = await readZipPart('styles', readNumberFormats);
  return { ...workbook, formats, sharedTexts: await readZipPart('sharedStrings', readSharedTexts) };
}

async function readNumberFormats(pieces: AsyncIterable<string>): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  const codes = new Map<string, string>();
  let inCells = false;
  await parseXml(pieces, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(numFmtId, formatCode);
      if (name === 'cellXfs') inCells = true;
      if (name === 'xf' && inCells) formats.push(readFormatCode(Number(numFmtId), codes.get(numFmtId)));
    },
    close(name) {
      if (name === 'cellXfs') inCells = false;
    },
  });
  return formats;
}

/** The built-in formats are numbered (ECMA-376, 18.8.30). */
function readFormatCode(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return BUILT_IN_FORMATS.find(([ids]) => ids.includes(id))?.[1] ?? { as: 'number' };
  if (code.length > 255) return { as: 'number' }; // longer than spreadsheets allow
  // Drops quoted text, escaped characters, colours and conditions; keeps only the format of positive numbers.
  const bare = code
    .replace(/"[^"]*"|\\.|_.|\*./g, '')
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
    .split(';')[0]!
    .toLowerCase();
  if (/%/.test(bare)) return { as: 'percent' };
  if (/[yd]|mmm/.test(bare)) return { as: 'date' };
  if (/[hs]|\[[hms]+\]/.test(bare)) return { as: 'time' };
  const decimals = /\.(0+)/.exec(bare)?.[1]?.length;
  return readMask(code, bare, decimals) ?? { as: 'number', decimals };
}

const MASK_PATTERN = /"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|([0#?]|general)|[,@]|(.)/gisu;

/** Fractions, exponents and scaled thousands change how the number is written, but add no characters. */
const UNMASKABLE_FORMAT_PATTERN = /[0#?]\s*\/\s*[0#?\d]|[0#?]e[+-]|[0#?.],+(?![0#?.,])/;

/** Returns the mask of a format that adds characters or leading zeros. Currency signs and spaces do not count. */
function readMask(code: string, bare: string, decimals?: number): NumberFormat | undefined {
  if (!/[0#?]|general/.test(bare) || UNMASKABLE_FORMAT_PATTERN.test(bare)) return undefined;
  const [section = ''] = /^(?:"[^"]*"|\\.|[^;"\\])*/s.exec(code) ?? [];
  const mask = [...section.matchAll(MASK_PATTERN)].flatMap(([, quoted, escaped, currency, place, plain]) => {
    const added = quoted ?? escaped ?? currency ?? plain;
    return place ? place.toLowerCase() : added ? `'${added}` : [];
  });
  const isAdded = mask.some((part) => part.startsWith("'") && !/^'(?:[\s$]*|\.)$/.test(part));
  const isPadded = !bare.includes('.') && /0.*[0#?]/.test(bare);
  if (!isAdded && !isPadded) return undefined;
  return /\[[<=>]/.test(code) ? { as: 'masked' } : { as: 'masked', mask, decimals };
}

const BUILT_IN_FORMATS: readonly (readonly [ids: readonly number[], NumberFormat])[] = [
  [[14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58], { as: 'date' }],
  [[18, 19, 20, 21, 32, 33, 45, 46, 47], { as: 'time' }],
  [[9, 10], { as: 'percent' }],
  [[2, 4, 7, 8, 39, 40, 43, 44], { as: 'number', decimals: 2 }],
];

async function readSharedTexts(pieces: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  let said = '';
  await parseXml(pieces, {
    close(name, text) {
      if (name === 't') said += text;
      if (name !== 'si') return;
      texts.push(decodeWorkbookText(said));
      said = '';
    },
  });
  return texts;
}

/** A workbook writes `_x000D_` for a character that XML cannot contain. */
export const decodeWorkbookText = (text: string): string =>
  text
    .replace(/_x([0-9a-fA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\r\n?/g, '\n');

/** Keyed by local name: `r:id` is "id". Names used here are unique without their prefix. */
export type Attributes = Readonly<Record<string, string>>;

interface XmlHandlers {
  open?(name: string, attributes: Attributes): void;
  /** @param text the element's own text, if it has no child elements */
  close?(name: string, text: string): void;
}

const MAX_DEPTH = 64;

/**
 * Calls the handlers and builds no tree. Names are passed without prefix, because some programs write `x:row`. Phonetic
 * text (rPh) is skipped.
 * @throws DomainError where the XML is not well-formed or has a DOCTYPE
 */
export async function parseXml(pieces: AsyncIterable<string>, handlers: XmlHandlers): Promise<void> {
  const parser = new SaxesParser();
  let depth = 0;
  let phonetic = 0;
  let text = '';
  const add = (more: string) => {
    text += more;
  };
  parser.on('error', () => {
    throw damagedWorkbookError();
  });
  parser.on('doctype', () => {
    throw unreadableTableError('El libro trae un DOCTYPE; por seguridad no se lee.', 'doctype');
  });
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw damagedWorkbookError();
    text = '';
    const local = localName(name);
    if (local === 'rPh') phonetic ||= depth;
    if (!phonetic) handlers.open?.(local, withoutAttributePrefixes(attributes));
  });
  parser.on('closetag', ({ name }) => {
    if (!phonetic) handlers.close?.(localName(name), text);
    if (phonetic === depth) phonetic = 0;
    depth -= 1;
    text = '';
  });
  if (handlers.close) {
    parser.on('text', add);
    parser.on('cdata', add);
  }
  try {
    for await (const piece of pieces) parser.write(piece);
    parser.close();
  } catch (error) {
    throw error instanceof DomainError ? error : damagedWorkbookError();
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function withoutAttributePrefixes(attributes: Record<string, string>): Attributes {
  let isPlain = true;
  for (const name in attributes) isPlain &&= !name.includes(':');
  if (isPlain) return attributes;
  const ownAttributes = Object.entries(attributes).filter(([name]) => !name.startsWith('xmlns:'));
  return Object.fromEntries(ownAttributes.map(([name, value]) => [localName(name), value]));
}

interface WorkbookZip {
  has(path: string): boolean;
  read(path: string): AsyncIterable<string>;
  close(): void;
}

/** All reading together may decompress this many times the size limit, because a worksheet may be read twice. */
const MAX_INFLATION_FACTOR = 4;

export async function openWorkbook(file: Buffer, limits: TableLimits): Promise<WorkbookZip> {
  const { entries: maxEntries, inflatedBytes, compressionRatio } = limits;
  const zip = await BoundedZip.open(file, {
    entries: maxEntries,
    entryBytes: inflatedBytes,
    totalBytes: MAX_INFLATION_FACTOR * inflatedBytes,
    compressionRatio,
    suspiciousBytes: 1024 * 1024,
  }).catch((error: unknown) => {
    throw explainZipError(error, limits);
  });
  const { entries } = zip;
  const parts = new Map(entries.map((entry) => [normalizePartName(entry.name), entry]));
  const hasFault = (fault: ZipFault) => entries.some((entry) => entry.fault === fault);
  if (!entries.every(({ isPlainName }) => isPlainName)) throw damagedWorkbookError();
  requireWorkbook([...parts.keys()]);
  if (hasFault('encrypted'))
    throw unreadableTableError(
      'El libro está protegido con contraseña: guárdalo sin ella.',
      'encrypted_workbook',
    );
  if (entries.reduce((sum, { size }) => sum + size, 0) > inflatedBytes)
    throw explainZipError(new ZipError('total'), limits);
  if (hasFault('suspicious'))
    throw tooLargeTableError(
      `El libro está comprimido de forma sospechosa: alguna parte crece más de ${compressionRatio} veces al descomprimirla.`,
    );
  return {
    has: (path) => parts.has(normalizePartName(path)),
    async *read(path) {
      const part = parts.get(normalizePartName(path));
      if (!part) throw damagedWorkbookError();
      let decoder: TextDecoder | undefined;
      try {
        for await (const chunk of zip.read(part)) {
          decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
          yield decoder.decode(chunk, { stream: true });
        }
        if (decoder) yield decoder.decode();
      } catch (error) {
        throw explainZipError(error, limits);
      }
    },
    close: () => zip.close(),
  };
}

function encodingOf(chunk: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  return chunk[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : 'utf-8';
}

const damagedWorkbookError = () =>
  unreadableTableError('El libro de Excel está dañado o incompleto.', 'damaged_workbook');

/** Turns a fault of the zip, or an invalid encoding, into a refusal. Other errors are returned unchanged. */
function explainZipError(error: unknown, { entries, inflatedBytes }: TableLimits): unknown {
  if (error instanceof TypeError) return damagedWorkbookError();
  if (!(error instanceof ZipError)) return error;
  if (error.fault === 'too-many')
    return tooLargeTableError(
      `El libro tiene más de ${entries} partes, el límite: no es un libro de Excel normal.`,
    );
  if (!['longer', 'too-large', 'total'].includes(error.fault)) return damagedWorkbookError();
  return tooLargeTableError(
    `El libro descomprimido pasa de ${formatMegabytes(inflatedBytes)}, el límite. Divídelo, o guárdalo como CSV.`,
  );
}

const normalizePartName = (name: string): string =>
  name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

function requireWorkbook(names: readonly string[]): void {
  if (names.includes('xl/workbook.xml')) return;
  const what = OTHER_DOCUMENTS.find(([name]) => names.some((one) => name.test(one)))?.[1];
  const found = what ?? 'Es un zip, no un libro de Excel';
  throw unreadableTableError(`${found}: guarda la tabla como .xlsx o CSV.`, 'not_a_table');
}

const OTHER_DOCUMENTS: readonly (readonly [name: RegExp, what: string])[] = [
  [/workbook\.bin$/, 'Es un libro de Excel binario (.xlsb)'],
  [/^word\//, 'Es un documento de Word, no un libro de Excel'],
  [/^ppt\//, 'Es una presentación, no un libro de Excel'],
  [/^mimetype$/, 'Es un documento de OpenDocument'],
];
