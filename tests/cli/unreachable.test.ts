import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { DIALECTS, newDatabaseUrl, openFreshDatabase } from '../support/databases.ts';
import { runCommandLine as sayWith } from './run-command-line.ts';

/** Returns what a command prints about an unreachable database. */
const say = (url: string, ...args: string[]) => sayWith(args, { DATABASE_URL: url });

describe('a database that cannot be used', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(inject('folder'), 'inalcanzable-'));
    mkdirSync(join(folder, 'carpeta'));
    writeFileSync(
      join(folder, 'nota.txt'),
      'esto no es una base de datos, y es más largo que su encabezado.\n',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const oneLine = async (url: string, message: string) => {
    for (const args of [
      ['users', 'list'],
      ['db', 'check', '--json'],
      ['db', 'migrate'],
    ])
      expect(await say(url, ...args), args.join(' ')).toEqual({
        out: '',
        log: `saldo: ${message}\n`,
        code: 1,
      });
  };

  it('is reported as no file, no database, or in no valid place', async () => {
    const place = join(folder, 'carpeta');
    await oneLine(`file:${place}`, `DATABASE_URL: ${place} no es un archivo.`);
    const note = join(folder, 'nota.txt');
    await oneLine(`file:${note}`, `El archivo ${note} de DATABASE_URL no es una base de datos.`);
    const { log, code } = await say(`file:${note}/saldo.db`, 'db', 'migrate');
    expect([code, log]).toEqual([
      1,
      `saldo: No se pudo crear la base de datos ${note}/saldo.db: una parte de su ruta no es una carpeta.\n`,
    ]);
  });

  it('is reported as in a folder that is not writable, or next to an unreadable file', async () => {
    const own = join(folder, 'propia');
    mkdirSync(own);
    const url = `file:${own}/saldo.db`;
    expect((await say(url, 'db', 'migrate')).code).toBe(0);
    // Nobody can read a folder in place of a file, whatever their permissions.
    mkdirSync(join(own, 'secret'));
    const { log, code } = await say(url, 'serve');
    expect([code, log]).toEqual([1, `saldo: No se pudo usar ${own}/secret: es una carpeta.\n`]);
    // Nor can the files that SQLite keeps beside its own be folders.
    const blocked = join(folder, 'tapada');
    mkdirSync(blocked);
    expect((await say(`file:${blocked}/saldo.db`, 'db', 'migrate')).code).toBe(0);
    mkdirSync(join(blocked, 'saldo.db-wal'));
    const copy = join(folder, 'que-se-restaura.db');
    expect((await say(url, 'db', 'backup', copy)).code).toBe(0);
    for (const args of [['serve'], ['users', 'list'], ['db', 'check'], ['db', 'restore', copy]])
      expect((await say(`file:${blocked}/saldo.db`, ...args)).log).toBe(
        `saldo: No se puede abrir la base de datos ${blocked}/saldo.db: es de solo lectura, o su disco falla.\n`,
      );
    const anchors = join(own, 'anclas.jsonl');
    expect((await say(url, 'db', 'anchor', '--check', anchors)).log).toBe(
      `saldo: No se pudo usar ${anchors}: no existe.\n`,
    );
  });

  it('is reported as unreachable, unknown to the server, or refused by it', async () => {
    await oneLine(
      'postgres://saldo@127.0.0.1:1/saldo',
      'PostgreSQL no responde en 127.0.0.1:1: revisa DATABASE_URL y que esté en marcha.',
    );
    await oneLine(
      `${inject('postgresServer')}/no_la_hay`,
      'La base de datos de DATABASE_URL no existe en PostgreSQL: créala con createdb.',
    );
    const stranger = inject('postgresServer').replace(/\/\/[^@]*@/, '//nadie:secreto@');
    const { log, code } = await say(`${stranger}/postgres`, 'users', 'list');
    expect(code).toBe(1);
    expect(log).toBe('saldo: PostgreSQL no acepta el usuario o la contraseña de DATABASE_URL.\n');
  });

  it.each(DIALECTS)('is reported as older or newer than the program (%s)', async (dialect) => {
    const url = await newDatabaseUrl(dialect);
    if (dialect === 'sqlite') writeFileSync(url.slice('file:'.length), '');
    const older = await say(url, 'users', 'list');
    expect(older.log).toBe('saldo: La base de datos no está al día: ejecuta `saldo db migrate`.\n');
    const fresh = await openFreshDatabase(dialect);
    try {
      await fresh.db
        .insertInto('schema_migrations')
        .values({ name: '9999-later', appliedAt: '2026-11-20T00:00:00.000Z' })
        .execute();
      await oneLine(fresh.url, 'La base de datos es de una versión más nueva de Saldo (9999-later).');
      await fresh.db
        .updateTable('schema_migrations')
        .set('name', '0001-initial')
        .where('name', 'like', '9999%')
        .execute();
      const before =
        'La base de datos es de un Saldo anterior a la versión 1.0: con ese programa haz una copia, saldo db backup ARCHIVO --portable, y restáurala con este, saldo db restore ARCHIVO.';
      await oneLine(fresh.url, before);
      expect((await say(fresh.url, 'db', 'migrate')).log).toBe(`saldo: ${before}\n`);
    } finally {
      await fresh.close();
    }
  });

  it('has its pending migrations listed as JSON', async () => {
    const url = await newDatabaseUrl('sqlite');
    const made = await say(url, 'db', 'migrate', '--json');
    expect(JSON.parse(made.out).migrations[0]).toBe('0001-baseline');
    expect(JSON.parse((await say(url, 'db', 'migrate', '--json')).out)).toEqual({ migrations: [] });
  });

  it('is left unchanged, byte by byte, when a copy is checked', async () => {
    const url = await newDatabaseUrl('sqlite');
    await say(url, 'db', 'migrate');
    const copy = join(folder, 'copia.db');
    expect((await say(url, 'db', 'backup', copy)).out).toContain('verificada');
    const before = readFileSync(copy);
    expect((await say(`file:${copy}`, 'db', 'check')).out).toContain('Bitácora');
    expect((await say(`file:${copy}`, 'db', 'stats', '--digest')).code).toBe(0);
    expect(readFileSync(copy).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('copia'))).toEqual(['copia.db']);
  });
});
