import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runSaldo } from '../support/cli.ts';
import { useFreshDatabase } from '../support/databases.ts';
import { addActor, addSupplier, addUser } from '../support/rows.ts';

describe('the output of a command', () => {
  const fresh = useFreshDatabase('sqlite');
  let folder = '';
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'saldo-salida-'));
    await addSupplier(fresh.db, { suppliername: 'Aceros' });
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) => runSaldo(fresh, args);
  const at = (name: string) => join(folder, name);

  it('goes to standard output if the file is -', async () => {
    expect((await run('export', 'suppliers', '--out', '-')).out).toContain('Aceros');
    expect((await run('report', 'balances', '--format', 'csv', '--out', '-')).out).toContain('Total general');
    expect(readdirSync('.')).not.toContain('-');
    expect((await run('export', 'suppliers', '--out', '')).code).toBe(2);
  });

  it('keeps a link, and the permissions of the file that it replaces', async () => {
    writeFileSync(at('lista.csv'), 'la de ayer');
    chmodSync(at('lista.csv'), 0o600);
    symlinkSync('lista.csv', at('enlace.csv'));
    expect((await run('export', 'suppliers', '--out', at('enlace.csv'))).code).toBe(0);
    expect(lstatSync(at('enlace.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('lista.csv'), 'utf8')).toContain('Aceros');
    expect(statSync(at('lista.csv')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['enlace.csv', 'lista.csv']);
  });

  it('is written into a named pipe, which remains one', async ({ skip }) => {
    if (spawnSync('mkfifo', [at('tubo')]).status !== 0) skip('this machine makes no pipes');
    const script = `cat '${at('tubo')}' > '${at('leído')}' & echo $!`;
    const reader = spawnSync('sh', ['-c', script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(reader.status).toBe(0);
    expect((await run('export', 'suppliers', '--format', 'json', '--out', at('tubo'))).code).toBe(0);
    expect(lstatSync(at('tubo')).isFIFO()).toBe(true);
    await expect.poll(() => readFileSync(at('leído'), 'utf8')).toContain('Aceros');
  });

  it('is refused in Spanish before any work if it cannot be written', async () => {
    mkdirSync(at('carpeta'));
    const folderTaken = await run('export', 'suppliers', '--out', at('carpeta'));
    expect([folderTaken.code, folderTaken.log]).toEqual([
      1,
      `saldo: ${at('carpeta')} es una carpeta, no un archivo.\n`,
    ]);
    const nowhere = await run('report', 'balances', '--out', at('no/hay.pdf'));
    expect([nowhere.code, nowhere.log]).toEqual([
      1,
      `saldo: No se pudo escribir ${at('no/hay.pdf')} en la carpeta ${at('no')}: no existe.\n`,
    ]);
    expect((await run('db', 'restore', at('carpeta'))).log).toContain('carpeta: es una carpeta.');
  });

  it('gets its format from the name of the file, and is refused if two formats are given', async () => {
    expect((await run('report', 'balances', '--out', at('saldos.pdf'))).code).toBe(0);
    expect(readFileSync(at('saldos.pdf'), 'latin1').slice(0, 5)).toBe('%PDF-');
    expect((await run('report', 'balances', '--out', at('saldos.txt'))).code).toBe(0);
    expect(readFileSync(at('saldos.txt'), 'utf8')).toContain('Saldos por proveedor');
    expect(JSON.parse((await run('export', 'suppliers', '--json')).out)).toHaveLength(1);
    expect((await run('export', 'suppliers', '--json', '--format', 'csv')).code).toBe(2);
    expect((await run('report', 'balances', '--json', '--format', 'pdf')).code).toBe(2);
  });

  it('is one JSON document if that is asked for', async () => {
    await addUser(fresh.db, { username: 'ana.ruiz', roles: [3] });
    const set = await run('settings', 'set', 'tasa', '8', '--json');
    expect(JSON.parse(set.out)).toEqual({ key: 'tasa', value: '8' });
    expect((await run('settings', 'set', 'tasa', '16')).out).toBe('tasa: 16\n');
    for (const args of [
      ['users', 'list'],
      ['settings', 'list'],
      ['settings', 'get', 'tasa'],
      ['report', 'balances'],
      ['db', 'stats'],
      ['db', 'check'],
    ]) {
      const { out, log, code } = await run(...args, '--json');
      expect([code, log, typeof JSON.parse(out)], args.join(' ')).toEqual([0, '', 'object']);
    }
  });
});

describe('the file of refused rows', () => {
  const fresh = useFreshDatabase('sqlite');
  let folder = '';
  let file = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'saldo-rechazos-'));
    file = join(folder, 'clientes.csv');
    writeFileSync(file, 'Cliente,Contacto,Correo\nPuertos,Ana,ana@puertos.mx\nMuelles,Luis,sin arroba\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const importing = async (...args: string[]) =>
    runSaldo(fresh, ['import', 'clients', ...args], await addActor(fresh.db));
  const clients = async () =>
    (await fresh.db.selectFrom('clients').select('clientname').orderBy('id').execute()).map(
      (row) => row.clientname,
    );

  it('never overwrites the imported file, by whatever name', async () => {
    const before = readFileSync(file, 'utf8');
    symlinkSync(file, join(folder, 'otro.csv'));
    for (const rejects of [file, join(folder, './clientes.csv'), join(folder, 'otro.csv')]) {
      const { code, log } = await importing(file, '--on-error', 'skip', '--rejects', rejects);
      expect([code, log]).toEqual([2, 'saldo: --rejects: es el archivo que se importa; usa otro nombre.\n']);
    }
    expect((await importing(file, '--rejects', '-')).code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(await clients()).toEqual([]);
  });

  it('is checked to be writable before anything is stored', async () => {
    const { code, log } = await importing(file, '--on-error', 'skip', '--rejects', join(folder, 'no/a.csv'));
    expect([code, log]).toEqual([1, expect.stringContaining(`la carpeta ${join(folder, 'no')}: no existe.`)]);
    expect(await clients()).toEqual([]);
  });

  it('can be corrected and imported again', async () => {
    const rejects = join(folder, 'rechazados.csv');
    const first = await importing(file, '--on-error', 'skip', '--rejects', rejects);
    expect(first.code, first.log).toBe(3);
    writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('sin arroba', 'luis@muelles.mx'));
    expect((await importing(rejects)).code).toBe(0);
    expect(await clients()).toEqual(['Puertos', 'Muelles']);
  });
});
