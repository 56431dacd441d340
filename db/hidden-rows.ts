import type Database from 'better-sqlite3';
import { logWithout } from './rolled-logs.ts';

interface Hidden {
  table: string;
  firstId: number;
  lastId: number;
}

/**
 * A reading connection that sees nothing of an import before all of it is there. While one is under way a temporary
 * view, which a name means before the table of that name, leaves out its rows; by their ids, which every index has. The
 * log of the rolled sums takes them off, so that sums do without them too.
 * Whether one is, is asked only where anything was written since (PRAGMA data_version), in the moment that is read.
 */
export class HiddenRows {
  readonly #database: Database.Database;
  readonly #begin: Database.Statement;
  readonly #commit: Database.Statement;
  readonly #version: Database.Statement;
  #seen: unknown;
  #shown: string | undefined = '[]';

  constructor(database: Database.Database) {
    this.#database = database;
    this.#begin = database.prepare('begin');
    this.#commit = database.prepare('commit');
    this.#version = database.prepare('pragma data_version').pluck();
  }

  /** All that `read` reads is of one moment, without the rows that are hidden then. */
  around<T>(read: () => T): T {
    if (this.#database.inTransaction) return read();
    this.#begin.run();
    try {
      this.look();
      return read();
    } finally {
      this.end();
    }
  }

  /** Ends the transaction; not by rolling it back, which would take the views along, as SQLite itself does at times. */
  end(): void {
    if (this.#database.inTransaction) this.#commit.run();
    else this.#forget();
  }

  /** What SQLite takes from the whole file; it would take the views for the tables. */
  lifted<T>(read: () => T): T {
    this.#show([]);
    this.#forget();
    return read();
  }

  /** Inside a transaction, as its first reading. */
  look(): void {
    const version = this.#version.get();
    if (version === this.#seen) return;
    const hidden = this.#read();
    const key = JSON.stringify(hidden);
    if (key !== this.#shown) {
      this.#forget(); // should it fail midway
      this.#show(hidden);
    }
    this.#shown = key;
    this.#seen = version;
  }

  /** Which views there are is not known: the next look makes all of them anew. */
  #forget(): void {
    this.#shown = undefined;
    this.#seen = undefined;
  }

  #read(): Hidden[] {
    const isThere = "select 1 from main.sqlite_master where name = 'open_import_rows'";
    if (!this.#database.prepare(isThere).get()) return [];
    const rows = `select "table", "firstId", "lastId" from main.open_import_rows where "isHidden" = 1
      order by "table", "firstId"`;
    return this.#database.prepare(rows).all() as Hidden[];
  }

  #show(hidden: readonly Hidden[]): void {
    // Asked for, since a transaction that SQLite rolled back may have made or dropped them.
    const views = this.#database.prepare("select name from temp.sqlite_master where type = 'view'").pluck();
    for (const name of views.all()) this.#database.exec(`drop view temp."${name}"`);
    const ranges = Map.groupBy(hidden, ({ table }) => table);
    for (const [table, rows] of ranges) {
      const isHidden = rows.map(({ firstId, lastId }) => `id between ${firstId} and ${lastId}`).join(' or ');
      this.#shadow(table, `select * from main."${table}" where not (${isHidden})`);
      const log = logWithout(table, isHidden);
      if (log) this.#shadow(log.name, log.select);
    }
  }

  #shadow(name: string, select: string): void {
    this.#database.exec(`create temp view "${name}" as ${select}`);
  }
}
