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

  it('obeys the roles of whoever it acts for, and has somebody else confirm what was changed', async () => {
    const { db } = fresh;
    const as = async (...roles: number[]) => {
      const actor = await addActor(db, { origin: 'cli', roles });
      return (...args: string[]) => runSaldo(fresh, ['layouts', ...args], actor);
    };
    const [author, buyer, boss] = [await as(1, 3), await as(4), await as(2)];
    const file = join(place.folder, 'spei.json');
    const { out } = await author('get', 'bbva-spei');
    await writeFile(file, out.replace('"MXP"', '"MXN"'));
    expect(await buyer('set', file)).toMatchObject({ code: 1, log: expect.stringContaining('privileges') });
    expect((await author('set', file)).code).toBe(0);
    const stored = async () => {
      const list = JSON.parse((await author('list', '--json')).out);
      return list.find(({ plantilla }: { plantilla: string }) => plantilla === 'bbva-spei');
    };
    const { version, ...waiting } = await stored();
    expect(waiting).toMatchObject({ propia: true, sirve: false, confirmo: null, autor: expect.any(String) });
    const confirm = ['confirm', 'bbva-spei', String(version)];
    expect(await author(...confirm)).toMatchObject({ code: 1, log: expect.stringContaining('otra persona') });
    for (const other of [buyer, await as(3)]) expect((await other(...confirm)).code).toBe(1);
    expect((await boss('confirm', 'bbva-spei', String(version + 1))).code).toBe(1);
    expect((await stored()).sirve).toBe(false);
    expect(await boss(...confirm)).toMatchObject({ code: 0, out: 'bbva-spei: confirmada\n' });
    expect((await stored()).sirve).toBe(true);
    expect((await buyer('reset', 'bbva-spei')).code).toBe(1);
    expect((await author('reset', 'bbva-spei')).code).toBe(0);
  });
});
