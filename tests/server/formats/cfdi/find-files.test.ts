import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCfdiFiles } from '../../../../server/formats/cfdi/find-files.ts';
import { MAX_XML_BYTES } from '../../../../server/formats/cfdi/xml.ts';
import { readZip, ZIP_LIMITS } from '../../../../server/formats/cfdi/zip.ts';
import type { ZipLimits } from '../../../../server/formats/zip/reading.ts';
import { buildZip } from '../../../support/zip.ts';

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'cfdi-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

async function put(path: string, content: string | Buffer = `<${basename(path)}/>`): Promise<string> {
  const file = join(folder, path);
  await fs.mkdir(join(file, '..'), { recursive: true });
  await fs.writeFile(file, content);
  return file;
}

/** Lists each file as "name = content" or "name: problem", without the test's folder. */
async function list(...paths: string[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const file of readCfdiFiles(paths)) lines.push(lineOf(file));
  return lines;
}

async function listZip(zip: Buffer, limits: Partial<ZipLimits> = {}): Promise<string[]> {
  const lines: string[] = [];
  for await (const file of readZip(zip, 'z.zip', { ...ZIP_LIMITS, ...limits })) lines.push(lineOf(file));
  return lines;
}

function lineOf(file: { name: string; bytes: Buffer } | { name: string; problem: string }): string {
  const name = file.name.replace(`${folder}/`, '');
  return 'bytes' in file ? `${name} = ${file.bytes.subarray(0, 40)}` : `${name}: ${file.problem}`;
}

describe('paths', () => {
  it('that do not exist are refused by name before anything is read', async () => {
    const good = await put('a.xml');
    const missing = join(folder, 'no.xml');
    await expect(readCfdiFiles([good, missing]).next()).rejects.toMatchObject({
      kind: 'not-found',
      code: 'file_not_found',
      message: `No existe «${missing}».`,
    });
  });

  it('of single files are read whatever their names, in order of name, each once', async () => {
    const [b, a] = [await put('b.dat', 'b'), await put('a', 'a')];
    expect(await list(b, a, b, join(folder, '.', 'a'))).toEqual(['a = a', 'b.dat = b']);
  });

  it('of folders yield their .xml and .zip files, with all subfolders, in order of name', async () => {
    for (const path of ['b.XML', 'a.xml', 'sub/deep/c.xml', 'x.pdf', 'notes.txt', '._a.xml', 'empty/x'])
      await put(path);
    await put('sub/z.Zip', buildZip([{ name: 'in.xml' }]));
    expect(await list(folder)).toEqual([
      'a.xml = <a.xml/>',
      'b.XML = <b.XML/>',
      'sub/deep/c.xml = <c.xml/>',
      'sub/z.Zip/in.xml = <in.xml/>',
    ]);
    expect(await list(folder, join(folder, 'sub'), join(folder, 'a.xml'))).toHaveLength(4);
  });

  it('of folders without documents are reported', async () => {
    await put('x.pdf');
    expect(await list(folder)).toEqual([`${folder}: La carpeta no tiene archivos .xml ni .zip.`]);
  });

  it('with links are followed, circles only once, and dead links are skipped', async () => {
    await put('real/a.xml');
    await fs.symlink(folder, join(folder, 'real', 'up'));
    await fs.symlink(join(folder, 'real', 'a.xml'), join(folder, 'again.xml'));
    await fs.symlink(join(folder, 'nowhere'), join(folder, 'dead.xml'));
    expect(await list(folder)).toHaveLength(1);
  });

  it('that are neither file nor folder, or too large, are reported', async () => {
    const large = await put('large.xml', Buffer.alloc(MAX_XML_BYTES + 1, 32));
    expect(await list(large, '/dev/null')).toEqual([
      '/dev/null: No es un archivo.',
      expect.stringMatching(/^large.xml: .*2 MB/),
    ]);
    const full = await put('full.xml', Buffer.alloc(MAX_XML_BYTES, 32));
    expect((await list(full))[0]).toMatch(/^full.xml = /);
  });

  it('are read one at a time, not all at once', async () => {
    const [a, b] = [await put('a.xml'), await put('b.xml')];
    const files = readCfdiFiles([a, b]);
    await files.next();
    await fs.rm(b);
    expect((await files.next()).value).toEqual({ name: b, problem: 'No se puede leer el archivo.' });
  });
});

