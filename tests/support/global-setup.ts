import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { forkPostgres, stopPostgres } from './own-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** the run's folder, which is removed with its content when the run ends */
    folder: string;
    sqliteTemplate: string;
    /** the address of the server, without a database's name */
    postgresServer: string;
    postgresTemplate: string;
    lane?: 'long';
  }
}

/** Linux keeps the files of this folder in memory; containers often have 64 MB of it, which is too little. */
const MEMORY_FOLDER = '/dev/shm';
const REQUIRED_FREE_BYTES = 1024 ** 3;

/** Some tests start the built server, so it is built anew where the sources are newer. */
function buildServer(): void {
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  execFileSync(process.execPath, [join(import.meta.dirname, '../../server/prepare.mjs'), 'build'], {
    env,
    stdio: 'inherit',
  });
}

/** Starts PostgreSQL once for the whole run, and makes a migrated database of each kind to be copied for each test. */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  buildServer();
  const programs = mkdtempSync(join(chooseSharedFolder(), 'saldo-tests-'));
  const folder = hasFreeSpace(MEMORY_FOLDER) ? mkdtempSync(join(MEMORY_FOLDER, 'saldo-tests-')) : programs;
  // Other temporary files of tests and browsers are removed with the run, too.
  process.env.TMPDIR = join(programs, 'temporary');
  mkdirSync(process.env.TMPDIR);
  const { server, port } = await forkPostgres([programs, folder]);
  const postgresServer = `postgres://saldo@127.0.0.1:${port}`;
  const postgresTemplate = 'plantilla';
  const sqliteTemplate = join(folder, 'plantilla.db');
  try {
    await buildTemplate(`file:${sqliteTemplate}`);
    const client = new pg.Client({ connectionString: `${postgresServer}/postgres` });
    await client.connect();
    await client.query(`CREATE DATABASE ${postgresTemplate}`);
    await buildTemplate(`${postgresServer}/${postgresTemplate}`);
    await client.end();
    mkdirSync(join(folder, 'databases'));
  } catch (error) {
    await stopPostgres(server);
    throw error;
  }
  provide('folder', folder);
  provide('sqliteTemplate', sqliteTemplate);
  provide('postgresServer', postgresServer);
  provide('postgresTemplate', postgresTemplate);
  return () => stopPostgres(server);
}

async function buildTemplate(url: string): Promise<void> {
  const database = openDatabase(url, { root: '/', createIfMissing: true });
  await migrate(database);
  await database.close();
}

/** Some disks take half a second to copy a database; memory takes ten milliseconds. */
function hasFreeSpace(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > REQUIRED_FREE_BYTES;
  } catch {
    return false;
  }
}

/** For root, PostgreSQL runs as nobody, a user who cannot enter a private temporary folder. */
function chooseSharedFolder(): string {
  const isOpen = (folder: string): boolean =>
    (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpen(dirname(folder)));
  const isUsable = (folder: string) => {
    try {
      accessSync(folder, constants.W_OK);
      return process.getuid?.() !== 0 || isOpen(folder);
    } catch {
      return false;
    }
  };
  return [tmpdir(), '/tmp', '/var/tmp'].find(isUsable) ?? tmpdir();
}
