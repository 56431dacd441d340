import { isUtf8 } from 'node:buffer';
import { unreadableTableError } from './limits.ts';
import type { RawTable } from './table.ts';

type FileFormat = 'text' | 'zip';
type Encoding = NonNullable<RawTable['encoding']>;

/**
 * Recognises the format by the first bytes, never by the file's name.
 * @throws DomainError that says what the file is, where its format is not supported
 */
export function recognizeFormat(bytes: Uint8Array): FileFormat {
  if (bytes.length === 0) throw unreadableTableError('El archivo está vacío.', 'empty_file');
  if (startsWith(bytes, 'PK\u0003\u0004')) return 'zip';
  if (startsWith(bytes, 'PK\u0005\u0006'))
    throw unreadableTableError('El archivo es un zip vacío.', 'not_a_table');
  const other = UNSUPPORTED_FORMATS.find(([magic]) => startsWith(bytes, magic));
  if (other) throw unreadableTableError(`${other[1]} ${READABLE_FORMATS_TEXT}`, 'not_a_table');
  return 'text';
}

const READABLE_FORMATS_TEXT = 'Se leen archivos CSV y libros .xlsx.';

const UNSUPPORTED_FORMATS: readonly (readonly [magic: string, what: string])[] = [
  [
    '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1',
    'Es un libro de Excel del formato antiguo (.xls), o protegido con contraseña: guárdalo como .xlsx, sin contraseña.',
  ],
  ['%PDF-', 'Es un PDF, no una tabla.'],
  ['\u0089PNG', 'Es una imagen, no una tabla.'],
  ['\u00ff\u00d8\u00ff', 'Es una imagen, no una tabla.'],
  ['GIF8', 'Es una imagen, no una tabla.'],
  ['RIFF', 'Es una imagen o un video, no una tabla.'],
  ['{\\rtf', 'Es un documento de texto (RTF), no una tabla.'],
  ['SQLite format 3', 'Es una base de datos, no una tabla.'],
  ['\u001f\u008b', 'Está comprimido (gzip): descomprímelo antes.'],
  ['Rar!', 'Está comprimido (RAR): descomprímelo antes.'],
  ['7z\u00bc\u00af', 'Está comprimido (7z): descomprímelo antes.'],
];

/**
 * Detects the encoding by its BOM, else by the positions of zero bytes. Any other text is UTF-8 if valid as such, else
 * Windows-1252, which accepts any bytes. Line breaks become "\n", so that lines can be counted.
 * @throws DomainError where the file is no text, no table, or a mixture of encodings
 */
export function decodeText(bytes: Uint8Array): { text: string; encoding: Encoding } {
  const encoding = detectWideEncoding(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252');
  if (encoding === 'windows-1252') requireOneEncoding(new TextDecoder('utf-8').decode(bytes));
  const decoded = new TextDecoder(encoding).decode(bytes);
  requireTableText(decoded);
  return { text: decoded.includes('\r') ? decoded.replace(/\r\n?/g, '\n') : decoded, encoding };
}

function detectWideEncoding(bytes: Uint8Array): Encoding | undefined {
  if (startsWith(bytes, '\u00ff\u00fe')) return 'utf-16le';
  if (startsWith(bytes, '\u00fe\u00ff')) return 'utf-16be';
  const head = bytes.subarray(0, 4000);
  const [even, odd] = countZeroBytes(head);
  // In UTF-16, Latin letters have a zero byte in every second place; other encodings have none.
  if (odd > head.length / 4 && even < head.length / 40) return 'utf-16le';
  return even > head.length / 4 && odd < head.length / 40 ? 'utf-16be' : undefined;
}

function countZeroBytes(bytes: Uint8Array): [even: number, odd: number] {
  const counts: [number, number] = [0, 0];
  for (const [index, byte] of bytes.entries()) if (byte === 0) counts[index & 1 ? 1 : 0] += 1;
  return counts;
}

/** Refuses a text that is mostly UTF-8, because decoding all of it as Windows-1252 for a few lines would garble it. */
function requireOneEncoding(text: string): void {
  let invalid = 0;
  let valid = 0;
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) invalid += 1;
    else if (code > 0x7f) valid += 1;
    else if (code === 0x0a && invalid === 0) line += 1;
  }
  if (valid < 4 * invalid) return;
  throw unreadableTableError(
    `El archivo mezcla dos codificaciones: es UTF-8, pero la línea ${line} no. Guárdalo entero como UTF-8.`,
    'bad_encoding',
  );
}

const MAX_CHECKED_CHARACTERS = 100_000;

function requireTableText(text: string): void {
  if (!/\S/.test(text)) throw unreadableTableError('El archivo está vacío.', 'empty_file');
  const markup = MARKUP_FORMATS.find(([start]) => start.test(text.slice(0, 2000).trimStart()));
  if (markup) throw unreadableTableError(`${markup[1]} ${READABLE_FORMATS_TEXT}`, 'not_a_table');
  const checked = text.slice(0, MAX_CHECKED_CHARACTERS);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  const unprintable = checked.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/g)?.length ?? 0;
  if (unprintable > 20 && unprintable > checked.length / 100)
    throw unreadableTableError(
      `El archivo no es de texto, o está dañado. ${READABLE_FORMATS_TEXT}`,
      'not_a_table',
    );
}

const MARKUP_FORMATS: readonly (readonly [start: RegExp, what: string])[] = [
  [
    /^<(!doctype\s+html|html|head|table|meta)\b/i,
    'Es una página web (HTML), aunque se llame de otro modo: ábrela en Excel y guárdala como .xlsx.',
  ],
  // BBVA's statements are downloaded in this format.
  [
    /^<.*\burn:schemas-microsoft-com:office:spreadsheet\b/s,
    'Es una hoja de Excel en XML (.xls): ábrela en Excel y guárdala como .xlsx.',
  ],
  [/^<\?xml\b|^<[\w:]+[^>]*\bxmlns/, 'Es un XML, no una tabla.'],
];

const startsWith = (bytes: Uint8Array, magic: string): boolean =>
  bytes.length >= magic.length &&
  [...magic].every((character, index) => bytes[index] === character.charCodeAt(0));
