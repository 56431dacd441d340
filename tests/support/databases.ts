import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest';
import { type DialectName, type OpenDatabase, openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { type EmptiedDatabase, watchDatabase } from './emptied-postgres.ts';
import { type EmptiedFile, openEmptiedFile } from './emptied-sqlite.ts';
import { makeOnce } from './once.ts';

export const DIALECTS: readonly DialectName[] = ['sqlite', 'postgres'];

export interface FreshDatabase extends OpenDatabase {
  /** its address, as DATABASE_URL takes it */
  url: string;
  /** opens the same database again, as another process would; it is closed with this one */
  openAgain(): OpenDatabase;
}

/** The database of the running test; read `fresh.db` inside a test, never outside. */
export interface TestDatabase {
  readonly dialect: DialectName;
  readonly db: Db;
  readonly database: FreshDatabase;
  /** replaces it with a database that holds the demo company, which is filled once and copied */
  fillDemo(): Promise<void>;
}

/**
 * Runs a suite on SQLite and on PostgreSQL, with an empty migrated database for each test.
 * @example describeEachDatabase('payments', (fresh) => { it('…', async () => { await pay(fresh.db, …) }) })
 */
export function describeEachDatabase(name: string, suite: (fresh: TestDatabase) => void): void {
  describe.each(DIALECTS)(`${name} (%s)`, (dialect) => suite(useFreshDatabase(dialect)));
}

export function useFreshDatabase(dialect: DialectName): TestDatabase {
  let current: FreshDatabase | undefined;
  const database = () => {
    if (!current) throw new Error('a fresh database exists inside tests and hooks only');
    return current;
  };
  beforeEach(async () => {
    current = await openFreshDatabase(dialect);
  });
  afterEach(async () => {
    await current?.close();
    current = undefined;
  });
  return {
    dialect,
    get db() {
      return database().db;
    },
    get database() {
      return database();
    },
    async fillDemo() {
      await database().close();
      current = await openDemoDatabase(dialect);
    },
  };
}

export const openFreshDatabase = (dialect: DialectName): Promise<FreshDatabase> =>
  dialect === 'sqlite' ? openEmptiedSqlite() : openEmptiedPostgres();

async function openEmptiedSqlite(): Promise<FreshDatabase> {
  const emptied = (await takeEmptiedFile()) ?? (await createEmptiedFile());
  const { url, file } = emptied;
  let isAddressKnown = false;
  const release = async () => {
    if (isAddressKnown) await emptied.remove();
    else usedFiles.push(emptied);
  };
  return noticeAddress(openAndRemember(url, release, emptied.open()), { url, file }, () => {
    isAddressKnown = true;
    emptied.stopEmptying();
  });
}

async function openEmptiedPostgres(): Promise<FreshDatabase> {
  const emptied = (await takeEmptiedDatabase()) ?? (await createEmptiedDatabase());
  const { url } = emptied;
  let isAddressKnown = false;
  const release = async () => {
    if (isAddressKnown) await discardDatabase(emptied);
    else usedDatabases.push(emptied);
  };
  return noticeAddress(openAndRemember(url, release), { url }, () => {
    isAddressKnown = true;
    void emptied.close();
  });
}

/** A test that uses the address may change what emptying does not undo, or may need to be alone on the database. */
function noticeAddress(
  database: FreshDatabase,
  address: Pick<FreshDatabase, 'url' | 'file'>,
  notice: () => void,
): FreshDatabase {
  for (const [name, value] of Object.entries(address)) {
    const get = () => {
      notice();
      return value;
    };
    Object.defineProperty(database, name, { get, enumerable: true });
  }
  return database;
}

export function openUnmigratedDatabase(dialect: DialectName): Promise<FreshDatabase> {
  return openCopyOfTemplate(dialect);
}

export async function newDatabaseUrl(dialect: DialectName): Promise<string> {
  return (await (dialect === 'sqlite' ? createDatabaseFile() : createPostgresDatabase())).url;
}

/** The template that holds the demo company: filling it takes seconds, so it is done once for all threads. */
const openDemoDatabase = async (dialect: DialectName): Promise<FreshDatabase> =>
  openCopyOfTemplate(
    dialect,
    await makeOnce(join(inject('folder'), `demo-${dialect}`), () => createDemoTemplate(dialect)),
  );

async function createDemoTemplate(dialect: DialectName): Promise<string> {
  const { url } = await (dialect === 'sqlite' ? createDatabaseFile : createPostgresDatabase)(
    readTemplateByDialect[dialect](),
  );
  const database = openDatabase(url, { root: '/', createIfMissing: false });
  const [{ fillDemo }, { createActor }] = await Promise.all([
    import('../../server/services/demo/demo.ts'),
    import('./rows.ts'),
  ]);
  await fillDemo(database, createActor());
  await database.close();
  return dialect === 'sqlite' ? url.slice('file:'.length) : new URL(url).pathname.slice(1);
}

const readTemplateByDialect = {
  sqlite: () => inject('sqliteTemplate'),
  postgres: () => inject('postgresTemplate'),
};

async function openCopyOfTemplate(dialect: DialectName, template?: string): Promise<FreshDatabase> {
  const { url, remove } = await (dialect === 'sqlite' ? createDatabaseFile : createPostgresDatabase)(
    template,
  );
  return openAndRemember(url, remove);
}

/** @param release runs once the database and those opened again are closed */
function openAndRemember(
  url: string,
  release: () => Promise<void>,
  first?: Omit<OpenDatabase, 'file'>,
): FreshDatabase {
  const openSameDatabaseAgain = () => openDatabase(url, { root: '/', createIfMissing: true });
  const opened: OpenDatabase[] = [first ?? openSameDatabaseAgain()];
  return {
    ...opened[0]!,
    url,
    openAgain() {
      const another = openSameDatabaseAgain();
      opened.push(another);
      return another;
    },
    async close() {
      if (opened.length === 0) return;
      for (const one of opened.splice(0)) await one.close();
      await release();
    },
  };
}

let createdCount = 0;
const newDatabaseName = () =>
  `prueba_${process.pid}_${process.env.VITEST_POOL_ID ?? 0}_${Date.now().toString(36)}_${createdCount++}`;

async function createDatabaseFile(template?: string) {
  const file = join(inject('folder'), 'databases', newDatabaseName(), 'saldo.db');
  const folder = dirname(file);
  mkdirSync(folder, { mode: 0o700 });
  if (template) copyFileSync(template, file);
  return { url: `file:${file}`, remove: async () => rmSync(folder, { recursive: true, force: true }) };
}

async function createPostgresDatabase(template = 'template0') {
  const name = newDatabaseName();
  // The files are copied: writing each page to the log first takes twice as long.
  await executeAsAdministrator(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  void dropUsedDatabases();
  return {
    name,
    url: `${inject('postgresServer')}/${name}`,
    remove: async () => {
      usedDatabaseNames.push(name);
    },
  };
}

interface RemovableFile extends EmptiedFile {
  url: string;
  remove(): Promise<void>;
}

/** The files whose databases tests have closed. */
const usedFiles: RemovableFile[] = [];

async function takeEmptiedFile(): Promise<RemovableFile | undefined> {
  for (let used = usedFiles.pop(); used; used = usedFiles.pop()) {
    if (used.empty()) return used;
    await used.remove();
  }
  return undefined;
}

let templateContent: Buffer | undefined;

async function createEmptiedFile(): Promise<RemovableFile> {
  const template = readTemplateByDialect.sqlite();
  templateContent ??= readFileSync(template);
  const { url, remove } = await createDatabaseFile(template);
  const emptied = openEmptiedFile(url.slice('file:'.length), templateContent);
  return { ...emptied, url, remove: () => emptied.close().then(remove) };
}

/** The databases that tests have closed. The one that was closed first is used again first. */
const usedDatabases: EmptiedDatabase[] = [];

async function takeEmptiedDatabase(): Promise<EmptiedDatabase | undefined> {
  for (let untried = usedDatabases.length; untried > 0; untried--) {
    const used = usedDatabases.shift();
    const state = await used?.empty();
    if (state === 'emptied') return used;
    if (used && state === 'busy') usedDatabases.push(used);
    else if (used) await discardDatabase(used);
  }
  return undefined;
}

async function createEmptiedDatabase(): Promise<EmptiedDatabase> {
  const { name, url } = await createPostgresDatabase(readTemplateByDialect.postgres());
  return watchDatabase(name, url, await connect(url));
}

async function discardDatabase(used: EmptiedDatabase): Promise<void> {
  await used.close();
  usedDatabaseNames.push(used.name);
}

/** A database is dropped one test later: by then the server has ended its connections, which a drop would wait for. */
const usedDatabaseNames: string[] = [];

async function dropUsedDatabases(): Promise<void> {
  for (const name of usedDatabaseNames.splice(0))
    await executeAsAdministrator(`DROP DATABASE ${name} WITH (FORCE)`);
}

let administrator: Promise<pg.Client> | undefined;

async function executeAsAdministrator(statement: string): Promise<void> {
  administrator ??= connect(`${inject('postgresServer')}/postgres`);
  await (await administrator).query(statement);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {}); // its next query says what happened
  await client.connect();
  return client;
}

afterAll(async () => {
  await dropUsedDatabases();
  await (await administrator)?.end();
  administrator = undefined;
});
