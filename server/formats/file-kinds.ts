import { DomainError } from '../../shared/errors.ts';

export type AttachmentKind = 'cfdi' | 'pdf' | 'imagen';

export interface FileKind {
  kind: AttachmentKind;
  mediaType: string;
  /** allowed extensions of the file's name, the usual one first */
  extensions: readonly [string, ...string[]];
}

/** Ignores the file's name. Files that a browser would run (HTML, SVG) are not recognised. */
export function recognizeFile(bytes: Uint8Array): FileKind | undefined {
  const head = toLatin1(bytes.subarray(0, 16));
  if (/^(?:\u00ef\u00bb\u00bf)?\s*%PDF-/.test(head)) return PDF;
  if (head.startsWith('\u0089PNG\r\n\u001a\n')) return PNG;
  if (head.startsWith('\u00ff\u00d8\u00ff')) return JPEG;
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return WEBP;
  return findRootElementName(bytes) === 'Comprobante' ? CFDI : undefined;
}

export function requireFileKind(bytes: Uint8Array, field?: string): FileKind {
  const found = recognizeFile(bytes);
  if (found) return found;
  const message = bytes.length === 0 ? 'El archivo está vacío.' : NOT_ALLOWED_TEXT;
  throw new DomainError('invalid', message, {
    code: 'not_allowed_file',
    ...(field ? { fields: { [field]: message } } : {}),
  });
}

/** A PDF with the name "foto.html" gets the name "foto.html.pdf". */
export function addMissingExtension(filename: string, { extensions }: FileKind): string {
  const lower = filename.toLowerCase();
  return extensions.some((ending) => lower.endsWith(ending)) ? filename : filename + extensions[0];
}

export const CFDI: FileKind = { kind: 'cfdi', mediaType: 'application/xml', extensions: ['.xml'] };
const PDF: FileKind = { kind: 'pdf', mediaType: 'application/pdf', extensions: ['.pdf'] };
const PNG: FileKind = { kind: 'imagen', mediaType: 'image/png', extensions: ['.png'] };
const JPEG: FileKind = { kind: 'imagen', mediaType: 'image/jpeg', extensions: ['.jpg', '.jpeg'] };
const WEBP: FileKind = { kind: 'imagen', mediaType: 'image/webp', extensions: ['.webp'] };

const NOT_ALLOWED_TEXT =
  'No se guarda este tipo de archivo, que se reconoce por su contenido: adjunta el XML de un CFDI, un PDF o una imagen (PNG, JPEG o WebP).';

/** @returns undefined where anything but comments and instructions precedes the root element */
function findRootElementName(bytes: Uint8Array): string | undefined {
  let rest = decodeHead(bytes.subarray(0, HEAD_BYTES));
  for (;;) {
    rest = rest.trimStart();
    const end = rest.startsWith('<?') ? '?>' : rest.startsWith('<!--') ? '-->' : undefined;
    if (!end) return /^<(?:[\w.-]+:)?([\w.-]+)[\s/>]/.exec(rest)?.[1];
    const at = rest.indexOf(end);
    if (at < 0) return undefined;
    rest = rest.slice(at + end.length);
  }
}

/** No real document has more before its root element. */
const HEAD_BYTES = 64 * 1024;

/** The element names to find are ASCII, whose bytes are the same in every encoding except UTF-16. */
function decodeHead(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || (first === 0x3c && second === 0);
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c);
  if (isLittle || isBig) return new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(bytes);
  return toLatin1(bytes).replace(/^\u00ef\u00bb\u00bf/, '');
}

const toLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
