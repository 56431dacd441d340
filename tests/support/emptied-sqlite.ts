import { closeSync, ftruncateSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { OpenDatabase } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';
import { databaseFileOf, sqliteDialect } from '../../db/sqlite.ts';
import { openSqliteFile } from '../../db/sqlite-file.ts';

/** A migrated file whose connections tests use one after another: to open them takes longer than most tests run. */
export interface EmptiedFile {
  readonly file: string;
  /** Makes a database whose `close` leaves the connections open, but refuses further queries. */
  open(): Omit<OpenDatabase, 'file'>;
  /** From now on `close` closes the connections, as it does outside of tests. */
  stopEmptying(): void;
  /** @returns false if it is still in use or differs by more than its rows; then it can only be closed */
  empty(): boolean;
  close(): Promise<void>;
}

/** @param file has the content of `template`, and nobody has opened it */
export function openEmptiedFile(file: string, template: Buffer): EmptiedFile {
  const writer = openSqliteFile(file);
  const dialect = sqliteDialect(writer, openSqliteFile(file, { readonly: true }));
  const shared = databaseFileOf(new Kysely<Schema>({ dialect }))!;
  const eraser = new Database(file);
  const readSchemaVersion = () => writer.pragma('schema_version', { simple: true });
  const originalVersion = readSchemaVersion();
  const userVersion = writer.pragma('user_version', { simple: true });
  let isConfigured = false;
  let isKept = false;

  async function closeFile(): Promise<void> {
    eraser.close();
    if (writer.open) await dialect.createDriver().destroy();
  }

  function openQueries(): Omit<OpenDatabase, 'file'> {
    let isOpen = true;
    const driver = dialect.createDriver();
    const acquireConnection = async () => {
      const connection = await driver.acquireConnection();
      const executeQuery = connection.executeQuery.bind(connection);
      connection.executeQuery = async (query) => {
        if (!isOpen) throw new Error('the test has closed its database');
        isConfigured ||= /^\s*(pragma|attach)\b/i.test(query.sql);
        return executeQuery(query);
      };
      return connection;
    };
    const close = async () => {
      isOpen = false;
      if (isKept) await closeFile();
    };
    const createDriver = () => ({ ...driver, acquireConnection, destroy: close });
    const db = new Kysely<Schema>({ dialect: { ...dialect, createDriver } });
    return { db, dialect: 'sqlite', close: () => db.destroy().then(close) };
  }

  function emptyFile(): boolean {
    if (isConfigured || shared.damageText !== undefined || !shared.isInPlace()) return false;
    if (writer.inTransaction || readSchemaVersion() !== originalVersion) return false;
    const [checkpoint] = writer.pragma('wal_checkpoint(truncate)') as { busy: number }[];
    if (checkpoint?.busy !== 0) return false;
    const descriptor = openSync(file, 'r+');
    ftruncateSync(descriptor, template.length);
    writeSync(descriptor, template, 0, template.length, 0);
    closeSync(descriptor);
    removeOtherFiles();
    // A commit by another connection makes the open ones discard the pages that they keep in memory.
    eraser.pragma(`user_version = ${userVersion}`);
    return true;
  }

  /** The program keeps files of its own beside a database, such as the mark of its audit trail. */
  function removeOtherFiles(): void {
    const folder = dirname(file);
    const kept = ['', '-wal', '-shm'].map((end) => basename(file) + end);
    for (const name of readdirSync(folder))
      if (!kept.includes(name)) rmSync(join(folder, name), { recursive: true });
  }

  return {
    file,
    open: openQueries,
    stopEmptying() {
      isKept = true;
      eraser.close();
    },
    empty: () => {
      try {
        return emptyFile();
      } catch {
        return false;
      }
    },
    close: closeFile,
  };
}
