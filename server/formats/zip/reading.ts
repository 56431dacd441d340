import { crc32 } from 'node:zlib';
import yauzl, { type Entry, type ZipFile } from 'yauzl';

/** A zip that exceeds these limits is treated as an attack. */
export interface ZipLimits {
  entries: number;
  entryBytes: number;
  totalBytes: number;
  /** ratio of decompressed to compressed size, for entries that declare more than `suspiciousBytes` */
  compressionRatio: number;
  suspiciousBytes: number;
}

export type ZipFault =
  | 'unreadable' // no zip, or cut off
  | 'damaged'
  | 'too-many'
  | 'no-file' // a folder or a link
  | 'encrypted'
  | 'method' // compressed in an unsupported way
  | 'too-large'
  | 'suspicious'
  | 'longer' // more comes out than the directory says
  | 'total';

export class ZipError extends Error {
  readonly fault: ZipFault;

  constructor(fault: ZipFault) {
    super(`zip: ${fault}`);
    this.fault = fault;
  }
}

export interface ZipEntry {
  name: string;
  /** whether the name is a safe relative path; some readers use names only as labels */
  isPlainName: boolean;
  size: number;
  fault?: ZipFault;
}

/** A zip's directory may be wrong, so it is validated first, and the decompressed bytes are counted. */
export class BoundedZip {
  /** in the directory's order; names may occur twice */
  readonly entries: readonly ZipEntry[];
  readonly #zip: ZipFile;
  readonly #limits: ZipLimits;
  readonly #packed: ReadonlyMap<ZipEntry, Entry>;
  #unpacked = 0;

  private constructor(zip: ZipFile, packed: ReadonlyMap<ZipEntry, Entry>, limits: ZipLimits) {
    this.#zip = zip;
    this.#packed = packed;
    this.#limits = limits;
    this.entries = [...packed.keys()];
  }

  /** @throws ZipError unreadable, damaged, too-many */
  static async open(source: string | Buffer, limits: ZipLimits): Promise<BoundedZip> {
    const zip = await openZip(source);
    try {
      return new BoundedZip(zip, await readDirectory(zip, limits), limits);
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** @throws ZipError the entry's own `fault` before reading; damaged, longer, too-large or total while reading */
  async *read(entry: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.fault) throw new ZipError(entry.fault);
    const packed = this.#packed.get(entry)!;
    let checksum = 0;
    let size = 0;
    for await (const chunk of this.#unpack(packed)) {
      size += chunk.length;
      this.#unpacked += chunk.length;
      if (this.#unpacked > this.#limits.totalBytes) throw new ZipError('total');
      if (size > this.#limits.entryBytes) throw new ZipError('too-large');
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
    if (checksum !== packed.crc32) throw new ZipError('damaged');
  }

  close(): void {
    this.#zip.close();
  }

  async *#unpack(packed: Entry): AsyncGenerator<Buffer> {
    try {
      yield* (await this.#zip.openReadStreamPromise(packed)) as AsyncIterable<Buffer>;
    } catch (error) {
      const isLonger = error instanceof Error && /too many bytes/.test(error.message);
      throw new ZipError(isLonger ? 'longer' : 'damaged');
    }
  }
}

async function openZip(source: string | Buffer): Promise<ZipFile> {
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false };
  try {
    const zip = await (typeof source === 'string'
      ? yauzl.openPromise(source, options)
      : yauzl.fromBufferPromise(source, options));
    // Errors while closing do not matter, but an "error" event without a listener would end the process.
    zip.on('error', () => undefined);
    return zip;
  } catch {
    throw new ZipError('unreadable');
  }
}

async function readDirectory(zip: ZipFile, limits: ZipLimits): Promise<Map<ZipEntry, Entry>> {
  if (zip.entryCount > limits.entries) throw new ZipError('too-many');
  const packed = new Map<ZipEntry, Entry>();
  let packedBytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      packed.set(toZipEntry(entry, limits), entry);
      packedBytes += entry.compressedSize;
    }
  } catch {
    throw new ZipError('damaged');
  }
  // Entries that overlap would let a small file decompress to any size.
  if (packedBytes > zip.fileSize) throw new ZipError('damaged');
  return packed;
}

function toZipEntry(entry: Entry, limits: ZipLimits): ZipEntry {
  const { generalPurposeBitFlag, fileNameRaw, extraFields, uncompressedSize } = entry;
  const name = yauzl.getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false);
  return {
    name,
    isPlainName: yauzl.validateFileName(name) === null,
    size: uncompressedSize,
    fault: findEntryFault(entry, name, limits),
  };
}

/** Unix systems store the file type in the upper half of an entry's attributes. */
const FILE_TYPE_MASK = 0o170000;
const NON_FILE_TYPES = [0o040000, 0o120000];

function findEntryFault(entry: Entry, name: string, limits: ZipLimits): ZipFault | undefined {
  const { compressionMethod, compressedSize, uncompressedSize, externalFileAttributes } = entry;
  const type = (externalFileAttributes >>> 16) & FILE_TYPE_MASK;
  if (name.endsWith('/') || NON_FILE_TYPES.includes(type)) return 'no-file';
  if (entry.isEncrypted()) return 'encrypted';
  if (compressionMethod !== 0 && compressionMethod !== 8) return 'method';
  if (uncompressedSize > limits.entryBytes) return 'too-large';
  const isSuspicious =
    uncompressedSize > limits.suspiciousBytes &&
    uncompressedSize > limits.compressionRatio * Math.max(compressedSize, 1);
  return isSuspicious ? 'suspicious' : undefined;
}
