import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { ZipWriter } from '../../../../server/formats/zip/writing.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { readZipFile } from '../../../support/portable.ts';

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

  async function write(isLarge = false) {
    const zip = new ZipWriter(file, isLarge);
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

  // with 4 GB or 65,535 entries it would be anyway
  it('is read just so where 32 bits do not hold its sizes', async () => {
    await write(true);
    const entries = await readZipFile(file);
    expect([...entries].map(([name, bytes]) => [name, bytes.toString('utf8')])).toEqual(
      parts.map(([name, chunks]) => [name, chunks.join('')]),
    );
    expect(readFileSync(file).includes('PK\u0006\u0006')).toBe(true);
  });

  it('of the same parts is the same to the last byte, whenever and wherever it is made', async () => {
    await write();
    const first = readFileSync(file);
    const zone = process.env.TZ;
    process.env.TZ = 'Pacific/Kiritimati';
    try {
      await write();
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    expect(readFileSync(file).equals(first)).toBe(true);
  });

  it('breaks off where its content does, and leaves the file closed', async () => {
    const zip = new ZipWriter(file);
    async function* content() {
      yield Buffer.from('antes');
      throw new Error('el disco falló');
    }
    await expect(zip.add('uno.jsonl', content())).rejects.toThrow('el disco falló');
    await zip.close();
    await expect(readZipFile(file)).rejects.toThrow();
  });

  it('breaks off where its file cannot be written', async () => {
    const zip = new ZipWriter(join(place.folder, 'no-hay.zip'));
    const endless = async function* () {
      for (;;) yield Buffer.alloc(64 * 1024, Math.random().toString());
    };
    await expect(zip.add('uno.jsonl', endless())).rejects.toThrow('ENOENT');
    await zip.close();
  });

  it('says the true checksum and sizes in the directory and behind each entry', async () => {
    await write();
    const bytes = readFileSync(file);
    const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
    for await (const entry of zip.eachEntry()) {
      const content = Buffer.from(parts.find(([name]) => name === entry.fileName)![1].join(''));
      expect(entry.crc32).toBe(crc32(content));
      const behind =
        entry.relativeOffsetOfLocalHeader + 30 + Buffer.byteLength(entry.fileName) + entry.compressedSize;
      const descriptor = [0, 4, 8, 12].map((at) => bytes.readUInt32LE(behind + at));
      expect(descriptor).toEqual([0x08074b50, crc32(content), entry.compressedSize, content.length]);
    }
  });
});
