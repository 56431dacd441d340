import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { ZipWriter } from '../../../db/copies/zip.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { readZipFile } from '../../support/portable.ts';

describe('a zip that is written', () => {
  let place = temporaryFolder();
  let file = '';
  beforeEach(() => {
    place = temporaryFolder();
    file = join(place.folder, 'prueba.zip');
    writeFileSync(file, '');
  });
  afterEach(() => place.remove());

  const parts: [name: string, chunks: string[]][] = [
    ['vacío.jsonl', []],
    ['uno.jsonl', ['{"a":1}\n']],
    [
      'muchos.jsonl',
      Array.from({ length: 5000 }, (_, index) => `{"id":${index},"nombre":"Ñandú ${index}"}\n`),
    ],
  ];

  async function write(limits?: { size: number; count: number }) {
    const zip = await ZipWriter.open(file, limits);
    const sizes = [];
    for (const [name, chunks] of parts)
      sizes.push(
        await zip.add(
          name,
          chunks.map((text) => Buffer.from(text)),
        ),
      );
    await zip.finish();
    await zip.close();
    return sizes;
  }

  it('gives back what went in, chunk by chunk, under its names', async () => {
    const sizes = await write();
    const entries = await readZipFile(file);
    expect([...entries.keys()]).toEqual(parts.map(([name]) => name));
    for (const [index, [name, chunks]] of parts.entries()) {
      expect(entries.get(name)!.toString('utf8'), name).toBe(chunks.join(''));
      expect(sizes[index]).toBe(entries.get(name)!.length);
    }
  });

  // with 4 GB or 65,535 entries the real limits would be reached
  it.each([
    ['sizes', { size: 10, count: 0xffff }],
    ['entries', { size: 0xffff_ffff, count: 2 }],
  ])('is read just so where 32 bits do not hold its %s', async (_what, limits) => {
    await write(limits);
    const entries = await readZipFile(file);
    expect([...entries].map(([name, bytes]) => [name, bytes.toString('utf8')])).toEqual(
      parts.map(([name, chunks]) => [name, chunks.join('')]),
    );
    expect(readFileSync(file).includes('PK\u0006\u0006')).toBe(true);
  });

  it('says the true checksum and sizes in the directory and before each entry', async () => {
    await write();
    const bytes = readFileSync(file);
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const content = Buffer.from(parts.find(([name]) => name === entry.fileName)![1].join(''));
      expect(entry.crc32).toBe(crc32(content));
      const at = entry.relativeOffsetOfLocalHeader;
      expect(bytes.readUInt32LE(at + 14)).toBe(crc32(content));
      const extra = at + 30 + Buffer.byteLength(entry.fileName);
      expect(bytes.readUInt16LE(extra)).toBe(1);
      expect(Number(bytes.readBigUInt64LE(extra + 4))).toBe(content.length);
      expect(Number(bytes.readBigUInt64LE(extra + 12))).toBe(entry.compressedSize);
    }
  });
});
