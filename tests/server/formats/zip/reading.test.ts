import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import yauzl from 'yauzl';
import { BoundedZip, ZipError, type ZipLimits } from '../../../../server/formats/zip/reading.ts';
import { ZipWriter } from '../../../../server/formats/zip/writing.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { readZipFile } from '../../../support/portable.ts';
import { buildZip, type ZipEntry } from '../../../support/zip.ts';

const LIMITS: ZipLimits = {
  entries: 10,
  entryBytes: 100_000,
  totalBytes: 250_000,
  compressionRatio: 100,
  suspiciousBytes: 50_000,
};

const faultOf = (error: unknown) => (error instanceof ZipError ? error.fault : String(error));
const open = (entries: ZipEntry[], limits: Partial<ZipLimits> = {}) =>
  BoundedZip.open(buildZip(entries), { ...LIMITS, ...limits });

/** Reads all entries: the content of each, or its fault. */
async function readAll(zip: BoundedZip): Promise<(number | string)[]> {
  const read: (number | string)[] = [];
  for (const entry of zip.entries) {
    let size = 0;
    try {
      for await (const chunk of zip.read(entry)) size += chunk.length;
      read.push(size);
    } catch (error) {
      read.push(faultOf(error));
    }
  }
  return read;
}

/** Bytes that do not compress. */
const noise = (size: number) =>
  Buffer.from(Array.from({ length: size }, () => Math.floor(Math.random() * 256)));

describe('a zip that is read', () => {
  it('yields its entries in the order of its directory, from memory or from a file', async () => {
    const bytes = buildZip([
      { name: 'b.xml', data: 'dos' },
      { name: 'a/ñ.xml', stored: true, data: 'uno' },
    ]);
    const place = temporaryFolder();
    const file = join(place.folder, 'uno.zip');
    writeFileSync(file, bytes);
    for (const source of [bytes, file]) {
      const zip = await BoundedZip.open(source, LIMITS);
      expect(zip.entries).toEqual([
        { name: 'b.xml', isPlainName: true, size: 3, fault: undefined },
        { name: 'a/ñ.xml', isPlainName: true, size: 3, fault: undefined },
      ]);
      expect(await readAll(zip)).toEqual([3, 3]);
      zip.close();
    }
    place.remove();
  });

  it('is refused if it is no zip, cut off, or has too many entries or entries that share their bytes', async () => {
    const two = [{ name: 'a' }, { name: 'b' }];
    const whole = buildZip(two);
    const wrong = Buffer.from(whole);
    wrong[whole.indexOf('PK\u0001\u0002') + 1] = 0;
    const shared = [
      { name: 'a', data: noise(5000) },
      { name: 'b', data: noise(5000), sharesBytes: true as const },
    ];
    const refusals = [
      BoundedZip.open(Buffer.from('hola'), LIMITS),
      BoundedZip.open(whole.subarray(0, -5), LIMITS),
      BoundedZip.open('/no/hay.zip', LIMITS),
      BoundedZip.open(wrong, LIMITS),
      open(two, { entries: 1 }),
      open(shared),
    ];
    expect(await Promise.all(refusals.map((one) => one.then(() => 'open', faultOf)))).toEqual([
      'unreadable',
      'unreadable',
      'unreadable',
      'damaged',
      'too-many',
      'damaged',
    ]);
  });

  it('reports by its directory what is no file, cannot be read, or is too large', async () => {
    const zip = await open([
      { name: 'carpeta/' },
      { name: 'enlace', unixMode: 0o120777 },
      { name: 'carpeta', unixMode: 0o040755 },
      { name: 'llano', unixMode: 0o100644 },
      { name: 'cifrado', encrypted: true },
      { name: 'otro', method: 12 },
      { name: 'grande', data: noise(100_001) },
      { name: 'bomba', data: Buffer.alloc(60_000) },
      { name: 'repetido', data: Buffer.alloc(40_000) },
    ]);
    const faults = [
      'no-file',
      'no-file',
      'no-file',
      undefined,
      'encrypted',
      'method',
      'too-large',
      'suspicious',
      undefined,
    ];
    expect(zip.entries.map(({ fault }) => fault)).toEqual(faults);
    expect(await readAll(zip)).toEqual(faults.map((fault, at) => fault ?? (at === 3 ? 8 : 40_000)));
  });

  it('reports names that lead out of a folder', async () => {
    const names = ['../x', '/x', 'C:/x', 'a/../../x', '..\\x', 'a..b/x'];
    const zip = await open(names.map((name) => ({ name })));
    expect(zip.entries.map(({ isPlainName }) => isPlainName)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(zip.entries[4]!.name).toBe('../x');
  });

  it('counts the bytes really unpacked, of each entry and of all, whatever its directory says', async () => {
    const lying = { name: 'miente', raw: deflateRawSync(Buffer.alloc(90_000)), size: 10 };
    const wrong = { name: 'otra suma', data: 'ok', crc: 1 };
    const cut = { name: 'cortado', raw: deflateRawSync(noise(1000)).subarray(0, 100), size: 1000 };
    const damaged = await open([lying, wrong, cut, { name: 'bien', data: 'ok' }]);
    expect(await readAll(damaged)).toEqual(['longer', 'damaged', 'damaged', 2]);
    const many = Array.from({ length: 4 }, (_, at) => ({ name: `${at}`, data: noise(80_000) }));
    expect(await readAll(await open(many))).toEqual([80_000, 80_000, 80_000, 'total']);
  });
});

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

  it('returns what was put in, chunk by chunk, under its names', async () => {
    const sizes = await write();
    const entries = await readZipFile(file);
    expect([...entries.keys()]).toEqual(parts.map(([name]) => name));
    for (const [index, [name, chunks]] of parts.entries()) {
      expect(entries.get(name)!.toString('utf8'), name).toBe(chunks.join(''));
      expect(sizes[index]).toBe(entries.get(name)!.length);
    }
  });

  // with 4 GB or 65,535 entries it would be anyway
  it('is read in the same way if 32 bits do not hold its sizes', async () => {
    await write(true);
    const entries = await readZipFile(file);
    expect([...entries].map(([name, bytes]) => [name, bytes.toString('utf8')])).toEqual(
      parts.map(([name, chunks]) => [name, chunks.join('')]),
    );
    expect(readFileSync(file).includes('PK\u0006\u0006')).toBe(true);
  });

  it('is identical to the last byte for the same parts, whenever and wherever it is made', async () => {
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

  it('stops if its content fails, and closes the file', async () => {
    const zip = new ZipWriter(file);
    async function* content() {
      yield Buffer.from('antes');
      throw new Error('el disco falló');
    }
    await expect(zip.add('uno.jsonl', content())).rejects.toThrow('el disco falló');
    await zip.close();
    await expect(readZipFile(file)).rejects.toThrow();
  });

  it('stops if its file cannot be written', async () => {
    const zip = new ZipWriter(join(place.folder, 'no-hay.zip'));
    const endless = async function* () {
      for (;;) yield Buffer.alloc(64 * 1024, Math.random().toString());
    };
    await expect(zip.add('uno.jsonl', endless())).rejects.toThrow('ENOENT');
    await zip.close();
  });

  it('states the true checksum and sizes in the directory and behind each entry', async () => {
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
