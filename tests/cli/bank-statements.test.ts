import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { temporaryFolder } from '../support/folder.ts';
import { describeOneDatabase } from '../support/proofs.ts';
import { addActor, addFundingSource } from '../support/rows.ts';

const LONG = 'Comisión por transferencia electrónica de fondos, con su impuesto al valor agregado';

describeOneDatabase('saldo bank', (fresh) => {
  const place = temporaryFolder();

  it('loads a statement once, lists it, and shows its movements within the width of a terminal', async () => {
    const approver = await addActor(fresh.db, { roles: [2], origin: 'cli' });
    const origen = String(await addFundingSource(fresh.db));
    const saldo = (...args: string[]) => runSaldo(fresh, ['bank', ...args], approver);
    const file = join(place.folder, `${'estado-de-cuenta-'.repeat(4)}.csv`);
    await writeFile(
      file,
      `Fecha,Concepto,Referencia,Cargo,Abono\n19/11/2026,${LONG.replace(',', '')},000000000012345678,1234567.89,\n`,
    );
    const load = (...args: string[]) => saldo('load', file, '--origen', origen, '--as', 'x', ...args);
    const loaded = JSON.parse((await load('--json')).out);
    expect(loaded).toMatchObject({ nuevo: true, movimientos: 1, resultados: { 'sin-partida': 1 } });
    expect(await load()).toMatchObject({
      code: 0,
      out: expect.stringContaining('ya se había cargado'),
    });
    const list = await saldo('list');
    const show = await saldo('show', String(loaded.id));
    expect(show.out).toContain('-$1,234,567.89');
    for (const line of [...list.out.split('\n'), ...show.out.split('\n')])
      expect([...line].length, line).toBeLessThanOrEqual(80);
    expect(JSON.parse((await saldo('list', '--json')).out)).toMatchObject([{ id: loaded.id }]);
    expect(JSON.parse((await saldo('show', String(loaded.id), '--json')).out).movimientos).toMatchObject([
      { importe: -1234567.89, referencia: '000000000012345678', resultado: 'sin-partida' },
    ]);
    const typed = JSON.parse((await load('--saldo-final', '-1,000.00', '--json')).out);
    const shown = (await saldo('show', String(typed.id))).out;
    expect(shown).toContain('Saldo inicial $1,233,567.89, saldo final -$1,000.00 al jueves 19 de noviembre');
    expect(await saldo('show', '99')).toMatchObject({ code: 1, log: expect.stringContaining('No existe') });
    expect((await saldo('show', 'x')).code).toBe(2);
  });

  it('lists the last twenty, says on the standard error how many there are, and lists more if asked', async () => {
    const approver = await addActor(fresh.db, { roles: [2], origin: 'cli' });
    const origen = String(await addFundingSource(fresh.db));
    const saldo = (...args: string[]) => runSaldo(fresh, ['bank', ...args], approver);
    const list = async (...args: string[]) => {
      const { code, out, log } = await saldo('list', '--json', ...args);
      return { code, log, ids: JSON.parse(out).map(({ id }: { id: number }) => id) };
    };
    const loaded: number[] = [];
    for (let day = 1; day <= 22; day++) {
      const file = join(place.folder, `dia-${day}.csv`);
      await writeFile(file, `Fecha,Concepto,Referencia,Cargo,Abono\n${day}/10/2026,Pago,${day},10.00,\n`);
      const { out } = await saldo('load', file, '--origen', origen, '--as', 'x', '--json');
      loaded.unshift(JSON.parse(out).id);
      if (day === 20) expect(await list()).toEqual({ code: 0, log: '', ids: loaded });
    }
    const log = expect.stringContaining('Se muestran los últimos 20 de 22; con --limit, más.');
    expect(await list()).toEqual({ code: 0, log, ids: loaded.slice(0, 20) });
    expect(await saldo('list')).toMatchObject({ code: 0, log });
    expect(await list('--limit', '22')).toEqual({ code: 0, log: '', ids: loaded });
    expect((await list('--limit', '1')).ids).toEqual(loaded.slice(0, 1));
    for (const [wrong, code] of [
      ['x', 2],
      ['2.5', 2],
      ['0', 1],
      ['1001', 1],
    ] as const)
      expect(await saldo('list', '--limit', wrong), wrong).toMatchObject({ code, out: '' });
  });

  it('says why it refuses: a user without the right, an unknown source, a file that is no statement', async () => {
    const clerk = await addActor(fresh.db, { roles: [6], origin: 'cli' });
    const approver = await addActor(fresh.db, { roles: [1], origin: 'cli' });
    const origen = String(await addFundingSource(fresh.db));
    const file = join(place.folder, 'otro.csv');
    await writeFile(file, 'Nombre,Saldo\nX,1\n');
    const load = (actor: typeof clerk, from: string, path = file) =>
      runSaldo(fresh, ['bank', 'load', path, '--origen', from, '--as', 'x'], actor);
    const nobody = await runSaldo(fresh, ['bank', 'load', file, '--origen', origen], clerk);
    for (const refused of [await load(clerk, origen), nobody])
      expect(refused).toMatchObject({
        code: 1,
        log: expect.stringContaining(
          `${clerk.username} no puede cargar estados de cuenta: lo hacen los roles 1 y 2. Indica en nombre de quién con --as.`,
        ),
      });
    expect(await load(approver, 'Ninguno')).toMatchObject({
      code: 1,
      log: expect.stringContaining('Ninguno'),
    });
    expect(await load(approver, origen)).toMatchObject({
      code: 1,
      log: expect.stringContaining('Ninguna columna es la fecha'),
    });
    expect((await load(approver, origen, join(place.folder, 'nada.csv'))).code).toBe(1);
  });

  it('asks which account is meant in a file with several, and names the option', async () => {
    const approver = await addActor(fresh.db, { roles: [1], origin: 'cli' });
    const origen = String(await addFundingSource(fresh.db));
    const file = join(place.folder, 'dos.csv');
    await writeFile(
      file,
      'Cuenta,Fecha,Cargo,Abono\n65509990001,19/11/2026,1.00,\n65509990002,19/11/2026,2.00,\n',
    );
    const load = (...args: string[]) =>
      runSaldo(fresh, ['bank', 'load', file, '--origen', origen, '--as', 'x', ...args], approver);
    expect(await load()).toMatchObject({
      code: 1,
      log: expect.stringMatching(/varias cuentas: 65509990001, 65509990002\..*Dila con --cuenta\./s),
    });
    expect(JSON.parse((await load('--cuenta', '65509990002', '--json')).out)).toMatchObject({
      movimientos: 1,
    });
  });
});

describeOneDatabase('saldo layouts', (fresh) => {
  const place = temporaryFolder();

  it('lists, prints, stores and removes layouts', async () => {
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
