import { SaxesParser } from 'saxes';
import { DomainError } from '../../../shared/errors.ts';

/** An element without its text: in a CFDI every value is an attribute. */
export interface XmlElement {
  /** namespace URI, '' where there is none */
  uri: string;
  localName: string;
  /** attributes without namespace, by name; values as written, entities resolved */
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
}

/** An invoice of 300 lines has a twentieth of these elements. */
export const MAX_XML_BYTES = 2 * 1024 * 1024;
const MAX_DEPTH = 64;
const MAX_ELEMENTS = 100_000;

/**
 * Nothing is fetched, only the five standard entities and character references are known, and a DOCTYPE is refused.
 * @throws DomainError invalid (code empty_file, not_xml, bad_encoding, malformed_xml, doctype, too_complex) or
 * too-large
 */
export function readXml(bytes: Uint8Array): XmlElement {
  if (bytes.length > MAX_XML_BYTES) {
    throw new DomainError('too-large', 'El archivo pasa de 2 MB, más de lo que mide un CFDI.', {
      code: 'too_large',
    });
  }
  if (bytes.length === 0) throw xmlError('empty_file', 'El archivo está vacío.');
  requireTextFile(bytes);
  const text = decodeXml(bytes);
  requireXmlText(text);
  return parseXml(text);
}

/** Searches direct children only, since descendants repeat the names of the CFDI's own nodes. */
export const childrenOf = (parent: XmlElement, uri: string, localName: string): XmlElement[] =>
  parent.children.filter((child) => child.localName === localName && child.uri === uri);

export const isZip = (bytes: Uint8Array): boolean =>
  startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0x50, 0x4b, 0x05, 0x06]);

function parseXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  let currentName = '';
  parser.on('opentagstart', ({ name }) => {
    currentName = name;
  });
  parser.on('error', (error) => {
    // An Addenda is outside the seal. Many issuers copy theirs without declaring its prefixes.
    const isAddenda = open.length > 1 ? open[1]!.localName === 'Addenda' : /(^|:)Addenda$/.test(currentName);
    if (!isAddenda || !/unbound namespace prefix/.test(error.message)) throw malformedXmlError(error.message);
  });
  parser.on('doctype', () => {
    throw doctypeError();
  });
  parser.on('opentag', (tag) => {
    count += 1;
    if (open.length >= MAX_DEPTH || count > MAX_ELEMENTS) {
      throw xmlError('too_complex', 'El XML tiene demasiados niveles o elementos para ser un CFDI.');
    }
    const attributes = new Map<string, string>();
    for (const { uri, local, value } of Object.values(tag.attributes))
      if (uri === '') attributes.set(local, value);
    const element: XmlElement = { uri: tag.uri, localName: tag.local, attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
    root ??= element;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  if (!root) throw malformedXmlError('document must contain a root element.');
  return root;
}

/**
 * The encoding comes from the BOM, the first bytes or the declaration; the default is UTF-8. Bytes that do not match
 * are refused, since a guess could store a wrong name or RFC. Some programs declare UTF-16 but write single bytes; such
 * a document is read as UTF-8. "ISO-8859-1" is read as Windows-1252, which contains it.
 */
function decodeXml(bytes: Uint8Array): string {
  const label = sniffEncoding(bytes) ?? findDeclaredEncoding(bytes);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label.replace(/^latin-/i, 'latin'), { fatal: true });
  } catch {
    throw xmlError(
      'bad_encoding',
      `No se lee la codificación «${label.slice(0, 40)}»; guarda el archivo como UTF-8.`,
    );
  }
  try {
    return decoder.decode(bytes);
  } catch {
    throw xmlError(
      'bad_encoding',
      `El archivo trae bytes que no son ${decoder.encoding.toUpperCase()}, la codificación que indica.`,
    );
  }
}

function sniffEncoding(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, [0xff, 0xfe, 0, 0]) || startsWith(bytes, [0, 0, 0xfe, 0xff])) return 'UTF-32';
  if (startsWith(bytes, [0xef, 0xbb, 0xbf])) return 'utf-8';
  if (startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0x3c, 0])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff]) || startsWith(bytes, [0, 0x3c])) return 'utf-16be';
  return undefined;
}

function findDeclaredEncoding(bytes: Uint8Array): string {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 400));
  const declared = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  return /^utf-?16|ascii$/i.test(declared) ? 'utf-8' : declared;
}

function requireTextFile(bytes: Uint8Array): void {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024));
  if (/^[\s\ufeff]*%PDF-/.test(head)) {
    throw xmlError('not_xml', 'Es un PDF, no un XML: la factura se lee de su archivo XML.');
  }
  if (isZip(bytes)) throw xmlError('not_xml', 'Es un archivo zip, no un XML.');
}

function requireXmlText(text: string): void {
  const head = text.slice(0, 1000).trimStart();
  if (head === '' && text.trim() === '') throw xmlError('empty_file', 'El archivo está vacío.');
  if (/^<(!doctype\s+html|html)\b/i.test(head)) {
    throw xmlError('not_xml', 'Es una página web (HTML), no un XML.');
  }
  if (!head.startsWith('<')) throw xmlError('not_xml', 'No es un XML.');
  if (/^\s+<\?xml\s/.test(text)) {
    throw xmlError(
      'malformed_xml',
      'El XML está mal formado: trae espacios o renglones antes de la declaración <?xml.',
    );
  }
}

/** The parser's message is like "3:20: unclosed tag: a". People need the place and, in common cases, the meaning. */
function malformedXmlError(message: string): DomainError {
  if (/doctype/i.test(message)) return doctypeError();
  const [, line, column, detail = message] = /^(\d+):(\d+): (.*)$/s.exec(message) ?? [];
  const where = line ? ` (línea ${line}, columna ${Number(column) + 1})` : '';
  const reason =
    MALFORMED_REASONS.find(([pattern]) => pattern.test(detail))?.[1] ?? 'no cumple las reglas de XML';
  return xmlError('malformed_xml', `El XML está mal formado${where}: ${reason}.`);
}

const MALFORMED_REASONS: [RegExp, string][] = [
  [/unclosed tag|unexpected end|must contain a root/, 'está incompleto'],
  [/duplicate attribute/, 'repite un atributo'],
  [/unbound namespace prefix/, 'usa un prefijo que no declara'],
  [/unexpected close tag|unmatched closing tag/, 'cierra un elemento que no abrió'],
  [/entity/, 'usa una entidad que no se conoce o está mal escrita'],
  [/only one root|outside of root/, 'trae algo fuera del elemento raíz'],
  [/disallowed character/, 'trae un carácter que no se permite ahí'],
];

const doctypeError = () =>
  xmlError('doctype', 'El XML trae un DOCTYPE; por seguridad no se lee, y un CFDI no lo lleva.');

const startsWith = (bytes: Uint8Array, prefix: number[]): boolean =>
  prefix.every((byte, index) => bytes[index] === byte) && bytes.length >= prefix.length;

const xmlError = (code: string, message: string) => new DomainError('invalid', message, { code });
