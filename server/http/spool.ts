import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** So much of each waits in memory; what comes beyond it goes through a file. */
const IN_MEMORY = 512 * 1024;
const READ_AT_ONCE = 256 * 1024;

/** So much may be unread of one answer, and of all together; then whoever makes it waits for its reader. */
const MOST_UNREAD = 256 * 1024 * 1024;
const MOST_ON_DISK = 1024 * 1024 * 1024;
let onDisk = 0;

/** What lies in files, of all answers together. */
export const spooledBytes = (): number => onDisk;

/** So long, then it is let go. */
const BEHIND_MS = 60_000;

/**
 * What lies between somebody who makes an answer and somebody who reads it: the first need not wait for the second,
 * and memory holds but a little of it. The file has no name while it is used, so nothing is left of it whatever
 * happens.
 */
export class Spool {
  #chunks: Uint8Array[] = [];
  #bytesInMemory = 0;
  #file: Promise<FileHandle> | undefined;
  #written = 0;
  #read = 0;
  #end: { error?: Error } | undefined;
  #wake: (() => void) | undefined;

  /**
   * One after the other: the next one when this has come back.
   * @returns whether anybody is there to take it
   * @throws where its reader is too far behind for too long
   */
  async put(chunk: Uint8Array): Promise<boolean> {
    if (this.#end) return false;
    // What follows what lies in the file goes there too, or it would be read before it.
    if (this.#read === this.#written && this.#bytesInMemory + chunk.length <= IN_MEMORY) {
      this.#chunks.push(chunk);
      this.#bytesInMemory += chunk.length;
    } else {
      await this.#waitForReader();
      if (this.#end) return false;
      this.#file ??= openNameless();
      await writeAll(await this.#file, chunk, this.#written);
      if (this.#end) return false; // its reader has gone meanwhile, and what was counted is counted back
      this.#written += chunk.length;
      onDisk += chunk.length;
    }
    this.#wake?.();
    return true;
  }

  /** Nothing more comes; with an error what was put is not to be taken for a whole. */
  end(error?: Error): void {
    this.#end ??= { error };
    this.#wake?.();
  }

  /** The next of it, or undefined at the end. @throws what it was ended with */
  async take(): Promise<Uint8Array | undefined> {
    for (;;) {
      const chunk = this.#chunks.shift();
      if (chunk) {
        this.#bytesInMemory -= chunk.length;
        return chunk;
      }
      if (this.#read < this.#written) return this.#takeFromFile();
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Lets go of all of it. */
  async close(): Promise<void> {
    this.end();
    this.#chunks = [];
    this.#bytesInMemory = 0;
    onDisk -= this.#written - this.#read;
    this.#read = this.#written;
    const file = this.#file;
    this.#file = undefined;
    await (await file)?.close();
  }

  async #waitForReader(): Promise<void> {
    const until = performance.now() + BEHIND_MS;
    while (!this.#end && (this.#written - this.#read > MOST_UNREAD || onDisk > MOST_ON_DISK)) {
      if (performance.now() > until) throw new Error('nobody reads the answer');
      await delay(50);
    }
  }

  async #takeFromFile(): Promise<Uint8Array> {
    const length = Math.min(READ_AT_ONCE, this.#written - this.#read);
    const at = this.#read;
    // Counted before it is read: who lets go of the rest meanwhile counts no more than that.
    this.#read += length;
    onDisk -= length;
    const file = await this.#file!;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
    if (bytesRead < length) throw new Error('what was spooled is not there');
    return buffer;
  }
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `saldo-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}

async function writeAll(file: FileHandle, chunk: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await file.write(chunk, done, chunk.length - done, at + done)).bytesWritten;
}
