import { BoundedZip, type ZipEntry, ZipError, type ZipFault } from '../zip/reading.ts';
import { megabytes, type TableLimits, tooLarge, unreadable } from './limits.ts';

/** The zip that a workbook is: parts by their name, in any case, as text. */
export class WorkbookZip {
  readonly #zip: BoundedZip;
  readonly #parts: ReadonlyMap<string, ZipEntry>;
  readonly #limits: TableLimits;

  private constructor(zip: BoundedZip, parts: ReadonlyMap<string, ZipEntry>, limits: TableLimits) {
    this.#zip = zip;
    this.#parts = parts;
    this.#limits = limits;
  }

  /** @throws DomainError where it is damaged, no workbook, or beyond a limit */
  static async open(file: string | Buffer, limits: TableLimits): Promise<WorkbookZip> {
    const zip = await openZip(file, limits);
    if (!zip.entries.every(({ isPlainName }) => isPlainName)) throw damaged();
    const parts = new Map(zip.entries.map((entry) => [partName(entry.name), entry]));
    refuseOtherZip(parts);
    refuseBomb(zip.entries, limits);
    return new WorkbookZip(zip, parts, limits);
  }

  has(name: string): boolean {
    return this.#parts.has(partName(name));
  }

  /**
   * A part's text, in pieces.
   * @throws DomainError where it is missing or damaged, or more comes out of it than may
   */
  async *read(name: string): AsyncGenerator<string> {
    const part = this.#parts.get(partName(name));
    if (!part) throw damaged();
    let decoder: TextDecoder | undefined;
    for await (const chunk of this.#unpack(part)) {
      decoder ??= new TextDecoder(isUtf16(chunk), { fatal: true });
      yield decode(decoder, chunk);
    }
    if (decoder) yield decode(decoder);
  }

  close(): void {
    this.#zip.close();
  }

  async *#unpack(part: ZipEntry): AsyncGenerator<Buffer> {
    try {
      yield* this.#zip.read(part);
    } catch (error) {
      if (!(error instanceof ZipError)) throw error;
      throw TOO_MUCH.includes(error.fault) ? tooMuch(this.#limits) : damaged();
    }
  }
}

/** A sheet is looked through, read, and perhaps read again. */
const READINGS = 4;

async function openZip(file: string | Buffer, limits: TableLimits): Promise<BoundedZip> {
  const { entries, inflatedBytes, ratio } = limits;
  try {
    return await BoundedZip.open(file, {
      entries,
      entryBytes: inflatedBytes,
      totalBytes: READINGS * inflatedBytes,
      ratio,
      suspiciousBytes: 1024 * 1024,
    });
  } catch (error) {
    if (!(error instanceof ZipError)) throw error;
    if (error.fault !== 'too-many') throw damaged();
    throw tooLarge(`El libro tiene más de ${entries} partes, el límite: no es un libro de Excel normal.`);
  }
}

const TOO_MUCH: readonly ZipFault[] = ['longer', 'too-large', 'total'];

export const damaged = () => unreadable('El libro de Excel está dañado o incompleto.', 'damaged_workbook');

const tooMuch = (limits: TableLimits) =>
  tooLarge(
    `El libro descomprimido pasa de ${megabytes(limits.inflatedBytes)}, el límite. Divídelo, o guárdalo como CSV.`,
  );

const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

/** Documents of other programs are zips as well. */
function refuseOtherZip(entries: ReadonlyMap<string, ZipEntry>): void {
  if (entries.has('xl/workbook.xml')) return;
  const names = [...entries.keys()];
  const what = names.some((name) => name.endsWith('workbook.bin'))
    ? 'Es un libro de Excel binario (.xlsb)'
    : names.some((name) => name.startsWith('word/'))
      ? 'Es un documento de Word, no un libro de Excel'
      : names.some((name) => name.startsWith('ppt/'))
        ? 'Es una presentación, no un libro de Excel'
        : names.includes('mimetype')
          ? 'Es un documento de OpenDocument'
          : 'Es un zip, no un libro de Excel';
  throw unreadable(`${what}: guarda la tabla como .xlsx o CSV.`, 'not_a_table');
}

function refuseBomb(entries: readonly ZipEntry[], limits: TableLimits): void {
  const isAny = (fault: ZipFault) => entries.some((entry) => entry.fault === fault);
  if (isAny('encrypted')) {
    throw unreadable('El libro está protegido con contraseña: guárdalo sin ella.', 'encrypted_workbook');
  }
  if (entries.reduce((sum, { size }) => sum + size, 0) > limits.inflatedBytes) throw tooMuch(limits);
  if (isAny('suspicious')) {
    throw tooLarge(
      `El libro está comprimido de forma sospechosa: alguna parte crece más de ${limits.ratio} veces al descomprimirla.`,
    );
  }
}

function isUtf16(chunk: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  return chunk[0] === 0xfe && chunk[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw damaged();
  }
}
