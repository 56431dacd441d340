import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** Every entry has the earliest date that a zip can express, so that equal contents give equal files. */
const FIXED_MODIFICATION_TIME = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

export async function createZip(entries: readonly { name: string; bytes: Buffer }[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, bytes } of entries) zip.addBuffer(bytes, name, FIXED_MODIFICATION_TIME);
  zip.end({ forceZip64Format: false, comment: '' });
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

export class ZipWriter {
  readonly #zip = new ZipFile();
  readonly #stopping = new AbortController();
  readonly #written: Promise<void>;
  readonly #isLarge: boolean;

  /** @param file must exist @param isLarge writes the zip64 form, for tests, which cannot write 4 GB */
  constructor(file: string, isLarge = false) {
    this.#isLarge = isLarge;
    const target = createWriteStream(file, { flags: 'r+' });
    this.#written = pipeline(this.#zip.outputStream, target, { signal: this.#stopping.signal });
    this.#written.catch(() => undefined); // the error reaches those who await it
  }

  /** @returns the entry's decompressed size in bytes */
  async add(name: string, content: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<number> {
    let size = 0;
    async function* countAndYieldChunks() {
      for await (const chunk of content) {
        size += chunk.length;
        yield chunk;
      }
    }
    const stream = Readable.from(countAndYieldChunks(), { objectMode: false });
    this.#zip.addReadStream(stream, name, { ...FIXED_MODIFICATION_TIME, forceZip64Format: this.#isLarge });
    // If the disk is full, writing ends, and waiting for the end of the entry's stream alone would never finish.
    await Promise.race([finished(stream), this.#written]);
    return size;
  }

  async finish(): Promise<void> {
    this.#zip.end({ forceZip64Format: this.#isLarge, comment: '' });
    await this.#written;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#written.catch(() => undefined);
  }
}
