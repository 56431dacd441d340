import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addActor } from '../support/rows.ts';

describeOneDatabase('saldo layouts', (fresh) => {
  const place = temporaryFolder();

  it('lists, gives, takes and forgets layouts', async () => {
    const actor = await addActor(fresh.db, { origin: 'cli' });
    const saldo = (...args: string[]) => runSaldo(fresh, ['layouts', ...args], actor);
    const isOwn = async () =>
      JSON.parse((await saldo('list', '--json')).out).find(
        ({ plantilla }: { plantilla: string }) => plantilla === 'banorte',
      ).propia;
    const { out } = await saldo('get', 'banorte');
    const file = join(place.folder, 'banorte.json');
    await writeFile(file, out.replace('"04"', '"05"'));
    expect(await saldo('set', file)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^banorte: propia, espera que la confirmen \(versión \d+\)\n$/),
    });
    expect(await isOwn()).toBe(true);
    expect((await saldo('list')).out).toContain('propia');
    expect((await saldo('get', 'banorte')).out).toContain('"05"');
    expect(await saldo('reset', 'banorte')).toMatchObject({ code: 0 });
    expect(await isOwn()).toBe(false);
    await writeFile(file, '{');
    expect(await saldo('set', file)).toMatchObject({
      code: 1,
      log: expect.stringContaining('no es un archivo JSON'),
    });
    expect((await saldo('set', join(place.folder, 'nada.json'))).code).toBe(1);
  });
});
