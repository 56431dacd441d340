import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import { megabytes, type TableLimits, tooLarge, unreadable } from './limits.ts';

/**
 * The zip that a workbook is. Its directory is judged before anything is unpacked, and what comes out is
 * counted while it does: a directory may lie.
 */
export class WorkbookZip {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #limits: TableLimits;
  #inflated = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>, limits: TableLimits) {
    this.#zip = zip;
    this.#entries = entries;
    this.#limits = limits;
  }

  /** @throws DomainError where it is damaged, no workbook, or beyond a limit */
  static async open(bytes: Buffer, limits: TableLimits): Promise<WorkbookZip> {
    const zip = await fromDirectory(() =>
      yauzl.fromBufferPromise(bytes, { lazyEntries: true, autoClose: false, strictFileNames: false }),
    );
    if (zip.entryCount > limits.entries) {
      throw tooLarge(
        `El libro tiene más de ${limits.entries} partes, el límite: no es un libro de Excel normal.`,
      );
    }
    const entries = new Map<string, Entry>();
    await fromDirectory(async () => {
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= limits.entries) throw damaged();
        entries.set(partName(entry.fileName), entry);
      }
    });
    refuseOtherZip(entries);
    refuseBomb([...entries.values()], limits);
    return new WorkbookZip(zip, entries, limits);
  }

  has(name: string): boolean {
    return this.#entries.has(partName(name));
  }

  /**
   * A part's text, in pieces.
   * @throws DomainError where it is missing or damaged, or more comes out of it than may
   */
  async *read(name: string): AsyncGenerator<string> {
    const entry = this.#entries.get(partName(name));
    if (!entry) throw damaged();
    let checksum = 0;
    let decoder: TextDecoder | undefined;
    for await (const chunk of this.#inflate(entry)) {
      this.#inflated += chunk.length;
      if (this.#inflated > this.#limits.inflatedBytes) throw tooMuch(this.#limits);
      checksum = crc32(chunk, checksum);
      decoder ??= new TextDecoder(isUtf16(chunk), { fatal: true });
      yield decode(decoder, chunk);
    }
    if (checksum !== entry.crc32) throw damaged();
    if (decoder) yield decode(decoder);
  }

  close(): void {
    this.#zip.close();
  }

  async *#inflate(entry: Entry): AsyncGenerator<Buffer> {
    try {
      const stream = await this.#zip.openReadStreamPromise(entry);
      yield* stream as AsyncIterable<Buffer>;
    } catch (error) {
      throw lies(error) ? tooMuch(this.#limits) : damaged();
    }
  }
}

export const damaged = () => unreadable('El libro de Excel está dañado o incompleto.', 'damaged_workbook');

const tooMuch = (limits: TableLimits) =>
  tooLarge(
    `El libro descomprimido pasa de ${megabytes(limits.inflatedBytes)}, el límite. Divídelo, o guárdalo como CSV.`,
  );

/** More comes out than the directory says. */
const lies = (error: unknown): boolean => error instanceof Error && /too many bytes/.test(error.message);

async function fromDirectory<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch {
    throw damaged();
  }
}

const partName = (name: string): string => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();

/** Documents of other programs are zips as well. */
function refuseOtherZip(entries: ReadonlyMap<string, Entry>): void {
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

function refuseBomb(entries: readonly Entry[], limits: TableLimits): void {
  if (entries.some((entry) => entry.isEncrypted())) {
    throw unreadable('El libro está protegido con contraseña: guárdalo sin ella.', 'encrypted_workbook');
  }
  const declared = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (declared > limits.inflatedBytes) throw tooMuch(limits);
  const suspicious = entries.some(
    ({ uncompressedSize, compressedSize }) =>
      uncompressedSize > 1024 * 1024 && uncompressedSize > limits.ratio * Math.max(compressedSize, 1),
  );
  if (suspicious) {
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