describe('a zip', () => {
  it('is recognised by its content, not its name; a file that is only named .zip is read as what it is', async () => {
    const zip = await put('zip.xml', buildZip([{ name: 'in.xml' }]));
    const plain = await put('plain.zip', '<a/>');
    expect(await list(zip, plain)).toEqual(['plain.zip = <a/>', 'zip.xml/in.xml = <in.xml/>']);
  });

  it('yields its .xml files in order of name, stored or compressed, and skips the rest', async () => {
    const names = ['b.xml', 'a/c.XML', 'a/', 'b.pdf', '__MACOSX/b.xml', 'a/._c.xml'];
    const entries = names.map((name, index) => ({ name, stored: index % 2 === 0 }));
    expect(await listZip(buildZip(entries))).toEqual(['z.zip/a/c.XML = <c.XML/>', 'z.zip/b.xml = <b.xml/>']);
  });

  it('may contain names of any kind, which are only labels', async () => {
    const entries = [
      '../../etc/x.xml',
      '/abs.xml',
      'C:\\dir\\y.xml',
      'a\u0007\u202eb.xml',
      `${'n'.repeat(300)}.xml`,
    ];
    const lines = await listZip(buildZip(entries.map((name) => ({ name, data: 'ok' }))));
    expect(lines.map((line) => line.replace(/n+\.xml/, 'n.xml'))).toEqual([
      'z.zip/../../etc/x.xml = ok',
      'z.zip//abs.xml = ok',
      'z.zip/C:/dir/y.xml = ok',
      'z.zip/ab.xml = ok',
      'z.zip/…n.xml = ok',
    ]);
  });

  it('without documents, or damaged, is reported', async () => {
    expect(await listZip(buildZip([]))).toEqual(['z.zip: El zip no tiene archivos .xml.']);
    expect(await listZip(buildZip([{ name: 'a.pdf' }]))).toEqual(['z.zip: El zip no tiene archivos .xml.']);
    const whole = buildZip([{ name: 'a.xml' }, { name: 'b.xml' }]);
    expect(await listZip(whole.subarray(0, 50))).toEqual(['z.zip: El zip está dañado o incompleto.']);
    const wrongDirectory = Buffer.from(whole);
    wrongDirectory[wrongDirectory.lastIndexOf('PK\u0001\u0002')] = 0;
    expect(await listZip(wrongDirectory)).toEqual(['z.zip: El zip está dañado o incompleto.']);
  });

  it('reports nested zips and encrypted, unusually compressed or damaged entries, and reads on', async () => {
    const inner = buildZip([{ name: 'a.xml' }]);
    const zip = buildZip([
      { name: '1.zip', data: inner },
      { name: '2.xml', data: inner },
      { name: '3.xml', encrypted: true },
      { name: '4.xml', method: 99 },
      { name: '5.xml', crc: 1 },
      { name: '6.xml', raw: Buffer.from('no deflate') },
      { name: '7.xml' },
    ]);
    expect(await listZip(zip)).toEqual([
      expect.stringMatching(/^z.zip\/1.zip: .*dentro de otro zip/),
      expect.stringMatching(/^z.zip\/2.xml: .*dentro de otro zip/),
      expect.stringMatching(/^z.zip\/3.xml: .*cifrado/),
      expect.stringMatching(/^z.zip\/4.xml: .*no se lee/),
      expect.stringMatching(/^z.zip\/5.xml: .*dañado/),
      expect.stringMatching(/^z.zip\/6.xml: .*dañado/),
      'z.zip/7.xml = <7.xml/>',
    ]);
  });

  it('has limits: entries, their declared and real size, the ratio, the total', async () => {
    const [ok] = [{ name: 'ok.xml' }];
    expect(await listZip(buildZip([ok!, ok!, ok!]), { entries: 2 })).toEqual([
      'z.zip: El zip tiene más de 2 archivos.',
    ]);
    const large = Buffer.alloc(MAX_XML_BYTES + 1, 'abcdefg');
    expect(await listZip(buildZip([{ name: 'large.xml', data: large }, ok!]))).toEqual([
      expect.stringMatching(/^z.zip\/large.xml: .*2 MB/),
      'z.zip/ok.xml = <ok.xml/>',
    ]);
    expect(await listZip(buildZip([{ name: 'bomb.xml', data: Buffer.alloc(MAX_XML_BYTES) }, ok!]))).toEqual([
      expect.stringMatching(/^z.zip\/bomb.xml: .*sospechosa/),
      'z.zip/ok.xml = <ok.xml/>',
    ]);
    const lying = { name: 'lying.xml', data: Buffer.alloc(50 * MAX_XML_BYTES), size: 100 };
    expect(await listZip(buildZip([lying, ok!]))).toEqual([
      expect.stringMatching(/^z.zip\/lying.xml: .*dañado/),
      'z.zip/ok.xml = <ok.xml/>',
    ]);
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name: `${name}.xml`, data: 'x'.repeat(1000) }));
    const bounded = await listZip(buildZip(five), { totalBytes: 2500 });
    expect(bounded).toHaveLength(3);
    expect(bounded[2]).toMatch(/el resto no se leyó/);
  });

  it('may be left half read', async () => {
    const path = await put('z.zip', buildZip([{ name: 'a.xml' }, { name: 'b.xml' }]));
    for await (const file of readCfdiFiles([path])) {
      expect(file.name).toBe(`${path}/a.xml`);
      break;
    }
  });
});
