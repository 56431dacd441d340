import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { Spool, spooledBytes } from '../../../server/http/spool.ts';

const MB = 1024 * 1024;
const chunkOf = (size: number, first: number) => {
  const chunk = new Uint8Array(size);
  for (let at = 0; at < size; at++) chunk[at] = (first + at * 7) % 251;
  return chunk;
};

async function takeAll(spool: Spool): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let chunk = await spool.take(); chunk; chunk = await spool.take()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('a spool', () => {
  it('gives what it was given, in its order, however far the reader is behind', async () => {
    const spool = new Spool();
    const chunks = Array.from({ length: 60 }, (_, n) => chunkOf(n % 3 ? 100_000 : 700_000, n));
    const taken: Uint8Array[] = [];
    for (const [n, chunk] of chunks.entries()) {
      expect(await spool.put(chunk)).toBe(true);
      // The reader comes near now and then.
      if (n % 20 === 19) for (let times = 0; times < 8; times++) taken.push((await spool.take())!);
    }
    spool.end();
    taken.push(await takeAll(spool));
    expect(Buffer.concat(taken).equals(Buffer.concat(chunks))).toBe(true);
    await spool.close();
  });

  it('holds little of it in memory, and leaves no file behind', async () => {
    const spool = new Spool();
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 40; n++) await spool.put(chunkOf(MB, n));
    spool.end();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('saldo-') && name.length === 42)).toEqual(
      [],
    );
    globalThis.gc?.();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * MB);
    expect((await takeAll(spool)).length).toBe(40 * MB);
    await spool.close();
  });

  it('lets its reader wait for what comes, and gives what there was before an error', async () => {
    const spool = new Spool();
    const first = spool.take();
    await spool.put(chunkOf(10, 1));
    expect((await first)?.length).toBe(10);
    await spool.put(chunkOf(20, 1));
    spool.end(new Error('broken off'));
    expect((await spool.take())?.length).toBe(20);
    await expect(spool.take()).rejects.toThrow('broken off');
  });

  it('counts what lies in files back, also where its reader goes while a piece is written or read', async () => {
    const before = spooledBytes();
    const written = new Spool();
    await written.put(chunkOf(MB, 1));
    const put = written.put(chunkOf(8 * MB, 1));
    await written.close();
    expect(await put.catch(() => false)).toBe(false);
    const read = new Spool();
    for (let n = 0; n < 3; n++) await read.put(chunkOf(MB, n));
    const taken = read.take();
    await read.close();
    await taken.catch(() => {});
    expect(spooledBytes()).toBe(before);
  });

  it('tells the maker when nobody takes any more', async () => {
    const spool = new Spool();
    await spool.close();
    expect(await spool.put(chunkOf(10, 1))).toBe(false);
  });
});
