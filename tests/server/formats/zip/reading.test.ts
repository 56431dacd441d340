import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BoundedZip, ZipError, type ZipLimits } from '../../../../server/formats/zip/reading.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { buildZip, type ZipEntry } from '../../../support/zip.ts';

const LIMITS: ZipLimits = {
  entries: 10,
  entryBytes: 100_000,
  totalBytes: 250_000,
  ratio: 100,
  suspiciousBytes: 50_000,
};

const faultOf = (error: unknown) => (error instanceof ZipError ? error.fault : String(error));
const open = (entries: ZipEntry[], limits: Partial<ZipLimits> = {}) =>
  BoundedZip.open(buildZip(entries), { ...LIMITS, ...limits });

/** What comes out of each entry, or what it is refused for. */
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

/** Packs to about its own size. */
const noise = (size: number) =>
  Buffer.from(Array.from({ length: size }, () => Math.floor(Math.random() * 256)));

describe('a zip that is read', () => {
  it('gives its entries in the order of its directory, from memory as from a file', async () => {
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

  it('is refused where it is none, cut off, of too many entries, or of entries that share their bytes', async () => {
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

  it('tells by its directory what is no file, can not be read, or is too much', async () => {
    const zip = await open([
      { name: 'carpeta/' },
      { name: 'enlace', mode: 0o120777 },
      { name: 'carpeta', mode: 0o040755 },
      { name: 'llano', mode: 0o100644 },
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

  it('tells names that lead out of a folder', async () => {
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

  it('counts what really comes out, whatever its directory says', async () => {
    const lying = { name: 'miente', raw: deflateRawSync(Buffer.alloc(90_000)), size: 10 };
    const wrong = { name: 'otra suma', data: 'ok', crc: 1 };
    const cut = { name: 'cortado', raw: deflateRawSync(noise(1000)).subarray(0, 100), size: 1000 };
    expect(await readAll(await open([lying, wrong, cut, { name: 'bien', data: 'ok' }]))).toEqual([
      'longer',
      'damaged',
      'damaged',
      2,
    ]);
  });

  it('gives no more than all entries together may come to', async () => {
    const many = Array.from({ length: 4 }, (_, at) => ({ name: `${at}`, data: noise(80_000) }));
    expect(await readAll(await open(many))).toEqual([80_000, 80_000, 80_000, 'total']);
  });
});
