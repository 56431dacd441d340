import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from '../../db/migrate.ts';
import { dialectOf, openDatabase, resolveSqlitePath } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { describeEachDatabase, newDatabaseUrl } from '../support/databases.ts';
import { addClient } from '../support/rows.ts';

describe('DATABASE_URL', () => {
  it('is relative to the project, or absolute', () => {
    expect(resolveSqlitePath('file:./data/saldo.db', '/srv/saldo')).toBe('/srv/saldo/data/saldo.db');
    expect(resolveSqlitePath('file:saldo.db', '/srv/saldo')).toBe('/srv/saldo/saldo.db');
    expect(resolveSqlitePath('file:/var/saldo.db', '/srv/saldo')).toBe('/var/saldo.db');
    expect(resolveSqlitePath('file:///var/saldo.db', '/srv/saldo')).toBe('/var/saldo.db');
  });

  it.each(['', 'file:', 'mysql://x', 'saldo.db'])(
    '«%s» is refused with a message that says what is accepted',
    (url) => {
      expect(() => openDatabase(url, { root: '/', createIfMissing: true })).toThrow('DATABASE_URL');
    },
  );

  it('names an existing file, unless it is to be created', () => {
    const file = join(inject('folder'), 'databases', 'ninguna', 'saldo.db');
    expect(() => openDatabase(`file:${file}`, { root: '/', createIfMissing: false })).toThrow(
      `No hay base de datos en ${file}.`,
    );
    expect(existsSync(dirname(file))).toBe(false);
  });
});

describe('a new database file', () => {
  it('is accessible to its owner alone, and so are its folder and its journals', async () => {
    const file = join(dirname(resolveSqlitePath(await newDatabaseUrl('sqlite'), '/')), 'data', 'saldo.db');
    const database = openDatabase(`file:${file}`, { root: '/', createIfMissing: true });
    await migrate(database);
    await addClient(database.db);
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
    for (const end of ['', '-wal', '-shm']) expect(statSync(file + end).mode & 0o777, end).toBe(0o600);
    await database.close();
  });
});

describe('a folder that once held a database', () => {
  it.each([
    ['secret', (folder: string) => writeFileSync(join(folder, 'secret'), 'x')],
    [
      'backups',
      (folder: string) => {
        mkdirSync(join(folder, 'backups'));
        writeFileSync(join(folder, 'backups/antes.db'), 'x');
      },
    ],
  ])('gets no empty one where its %s shows this', async (name, leave) => {
    const folder = dirname(resolveSqlitePath(await newDatabaseUrl('sqlite'), '/'));
    const open = () => openDatabase(`file:${folder}/saldo.db`, { root: '/', createIfMissing: true });
    leave(folder);
    expect(open).toThrow(`No se creó ${folder}/saldo.db: en su carpeta hay «${name}»`);
    expect(existsSync(`${folder}/saldo.db`)).toBe(false);
    rmSync(join(folder, name), { recursive: true });
    await open().close();
  });
});

it('a second database next to an existing one is refused for that reason', async () => {
  const folder = dirname(resolveSqlitePath(await newDatabaseUrl('sqlite'), '/'));
  const database = openDatabase(`file:${folder}/saldo.db`, { root: '/', createIfMissing: true });
  await migrate(database);
  writeFileSync(join(folder, 'secret'), 'x');
  const open = () => openDatabase(`file:${folder}/otra.db`, { root: '/', createIfMissing: true });
  expect(open).toThrow(
    `No se creó ${folder}/otra.db: en su carpeta está otra base de datos, saldo.db, con su clave y sus respaldos.`,
  );
  expect(existsSync(`${folder}/otra.db`)).toBe(false);
  await database.close();
});

describeEachDatabase('a database handle', (fresh) => {
  it('reports its dialect, also inside a transaction', async () => {
    expect(dialectOf(fresh.db)).toBe(fresh.dialect);
    expect(await inTransaction(fresh.db, async (trx) => dialectOf(trx))).toBe(fresh.dialect);
  });
});
