import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** Where 32-bit sizes and offsets end, and 16-bit counts (APPNOTE 4.4.1.4). */
const LIMITS = { size: 0xffff_ffff, count: 0xffff };

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

/**
 * Writes a zip (PKWARE APPNOTE 6.3) entry by entry, of any size, holding no more than a chunk in memory.
 * Sizes and checksum, known at an entry's end only, are put into its header afterwards, which every reader
 * understands; the file has to be one that can be written anywhere.
 */
export class ZipWriter {
  readonly #file: FileHandle;
  readonly #limits: typeof LIMITS;
  readonly #entries: Entry[] = [];
  #end = 0;

  private constructor(file: FileHandle, limits: typeof LIMITS) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Over an existing file; `limits` is for tests, which have no 4 GB to spare. */
  static async open(file: string, limits = LIMITS): Promise<ZipWriter> {
    return new ZipWriter(await open(file, 'r+'), limits);
  }

  /** @returns the entry's size unpacked, in bytes */
  async add(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<number> {
    const entry: Entry = { name: Buffer.from(name), offset: this.#end, crc: 0, packed: 0, size: 0 };
    await this.#append(localHeader(entry));
    await pipeline(
      async function* count() {
        for await (const chunk of content) {
          entry.crc = crc32(chunk, entry.crc);
          entry.size += chunk.length;
          yield chunk;
        }
      },
      createDeflateRaw(),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          entry.packed += chunk.length;
          await this.#append(chunk);
        }
      },
    );
    await write(this.#file, localHeader(entry), entry.offset);
    this.#entries.push(entry);
    return entry.size;
  }

  /** The directory; without it nothing can be read. */
  async finish(): Promise<void> {
    const start = this.#end;
    for (const entry of this.#entries) await this.#append(centralHeader(entry, this.#limits.size));
    await this.#append(ending({ count: this.#entries.length, start, size: this.#end - start }, this.#limits));
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  async #append(bytes: Buffer): Promise<void> {
    await write(this.#file, bytes, this.#end);
    this.#end += bytes.length;
  }
}

async function write(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
}

const UTF8_NAME = 0x800;
const DEFLATED = 8;
/** The version that knows 64-bit sizes. */
const ZIP64_VERSION = 45;
const PLAIN_VERSION = 20;
const HERE = 0xffff_ffff;
/** 1 January 1980: an entry's time says nothing here, the manifest does. */
const NO_DATE = 0x21;

/** Always with 64-bit sizes, since they are not known when it is first written. */
function localHeader({ name, crc, packed, size }: Entry): Buffer {
  const extra = zip64(size, packed);
  return Buffer.concat([
    signed('PK\u0003\u0004', 26, (header) => {
      header.writeUInt16LE(ZIP64_VERSION, 0);
      common(header, 2, { crc, packed: HERE, size: HERE, name, extra });
    }),
    name,
    extra,
  ]);
}

function centralHeader({ name, crc, packed, size, offset }: Entry, limit: number): Buffer {
  const isLarge = [size, packed, offset].some((value) => value >= limit);
  const extra = isLarge ? zip64(size, packed, offset) : Buffer.alloc(0);
  return Buffer.concat([
    signed('PK\u0001\u0002', 42, (header) => {
      header.writeUInt16LE(ZIP64_VERSION, 0);
      header.writeUInt16LE(isLarge ? ZIP64_VERSION : PLAIN_VERSION, 2);
      common(header, 4, { crc, packed: isLarge ? HERE : packed, size: isLarge ? HERE : size, name, extra });
      header.writeUInt32LE(isLarge ? HERE : offset, 38);
    }),
    name,
    extra,
  ]);
}

/** The part that both headers have alike. */
function common(
  header: Buffer,
  at: number,
  entry: { crc: number; packed: number; size: number; name: Buffer; extra: Buffer },
): void {
  header.writeUInt16LE(UTF8_NAME, at);
  header.writeUInt16LE(DEFLATED, at + 2);
  header.writeUInt16LE(NO_DATE, at + 6);
  header.writeUInt32LE(entry.crc, at + 8);
  header.writeUInt32LE(entry.packed, at + 12);
  header.writeUInt32LE(entry.size, at + 16);
  header.writeUInt16LE(entry.name.length, at + 20);
  header.writeUInt16LE(entry.extra.length, at + 22);
}

/** APPNOTE 4.5.3: what the 32-bit fields have no room for, in this order. */
function zip64(...values: number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  for (const [index, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  return extra;
}

function ending(
  { count, start, size }: { count: number; start: number; size: number },
  limits: typeof LIMITS,
): Buffer {
  const isLarge = count >= limits.count || start >= limits.size || size >= limits.size;
  const end = signed('PK\u0005\u0006', 18, (record) => {
    record.writeUInt16LE(isLarge ? 0xffff : count, 4);
    record.writeUInt16LE(isLarge ? 0xffff : count, 6);
    record.writeUInt32LE(isLarge ? HERE : size, 8);
    record.writeUInt32LE(isLarge ? HERE : start, 12);
  });
  if (!isLarge) return end;
  const record = signed('PK\u0006\u0006', 52, (large) => {
    large.writeBigUInt64LE(44n, 0);
    large.writeUInt16LE(ZIP64_VERSION, 8);
    large.writeUInt16LE(ZIP64_VERSION, 10);
    for (const [index, value] of [count, count, size, start].entries())
      large.writeBigUInt64LE(BigInt(value), 20 + 8 * index);
  });
  const locator = signed('PK\u0006\u0007', 16, (place) => {
    place.writeBigUInt64LE(BigInt(start + size), 4);
    place.writeUInt32LE(1, 12);
  });
  return Buffer.concat([record, locator, end]);
}

/** Four letters, then a record of this many bytes. */
function signed(signature: string, length: number, fill: (record: Buffer) => void): Buffer {
  const record = Buffer.alloc(length);
  fill(record);
  return Buffer.concat([Buffer.from(signature, 'latin1'), record]);
}
