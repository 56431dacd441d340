import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

type Content = AsyncIterable<Buffer> | Iterable<Buffer>;

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  packed: number;
  size: number;
}

const DEFLATED = 8;
/** Sizes and checksum follow the entry (bit 3), names are UTF-8 (bit 11): APPNOTE 4.4.4. */
const FLAGS = 0x808;
const VERSION = 20;
/** 1 January 1980: when the file was made, it says elsewhere. */
const NO_DATE = 0x21;
/** Markup repeats itself so much that the highest levels gain little and cost several times as much. */
const LEVEL = 4;

/**
 * A zip (PKWARE APPNOTE 6.3) for a reader who takes it as it is made: nothing is known beforehand, nothing is
 * written twice, and the next bytes are packed when they are asked for. Up to 4 GB.
 */
export async function* zipChunks(
  entries: Iterable<[name: string, content: Content]>,
): AsyncGenerator<Buffer> {
  const written: Entry[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const entry: Entry = { name: Buffer.from(name), offset, crc: 0, packed: 0, size: 0 };
    const header = localHeader(entry);
    yield header;
    for await (const chunk of deflate(entry, content)) yield chunk;
    const descriptor = record('PK\u0007\u0008', [
      [4, entry.crc],
      [4, entry.packed],
      [4, entry.size],
    ]);
    yield descriptor;
    offset += header.length + entry.packed + descriptor.length;
    written.push(entry);
  }
  const directory = Buffer.concat(written.map(centralHeader));
  const count = written.length;
  yield directory;
  yield record('PK\u0005\u0006', [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, directory.length],
    [4, offset],
    [2, 0],
  ]);
}

async function* deflate(entry: Entry, content: Content): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw({ level: LEVEL });
  const feeding = pipeline(async function* count() {
    for await (const chunk of content) {
      entry.crc = crc32(chunk, entry.crc);
      entry.size += chunk.length;
      yield chunk;
    }
  }, packer);
  feeding.catch(() => {}); // the same error comes out of the packer
  try {
    for await (const chunk of packer as AsyncIterable<Buffer>) {
      entry.packed += chunk.length;
      yield chunk;
    }
    await feeding;
  } finally {
    packer.destroy();
  }
}

const localHeader = ({ name }: Entry): Buffer =>
  Buffer.concat([
    record('PK\u0003\u0004', [
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, 0],
      [2, NO_DATE],
      [4, 0],
      [4, 0],
      [4, 0],
      [2, name.length],
      [2, 0],
    ]),
    name,
  ]);

const centralHeader = ({ name, crc, packed, size, offset }: Entry): Buffer =>
  Buffer.concat([
    record('PK\u0001\u0002', [
      [2, VERSION],
      [2, VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, 0],
      [2, NO_DATE],
      [4, crc],
      [4, packed],
      [4, size],
      [2, name.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, offset],
    ]),
    name,
  ]);

/** Four letters, then numbers of so many bytes each, the lowest first. */
function record(signature: string, fields: ReadonlyArray<readonly [bytes: 2 | 4, value: number]>): Buffer {
  const bytes = Buffer.alloc(4 + fields.reduce((sum, [length]) => sum + length, 0));
  let at = bytes.write(signature, 'latin1');
  for (const [length, value] of fields) at = bytes.writeUIntLE(value, at, length);
  return bytes;
}
