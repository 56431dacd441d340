import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readIsolated } from '../../server/formats/reading/isolated-reader.ts';
import { readTable } from '../../server/formats/reading/read-table.ts';
import { startChild } from '../support/children.ts';
import { temporaryFolder } from '../support/folder.ts';
import { BOMBS, MB } from './bomb-files.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

describe('T22 · workbooks that are bombs', () => {
  it("end with a message in Spanish, in time, and the server's memory does not grow", async () => {
    const child = await startChild();
    const names = Object.keys(BOMBS);
    const files = names.map((name, index) => {
      const path = join(folder, `${index}.xlsx`);
      writeFileSync(path, BOMBS[name]!());
      return { task: 'table' as const, path };
    });
    const { outcomes, grownMb } = await child.run('readFiles', files);
    for (const [index, { refused, kind, seconds }] of outcomes.entries()) {
      const name = names[index]!;
      if (refused === undefined)
        expect(name).toMatch(/shared texts|expression/); // small, once read
      else {
        expect(refused, name).toMatch(/^\p{Lu}.*\.$/u);
        expect(['too-large', 'invalid'], name).toContain(kind);
      }
      if (name.startsWith('one row more')) expect(refused).toMatch(/pasa de 100,000 renglones, el límite/);
      expect(seconds, name).toBeLessThan(6); // 5 s, and the time to kill the process
    }
    const slowest = Math.max(...outcomes.map(({ seconds }) => seconds));
    console.info(`T22: ${names.length} bombs, the slowest ${slowest.toFixed(1)} s, ${grownMb} MB more`);
    expect(grownMb).toBeLessThan(100);
  });
});

describe('the process that reads files', () => {
  it('ends at its time limit, and the next file is read as usual', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `Uno,${index},${index}.50`);
    const bytes = Buffer.from(`Proveedor,Folio,Subtotal\n${rows.join('\n')}\n`);
    const late = readIsolated('table', { bytes, filename: 'a.csv' }, { seconds: 0.005 });
    await expect(late).rejects.toThrow('Leer el archivo pasó de 0.005 segundos, el límite.');
    const next = await readIsolated('table', { bytes, filename: 'a.csv' });
    expect(next.rows).toHaveLength(60_000);
  });

  it('ends at its memory limit, and the message says so', async () => {
    const bytes = Buffer.from(`${','.repeat(19 * MB)}\n`);
    const refused = await readIsolated('table', { bytes, filename: 'a.csv' }, { seconds: 60 }).catch(
      (error: Error) => error,
    );
    expect((refused as Error).message).toMatch(
      /pasó de 256 MB de memoria, el límite|columna 200, el límite|encabezados/,
    );
  });

  it('stops if the client has gone', async () => {
    const gone = new AbortController();
    const bytes = Buffer.from('Proveedor,Subtotal\nUno,1\n');
    const reading = readIsolated('table', { bytes, filename: 'a.csv' }, { signal: gone.signal });
    gone.abort(new Error('se fue'));
    await expect(reading).rejects.toThrow('se fue');
  });

  it('lets many simultaneous users wait in a queue instead of refusing them', async () => {
    const bytes = Buffer.from('Proveedor,Subtotal\nUno,1\n');
    const all = await Promise.all(
      Array.from({ length: 12 }, () => readIsolated('table', { bytes, filename: 'a.csv' })),
    );
    expect(all.map(({ rows }) => rows.length)).toEqual(Array(12).fill(1));
  });

  it('reports a missing file and a folder as such', async () => {
    await expect(readTable({ path: '/no/existe.csv' })).rejects.toMatchObject({
      kind: 'not-found',
      message: 'No existe el archivo /no/existe.csv.',
    });
    await expect(readTable({ path: import.meta.dirname })).rejects.toThrow(/es una carpeta/);
  });
});
