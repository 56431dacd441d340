import { promises as fs } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readCfdiFiles } from '../../../../server/formats/cfdi/files.ts';
import { importCfdi } from '../../../../server/services/cfdi/import.ts';
import { buildCfdi } from '../../../support/cfdi.ts';
import { useFresh } from '../../../support/databases.ts';
import { addActor, addJob } from '../../../support/rows.ts';
import { buildZip } from '../../../support/zip.ts';

const MB = 1024 * 1024;

let folder: string;
beforeEach(async () => {
  folder = await fs.mkdtemp(join(tmpdir(), 'cfdi-'));
});
afterEach(() => fs.rm(folder, { recursive: true }));

/** What somebody would make who wants the import to hang, to fill the memory or to read other files. */
const HOSTILE: Record<string, () => string | Buffer> = {
  'attributes.xml': () => fill((n) => `a${n}="x" `, '<a ', '/>'),
  'characters.xml': () => fill(() => '&#65;', '<a b="', '"/>'),
  'comment.xml': () => fill(() => '- ', '<a><!--', '--></a>'),
  'deep.xml': () => '<a>'.repeat(600_000),
  'duplicates.xml': () => buildCfdi().replace('Version="4.0"', 'Version="4.0" Version="4.0"'),
  'entities.xml': () => laughs(12),
  'external.xml': () => '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>',
  'garbage.xml': () => Buffer.alloc(2 * MB - 1, 0x3c),
  'huge.xml': () => Buffer.alloc(60 * MB, 0x20),
  'namespaces.xml': () => fill((n) => `xmlns:n${n}="u:${n}" `, '<a ', '/>'),
  'quadratic.xml': () => `<!DOCTYPE a [<!ENTITY b "${'b'.repeat(100_000)}">]><a>${'&b;'.repeat(100_000)}</a>`,
  'text.xml': () => fill(() => 'x', '<a>', '</a>'),
  'utf16.xml': () => Buffer.from(`\ufeff${laughs(10)}`, 'utf16le'),
  'wide.xml': () =>
    fill(() => '<c/>', buildCfdi().replace(/<\/\w+:Comprobante>$/, ''), '</cfdi:Comprobante>'),
  'bomb.zip': () => buildZip([{ name: 'a.xml', data: Buffer.alloc(120 * MB) }]),
  'liar.zip': () => buildZip([{ name: 'a.xml', data: Buffer.alloc(60 * MB), size: 100 }]),
  'many.zip': () => buildZip(Array.from({ length: 5001 }, (_, n) => ({ name: `${n}.xml`, data: 'x' }))),
  'nested.zip': () => buildZip([{ name: 'in.zip', data: buildZip([{ name: 'a.xml' }]) }]),
  'path.zip': () => buildZip([{ name: '../../../etc/cron.d/x.xml', data: '<a/>' }]),
};

describe('hostile files', () => {
  const fresh = useFresh('sqlite');

  it('end in seconds, in bounded memory, each refused with a reason, while the good one among them is stored', async () => {
    for (const [name, make] of Object.entries(HOSTILE)) await fs.writeFile(join(folder, name), make());
    await fs.writeFile(join(folder, 'good.xml'), buildCfdi());
    await fs.symlink(folder, join(folder, 'loop'));
    const actor = await addActor(fresh.db);
    const jobId = await addJob(fresh.db);
    const before = process.memoryUsage.rss();
    const started = performance.now();
    let most = 0;
    const { files } = await importCfdi(
      fresh.db,
      actor,
      readCfdiFiles([folder]),
      { jobId, createSuppliers: true },
      () => {
        most = Math.max(most, process.memoryUsage.rss());
      },
    );
    const seconds = (performance.now() - started) / 1000;
    const grown = Math.round((most - before) / MB);
    console.info(`${files.length} hostile files: ${seconds.toFixed(1)} s, ${grown} MB more`);
    const stored = files.filter(({ outcome }) => outcome !== 'refused');
    expect(stored.map(({ file }) => basename(file))).toEqual(['good.xml']);
    expect(files).toHaveLength(Object.keys(HOSTILE).length + 1);
    for (const { outcome, reason } of files)
      if (outcome === 'refused') expect(reason).toMatch(/^(?!.*falla del programa)\p{Lu}.*\.$/u);
    expect(seconds).toBeLessThan(20);
    expect(grown).toBeLessThan(600);
  });
});

/** As many as fit below the limit of 2 MB. */
function fill(piece: (n: number) => string, before: string, after: string): string {
  const pieces: string[] = [];
  for (let size = before.length + after.length + 10, n = 0; size < 2 * MB; n++) {
    const next = piece(n);
    size += next.length;
    if (size < 2 * MB) pieces.push(next);
  }
  return before + pieces.join('') + after;
}

/** A billion laughs and more. */
function laughs(levels: number): string {
  const entities = Array.from({ length: levels }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`);
  return `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ja">${entities.join('')}]><a>&l${levels};</a>`;
}
